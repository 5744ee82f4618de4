"""Whole matches between rule-based players, by the hundred thousand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.jit import kernel_njit
from engine.randomness import mixed
from engine.warage import layout
from engine.warage.kernel import (
    CHANCE,
    MAX_OUTCOMES,
    NUM_WORDS,
    carry_out,
    decider,
    is_over,
    num_outcomes,
    start,
    transition,
    winners,
)
from engine.warage.kernel_moves import EVERY_BUT_SALES, MOVE_WORDS, priority_moves
from engine.warage.kernel_rules import KernelRules
from engine.warage.kernel_state import Words, task
from engine.warage.players import Style, choose, style_of
from engine.warage.playouts import random_outcome
from engine.warage.reference_state import Do

MAX_LISTED = 256
"""A player looks at so many moves, which is all of them in any hand that is not absurd."""
_TURN, _PLAYERS, _DO_PRIORITY = layout.TURN, layout.RULE_PLAYERS, int(Do.PRIORITY)
_MOVE_WORDS, _EVERY, _MAX_LISTED = MOVE_WORDS, EVERY_BUT_SALES, MAX_LISTED
_ALL = 1 << 30
MOST_TURNS = 128


@kernel_njit
def play_match(
    words: Words,
    rules: KernelRules,
    styles: NDArray[np.int64],
    rng: NDArray[np.int64],
    moves: NDArray[np.int64],
    move: NDArray[np.int64],
    weights: NDArray[np.int64],
) -> int:
    """Play on until the match is over, in place; `styles` is [P, S]. Returns the number of transitions."""
    count = 0
    while not is_over(words):
        seat = decider(words, rules)
        if seat == CHANCE:
            index = random_outcome(words, rules, rng, weights)
        else:
            if task(words, 0) == _DO_PRIORITY:  # these players sell nothing
                number = min(priority_moves(words, rules, moves, _EVERY, _ALL), _MAX_LISTED)
                index = choose(words, rules, styles[seat], number, moves)
                for place in range(_MOVE_WORDS):
                    move[place] = moves[index * _MOVE_WORDS + place]
                carry_out(words, rules, move)
                count += 1
                continue
            index = choose(words, rules, styles[seat], num_outcomes(words, rules), moves)
        transition(words, rules, index, move, weights)
        count += 1
    return count


@kernel_njit
def _matches(
    rules: KernelRules,
    styles: NDArray[np.int64],
    first: int,
    num_matches: int,
    seed: int,
    words: Words,
    rng: NDArray[np.int64],
    moves: NDArray[np.int64],
    move: NDArray[np.int64],
    weights: NDArray[np.int64],
    tally: NDArray[np.int64],
    turns: NDArray[np.int64],
) -> None:
    """Modified in place: all but `rules` and `styles`; `tally` is [2 + P] (transitions, shared, wins)."""
    for number in range(first, first + num_matches):
        # A stream for each match: the same ones whoever sits where.
        rng[0] = mixed(seed ^ mixed(number))
        start(words, rules)
        tally[0] += play_match(words, rules, styles, rng, moves, move, weights)
        turns[min(words[_TURN], len(turns) - 1)] += 1
        won = winners(words)
        if won & (won - 1):
            tally[1] += 1
            continue
        for seat in range(rules[_PLAYERS]):
            tally[2 + seat] += won >> seat & 1


@dataclass(frozen=True)
class Matches:
    """What matches between players came to.

    Attributes
    ----------
    wins : by seat.
    shared : matches that several have won together: draws, or guilds of several heroes.
    turns : matches by the turn in which they ended.
    """

    num_matches: int
    seed: int
    transitions: int
    wins: tuple[int, ...]
    shared: int
    turns: tuple[int, ...]

    @property
    def mean_turns(self) -> float:
        """Turns on average."""
        return sum(turn * count for turn, count in enumerate(self.turns)) / self.num_matches


def matches(
    rules: KernelRules, styles: Sequence[Style], num_matches: int, seed: int, *, first: int = 0
) -> Matches:
    """Play matches number `first` and on; the same numbers and seed give the same matches.

    Raises
    ------
    ValueError
        If there is not one style for each seat, or no match to play.
    """
    if num_matches < 1:
        raise ValueError(f"num_matches must be at least 1, not {num_matches}")
    players = int(rules[_PLAYERS])
    if len(styles) != players:
        raise ValueError(f"{len(styles)} styles for {players} seats")
    tally, turns = np.zeros(2 + players, np.int64), np.zeros(MOST_TURNS, np.int64)
    _matches(
        rules,
        np.array([style_of(style) for style in styles]),
        first,
        num_matches,
        seed,
        np.zeros(NUM_WORDS, np.int64),
        np.zeros(1, np.int64),
        np.zeros(MAX_LISTED * MOVE_WORDS, np.int64),
        np.zeros(MOVE_WORDS, np.int64),
        np.zeros(MAX_OUTCOMES, np.int64),
        tally,
        turns,
    )
    transitions, shared, *wins = map(int, tally)
    return Matches(num_matches, seed, transitions, tuple(wins), shared, tuple(map(int, turns)))
