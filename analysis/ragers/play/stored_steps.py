"""Where decisions of the second step are looked up: in the entry of the day, without a solver."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from analysis.amounts import bound
from analysis.ragers.answers.answer import HandStrategy
from analysis.ragers.answers.reached import Reached, reached
from analysis.ragers.answers.second_step import HIDDEN, SecondStep, Shown
from analysis.ragers.hands import hand_names
from analysis.ragers.play.histories import HistoryError, Step, Word
from analysis.ragers.scenarios import Scenario
from engine.ragers.reference import NOTHING
from engine.ragers.rules import NUM_TYPES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Held = list[tuple[tuple[int, ...], tuple[int, ...], float]]


@dataclass(frozen=True, eq=False)
class StoredDecision:
    """A decision of the second step as one of its players comes to it.

    Attributes
    ----------
    here : the decision, and what may be believed of both hands.
    player : whose view.
    hidden : the cards of each type that the player has hidden.
    nash_conv_gp : what both could gain by other play from here on, with these ranges.
    certificate : how that is known, in words.
    """

    here: Reached
    player: int
    hidden: tuple[int, ...]
    nash_conv_gp: float
    certificate: str

    @property
    def ranges(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """How likely both players are in each state."""
        return self.here.ranges

    def state(self, hand: Sequence[int]) -> int:
        """Return the number of the player's state with a hand; HistoryError if it cannot hold it."""
        row = self.here.row(self.player, hand, self.hidden)
        if row is None:
            raise HistoryError(f"nobody can hold {' '.join(hand_names(tuple(hand)))} here")
        return row

    def likeliest_hand(self) -> tuple[int, ...]:
        """Return the hand that the player most likely holds, with the cards hidden so far."""
        states = self.here.later.states[self.player]
        fits = (states[:, NUM_TYPES:] == list(self.hidden)).all(axis=1)
        return tuple(states[int((self.ranges[self.player] * fits).argmax()), :NUM_TYPES].tolist())

    def held(self, player: int) -> Held:
        """Return hand, hidden cards and probability of each state that a player may be in."""
        states = self.here.later.states[player].tolist()
        return [
            (tuple(state[:NUM_TYPES]), tuple(state[NUM_TYPES:]), float(p))
            for state, p in zip(states, self.ranges[player].tolist(), strict=True)
            if p > 0
        ]

    def shares(self, player: int) -> list[float] | None:
        """Return how often a player takes each action over its range; None if it does not act."""
        if not self.here.later.acts[player]:
            return None
        shares: list[float] = (self.ranges[player] @ self.here.later.mix[player]).tolist()
        return shares


def stored_decision(
    scenario: Scenario,
    player: int,
    steps: Sequence[Step],
    strategy: HandStrategy,
    day_nash_conv_gp: float,
) -> StoredDecision | None:
    """Return the decision that is due after some steps; None where it is not stored, or not the player's.

    Parameters
    ----------
    steps : as the player sees them, own cards first.
    strategy, day_nash_conv_gp : of the day, the former with its second step.
    """
    shown = shown_by_seat(steps, player)
    if strategy.second is None or shown is None:
        return None
    here = reached(strategy, strategy.second, scenario.day, shown)
    if here is None or not here.later.acts[player]:
        return None
    (own, _) = steps[0]
    if any(word.hidden and word.card is None for word in own):
        return None
    cards = [word.card for word in own if word.hidden]
    hidden = tuple(cards.count(card) for card in range(NUM_TYPES))
    rounding = strategy.second.unit_gp
    return StoredDecision(
        here,
        player,
        hidden,
        max(sum(here.later.best_response_gp), 0.0) + rounding,
        "the exact best responses to the whole stored day, of which this is a part: NashConv of the day,"
        f" {bound(day_nash_conv_gp)} GP, bounds what both can gain in all of it",
    )


def shown_by_seat(steps: Sequence[Step], player: int) -> Shown | None:
    """Return what both have shown, Accusers first; None where that is more, or less, than one step."""
    if len(steps) != 1 or any(word.away for side in steps[0] for word in side):
        return None
    own, opp = (tuple(map(_code, side)) for side in steps[0])
    return (own, opp) if player == 0 else (opp, own)


def _code(word: Word) -> int:
    if word.hidden:
        return HIDDEN
    return -1 if word.card is None else word.card


def mixes_by_pair(
    second: SecondStep,
    shown: Shown,
    states: Sequence[NDArray[np.int64]],
    pairs: Sequence[tuple[NDArray[np.int64], NDArray[np.int64]]],
    uniform: Sequence[NDArray[np.float64]],
) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
    """Return how both play a decision by a solver's pairs of state and card; None where it is not stored.

    Parameters
    ----------
    states, pairs, uniform : by player: cards in hand, then hidden ones, of each private state; the state and
        the card, -1 for none, of each pair; and what states play that cannot be here.
    """
    import numpy as np

    later = second.find(shown)
    if later is None:
        return None
    found = []
    for p in range(2):
        owners, cards = pairs[p]
        mix = uniform[p].copy()
        if later.acts[p]:
            rows = {tuple(state): row for row, state in enumerate(later.states[p].tolist())}
            row = np.array([rows.get(tuple(state), -1) for state in states[p].tolist()])[owners]
            known = later.mix[p][row, np.where(cards < 0, NOTHING, cards)]
            mix = np.where(row >= 0, known, mix)
        found.append(mix)
    return found[0], found[1]
