"""Which solver a game file is given to, what it answers in the file's own units, and places of mistakes."""

from __future__ import annotations

from fractions import Fraction

import pytest

from analysis.arena import solving
from analysis.arena.game_files import solve_text
from analysis.arena.solving import Effort, solve_general_sum, solve_matrix_game
from solver.exact_sequence_form import TooLargeError


def fractions(*rows: tuple[float | str, ...]) -> list[list[Fraction]]:
    return [[Fraction(each) for each in row] for row in rows]


#: The first plays a third of the first row, the second two thirds of the first column: 2 / 3 of a range.
UNEVEN = fractions((0, 2), (1, 0))


@pytest.mark.parametrize(("scale", "shift"), [(1, 0), (1, 10), (1000, -7), (Fraction(1, 1000), 3)])
def test_a_program_answers_in_the_units_of_the_file(scale: Fraction, shift: int) -> None:
    payoffs = [[scale * each + shift for each in row] for row in UNEVEN]
    found = solve_matrix_game(payoffs, Effort("lp"))
    value = float(Fraction(2, 3) * scale + shift)
    size = float(2 * scale)
    assert found.method == "linear program"
    assert not found.exact
    assert float(found.value) == pytest.approx(value, abs=1e-8 * size)
    assert [float(each) for each in found.strategy] == pytest.approx([1 / 3, 2 / 3, 2 / 3, 1 / 3], abs=1e-8)
    assert found.lower <= found.value <= found.upper
    assert float(found.upper) - float(found.lower) <= 1e-8 * size
    assert 0 <= found.nash_conv <= 1e-8 * size
    exact = solve_matrix_game(payoffs, Effort())
    assert (exact.value, exact.lower, exact.upper, exact.exact) == (
        Fraction(2, 3) * scale + shift,
        exact.value,
        exact.value,
        True,
    )


BETS = """EFG 2 R "" { "A" "B" }
p "" 1 1 "" { "l" "r" "m" } 0
p "" 2 1 "" { "l" "r" } 0 t "" 1 "" { 0 0 } t "" 2 "" { 2 -2 }
p "" 2 1 0 t "" 3 "" { 1 -1 } t "" 4 "" { 0 0 }
p "" 2 1 0 t "" 5 "" { 0 0 } t "" 6 "" { 0 0 }
"""


@pytest.mark.parametrize(
    ("method", "sequences", "entries", "found"),
    [
        ("auto", 4, 999, "exact linear program"),
        ("auto", 4, 0, "linear program"),
        ("auto", 3, 0, "PCFR+"),
        ("lp", 3, 0, "linear program"),
        ("cfr", 9, 999, "PCFR+"),
        ("exact", 0, 0, "exact linear program"),
    ],
)
@pytest.mark.kernels
def test_a_tree_goes_to_the_first_method_that_it_is_small_enough_for(
    monkeypatch: pytest.MonkeyPatch, method: str, sequences: int, entries: int, found: str
) -> None:
    """One player has three moves, and so four sequences with the empty one."""
    from solver import exact_sequence_form

    monkeypatch.setattr(exact_sequence_form, "MAX_ENTRIES", entries)
    monkeypatch.setattr(solving, "MAX_PROGRAM_SEQUENCES", sequences - 1)
    answer = solve_text(BETS, "it", Effort(method, iterations=300))
    assert answer.method == found
    assert answer.value == pytest.approx(2 / 3, abs=0.05)
    assert answer.lower is not None
    assert answer.upper is not None
    assert answer.value is not None
    assert answer.lower - 1e-9 <= answer.value <= answer.upper + 1e-9
    assert answer.nash_conv == pytest.approx(answer.upper - answer.lower, abs=1e-9)


def test_all_equilibria_are_listed_up_to_a_number_of_strategies(monkeypatch: pytest.MonkeyPatch) -> None:
    from solver import extreme_equilibria

    # Both want to meet, at one place or the other.
    tables = fractions((3, 0), (0, 2)), fractions((2, 0), (0, 3))
    monkeypatch.setattr(extreme_equilibria, "MAX_ACTIONS", 4)
    found, method, complete = solve_general_sum(tables, False)
    assert (method, complete) == ("extreme equilibria", True)
    assert {each.payoffs for each in found} == {(3, 2), (2, 3), (Fraction(6, 5), Fraction(6, 5))}
    monkeypatch.setattr(extreme_equilibria, "MAX_ACTIONS", 3)
    candidates, method, complete = solve_general_sum(tables, False)
    assert (method, complete) == ("verified candidates", False)
    payoffs = {tuple(round(float(payoff), 6) for payoff in each.payoffs) for each in candidates}
    assert payoffs <= {(3.0, 2.0), (2.0, 3.0), (1.2, 1.2)}
    assert payoffs
    with pytest.raises(TooLargeError, match="have 4 strategies together; all are found up to 3"):
        solve_general_sum(tables, True)
