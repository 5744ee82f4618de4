"""Solo play: how often a named policy wins at each difficulty, and what to do first."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean

from analysis.clash.game_reports import DifficultyReport, GroupReport, NextReport, SoloReport
from analysis.clash.games import CONFIDENCE, GameTask, Note, play_all, share_of, tasks_of
from analysis.clash.matches import budget_text, check_players
from analysis.clash.scenario import rules_report
from analysis.errors import RequestError
from analysis.interrupt import Interrupt
from analysis.version import __version__
from engine.clash.rules import Rules
from engine.clash.rules_schema import DIFFICULTIES
from engine.rulefiles import close_matches


@dataclass(frozen=True)
class SoloQuestion:
    """Who plays alone, how hard, and how often.

    Attributes
    ----------
    clans : played in turn; all of them unless some are named.
    games : at each difficulty; the same deals at each.
    budget, habits : as in a match.
    first : whether to say what the first decision's choices are worth.
    """

    rules: Rules
    policy: str
    clans: tuple[str, ...]
    difficulties: tuple[str, ...]
    games: int
    seed: int
    budget: tuple[int, float | None]
    habits: Mapping[str, float]
    first: bool = True

    def __post_init__(self) -> None:
        """Raise RequestError for what cannot be played."""
        check_players([self.policy])
        for name in self.difficulties:
            if name not in DIFFICULTIES:
                near = close_matches(name, list(DIFFICULTIES))
                hint = f"; did you mean {near[0]}?" if near else ""
                known = ", ".join(DIFFICULTIES)
                raise RequestError(f"no difficulty is called {name!r}{hint} (there are {known})")


def solo_report(
    question: SoloQuestion,
    *,
    jobs: int = 1,
    scheduler: str | None = None,
    interrupt: Interrupt,
    keep: Path | None = None,
    note: Note = lambda phase, done, total: None,
) -> SoloReport:
    """Play alone, often; what `games.play_all` raises."""
    began = time.perf_counter()
    tasks = _tasks(question)
    done = play_all(tasks, jobs=jobs, scheduler=scheduler, interrupt=interrupt, keep=keep, note=note)
    reports = []
    for place, difficulty in enumerate(question.difficulties):
        first = place * question.games
        own = [number for number in range(first, first + question.games) if number in done]
        rounds = [done[number].rounds[0] for number in own]
        by_clan: dict[str, list[list[float]]] = {clan: [] for clan in question.clans}
        for number in own:
            by_clan[tasks[number].scenario.clans[0]].append(done[number].scores[0])
        reports.append(
            DifficultyReport(
                difficulty,
                question.rules.solo.thresholds[DIFFICULTIES.index(difficulty)],
                share_of([done[number].scores[0] for number in own]),
                mean(rounds) if rounds else None,
                [GroupReport(clan, share_of(scores)) for clan, scores in by_clan.items() if scores],
            )
        )
    return SoloReport(
        rules=rules_report(question.rules),
        policy=question.policy,
        budget=budget_text([question.policy], question.budget),
        habits=dict(question.habits),
        clans=list(question.clans),
        games=question.games,
        seed=question.seed,
        difficulties=reports,
        first=_first(question) if question.first and not interrupt() else [],
        complete=len(done) == len(tasks),
        confidence=CONFIDENCE,
        time_s=time.perf_counter() - began,
        version=__version__,
    )


def _tasks(question: SoloQuestion) -> list[GameTask]:
    """Return all games; the same deals at each difficulty, clans in turn."""
    tasks: list[GameTask] = []
    for difficulty in question.difficulties:
        for number in range(question.games):
            clan = question.clans[number % len(question.clans)]
            [task] = tasks_of(
                question.rules,
                [question.policy],
                1,
                question.seed,
                clans=[clan],
                difficulty=difficulty,
                budget=question.budget,
                habits=question.habits,
            )
            tasks.append(replace(task, number=len(tasks), deal=number))
    return tasks


def _first(question: SoloQuestion) -> list[NextReport]:
    """Return what the first decision's choices are worth in the game of the first deal."""
    from analysis.clash.narration import choice_text
    from analysis.clash.outcomes import OutcomeTables
    from analysis.clash.players import Budget, SearchPlayer, habits_of
    from analysis.clash.whole_game import WholeGame

    task = _tasks(question)[0]
    game = WholeGame(task.rules, task.scenario, OutcomeTables(task.rules), task.chance)
    player = SearchPlayer(
        Budget(*question.budget), habits_of(question.habits) if question.habits else None, question.seed
    )
    return [
        NextReport(choice_text(game, option.choice), option.worth, option.error)
        for option in player.options(game)
    ]


def clans_to_play(rules: Rules, clans: Sequence[str] | None) -> tuple[str, ...]:
    """Return clans that take turns: all if none are named."""
    return tuple(clans) if clans else tuple(clan.id for clan in rules.clans)
