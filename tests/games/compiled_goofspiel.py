"""Goofspiel for two or three players as compiled functions, the way a game too large for a tree is written.

The rules are those of `tests.games.goofspiel`: bids stay secret, who won the prize is announced, equal
highest bids waste it. The payoff is the player's points less the mean of the others'. With `reveals` the
winner is announced by a node of chance with one outcome, not by the last bid.

What a player sees, for solvers that learn values: one fact for each card still in his own hand, one for each
prize left, one for how many points he is ahead, by halves from -15 to 15 (what all have heard announced), and
one that he has bid this round.

Words of a state: prizes so far, winners so far (0 nobody, p + 1 player p), then for each player his bids so
far and his points. Sequences are packed in threes of bits above a leading one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from arena_solver.kernel_cache import cached_njit

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]

CHANCE, TERMINAL = -1, -2
MOST_CARDS = 6
_BITS, _MASK = 3, 7
# Words of the tables.
_CARDS, _PLAYERS, _SHUFFLED, _REVEALS = 0, 1, 2, 3
# Words of a state.
_PRIZES, _WINNERS, _BIDS = 0, 1, 2
# Facts.
_PRIZE = MOST_CARDS + 1
_AHEAD = 2 * _PRIZE
_MOST_AHEAD = 30
_HAS_BID = _AHEAD + 2 * _MOST_AHEAD + 1

# Inlined by order: left to itself, the compiler may leave calls in the walk that more than halve its speed.
_rule = cached_njit(_nrt=False, forceinline=True)


@_rule
def _length(packed: int) -> int:
    count = 0
    while packed > 1:
        packed >>= _BITS
        count += 1
    return count


@_rule
def _holds(packed: int, card: int) -> bool:
    while packed > 1:
        if packed & _MASK == card:
            return True
        packed >>= _BITS
    return False


@_rule
def _nth_left(cards: int, packed: int, number: int) -> int:
    """Return the number-th largest card not in a sequence."""
    for card in range(cards, 0, -1):
        if not _holds(packed, card):
            if number == 0:
                return card
            number -= 1
    return 0


@_rule
def observe(tables: IntArray, state: IntArray, work: IntArray) -> int:
    cards = tables[_CARDS]
    rounds = _length(state[_WINNERS])
    if rounds == cards:
        return TERMINAL
    if _length(state[_PRIZES]) == rounds:
        work[0] = cards - rounds if tables[_SHUFFLED] == 1 else 1
        return CHANCE
    player = 0
    while player < tables[_PLAYERS] and _length(state[_BIDS + player]) > rounds:
        player += 1
    if player == tables[_PLAYERS]:
        work[0] = 1
        return CHANCE
    work[0] = cards - rounds
    width = _BITS * MOST_CARDS + 1
    key = (state[_PRIZES] << width) | state[_WINNERS]
    work[1] = (((key << width) | state[_BIDS + player]) << 2) | (player + 1)
    return player


@_rule
def apply(tables: IntArray, state: IntArray, work: IntArray, move: int) -> None:
    cards = tables[_CARDS]
    players = tables[_PLAYERS]
    rounds = _length(state[_WINNERS])
    if _length(state[_PRIZES]) == rounds:
        state[_PRIZES] = (state[_PRIZES] << _BITS) | _nth_left(cards, state[_PRIZES], move)
        return
    player = 0
    while player < players and _length(state[_BIDS + player]) > rounds:
        player += 1
    if player < players:
        bids = state[_BIDS + player]
        state[_BIDS + player] = (bids << _BITS) | _nth_left(cards, bids, move)
    if player >= players - 1 + tables[_REVEALS]:
        winner = _winner(state, players, 0)
        state[_WINNERS] = (state[_WINNERS] << _BITS) | winner
        if winner > 0:
            state[_BIDS + players + winner - 1] += state[_PRIZES] & _MASK


@_rule
def _winner(state: IntArray, players: int, ago: int) -> int:
    """Return who won by the bids of a round `ago` rounds back: 0 nobody, p + 1 player p."""
    best = 0
    winner = 0
    for player in range(players):
        bid = (state[_BIDS + player] >> (_BITS * ago)) & _MASK
        if bid > best:
            best = bid
            winner = player + 1
        elif bid == best:
            winner = 0
    return winner


@_rule
def chance_weights(tables: IntArray, state: IntArray, work: IntArray, weights: FloatArray) -> float:
    return 0.0  # all alike


@_rule
def payoffs(tables: IntArray, state: IntArray, work: IntArray, payoffs: FloatArray) -> None:
    players = tables[_PLAYERS]
    total = 0
    for player in range(players):
        total += state[_BIDS + players + player]
    for player in range(players):
        own = state[_BIDS + players + player]
        payoffs[player] = own - (total - own) / (players - 1)


@_rule
def _next_seed(seed: int) -> int:
    """Return a pseudo-random 31-bit number from another (Lehmer's generator)."""
    return seed * 48271 % 2147483647


@_rule
def determinise(
    tables: IntArray, state: IntArray, work: IntArray, player: int, seed: int, sampled: IntArray
) -> None:
    """Draw the others' bids uniformly, again and again until the announced winners fit.

    As if nobody but the deciding player chose his bids.
    """
    cards = tables[_CARDS]
    players = tables[_PLAYERS]
    rounds = _length(state[_WINNERS])
    for word in range(state.shape[0]):
        sampled[word] = state[word]
    random = seed % 2147483646 + 1
    fits = False
    while not fits:
        for other in range(players):
            if other == player:
                continue
            count = _length(state[_BIDS + other])
            bids = 1
            for number in range(count):
                random = _next_seed(random)
                bids = (bids << _BITS) | _nth_left(cards, bids, (random >> 8) % (cards - number))
            sampled[_BIDS + other] = bids
        fits = True
        # Who has already bid in the open round has one bid more: put on equal length to compare.
        for other in range(players):
            sampled[_BIDS + other] >>= _BITS * (_length(state[_BIDS + other]) - rounds)
        for ago in range(rounds):
            if _winner(sampled, players, ago) != (state[_WINNERS] >> (_BITS * ago)) & _MASK:
                fits = False
        for other in range(players):
            if _length(state[_BIDS + other]) > rounds:
                if other == player:
                    sampled[_BIDS + other] = state[_BIDS + other]
                else:
                    random = _next_seed(random)
                    bids = sampled[_BIDS + other]
                    card = _nth_left(cards, bids, (random >> 8) % (cards - rounds))
                    sampled[_BIDS + other] = (bids << _BITS) | card


@_rule
def features(tables: IntArray, state: IntArray, work: IntArray, player: int, active: IntArray) -> int:
    cards, players = tables[_CARDS], tables[_PLAYERS]
    used = 0
    for card in range(1, cards + 1):
        if not _holds(state[_BIDS + player], card):
            active[used] = card
            used += 1
        if not _holds(state[_PRIZES], card):
            active[used] = _PRIZE + card
            used += 1
    total = 0
    for other in range(players):
        total += state[_BIDS + players + other]
    own = state[_BIDS + players + player]
    ahead = 2 * (own * players - total) // (players - 1)
    active[used] = _AHEAD + _MOST_AHEAD + max(-_MOST_AHEAD, min(_MOST_AHEAD, ahead))
    used += 1
    if _length(state[_BIDS + player]) > _length(state[_WINNERS]):
        active[used] = _HAS_BID
        used += 1
    return used


@_rule
def highest_card(tables: IntArray, state: IntArray, work: IntArray, probabilities: FloatArray) -> None:
    """Bid the highest card left: a policy to play against."""
    for move in range(work[0]):
        probabilities[move] = 0.0
    probabilities[0] = 1.0


@dataclass(frozen=True, eq=False)
class CompiledGoofspiel:
    """See `solver.sampling.game.SamplingGame` and `solver.sampling.value_network.FeaturedGame`."""

    num_cards: int
    num_players: int = 2
    shuffled: bool = True
    reveals: bool = True
    work_words: int = 2
    observe: Callable[..., int] = field(default=observe, repr=False)
    apply: Callable[..., None] = field(default=apply, repr=False)
    chance_weights: Callable[..., float] = field(default=chance_weights, repr=False)
    payoffs: Callable[..., None] = field(default=payoffs, repr=False)
    determinise: Callable[..., None] | None = field(default=determinise, repr=False)
    features: Callable[..., int] = field(default=features, repr=False)
    num_features: int = _HAS_BID + 1
    max_active: int = 2 * MOST_CARDS + 2

    def __post_init__(self) -> None:
        # Beyond that the key takes more than 63 bits, or a winner more than 3.
        assert 1 <= self.num_cards <= MOST_CARDS
        assert self.num_players in (2, 3)

    @property
    def state_words(self) -> int:
        return 2 + 2 * self.num_players

    @property
    def max_moves(self) -> int:
        return self.num_cards

    @property
    def max_own_decisions(self) -> int:
        return self.num_cards

    @property
    def max_length(self) -> int:
        return self.num_cards * (self.num_players + 1 + self.reveals) + 1

    @property
    def tables(self) -> IntArray:
        return np.array([self.num_cards, self.num_players, self.shuffled, self.reveals], dtype=np.int64)

    @property
    def root(self) -> IntArray:
        return np.array([1] * (2 + self.num_players) + [0] * self.num_players, dtype=np.int64)

    @property
    def payoff_range(self) -> tuple[float, float]:
        """Nobody wins or loses more than all prizes."""
        total = self.num_cards * (self.num_cards + 1) / 2.0
        return -total, total
