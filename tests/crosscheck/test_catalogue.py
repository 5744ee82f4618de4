"""Every game of Gambit's own catalogue that `arena solve` takes, and why the others are refused."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from analysis.arena.game_files import decoded, solve_text
from analysis.arena.report import GameReport
from analysis.arena.solving import METHODS, Effort
from benchmarks.peer_trees import OpenSpielSource
from solver.extensive import MalformedGameError, build_game
from solver.gambit_tokens import UnsupportedGameError
from solver.sequence_form import solve_sequence_form
from tests.games import leduc

pytestmark = pytest.mark.crosscheck


def catalogue() -> list[Path]:
    try:
        import pygambit
    except ImportError:
        return []
    folder = Path(pygambit.__file__).parent / "catalog_data"
    return sorted(path for path in folder.rglob("*") if path.suffix in (".efg", ".nfg"))


def solved(path: Path, method: str = "auto") -> GameReport:
    effort = Effort(method, "pcfr+", 2000, 0.0, 100_000)
    return solve_text(decoded(path.read_bytes()), path.name, effort)


def theirs(path: Path) -> Any:
    pygambit = pytest.importorskip("pygambit")
    return (pygambit.read_efg if path.suffix == ".efg" else pygambit.read_nfg)(str(path))


@pytest.mark.parametrize("path", catalogue(), ids=["-".join(path.parts[-3:]) for path in catalogue()])
def test_games_of_the_catalogue(path: Path) -> None:
    pygambit = pytest.importorskip("pygambit")
    game = theirs(path)
    two = len(game.players) == 2
    tree = path.suffix == ".efg"
    if not two or (tree and not game.is_perfect_recall):
        with pytest.raises((UnsupportedGameError, MalformedGameError)) as refusal:
            solved(path)
        if not two:
            assert f"{len(game.players)} players" in str(refusal.value)
        else:
            assert "imperfect recall" in str(refusal.value)
        return
    try:
        report = solved(path)
    except UnsupportedGameError:
        with pytest.raises(UnsupportedGameError, match="pairs of plans"):
            solved(path)
        assert not game.is_const_sum
        return
    if game.is_const_sum:
        equilibrium = pygambit.nash.lcp_solve(game, rational=True).equilibrium
        assert report.exact_value is not None
        assert Fraction(report.exact_value) == Fraction(str(equilibrium.payoffs[next(iter(game.players))]))
        assert report.value is not None
        for method in METHODS[1:]:
            other = solved(path, method)
            assert other.lower is not None
            assert other.upper is not None
            assert other.lower - 1e-9 <= report.value <= other.upper + 1e-9
            assert other.nash_conv <= 1e-3
        return
    if not report.all_listed:  # too many plans to list all equilibria
        assert report.nash_conv <= 1e-8
        return
    found = pygambit.nash.enummixed_solve(game, rational=True).equilibria
    if tree:
        paid = {tuple(Fraction(str(profile.payoffs[player])) for player in game.players) for profile in found}
        assert {tuple(map(Fraction, each.exact_payoffs or ())) for each in report.equilibria} == paid
        return
    expected = {
        tuple(Fraction(str(share)) for player in game.players for _, share in profile[player])
        for profile in found
    }
    listed = {
        tuple(Fraction(a.exact) for infoset in e.strategies for a in infoset.actions if a.exact is not None)
        for e in report.equilibria
    }
    assert listed == expected


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("kuhn_poker", -1 / 18),
        ("leduc_poker", leduc.VALUE),
        ("liars_dice(dice_sides=3)", None),
        ("matrix_rps", 0.0),
        ("matrix_shapleys_game", None),
    ],
)
def test_games_that_open_spiel_writes(name: str, value: float | None) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game(name)
    if name.startswith("matrix"):
        text = pyspiel.game_to_nfg_string(game)
    else:
        gambit = pytest.importorskip("open_spiel.python.algorithms.gambit")
        text = gambit.export_gambit(game)
    report = solve_text(text, name, Effort("auto", "pcfr+", 2000, 0.0, 100_000))
    if name == "matrix_shapleys_game":
        assert [equilibrium.exact_payoffs for equilibrium in report.equilibria] == [["1/3", "1/3"]]
        return
    if value is None:
        value = solve_sequence_form(build_game(OpenSpielSource(game))).value
    assert report.value == pytest.approx(value, abs=1e-9)
