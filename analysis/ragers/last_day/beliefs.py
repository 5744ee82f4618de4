"""What the course of a match tells of both hands: ranges carried over its days by Bayes' rule.

Followed is what everybody sees: cards placed and discarded, that a card was hidden, how many were drawn. A
player's hands and hidden cards are weighted by how often a way of playing would have done the same with them.
That way of playing is an assumption, and named; uniform play gives the weakest reading there is.

Letters used for shapes: S hands with hidden cards, T types, A = T + 1 actions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt

from analysis.ragers.last_day.solving import Beliefs
from analysis.ragers.play.views import Played
from engine.ragers.reference import CHANCE, NOTHING, Phase, deciders
from engine.ragers.rules import NUM_TYPES, TYPES, Rules

if TYPE_CHECKING:
    from analysis.learned_values import TrainedNetwork

Ints = npt.NDArray[np.int64]
Reals = npt.NDArray[np.float64]
TREMBLE = 0.1
"""How much of uniform play is mixed into any other: nobody is thought to be unable to do what it did."""
NEGLIGIBLE = 1e-6
"""Hands less likely than this, by the likeliest one, are dropped."""


class Reader(Protocol):
    """A way of playing that the course of a match is read by; `words` say which."""

    words: str

    def shares(self, played: Played, player: int, hands: Ints, hidden: Ints) -> Reals:
        """Return how often each hand [S, T], with hidden cards [S, T], takes each action, [S, A]."""


def legal(played: Played, hands: Ints) -> npt.NDArray[np.bool_]:
    """Return which actions hands [S, T] allow at a decision, [S, A]."""
    state = played.state
    assert state.patron is not None
    may = np.zeros((len(hands), NUM_TYPES + 1), dtype=bool)
    may[:, :NUM_TYPES] = hands > 0
    if state.phase == Phase.PREPARE:
        may[:, NOTHING] = True
        return may
    forbidden = state.rules.patrons[state.patron].forbidden
    may[:, :NUM_TYPES] &= np.array([name not in forbidden for name in TYPES])
    may[:, NOTHING] = ~may.any(axis=1)
    return may


class UniformReader:
    """Reads as if any action had been as likely."""

    words = "as if any card had been as likely"

    def shares(self, played: Played, player: int, hands: Ints, hidden: Ints) -> Reals:
        """Return the same share for every action a hand allows."""
        may = legal(played, hands)
        shares: Reals = may / may.sum(axis=1, keepdims=True)
        return shares


class ValuesReader:
    """Reads by the play of learned values, one move ahead, with some uniform play mixed in."""

    def __init__(self, rules: Rules, trained: TrainedNetwork) -> None:
        from analysis.ragers.match.players import TEMPERATURE
        from engine.ragers.sampling import sampling_tables
        from solver.sampling.value_policy import ValuePolicy

        self._policy = ValuePolicy(sampling_tables(rules), trained.network, TEMPERATURE)
        self.words = (
            f"by the play of learned values ({trained.words}), {100 * TREMBLE:.0f} % of any card mixed in"
        )

    def shares(self, played: Played, player: int, hands: Ints, hidden: Ints) -> Reals:
        """Return what the values would do, hand by hand."""
        from analysis.ragers.match.searching import sampled_state
        from engine.ragers import layout
        from engine.ragers.kernel_rules import pack_counts
        from engine.ragers.sampling_layout import HIDDEN

        found = np.zeros((len(hands), NUM_TYPES + 1))
        may = legal(played, hands)
        own = played.state.players[player]
        words = sampled_state(played.state, player, played.buried)
        deck = words[layout.DECK + player] - pack_counts(own.deck)
        total = np.add(own.hand, own.deck) + _all_hidden(played, player)
        for index, (hand, buried) in enumerate(zip(hands.tolist(), hidden.tolist(), strict=True)):
            if may[index].sum() == 1:
                found[index] = may[index]
                continue
            words[layout.HAND + player] = pack_counts(hand)
            words[layout.DECK + player] = deck + pack_counts((total - hand - buried).tolist())
            words[HIDDEN + player] = pack_counts(buried)
            found[index, may[index]] = self._policy.probabilities(words)
        mixed: Reals = (1.0 - TREMBLE) * found + TREMBLE * may / may.sum(axis=1, keepdims=True)
        return mixed


def _all_hidden(played: Played, player: int) -> Ints:
    """Return the cards a player has hidden so far, [T]."""
    row = played.state.players[player].row
    now = [slot[0].printed for slot in row if slot[0].hidden]
    return np.array([count + now.count(kind) for kind, count in enumerate(played.buried[player])])


class _Range:
    """What may be believed of one player: weights of hands with hidden cards, and what it has left."""

    def __init__(self, copies: Sequence[int], hand_size: int) -> None:
        self.hand_size = hand_size
        self.pool = np.array(copies, dtype=np.int64)
        self.hands = np.zeros((1, NUM_TYPES), dtype=np.int64)
        self.hidden = np.zeros((1, NUM_TYPES), dtype=np.int64)
        self.weights: Reals = np.ones(1)

    @property
    def num_hidden(self) -> int:
        """Cards hidden so far."""
        return int(self.hidden[0].sum())

    def draw(self) -> None:
        """Refill the hand, each card left to draw as likely as any other."""
        while True:
            held = int(self.hands[0].sum())
            if held >= self.hand_size or int(self.pool.sum()) - held - self.num_hidden <= 0:
                return
            left = self.pool - self.hands - self.hidden
            self._move(np.eye(NUM_TYPES, dtype=np.int64), left.clip(0), hides=False)

    def play(self, kind: int, shares: Reals) -> None:
        """Reveal a card, or with `NOTHING` none."""
        self.weights = self.weights * shares[:, kind]
        if kind != NOTHING:
            self.pool[kind] -= 1
            kept = self.weights > 0.0
            self.hands, self.hidden, self.weights = self.hands[kept], self.hidden[kept], self.weights[kept]
            self.hands = self.hands - np.eye(NUM_TYPES, dtype=np.int64)[kind]
        self._normalise()

    def hide(self, shares: Reals) -> None:
        """Hide a card that nobody else sees."""
        self._move(-np.eye(NUM_TYPES, dtype=np.int64), shares[:, :NUM_TYPES], hides=True)

    def _move(self, change: Ints, ways: npt.NDArray[np.float64 | np.int64], *, hides: bool) -> None:
        """Branch over all types with the given weights [S, T]."""
        hands = (self.hands[:, None] + change).reshape(-1, NUM_TYPES)
        hidden = np.repeat(self.hidden, NUM_TYPES, axis=0)
        if hides:
            hidden = hidden - np.tile(change, (len(self.hands), 1))
        weights = (self.weights[:, None] * ways).reshape(-1)
        kept = weights > 0.0
        both = np.concatenate((hands[kept], hidden[kept]), axis=1)
        states, place = np.unique(both, axis=0, return_inverse=True)
        self.weights = np.bincount(place.reshape(-1), weights=weights[kept]).astype(np.float64)
        self.hands, self.hidden = states[:, :NUM_TYPES], states[:, NUM_TYPES:]
        self._normalise()

    def _normalise(self) -> None:
        total = self.weights.sum()
        if not total > 0.0:
            raise ValueError("nobody can have played like this")
        self.weights = self.weights / total
        kept = self.weights > NEGLIGIBLE * self.weights.max()
        self.hands, self.hidden, self.weights = self.hands[kept], self.hidden[kept], self.weights[kept]


def follow_match(
    steps: Sequence[Played], rules: Rules, reader: Reader
) -> tuple[Beliefs, list[Ints], list[int]]:
    """Return hands by likelihood; by player, cards that not everybody has seen, [T], and how many are hidden.

    Parameters
    ----------
    steps : every move so far. What players drew and hid in them is not looked at.
    """
    ranges = [_Range([card.copies[side] for card in rules.cards], rules.match.hand_size) for side in (0, 1)]
    for each in ranges:
        each.draw()
    for played in steps:
        who = deciders(played.state)
        if CHANCE in who or isinstance(played.move, int):
            continue
        for player, own in enumerate(ranges):
            if player in who:
                shares = reader.shares(played, player, own.hands, own.hidden)
                if played.state.phase == Phase.DEADEYE:
                    own.hide(shares)
                else:
                    own.play(played.move[player], shares)
                own.draw()
    hands: list[dict[tuple[int, ...], float]] = []
    for own in ranges:
        likely: dict[tuple[int, ...], float] = {}
        for hand, weight in zip(own.hands.tolist(), own.weights.tolist(), strict=True):
            likely[tuple(hand)] = likely.get(tuple(hand), 0.0) + weight
        hands.append(likely)
    beliefs = Beliefs((hands[0], hands[1]), reader.words)
    return beliefs, [own.pool for own in ranges], [own.num_hidden for own in ranges]


def reader_for(rules: Rules) -> Reader:
    """Return the reader by the carried values, or for rules that none are carried for the uniform one."""
    from analysis.ragers.match import networks

    trained = networks.carried(rules)
    return UniformReader() if trained is None else ValuesReader(rules, trained)
