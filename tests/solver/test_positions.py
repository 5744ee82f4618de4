"""Positions in mid-play and fixed frequencies: against brute force, the whole game, and linear programs."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cache

import numpy as np
import pytest
from _pytest.mark import ParameterSet
from numpy.typing import NDArray

from engine.ragers.day import DayTables, day_tables
from engine.ragers.day_effects import NOTHING
from engine.ragers.reference import Phase
from engine.ragers.rules import TYPES
from solver.extensive import build_game, uniform_strategy
from solver.hidden_hands import Left, LockedFrequency, Position, Progress, Settings, solve, solve_position
from solver.hidden_hands.course import SURPRISE, Course
from solver.hidden_hands.problem import blueprint, build_problem
from solver.hidden_hands.spaces import HIDE
from solver.hidden_hands.training import Trainer, tree_trainer
from solver.sequence_form import solve_sequence_form
from tests.oracles.games import ASYMMETRIC, SYMMETRIC, TinyGame
from tests.oracles.habit_day import HabitDay
from tests.oracles.public_histories import HIDDEN, History, PublicPoint, Strategies, public_points
from tests.solver.merged_days import certificate_of

pytestmark = pytest.mark.kernels


GAMES = {game.name: game for game in (*SYMMETRIC, *ASYMMETRIC)}


#: Placements, copies, Veterans on one side and on both, hidden cards (also before Veterans go on), short and
#: empty decks.
WALKED = (
    *("uneven-attacks", "cheater-against-chancer", "veterans", "deadeyes", "four-steps", "empty-decks"),
    "deadeyes-at-once",
)


QUICK = ("veterans", "deadeyes", "empty-decks", "deadeyes-at-once", "seen-deck-of-two")


def walked(*names: str) -> list[ParameterSet]:
    """Names of games as parameters, those beyond `QUICK` for the slow tests."""
    return [pytest.param(name, marks=[] if name in QUICK else [pytest.mark.slow]) for name in names]


def tables(game: TinyGame) -> DayTables:
    return day_tables(game.rules(), game.patron, game.cheers)


@cache
def points_of(name: str, *, optimal: bool) -> dict[History, PublicPoint]:
    """The public points of a game when both play an equilibrium (by linear programming), or uniformly."""
    game = GAMES[name]
    return public_points(game, strategies(game, optimal=optimal))


def strategies(game: TinyGame, *, optimal: bool) -> tuple[Strategies, Strategies]:
    """By player and infoset."""
    tree = game.tree()
    mix = solve_sequence_form(tree).strategy if optimal else uniform_strategy(tree)
    both: tuple[dict[Hashable, dict[Hashable, float]], ...] = ({}, {})
    for infoset, key in enumerate(tree.infoset_keys):
        slots = range(tree.first_slot[infoset], tree.first_slot[infoset + 1])
        both[tree.infoset_player[infoset]][key] = {tree.slot_labels[q]: float(mix[q]) for q in slots}
    return both[0], both[1]


def mixes_at(course: Course, position: Position, point: PublicPoint) -> tuple[NDArray[np.float64], ...]:
    """How both players play a point, pair by pair; uniformly with hands that do not come there."""
    mixes = []
    for p in range(2):
        if not (position.start.acts >> p) & 1:
            mixes.append(np.zeros(0))
            continue
        held, hidden = course.states(position.start, p)
        mix = course.uniform(position.start, p)
        for j, (state, card, _) in enumerate(zip(*course.pairs(position.start, p), strict=True)):
            private = (tuple(held[state].tolist()), tuple(hidden[state].tolist()))
            reach = point.reach[p].get(private, 0.0)
            if reach > 0.0:
                mix[j] = point.plays[p].get((private, NOTHING if card < 0 else int(card)), 0.0) / reach
        mixes.append(mix)
    return tuple(mixes)


def options_of(course: Course, position: Position, seen: tuple[int, ...]) -> tuple[int, int]:
    options = []
    for p, shown in enumerate(seen):
        option: int | None = 0
        if (position.start.acts >> p) & 1:
            if position.start.kind == HIDE:
                option = 0 if shown == HIDDEN else 1
            else:
                option = course.option(position.start, -1 if shown == NOTHING else shown)
        assert option is not None
        options.append(option)
    return options[0], options[1]


def positions_of(game: TinyGame, points: dict[History, PublicPoint]) -> dict[History, Position]:
    """All positions of a day by Bayes' rule along the course of play."""
    course = Course(tables(game))
    found = {(): course.begin(exchange=game.preparation == "seen")}
    for history in sorted(points, key=len):
        before = found.get(history[:-1])
        if not history or before is None:
            continue
        point = points[history[:-1]]
        options = options_of(course, before, history[-1][1])
        after, seen = course.play(before, options, mixes_at(course, before, point))
        if after is None or any(how and how.trembled for how in seen):
            continue
        # The reference does not ask who holds nothing; the course of play takes its "nothing" for an answer.
        if after.start.acts == points[history].acts:
            found[history] = after
    return found


@pytest.mark.parametrize("name", walked(*WALKED, "uneven-seen", "seen-deck-of-two"))
@pytest.mark.parametrize("optimal", [True, False], ids=["equilibrium", "uniform"])
def test_ranges_are_what_counting_every_deal_gives(name: str, optimal: bool) -> None:
    game = GAMES[name]
    points = points_of(name, optimal=optimal)
    course = Course(tables(game))
    positions = positions_of(game, points)
    assert len(positions) > 1
    for history, position in positions.items():
        point = points[history]
        # A step with chains or hidden items still to come has begun, but is not finished.
        begun = sum(phase == "PLACE" for phase, _ in history)
        assert position.start.step == begun - (point.phase in (Phase.VETERAN, Phase.DEADEYE))
        for p in range(2):
            held, hidden = course.states(position.start, p)
            counted = {
                (tuple(h.tolist()), tuple(x.tolist())): share
                for h, x, share in zip(held, hidden, position.ranges[p], strict=True)
                if share > 1e-12
            }
            expected = {private: mass / point.mass for private, mass in point.reach[p].items() if mass > 0.0}
            assert counted == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("name", walked(*WALKED))
def test_the_rest_is_worth_what_it_is_worth_in_the_whole(name: str) -> None:
    """In equilibrium, what play is worth from a point on is the value of the game that begins there.

    By linear programming on the whole tree; the positions' certificates must bracket it.
    """
    game = GAMES[name]
    points = points_of(name, optimal=True)
    course = Course(tables(game))
    settings = Settings(iterations=80, threads=1)
    checked = set()
    for history, position in positions_of(game, points).items():
        point = points[history]
        kind = (position.start.kind, position.start.acts, position.start.step)
        # The linear program is exact to 1e-9 or so: rarely reached points carry its rounding.
        if point.mass < 1e-4 or kind in checked:
            continue
        checked.add(kind)
        solution = solve_position(course, position, settings)
        mine, theirs = solution.best_response_values
        assert -theirs - 1e-4 <= point.value / point.mass <= mine + 1e-4, history
        assert solution.nash_conv < 0.3
        for p in range(2):
            _check_decision(course, position, p, solution.mixes[p], solution.values[p])
            assert (
                solution.best_response_values[p]
                == pytest.approx(_best_reply(course, position, p, solution.values[p]), abs=1e-5)
                or not (position.start.acts >> p) & 1
            )
    assert checked


def _check_decision(
    course: Course, position: Position, player: int, mix: NDArray[np.float64], values: NDArray[np.float64]
) -> None:
    if not (position.start.acts >> player) & 1:
        assert mix.size == values.size == 0
        return
    states, _, _ = course.pairs(position.start, player)
    assert mix.shape == values.shape == states.shape
    sums = np.bincount(states, weights=mix)
    assert sums[np.bincount(states) > 0] == pytest.approx(1.0, abs=1e-5)


def _best_reply(course: Course, position: Position, player: int, values: NDArray[np.float64]) -> float:
    """What a player gets on average if every state takes its best pair."""
    if not values.size:
        return 0.0
    states, _, _ = course.pairs(position.start, player)
    best = np.full(position.ranges[player].size, -np.inf)
    np.maximum.at(best, states, values)
    reached = position.ranges[player] > 0.0
    return float(position.ranges[player][reached] @ best[reached])


@pytest.mark.parametrize(
    "name", ["uneven-attacks", "stoppers", "uneven-seen", "attacks-seen", "seen-deck-of-one"]
)
def test_the_start_with_fresh_ranges_is_the_whole_day(name: str) -> None:
    """The same numbers, not just the same value, if the whole day is solved without its mirror symmetry."""
    game = GAMES[name]
    course = Course(tables(game))
    solution = solve_position(
        course, course.begin(exchange=game.preparation == "seen"), Settings(iterations=40, threads=1)
    )
    plan = blueprint(course.game, game.preparation, use_symmetry=False)
    whole = tree_trainer(plan, build_problem(plan), 1)
    for _ in range(40):
        whole.iterate()
    certificate = certificate_of(whole)
    assert solution.best_response_values == pytest.approx(certificate.best_response_values, abs=1e-12)
    mine, theirs = solution.best_response_values
    assert -theirs - 1e-6 <= game.value <= mine + 1e-6
    for p in range(2):
        states, _, options = course.pairs(course.begin(exchange=game.preparation == "seen").start, p)
        opening = whole.root_average[p] / whole.root_average[p].sum(axis=1, keepdims=True)
        assert solution.mixes[p] == pytest.approx(opening[states, options], abs=1e-6)
        assert solution.values[p] == pytest.approx(certificate.opening_values[p], abs=1e-12)


def test_who_leaves_gets_what_the_latest_check_has_proved() -> None:
    course = Course(tables(GAMES["stoppers"]))
    position, proved = course.begin(), []

    def tell(progress: Progress) -> None:
        if progress.nash_conv is not None and progress.phase == "solve":
            proved.append(progress.nash_conv)

    settings = Settings(target=1e-9, iterations=500, threads=1)
    solution = solve_position(course, position, settings, tell, leave=lambda: len(proved) > 0)
    assert solution.nash_conv == proved[0]
    assert solution.iterations < 500
    assert not solution.converged
    for p in range(2):
        _check_decision(course, position, p, solution.mixes[p], solution.values[p])
        assert solution.best_response_values[p] == pytest.approx(
            _best_reply(course, position, p, solution.values[p]), abs=1e-5
        )
    with pytest.raises(Left):
        solve_position(course, position, settings, leave=lambda: True)


def test_a_surprise_is_read_with_a_tremble() -> None:
    """What the strategy never does leaves a range all the same: as though play had been uniform."""
    course = Course(tables(GAMES["uneven-attacks"]))
    begin = course.begin()
    mixes = []
    for p in range(2):
        states, _, options = course.pairs(begin.start, p)
        first = np.full(begin.ranges[p].size, 99)
        np.minimum.at(first, states, options)
        mixes.append((options == first[states]).astype(float))  # everybody places its first type
    last = course.option(begin.start, 2)
    assert last is not None
    after, (own, opp) = course.play(begin, (last, 0), (mixes[0], mixes[1]))
    assert after is not None
    assert own is not None
    assert opp is not None
    assert own.trembled is (own.probability < SURPRISE)
    assert own.trembled
    assert not opp.trembled
    uniform, _ = course.play(begin, (last, 0), (course.uniform(begin.start, 0), mixes[1]))
    assert uniform is not None
    assert after.ranges[0] == pytest.approx(uniform.ranges[0], abs=1e-12)
    assert after.ranges[0].sum() == pytest.approx(1.0)


def lock(player: int, step: int, name: str, frequency: float) -> LockedFrequency:
    return LockedFrequency(player, step, TYPES.index(name), frequency)


def trained(game: TinyGame, locked: tuple[LockedFrequency, ...], iterations: int) -> Trainer:
    tables = day_tables(game.rules(), game.patron, game.cheers)
    plan = blueprint(tables, game.preparation, locked=locked)
    trainer = tree_trainer(plan, build_problem(plan), 1, game.preparation == "redraw")
    for _ in range(iterations):
        trainer.iterate()
    return trainer


@pytest.mark.parametrize(
    ("name", "locked"),
    [
        ("four-steps", (lock(0, 0, "veteran", 0.0),)),
        ("four-steps", (lock(0, 0, "basher", 0.25), lock(1, 1, "prodder", 1.0))),
        ("stopper-protects", (lock(0, 0, "stopper", 0.5), lock(1, 0, "cheater", 0.0))),
        ("deadeyes", (lock(1, 0, "deadeye", 0.0), lock(0, 0, "deadeye", 0.75))),
        ("redraw-short-decks", (lock(0, 0, "basher", 0.0), lock(1, 0, "prodder", 0.5))),
    ],
)
def test_value_of_a_day_with_locked_frequencies(name: str, locked: tuple[LockedFrequency, ...]) -> None:
    """The certificate brackets the linear program's value and closes in on it."""
    game = GAMES[name]
    value = solve_sequence_form(build_game(HabitDay(game.source(), locked))).value
    certificate = certificate_of(trained(game, locked, 300))
    mine, theirs = certificate.best_response_values
    assert -theirs - certificate.slack - 1e-6 <= value <= mine + certificate.slack + 1e-6
    assert certificate.nash_conv < 0.03


def test_locked_frequencies_are_kept() -> None:
    game = GAMES["stopper-protects"]
    bound = lock(0, 0, "stopper", 0.3)
    tables = day_tables(game.rules(), game.patron, game.cheers)
    solution = solve(tables, Settings(preparation="none", iterations=20, locked=(bound,)))
    holds = (solution.hands[:, bound.item] > 0) & (solution.hand_probability[0] > 0)
    alone = (solution.hands > 0).sum(axis=1) == 1
    assert holds.any()
    assert solution.opening[0][holds & ~alone, bound.item] == pytest.approx(0.3, abs=1e-5)
    assert (
        solution.opening[1][:, bound.item].max() > 0.3 + 1e-3 or not solution.opening[1][:, bound.item].any()
    )


def test_one_players_lock_costs_him() -> None:
    """Of two equal sides only one never opens with its best card: now the day is worth less to it."""
    game = GAMES["stopper"]
    certificate = certificate_of(trained(game, (lock(0, 0, "basher", 0.0), lock(0, 0, "stopper", 0.0)), 300))
    assert certificate.best_response_values[0] <= 1e-6
    assert certificate.best_response_values[1] >= -1e-6
