"""Zero-sum matrix games: the kernel against HiGHS and nashpy on random, integer and degenerate games."""

from __future__ import annotations

from fractions import Fraction

import nashpy
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from solver.lp import solve_matrix_program
from solver.matrix.zero_sum import MatrixBatchSolution, duality_gap, solve_matrices, solve_matrix

FloatArray = npt.NDArray[np.float64]

SHAPES = [(1, 1), (1, 6), (6, 1), (2, 2), (2, 7), (3, 3), (7, 2), (5, 9), (8, 8), (20, 13)]
FAMILIES = [
    "real",
    "integer",
    "binary",
    "mostly-zero",
    "duplicates",
    "constant",
    "low-rank",
    "offset",
    "tiny",
    "skew",
]


def family(name: str, num_games: int, num_rows: int, num_columns: int) -> FloatArray:
    """Return games [K, M, N] of a kind, the same every time."""
    generator = np.random.default_rng(sum(map(ord, name)) + 1000 * num_rows + num_columns)
    shape = (num_games, num_rows, num_columns)
    if name == "integer":
        return generator.integers(-3, 4, shape).astype(np.float64)
    if name == "binary":
        return generator.integers(0, 2, shape).astype(np.float64)
    if name == "mostly-zero":
        return np.where(generator.random(shape) < 0.2, generator.integers(-2, 3, shape), 0).astype(np.float64)
    if name == "duplicates":
        games = generator.integers(-3, 4, shape).astype(np.float64)
        games = games[:, generator.integers(0, num_rows, num_rows)]
        return np.ascontiguousarray(games[:, :, generator.integers(0, num_columns, num_columns)])
    if name == "constant":
        return np.broadcast_to(generator.normal(size=(num_games, 1, 1)), shape).copy()
    if name == "skew":
        size = max(num_rows, num_columns)
        square = generator.integers(-2, 3, (num_games, size, size)).astype(np.float64)
        return square - square.transpose(0, 2, 1)
    real = generator.normal(size=shape)
    if name == "low-rank":
        return real[:, :, :1] * real[:, :1, :]
    if name == "offset":
        return 1e6 + real
    return 1e-9 * real if name == "tiny" else real


def payoff_ranges(games: FloatArray) -> FloatArray:
    return np.asarray(games.max(axis=(1, 2)) - games.min(axis=(1, 2)))


def assert_certified(games: FloatArray, batch: MatrixBatchSolution) -> None:
    """Check strategies and gaps with plain numpy, independent of the kernel's own measurement."""
    assert batch.converged.all()
    for strategies in (batch.row_strategies, batch.column_strategies):
        assert strategies.min() >= 0.0
        np.testing.assert_allclose(strategies.sum(axis=1), 1.0, atol=1e-12)
    best = np.einsum("kmn,kn->km", games, batch.column_strategies).max(axis=1)
    worst = np.einsum("kmn,km->kn", games, batch.row_strategies).min(axis=1)
    scale = payoff_ranges(games)
    rounding = 1e-14 * np.abs(games).max(axis=(1, 2))
    assert np.all(best - worst <= 1e-9 * scale + rounding)
    np.testing.assert_array_less(np.abs(best - worst - batch.gaps), 1e-12 * scale + rounding + 1e-300)
    assert np.all(batch.values <= best + rounding)
    assert np.all(batch.values >= worst - rounding)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("name", FAMILIES)
def test_batches_are_certified_and_agree_with_highs(name: str, shape: tuple[int, int]) -> None:
    games = family(name, 200, *shape)
    batch = solve_matrices(games)
    assert_certified(games, batch)
    for k in range(2):
        program = solve_matrix_program(games[k])
        tolerance = 1e-9 * np.ptp(games[k]) + 1e-14 * np.abs(games[k]).max()
        assert abs(program.value - batch.values[k]) <= tolerance
        assert program.gap <= tolerance


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("name", FAMILIES)
def test_thousands_of_games_agree_with_highs(name: str, shape: tuple[int, int]) -> None:
    games = family(name, 20_000, *shape)
    batch = solve_matrices(games)
    assert_certified(games, batch)
    for k in range(100):
        program = solve_matrix_program(games[k])
        assert program.value == pytest.approx(
            batch.values[k], rel=1e-13, abs=1e-9 * max(float(np.ptp(games[k])), 1e-12)
        )


@pytest.mark.parametrize("name", ["real", "integer", "binary", "duplicates"])
def test_nashpy_linear_program_agrees(name: str) -> None:
    for game in family(name, 8, 4, 5):
        row, column = nashpy.Game(game).linear_program()
        assert solve_matrix(game).value == pytest.approx(float(row @ game @ column), abs=1e-7)


@settings(max_examples=200, deadline=None)
@given(
    game=hnp.arrays(
        np.float64,
        hnp.array_shapes(min_dims=2, max_dims=2, max_side=6),
        elements=st.one_of(st.integers(-3, 3).map(float), st.floats(-1e3, 1e3)),
    )
)
def test_any_small_game_is_certified(game: FloatArray) -> None:
    solution = solve_matrix(game)
    assert solution.converged
    assert duality_gap(game, solution.row_strategy, solution.column_strategy) <= 1e-9 * np.ptp(game) + 1e-12
    # The opponent's view of the same game: payoffs negated, roles exchanged.
    mirrored = solve_matrix(-game.T)
    assert mirrored.value == pytest.approx(-solution.value, abs=1e-9 * float(np.ptp(game)) + 1e-12)


@settings(max_examples=100, deadline=None)
@given(entries=st.tuples(*[st.integers(-20, 20)] * 4))
def test_two_by_two_games_have_their_exact_value(entries: tuple[int, int, int, int]) -> None:
    a, b, c, d = entries
    security, threat = max(min(a, b), min(c, d)), min(max(a, c), max(b, d))
    # The textbook formula where there is no pure equilibrium.
    exact = Fraction(security) if security == threat else Fraction(a * d - b * c, a + d - b - c)
    assert solve_matrix([[a, b], [c, d]]).value == pytest.approx(float(exact), abs=1e-12)


def test_pure_equilibria_are_exact() -> None:
    solution = solve_matrix([[0.1, 0.7], [-3.0, 0.2]])
    assert solution.value == 0.1
    assert solution.gap == 0.0
    assert solution.iterations == 0


def test_rock_paper_scissors_and_its_unfair_cousin() -> None:
    assert solve_matrix([[0, -1, 1], [1, 0, -1], [-1, 1, 0]]).value == pytest.approx(0.0, abs=1e-15)
    # Rock wins double: the symmetric game stays fair, the mix is unique.
    unfair = solve_matrix([[0, -1, 2], [1, 0, -1], [-2, 1, 0]])
    assert unfair.value == pytest.approx(0.0, abs=1e-15)
    np.testing.assert_allclose(unfair.row_strategy, [0.25, 0.5, 0.25], atol=1e-12)


def test_payoffs_over_many_magnitudes_are_still_certified() -> None:
    generator = np.random.default_rng(5)
    shape = (2000, 8, 8)
    games = generator.normal(size=shape) * 10.0 ** generator.integers(-5, 6, shape)
    assert_certified(games, solve_matrices(games))


def test_a_large_game_goes_to_highs() -> None:
    game = np.random.default_rng(0).normal(size=(3, 90_000))
    solution = solve_matrix(game)
    assert solution.method == "highs"
    assert solution.converged
    assert solution.gap <= 1e-9 * np.ptp(game)


def test_an_unreachable_tolerance_is_reported() -> None:
    game = np.random.default_rng(0).normal(size=(9, 9))
    assert not solve_matrix(game, tolerance=-1.0).converged
    assert not solve_matrices(game[np.newaxis], tolerance=-1.0).converged.any()


def test_an_empty_batch() -> None:
    assert solve_matrices(np.zeros((0, 3, 2))).row_strategies.shape == (0, 3)


@pytest.mark.parametrize(
    "payoffs", [[], [[]], [1.0, 2.0], [[np.nan]], [[np.inf, 0.0]], [[1e200]], np.zeros((2, 2, 2))]
)
def test_malformed_payoffs_are_refused(payoffs: object) -> None:
    with pytest.raises(ValueError, match="payoffs must"):
        solve_matrix(payoffs)  # type: ignore[arg-type]


def test_pivots_begin_in_the_column_that_pays_least() -> None:
    """All reduced costs are equal at first; in the first column it would be 7.0 pivots a game, not 5.7."""
    games = np.random.default_rng(1).normal(size=(500, 8, 8))
    assert solve_matrices(games).iterations.mean() < 6.0
