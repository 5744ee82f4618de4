"""Matches of two players: every deal twice, once from each seat."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from statistics import mean, stdev
from typing import TYPE_CHECKING

import msgspec

from analysis import workers
from analysis.errors import RequestError
from analysis.estimates import CONFIDENCE, quantile
from analysis.interrupt import Interrupt
from analysis.kept_tasks import KeptTasks
from analysis.ophidian.reports import SCHEMA_NUMBER, RulesReport
from analysis.timing import Stopwatch
from analysis.version import __version__
from analysis.workers import Work
from engine.ophidian.rules import Rules, UnknownNameError

if TYPE_CHECKING:
    from analysis.learned_values import TrainedNetwork

__all__ = ["MatchQuestion", "MatchReport", "match_report"]

NAMES = ("search", "values", "greedy", "random")
DEALS_AT_ONCE = 32
"""Deals of a task of quick players; where somebody searches, a task is one deal."""
KEPT = 1
"""Part of the header of files of matches: raised when they change their meaning."""
Note = Callable[[str, int, int], None]


class MatchReport(msgspec.Struct, frozen=True, kw_only=True):
    """Two players against each other: every deal once from each seat, chance the same both times.

    Attributes
    ----------
    won : share of the matches that the first player won, a draw being shared; its interval of confidence over
        deals.
    by_seat : the same where he sits first and second; the first one has the first deck.
    """

    schema: int = SCHEMA_NUMBER
    game: str = "ophidian"
    version: str
    rules: RulesReport
    players: list[str]
    decks: list[str]
    budget: str
    deals: int
    matches: int
    draws: int
    won: float | None
    low: float | None
    high: float | None
    by_seat: list[float]
    confidence: float
    seed: int
    complete: bool
    time_s: float
    compile_s: float | msgspec.UnsetType = msgspec.UNSET


@dataclass(frozen=True)
class MatchQuestion:
    """Who plays whom, with which decks, and how much.

    Attributes
    ----------
    budget : iterations or, if the second is there, seconds for each decision of searching players.
    values : a file of `ophidian train` for the player `values`; the carried one if None.
    """

    rules: Rules
    players: tuple[str, str]
    decks: tuple[str, str]
    deals: int
    seed: int
    budget: tuple[int, float | None]
    values: bytes | None = None

    @property
    def digest(self) -> str:
        """Of all that the results depend on."""
        asked = [KEPT, self.rules.sha256, self.players, self.decks, self.seed, self.budget]
        trained = trained_of(self)
        if trained is not None:
            # Carried values change with the package; a file's name would say nothing either.
            asked.append(sha256(trained.network.inputs.tobytes()).hexdigest())
        return sha256(json.dumps(asked).encode()).hexdigest()


@dataclass(frozen=True)
class Task:
    """Some deals of a match, from a number on."""

    question: MatchQuestion
    number: int
    deals: int


@dataclass(frozen=True)
class Played:
    """What became of a task.

    Attributes
    ----------
    paid : to the first player, by deal and seat.
    error : why it failed, or empty; `stopped` if it was not begun, or not finished.
    """

    number: int
    paid: list[list[float]] = field(default_factory=list)
    error: str = ""
    stopped: bool = False


def decks_of(rules: Rules, text: str) -> tuple[str, str]:
    """Read two decks, ``iron,storm``; RequestError for others."""
    names = [part.strip() for part in text.split(",")]
    if len(names) != 2:
        raise RequestError(f"{text!r}: write two decks, such as iron,storm", "--decks")
    try:
        return rules.deck(names[0]).id, rules.deck(names[1]).id
    except UnknownNameError as error:
        raise RequestError(str(error), "--decks") from None


def players_of(text: str) -> tuple[str, str]:
    """Read two players, ``search,greedy``; RequestError for others."""
    from engine.rulefiles import close_matches

    names = [part.strip() for part in text.split(",")]
    for name in names:
        if name not in NAMES:
            near = close_matches(name, list(NAMES))
            hint = f"; did you mean {near[0]}?" if near else ""
            raise RequestError(
                f"no player is called {name!r}{hint} (there are {', '.join(NAMES)})", "--players"
            )
    if len(names) != 2:
        raise RequestError(f"{text!r}: two play, such as search,greedy", "--players")
    return names[0], names[1]


def trained_of(question: MatchQuestion) -> TrainedNetwork | None:
    """Return the learned values that the players need, if any; RequestError where there are none."""
    if "values" not in question.players:
        return None
    from analysis.learned_values import decoded_for
    from analysis.ophidian.learned import FACTS, from_file

    if question.values is None:
        return from_file(None, question.rules)
    return decoded_for(question.values, "this file", FACTS, question.rules.sha256)


def play(task: Task, stop: Callable[[], bool] | None = None) -> Played:
    """Play the deals of a task; runs in a worker. Whatever goes wrong is handed back, not raised."""
    try:
        return _play(task, stop)
    except Exception as error:
        return Played(task.number, error=f"{type(error).__name__}: {error}")


def _play(task: Task, stop: Callable[[], bool] | None) -> Played:
    from analysis.ophidian.players import Budget, game_of, player_named
    from engine.ophidian.reference import seat_of
    from solver.sampling.head_to_head import play_matches

    question = task.question
    game = game_of(question.rules, [seat_of(question.rules, deck) for deck in question.decks])
    budget = Budget(*question.budget)
    trained = trained_of(question)
    own, opp = (player_named(name, question.rules, game, budget, trained) for name in question.players)
    stopped = False

    def heard(done: int) -> bool:
        nonlocal stopped
        stopped = stop is not None and stop() and done < task.deals
        return stopped

    result = play_matches(
        game, own, opp, num_deals=task.deals, seed=question.seed * 1_000_003 + task.number, progress=heard
    )
    if stopped:
        return Played(task.number, stopped=True)
    return Played(task.number, result.payoffs.tolist())


def _stopped(task: Task) -> Played:
    return Played(task.number, stopped=True)


def _failed(task: Task, why: str) -> Played:
    return Played(task.number, error=why)


WORK = Work(play, _stopped, _failed)
_TERMS = "rules, players, decks, effort, seed"


def match_report(
    question: MatchQuestion,
    *,
    jobs: int = 1,
    scheduler: str | None = None,
    interrupt: Interrupt,
    keep: Path | None = None,
    note: Note = lambda phase, done, total: None,
) -> MatchReport:
    """Play a match; after an interrupt, what there was time for.

    Parameters
    ----------
    keep : file in which deals are kept once they are played, and from which earlier ones are taken.

    Raises
    ------
    RequestError
        If that file holds another match, or a task failed.
    """
    from analysis.ophidian import rules_report

    watch = Stopwatch()
    trained_of(question)
    size = 1 if "search" in question.players else DEALS_AT_ONCE
    firsts = range(0, question.deals, size)
    tasks = [Task(question, first, min(size, question.deals - first)) for first in firsts]
    kept = None if keep is None else KeptTasks(keep, "ophidian-match", question.digest, _TERMS)
    before = {number: paid for number, [paid] in kept.done.items()} if kept else {}
    done = {
        task.number: before[task.number] for task in tasks if len(before.get(task.number, ())) == task.deals
    }
    todo = [task for task in tasks if task.number not in done]
    note("deals", sum(map(len, done.values())), question.deals)
    for played in workers.here_or_on_workers(WORK, todo, jobs, scheduler, interrupt):
        if played.error:
            raise RequestError(f"deals from {played.number} on failed: {played.error}")
        if not played.stopped:
            done[played.number] = played.paid
            if kept is not None:
                kept.add(played.number, played.paid)
            note("deals", sum(map(len, done.values())), question.deals)
    deals = [[(1.0 + one) / 2 for one in pair] for number in sorted(done) for pair in done[number]]
    won, low, high = _share([mean(deal) for deal in deals])
    budget = f"{question.budget[0]} iterations" if question.budget[1] is None else f"{question.budget[1]:g} s"
    return MatchReport(
        version=__version__,
        rules=rules_report(question.rules),
        players=list(question.players),
        decks=list(question.decks),
        budget=budget if "search" in question.players else "-",
        deals=len(deals),
        matches=2 * len(deals),
        draws=sum(one == 0.5 for deal in deals for one in deal),
        won=won,
        low=low,
        high=high,
        by_seat=[mean(deal[seat] for deal in deals) for seat in (0, 1)] if deals else [],
        confidence=CONFIDENCE,
        seed=question.seed,
        complete=len(deals) == question.deals,
        time_s=watch.work_s,
        compile_s=watch.compile_s,
    )


def _share(means: Sequence[float]) -> tuple[float | None, float | None, float | None]:
    """The mean over deals, and its interval."""
    if not means:
        return None, None, None
    middle = mean(means)
    # As if one more deal had been won by each: few deals, all alike, are no certainty.
    width = quantile() * stdev([*means, 0.0, 1.0]) / len(means) ** 0.5
    return middle, max(0.0, middle - width), min(1.0, middle + width)
