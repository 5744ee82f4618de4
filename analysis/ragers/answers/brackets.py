"""What every equilibrium must open like: bounds on opening shares that hold for all of them.

Mixes are not unique, so the mix of one solve says little by itself. A stored answer says more: it has the
worth of each first action, followed by best play, against the other player's plan (`opening_ev`). Whoever
plays an equilibrium strategy gets at least the value of the game against *any* plan, hence also against that
one. So the exchange and the opening of every equilibrium strategy are worth at least the value, and a lower
bound on the value leaves only so much room: maximising (or minimising) a type's share under that one linear
constraint bounds it for all equilibria at once. The bound is computed by Lagrangian duality, where any
multiplier gives a valid one, so the search for the best multiplier need not be exact.

Letters: H hands, T types, A = T + 1 actions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.ragers.answers.answer import Answer, HandStrategy
from engine.ragers.isomorphism import DayGame

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Opening values are kept in float32: relative rounding of one, doubled.
_ROUNDING = 2.0**-22
_STEPS = 52
_GOLDEN = (5**0.5 - 1) / 2
#: Range of log10 of the multiplier, in shares per GP.
_LOG_MULTIPLIER = (-5.0, 6.0)


def certificate_slack(answer: Answer) -> float:
    """Return the rounding that the certificate counted on top of the two best responses, in GP."""
    return max(0.0, answer.nash_conv_gp - sum(answer.best_response_gp))


def value_bracket(answer: Answer, day: DayGame, player: int, *, alike: bool = True) -> tuple[float, float]:
    """Return bounds on the value of the game for `player`, in GP.

    Best responses bound it; where both decks are alike neither seat is better, and it is zero.

    Parameters
    ----------
    answer : a certified answer to `day`.
    alike : whether both may play alike; if not, equal decks do not make it zero.
    """
    if day.symmetric and alike:
        return 0.0, 0.0
    slack = certificate_slack(answer)
    low, high = -answer.best_response_gp[1] - slack, answer.best_response_gp[0] + slack
    return (low, high) if player == 0 else (-high, -low)


class Openings:
    """The exchange and the first placement of one player, against the other's stored plan.

    Parameters
    ----------
    preparation : ``none`` or ``redraw``; with a seen discard no worth per action is known.

    Raises
    ------
    ValueError
        If `preparation` is another one.
    """

    def __init__(self, strategy: HandStrategy, day: DayGame, preparation: str, player: int) -> None:
        import numpy as np

        if preparation not in ("none", "redraw"):
            raise ValueError(f"no worth per action is known where the preparation is {preparation!r}")
        self.hands = strategy.hands.astype(np.int64)
        self.deal: NDArray[np.float64] = strategy.deal_probability[player]
        self.reach: NDArray[np.float64] = strategy.reach[player]
        self.mix: NDArray[np.float64] = strategy.opening[player].astype(np.float64)
        #: [H, A] GP; minus infinity where it cannot be done.
        ev = strategy.opening_ev[player].astype(np.float64)
        self.ev: NDArray[np.float64] = np.where(np.isnan(ev), -np.inf, ev)
        self._exchange = None
        if preparation == "redraw":
            self._exchange = _Exchange(self.hands, np.array(day.copies[player]), self.deal)

    @property
    def best(self) -> NDArray[np.float64]:
        """[H] float64, worth of holding each hand at the first placement, in GP; 0 for hands never held."""
        import numpy as np

        best: NDArray[np.float64] = self.ev.max(axis=1)
        return np.where(np.isfinite(best), best, 0.0)

    def dealt_worth(self, worth: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what each hand is worth when dealt, given what each is worth at the first placement.

        Parameters
        ----------
        worth : [H, ...] float64.

        Returns
        -------
        ndarray
            [H, ...] float64: the best over keeping it and every exchange.
        """
        if self._exchange is None:
            return worth
        columns = worth.reshape(len(worth), -1)
        return self._exchange.best(columns).reshape(worth.shape)

    def after_exchange(self, exchange: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return how likely each hand is at the first placement, given how hands as dealt are exchanged.

        Parameters
        ----------
        exchange : [H, T + 1] mix over what to put aside, the last entry for nothing.
        """
        if self._exchange is None:
            return self.deal
        return self._exchange.push(self.deal[:, None] * exchange)

    def best_response_gp(self) -> float:
        """Return what the best exchange and opening are worth in all, in GP."""
        return float(self.deal @ self.dealt_worth(self.best))

    def share_brackets(self, floor_gp: float) -> NDArray[np.float64]:
        """Bound the opening share of each type over all openings worth at least `floor_gp`.

        Returns
        -------
        ndarray
            [T, 2] float64: lower and upper bounds. O(H R T) for R rests of a hand, times some 50 multipliers.
        """
        import numpy as np

        num_types = self.hands.shape[1]
        scale = float(np.abs(self.ev[np.isfinite(self.ev)]).max(initial=1.0))
        floor = floor_gp - scale * _ROUNDING
        sign = np.repeat([-1.0, 1.0], num_types)
        # [H, 2T] worth of opening with the one type, and with the best of the others.
        own = np.concatenate([self.ev[:, :num_types]] * 2, axis=1)
        others = np.stack([np.delete(self.ev, t, axis=1).max(axis=1) for t in range(num_types)], axis=1)
        others = np.concatenate([others, others], axis=1)

        def bound(log_multiplier: NDArray[np.float64]) -> NDArray[np.float64]:
            multiplier = 10.0**log_multiplier
            worth = np.maximum(sign + multiplier * own, multiplier * others)
            worth = np.where(np.isfinite(worth), worth, 0.0)
            total: NDArray[np.float64] = self.deal @ self.dealt_worth(worth) - multiplier * floor
            return total

        # Golden section, all at once: a dual function is convex.
        low = np.full(2 * num_types, _LOG_MULTIPLIER[0])
        high = np.full(2 * num_types, _LOG_MULTIPLIER[1])
        best = np.minimum(bound(low), bound(high))
        for _ in range(_STEPS):
            left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
            at_left, at_right = bound(left), bound(right)
            best = np.minimum(best, np.minimum(at_left, at_right))
            high = np.where(at_left <= at_right, right, high)
            low = np.where(at_left <= at_right, low, left)
        brackets = np.stack([-best[:num_types], best[num_types:]], axis=1)
        brackets[~np.isfinite(self.ev[:, :num_types]).any(axis=0)] = 0.0
        clipped: NDArray[np.float64] = np.clip(brackets, 0.0, 1.0)
        return clipped


def opening_brackets(
    answer: Answer, strategy: HandStrategy, day: DayGame, player: int
) -> list[tuple[float, float]] | None:
    """Return bounds on each type's opening share that hold in every equilibrium of the day.

    Parameters
    ----------
    answer, strategy : a certified answer to `day`, and its openings.

    Returns
    -------
    list of tuple or None
        Per type the least and the largest share; None where the model of the preparation gives no worth per
        action.
    """
    if answer.preparation not in ("none", "redraw") or not answer.certified:
        return None
    openings = Openings(strategy, day, answer.preparation, player)
    floor = value_bracket(answer, day, player)[0] - certificate_slack(answer)
    return [(float(low), float(high)) for low, high in openings.share_brackets(floor)]


class _Exchange:
    """An unseen exchange: one card aside, another drawn, the first shuffled back; never the same card again.

    Hands that differ in the card put aside only are left with the same rest, and draw alike but for that
    card: the mean over the draws is that over the whole deck less the rest, with the card put aside taken
    out again.

    Attributes
    ----------
    rest : [H, T] int64, number of what is left after putting aside a type; 0 where that cannot be.
    allowed : [H, T] bool.
    draws : [R, H] float64, cards in the deck that turn a rest into a hand.
    left : cards to draw from.
    """

    def __init__(
        self, hands: NDArray[np.int64], copies: NDArray[np.int64], deal: NDArray[np.float64]
    ) -> None:
        import numpy as np

        # Hands of the other side, and in a small deck those after a seen exchange, may be of another size.
        self.left = int(copies.sum() - hands[deal > 0][0].sum())
        self.allowed = (hands > 0) & (deal > 0)[:, None] & (self.left > 0)
        self.rest = np.zeros(hands.shape, np.int64)
        rests: dict[tuple[int, ...], int] = {}
        for hand, aside in np.argwhere(self.allowed):
            left = hands[hand].copy()
            left[aside] -= 1
            self.rest[hand, aside] = rests.setdefault(tuple(left.tolist()), len(rests))
        row = {tuple(hand): number for number, hand in enumerate(hands.tolist())}
        self.draws = np.zeros((max(1, len(rests)), len(hands)))
        for left_over, number in rests.items():
            for drawn in np.flatnonzero(copies > np.array(left_over)):
                after = list(left_over)
                after[drawn] += 1
                self.draws[number, row[tuple(after)]] = copies[drawn] - left_over[drawn]

    def push(self, mass: NDArray[np.float64]) -> NDArray[np.float64]:
        """[H] float64, range at the first placement, of the [H, T + 1] probability of what is put aside."""
        import numpy as np

        kept: NDArray[np.float64] = mass[:, -1].copy()
        for aside in range(self.allowed.shape[1]):
            may = self.allowed[:, aside]
            exchanged = np.where(may, mass[:, aside], 0.0)
            rests = np.bincount(self.rest[may, aside], exchanged[may], minlength=len(self.draws))
            kept += (rests @ self.draws - exchanged) / max(1, self.left)
        return kept

    def best(self, worth: NDArray[np.float64]) -> NDArray[np.float64]:
        """[H, C] float64, worth of hands as dealt, of their [H, C] worth at the first placement."""
        import numpy as np

        total = self.draws @ worth  # [R, C]
        best: NDArray[np.float64] = worth.copy()
        for aside in range(self.allowed.shape[1]):
            may = np.flatnonzero(self.allowed[:, aside])
            exchanged = (total[self.rest[may, aside]] - worth[may]) / max(1, self.left)
            best[may] = np.maximum(best[may], exchanged)
        return best
