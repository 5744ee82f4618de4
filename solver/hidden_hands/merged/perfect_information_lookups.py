"""The perfect-information bound of what is not followed, for the range met there.

Letters as in ``perfect_information``.
"""

from __future__ import annotations

import numpy as np

from solver.hidden_hands.arrays import F32
from solver.hidden_hands.decisions.walk_memory import Problem
from solver.hidden_hands.jit import kernel
from solver.hidden_hands.merged.merged_tree import MergedTree, mirror_image
from solver.hidden_hands.merged.perfect_information_tables import PerfectInformation, is_drawn

__all__ = ["bound_of_child"]

_ZERO = np.float32(0.0)


@kernel
def bound_of_child(
    q: Problem,
    merged: MergedTree,
    found: PerfectInformation,
    node: int,
    learner: int,
    slot: int,
    action: int,
    reach: F32,
    rest: F32,
) -> float:
    """What who sees gets at most in a child: its worths times the range met there.

    Parameters
    ----------
    slot : int
        Of the child.
    action : int
        The other side's.
    reach, rest : [N] float32
        The other side's range at the node, and after the action, before the draw.
    """
    opp = 1 - learner
    sp = q.spaces0 if opp == 0 else q.spaces1
    level = q.tree.level[node, opp]
    acts = (q.tree.acts[node] >> opp) & 1
    target = sp.remainder_level[q.tree.kind[node], level, action] if acts else level
    first, end = sp.level_start[target], sp.level_start[target + 1]
    code = q.tree.child[slot]
    flow = total = 0.0
    if code >= 0:
        seat, number = learner, code
        if merged.quotient and learner == 1:
            seat, number = 0, mirror_image(merged, code)
        drawn = is_drawn(sp, target, q.tree.level[code, opp])
        stored = found.ahead[seat] if drawn else found.here[seat]
        at = found.ahead_start[seat, number] if drawn else found.start[seat, number]
        for m in range(end - first):
            mass = np.float64(rest[m] if acts else reach[m])
            flow += mass
            total += mass * np.float64(stored[at + m])
        inside: float = flow * found.base[seat, number] + total * found.unit[seat, number]
        return inside
    record = merged.record[slot]
    seat, number = learner ^ (record % 2), record // 2
    draws = 1 if acts and sp.draws[q.tree.kind[node], level, action] == 1 else 0
    rows = found.final_ahead[seat, number] if draws else found.final_here[seat, number]
    for m in range(end - first):
        mass = np.float64(rest[m] if acts else reach[m])
        flow += mass
        total += mass * np.float64(rows[found.places[draws, sp.index[first + m]]])
    worth: float = flow * found.final_base[seat, number] + total * found.final_unit[seat, number]
    return worth
