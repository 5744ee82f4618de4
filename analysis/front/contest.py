"""Players who meet: deals cut into tasks, played here or on workers, kept, and added up.

Each deal is played once in every rotation: in rotation r player (seat + r) mod players sits in each seat, and
chance is the same, so what luck a deal brings to a seat is shared. A deal is one observation.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from statistics import fmean
from time import monotonic
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from analysis.errors import RequestError
from analysis.estimates import estimate
from analysis.front.bundles import Kept, Work
from analysis.front.players import Player
from analysis.front.question import Running, imported
from analysis.front.store import KeptDeals
from analysis.symmetry import plays_itself
from engine.protocol import CHANCE, OVER, Reference

if TYPE_CHECKING:
    from analysis.kept_tasks import KeptTasks

__all__ = [
    "Contest",
    "Deals",
    "Heard",
    "Policy",
    "ReferenceContest",
    "depends_on",
    "play_deals",
    "play_setups",
    "wins",
]

KEPT = 4
"""Part of the header of kept files: raised when they change their meaning."""
_TOLD_S = 0.5
"""Seconds between two times that it is told how exact a match is by now."""
Stop = Callable[[], bool]


_PLAYS, _LEVEL, _LEADER_WON, _AHEAD = range(4)
"""Places in the numbers of `Deals.leads`."""


class Deals(msgspec.Struct, kw_only=True):
    """What some deals came to.

    Attributes
    ----------
    won : by deal, rotation and player: what this player won, 1 for a win and draws shared, or a payoff.
    draws : plays that several won.
    lengths : how many plays were so long.
    tallies : by group and name, plays and what the first player won in them.
    leads : by turn or round that is over: plays that went on, those in which several were level, what whoever
        was ahead won in the others; then, by player, plays in which it was ahead.
    overtaken : how often, over all plays, somebody came to be ahead where another one had been.
    """

    won: list[list[list[float]]] = []
    draws: int = 0
    lengths: dict[int, int] = {}
    tallies: dict[str, dict[str, tuple[int, float]]] = {}
    leads: dict[int, list[float]] = {}
    overtaken: int = 0

    def took(self, length: int) -> None:
        """Count how long a play was."""
        self.lengths[length] = self.lengths.get(length, 0) + 1

    def tally(self, group: str, name: str, won: float, plays: int = 1) -> None:
        """Count plays that have something in common, and what was won in all of them."""
        names = self.tallies.setdefault(group, {})
        number, before = names.get(name, (0, 0.0))
        names[name] = number + plays, before + won

    def count(self, length: int, ending: str, won: float) -> None:
        """Count how long a play was, how it ended, and what the first player won in it."""
        self.took(length)
        self.tally("ending", ending, won)

    def led(self, scores: Mapping[int, Sequence[float]], won: Sequence[float]) -> None:
        """Count who was ahead whenever a turn or round of a play was over, and what it won in the end.

        ``scores`` : by turn or round; they and what was won are by player.
        """
        leader = -1
        for time, score in sorted(scores.items()):
            ahead = [player for player, points in enumerate(score) if points == max(score)]
            total = self.leads.setdefault(time, [0.0] * (_AHEAD + len(score)))
            total[_PLAYS] += 1
            if len(ahead) > 1:
                total[_LEVEL] += 1
                continue
            total[_LEADER_WON] += won[ahead[0]]
            total[_AHEAD + ahead[0]] += 1
            self.overtaken += leader not in (-1, ahead[0])
            leader = ahead[0]

    def add(self, other: Deals) -> None:
        """Take in the deals that come after these."""
        self.won = [*self.won, *other.won]
        self.draws += other.draws
        self.overtaken += other.overtaken
        self.lengths = dict(self.lengths)
        for length, number in other.lengths.items():
            self.lengths[length] = self.lengths.get(length, 0) + number
        self.tallies = {group: dict(names) for group, names in self.tallies.items()}
        for group, names in other.tallies.items():
            self.tallies.setdefault(group, {})
            for name, (number, points) in names.items():
                self.tally(group, name, points, number)
        self.leads = dict(self.leads)
        for time, numbers in other.leads.items():
            known = self.leads.get(time, [0.0] * len(numbers))
            self.leads[time] = [one + more for one, more in zip(known, numbers, strict=True)]


class Contest(Protocol):
    """Players who can meet by some rules.

    Attributes
    ----------
    deals_at_once : deals of one task: some tenths of a second, one where a deal takes longer.
    depends_on : what results depend on beside rules, set-up, players as they are written, and seed: such as a
        hash of learned values, as a file's name says nothing of what is in it. Empty if there is nothing.
    """

    deals_at_once: int
    depends_on: str

    def play(self, first: int, count: int, seed: int, stop: Stop | None = None) -> Deals | None:
        """Play `count` deals from number `first` on; None if it was stopped before they were finished.

        A deal depends on its number and the seed only, not on what else is played.
        """


@dataclass(frozen=True)
class _Task:
    number: int
    place: str
    rules: Any
    setup: Any
    players: tuple[Player, ...]
    first: int
    count: int
    seed: int


@dataclass(frozen=True)
class _Played:
    number: int
    deals: Deals | None = None
    error: str = ""


_contests: dict[bytes, Contest] = {}
"""Of this process: tables and kernels that the tasks of one match share."""


def _contest(task: _Task) -> Contest:
    key = msgspec.json.encode([task.place, task.rules.sha256, task.setup, task.players], enc_hook=str)
    if key not in _contests:
        _contests.clear()
        game = imported(task.place)
        _contests[key] = imported(game.contest)(task.rules, task.setup, task.players)
    return _contests[key]


def _play(task: _Task, stop: Stop | None) -> _Played:
    if stop is not None and stop():
        return _Played(task.number)
    try:
        return _Played(task.number, _contest(task).play(task.first, task.count, task.seed, stop))
    except RequestError:
        raise
    except Exception as error:
        return _Played(task.number, error=f"{type(error).__name__}: {error}")


def _stopped(task: _Task) -> _Played:
    return _Played(task.number)


def _failed(task: _Task, why: str) -> _Played:
    return _Played(task.number, error=why)


def play_deals(
    game: Any,
    rules: Any,
    setup: Any,
    players: Sequence[Player],
    deals: int,
    work: Work,
    kept: Kept,
    running: Running,
    known: dict[str, Deals] | None = None,
) -> Deals:
    """Play deals, and return what those came to that were finished, in order.

    Parameters
    ----------
    known : what deals came to that were played before; those that are played now are put there, too.

    Raises
    ------
    RequestError
        If a file of kept deals holds others, or a task failed.
    """
    [found] = play_setups(game, rules, [setup], players, deals, work, kept, running, known)
    return found


def play_setups(
    game: Any,
    rules: Any,
    setups: Sequence[Any],
    players: Sequence[Player],
    deals: int,
    work: Work,
    kept: Kept,
    running: Running,
    known: dict[str, Deals] | None = None,
) -> Iterator[Deals]:
    """Play deals with each of several setups; yield, in their order, what is finished of each.

    Raises
    ------
    RequestError
        If a file of kept deals holds others, or a task failed.
    """
    # Here, since games that declare a contest need not play one.
    from analysis import workers

    working = workers.Work(_play, _stopped, _failed)
    question = _Task(0, game.place, rules, setups[0], tuple(players), 0, 0, work.seed)
    contest = _contest(question)
    size = contest.deals_at_once
    places = [(setup, first) for setup in setups for first in range(0, deals, size)]
    tasks = [
        replace(question, number=number, setup=setup, first=first, count=min(size, deals - first))
        for number, (setup, first) in enumerate(places)
    ]
    store = KeptDeals(game, rules, players, KEPT, work.seed, contest.depends_on)
    file = None if kept.keep is None else _kept(kept, game, question, setups, contest.depends_on)
    before = (known or {}) if file is None else {key: _read(found) for key, found in file.done.items()}
    done = {
        task.number: before[_key(task, setups)]
        for task in tasks
        if _key(task, setups) in before and len(before[_key(task, setups)].won) == task.count
    }
    each, next_setup = len(range(0, deals, size)), 0
    for place, setup in enumerate(setups):
        found = None if running.fresh or file is not None else store.find(setup, Deals)
        number = 0 if found is None else len(found.won)
        if found is not None and (number == deals or (number < deals and number % size == 0)):
            # As if the first task had played all of them.
            begin = place * each
            done |= {begin: found} | {begin + more: Deals() for more in range(1, len(range(0, number, size)))}
    finished = sum(len(found.won) for found in done.values())
    running.note("deals", finished, deals * len(setups))
    todo = [task for task in tasks if task.number not in done]

    def taken(place: int) -> Deals:
        total = Deals()
        for number in range(place * each, (place + 1) * each):
            total.add(done.pop(number, Deals()))
        if len(total.won) == deals:
            store.add(setups[place], total)
        return total

    told = monotonic()
    for played in workers.here_or_on_workers(working, todo, work.jobs, work.scheduler, running.interrupt):
        if played.error:
            raise RequestError(f"deals from {tasks[played.number].first} on failed: {played.error}")
        if played.deals is None:
            continue
        done[played.number] = played.deals
        key = _key(tasks[played.number], setups)
        if known is not None:
            known[key] = played.deals
        if file is not None:
            file.add(key, msgspec.to_builtins(played.deals, str_keys=True))
        finished += len(played.deals.won)
        running.note("deals", finished, deals * len(setups))
        if len(setups) == 1 and monotonic() - told > _TOLD_S:
            told = monotonic()
            running.reporter.measured(_width(done.values()))
        while next_setup < len(setups) - 1 and all(
            number in done for number in range(next_setup * each, (next_setup + 1) * each)
        ):
            # What is whole goes on, so that not all of it is held at once.
            yield taken(next_setup)
            next_setup += 1
    for place in range(next_setup, len(setups)):
        yield taken(place)


def _width(played: Iterable[Deals]) -> float:
    """Half of the interval of what the first player won in these deals."""
    first = [fmean(rotation[0] for rotation in deal) for deals in played for deal in deals.won]
    return estimate(first).width


def _read(kept: Sequence[Any]) -> Deals:
    try:
        return msgspec.convert(kept[0], Deals, str_keys=True)
    except msgspec.ValidationError as error:
        raise RequestError(f"a line of this file is none of ours: {error}", "--keep") from None


def _key(task: _Task, setups: Sequence[Any]) -> str:
    place = f"{setups.index(task.setup)}: " if len(setups) > 1 else ""
    return f"{place}{task.first}/{task.count}"


def _kept(kept: Kept, game: Any, task: _Task, setups: Sequence[Any], depends_on: str) -> KeptTasks:
    from analysis.kept_tasks import KeptTasks

    setup = setups[0] if len(setups) == 1 else setups
    asked = [KEPT, game.name, task.rules.sha256, setup, task.players, task.seed, depends_on]
    # msgspec writes each struct's fields in their order, and a player's name as its tag.
    digest = sha256(msgspec.json.encode(asked, enc_hook=str)).hexdigest()
    assert kept.keep is not None
    return KeptTasks(kept.keep, f"{game.name}-deals", digest, "rules, setup, players, seed")


# ---- players of a plain-Python reference -------------------------------------------------------------------


class Heard:
    """Told how many deals are done, it returns whether to stop; `stopped`: whether it did before the last."""

    def __init__(self, stop: Stop | None, count: int) -> None:
        self._stop, self._count, self.stopped = stop, count, False

    def __call__(self, done: int) -> bool:
        self.stopped = self._stop is not None and self._stop() and done < self._count
        return self.stopped


def depends_on(inputs: Sequence[bytes]) -> str:
    """Return a hash of the learned values of players, empty bytes for who has none; empty if nobody has."""
    return sha256(b";".join(inputs)).hexdigest() if any(inputs) else ""


def wins(payoffs: Sequence[float]) -> list[float]:
    """Return what a play with these payoffs is to each player: 1 for a win, draws shared."""
    best = max(payoffs)
    winners = sum(payoff == best for payoff in payoffs)
    return [1.0 / winners if payoff == best else 0.0 for payoff in payoffs]


class Policy(Protocol):
    """Chooses for a player; it has to use no more of the state than that player knows."""

    def __call__(self, state: Any, player: int, chance: random.Random, /) -> Any:
        """Return one of the state's legal moves."""


class ReferenceContest:
    """A contest on the plain-Python reference of a game: slow, and the same for every game that has one.

    Parameters
    ----------
    reference : the module, or anything else with its functions.
    start : () -> the state in which play begins.
    policies : of the players, in the order of the match.
    signed : whether payoffs count as they are; else who has most wins.
    length : state at the end -> the play's length; None if it is not counted.
    score : state -> what of the play is over, 0 for nothing, and the scores by seat; None if there are none.
    """

    depends_on = ""

    def __init__(
        self,
        reference: Reference,
        start: Callable[[], Any],
        policies: Sequence[Policy],
        *,
        deals_at_once: int = 50,
        signed: bool = False,
        length: Callable[[Any], int] | None = None,
        score: Callable[[Any], tuple[int, Sequence[float]]] | None = None,
    ) -> None:
        self.deals_at_once = deals_at_once
        self._reference, self._start, self._policies = reference, start, policies
        self._signed, self._length, self._score = signed, length, score
        self._alike = plays_itself(policies)

    def play(self, first: int, count: int, seed: int, stop: Stop | None = None) -> Deals | None:
        """See `Contest.play`."""
        found = Deals(won=[], lengths={}, tallies={}, leads={})
        for deal in range(first, first + count):
            rotations = []
            scores: dict[int, Sequence[float]] = {}
            for rotation in range(len(self._policies)):
                if stop is not None and stop():
                    return None
                if rotation == 0 or not self._alike:
                    scores = {}
                    end = self._played(rotation, f"{seed}/{deal}", scores)
                payoffs = self._reference.payoffs(end)
                points = list(payoffs) if self._signed else wins(payoffs)
                found.draws += sum(payoff == max(payoffs) for payoff in payoffs) > 1
                size = len(points)
                by_player = [(player - rotation) % size for player in range(size)]
                won = [points[seat] for seat in by_player]
                rotations.append(won)
                found.led({time: [score[seat] for seat in by_player] for time, score in scores.items()}, won)
                if self._length is not None:
                    length = self._length(end)
                    found.lengths[length] = found.lengths.get(length, 0) + 1
            found.won.append(rotations)
        return found

    def _played(self, rotation: int, seed: str, scores: dict[int, Sequence[float]]) -> Any:
        """Play to the end, and return its state. Modified in place: `scores` at the end of each turn."""
        reference, size = self._reference, len(self._policies)
        state, luck = self._start(), random.Random(f"{seed}/chance")
        # By the seat, not by the player: so a player against itself wins equally often by design.
        choosing = [random.Random(f"{seed}/seat {seat}") for seat in range(size)]
        while (decider := reference.decider(state)) != OVER:
            if self._score is not None:
                time, score = self._score(state)
                if time:
                    scores.setdefault(time, score)
            if decider == CHANCE:
                outcomes, weights = zip(*reference.chance_outcomes(state), strict=True)
                state = reference.step(state, luck.choices(outcomes, weights)[0])
            else:
                player = (decider + rotation) % size
                move = self._policies[player](state, decider, choosing[decider])
                state = reference.step(state, move)
        return state
