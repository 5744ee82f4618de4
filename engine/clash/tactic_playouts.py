"""What each pair of first tactic cards is worth when everybody then plays by rule of thumb, or at random."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from engine.clash import layout
from engine.clash.habits import NUM_HABITS
from engine.clash.kernel import MAX_MOVES, NUM_WORDS, start, transition, winner
from engine.clash.kernel_round import drawing, tactic_deck
from engine.clash.kernel_rules import KernelRules
from engine.clash.kernel_state import PLAYER, Words, count, phase, turn
from engine.clash.plans import NUM_WORK, FloatArray
from engine.clash.playouts import play, random_outcome
from engine.clash.rule_based import play_on
from engine.jit import kernel_njit

_HAND_MASK = layout.HAND.mask
_AT_ONCE = 200

assert max(layout.SITES, layout.MARKETING, layout.HANDS) < layout.TACTIC


@kernel_njit
def _play_after(
    words: Words,
    rules: KernelRules,
    first: int,
    second: int,
    habits: FloatArray,
    rng: NDArray[np.int64],
    weights: NDArray[np.int64],
    work: NDArray[np.int64],
    spare: Words,
    found: FloatArray,
) -> int:
    """Play a game for two that begins with these tactic cards; returns the winner, -1 if none.

    A card is dealt to its owner for certain, the others of its hand at random. Both go on by `habits`, a row
    each, or at random if there are no rows. Modified in place: all else but `rules`.
    """
    start(words, rules)
    while phase(words) <= layout.TACTIC:
        at = phase(words)
        if at == layout.HANDS:
            player = drawing(words, rules)
            card = first if player == 0 else second
            deck = tactic_deck(words, player)
            if deck >> card & 1:
                index = count(deck & (1 << card) - 1)
            else:
                index = random_outcome(words, rules, rng, weights)
        elif at == layout.TACTIC:
            player = turn(words)
            card = first if player == 0 else second
            index = count(words[PLAYER + player] & _HAND_MASK & (1 << card) - 1)
        else:
            index = random_outcome(words, rules, rng, weights)
        transition(words, rules, index)
    if len(habits):
        play_on(words, rules, habits, rules[layout.RULE_MAX_ROUNDS], rng, weights, work, spare, found)
    else:
        play(words, rules, rng, weights)
    return int(winner(words))


@kernel_njit
def _tally(
    rules: KernelRules,
    first: int,
    second: int,
    num_playouts: int,
    habits: FloatArray,
    rng: NDArray[np.int64],
    words: Words,
    weights: NDArray[np.int64],
    work: NDArray[np.int64],
    spare: Words,
    found: FloatArray,
    wins: NDArray[np.int64],
) -> None:
    """Modified in place: all but `rules` and `habits`; `wins` is [2]."""
    for _ in range(num_playouts):
        won = _play_after(words, rules, first, second, habits, rng, weights, work, spare, found)
        if won >= 0:
            wins[won] += 1


@dataclass(frozen=True, eq=False)
class TacticPlayouts:
    """Playouts after every pair of tactic cards of the first round.

    Attributes
    ----------
    num_playouts : of each pair.
    wins : [7, 7, 2] int64
        Games won by players 0 and 1, by the cards of both.
    """

    num_playouts: int
    seed: int
    wins: NDArray[np.int64]

    @property
    def values(self) -> NDArray[np.float64]:
        """Mean payoffs to player 0 (V2), [7, 7]."""
        means: NDArray[np.float64] = (self.wins[..., 0] - self.wins[..., 1]) / self.num_playouts
        return means

    @property
    def errors(self) -> NDArray[np.float64]:
        """Their standard errors, [7, 7]; never 0, however uniform the games were."""
        # As if one more game had been won by each: with few games, all of one kind, 0 would be a lie.
        games = self.num_playouts + 2
        decided = (self.wins.sum(axis=-1) + 2) / games
        spread = decided - ((self.wins[..., 0] - self.wins[..., 1]) / games) ** 2
        errors: NDArray[np.float64] = np.sqrt(spread / self.num_playouts)
        return errors


def tactic_playouts(
    rules: KernelRules,
    num_playouts: int,
    seed: int,
    habits: FloatArray | None = None,
    note: Callable[[int, int], None] = lambda done, total: None,
) -> TacticPlayouts:
    """Play games for two from every pair of first tactic cards.

    The same seed gives the same playouts.

    Parameters
    ----------
    num_playouts : of each pair.
    habits : `[NUM_HABITS]`, by which both then play; None for every choice at random.
    note : told how many games are played, and of how many; Ctrl-C waits that long, too.
    """
    if num_playouts < 1:
        raise ValueError(f"num_playouts must be at least 1, not {num_playouts}")
    if rules[layout.RULE_NUM_PLAYERS] != 2:
        raise ValueError("tactic cards are valued for two players")
    words, weights = np.zeros(NUM_WORDS, np.int64), np.zeros(MAX_MOVES, np.int64)
    rng = np.array([seed], np.int64)
    work, spare, found = np.zeros(NUM_WORK, np.int64), np.zeros(NUM_WORDS, np.int64), np.zeros(1)
    rows = np.zeros((0, NUM_HABITS)) if habits is None else np.tile(habits, (2, 1))
    wins = np.zeros((layout.NUM_TACTICS, layout.NUM_TACTICS, 2), np.int64)
    pairs = list(product(range(layout.NUM_TACTICS), repeat=2))
    for number, (first, second) in enumerate(pairs):
        for begin in range(0, num_playouts, _AT_ONCE):
            note(number * num_playouts + begin, len(pairs) * num_playouts)
            games = min(_AT_ONCE, num_playouts - begin)
            _tally(
                rules,
                first,
                second,
                games,
                rows,
                rng,
                words,
                weights,
                work,
                spare,
                found,
                wins[first, second],
            )
    return TacticPlayouts(num_playouts, seed, wins)
