"""Every game of Gambit's own catalogue that `arena solve` takes, and why the others are refused."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from cli.arena.game_files import decoded, solve_text
from cli.arena.report import GameReport
from cli.arena.solving import METHODS, Effort
from solver.extensive import MalformedGameError
from solver.gambit_tokens import UnsupportedGameError

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


def test_there_is_a_catalogue() -> None:
    pytest.importorskip("pygambit")
    assert len(catalogue()) >= 40


@pytest.mark.parametrize("path", catalogue(), ids=lambda path: "-".join(path.parts[-3:]))
def test_games_of_the_catalogue(path: Path) -> None:
    pygambit = pytest.importorskip("pygambit")
    game = theirs(path)
    two = len(game.players) == 2
    tree = path.suffix == ".efg"
    if not two or (tree and not (game.is_perfect_recall and game.is_const_sum)):
        with pytest.raises((UnsupportedGameError, MalformedGameError)) as refusal:
            solved(path)
        if not two:
            assert f"{len(game.players)} players" in str(refusal.value)
        elif game.is_const_sum:
            assert "imperfect recall" in str(refusal.value)
        else:
            assert "payoffs of the two players sum to" in str(refusal.value)
        return
    report = solved(path)
    if game.is_const_sum:
        equilibrium = pygambit.nash.lcp_solve(game, rational=True).equilibria[0]
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
    found = pygambit.nash.enummixed_solve(game, rational=True).equilibria
    expected = {
        tuple(Fraction(str(share)) for player in game.players for _, share in profile[player])
        for profile in found
    }
    listed = {
        tuple(Fraction(a.exact) for infoset in e.strategies for a in infoset.actions if a.exact is not None)
        for e in report.equilibria
    }
    assert listed == expected
    assert report.complete
