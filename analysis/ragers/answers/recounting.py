"""The first step of a stored answer counted again, from its strategy and by the rules of its day.

Everything here is arithmetic on what is stored. What each opening is worth, with best play afterwards, is
taken at its word: that is the solve's, and so is all that comes after the first step.
"""

from __future__ import annotations

import itertools
import math
import re
from typing import TYPE_CHECKING

from analysis.ragers.answers.answer import NUM_TYPES, Answer, HandStrategy
from analysis.ragers.answers.brackets import Openings
from engine.ragers.isomorphism import DayGame

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RECOUNTED = (
    "deals, exchanges, hands held, openings, what is legal, the usage of the first step, and both best"
    " responses with NashConv, given the worths of the openings; where the second step is stored, which hands"
    " are likely there, and that openings are worth what follows"
)
"""What `check_first_step` and `check_second_step` count again, in words."""
SOLVED = (
    "what the latest stored actions are worth with best play afterwards, later steps, outcomes, mean glory"
    " points, iterations and sampled days"
)
"""What rests on the solve alone: checked for contradictions only."""

#: Strategies are kept in float32, probabilities of hands and mixes of all hands are not.
_MIX, _SHARE, _EXACT = 1e-6, 1e-5, 1e-9
#: Worths are kept in float32: rounding of each, as a part of the largest.
_WORTH = 2.0**-22
#: Both sides of a day with equal decks learn in turn, so they differ a little; most in what later steps use.
_SEATS, _SEATS_USAGE = 5e-3, 0.05
_SIGMAS = 6.0
#: Means estimated where a Veteran ends the day, see `docs/day-solver.md`.
_ESTIMATE_GP = 0.5
_ROUNDING = re.compile(r"rounding \(under ([0-9.e+-]+)\) counted")


def check_first_step(strategy: HandStrategy, answer: Answer, day: DayGame) -> list[str]:
    """Return where a strategy contradicts the rules of its day, itself, or the answer it belongs to."""
    problems = [f"{text}, player {p}" for p in (0, 1) for text in _check_player(strategy, answer, day, p)]
    if answer.preparation != "seen" and not problems:
        problems += [text for p in (0, 1) for text in _check_worths(strategy, answer, day, p)]
        problems += _check_nash_conv(answer)
    return problems


def _check_player(strategy: HandStrategy, answer: Answer, day: DayGame, player: int) -> list[str]:
    """Legality and sums of one player's exchange and opening."""
    import numpy as np

    problems = []
    hands = strategy.hands.astype(np.int64)
    held = hands > 0
    placeable = held.copy()
    placeable[:, list(day.banned)] = False
    allowed = np.concatenate([placeable, ~placeable.any(axis=1, keepdims=True)], axis=1)
    opening, reach = strategy.opening[player].astype(np.float64), strategy.reach[player]
    worth = strategy.opening_ev[player]
    if (opening[~allowed] != 0).any():
        problems.append("a hand opens with what it does not hold, or the patron forbids")
    if np.isfinite(worth[~allowed]).any():
        problems.append("an opening that cannot be played has a worth")
    if answer.preparation != "seen" and np.isnan(worth[allowed & (reach > 0)[:, None]]).any():
        problems.append("an opening that can be played has no worth")
    comes = reach > 0
    if not _are_mixes(opening[comes], _MIX):
        problems.append("the opening of a hand is no probability distribution")
    if not np.allclose(reach @ opening, answer.opening_mix[player], rtol=0, atol=_EXACT):
        problems.append("the openings of all hands do not add up to the opening mix")
    if answer.usage[player] and not np.allclose(
        answer.usage[player][0], answer.opening_mix[player], rtol=0, atol=_SHARE
    ):
        problems.append("what is placed in the first step is not the opening mix")
    exchange = strategy.preparation_mix
    if (exchange is None) != (answer.preparation == "none"):
        return [*problems, "the exchange is missing, or should not be there"]
    deal = strategy.deal_probability[player]
    if exchange is not None:
        mix = exchange[player].astype(np.float64)
        left = answer.preparation == "seen" or sum(day.copies[player]) > day.hand_size
        may = np.concatenate([held & left, np.ones((len(held), 1), bool)], axis=1)
        if (mix[~may] != 0).any():
            problems.append("a hand exchanges what it does not hold")
        if not _are_mixes(mix[deal > 0], _MIX):
            problems.append("the exchange of a hand is no probability distribution")
    after = _after_exchange(strategy, answer, day, player)
    if after is not None and not np.allclose(reach, after, rtol=_MIX, atol=_EXACT):
        problems.append("the hands at the first placement do not come from those dealt by the exchange")
    return problems


def _are_mixes(rows: NDArray[np.float64], tolerance: float) -> bool:
    """Whether every row is a probability distribution."""
    return bool((rows >= 0).all() and (abs(rows.sum(axis=1) - 1) <= tolerance).all())


def _after_exchange(
    strategy: HandStrategy, answer: Answer, day: DayGame, player: int
) -> NDArray[np.float64] | None:
    """How likely each hand is at the first placement; None where that is not stored by hand."""
    if answer.preparation == "none":
        deal: NDArray[np.float64] = strategy.deal_probability[player]
        return deal
    if answer.preparation == "seen":
        return None
    assert strategy.preparation_mix is not None
    openings = Openings(strategy, day, answer.preparation, player)
    return openings.after_exchange(strategy.preparation_mix[player])


def _check_worths(strategy: HandStrategy, answer: Answer, day: DayGame, player: int) -> list[str]:
    """The best response, counted again from what openings are worth; what one's own openings are worth."""
    import numpy as np

    openings = Openings(strategy, day, answer.preparation, player)
    finite = openings.ev[np.isfinite(openings.ev)]
    rounding = _WORTH * float(np.abs(finite).max(initial=1.0))
    best, said = openings.best_response_gp(), answer.best_response_gp[player]
    if abs(best - said) > rounding:
        return [f"the best response of player {player} is worth {best:.6f} GP, not {said:.6f}"]
    worths = np.where(np.isfinite(openings.ev), openings.ev, 0.0)
    own = float(openings.reach @ (openings.mix * worths).sum(axis=1))
    # As found, both plans pay no less than the other side's best response leaves.
    least = 0.0 if day.symmetric else -answer.best_response_gp[1 - player]
    if own < least - answer_slack(answer) - rounding:
        return [f"what player {player} opens with is worth {own:.6f} GP, but must be {least:.6f} at least"]
    return []


def answer_slack(answer: Answer) -> float:
    """The most that the certificate of an answer says rounding may hide, in GP; 0 if it does not say."""
    said = _ROUNDING.search(answer.certificate)
    return float(said[1]) if said else 0.0


def _check_nash_conv(answer: Answer) -> list[str]:
    """NashConv is what both best responses gain, and the rounding the certificate speaks of."""
    slack = answer.nash_conv_gp - max(sum(answer.best_response_gp), 0.0)
    if not -_EXACT <= slack <= answer_slack(answer) + _EXACT:
        return [f"NashConv is off by {slack:.2g} GP from what both best responses gain"]
    return []


def check_seats(answer: Answer, day: DayGame) -> list[str]:
    """Return what differs between two players who have equal decks, and what no course of a day can bring."""
    problems = []
    if day.symmetric:
        win, _, loss, _ = answer.outcome
        usage = zip(*answer.usage, strict=True)
        if answer.value_gp != 0.0:
            problems.append("equal decks are worth nothing, but the value is not 0")
        if abs(win - loss) > _SEATS or abs(answer.mean_gp[0] - answer.mean_gp[1]) > _SEATS:
            problems.append("equal decks, but one side wins or scores more often")
        if any(abs(a - b) > _SEATS_USAGE for one, other in usage for a, b in zip(one, other, strict=True)):
            problems.append("equal decks, but both sides place other cards")
    for player, steps in enumerate(answer.usage):
        sums = [sum(step) for step in steps]
        cards = [sum(step[t] for step in steps) for t in range(NUM_TYPES)]
        falls = all(later <= earlier + _SHARE for earlier, later in itertools.pairwise(sums))
        if not falls or (sums and abs(sums[0] - 1.0) > _SHARE) or len(steps) > day.row_length:
            problems.append(f"the steps of player {player} do not follow one another")
        if any(share < -_SHARE for step in steps for share in step):
            problems.append(f"player {player} places less than nothing")
        most = [0 if t in day.banned else n for t, n in enumerate(day.copies[player])]
        if any(placed > n + _SHARE for placed, n in zip(cards, most, strict=True)):
            problems.append(f"player {player} places more cards than it has, or forbidden ones")
    return problems + _check_samples(answer, day)


def _check_samples(answer: Answer, day: DayGame) -> list[str]:
    """Numbers of the answer against days sampled from the very same strategies."""
    found = answer.profile
    if found is None or found.nash_conv_gp != answer.nash_conv_gp:
        return []
    problems = []
    steps = [sum(step) for step in answer.usage[0]]
    mean = sum(steps)
    spread = math.sqrt(max(sum((2 * k + 1) * p for k, p in enumerate(steps)) - mean * mean, 0.0))
    if abs(mean - found.steps) > _SIGMAS * (spread + _SHARE) / math.sqrt(found.days) + _SEATS_USAGE / 2:
        problems.append("days last longer or shorter than sampled ones")
    error = _SIGMAS * found.deviation_gp / math.sqrt(found.days)
    error += _ESTIMATE_GP if "estimated" in answer.certificate else 0.0
    for player in (0, 1):
        scored = sum(found.card_gp[player]) + day.cheers[0].gp * found.cheers[player]
        if abs(scored - answer.mean_gp[player]) > error:
            problems.append(f"the mean glory points of player {player} are not those of sampled days")
    return problems
