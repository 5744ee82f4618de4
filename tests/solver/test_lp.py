"""Zero-sum matrix games by HiGHS: what the strategies guarantee, exact small values, nashpy's program."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from solver.lp import FloatArray, solve_matrix_program


@settings(max_examples=100, deadline=None)
@given(
    game=hnp.arrays(
        np.float64,
        hnp.array_shapes(min_dims=2, max_dims=2, max_side=6),
        elements=st.one_of(st.integers(-3, 3).map(float), st.floats(-1e3, 1e3)),
    )
)
def test_any_small_game_is_certified_from_both_sides(game: FloatArray) -> None:
    solution = solve_matrix_program(game)
    slack = 1e-9 * float(np.ptp(game)) + 1e-12
    best = float(np.max(game @ solution.column_strategy))
    worst = float(np.min(solution.row_strategy @ game))
    assert best - worst <= slack
    assert solution.gap == pytest.approx(best - worst, abs=slack)
    assert worst - slack <= solution.value <= best + slack
    # The opponent's view of the same game: payoffs negated, roles exchanged.
    assert solve_matrix_program(-game.T).value == pytest.approx(-solution.value, abs=slack)


@settings(max_examples=50, deadline=None)
@given(entries=st.tuples(*[st.integers(-20, 20)] * 4))
def test_two_by_two_games_have_their_exact_value(entries: tuple[int, int, int, int]) -> None:
    a, b, c, d = entries
    security, threat = max(min(a, b), min(c, d)), min(max(a, c), max(b, d))
    # The textbook formula where there is no pure equilibrium.
    exact = Fraction(security) if security == threat else Fraction(a * d - b * c, a + d - b - c)
    game = np.array([[a, b], [c, d]], dtype=np.float64)
    assert solve_matrix_program(game).value == pytest.approx(float(exact), abs=1e-9)
