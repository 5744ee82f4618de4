"""The exact method to the last bit: what is only rearranged must leave every number as it was."""

from __future__ import annotations

import hashlib
import platform

import pytest

from engine.ragers.day import day_tables
from solver.hidden_hands import Settings, solve
from tests.oracles.games import ASYMMETRIC, SYMMETRIC

pytestmark = [
    pytest.mark.kernels,
    pytest.mark.skipif(platform.machine() != "x86_64", reason="elsewhere elementary functions may be others"),
]

GAMES = {game.name: game for game in (*SYMMETRIC, *ASYMMETRIC)}
GOLDEN = {
    "veterans": (
        ("0x1.7741b3a0da770p-3", "-0x1.c9fe00d6c67ecp-1", "-0x1.aebfb45cf0824p-1", "0x1.0647ff705c6c3p+0"),
        ("a559a4de", "be536b89", "b44ea1b6", "", "b46906af", "53016154"),
    ),
    "uneven-redraw": (
        ("0x1.43d7336409740p-2", "0x1.7260f9ab55afap+0", "0x1.8c55ffda30d64p+0", "-0x1.3b603be40973cp+0"),
        ("0ccde57e", "82cb08be", "27a783a1", "d16f79c0", "82393194", "b920225a"),
    ),
    "uneven-seen": (
        ("0x1.84ba752c71f44p-1", "0x1.e7bb83e1fab30p-3", "0x1.2ae889b7bee26p-1", "0x1.67473c1f66a99p-3"),
        ("ea751046", "119d2ab7", "323764de", "04f6f83d", "8c8f711b", "255c31a5"),
    ),
}
"""NashConv, value and both best responses; hashes of the first step and what it is worth, of the exchange,
outcomes and mean points."""


@pytest.mark.parametrize("name", GOLDEN)
def test_results_are_those_the_method_had_when_they_were_pinned(name: str) -> None:
    game, (numbers, hashes) = GAMES[name], GOLDEN[name]
    day = day_tables(game.rules(), game.patron, game.cheers)
    found = solve(day, Settings(preparation=game.preparation, iterations=12, threads=1, seed=0))
    arrays = (found.opening, found.reach, found.opening_ev, found.preparation_mix)
    arrays += (found.outcome, found.mean_gp)
    digests = ["" if each is None else hashlib.sha256(each.tobytes()).hexdigest()[:8] for each in arrays]
    assert tuple(digests) == hashes
    # Sums over hands are a matter of the linear algebra library, which chooses kernels by the processor.
    expected = [float.fromhex(number) for number in numbers]
    sums = [found.nash_conv, found.value, *found.best_response_values]
    assert sums == pytest.approx(expected, rel=1e-14, abs=2e-15)
