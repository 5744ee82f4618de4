"""Fixed frequencies: the solver against linear programs of the same days with a coin at every locked step."""

from __future__ import annotations

import pytest

from engine.ragers.day import day_tables
from engine.ragers.rules import TYPES
from solver.extensive import build_game
from solver.hidden_hands import LockedFrequency, Settings, solve
from solver.hidden_hands.problem import blueprint, build_problem
from solver.hidden_hands.training import Trainer, tree_trainer
from solver.sequence_form import solve_sequence_form
from tests.oracles.games import ASYMMETRIC, SYMMETRIC, TinyGame
from tests.oracles.habit_day import HabitDay
from tests.solver.merged_days import certificate_of

pytestmark = pytest.mark.kernels

GAMES = {game.name: game for game in (*SYMMETRIC, *ASYMMETRIC)}


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
