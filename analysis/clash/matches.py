"""Matches of two to four players: every deal once per seat."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

from analysis.clash.game_reports import GroupReport, MatchReport, PlayerReport
from analysis.clash.games import CONFIDENCE, GameTask, Note, Played, play_all, share_of, tasks_of
from analysis.clash.scenario import rules_report
from analysis.errors import RequestError
from analysis.interrupt import Interrupt
from analysis.version import __version__
from engine.clash.rules import Rules, UnknownNameError
from engine.rulefiles import close_matches

NAMES = ("search", "rule", "random")


@dataclass(frozen=True)
class MatchQuestion:
    """Who plays whom, and how much.

    Attributes
    ----------
    clans : in the order of seats; None for others in every deal.
    budget : playouts or, if the second is there, seconds for each decision of searching players.
    habits : what differs from the usual ones.
    """

    rules: Rules
    players: tuple[str, ...]
    clans: tuple[str, ...] | None
    deals: int
    seed: int
    budget: tuple[int, float | None]
    habits: Mapping[str, float]
    long_game: bool = False

    def __post_init__(self) -> None:
        """Raise RequestError for players and clans that cannot play."""
        check_players(self.players)
        if not 2 <= len(self.players) <= 4:
            raise RequestError(f"two to four play, not {len(self.players)}", "--players")
        if self.clans is not None and len(self.clans) != len(self.players):
            raise RequestError(f"{len(self.players)} players have so many clans", "--clans")


def check_players(names: Sequence[str]) -> None:
    """Raise RequestError for a name of no player."""
    for name in names:
        if name not in NAMES:
            near = close_matches(name, list(NAMES))
            hint = f"; did you mean {near[0]}?" if near else ""
            raise RequestError(f"no player is called {name!r}{hint} (there are {', '.join(NAMES)})")


def clan_ids(rules: Rules, text: str | None) -> tuple[str, ...] | None:
    """Read clans such as ``bohorg,tomb``."""
    if text is None:
        return None
    try:
        clans = tuple(rules.clan(part).id for part in text.split(","))
    except UnknownNameError as error:
        raise RequestError(str(error), "--clans") from None
    if len(set(clans)) < len(clans):
        raise RequestError("each clan is played once", "--clans")
    return clans


def read_habits(texts: Sequence[str]) -> dict[str, float]:
    """Read habits such as ``sure=0.8``."""
    from engine.clash.habits import DEFAULT_HABITS

    habits = {}
    for text in texts:
        name, equals, number = (part.strip() for part in text.partition("="))
        if name not in DEFAULT_HABITS:
            near = close_matches(name, list(DEFAULT_HABITS))
            hint = f"did you mean {near[0]}? " if near else ""
            known = ", ".join(DEFAULT_HABITS)
            raise RequestError(f"no habit is called {name!r}; {hint}there are: {known}", "--habit")
        try:
            habits[name] = float(number) if equals else float("nan")
        except ValueError:
            habits[name] = float("nan")
        if not 0.0 <= habits[name] <= 1e6:
            raise RequestError(f"{text!r}: a habit is a number from 0 to a million, {name}=2", "--habit")
    return habits


def budget_text(players: Sequence[str], budget: tuple[int, float | None]) -> str:
    """Return what a search may spend on a decision, in words."""
    if "search" not in players:
        return "-"
    return f"{budget[0]} playouts" if budget[1] is None else f"{budget[1]:g} s"


def match_report(
    question: MatchQuestion,
    *,
    jobs: int = 1,
    scheduler: str | None = None,
    interrupt: Interrupt,
    keep: Path | None = None,
    note: Note = lambda phase, done, total: None,
) -> MatchReport:
    """Play a match; what `games.play_all` raises."""
    began = time.perf_counter()
    tasks = tasks_of(
        question.rules,
        question.players,
        question.deals,
        question.seed,
        clans=question.clans,
        long_game=question.long_game,
        budget=question.budget,
        habits=question.habits,
    )
    done = play_all(tasks, jobs=jobs, scheduler=scheduler, interrupt=interrupt, keep=keep, note=note)
    played = [done[number] for number in sorted(done)]
    size = len(question.players)
    rounds = [number for each in played for number in each.rounds]
    draws = sum(max(score) < 1.0 for each in played for score in each.scores)
    return MatchReport(
        rules=rules_report(question.rules),
        players=[
            PlayerReport(place, name, share_of([[score[place] for score in each.scores] for each in played]))
            for place, name in enumerate(question.players)
        ],
        budget=budget_text(question.players, question.budget),
        habits=dict(question.habits),
        clans=None if question.clans is None else list(question.clans),
        long_game=question.long_game,
        deals=question.deals,
        seed=question.seed,
        games=len(rounds),
        draws=draws,
        rounds=mean(rounds) if rounds else None,
        by_clan=_groups(
            {clan.id: _of_clan(tasks, played, clan.id) for clan in question.rules.clans},
        ),
        by_seat=_groups({f"seat {seat + 1}": _of_seat(played, seat) for seat in range(size)}),
        complete=len(done) == len(tasks),
        confidence=CONFIDENCE,
        time_s=time.perf_counter() - began,
        version=__version__,
    )


def _of_seat(played: Sequence[Played], seat: int) -> list[list[float]]:
    """Return what whoever sat there won, by deal: in rotation k, player (seat + k) did."""
    return [
        [score[(seat + rotation) % len(score)] for rotation, score in enumerate(each.scores)]
        for each in played
    ]


def _of_clan(tasks: Sequence[GameTask], played: Sequence[Played], clan: str) -> list[list[float]]:
    found = []
    for each in played:
        clans = tasks[each.number].scenario.clans
        if clan in clans:
            found += _of_seat([each], clans.index(clan))
    return found


def _groups(deals: Mapping[str, list[list[float]]]) -> list[GroupReport]:
    return [GroupReport(name, share_of(each)) for name, each in deals.items() if each]
