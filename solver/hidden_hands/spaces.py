"""Private-state spaces: the hands a player may hold, what it may do with them, and how they are refilled.

A *level* ``(n, k)`` is the list of all states "n items in hand, k hidden items placed"; n and k are public,
which items they are is not. Merging a player's own pasts that end in the same (hand, hidden items) loses
nothing. Levels are numbered ``n * (K + 1) + k`` and flattened into arrays shared by all kernels. The *support
index* of a state is what matters once only one step is left: how many of each chain type are held, and which
other placeable types are (a bit set).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.hidden_hands.game import HandGame
from solver.hidden_hands.jit import F32, F64, I32, I64, U32

PLACE, HIDE, EXCHANGE = 0, 1, 2
"""Kinds of decision: place an item openly, place one hidden, exchange one before the first step."""

MAX_ACTIONS = 10


class ActionSpace(NamedTuple):
    """Local action numbering of a game and the split of the placeable types into chain types and the rest.

    ``local_types`` lists the type of each local action, plain ones first, chain types last; -1 stands for
    "nothing".
    """

    local_types: I64
    num_plain: int
    num_chain: int
    has_nothing: bool
    chain_max: I64  # most items of each chain type in a hand
    chain_copies: I64  # in a stock


def action_space(game: HandGame, chain_types: tuple[int, ...]) -> ActionSpace:
    """Number the local actions of a game.

    ``chain_types``: at most two types whose placement may call for a further one in the same slot.
    """
    plain = [t for t in range(len(game.type_ids)) if game.placeable[t] and t not in chain_types]
    chain = [t for t in chain_types if game.placeable[t]]
    copies = game.copies.max(axis=0)
    has_nothing = _may_hold_nothing_placeable(game, chain)
    types = [*plain, *chain, *([-1] if has_nothing else [])]
    chain_copies = np.zeros(2, np.int64)
    chain_copies[: len(chain)] = copies[chain]
    chain_max = np.minimum(chain_copies, game.hand_size)
    return ActionSpace(
        np.array(types, np.int64), len(plain), len(chain), has_nothing, chain_max, chain_copies
    )


def _may_hold_nothing_placeable(game: HandGame, chain: list[int]) -> bool:
    """Whether some hand may consist of banned items only, or be empty (an upper bound on what is
    possible)."""
    for stock in game.copies:
        banned = int(stock[~game.placeable].sum())
        # Each slot takes one item, each chain item carries one more, an exchange may take one.
        fewest_left = int(stock.sum()) - game.row_length - int(stock[chain].sum()) - 1
        if banned >= min(game.hand_size, fewest_left):
            return True
    return False


class Spaces(NamedTuple):
    """All private-state levels of one player, flattened.

    Kernels look up what has no sign without asking first whether to count from the end.

    ``Q`` levels, ``N`` states over all levels, ``X`` groups of states with the same hidden items.
    """

    num_hidden: int
    level_start: I64  # [Q + 1]
    held: F32  # [N, T] items in hand
    away: F32  # [N, T] items in hand or hidden: no longer to be drawn
    index: U32  # type: ignore[assignment]  # [N] support index
    group_start: I64  # [Q + 1] first group of each level
    group_first: I64  # [X + 1] first state (global) of each group
    group_hidden: F32  # [X, T]
    draw_source: I32  # [N, T] state of level (n-1, k) that becomes this one by drawing t, or -1
    draw_target: I32  # [N, T] state of level (n+1, k) this one becomes by drawing t, or -1
    set_actions: I64  # [3, Q] number of public actions
    segment: I64  # [3, Q, MAX_ACTIONS + 1] pair ranges per action, global pair numbers
    remainder_level: I64  # [3, Q, MAX_ACTIONS]
    draws: I64  # [3, Q, MAX_ACTIONS] 1 where an item left the hand
    pair_state: U32  # [J] state (within its level)
    pair_rest: U32  # [J] remainder (within its level)
    pair_type: I32  # [J] type that left the hand, -1 none
    pair_away: F32  # [J] items of that type in hand or hidden, 0 none
    even: F32  # [3, N] one over the number of pairs of a state, 0 none


def build_spaces(game: HandGame, actions: ActionSpace, player: int, num_hidden: int) -> Spaces:
    """Enumerate all levels of one player.

    ``num_hidden``: largest number of hidden items a player may have placed before the last decision.
    """
    num_types = len(game.type_ids)
    caps = game.copies[player]
    hand_size = game.hand_size
    levels: list[list[tuple[tuple[int, ...], tuple[int, ...]]]] = []
    where: list[dict[tuple[tuple[int, ...], tuple[int, ...]], int]] = []
    hidden_sets = [
        _multisets(tuple(int(c) if game.placeable[t] else 0 for t, c in enumerate(caps)), k)
        for k in range(num_hidden + 1)
    ]
    group_start: list[int] = [0]
    group_first: list[int] = []
    group_hidden: list[tuple[int, ...]] = []
    level_start = [0]
    for n in range(hand_size + 1):
        for k in range(num_hidden + 1):
            states: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
            for hidden in hidden_sets[k]:
                left = tuple(int(c) - x for c, x in zip(caps, hidden, strict=True))
                group_first.append(level_start[-1] + len(states))
                group_hidden.append(hidden)
                states.extend((hidden, hand) for hand in _multisets(left, n))
            levels.append(states)
            where.append({state: i for i, state in enumerate(states)})
            level_start.append(level_start[-1] + len(states))
            group_start.append(len(group_first))
    group_first.append(level_start[-1])

    total = level_start[-1]
    held = np.zeros((total, num_types), np.float32)
    away = np.zeros((total, num_types), np.float32)
    draw_source = np.full((total, num_types), -1, np.int32)
    draw_target = np.full((total, num_types), -1, np.int32)
    num_levels = len(levels)
    set_actions = np.zeros((3, num_levels), np.int64)
    segment = np.zeros((3, num_levels, MAX_ACTIONS + 1), np.int64)
    remainder_level = np.zeros((3, num_levels, MAX_ACTIONS), np.int64)
    draws = np.zeros((3, num_levels, MAX_ACTIONS), np.int64)
    pairs: list[tuple[int, int, int]] = []
    per_n = num_hidden + 1

    for level, states in enumerate(levels):
        n, k = divmod(level, per_n)
        start = level_start[level]
        for i, (hidden, hand) in enumerate(states):
            held[start + i] = hand
            away[start + i] = np.add(hand, hidden)
            for t in range(num_types):
                if n > 0 and hand[t]:
                    draw_source[start + i, t] = where[level - per_n][hidden, _plus(hand, t, -1)]
                if n < hand_size:
                    draw_target[start + i, t] = where[level + per_n].get((hidden, _plus(hand, t, 1)), -1)
        for kind, menu in (
            (PLACE, [int(t) for t in actions.local_types]),
            (HIDE, [-2, -1]),
            (EXCHANGE, [*range(num_types), -3]),
        ):
            set_actions[kind, level] = len(menu)
            for a, t in enumerate(menu):
                segment[kind, level, a] = len(pairs)
                pairs.extend(_pairs_of(game, where, levels, level, per_n, num_hidden, t))
                # An empty hand has nothing to leave it; its level stands in, so that there is one.
                stays = t in (-1, -3) or n == 0
                below = level - per_n + (1 if t == -2 else 0)
                remainder_level[kind, level, a] = level if stays else below
                draws[kind, level, a] = 0 if t in (-1, -3) else 1
            segment[kind, level, len(menu) :] = len(pairs)

    table = np.array(pairs, np.int32).reshape(-1, 3)
    pair_away = np.zeros(len(pairs), np.float32)
    even = np.zeros((3, total), np.float32)
    for kind in range(3):
        for level in range(num_levels):
            here = slice(segment[kind, level, 0], segment[kind, level, -1])
            held_by, types = level_start[level] + table[here, 0], table[here, 2]
            pair_away[here] = np.where(types >= 0, away[held_by, types], 0.0)
            even[kind] += np.bincount(held_by, minlength=total)
    np.divide(1.0, even, out=even, where=even > 0.0)
    return Spaces(
        num_hidden,
        np.array(level_start, np.int64),
        held,
        away,
        _support_index(actions, held),
        np.array(group_start, np.int64),
        np.array(group_first, np.int64),
        np.array(group_hidden, np.float32).reshape(-1, num_types),
        draw_source,
        draw_target,
        set_actions,
        segment,
        remainder_level,
        draws,
        table[:, 0].astype(np.uint32),
        table[:, 1].astype(np.uint32),
        np.ascontiguousarray(table[:, 2]),
        pair_away,
        even,
    )


def _pairs_of(
    game: HandGame,
    where: list[dict[tuple[tuple[int, ...], tuple[int, ...]], int]],
    levels: list[list[tuple[tuple[int, ...], tuple[int, ...]]]],
    level: int,
    per_n: int,
    num_hidden: int,
    choice: int,
) -> list[tuple[int, int, int]]:
    """(state, remainder, type) triples of one public action: a type, -1 nothing placeable, -2 hide any, -3
    keep."""
    n, k = divmod(level, per_n)
    found: list[tuple[int, int, int]] = []
    for i, (hidden, hand) in enumerate(levels[level]):
        if choice == -3:
            found.append((i, i, -1))
        elif choice == -1:
            if not any(hand[t] and game.placeable[t] for t in range(len(hand))):
                found.append((i, i, -1))
        elif choice == -2:
            if n == 0 or k == num_hidden:
                continue
            for t in range(len(hand)):
                if hand[t] and game.placeable[t]:
                    key = (_plus(hidden, t, 1), _plus(hand, t, -1))
                    found.append((i, where[level - per_n + 1][key], t))
        elif hand[choice]:
            found.append((i, where[level - per_n][hidden, _plus(hand, choice, -1)], choice))
    return found


def _multisets(caps: tuple[int, ...], size: int) -> list[tuple[int, ...]]:
    """All count vectors of the given size within the caps, in lexicographic order."""
    if not caps:
        return [()] if size == 0 else []
    found: list[tuple[int, ...]] = []
    for first in range(min(caps[0], size) + 1):
        found.extend((first, *rest) for rest in _multisets(caps[1:], size - first))
    return found


def _plus(counts: tuple[int, ...], item: int, by: int) -> tuple[int, ...]:
    return (*counts[:item], counts[item] + by, *counts[item + 1 :])


def _support_index(actions: ActionSpace, held: F32) -> U32:
    """Support index of each state: ``((first chain count) * (max + 1) + second chain count) * 2**plain +
    bits``."""
    index = np.zeros(held.shape[0], np.int64)
    chain = [int(t) for t in actions.local_types[actions.num_plain : actions.num_plain + actions.num_chain]]
    counts = np.zeros((2, held.shape[0]), np.int64)
    for i, t in enumerate(chain):
        counts[i] = held[:, t]
    index = counts[0] * (actions.chain_max[1] + 1) + counts[1]
    index <<= actions.num_plain
    for bit in range(actions.num_plain):
        index += (held[:, actions.local_types[bit]] > 0).astype(np.int64) << bit
    numbers: U32 = index.astype(np.uint32)
    return numbers


def hand_distribution(spaces: Spaces, level: int, stock: I64) -> F64:
    """Probability of each hand of a level with nothing hidden when dealt from ``stock`` (``[T]`` counts).

    Multivariate hypergeometric: the product of binomials over the number of hands.
    """
    rows = slice(spaces.level_start[level], spaces.level_start[level + 1])
    hands = spaces.held[rows].astype(np.int64)
    ways = np.ones(hands.shape[0])
    for t in range(hands.shape[1]):
        ways *= _binomials(int(stock[t]))[hands[:, t]]
    probability: F64 = ways / ways.sum()
    return probability


def after_draw(spaces: Spaces, rest: F64, level: int, pool: I64) -> F64:
    """Push a range over remainders ``[S]`` of a level through the draw of one item, in double precision.

    ``pool``: ``[T]`` items not yet public. The sum grows by the number of items that may be drawn.
    """
    onward = level + spaces.num_hidden + 1
    rows = slice(int(spaces.level_start[onward]), int(spaces.level_start[onward + 1]))
    source = spaces.draw_source[rows]
    # Items of each type still to be drawn before this one was.
    left = np.maximum(pool[None, :] + 1.0 - spaces.away[rows], 0.0)
    drawn: F64 = np.where(source >= 0, rest[np.maximum(source, 0)] * left, 0.0).sum(axis=1)
    return drawn


def _binomials(n: int) -> F64:
    """Row n of Pascal's triangle, padded with zeros."""
    row = np.zeros(64)
    row[0] = 1.0
    for _ in range(n):
        row[1:] = row[1:] + row[:-1]
    return row
