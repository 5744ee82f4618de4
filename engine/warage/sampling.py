"""The match as solvers that sample want it: states as flat words, functions that number their moves.

The words of a state are those of `layout`, then the moves of whoever holds priority, so that they are listed
once and not at every call. An infoset key is a hash of 63 bits over all that the decider sees and knows now
(I1); how it came to that is forgotten. Deck lists are open: of another's hand and deck together it is known
which cards they are.

Not all moves are offered. Left out are what rule-based players never do either: purchases without room to be
ready (E2), pieces made unready where none of the same part waits, and sales while their owner has many HP
(`sales_below`). Who could do nothing else is not asked. So this is the whole game with some moves forbidden.

A card that is drawn is a number below the size of the deck: copies are outcomes of their own, all alike.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.jit import kernel_njit
from engine.randomness import below, mixed
from engine.warage import kernel, kernel_play, layout
from engine.warage.kernel import CHANCE, OVER
from engine.warage.kernel_moves import MOVE_WORDS
from engine.warage.kernel_rules import kernel_rules
from engine.warage.kernel_state import Words, add_to_hand, guild
from engine.warage.players import NUM_STYLE, choose, style_of
from engine.warage.recording import record
from engine.warage.reference_state import Setup
from engine.warage.rules import Rules
from engine.warage.rules_schema import MAX_CARDS, MAX_DECK
from engine.warage.styles import GREEDY, RULE_BASED, Style

MAX_MOVES = 128
"""Moves that are offered at most, in any hand that is not absurd; no deck has more cards either."""
NUM_WORDS = layout.NUM_WORDS
COUNT, MOVES = NUM_WORDS, NUM_WORDS + 1
STATE_WORDS = MOVES + MAX_MOVES * MOVE_WORDS
WORK_WORDS = 2

# In the tables, after the rules: whether allies show their hands, HP above which nothing is sold, two styles
# of rule-based players; and a random number for each word of a state.
_SALES_BELOW = layout.NUM_RULES + 1
_STYLES = _SALES_BELOW + 1
_SPREAD = _STYLES + 2 * NUM_STYLE
NUM_TABLES = _SPREAD + NUM_WORDS

SALES_BELOW = 20
_NODES_AT_MOST = 20_000
"""Nodes of a play at most. Generous: rule-based plays have 3,000 or so, and solvers stop at longer ones."""
_GAMMA = 0x9E3779B97F4A7C15 - (1 << 64)
_KEY_MASK = (1 << 63) - 1

assert max(MAX_DECK, MAX_CARDS) <= MAX_MOVES


@kernel_njit
def _hashed(tables: Words, state: Words, first: int, size: int) -> int:
    """What some words add to a key."""
    total = 0
    for word in range(first, first + size):
        total += state[word] * tables[_SPREAD + word]
    return total


@kernel_njit
def _shows(tables: Words, seat: int, player: int) -> bool:
    """Whether a hero's hand is seen by a player."""
    return seat == player or (tables[layout.NUM_RULES] == 1 and guild(tables, seat) == guild(tables, player))


@kernel_njit
def view_key(tables: Words, state: Words, player: int) -> int:
    """A hash of what the player sees and knows now (I1): the kernels' twin of `reference_view.view`.

    A sum, so that a hand and a deck of which only the cards together are known are simply added up.
    """
    total = _hashed(tables, state, layout.TURN, layout.AGENDA - layout.TURN)
    total += _hashed(tables, state, layout.AGENDA, state[layout.AGENDA_SIZE] * layout.TASK_WORDS)
    total += _hashed(tables, state, layout.QUEUE, state[layout.QUEUE_SIZE] * layout.ITEM_WORDS)
    for seat in range(tables[layout.RULE_PLAYERS]):
        base = seat * layout.HERO_WORDS
        total += _hashed(tables, state, base, layout.LIFE)
        total += _hashed(tables, state, base + layout.LIFE, state[base + layout.LIFE_SIZE])
        total += _hashed(tables, state, base + layout.PLAY, state[base + layout.PLAY_SIZE])
        total += _hashed(tables, state, base + layout.DECK, tables[layout.RULE_CARDS])
        if _shows(tables, seat, player):
            total += _hashed(tables, state, base + layout.HAND, state[base + layout.HAND_SIZE])
        else:
            for place in range(state[base + layout.HAND_SIZE]):
                total += tables[_SPREAD + base + layout.DECK + state[base + layout.HAND + place]]
    return mixed(total + _GAMMA * (player + 1))


@kernel_njit
def observe(tables: Words, state: Words, work: Words) -> int:
    """Who decides (`CHANCE`, `OVER` below 0); work[0] the number of moves, work[1] the key."""
    who = kernel.decider(state, tables)
    if who == OVER:
        return who
    if who == CHANCE:
        work[0] = kernel_play.num_ways(state, tables)
        return who
    work[0] = state[COUNT] if state[COUNT] else kernel.num_choices(state, tables)
    key = view_key(tables, state, who) & _KEY_MASK
    work[1] = key if key else 1
    return who


@kernel_njit
def apply(tables: Words, state: Words, work: Words, move: int) -> None:
    """Carry out a move, or outcome, by its number. `state` is modified in place."""
    if state[COUNT] == 0 and kernel.decider(state, tables) == CHANCE:
        kernel_play.happen(state, tables, move)
    else:
        first = MOVES + (move * MOVE_WORDS if state[COUNT] else 0)
        if state[COUNT] == 0:
            kernel.get_choice(state, tables, move, state[first : first + MOVE_WORDS])
        kernel.decide(state, tables, state[first : first + MOVE_WORDS])
    go_on(tables, state)


@kernel_njit
def go_on(tables: Words, state: Words) -> None:
    """Go on to the next node, if the words of the match are at none, and list its moves; in place."""
    listed = state[MOVES : MOVES + MAX_MOVES * MOVE_WORDS]
    count = kernel_play.play_on(state, tables, listed, int(tables[_SALES_BELOW]), True)
    state[COUNT] = min(count, MAX_MOVES)


@kernel_njit
def chance_weights(tables: Words, state: Words, work: Words, weights: NDArray[np.float64]) -> float:
    """Return 0: all outcomes are alike."""
    return 0.0


@kernel_njit
def payoffs(tables: Words, state: Words, work: Words, payoffs: NDArray[np.float64]) -> None:
    """Write what a finished match pays: 1 and -1 in a duel, shares of 1 among more."""
    kernel.payoffs(state, tables, payoffs)


@kernel_njit
def determinise(tables: Words, state: Words, work: Words, player: int, seed: int, sampled: Words) -> None:
    """Write a state that `player`, the decider, cannot tell from `state` by what it sees and knows now.

    Hands that it does not see are dealt anew from all their owner's cards that are not open; what anybody
    has done before tells nothing here. Depends on `seed` and on what the player sees, on nothing else.
    """
    for word in range(len(state)):
        sampled[word] = state[word]
    for seat in range(tables[layout.RULE_PLAYERS]):
        base = seat * layout.HERO_WORDS
        size = state[base + layout.HAND_SIZE]
        if _shows(tables, seat, player) or size == 0:
            continue
        for place in range(size):
            sampled[base + layout.DECK + state[base + layout.HAND + place]] += 1
            sampled[base + layout.HAND + place] = 0
        sampled[base + layout.HAND_SIZE], sampled[base + layout.FLASHES], sampled[base + layout.SLOTLESS] = (
            0,
            0,
            0,
        )
        left = size + state[base + layout.DECK_SIZE]
        for _ in range(size):
            seed += _GAMMA
            drawn = below(mixed(seed), left)
            card = 0
            while drawn >= sampled[base + layout.DECK + card]:
                drawn -= sampled[base + layout.DECK + card]
                card += 1
            sampled[base + layout.DECK + card] -= 1
            left -= 1
            add_to_hand(sampled, tables, seat, card)


@kernel_njit
def _styled(tables: Words, state: Words, work: Words, style: int, probabilities: NDArray[np.float64]) -> None:
    count = work[0]
    for move in range(count):
        probabilities[move] = 0.0
    place = _STYLES + style * NUM_STYLE
    moves = state[MOVES : MOVES + MAX_MOVES * MOVE_WORDS]
    probabilities[choose(state, tables, tables[place : place + NUM_STYLE], count, moves)] = 1.0


@kernel_njit
def first_style(tables: Words, state: Words, work: Words, probabilities: NDArray[np.float64]) -> None:
    """The policy of rule-based players (`players`) who go by the first style of the tables."""
    _styled(tables, state, work, 0, probabilities)


@kernel_njit
def second_style(tables: Words, state: Words, work: Words, probabilities: NDArray[np.float64]) -> None:
    """The same by the second style."""
    _styled(tables, state, work, 1, probabilities)


@dataclass(frozen=True, eq=False)
class SamplingTables:
    """A match as flat words and compiled functions; any solver that samples plays can take it.

    Attributes
    ----------
    num_players : players.
    state_words, work_words : int64 words of a state, and of scratch that every call may use.
    max_moves : moves at a decision, and outcomes at a chance node, at most.
    max_own_decisions, max_length : decisions of one player, and nodes, on a path at most.
    tables : `[T] int64`, handed to every call, read-only.
    root : `[state_words] int64`, the state in which play begins.
    observe, apply, chance_weights, payoffs, determinise : functions of this module.
    record : `engine.warage.recording.record`.
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
    record: Callable[..., Any] = record


def sampling_tables(
    rules: Rules,
    setup: Setup,
    *,
    styles: Sequence[Style] = (RULE_BASED, GREEDY),
    sales_below: int = SALES_BELOW,
) -> SamplingTables:
    """Describe a match for sampling solvers.

    Parameters
    ----------
    styles : how `first_style` and `second_style` play.
    sales_below : a hero with at most so many HP may sell; -1: nobody may.

    Raises
    ------
    ValueError
        If deck lists are not open: then nobody could say what others may hold.
    """
    if not rules.match.open_lists:
        raise ValueError("match.open_lists must be true: else nobody can say what others may hold")
    numbers = np.random.default_rng(20_111)
    spread = numbers.integers(-(2**63), 2**63 - 1, NUM_WORDS, dtype=np.int64) | 1
    tables = np.concatenate(
        (
            kernel_rules(rules, setup),
            [int(rules.match.allies_show), sales_below],
            *(style_of(style) for style in styles),
            spread,
        )
    ).astype(np.int64)
    assert len(tables) == NUM_TABLES
    root = np.zeros(STATE_WORDS, np.int64)
    kernel.start(root[:NUM_WORDS], tables)
    go_on(tables, root)
    return SamplingTables(
        num_players=len(setup.heroes),
        state_words=STATE_WORDS,
        work_words=WORK_WORDS,
        max_moves=MAX_MOVES,
        max_own_decisions=_NODES_AT_MOST,
        max_length=_NODES_AT_MOST,
        tables=tables,
        root=root,
        observe=observe,
        apply=apply,
        chance_weights=chance_weights,
        payoffs=payoffs,
        determinise=determinise,
    )
