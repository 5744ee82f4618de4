"""Whole matches between rule-based players, by the hundred thousand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from engine.jit import kernel_njit
from engine.randomness import below, mixed, next_random
from engine.warage import layout
from engine.warage.kernel import (
    CHANCE,
    NUM_WORDS,
    decide,
    decider,
    get_choice,
    is_over,
    num_choices,
    start,
    winners,
)
from engine.warage.kernel_moves import ATTACK, MOVE_WORDS
from engine.warage.kernel_play import happen, num_ways, play_on, roll
from engine.warage.kernel_rules import KernelRules
from engine.warage.kernel_state import Words, task
from engine.warage.players import Style, choose, style_of
from engine.warage.reference_state import Do

MAX_LISTED = 256
"""A player looks at so many moves, which is all of them in any hand that is not absurd."""
_DO_START = int(Do.SEASON_AT_START)


@kernel_njit
def play_match(
    words: Words,
    rules: KernelRules,
    styles: NDArray[np.int64],
    rng: NDArray[np.int64],
    moves: NDArray[np.int64],
    pause: bool,
) -> int:
    """Play on until the match is over, in place; `styles` is [P, S]. Returns the number of transitions.

    With `pause` also until somebody may choose whom to attack by weapon: its moves then lie in `moves`.
    """
    steps = 0
    while True:
        # These players sell and rearrange nothing: who could do nothing else is not asked.
        count = play_on(words, rules, moves, -1, False)
        if is_over(words) or (pause and count > 2 and moves[2 * MOVE_WORDS] == ATTACK):
            return steps
        steps += 1
        seat = decider(words, rules)
        if seat == CHANCE:
            dice = roll(words, rng)
            if dice:
                steps += dice - 1
                continue
            happen(words, rules, below(next_random(rng), num_ways(words, rules)))
            continue
        number = min(count, MAX_LISTED) if count else num_choices(words, rules)
        index = choose(words, rules, styles[seat], number, moves)
        if count == 0:
            get_choice(words, rules, index, moves)
            index = 0
        decide(words, rules, moves[index * MOVE_WORDS : (index + 1) * MOVE_WORDS])


@kernel_njit
def _matches(
    rules: KernelRules,
    styles: NDArray[np.int64],
    begin: Words,
    begin_move: NDArray[np.int64],
    first: int,
    seed: int,
    words: Words,
    rng: NDArray[np.int64],
    moves: NDArray[np.int64],
    won: NDArray[np.int64],
    seasons: NDArray[np.int64],
    turns: NDArray[np.int64],
) -> int:
    """Modified in place: all from `words` on. A kind below 0 in `begin_move` stands for no move."""
    steps = 0
    for number in range(len(won)):
        # A stream for each match: the same ones whoever sits where.
        rng[0] = mixed(seed ^ mixed(first + number))
        for word in range(len(words)):
            words[word] = begin[word]
        while task(words, 0) == _DO_START:
            happen(words, rules, below(next_random(rng), num_ways(words, rules)))
        seasons[number] = words[layout.SEASON] - 1
        if begin_move[0] >= 0:
            decide(words, rules, begin_move)
        steps += play_match(words, rules, styles, rng, moves, False)
        turns[number] = words[layout.TURN]
        won[number] = winners(words)
    return steps


@dataclass(frozen=True, eq=False)
class Matches:
    """What matches between players came to.

    Attributes
    ----------
    wins : by seat, of single winners.
    shared : matches that several have won together: draws, or guilds of several heroes.
    turns : [num_matches] int64, the turn in which each ended.
    won : [num_matches] int64, who has won each match, a bit each.
    seasons : [num_matches] int64, the base season at the beginning of each.
    """

    num_matches: int
    seed: int
    transitions: int
    wins: tuple[int, ...]
    shared: int
    turns: NDArray[np.int64] = field(repr=False)
    won: NDArray[np.int64] = field(repr=False)
    seasons: NDArray[np.int64] = field(repr=False)

    def points(self, seat: int) -> NDArray[np.float64]:
        """What a seat won of each match: 1, or its share."""
        num_winners = sum(self.won >> each & 1 for each in range(len(self.wins)))
        return (self.won >> seat & 1) / np.maximum(num_winners, 1)


class Board:
    """A match under way: the words, and scratch of the kernels."""

    def __init__(self, rules: KernelRules, styles: Sequence[Style], seed: int) -> None:
        players = int(rules[layout.RULE_PLAYERS])
        if len(styles) != players:
            raise ValueError(f"{len(styles)} styles for {players} seats")
        self.rules = rules
        self.styles = np.array([style_of(style) for style in styles])
        self.words = np.zeros(NUM_WORDS, np.int64)
        self.rng = np.array([seed], np.int64)
        self.moves = np.zeros(MAX_LISTED * MOVE_WORDS, np.int64)
        start(self.words, rules)

    def to_attack(self) -> list[NDArray[np.int64]]:
        """Play on until somebody may choose whom to attack; returns the ways, none if the match is over."""
        play_match(self.words, self.rules, self.styles, self.rng, self.moves, True)
        if is_over(self.words):
            return []
        listed = self.moves.reshape(-1, MOVE_WORDS)
        count = play_on(self.words, self.rules, self.moves, -1, False)
        return [move.copy() for move in listed[:count] if move[0] == ATTACK]

    def attack(self, move: NDArray[np.int64]) -> None:
        """Carry out an attack."""
        decide(self.words, self.rules, move)


def matches(
    rules: KernelRules,
    styles: Sequence[Style],
    num_matches: int,
    seed: int,
    *,
    first: int = 0,
    board: Board | None = None,
    move: NDArray[np.int64] | None = None,
) -> Matches:
    """Play matches number `first` and on; the same numbers and seed give the same matches.

    Parameters
    ----------
    board, move : begin there, with this move.

    Raises
    ------
    ValueError
        If there is not one style for each seat, or no match to play.
    """
    if num_matches < 1:
        raise ValueError(f"num_matches must be at least 1, not {num_matches}")
    table = Board(rules, styles, seed)
    turns, won, seasons = (np.zeros(num_matches, np.int64) for _ in range(3))
    steps = _matches(
        rules,
        table.styles,
        table.words.copy() if board is None else board.words,
        np.full(MOVE_WORDS, -1, np.int64) if move is None else move,
        first,
        seed,
        table.words,
        table.rng,
        table.moves,
        won,
        seasons,
        turns,
    )
    single = won & (won - 1) == 0
    wins = tuple(
        int(np.sum(single & (won >> seat & 1 > 0))) for seat in range(int(rules[layout.RULE_PLAYERS]))
    )
    shared = num_matches - int(np.sum(single))
    return Matches(num_matches, seed, int(steps), wins, shared, turns, won, seasons)
