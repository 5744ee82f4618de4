"""What certificates count where they do not look, against plain Python."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from solver.hidden_hands.game import HandGame
from solver.hidden_hands.merged.merged_tree import Merging
from solver.hidden_hands.merged.perfect_information_tables import bounds_of_pools
from solver.hidden_hands.merged.training import MergedTrainer
from tests.solver.merged_days import ALL_TYPES, trained
from tests.solver.naive_perfect_information import Hand, Onlooker, Worths
from tests.solver.test_hidden_hands import tables

pytestmark = pytest.mark.kernels


def _check_rests(
    ahead: Worths,
    stored: NDArray[np.uint8],
    places: NDArray[np.int64],
    row_of: Callable[[Hand], int],
    is_rounded_up: Callable[[int, float], bool],
) -> int:
    """Compare worths before a draw; return how many there were."""
    count = 0
    for hand, worth in ahead.items():
        if worth > -np.inf:
            assert is_rounded_up(stored[places[row_of(hand)]], worth)
            count += 1
    return count


def check(game: HandGame, quotient: bool, every: int) -> tuple[int, int]:
    """Compare tables with plain Python; return how many worths, and how many records were nested."""
    trainer = trained(game, Merging(first=1, quotient=quotient), 8)
    assert isinstance(trainer, MergedTrainer)
    problem, records = trainer.problem, trainer.merged.records
    found, memory = trainer._tabulate(), trainer._calibrate()
    bounds = bounds_of_pools(problem, trainer.merged)
    number = {int(row): i for i, row in enumerate(problem.frame.rows)}
    bits, width = 1 << problem.frame.num_plain, problem.frame.second_max + 1
    count = nests = 0

    def row_of(hand: Hand) -> int:
        support, v, c = hand
        return (v * width + c) * bits + sum(1 << x for x in support)

    for record in range(0, records.place.size, every):
        for seat in range(2):
            onlooker = Onlooker(problem, records, bounds, memory, record, seat)
            here, ahead = onlooker.worths()
            nests += bool(problem.frame.num_chain and (records.link[onlooker.main] >= 0).any())
            base, unit = found.final_base[seat, record], found.final_unit[seat, record]

            def is_rounded_up(stored: int, worth: float, base: float = base, unit: float = unit) -> bool:
                return bool(-1e-3 <= base + unit * stored - worth <= unit + 1e-3)

            assert base == pytest.approx(min(here.values()), abs=1e-3)
            assert base + 255 * unit == pytest.approx(max(here.values()), abs=1e-3)
            for hand, worth in here.items():
                assert is_rounded_up(found.final_here[seat, record, number[row_of(hand)]], worth)
            count += _check_rests(
                ahead, found.final_ahead[seat, record], found.places[1], row_of, is_rounded_up
            )
    return count, nests


@pytest.mark.parametrize("quotient", [False, True])
@pytest.mark.parametrize("patron", ["solennos", "the-nameless"])
def test_what_who_sees_a_hand_wins_at_a_final_step(patron: str, quotient: bool) -> None:
    day = tables(*ALL_TYPES, patron=patron)
    count, nests = check(day, quotient, 7)
    assert count > 1000
    assert (nests > 10) == (patron == "the-nameless")
