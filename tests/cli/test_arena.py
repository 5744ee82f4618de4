"""`arena solve`: files of other programs, right answers, and refusals that say what is wrong and where."""

from __future__ import annotations

import contextlib
import json
import tracemalloc
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.arena.game_files import solve_text
from analysis.arena.solving import Effort
from cli.programs import program_of
from solver.extensive import MalformedGameError
from solver.gambit_tokens import GambitFormatError, UnsupportedGameError

arena = program_of("arena")

GAMES = Path(__file__).parent / "game_files"
VALUES = {
    "bets": Fraction(1, 3),
    "bets-fractions": Fraction(85, 224),
    "bets-huge": Fraction(10**18, 3),
    "bets-tiny": Fraction(1, 3 * 10**12),
    "bets-uneven": Fraction(999999999999999, 1000000000000001),
    "per-cent": Fraction(339959, 8090),
    "quotes": Fraction(1),
    "rounded-decimals": Fraction(7, 20),
}
EFFORT = Effort("auto", "pcfr+", 1000, 0.0, 100_000)


def solve(*words: str, text: str | None = None) -> Result:
    return CliRunner().invoke(arena, ["solve", *words], input=text)


def answer(*words: str, text: str | None = None) -> Any:
    result = solve(*words, "--format", "json", text=text)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


@pytest.mark.parametrize("name", VALUES)
def test_values_are_exact(name: str) -> None:
    report = answer(str(GAMES / f"{name}.efg"))
    assert report["value"] == pytest.approx(float(VALUES[name]), rel=1e-9, abs=0)
    assert Fraction(report["exact_value"]) == VALUES[name]
    assert report["nash_conv"] == 0
    assert report["method"] == "exact linear program"


@pytest.mark.parametrize("method", ["lp", "cfr"])
@pytest.mark.parametrize("name", VALUES)
def test_other_methods_are_certified(name: str, method: str) -> None:
    report = answer(str(GAMES / f"{name}.efg"), "--method", method)
    ranges = {"bets-huge": 4e18, "bets-tiny": 4e-12, "bets-uneven": 2e15, "per-cent": 72.0}
    payoff_range = ranges.get(name, 6.0)
    accepted = 1e-8 if method == "lp" else 1e-4
    assert 0 <= report["nash_conv"] <= accepted * payoff_range
    slack = 1e-15 * payoff_range
    assert report["lower"] - slack <= VALUES[name] <= report["upper"] + slack
    assert report["lower"] <= report["value"] <= report["upper"]
    assert report["exact_value"] is None
    if name in ("bets-huge", "bets-tiny") and method == "lp":
        assert report["value"] == pytest.approx(float(VALUES[name]), rel=1e-9, abs=0)


def test_equilibria_of_battle_of_the_sexes() -> None:
    report = answer(str(GAMES / "not-zero-sum.nfg"))
    found = {
        tuple(action["exact"] for infoset in equilibrium["strategies"] for action in infoset["actions"])
        for equilibrium in report["equilibria"]
    }
    assert found == {("1", "0", "1", "0"), ("0", "1", "0", "1"), ("3/5", "2/5", "2/5", "3/5")}


def test_large_games_in_strategic_form() -> None:
    """Beyond the enumeration: verified equilibria; and a constant-sum one by each method."""
    size = 9
    general = " ".join(f"{(3 * k * k) % 7} {(5 * k) % 11}" for k in range(size * size))
    report = answer("-", text=f'NFG 1 D "" {{ "A" "B" }} {{ {size} {size} }} {general}')
    assert report["method"] == "verified candidates"
    assert report["nash_conv"] <= 1e-8
    # The first player's strategies follow each other in a file.
    own = [[(3 * k * k) % 7 for k in range(row, size * size, size)] for row in range(size)]
    other = [[(5 * k) % 11 for k in range(row, size * size, size)] for row in range(size)]
    for equilibrium in report["equilibria"]:
        rows, columns = (
            [action["probability"] for action in infoset["actions"]] for infoset in equilibrium["strategies"]
        )
        by_row = [sum(p * payoff for p, payoff in zip(columns, row, strict=True)) for row in own]
        by_column = [sum(p * row[at] for p, row in zip(rows, other, strict=True)) for at in range(size)]
        assert [max(by_row), max(by_column)] == pytest.approx(equilibrium["payoffs"], abs=1e-8)
    constant = " ".join(f"{(3 * k * k) % 7}.5 {-((3 * k * k) % 7)}" for k in range(size * size))
    text = f'NFG 1 D "" {{ "A" "B" }} {{ {size} {size} }} {constant}'
    exact, program, cfr = (answer("-", "--method", method, text=text) for method in ("auto", "lp", "cfr"))
    assert exact["constant_sum"] == "1/2"
    assert program["value"] == pytest.approx(exact["value"], abs=1e-9)
    assert cfr["lower"] <= exact["value"] <= cfr["upper"]


def test_payoffs_on_the_way_add_up_and_impossible_branches_are_left_out() -> None:
    text = """EFG 2 R "On the way" { "A" "B" } "comment"
    c "" 1 "" { "never" 0 "always" 1.0 } 0
    t "" 9 "" { 100 -98 }
    p "" 1 1 "asks" { "a" "b" } 1 "fee" { -1, 3 }
    t "" 2 "won" { 5 -5 }
    p "" 2 7 { "x" "x" } 0
    t "" 3 "" { 0 0 }
    t "" 2
    """
    # The last infoset has no name; its branches have the same one.
    report = answer("-", text=text)
    assert report["value"] == 4
    assert report["constant_sum"] == "2"
    assert report["equilibria"][0]["payoffs"] == [4, -2]
    names = [action["action"] for action in report["equilibria"][0]["strategies"][1]["actions"]]
    assert names == ["1: x", "2: x"]


@pytest.mark.parametrize("shape", ["efg", "nfg"])
@pytest.mark.parametrize(("size", "off"), [(1, 1e-16), (1, 2e-10), (1000, 1e-7)])
def test_sums_that_vary_by_rounding_are_constant_and_how_far_is_said(
    shape: str, size: int, off: float
) -> None:
    """Matching pennies, the loser of one end being paid a little more than is lost there."""
    win, lose, more = f"{size} -{size}", f"-{size} {size}", f"{size} {off - size:.12g}"
    if off < 1e-12:
        more = f"{size} -.{'9' * 16}"
    text = f'NFG 1 R "" {{ "A" "B" }} {{ 2 2 }} {win} {lose} {lose} {more}'
    if shape == "efg":
        second = 'p "" 2 1 "" { "x" "y" } 0 '
        ends = f't "" 1 "" {{ {win} }} t "" 2 "" {{ {lose} }}', f't "" 2 t "" 3 "" {{ {more} }}'
        text = f'EFG 2 R "" {{ "A" "B" }} p "" 1 1 "" {{ "x" "y" }} 0 {second}{ends[0]} {second}{ends[1]}'
    report = answer("-", text=text)
    assert (report["exact_value"], report["constant_sum"]) == ("0", "0")
    assert report["sum_deviation"] == pytest.approx(off, rel=1e-6)
    assert report["equilibria"][0]["exact_payoffs"] is None
    assert "but for rounding" in solve("-", text=text).stdout
    beyond = answer("-", text=text.replace(more, f"{size} {-0.999 * size}"))
    assert beyond["constant_sum"] is beyond["sum_deviation"] is None


def test_a_tree_where_both_can_gain_is_solved_by_its_plans() -> None:
    report = answer(str(GAMES / "both-gain.efg"))
    assert report["all_listed"]
    assert report["size"] == {"nodes": 5, "infosets": 2, "rows": 2, "columns": 2}
    shares = []
    for equilibrium in report["equilibria"]:
        assert equilibrium["exact_payoffs"] == ["0", "1"]
        first, second = equilibrium["strategies"]
        assert [action["exact"] for action in first["actions"]] == ["0", "1"]
        shares.append(Fraction(second["actions"][0]["exact"]))
    assert (min(shares), max(shares)) == (0, Fraction(1, 3))


def pennies_and_trust(rounds: int, share: str = "2 2") -> str:
    """A move of chance, `rounds` times: each branch is a game of trust of its own."""
    parts = []
    for number in range(1, rounds + 1):
        parts.append(f'p "" 1 {number} "" {{ "trust" "leave" }} 0 p "" 2 {number} "" {{ "share" "keep" }} 0')
        parts.append(f't "" {3 * number} "" {{ {share} }} t "" {3 * number + 1} "" {{ -1 3 }}')
        parts.append(f't "" {3 * number + 2} "" {{ 0 1 }}')
    weights = " ".join(f'"{number}" 1/{rounds}' for number in range(rounds))
    return f'EFG 2 R "" {{ "A" "B" }} c "" 1 "" {{ {weights} }} 0 ' + "\n".join(parts)


def test_mixes_of_plans_are_shown_at_each_infoset() -> None:
    """Both trust games in one: leaving in each is all there is, and each infoset has its own shares."""
    report = answer("-", text=pennies_and_trust(2))
    assert report["equilibria"]
    for equilibrium in report["equilibria"]:
        assert equilibrium["exact_payoffs"] == ["0", "1"]
        for infoset in equilibrium["strategies"]:
            shares = [Fraction(action["exact"]) for action in infoset["actions"]]
            assert sum(shares) == 1
            assert shares[0] <= (0 if infoset["player"] == "A" else Fraction(1, 3))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            'EFG 2 R "" { "A" "B" } ' + 2_000_000 * 'c "" 1 "" { "x" 1/2 "y" 1/2 } 0 ',
            "more than 1000000 nodes",
        ),
        ('NFG 1 R "" { "A" "B" } { 100000 100000 } 1 2', "10000000000 combinations"),
    ],
    ids=["nodes", "combinations"],
)
def test_what_is_far_too_large_is_refused_before_it_is_read(text: str, said: str) -> None:
    tracemalloc.start()
    result = solve("-", text=text)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert result.exit_code in (2, 4)
    assert said in result.stderr
    assert most < 5e8


@pytest.mark.parametrize("names", [("", ""), ("x", "x"), ("", "infoset 1"), ("2: x", "x", "x"), ("a", "b")])
def test_infosets_of_one_name_are_told_apart(names: tuple[str, ...]) -> None:
    """Player 1 knows what player 0 chose, and answers each in its own way."""
    moves = " ".join(f'"{number}"' for number in range(len(names)))
    text = f'EFG 2 R "" {{ "A" "B" }} p "" 1 1 "" {{ {moves} }} 0 '
    for number, name in enumerate(names, 1):
        text += f'p "" 2 {number} "{name}" {{ {moves} }} 0 '
        for answer_to in range(1, len(names) + 1):
            text += 't "" 1 "" { -1 1 } ' if answer_to == number else 't "" 2 "" { 1 -1 } '
    report = answer("-", text=text)
    assert report["value"] == -1
    own = [
        infoset["infoset"] for infoset in report["equilibria"][0]["strategies"] if infoset["player"] == "B"
    ]
    assert len(set(own)) == len(names)


@pytest.mark.parametrize(
    ("text", "words", "said"),
    [
        ('EFG 2 R "" { "A" "B" "C" } t "" 0', (), ["3 players"]),
        ('EFG 2 R "" { "A" } t "" 0', (), ["1 players"]),
        (
            'EFG 2 R "" { "A" "B" } p "" 2 1 "lost" { "x" "y" } 0 p "" 2 1 0 t "" 0 t "" 0 t "" 0',
            (),
            ["B infoset 'lost'"],
        ),
        ('NFG 1 R "" { "A" "B" "C" } { 1 1 1 } 1 2 3', (), ["3 players"]),
        ('NFG 1 R "" { "A" "B" } { 1 1 } 1e309 2', (), ["beyond 1e308"]),
        ('EFG 2 R "" { "A" "B" } t "" 1 "" { 1e309 -1e309 }', (), ["beyond 1e308"]),
        (GAMES / "forgets.efg", (), ["Anna infoset 'forgot'", "imperfect recall"]),
        (GAMES / "both-gain.efg", ("--method", "lp"), ["--method lp needs that"]),
        (GAMES / "both-gain.efg", ("--method", "cfr"), ["--method cfr needs that"]),
        (pennies_and_trust(7), (), ["128 times 128", "gambit-lcp"]),
    ],
)
def test_what_is_not_solved_is_named(text: Any, words: tuple[str, ...], said: list[str]) -> None:
    result = solve("-", *words, text=text if isinstance(text, str) else text.read_text(encoding="utf-8"))
    assert result.exit_code == 1
    assert all(each in result.stderr for each in said)


def test_payoffs_as_uneven_as_can_be_are_exact() -> None:
    text = (GAMES / "bets-fractions.efg").read_text(encoding="utf-8")
    report = answer("-", text=text.replace("7/3", str(10**308)).replace("5/7", "1e-300"))
    # The stakes are a after a bet that is called, b else.
    a, b = Fraction(10**308), Fraction(1, 10**300)
    assert Fraction(report["exact_value"]) == b * (a - b) / (a + b)


MALFORMED = Path(__file__).with_name("malformed.txt").read_text(encoding="utf-8").splitlines()[1:]


@pytest.mark.parametrize("case", MALFORMED)
def test_malformed_files_are_refused_at_a_place(case: str) -> None:
    line, column, reason, text = case.split("\t")
    result = solve("-", text=text.replace("\\n", "\n"))
    assert result.exit_code == 2, result.output
    assert f"line {line}, column {column}: " in result.stderr
    assert reason in result.stderr


def test_a_target_out_of_reach_is_said() -> None:
    words = (str(GAMES / "bets.efg"), "--method", "cfr", "--iterations", "5")
    assert solve(*words, "--target", "1e-9").exit_code == 3
    assert solve(*words, "--target", "10").exit_code == 0
    assert solve(*words).exit_code == 0


PIECES = [path.read_text(encoding="utf-8") for path in sorted(GAMES.iterdir())]


@settings(max_examples=300, deadline=None)
@given(
    text=st.sampled_from(PIECES),
    cuts=st.lists(
        st.tuples(st.floats(0, 1), st.floats(0, 0.1), st.sampled_from([*'{}",/-+.eE01x\\ \n', ""]))
    ),
)
def test_damaged_files_are_solved_or_refused(text: str, cuts: list[tuple[float, float, str]]) -> None:
    for where, length, instead in cuts:
        begin = int(where * len(text))
        text = text[:begin] + instead + text[begin + int(length * len(text)) :]
    with contextlib.suppress(GambitFormatError, UnsupportedGameError, MalformedGameError):
        solve_text(text, "", EFFORT)
