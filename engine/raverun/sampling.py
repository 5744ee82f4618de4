"""Raverun as sampling solvers want it: states as flat words, functions that number their moves, infoset keys.

The words of a state are those of `layout`, then per player a running hash of all it has seen (`MEMORY`), and
the last thing it saw (`SEEN`). An infoset key is a hash of 63 bits; which information it covers is the choice
of `recall`: `perfect`, everything the decider ever saw; or `view`, an abstraction that forgets the past and
keeps what it sees and knows now (V4: all stacks, battlefields, its hand, and the face-down cards whose place
it knows).

Between a move and what its owner learns by it stands a node of chance with one outcome (`reveals`), which the
reference and the kernel do not have.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from engine.jit import kernel_njit
from engine.randomness import below, mixed
from engine.raverun import kernel, layout
from engine.raverun.card_sets import SET_MASK, count, lowest, nth
from engine.raverun.features import MAX_ACTIVE, NUM_FEATURES, features
from engine.raverun.kernel_rules import kernel_rules
from engine.raverun.openness import is_open
from engine.raverun.places import place, position
from engine.raverun.recording import record
from engine.raverun.renaming import NUM_NAMES, renamed, renamed_move, renaming
from engine.raverun.reveals import hold_back, is_reveal, reveal
from engine.raverun.rules import Rules

Words = NDArray[np.int64]
RECALLS = ("perfect", "view")

NUM_WORDS = layout.NUM_WORDS
MEMORY, SEEN = NUM_WORDS, NUM_WORDS + layout.MAX_PLAYERS
STATE_WORDS = SEEN + layout.MAX_PLAYERS
WORK_WORDS = 2 + NUM_WORDS
"""What `observe` leaves, and room for policies to try a move (`greedy`)."""
"""In the tables, after the rules: which recall, an index of `RECALLS`."""
_PERFECT = RECALLS.index("perfect")
_NODES_A_CARD = 64
"""Nodes of a play at most, by card. Generous, not proved for every variant: random plays of the box have 71
at most, and solvers stop at a longer play with an error."""

_BATTLE, _TOP, _CHOSEN = layout.BATTLEFIELD.offset, layout.TOP.offset, layout.CHOSEN.offset
_KNOWN, _GOING, _ACTING = layout.KNOWN.offset, layout.GOING.offset, layout.ACTING.offset
_HIDDEN, _CARD_MASK = layout.HIDDEN_ORDER.offset, layout.TOP.mask
_PHASE_MASK = layout.PHASE.mask
_HALF = layout.CARDS_A_WORD // 2
_HALF_SHIFT = _HALF * layout.POSITIONS.stride
_HALF_MASK = (1 << _HALF) - 1
_GAMMA = 0x9E3779B97F4A7C15 - (1 << 64)
_KEY_MASK = (1 << 63) - 1

assert _HALF == 6, "RULE_SPREAD spreads six cards"


@kernel_njit
def _folded(digest: int, word: int) -> int:
    """A hash of everything so far and one word more; the order counts."""
    return mixed(digest + _GAMMA ^ word)


@kernel_njit
def _spread(tables: Words, cards: int) -> int:
    """All bits of the positions of some of the twelve cards of a word."""
    low = tables[layout.RULE_SPREAD + (cards & _HALF_MASK)]
    return int(low | tables[layout.RULE_SPREAD + (cards >> _HALF & _HALF_MASK)] << _HALF_SHIFT)


@kernel_njit
def view_key(tables: Words, state: Words, player: int) -> int:
    """A hash of all the player sees and knows now: the kernels' twin of `reference_view.view`."""
    flow = state[layout.FLOW]
    own, heap = state[layout.PLAYER + player], state[layout.STACK + player]
    deck = state[layout.DECK] & SET_MASK
    going = state[layout.DECK] >> _GOING & SET_MASK
    acting = flow >> _ACTING & 3
    known = heap >> _KNOWN & SET_MASK
    own_going = going if acting == player else 0
    digest = _folded(_folded(_folded(player, flow), own), heap)
    digest = _folded(digest, count(deck) << 24 | own_going)
    # Positions: in the deck what it knows, in stacks all but what a shuffle hid from it.
    placed = heap & SET_MASK | known & deck
    for other in range(tables[layout.RULE_NUM_PLAYERS]):
        if other == player:
            continue
        side, stack = state[layout.PLAYER + other], state[layout.STACK + other] & SET_MASK
        # Cards on their way under the deck still count as held (2).
        held = side & SET_MASK | (going if acting == other else 0)
        digest = _folded(
            digest,
            held & known
            | (side >> _BATTLE & SET_MASK) << 24
            | (side >> _TOP & _CARD_MASK) << 48
            | count(held) << 53,
        )
        exposed = state[layout.STACK + other] >> _KNOWN & (own & SET_MASK | own_going)
        digest = _folded(digest, stack | exposed << 24)
        placed |= stack & ~(flow >> _HIDDEN)
    digest = _folded(digest, state[layout.POSITION] & _spread(tables, placed))
    return _folded(digest, state[layout.POSITION + 1] & _spread(tables, placed >> layout.CARDS_A_WORD))


@kernel_njit
def observe(tables: Words, state: Words, work: Words) -> int:
    """Who decides (`kernel.CHANCE`, `kernel.OVER` below 0); work[0] the number of moves, work[1] the key."""
    decider = kernel.decider(state)
    if decider == kernel.OVER:
        return decider
    if is_reveal(state):
        work[0] = 1
        return decider
    work[0] = kernel.num_outcomes(state, tables)
    if decider >= 0:
        if tables[layout.NUM_RULES] == _PERFECT:
            seen = state[MEMORY + decider]
        else:
            seen = view_key(tables, state, decider)
        key = _folded(seen, decider) & _KEY_MASK
        work[1] = key if key else 1
    return decider


@kernel_njit
def apply(tables: Words, state: Words, work: Words, move: int) -> None:
    """Carry out a move, or outcome, by its number. `state` is modified in place."""
    if is_reveal(state):
        reveal(tables, state)
        kernel.advance(state, tables)
    else:
        flow, by_chance = state[layout.FLOW], kernel.decider(state) == kernel.CHANCE
        if kernel.carry_out(state, tables, move):
            if not by_chance and hold_back(tables, state, flow):
                return  # and nobody remembers the moment between
            kernel.advance(state, tables)
    # In which order a hand was dealt makes no difference and is not remembered.
    if tables[layout.NUM_RULES] == _PERFECT and kernel.phase(state) != layout.DEAL:
        remember(tables, state)


@kernel_njit
def remember(tables: Words, state: Words) -> None:
    """Add to each player's memory what it sees now, unless it is what it saw before. Modified in place.

    How often nothing changed for it is nothing it can see: others choose hidden cards one by one (2).
    """
    for player in range(tables[layout.RULE_NUM_PLAYERS]):
        seen = view_key(tables, state, player)
        if seen != state[SEEN + player]:
            state[SEEN + player] = seen
            state[MEMORY + player] = _folded(state[MEMORY + player], seen)


@kernel_njit
def chance_weights(tables: Words, state: Words, work: Words, weights: NDArray[np.float64]) -> float:
    """Write the weights of a chance node's outcomes, all alike; returns their sum."""
    total = 1 if is_reveal(state) else count(kernel.chance_cards(state))
    for index in range(total):
        weights[index] = 1.0
    return float(total)


@kernel_njit
def payoffs(tables: Words, state: Words, work: Words, payoffs: NDArray[np.float64]) -> None:
    """Write what a finished game pays each player (A2)."""
    num_players = tables[layout.RULE_NUM_PLAYERS]
    best = kernel.winner(state, tables)
    for player in range(num_players):
        if best < 0:
            payoffs[player] = 0.0
        else:
            payoffs[player] = 1.0 if player == best else -1.0 / (num_players - 1)


@kernel_njit
def determinise(tables: Words, state: Words, work: Words, player: int, seed: int, sampled: Words) -> None:
    """Write a state that `player`, the decider, cannot tell from `state` by what it sees and knows now.

    Cards whose place it does not know are spread evenly over the places it does not know: other hands, unseen
    first choices, the deck, and hidden places of shuffled stacks. What others know beyond what all have seen
    is forgotten. Depends on `seed` and on what the player sees, on nothing else.
    """
    for word in range(len(state)):
        sampled[word] = state[word]
    num_players = tables[layout.RULE_NUM_PLAYERS]
    own, deck = state[layout.PLAYER + player], state[layout.DECK] & SET_MASK
    known = state[layout.STACK + player] >> _KNOWN & SET_MASK
    held = own & SET_MASK | state[layout.DECK] >> _GOING & SET_MASK
    pool = (1 << tables[layout.RULE_NUM_CARDS]) - 1 & ~(held | known)
    pool &= ~(1 << (own >> _CHOSEN & _CARD_MASK))
    for other in range(num_players):
        pool &= (
            ~(state[layout.PLAYER + other] >> _BATTLE | state[layout.STACK + other]) | -1 << layout.MAX_CARDS
        )
    pool &= SET_MASK
    for other in range(num_players):
        if other == player:
            continue
        side = state[layout.PLAYER + other]
        hand = side & SET_MASK
        kept = hand & known
        for _ in range(count(hand) - count(kept)):
            seed += _GAMMA
            card = nth(pool, below(mixed(seed), count(pool)))
            pool ^= 1 << card
            kept |= 1 << card
        side = side & ~SET_MASK | kept
        if state[layout.FLOW] & _PHASE_MASK == layout.BID and side >> _CHOSEN & _CARD_MASK != layout.NO_CARD:
            seed += _GAMMA
            card = nth(pool, below(mixed(seed), count(pool)))
            pool ^= 1 << card
            side = side & ~(_CARD_MASK << _CHOSEN) | card << _CHOSEN
        sampled[layout.PLAYER + other] = side
        seen_by_all = (held | known) << _KNOWN
        sampled[layout.STACK + other] = state[layout.STACK + other] & (SET_MASK | seen_by_all)
        hidden = state[layout.STACK + other] & state[layout.FLOW] >> _HIDDEN & SET_MASK
        seed = _rearrange(state, sampled, hidden, hidden, seed)
    unknown = deck & ~known
    sampled[layout.DECK] = state[layout.DECK] & ~unknown | pool
    for card in range(layout.MAX_CARDS):
        if (unknown & ~pool) >> card & 1:
            place(sampled, card, 0)
    _rearrange(state, sampled, unknown, pool, seed)


@kernel_njit
def _rearrange(state: Words, sampled: Words, before: int, after: int, seed: int) -> int:
    """Spread the cards `after` over the positions that as many cards `before` have in `state`.

    `sampled` is modified in place; returns the seed for what comes next. Positions are taken in ascending
    order, so that nothing depends on which card had which.
    """
    where = 0
    while after:
        left = before
        while left:
            if position(state, lowest(left)) == where:
                seed += _GAMMA
                card = nth(after, below(mixed(seed), count(after)))
                after ^= 1 << card
                place(sampled, card, where)
            left &= left - 1
        where += 1
    return seed


@dataclass(frozen=True, eq=False)
class SamplingTables:
    """A game as flat words and compiled functions; any solver that samples plays can take it.

    Attributes
    ----------
    num_players : players.
    state_words, work_words : int64 words of a state, and of scratch that every call may use.
    max_moves : moves at a decision, and outcomes at a chance node, at most.
    max_own_decisions, max_length : decisions of one player, and nodes, on a path at most.
    tables : `[T] int64`, handed to every call, read-only.
    root : `[state_words] int64`, the state in which play begins.
    observe, apply, chance_weights, payoffs : functions of this module.
    determinise : the same, None with perfect recall: a memory cannot be made up.
    features, num_features, max_active : what a player sees as facts (`features.features`), how many there
        are, and how many are true at once at most.
    is_open : whether nothing hidden matters any more (`openness.is_open`), None for more than two players:
        then the rest has no single value.
    num_names, renaming, renamed, renamed_move : past states as if hidden cards had been others (`renaming`).
    record : `engine.raverun.recording.record`.
    """

    num_players: int
    state_words: int
    work_words: int
    max_moves: int
    max_own_decisions: int
    max_length: int
    tables: Words
    root: Words
    observe: Callable[..., Any]
    apply: Callable[..., Any]
    chance_weights: Callable[..., Any]
    payoffs: Callable[..., Any]
    determinise: Callable[..., Any] | None
    features: Callable[..., Any]
    num_features: int
    max_active: int
    is_open: Callable[..., Any] | None
    num_names: int = NUM_NAMES
    renaming: Callable[..., Any] = renaming
    renamed: Callable[..., Any] = renamed
    renamed_move: Callable[..., Any] = renamed_move
    record: Callable[..., Any] = record


def sampling_tables(
    rules: Rules, num_players: int = 2, recall: Literal["perfect", "view"] = "perfect"
) -> SamplingTables:
    """Describe a game for sampling solvers.

    Parameters
    ----------
    recall : what infosets keep apart, see the module.

    Raises
    ------
    ValueError
        If so many cannot play with these rules, or for an unknown `recall`.
    """
    if recall not in RECALLS:
        raise ValueError(f"recall must be one of {', '.join(RECALLS)}, not {recall!r}")
    compiled = kernel_rules(rules, num_players)
    tables = np.concatenate((compiled, [RECALLS.index(recall)])).astype(np.int64)
    root = np.zeros(STATE_WORDS, np.int64)
    kernel.start(root, tables)
    length = _NODES_A_CARD * rules.num_cards
    return SamplingTables(
        num_players=num_players,
        state_words=STATE_WORDS,
        work_words=WORK_WORDS,
        max_moves=kernel.MAX_MOVES,
        max_own_decisions=length,
        max_length=length,
        tables=tables,
        root=root,
        observe=observe,
        apply=apply,
        chance_weights=chance_weights,
        payoffs=payoffs,
        determinise=determinise if recall != "perfect" else None,
        features=features,
        num_features=NUM_FEATURES,
        max_active=MAX_ACTIVE,
        is_open=is_open if num_players == 2 else None,
    )
