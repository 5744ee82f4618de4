"""Solo play: how often a named policy wins at each difficulty, and what to do first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean

from analysis.clash.game_reports import DifficultyReport, GroupReport, NextReport, SoloReport
from analysis.clash.games import GameTask, Running, Terms, play_all, share_of, task_of
from analysis.clash.maps import check_tiles, map_report
from analysis.clash.matches import check_difficulties, check_players
from analysis.clash.scenario import rules_report
from analysis.estimates import CONFIDENCE
from analysis.timing import Stopwatch
from analysis.version import __version__
from engine.clash.rules import Rules
from engine.clash.rules_schema import DIFFICULTIES


@dataclass(frozen=True)
class SoloQuestion:
    """Who plays alone, how hard, and how often.

    Attributes
    ----------
    clans : played in turn; all of them unless some are named.
    games : at each difficulty; the same deals at each.
    first : whether to say what the first decision's choices are worth.
    """

    terms: Terms
    policy: str
    clans: tuple[str, ...]
    difficulties: tuple[str, ...]
    games: int
    first: bool = True

    def __post_init__(self) -> None:
        """Raise RequestError for what cannot be played."""
        check_players([self.policy])
        check_difficulties(self.difficulties)
        check_tiles(self.terms.tiles, 1)


def solo_report(question: SoloQuestion, running: Running) -> SoloReport:
    """Play alone, often; raises what `games.play_all` does."""
    watch = Stopwatch()
    terms = question.terms
    tasks = _tasks(question)
    done = play_all(tasks, running)
    maps = [each.scenario for each in tasks[:: len(question.difficulties)]]
    reports = []
    for difficulty in question.difficulties:
        own = [each for each in tasks if each.scenario.difficulty == difficulty and each.number in done]
        rounds = [done[each.number].rounds[0] for each in own]
        by_clan: dict[str, list[list[float]]] = {clan: [] for clan in question.clans}
        for each in own:
            by_clan[each.scenario.clans[0]].append(done[each.number].scores[0])
        reports.append(
            DifficultyReport(
                difficulty,
                terms.rules.solo.thresholds[DIFFICULTIES.index(difficulty)],
                share_of([done[each.number].scores[0] for each in own]),
                mean(rounds) if rounds else None,
                [GroupReport(clan, share_of(scores)) for clan, scores in by_clan.items() if scores],
            )
        )
    return SoloReport(
        rules=rules_report(terms.rules),
        policy=question.policy,
        budget=terms.budget_text([question.policy]),
        habits=dict(terms.habits),
        clans=list(question.clans),
        map=map_report(terms.tiles, [each.tiles for each in maps], maps[0].centres),
        games=question.games,
        seed=terms.seed,
        difficulties=reports,
        first=_first(question) if question.first and not running.interrupt() else [],
        first_budget=terms.budget_text(["search"]) if question.first else None,
        complete=len(done) == len(tasks),
        confidence=CONFIDENCE,
        time_s=watch.work_s,
        compile_s=watch.compile_s,
        version=__version__,
    )


def _tasks(question: SoloQuestion) -> list[GameTask]:
    """Return all games, deal by deal: the same ones at each difficulty, clans in turn."""
    tasks: list[GameTask] = []
    for deal in range(question.games):
        clan = question.clans[deal % len(question.clans)]
        for difficulty in question.difficulties:
            number = len(tasks)
            tasks.append(
                task_of(question.terms, [question.policy], number, deal, clans=[clan], difficulty=difficulty)
            )
    return tasks


def _first(question: SoloQuestion) -> list[NextReport]:
    """Return what the choices of the first decision of the first deal are worth, if there are several."""
    from analysis.clash.narration import choice_text
    from analysis.clash.outcomes import OutcomeTables
    from analysis.clash.players import habits_of
    from analysis.clash.searching import Budget, SearchPlayer
    from analysis.clash.whole_game import WholeGame

    task, terms = _tasks(question)[0], question.terms
    game = WholeGame(terms.rules, task.scenario, OutcomeTables(terms.rules), task.chance)
    habits = habits_of(terms.habits) if terms.habits else None
    player = SearchPlayer(Budget(*terms.budget), habits, terms.seed)
    options = player.options(game)
    if len(options) == 1:
        return []
    return [NextReport(choice_text(game, each.choice), each.worth, each.error) for each in options]


def clans_to_play(rules: Rules, clans: Sequence[str] | None) -> tuple[str, ...]:
    """Return clans that take turns: all if none are named."""
    return tuple(clans) if clans else tuple(clan.id for clan in rules.clans)
