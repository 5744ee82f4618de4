"""Final strategies that play the averages: hedges whose action values are shifted until flows agree.

What is remembered of a final record is how much flow went into each action, not which hands played what. For
an un-merged record that is all a certificate needs. A merged one needs a strategy, hand by hand, that any of
its histories can follow. The hedge of the latest iteration would be one, but it swings around the average.
So each action's value is shifted until the accumulated range, sent through the hedge, flows into the actions
as it did on average: flows alone decide what play is worth to either side. (Matching flows by rescaling
actions is iterative proportional fitting.)

Letters as in ``final.state``.
"""

from __future__ import annotations

import numpy as np

from solver.hidden_hands.final.hedging import INVERSE_TEMPERATURE, push
from solver.hidden_hands.final.means import prepare
from solver.hidden_hands.final.state import FinalGame, FinalScratch, FinalState, Frame
from solver.hidden_hands.final.steps import NEAR, descend, draw_chains
from solver.hidden_hands.jit import F32, ZERO, kernel
from solver.hidden_hands.tree import LANES, MAX_LINKS

_ROUNDS, _ROUNDS_DEEP = 24, 8
"""How often flows are matched, and beyond what every visit goes to."""
_TINY = np.float32(1e-30)
_LEAST = np.float32(1e-9)
"""Shares below which an action counts as never taken."""


@kernel
def _fit(
    level: int,
    slot: int,
    player: int,
    groups: int,
    state: FinalState,
    shift: F32,
    z: FinalScratch,
    frame: Frame,
) -> None:
    """Shift a record's action values until the range ``z.mass[level]`` flows as it did on average."""
    batch, num = z.batch[slot], frame.num_actions
    scale, q = state.scale[batch, player], z.mean_q[slot, player]
    target = state.flow[batch, player]
    for _ in range(_ROUNDS if level <= NEAR else _ROUNDS_DEEP):
        push(level, slot, player, scale, z, frame, groups)
        for lane in range(LANES):
            wanted = got = ZERO
            for a in range(num):
                wanted += target[a, lane]
                got += z.flow[a, lane]
            if wanted <= ZERO or got <= ZERO:
                continue
            scaled = INVERSE_TEMPERATURE / np.sqrt(max(scale[lane], _TINY))
            for a in range(num):
                want, have = target[a, lane] / wanted, z.flow[a, lane] / got
                if want < _LEAST and have < _LEAST:
                    continue
                by = np.log(max(want, _LEAST) / max(have, _LEAST)) / scaled
                shift[a, lane] += by
                q[a, lane] += by
    push(level, slot, player, scale, z, frame, groups)


@kernel
def calibrate_batch(
    batch: int,
    player: int,
    g: FinalGame,
    hidden: tuple[F32, F32],
    state: FinalState,
    shift: F32,
    z: FinalScratch,
) -> None:
    """Find the shifts of one player's action values in a batch of final records and all nested in it.

    Input as for ``hedge_batch``, but ``z.mass[0]`` is the player's own accumulated range.

    Parameters
    ----------
    shift : [b, 2, P, L] float32
        Modified in place; zero to begin with.
    """
    frame, groups = g.frame, hidden[player].shape[0]
    z.batch[0] = batch
    prepare(g, hidden, state, z, 1 << player, frame.num_levels)
    level, at = 0, 0
    entering = True
    while True:
        if entering:
            z.link[at] = 0
            _fit(level, at, player, groups, state, shift[z.batch[at], player], z, frame)
            if frame.num_chain:
                draw_chains(level, at, player, z, frame, groups)
            entering = False
        link = z.link[at]
        if frame.num_chain and link < MAX_LINKS:
            if z.child[at, link] < 0:
                z.link[at] += 1
                continue
            descend(level, at, link, 1 - player, z, frame, groups)
            at = z.child[at, link]
            level += 1
            entering = True
            continue
        if level == 0:
            return
        level -= 1
        at = z.parent[at]
        z.link[at] += 1
