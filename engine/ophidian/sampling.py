"""The whole game as sampling solvers want it: flat words, numbered moves, infoset keys.

The words of a state are those of `layout`, and two more. The first is the last wave that is played
(`HORIZON`), 0 for the whole match. A search sets it: its plays then end with a wave, and `judging.judge` says
what that is worth, an estimate. In a game of several matches, to learn from all of them, it is below 0 until
chance has drawn one. The second is used by games that wait (`WAITS_AT`), for players who look one move ahead:
there a move is carried out by a chance node of one outcome, since what follows may show who holds a response.

An infoset key is a hash of all that the decider sees and knows now; the past beyond that is forgotten.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.jit import kernel_njit
from engine.ophidian import kernel, layout
from engine.ophidian.abilities import MAX_ABILITIES
from engine.ophidian.features import MAX_ACTIVE, NUM_FEATURES, features
from engine.ophidian.judging import judge
from engine.ophidian.kernel_rules import kernel_rules
from engine.ophidian.kernel_state import Words, fighter_at, team_size
from engine.ophidian.recording import record
from engine.ophidian.reference import Seat
from engine.ophidian.rules import Rules
from engine.ophidian.rules_schema import MAX_MINIONS, MAX_TEAM
from engine.ophidian.trying import MOVE_AT, PENDING_AT, TRIED_AT, WEIGHTS_AT, WORK_WORDS
from engine.randomness import below, mixed

NUM_WORDS = layout.NUM_WORDS
HORIZON = NUM_WORDS
STATE_WORDS = NUM_WORDS + 2
WAITS_AT = layout.NUM_RULES
"""In the tables, after the rules: 1 if moves are carried out by chance."""
NUM_ROOTS_AT = WAITS_AT + 1
"""After that: how many matches there are, and the words in which each begins."""
UNDRAWN = -1
MAX_LENGTH = 50_000
"""Nodes of a play, generous: those of the box have some 300."""

_OVER, _CHANCE = kernel.OVER, kernel.CHANCE
_NUM_ROOTS = NUM_ROOTS_AT
_WAITS, _PENDING = WAITS_AT, PENDING_AT
_GAMMA = 0x9E3779B97F4A7C15 - (1 << 64)
_KEY_MASK = (1 << 63) - 1


@kernel_njit
def is_over(state: Words) -> bool:
    """Whether the match, or the last wave that is played, has ended."""
    return kernel.is_over(state) or bool(0 < state[HORIZON] < state[layout.WAVE])


@kernel_njit
def _folded(digest: int, word: int) -> int:
    """A hash of everything so far and one word more; the order counts."""
    digest = (digest ^ word) * _GAMMA
    return digest ^ (digest >> 29 & (1 << 35) - 1)


@kernel_njit
def view_key(tables: Words, state: Words, player: int) -> int:
    """A hash of all the player sees and knows now: the kernels' twin of `reference_view.view`."""
    digest = _folded(1, player)
    for side in range(2):
        base = side * layout.PLAYER_WORDS
        for word in range(base, base + layout.HAND):
            digest = _folded(digest, state[word])
        for word in range(base + layout.STACK_SIZE, base + layout.STACK_SIZE + 1):
            digest = _folded(digest, state[word])
        own = side == player
        unseen_bottom = 0 if own else int(state[base + layout.BOTTOM_SIZE])
        for card in range(tables[layout.RULE_CARDS]):
            hand, deck = state[base + layout.HAND + card], state[base + layout.DECK + card]
            if not own:
                for place in range(unseen_bottom):
                    deck += int(state[base + layout.BOTTOM + place] == card)
                hand, deck = 0, hand + deck
            if hand + deck:
                digest = _folded(digest, card << 16 | hand << 8 | deck)
        if own:
            for place in range(state[base + layout.BOTTOM_SIZE]):
                digest = _folded(digest, state[base + layout.BOTTOM + place])
        for index in range(team_size(state, side)):
            fighter = fighter_at(side, index)
            for word in range(fighter, fighter + layout.PUMPS):
                digest = _folded(digest, state[word])
            packed = 0
            for word in range(fighter + layout.PUMPS, fighter + layout.CHANGES):
                packed = packed << 8 | state[word]
            digest = _folded(digest, packed)
            packed = 0
            for word in range(fighter + layout.CHANGES, fighter + layout.FIGHTER_WORDS):
                packed = packed * 131 + state[word]
            digest = _folded(digest, packed)
    for word in range(layout.CHEER, layout.PAST):
        digest = _folded(digest, state[word])
    return mixed(digest)


@kernel_njit
def observe(tables: Words, state: Words, work: Words) -> int:
    """Who decides (`kernel.CHANCE`, `kernel.OVER` below 0); work[0] the number of moves, work[1] the key."""
    if is_over(state):
        return _OVER
    if state[HORIZON] < 0:
        work[0] = tables[_NUM_ROOTS]
        return _CHANCE
    if state[_PENDING]:
        work[0] = 1
        return _CHANCE
    work[0] = kernel.num_outcomes(state, tables)
    decider = kernel.decider(state, tables)
    if decider >= 0:
        key = view_key(tables, state, decider) & _KEY_MASK
        work[1] = key if key else 1
    return decider


@kernel_njit
def apply(tables: Words, state: Words, work: Words, move: int) -> None:
    """Carry out a move, or outcome, by its number. `state` is modified in place."""
    if state[HORIZON] < 0:
        first = _NUM_ROOTS + 1 + move * STATE_WORDS
        for word in range(STATE_WORDS):
            state[word] = tables[first + word]
        return
    if state[_PENDING]:
        move = state[_PENDING] - 1
        state[_PENDING] = 0
    elif tables[_WAITS] and kernel.decider(state, tables) >= 0:
        state[_PENDING] = move + 1
        return
    written = work[MOVE_AT : MOVE_AT + layout.MOVE_WORDS]
    kernel.transition(state, tables, move, written, work[WEIGHTS_AT:TRIED_AT])


@kernel_njit
def chance_weights(tables: Words, state: Words, work: Words, weights: NDArray[np.float64]) -> float:
    """Write the weights of a chance node's outcomes; returns their sum."""
    if state[HORIZON] < 0 or state[_PENDING]:
        return 0.0
    numbers = work[WEIGHTS_AT:TRIED_AT]
    total = kernel.chance_weights(state, tables, numbers)
    for index in range(kernel.num_outcomes(state, tables)):
        weights[index] = numbers[index]
    return float(total)


@kernel_njit
def payoffs(tables: Words, state: Words, work: Words, payoffs: NDArray[np.float64]) -> None:
    """Write what a finished match pays, or what the end of the last wave is judged to be worth."""
    if kernel.is_over(state):
        kernel.payoffs(state, tables, payoffs)
    else:
        payoffs[0] = judge(state, tables)
        payoffs[1] = -payoffs[0]


@kernel_njit
def determinise(tables: Words, state: Words, work: Words, player: int, seed: int, sampled: Words) -> None:
    """Write a state that `player`, the decider, cannot tell from `state`.

    The other's cards that it has not seen are dealt anew: hand, what lies under the deck, deck. Depends on
    `seed` and on what the player sees, on nothing else.
    """
    for word in range(len(state)):
        sampled[word] = state[word]
    base = (1 - player) * layout.PLAYER_WORDS
    for card in range(tables[layout.RULE_CARDS]):
        sampled[base + layout.DECK + card] += state[base + layout.HAND + card]
        sampled[base + layout.HAND + card] = 0
    for place in range(state[base + layout.BOTTOM_SIZE]):
        sampled[base + layout.DECK + state[base + layout.BOTTOM + place]] += 1
    total = state[base + layout.DECK_SIZE] + state[base + layout.HAND_SIZE] + state[base + layout.BOTTOM_SIZE]
    for number in range(state[base + layout.HAND_SIZE] + state[base + layout.BOTTOM_SIZE]):
        seed += _GAMMA
        left, card = below(mixed(seed), total), 0
        while left >= sampled[base + layout.DECK + card]:
            left -= sampled[base + layout.DECK + card]
            card += 1
        sampled[base + layout.DECK + card] -= 1
        total -= 1
        if number < state[base + layout.HAND_SIZE]:
            sampled[base + layout.HAND + card] += 1
        else:
            sampled[base + layout.BOTTOM + number - state[base + layout.HAND_SIZE]] = card


@dataclass(frozen=True, eq=False)
class SamplingTables:
    """A match as flat words and compiled functions; any solver that samples plays can take it.

    Attributes
    ----------
    num_players : 2.
    state_words, work_words : int64 words of a state, and of scratch that every call may use.
    max_moves : moves at a decision, and outcomes at a chance node, at most.
    max_own_decisions, max_length : decisions of one player, and nodes, on a path at most.
    tables : `[T] int64`, handed to every call, read-only.
    root : `[state_words] int64`, the state in which play begins.
    num_features, max_active : facts that a player may see, and those true at once, at most.
    observe, apply, chance_weights, payoffs, determinise : functions of this module.
    features, record : `engine.ophidian.features.features`, `engine.ophidian.recording.record`.
    """

    tables: Words
    root: Words
    max_moves: int
    num_players: int = 2
    state_words: int = STATE_WORDS
    work_words: int = WORK_WORDS
    max_own_decisions: int = MAX_LENGTH
    max_length: int = MAX_LENGTH
    num_features: int = NUM_FEATURES
    max_active: int = MAX_ACTIVE
    observe: Callable[..., Any] = observe
    apply: Callable[..., Any] = apply
    chance_weights: Callable[..., Any] = chance_weights
    payoffs: Callable[..., Any] = payoffs
    determinise: Callable[..., Any] = determinise
    features: Callable[..., Any] = features
    record: Callable[..., Any] = record


def most_moves(rules: Rules, seats: Sequence[Seat]) -> int:
    """How many moves a decision can have at most: actions, or placements."""
    alive = MAX_TEAM + MAX_MINIONS
    most: int = 2**alive
    for seat in seats:
        actions = alive * alive + alive + 1 + alive * MAX_ABILITIES * 2 * alive
        for card, copies in zip(rules.cards, seat.deck, strict=True):
            if copies:
                payers = MAX_TEAM if any(each.cost.wound for each in card.abilities) else 1
                actions += payers * 2 * alive
        most = max(most, actions)
    return most


def sampling_tables(rules: Rules, seats: Sequence[Seat], *, waits: bool = False) -> SamplingTables:
    """Describe a match for sampling solvers.

    Parameters
    ----------
    waits
        Whether a move is carried out by a chance node of one outcome: for players who look one move ahead.
    """
    tables = np.concatenate([kernel_rules(rules, seats), np.array([waits, 0], np.int64)])
    root = np.zeros(STATE_WORDS, np.int64)
    kernel.start(root[:NUM_WORDS], tables)
    return SamplingTables(tables=tables, root=root, max_moves=most_moves(rules, seats))


def several_matches(rules: Rules, pairs: Sequence[Sequence[Seat]]) -> SamplingTables:
    """Describe several matches by the same rules as one game that waits: chance draws one of them.

    The tables' seats are those of the first pair; once play has begun no function looks at them.
    """
    games = [sampling_tables(rules, seats, waits=True) for seats in pairs]
    tables = np.concatenate([games[0].tables, *(game.root for game in games)])
    tables[NUM_ROOTS_AT] = len(games)
    root = np.zeros(STATE_WORDS, np.int64)
    root[HORIZON] = UNDRAWN
    most = max(len(games), *(game.max_moves for game in games))
    return SamplingTables(tables=tables, root=root, max_moves=most)
