"""What momentum, a cheer, a level and each gladiator are worth: differences of proved values, averaged."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from statistics import NormalDist, mean, stdev

import msgspec

from analysis import workers
from analysis.errors import RequestError
from analysis.interrupt import Interrupt
from analysis.ophidian.reports import SCHEMA_NUMBER, RulesReport, Worth
from analysis.version import __version__
from analysis.workers import Work
from engine.ophidian.reference import Fighter, State, harmless_attack, is_over, start_wave
from engine.ophidian.rules import NUM_LEVELS, Rules

__all__ = ["WorthReport", "random_position", "worth_report"]

CONFIDENCE = 0.95
TABLE_BYTES = 1 << 26
AT_ONCE = 10
"""Positions of a task."""
Note = Callable[[str, int, int], None]
THINGS = ("momentum", "cheer", "level")


class ThingReport(msgspec.Struct, frozen=True):
    """What one thing more is worth for the side that has it.

    Attributes
    ----------
    thing : a name of a gladiator, or `momentum`, `cheer`, `level`.
    victory_points : of a gladiator, printed; else None.
    result, points : by how much the result (1 won, -1 lost) and the difference of points change, on average.
    result_error, points_error : half the interval of confidence, over positions.
    decides : in so many of the positions the result changes.
    """

    thing: str
    victory_points: int | None
    result: float
    result_error: float
    points: float
    points_error: float
    decides: int


class WorthReport(msgspec.Struct, frozen=True, kw_only=True):
    """Values of random positions, each proved to the end of the wave; averages over them are samples.

    Attributes
    ----------
    things : against the same positions without it.
    gladiators : in the place of an average one, the most valuable first.
    """

    schema: int = SCHEMA_NUMBER
    game: str = "ophidian"
    version: str
    rules: RulesReport
    size: int
    wave: int
    positions: int
    asked: int
    confidence: float
    things: list[ThingReport]
    gladiators: list[ThingReport]
    seed: int
    complete: bool
    time_s: float


@dataclass(frozen=True)
class Question:
    """Which positions: gladiators of a side, wave, how many."""

    rules: Rules
    size: int
    wave: int
    positions: int
    seed: int


@dataclass(frozen=True)
class Task:
    """Some of the positions."""

    question: Question
    first: int
    count: int


@dataclass(frozen=True)
class Valued:
    """What became of a task: changes of result and points, by position and thing, then by gladiator."""

    first: int
    things: list[list[tuple[int, int]]] = field(default_factory=list)
    gladiators: list[list[tuple[int, int]]] = field(default_factory=list)
    error: str = ""
    stopped: bool = False


def random_position(rules: Rules, rng: random.Random, size: int, wave: int) -> State:
    """Return a position at an action: random gladiators, levels, wounds, fields, some of them set."""
    starting = [number for number, rule in enumerate(rules.gladiators) if not rule.reinforcement]
    while True:
        teams = []
        for _ in range(2):
            team = []
            for gladiator in rng.sample(starting, size):
                level = rng.randrange(min(NUM_LEVELS, wave))
                wounded = rng.randrange(rules.gladiators[gladiator].life[level])
                team.append(Fighter(gladiator, level, wounded, rng.randrange(2), rng.random() < 0.2))
            teams.append(team)
        cheer = rng.randrange(5), rng.randrange(5)
        state = start_wave(rules, teams, cheer=cheer, momentum=rng.randrange(2), wave=wave)
        if not is_over(state):
            return state


def value(task: Task, stop: Callable[[], bool] | None = None) -> Valued:
    """Prove the positions of a task; runs in a worker. Whatever goes wrong is handed back, not raised."""
    try:
        return _value(task, stop)
    except Exception as error:
        return Valued(task.first, error=f"{type(error).__name__}: {error}")


def _value(task: Task, stop: Callable[[], bool] | None) -> Valued:
    question, things, gladiators = task.question, [], []
    for number in range(task.first, task.first + task.count):
        rng = random.Random(f"{question.seed}/{number}")
        state = random_position(question.rules, rng, question.size, question.wave)
        both = [_proved(_again(state, momentum=player), stop) for player in (0, 1)]
        found = [_proved(other, stop) for other in _with_one_more(state, rng)]
        own = [_proved(other, stop) for other in _with_each(state)]
        known = [each for each in (*both, *found, *own) if each is not None]
        if len(known) < len(both) + len(found) + len(own):
            return Valued(task.first, stopped=True)
        base = known[state.momentum]
        more = [_change(base, each) for each in known[2 : 2 + len(found)]]
        things.append([_change(known[1], known[0]), *more])
        gladiators.append([(each.result, each.points or 0) for each in known[2 + len(found) :]])
    return Valued(task.first, things, gladiators)


def _proved(state: State, stop: Callable[[], bool] | None) -> Worth | None:
    from analysis.ophidian.proving import Fight, end_value, worth_of
    from engine.ophidian.wave_codec import Objective

    if is_over(state):
        return worth_of(end_value(state, Objective.POINTS, state.wave), Objective.POINTS)
    fight = Fight(state, Objective.POINTS, TABLE_BYTES, stopped=stop or (lambda: False))
    bounds = fight.value(state)
    return fight.worth(bounds.low) if bounds.exact else None


def _change(before: Worth, after: Worth) -> tuple[int, int]:
    return after.result - before.result, (after.points or 0) - (before.points or 0)


def _again(
    state: State,
    *,
    team: Sequence[Fighter] | None = None,
    cheer: tuple[int, int] | None = None,
    momentum: int | None = None,
) -> State:
    """The same position with something else; it may be over with that."""
    return start_wave(
        state.rules,
        (state.teams[0] if team is None else team, state.teams[1]),
        cheer=state.cheer if cheer is None else cheer,
        momentum=state.momentum if momentum is None else momentum,
        wave=state.wave,
    )


def _with_one_more(state: State, rng: random.Random) -> Iterator[State]:
    """The position with a cheer more, and with a level more for one of player 0's gladiators."""
    yield _again(state, cheer=(state.cheer[0] + 1, state.cheer[1]))
    team = list(state.teams[0])
    rising = [index for index, each in enumerate(team) if each.level < NUM_LEVELS - 1]
    if rising:
        index = rng.choice(rising)
        team[index] = team[index]._replace(level=team[index].level + 1)
    yield _again(state, team=team)


def _with_each(state: State) -> Iterator[State]:
    """The position with each gladiator, unhurt, in the place of player 0's first one."""
    first, *others = state.teams[0]
    for number, rule in enumerate(state.rules.gladiators):
        if not rule.reinforcement:
            yield _again(state, team=(Fighter(number, first.level, 0, first.field, first.is_set), *others))


def _stopped(task: Task) -> Valued:
    return Valued(task.first, stopped=True)


def _failed(task: Task, why: str) -> Valued:
    return Valued(task.first, error=why)


WORK = Work(value, _stopped, _failed)


def worth_report(
    question: Question,
    *,
    jobs: int = 1,
    scheduler: str | None = None,
    interrupt: Interrupt,
    note: Note = lambda phase, done, total: None,
) -> WorthReport:
    """Prove random positions with and without one thing more, and with each gladiator.

    Raises
    ------
    RequestError
        For rules with which a wave might never end, and where a task failed.
    """
    from analysis.ophidian import rules_report

    rules = question.rules
    numbers = range(len(rules.gladiators))
    everybody = tuple(Fighter(number, level) for number in numbers for level in range(NUM_LEVELS))
    if harmless_attack(State(rules, (everybody, everybody))) is not None:
        raise RequestError("with these rules an attack may wound nobody, so a wave might never end (W7)")
    began = time.perf_counter()
    firsts = range(0, question.positions, AT_ONCE)
    tasks = [Task(question, first, min(AT_ONCE, question.positions - first)) for first in firsts]
    done: dict[int, Valued] = {}
    note("positions", 0, question.positions)
    for valued in _results(tasks, jobs, scheduler, interrupt):
        if valued.error:
            raise RequestError(f"positions from {valued.first} on failed: {valued.error}")
        if not valued.stopped:
            done[valued.first] = valued
            note("positions", sum(len(each.things) for each in done.values()), question.positions)
    things = [row for first in sorted(done) for row in done[first].things]
    gladiators = [row for first in sorted(done) for row in done[first].gladiators]
    starting = [rule for rule in rules.gladiators if not rule.reinforcement]
    ranked = [
        _thing(rule.name, rule.points, [_against_mean(row, place) for row in gladiators])
        for place, rule in enumerate(starting)
    ]
    return WorthReport(
        version=__version__,
        rules=rules_report(rules),
        size=question.size,
        wave=question.wave,
        positions=len(things),
        asked=question.positions,
        confidence=CONFIDENCE,
        things=[_thing(name, None, [row[place] for row in things]) for place, name in enumerate(THINGS)]
        if things
        else [],
        gladiators=sorted(ranked, key=lambda each: -each.points) if gladiators else [],
        seed=question.seed,
        complete=len(things) == question.positions,
        time_s=time.perf_counter() - began,
    )


def _against_mean(row: Sequence[tuple[int, int]], place: int) -> tuple[float, float]:
    results, points = zip(*row, strict=True)
    return results[place] - mean(results), points[place] - mean(points)


def _thing(name: str, victory_points: int | None, rows: Sequence[tuple[float, float]]) -> ThingReport:
    results, points = [row[0] for row in rows], [row[1] for row in rows]
    return ThingReport(
        thing=name,
        victory_points=victory_points,
        result=mean(results) if rows else 0.0,
        result_error=_error(results),
        points=mean(points) if rows else 0.0,
        points_error=_error(points),
        decides=sum(abs(each) >= 1 for each in results),
    )


def _error(values: Sequence[float]) -> float:
    """Half the interval of a mean."""
    if len(values) < 2:
        return float("inf")
    width: float = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2) * stdev(values) / len(values) ** 0.5
    return width


def _results(
    tasks: Sequence[Task], jobs: int, scheduler: str | None, interrupt: Interrupt
) -> Iterator[Valued]:
    if jobs == 1 and scheduler is None:
        for task in tasks:
            if interrupt():
                return
            yield value(task, interrupt)
        return
    try:
        yield from workers.on_workers(WORK, tasks, jobs, scheduler, interrupt)
    except KeyboardInterrupt:
        if not interrupt():
            raise
