"""Which solver a game file is given to, what it answers in the file's own units, and places of mistakes."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from analysis.arena import game_files, solving
from analysis.arena.game_files import decoded, solve_bytes, solve_text
from analysis.arena.solving import METHODS, VARIANTS, Effort, _nash_conv, solve_general_sum, solve_matrix_game
from analysis.errors import MalformedFileError, RefusedError, WorkError
from solver.exact_sequence_form import TooLargeError
from solver.gambit_tokens import GambitFormatError, UnsupportedGameError


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


def test_the_gap_of_a_program_is_split_around_its_value(monkeypatch: pytest.MonkeyPatch) -> None:
    import numpy as np

    from solver import lp

    given: list[Any] = []

    class Program:
        value, gap, iterations = 0.25, 0.125, 5
        row_strategy = column_strategy = np.array([0.5, 0.5])

    def solved(standard: Any) -> Program:
        given.append(standard.tolist())
        return Program()

    monkeypatch.setattr(lp, "solve_matrix_program", solved)
    found = solve_matrix_game(fractions((10, 18), (14, 10)), Effort("lp"))
    assert given == [[[0.0, 1.0], [0.5, 0.0]]]
    assert (found.value, found.lower, found.upper, found.nash_conv) == (12.0, 11.5, 12.5, 1.0)
    assert (found.iterations, found.converged) == (5, True)
    # Where all payoffs are the same there is nothing to gain.
    same = solve_matrix_game(fractions((3, 3), (3, 3)), Effort("lp"))
    assert given[1] == [[0.0, 0.0], [0.0, 0.0]]
    assert (same.value, same.lower, same.upper, same.nash_conv) == (3.0, 3.0, 3.0, 0.0)


@pytest.mark.parametrize(
    ("method", "entries", "found"),
    [
        ("auto", 25, "exact linear program"),
        ("auto", 24, "linear program"),
        ("exact", 24, "exact linear program"),
        ("lp", 999, "linear program"),
    ],
)
def test_a_small_matrix_is_solved_exactly(
    monkeypatch: pytest.MonkeyPatch, method: str, entries: int, found: str
) -> None:
    """Of three rows and two columns, each with what holds it together: five times five entries."""
    from solver import exact_sequence_form

    monkeypatch.setattr(exact_sequence_form, "MAX_ENTRIES", entries)
    assert solve_matrix_game(fractions((0, 2), (1, 0), (0, 0)), Effort(method)).method == found


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


def test_a_program_that_fails_gives_way_to_cfr_unless_it_was_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from solver import exact_sequence_form, sequence_form, tree_cfr
    from solver.lp import LinearProgramError

    class Ended(Exception): ...

    def failing(game: Any) -> Any:
        raise LinearProgramError("it did not work")

    def iterated(game: Any, settings: Any) -> Any:
        raise Ended(settings)

    monkeypatch.setattr(exact_sequence_form, "MAX_ENTRIES", 0)
    monkeypatch.setattr(sequence_form, "solve_sequence_form", failing)
    monkeypatch.setattr(tree_cfr, "solve_tree_cfr", iterated)
    with pytest.raises(Ended) as ended:
        solve_text(BETS, "it", Effort(target=0.25))
    assert ended.value.args == (tree_cfr.TreeCfrSettings("pcfr+", 10_000, 0.25),)
    with pytest.raises(WorkError, match="it: it did not work"):
        solve_bytes(BETS.encode(), "it", Effort("lp"))


def test_what_deviating_gains_is_told_in_payoffs() -> None:
    tables = fractions((0, 4), (2, 1)), fractions((-3, 0), (7, 1))
    assert _nash_conv(tables, (0.5, 0.125)) == 0.5 * 4 + 0.125 * 10
    assert _nash_conv(tables, (0.0, 0.0)) == 0.0


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


def test_by_default_the_method_is_chosen_and_cfr_has_ten_thousand_iterations() -> None:
    effort = Effort()
    assert (effort.method, effort.variant, effort.target) == ("auto", "pcfr+", None)
    assert (effort.iterations, effort.max_nodes) == (10_000, 1_000_000)
    assert (METHODS, VARIANTS) == (("auto", "exact", "lp", "cfr"), ("pcfr+", "cfr+", "dcfr", "cfr"))


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("x", 1, 1),
        ("  x", 1, 3),
        ("\nx", 2, 1),
        ("\n\n\n  EFGH", 4, 3),
        ("\t\n NFG1 R", 2, 2),
        ("   ", 1, 4),
        ("\n\n ", 3, 2),
    ],
)
def test_what_is_no_game_is_said_at_its_first_word(text: str, line: int, column: int) -> None:
    with pytest.raises(GambitFormatError, match=f"line {line}, column {column}: a game file begins with"):
        solve_text(text, "it", Effort())


@pytest.mark.parametrize(
    ("data", "line", "column"),
    [
        (b"\xff", 1, 1),
        (b"ab\xff", 1, 3),
        (b"\n\xff", 2, 1),
        (b"one\ntwo\nth\xff", 3, 3),
        ("one\nßß".encode() + b"\xe9x", 2, 3),
        (b"\n\n\n  \xe9\n", 4, 3),
    ],
)
def test_bytes_that_are_no_text_are_said_at_their_place(data: bytes, line: int, column: int) -> None:
    with pytest.raises(GambitFormatError, match=f"line {line}, column {column}: these bytes are no UTF-8"):
        decoded(data)
    with pytest.raises(MalformedFileError, match=f"mine: line {line}, column {column}"):
        solve_bytes(data, "mine", Effort())


def test_line_ends_are_all_the_same() -> None:
    assert decoded(b"\xef\xbb\xbfa\r\nb\rc\n\r\n") == "a\nb\nc\n\n"


@pytest.mark.parametrize("form", ["nfg", "efg"])
def test_payoffs_as_large_as_a_float_are_solved_and_larger_ones_refused(form: str) -> None:
    def found(payoff: str) -> Any:
        text = {
            "nfg": f'NFG 1 R "" {{ "A" "B" }} {{ 1 1 }} {payoff} -{payoff}',
            "efg": f'EFG 2 R "" {{ "A" "B" }} t "" 1 "" {{ {payoff} -{payoff} }}',
        }[form]
        return solve_text(text, "it", Effort())

    assert found("1e308").value == 1e308
    with pytest.raises(UnsupportedGameError, match="beyond 1e308"):
        found("1.0000000001e308")


def trust(branches: int, more: int) -> str:
    """Chance leads to games in which both choose, and both can gain; in the first there are more moves."""
    nodes = []
    for number in range(1, branches + 1):
        moves = more if number == 1 else 2
        names = " ".join(f'"{each}"' for each in range(moves))
        nodes.append(f'p "" 1 {number} "" {{ {names} }} 0')
        for move in range(moves):
            reply = f'p "" 2 {number} "" {{ "s" "k" }} 0' if not move else f'p "" 2 {number} 0'
            first = number == 1 and not move
            ends = ('1 "" { 1 1 }', '2 "" { 0 3 }') if first else ("1", "2")
            nodes.append(f'{reply} t "" {ends[0]} t "" {ends[1]}')
    text = "\n".join(nodes)
    weights = " ".join(f'"{number}" 1/{branches}' for number in range(branches))
    return f'EFG 2 R "" {{ "A" "B" }} c "" 1 "" {{ {weights} }} 0\n{text}\n'


def test_as_many_pairs_of_plans_as_allowed_are_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_files, "MAX_PLAN_PAIRS", 24)
    found = solve_text(trust(2, 3), "it", Effort())
    assert found.size == {"nodes": 18, "infosets": 4, "rows": 6, "columns": 4}
    assert found.value is None
    for method in ("lp", "cfr"):
        with pytest.raises(UnsupportedGameError, match=f"--method {method} needs that"):
            solve_text(trust(2, 3), "it", Effort(method))
    monkeypatch.setattr(game_files, "MAX_PLAN_PAIRS", 23)
    with pytest.raises(UnsupportedGameError, match="up to 23 pairs of plans, and this one has 6 times 4"):
        solve_text(trust(2, 3), "it", Effort())


def test_each_fault_of_a_file_is_one_sentence_with_its_name() -> None:
    with pytest.raises(RefusedError, match=r"mine: .*; allow more with --max-nodes"):
        solve_bytes(BETS.encode(), "mine", Effort(max_nodes=3))
    with pytest.raises(WorkError, match=r"^mine: ") as refused:
        solve_bytes(b'NFG 1 R "" { "A" "B" "C" } { 1 1 1 } 1 2 3', "mine", Effort())
    assert getattr(refused.value, "said", "") == "Not solved"
