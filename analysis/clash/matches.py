"""Matches of two to four players: every deal once per seat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import mean

import msgspec

from analysis.clash.game_reports import GroupReport, MatchReport, PlayerReport, Share
from analysis.clash.games import GameTask, Played, Running, Terms, play_all, share_of, tasks_of
from analysis.clash.maps import check_tiles, map_report
from analysis.clash.scenario import rules_report
from analysis.errors import RequestError
from analysis.estimates import CONFIDENCE
from analysis.symmetry import exact_by_symmetry
from analysis.timing import Stopwatch
from analysis.version import __version__
from engine.clash.rules import Rules, UnknownNameError
from engine.clash.rules_schema import DIFFICULTIES
from engine.rulefiles import close_matches

NAMES = ("search", "rule", "random")


@dataclass(frozen=True)
class MatchQuestion:
    """Who plays whom, and how much.

    Attributes
    ----------
    clans : in the order of seats; None for others in every deal.
    """

    terms: Terms
    players: tuple[str, ...]
    clans: tuple[str, ...] | None
    deals: int
    long_game: bool = False

    def __post_init__(self) -> None:
        """Raise RequestError for players and clans that cannot play."""
        check_players(self.players)
        if not 2 <= len(self.players) <= 4:
            raise RequestError(f"two to four play, not {len(self.players)}", "--players")
        if self.clans is not None and len(self.clans) != len(self.players):
            raise RequestError(f"{len(self.players)} players have so many clans", "--clans")
        check_tiles(self.terms.tiles, len(self.players))


def check_players(names: Sequence[str]) -> None:
    """Raise RequestError for a name of no player."""
    for name in names:
        _check_name("player", name, NAMES)


def check_difficulties(names: Sequence[str]) -> None:
    """Raise RequestError for a name of no difficulty."""
    for name in names:
        _check_name("difficulty", name, DIFFICULTIES)


def _check_name(what: str, name: str, known: Sequence[str]) -> None:
    if name not in known:
        near = close_matches(name, list(known))
        hint = f"; did you mean {near[0]}?" if near else ""
        raise RequestError(f"no {what} is called {name!r}{hint} (there are {', '.join(known)})")


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


def match_report(question: MatchQuestion, running: Running) -> MatchReport:
    """Play a match; raises what `games.play_all` does."""
    watch = Stopwatch()
    terms = question.terms
    tasks = tasks_of(
        terms, question.players, question.deals, clans=question.clans, long_game=question.long_game
    )
    done = play_all(tasks, running)
    played = [done[number] for number in sorted(done)]
    size = len(question.players)
    rounds = [number for each in played for number in each.rounds]
    maps = [task.scenario for task in tasks]
    draws = sum(max(score) < 1.0 for each in played for score in each.scores)
    return MatchReport(
        rules=rules_report(terms.rules),
        players=[
            PlayerReport(place, name, _won_by(question, played, place))
            for place, name in enumerate(question.players)
        ],
        budget=terms.budget_text(question.players),
        habits=dict(terms.habits),
        clans=None if question.clans is None else list(question.clans),
        map=map_report(terms.tiles, [each.tiles for each in maps], maps[0].centres),
        long_game=question.long_game,
        deals=question.deals,
        seed=terms.seed,
        games=len(rounds),
        draws=draws,
        rounds=mean(rounds) if rounds else None,
        by_clan=_groups({clan.id: _of_clan(tasks, played, clan.id) for clan in terms.rules.clans}),
        by_seat=_groups({f"seat {seat + 1}": _of_seat(played, seat) for seat in range(size)}),
        complete=len(done) == len(tasks),
        confidence=CONFIDENCE,
        time_s=watch.work_s,
        compile_s=watch.compile_s,
        version=__version__,
    )


def _won_by(question: MatchQuestion, played: Sequence[Played], place: int) -> Share:
    """Return what a player won: exactly his share, by design, where all players are the same."""
    won = share_of([[score[place] for score in each.scores] for each in played])
    players = question.players
    # Who searches by the clock does not do the same twice.
    same_luck = "search" not in players or question.terms.budget[1] is None
    if exact_by_symmetry(players, won.mean, 1.0 / len(players), same_luck=same_luck):
        return msgspec.structs.replace(won, low=None, high=None, by_design=True)
    return won


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
