"""What certificates count at final steps where they do not look, against plain Python."""

from __future__ import annotations

import numpy as np
import pytest

from solver.hidden_hands.merged.certificate import tabulate
from solver.hidden_hands.merged_tree import Merging, Records
from solver.hidden_hands.tree import LANES
from solver.hidden_hands.walk_memory import Problem
from tests.solver.merged_days import ALL_TYPES, trained
from tests.solver.test_hidden_hands import tables

pytestmark = pytest.mark.kernels


def largest_payoff(problem: Problem, records: Records, batch: int, lane: int, seat: int) -> float:
    """Whatever both place, and whatever follows a chain item."""
    joint, sign = int(records.row_pair[batch, lane]), 1 if seat == 0 else -1
    if joint < 0:
        return -np.inf
    found = [float(pay) * sign for pay in problem.tables.pay[joint].ravel()]
    if problem.frame.num_chain:
        slot = int(problem.tables.top_slot[joint])
        if slot >= 0:
            found += [float(pay) for pay in problem.tables.top[slot, seat].ravel()]
            found += [-float(pay) for pay in problem.tables.top[slot, 1 - seat].ravel()]
        below = [int(each) for each in records.link[batch] if each >= 0]
        found += [largest_payoff(problem, records, each, lane, seat) for each in below]
    return max(found)


@pytest.mark.parametrize("quotient", [False, True])
@pytest.mark.parametrize("patron", ["solennos", "the-nameless"])
def test_the_most_that_a_final_step_pays(patron: str, quotient: bool) -> None:
    trainer = trained(tables(*ALL_TYPES, patron=patron), Merging(first=1, quotient=quotient), 1)
    profile = trainer.profile()
    assert profile.merged is not None
    problem, records = profile.problem, profile.merged.merged.records
    tabulated = tabulate(profile, trainer.workers)
    # Another layout would be another type, for which the largest kernels would be compiled once more.
    assert all(each.flags.c_contiguous for each in tabulated)
    found = tabulated.final_most
    several = 0
    for record in range(0, records.place.size, 7):
        batch, lane = divmod(int(records.place[record]), LANES)
        several += bool(problem.frame.num_chain and (records.link[batch] >= 0).any())
        for seat in range(2):
            # Lanes of a batch share what is nested in it, so some may count for more.
            assert found[seat, record] >= largest_payoff(problem, records, batch, lane, seat)
    assert (several > 10) == (patron == "the-nameless")
