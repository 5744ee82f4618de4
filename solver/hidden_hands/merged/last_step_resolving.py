"""Final steps solved again along one history, for both ranges as they are there.

A merged record plays for the mean of all histories that lead to it. Along a single one both ranges are known,
so what the record remembers is only where play begins from: in each round one player plays, the other one
meets that and learns, then they change. A player's strategy is the mean of what he has played when it was he
who began, round ``t`` counting ``t``. Like all else that ends play it is kept as flows.

Where the averages never let the other player come, there is nothing to learn; and who hardly ever comes here
himself plays as the record remembers, so that what histories are worth that nobody follows is still known
(``perfect_information``).

Letters as in ``merged.response``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.hidden_hands.arrays import F32
from solver.hidden_hands.decisions.walk_memory import Problem, WalkScratch
from solver.hidden_hands.final.state import FinalState
from solver.hidden_hands.final.visits import Hedge, hidden_items, load_counts, load_mass, play_batch
from solver.hidden_hands.jit import kernel
from solver.hidden_hands.tree import LANES, action_counts, final_lanes

__all__ = ["Resolving", "resolve_last_steps"]

_ZERO = np.float32(0.0)
_ONE = np.float32(1.0)


class Resolving(NamedTuple):
    """How final steps are re-solved."""

    inverse_temperature: float  # of the hedge
    rounds: int  # one: everybody plays as the records remember
    prior: float  # what a record remembers counts as much as so many first rounds
    least: float  # flow into a record up to which its owner plays so anyhow


@kernel
def resolve_last_steps(
    q: Problem,
    depth: int,
    player: int,
    only: int,
    how: Resolving,
    state: FinalState,
    unseen: FinalState,
    unit: F32,
    w: WalkScratch,
    hedge: Hedge,
) -> None:
    """Solve the final records again below the node in hand for one player: his flows, ``state.met``.

    What the records remember is lost.

    Parameters
    ----------
    only : int
        The one batch that is wanted, or -1 for all.
    state, unseen : FinalState
        The window's, with ``met`` zero, and the same with another ``met``.
    unit : [2, L] float32
        Work space.
    """
    tree, z, other = q.tree, w.final, 1 - player
    n0, n1 = action_counts(tree, 0, q.types, q.stocks.shape[1])
    hidden0, hidden1 = hidden_items(q, 0)
    scale = z.bottom  # free between visits
    number = max(only, 0)
    while only < 0 or number == only:
        used = final_lanes(tree, 0, n0, n1, number, w.actions)
        if used == 0:
            return
        batch = tree.batch_start[0] + number
        number += 1
        comes = learns = False
        for lane in range(LANES):
            for p in range(2):
                unit[p, lane] = _ZERO
            own = w.flow[depth, player, w.actions[player, lane]] if lane < used else _ZERO
            if own <= _ZERO:
                continue
            for p in range(2):
                for a in range(q.frame.num_actions):
                    unit[p, lane] += state.flow[batch, p, a, lane]
                unit[p, lane] = unit[p, lane] / np.float32(how.prior) if unit[p, lane] > _ZERO else _ONE
            comes = True
            # In this order: where nothing is re-solved, the node need not be open for the other player.
            if own <= how.least or w.flow[depth, other, w.actions[other, lane]] <= _ZERO:
                unit[other, lane] = _ZERO
            else:
                learns = True
        if not comes:
            continue
        load_counts(q, 0, w)
        total = _ZERO
        for turn in range(2 * how.rounds - 1 if learns else 1):
            mover = player if turn % 2 == 0 else other
            weight = float(turn // 2 + 1)
            groups = hidden0.shape[0] if mover == 0 else hidden1.shape[0]
            for lane in range(LANES):
                flow = w.flow[depth, mover, w.actions[mover, lane]] if lane < used else _ZERO
                scale[lane] = unit[mover, lane] / flow if flow > _ZERO else _ZERO
            load_mass(q, depth, mover, groups, used, scale, w)
            if mover == player:
                total += np.float32(weight)
            kept = state if mover == player else unseen
            play_batch(
                q,
                batch,
                weight,
                how.inverse_temperature,
                1 - mover,
                hidden0,
                hidden1,
                kept,
                w,
                hedge,
                False,
                1,
            )
        for slot in range(z.used[0]):
            batch = z.batch[slot]
            for lane in range(used):
                if unit[player, lane] <= _ZERO:
                    continue
                back = w.flow[depth, player, w.actions[player, lane]] / (total * unit[player, lane])
                for a in range(q.frame.num_actions):
                    state.met[batch, player, a, lane] *= back
                for a in range(q.frame.num_plain if q.frame.num_chain else 0):
                    state.met_lone[batch, player, a, lane] *= back
