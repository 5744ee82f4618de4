"""`ragers export`: files that other programs read, and what stands in them."""

from __future__ import annotations

import csv
import re
import shlex
from fractions import Fraction
from math import comb, prod
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from analysis.ragers.answers import library
from analysis.ragers.game import GAME
from analysis.ragers.hands import parse_hand
from analysis.ragers.scenarios import PREPARATIONS, scenarios
from engine.ragers.reference import NOTHING, deciders, legal_actions, scores, start_day, step
from engine.ragers.rules import PLAYERS, TYPES, load_rules
from solver.efg_reader import constant_sum_game, parse_efg
from solver.lp import solve_matrix_program
from solver.nfg_reader import parse_nfg, two_player_payoffs
from solver.sequence_form import solve_sequence_form
from tests.oracles.games import SYMMETRIC, TinyGame, decks

DAY = ("--patron", "arianna", "--cheers", "two-bashers")


def payoffs(path: Path) -> list[list[Fraction]]:
    """Return what player 0 gets in an .nfg file, [plans of player 1][plans of player 0]."""
    lines = path.read_text(encoding="utf-8").splitlines()[5:]
    return [[Fraction(word) for word in line.split()[::2]] for line in lines]


def test_efg_is_the_oracle_tree(run: Any, tmp_path: Path) -> None:
    from solver.gambit import efg_lines

    game = SYMMETRIC[0]
    path = tmp_path / "tiny.efg"
    words = [word for override in game.overrides for word in ("--set", override)]
    result = run(
        "export", "efg", "--patron", game.patron, "--cheers", game.cheers[0], *words, "-o", str(path)
    )
    assert result.exit_code == 0, result.output
    assert f"{game.num_nodes} nodes" in result.stderr
    # All but the title and the names of the players.
    assert path.read_text(encoding="utf-8").splitlines()[1:] == list(efg_lines(game.tree()))[1:]


def test_last_stage_is_what_the_rules_pay(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "stage.nfg"
    words = (*DAY, "--hands", "B S S P C | B S P P V", "--history", "B/B; S/S; S/P")
    result = run("export", "nfg", *words, "-o", str(path))
    assert result.exit_code == 0, result.output
    # Left are P and C against P and V, one slot each. The Veteran's owner has one card to put on top.
    empty = (0,) * len(TYPES)
    state = start_day(
        load_rules(),
        "arianna",
        ["two-bashers"],
        preparation=False,
        decks=(empty, empty),
        hands=(parse_hand("B S S P C"), parse_hand("B S P P V")),
    )
    for move in ((0, 0), (1, 1), (1, 2)):
        state = step(state, move)
    table = payoffs(path)
    assert len(table[0]) == 2
    for column, mine in enumerate((2, 3)):
        for row, yours in enumerate((2, 7)):
            end = step(state, (mine, yours))
            while who := deciders(end):  # on top of Veterans, and of a Chancer that copies one
                tops = [legal_actions(end, player)[0] if player in who else NOTHING for player in (0, 1)]
                end = step(end, (tops[0], tops[1]))
            first, second = scores(end)
            assert table[row][column] == first - second


@pytest.mark.kernels
def test_value_of_a_whole_day_with_known_hands(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "day.nfg"
    words = ("--set", "match.row_length=2", "--patron", "the-nameless", "--cheers", "two-bashers")
    assert run("export", "nfg", *words, "--hands", "B S | B S", "-o", str(path)).exit_code == 0
    matrix = np.array([[float(amount) for amount in row] for row in payoffs(path)]).T
    assert solve_matrix_program(matrix).value == pytest.approx(0, abs=1e-9)  # the same hands
    assert matrix.shape[0] == matrix.shape[1]


TINY = (
    *("--patron", "the-nameless", "--cheers", "two-bashers", "--set", "match.hand_size=2"),
    *("--set", "match.row_length=2", *(word for deck in decks("BSS", "SPV") for word in ("--set", deck))),
)


@pytest.mark.parametrize("preparation", PREPARATIONS)
def test_a_person_can_read_the_tree(run: Any, tmp_path: Path, preparation: str) -> None:
    """Branches, deals and infosets speak of cards by name, never of numbers or tuples."""
    path, profile = tmp_path / "tiny.efg", tmp_path / "tiny.csv"
    words = (*TINY, "--preparation", preparation, "-o", str(path), "--profile", str(profile))
    result = run("export", "efg", *words)
    assert result.exit_code == 0, result.output
    tree = parse_efg(path.read_text(encoding="utf-8"))
    labels = {text for node in tree.nodes for text in node.labels} | set(tree.infoset_names.values())
    known = {
        *TYPES,
        *PLAYERS,
        "nothing",
        "a",
        "card",
        "against",
        "draw",
        "draws",
        "dealt",
        "x",
        "start",
        "hidden",
    }
    known |= {"puts", "aside", "keeps", "all", "discards", "on", "top"}
    for text in labels:
        told = re.sub(r"^\d+: ", "", text)
        assert set(re.findall(r"[^ ,;]+", told)) - {str(count) for count in range(2, 6)} <= known, text
    assert any(text.startswith("accusers dealt ") for text in labels)
    # The profile is worth what the message says.
    game, _ = constant_sum_game(tree)
    value = re.search(r"value (\S+) to accusers", result.stderr)
    assert value is not None
    assert float(value[1]) == pytest.approx(solve_sequence_form(game).value, abs=1e-5)
    shares = [Fraction(word) for word in profile.read_text().split(",")]
    assert len(shares) == game.num_slots
    assert min(shares) >= 0


def test_plans_are_named_by_cards_and_numbered_for_open_spiel(run: Any, tmp_path: Path) -> None:
    words = ("--patron", "solennos", "--cheers", "two-bashers", "--hands", "B S P | S S B")
    games = []
    for extra in ((), ("--numbered",)):
        path = tmp_path / "stage.nfg"
        assert run("export", "nfg", *words, *extra, "-o", str(path)).exit_code == 0
        games.append(parse_nfg(path.read_text(encoding="utf-8")))
    named, numbered = games
    assert named.payoffs == numbered.payoffs
    assert (
        named.strategies[0][0]
        == "start: basher; basher against basher: slasher; basher against slasher: slasher"
    )
    assert numbered.strategies[0] == [str(number) for number in range(1, len(named.strategies[0]) + 1)]


def test_the_examples_have_something_to_choose(run: Any, tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "how-to.md").read_text(encoding="utf-8")
    examples = set(re.findall(r"ragers export nfg [^\n`]*?-o \S+?\.nfg", page))
    examples |= {f"ragers {each}" for each in GAME.question("export nfg").examples}
    assert len(examples) >= 3
    for example in examples:
        path = tmp_path / "example.nfg"
        assert run(*shlex.split(example)[1:-1], str(path)).exit_code == 0, example
        strategies = parse_nfg(path.read_text(encoding="utf-8")).strategies
        assert min(map(len, strategies)) >= 2, example


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("efg", *DAY, "--max-nodes", "1000"), 1, "more than 1000 nodes"),
        (("nfg", *DAY, "--hands", "BSPC | BSP", "--max-plans", "20"), 1, "reduced plans"),
        (("nfg", *DAY, "--hands", "BSP"), 2, "both hands"),
        (("nfg", *DAY, "--hands", "BSP | BXP"), 2, "no card"),
        (("nfg", *DAY, "--history", "B/S"), 2, "needs --hands"),
        (("nfg", *DAY, "--hands", "BSP | BSP", "--history", "V/S"), 2, "not legal"),
        (("nfg", *DAY, "--hands", "B | B", "--history", "B/B"), 2, "over by then"),
        (("nfg", *DAY, "--hands", "B | B", "--history", "BB"), 2, "CARD/CARD"),
        (("strategies", "--patron", "Arianna", "--set", "cards.basher.gp=9"), 1, "nothing is stored"),
        (("strategies", "--patron", "Solennos", "--time-limit", "5m"), 2, "only with --history"),
        (("strategies", "--patron", "Solennos", "--history", "BS"), 2, "write your cards, a slash"),
        (("behaviour", *DAY), 1, "take smaller decks"),
        (("behaviour", *DAY, "--hands", "B | B"), 1, "nobody has a choice"),
    ],
)
def test_refusals(run: Any, tmp_path: Path, words: tuple[str, ...], code: int, message: str) -> None:
    path = tmp_path / "file"
    result = run("export", *words, "-o", str(path))
    assert result.exit_code == code
    assert message in result.output
    assert not path.exists()


def test_strategies(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "openings.csv"
    words = ("--patron", "Solennos", "--cheers", "two-bashers", "--cheers", "two-slashers")
    assert run("export", "strategies", *words, "-o", str(path)).exit_code == 0
    rows = rows_in(path)
    for scenario in scenarios(load_rules(), ["solennos"], ["two-bashers", "two-slashers"], "redraw"):
        found = library.find(scenario)
        assert found is not None
        mine = [row for row in rows if row["cheers"] == scenario.cheers.id and row["player"] == "defenders"]
        for t, name in enumerate(TYPES):
            share = sum(float(row["reach"]) * float(row["opening"]) for row in mine if row["action"] == name)
            assert share == pytest.approx(found.entry.answer.opening_mix[1][t], abs=1e-6)
    assert {row["worth_gp"] for row in rows if row["action"] == "veteran"} <= {""}


def rows_in(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("game", SYMMETRIC[:2], ids=lambda game: game.name)
def test_behaviour_is_an_equilibrium_of_the_tree(run: Any, tmp_path: Path, game: TinyGame) -> None:
    from solver.tree_best_response import exploitability

    path = tmp_path / "tiny.csv"
    words = [word for override in game.overrides for word in ("--set", override)]
    day = ("--patron", game.patron, "--cheers", game.cheers[0], "--preparation", game.preparation)
    result = run("export", "behaviour", *day, *words, "-o", str(path))
    assert result.exit_code == 0, result.output
    tree, rows = game.tree(), rows_in(path)
    assert len(rows) == tree.num_slots
    # Rows come in the order of the tree, infosets numbered for each player from 1, as in its .efg.
    strategy = np.array([float(row["probability"]) for row in rows])
    assert exploitability(tree, strategy).nash_conv < 1e-9
    own = [row for row in rows if row["player"] == "defenders"]
    assert [int(row["infoset"]) for row in own] == sorted(int(row["infoset"]) for row in own)
    assert {row["infoset"] for row in own} == {str(n + 1) for n in range(len({r["infoset"] for r in own}))}
    # What was seen names an infoset; before anything is done, it is as likely as the deal.
    assert len({(row["player"], row["seen"]) for row in rows}) == tree.num_infosets
    first = [row for row in rows if row["player"] == "accusers" and row["seen"].count(";") == 0]
    dealt = {row["seen"]: float(row["reach"]) for row in first}
    rules = load_rules(overrides=game.overrides)
    copies = tuple(card.copies[0] for card in rules.cards)
    for seen, reach in dealt.items():
        hand = parse_hand(seen.removeprefix("dealt "))
        assert reach == pytest.approx(prod(map(comb, copies, hand)) / comb(sum(copies), sum(hand)))


def test_behaviour_with_known_hands(run: Any, tmp_path: Path) -> None:
    """Two cards each and one slot left to fill: what the matrix of the same stage says."""
    words = (*DAY, "--set", "patrons.arianna.row_length=2", "--hands", "B S | S P")
    for name in ("stage.csv", "stage.nfg"):
        kind = "nfg" if name.endswith("nfg") else "behaviour"
        result = run("export", kind, *words, "-o", str(tmp_path / name))
        assert result.exit_code == 0
    rows = rows_in(tmp_path / "stage.csv")
    matrix = np.array([[float(amount) for amount in row] for row in payoffs(tmp_path / "stage.nfg")]).T
    mixes = [
        [float(row["probability"]) for row in rows if row["player"] == player and not row["seen"]]
        for player in ("accusers", "defenders")
    ]
    assert mixes[0] @ matrix @ mixes[1] == pytest.approx(solve_matrix_program(matrix).value)


@pytest.mark.parametrize(
    "words",
    [
        ("strategies", "--patron", "Solennos", "--cheers", "two-bashers"),
        ("behaviour", *DAY, "--hands", "B S P | S S B"),
    ],
)
def test_parquet_holds_the_same(run: Any, tmp_path: Path, words: tuple[str, ...]) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    for name in ("rows.csv", "rows.parquet"):
        assert run("export", *words, "-o", str(tmp_path / name)).exit_code == 0
    table = parquet.read_table(tmp_path / "rows.parquet").to_pylist()
    rows = rows_in(tmp_path / "rows.csv")
    assert len(rows) == len(table)
    for row, other in zip(rows[:500], table[:500], strict=True):
        assert row == {key: "" if value is None else str(value) for key, value in other.items()}


@pytest.mark.crosscheck
def test_gambit_reads_both(run: Any, tmp_path: Path) -> None:
    pygambit = pytest.importorskip("pygambit")
    overrides = [word for deck in decks("BS", "SP") for word in ("--set", deck)]
    words = ("--patron", "the-nameless", "--cheers", "two-bashers", "--set", "match.hand_size=2")
    words = (*words, "--set", "match.row_length=2", *overrides)
    values = []
    for kind in ("efg", "nfg"):
        path = tmp_path / f"game.{kind}"
        assert run("export", kind, *words, "-o", str(path)).exit_code == 0
        game = getattr(pygambit, f"read_{kind}")(str(path))
        profile = pygambit.nash.lp_solve(game, rational=True).equilibrium
        values.append(profile.payoffs["accusers"])
    assert values[0] == values[1]


@pytest.mark.crosscheck
@pytest.mark.parametrize("preparation", PREPARATIONS)
def test_gambit_reads_the_profile(run: Any, tmp_path: Path, preparation: str) -> None:
    pygambit = pytest.importorskip("pygambit")
    common = pytest.importorskip("pygambit.cli.common")
    path, starts = tmp_path / "tiny.efg", tmp_path / "tiny.csv"
    words = (*TINY, "--preparation", preparation, "-o", str(path), "--profile", str(starts))
    assert run("export", "efg", *words).exit_code == 0
    theirs = pygambit.read_efg(str(path))
    [profile] = common.read_behavior_profiles_csv(str(starts), theirs)
    ours, _ = constant_sum_game(parse_efg(path.read_text(encoding="utf-8")))
    assert float(profile.payoffs["accusers"]) == pytest.approx(solve_sequence_form(ours).value, abs=1e-9)
    assert float(profile.max_regret()) == pytest.approx(0, abs=1e-9)


@pytest.mark.crosscheck
def test_open_spiel_reads_numbered_plans(run: Any, tmp_path: Path) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    path = tmp_path / "stage.nfg"
    words = ("--patron", "solennos", "--cheers", "two-bashers", "--hands", "B S P | S S B", "--numbered")
    assert run("export", "nfg", *words, "-o", str(path)).exit_code == 0
    ours = two_player_payoffs(parse_nfg(path.read_text(encoding="utf-8")))[0]
    theirs = pyspiel.load_game(f"nfg_game(filename={path})")
    for row, payoffs in enumerate(ours):
        for column, payoff in enumerate(payoffs):
            state = theirs.new_initial_state()
            state.apply_actions([row, column])
            assert state.returns() == [float(payoff), -float(payoff)]
