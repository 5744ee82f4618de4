"""The match as solvers that sample want it: states as flat words, functions that number their moves.

The words of a state are those of `layout`, then those of `sampling_layout`. An infoset key is a hash of 63
bits over all that the decider sees and knows now; how it came to that is forgotten (the cards nobody has
seen of each side are known, in whatever order the others were played).

Two who choose at once (M2, K1, K6, K8) choose one after the other here, the second without seeing what the
first has chosen. After each choice comes a node of chance with one outcome, which the rules do not have: what
a choice brings to light is not seen with the choice. The last of these nodes carries out what was chosen.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.jit import kernel_njit
from engine.protocol import CHANCE, OVER
from engine.ragers import kernel, layout
from engine.ragers.facts import MAX_ACTIVE, NUM_FEATURES, facts
from engine.ragers.kernel_rules import kernel_rules
from engine.ragers.known_hands import narrow
from engine.ragers.redeals import redeal
from engine.ragers.resolve import NOTHING
from engine.ragers.rules import NUM_TYPES, Rules
from engine.ragers.sampling_layout import (
    ALL_TYPES,
    BURIED,
    CHOICE,
    CHOSEN,
    FIRST,
    HIDDEN,
    MADE_OF,
    NOT_CHOSEN,
    NUM_WORDS,
    PATRONS,
    PAUSED,
)
from engine.randomness import mixed

Words = NDArray[np.int64]

STATE_WORDS = NUM_WORDS
WORK_WORDS = 3 + 2 * STATE_WORDS
"""What `observe` leaves, and room to try moves in."""

_PATRON_SHIFT, _PATRON_MASK = layout.PATRON.offset, layout.PATRON.mask
_CARD_MASK = layout.CARDS.mask
_CHOSEN_STRIDE, _CHOSEN_MASK = CHOSEN.stride, CHOSEN.mask
_FIRST, _PAUSED = 1 << FIRST.offset, 1 << PAUSED.offset
_PATRONS_STRIDE = PATRONS.stride
_MADE_OF, _MADE_OF_WIDTH = MADE_OF.offset, MADE_OF.width
_BOTH_CHOICES = _CHOSEN_MASK << _CHOSEN_STRIDE | _CHOSEN_MASK
_NONE_CHOSEN = NOT_CHOSEN << _CHOSEN_STRIDE | NOT_CHOSEN
_GAMMA = 0x9E3779B97F4A7C15 - (1 << 64)
_KEY_MASK = (1 << 63) - 1

assert CHOSEN.offset == 0


@kernel_njit
def _folded(digest: int, word: int) -> int:
    """A hash of everything so far and one word more; the order counts."""
    return mixed(digest + _GAMMA ^ word)


@kernel_njit
def chosen(state: Words, player: int) -> int:
    """What the player has chosen, `NOT_CHOSEN` before it has."""
    return int(state[CHOICE] >> _CHOSEN_STRIDE * player & _CHOSEN_MASK)


@kernel_njit
def decider(state: Words) -> int:
    """Who decides: 0, 1, `CHANCE` or `OVER`."""
    if kernel.is_over(state):
        return OVER
    acting = kernel.deciders(state)
    if acting == 0 or state[CHOICE] & _PAUSED:
        return CHANCE
    player = int(state[CHOICE] & _FIRST != 0) if acting == 3 else acting >> 1
    return player if chosen(state, player) == NOT_CHOSEN else 1 - player


@kernel_njit
def view_key(state: Words, player: int) -> int:
    """A hash of all the player sees and knows now."""
    opp = 1 - player
    digest = _folded(_folded(player, state[layout.FLOW]), state[layout.TABLE])
    digest = _folded(_folded(digest, state[layout.ROW]), state[layout.ROW + 1])
    digest = _folded(_folded(digest, state[layout.HAND + player]), state[layout.DECK + player])
    digest = _folded(_folded(digest, state[HIDDEN + player]), state[BURIED + player])
    # The cards of the other one that nobody has seen, wherever they are; its cheers cards are in that word.
    digest = _folded(digest, state[layout.HAND + opp] + state[layout.DECK + opp] + state[HIDDEN + opp])
    sizes = kernel.total(state[layout.HAND + opp]) << 8 | kernel.total(state[layout.DECK + opp])
    digest = _folded(_folded(digest, sizes), state[BURIED + opp])
    return _folded(digest, state[CHOICE] >> _MADE_OF)


@kernel_njit
def observe(tables: Words, state: Words, work: Words) -> int:
    """Who decides (`CHANCE`, `OVER` below 0); work[0] the number of moves, work[1] the key."""
    who = decider(state)
    if who == OVER:
        return who
    if who == CHANCE:
        work[0] = 1
        if not state[CHOICE] & _PAUSED:
            work[0] = _num_outcomes(state)
        return who
    mask = kernel.legal_mask(state, tables, who)
    count = 0
    while mask:
        count += 1
        mask &= mask - 1
    work[0] = count
    key = view_key(state, who) & _KEY_MASK
    work[1] = key if key else 1
    return who


@kernel_njit
def _num_outcomes(state: Words) -> int:
    player = kernel.drawing(state)
    if player >= 0:
        return kernel.total(kernel.support(state[layout.DECK + player]))
    left = kernel.pile(state)
    count = 0
    while left:
        count += 1
        left &= left - 1
    return count


@kernel_njit
def _nth_bit(bits: int, index: int) -> int:
    """Number of the bit at a position among those that are set."""
    for _ in range(index):
        bits &= bits - 1
    number = 0
    while not bits >> number & 1:
        number += 1
    return number


@kernel_njit
def action(tables: Words, state: Words, player: int, move: int) -> int:
    """The action that a number means: types, and keeping the hand, in ascending order."""
    return _nth_bit(kernel.legal_mask(state, tables, player), move)


@kernel_njit
def apply(tables: Words, state: Words, work: Words, move: int) -> None:
    """Carry out a move, or outcome, by its number. `state` is modified in place."""
    choice = state[CHOICE]
    if choice & _PAUSED:
        state[CHOICE] = choice & ~_PAUSED
        acting = kernel.deciders(state)
        for player in range(2):
            if acting >> player & 1 and chosen(state, player) == NOT_CHOSEN:
                return
        _carry_out(tables, state, work)
        return
    who = decider(state)
    if who != CHANCE:
        shift = _CHOSEN_STRIDE * who
        picked = action(tables, state, who, move)
        state[CHOICE] = choice & ~(_CHOSEN_MASK << shift) | picked << shift | _PAUSED
        return
    player = kernel.drawing(state)
    if player < 0:
        _transition(tables, state, work, _nth_bit(kernel.pile(state), move), NOTHING)
        return
    # Of a hand that a card comes to, nothing is known for sure any more.
    state[CHOICE] = choice | ALL_TYPES << _MADE_OF + _MADE_OF_WIDTH * player
    card = kernel.nth_card(kernel.support(state[layout.DECK + player]), move)
    _transition(tables, state, work, card, NOTHING)


@kernel_njit
def _carry_out(tables: Words, state: Words, work: Words) -> None:
    """Both choices, revealed together; nobody has chosen then. Modified in place."""
    first, second = chosen(state, 0), chosen(state, 1)
    first = NOTHING if first == NOT_CHOSEN else first
    second = NOTHING if second == NOT_CHOSEN else second
    state[CHOICE] = state[CHOICE] & ~(_BOTH_CHOICES | _FIRST) | _NONE_CHOSEN
    if kernel.phase(state) == layout.PHASE_DEADEYE:
        patron = state[layout.TABLE] >> _PATRON_SHIFT & _PATRON_MASK
        for player in range(2):
            card = second if player else first
            if card != NOTHING:
                laid = kernel.total(state[HIDDEN + player])
                state[HIDDEN + player] += 1 << card * layout.COUNT_STRIDE
                state[BURIED + player] |= patron << _PATRONS_STRIDE * laid
    _transition(tables, state, work, first, second)


@kernel_njit
def _transition(tables: Words, state: Words, work: Words, first: int, second: int) -> None:
    """Carry out a move of the rules, and note what it tells of hands. `state` is modified in place."""
    before = work[: layout.NUM_WORDS]
    for word in range(layout.NUM_WORDS):
        before[word] = state[word]
    kernel.transition(state, tables, first, second)
    if kernel.drawing(state) < 0:
        narrow(tables, state, before, work[layout.NUM_WORDS : 2 * layout.NUM_WORDS], first, second)


@kernel_njit
def chance_weights(tables: Words, state: Words, work: Words, weights: NDArray[np.float64]) -> float:
    """Write the weights of a chance node's outcomes and return their sum, or return 0 if all are alike."""
    player = kernel.drawing(state)
    if player < 0 or state[CHOICE] & _PAUSED:
        return 0.0
    deck = state[layout.DECK + player]
    used, total = 0, 0
    for card in range(NUM_TYPES):
        copies = deck >> card * layout.COUNT_STRIDE & _CARD_MASK
        if copies:
            weights[used] = copies
            used += 1
            total += copies
    return float(total)


@kernel_njit
def payoffs(tables: Words, state: Words, work: Words, payoffs: NDArray[np.float64]) -> None:
    """Write what a finished match pays each player: 1 to the winner, -1 to the other (M3)."""
    won = kernel.winner(state) == 0
    payoffs[0] = 1.0 if won else -1.0
    payoffs[1] = -payoffs[0]


@kernel_njit
def determinise(tables: Words, state: Words, work: Words, player: int, seed: int, sampled: Words) -> None:
    """Write a state that `player`, the decider, cannot tell from `state` by what it sees and knows now.

    The cards of the other one that nobody has seen are dealt anew over its hand, its deck and its hidden
    cards (`redeals.redeal`); the order in which cards were played, or why, tells nothing here. Where both
    choose, `player` chooses first in it: what the other one has chosen would have to be made up. Depends on
    `seed` and on what the player sees, on nothing else.
    """
    for word in range(len(state)):
        sampled[word] = state[word]
    sampled[CHOICE] = sampled[CHOICE] & ~(_BOTH_CHOICES | _FIRST) | _NONE_CHOSEN | _FIRST * player
    redeal(tables, sampled, 1 - player, seed)


@dataclass(frozen=True, eq=False)
class SamplingTables:
    """A match as flat words and compiled functions; any solver that samples plays can take it.

    Attributes
    ----------
    num_players : two.
    state_words, work_words : int64 words of a state, and of scratch that every call may use.
    max_moves : moves at a decision, and outcomes at a chance node, at most.
    max_own_decisions, max_length : decisions of one player, and nodes, on a path at most.
    tables : `[T] int64`, the rules of `kernel_rules`, handed to every call, read-only.
    root : `[state_words] int64`, the state in which play begins.
    observe, apply, chance_weights, payoffs, determinise : functions of this module.
    features, num_features, max_active : what a player sees as facts (`facts.facts`), how many there are, and
        how many are true at once at most.
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
    determinise: Callable[..., Any]
    features: Callable[..., Any]
    num_features: int
    max_active: int


def sampling_tables(rules: Rules) -> SamplingTables:
    """Describe the match for sampling solvers.

    Raises
    ------
    ValueError
        If the rules exceed what the bit layout holds.
    """
    tables = kernel_rules(rules)
    root = np.zeros(STATE_WORDS, np.int64)
    kernel.start(root, tables)
    root[CHOICE] = no_choices()
    days = rules.match.days
    cards = [sum(card.copies[side] for card in rules.cards) for side in (0, 1)]
    # Each card is placed or discarded at most once, and a player may keep its hand once a day.
    decisions = [count + days for count in cards]
    return SamplingTables(
        num_players=2,
        state_words=STATE_WORDS,
        work_words=WORK_WORDS,
        max_moves=max(kernel.MAX_OUTCOMES, NOTHING + 1),
        max_own_decisions=max(decisions),
        max_length=sum(cards) + 2 * days + 2 * sum(decisions) + 1,
        tables=tables,
        root=root,
        observe=observe,
        apply=apply,
        chance_weights=chance_weights,
        payoffs=payoffs,
        determinise=determinise,
        features=facts,
        num_features=NUM_FEATURES,
        max_active=MAX_ACTIVE,
    )


def no_choices() -> int:
    """The word `CHOICE` before anybody has chosen, with hands of which nothing is known."""
    return _NONE_CHOSEN | ALL_TYPES << _MADE_OF | ALL_TYPES << _MADE_OF + _MADE_OF_WIDTH


def sampled_words(words: Words) -> Words:
    """Words of a match in which nothing was laid down hidden yet, as those of a sampled one; a new array."""
    state = np.zeros(STATE_WORDS, np.int64)
    state[: layout.NUM_WORDS] = words
    state[CHOICE] = no_choices()
    return state
