"""The second step of a stored answer counted again: from the opening on, by the rules of its day."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.ragers.answers.answer import HandStrategy
from analysis.ragers.answers.reached import Reached, numbered, opening, pool_after, reached, ways_on
from analysis.ragers.answers.second_step import HIDDEN, NOTHING, Later, SecondStep
from engine.ragers.isomorphism import DayGame
from engine.ragers.rules import NUM_TYPES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Worths of openings and probabilities of hands are kept in float32.
_FLOAT, _SHARE = 1e-4, 1.0 / 255.0


def check_second_step(strategy: HandStrategy, second: SecondStep, day: DayGame) -> list[str]:
    """Return where a second step contradicts the rules of its day, itself, or the opening it belongs to.

    Counted again are what each state may do and that shares add up; by Bayes' rule from the opening on, which
    hands are likely, and what best play is worth on average; and that the worth of an action is what best
    play of what may follow is worth, as likely as the other side's strategy makes that. What follows and is
    not stored may be worth anything that a day can pay.
    """
    problems = []
    if second.symmetric != day.symmetric:
        return ["its second step is of a day with other decks"]
    for later in second.decisions:
        found = _check_tables(later, day)
        here = None if found else reached(strategy, second, day, later.shown)
        if here is not None:  # What shares in 8 bits never lead to is not stored for anybody.
            found = _check_best(here, second)
        problems += [f"second step after {later.shown}: {text}" for text in found]
    if problems:
        return problems
    start = Reached(opening(strategy), (strategy.reach[0], strategy.reach[1]), ())
    befores = [start, *(reached(strategy, second, day, each.shown) for each in second.decisions)]
    for before in befores:
        if before is not None and (before is start or before.later.kind != "place"):
            problems += [
                f"what an action after {before.later.shown} is worth is not what follows, player {p}"
                for p in range(2)
                if before.later.acts[p] and not _follows(before, second, day, p)
            ]
    return problems


def _check_tables(later: Later, day: DayGame) -> list[str]:
    import numpy as np

    problems = []
    for p in range(2):
        if not later.acts[p]:
            continue
        held = later.states[p][:, :NUM_TYPES] > 0
        held[:, list(day.banned)] = False
        allowed = np.concatenate([held, ~held.any(axis=1, keepdims=True)], axis=1)
        if not (np.isfinite(later.worth[p]) == allowed).all():
            problems.append(
                f"an action that cannot be done has a worth, or one that can has none, player {p}"
            )
        if (later.mix[p][~allowed] != 0).any() or abs(later.mix[p].sum(axis=1) - 1.0).max() > 1e-9:
            problems.append(f"shares do not add up, player {p}")
    return problems


def _check_best(here: Reached, second: SecondStep) -> list[str]:
    """What best play is worth, over the range that Bayes' rule gives."""
    import numpy as np

    problems = []
    for p in range(2):
        if not here.later.acts[p]:
            continue
        worth, reach = np.nanmax(here.later.worth[p], axis=1), here.ranges[p]
        best, said = float(reach @ worth), here.later.best_response_gp[p]
        spread = float(np.nanmax(worth) - np.nanmin(worth))
        # What hides or tops a card is read by shares in 8 bits: how far a range may be off for it.
        shares = [pair[p] for pair in here.seen[1:]]
        off = sum(min(_SHARE / share, 1.0) for share in shares if share)
        if abs(best - said) > second.unit_gp + _FLOAT + off * spread:
            problems.append(f"best play of player {p} is worth {best:.4f} GP, not {said:.4f}")
    return problems


def _follows(before: Reached, second: SecondStep, day: DayGame, player: int) -> bool:
    """Whether the worth of each action is the expectation of what follows."""
    import numpy as np

    here, other = before.later, 1 - player
    theirs = [(-3, 1.0)] if not here.acts[other] else _shares(here, before.ranges[other], other)
    most = 2.0 * day.row_length * max(day.gp) + sum(card.gp for card in day.cheers)
    pool = pool_after(day, player, here.shown[player])
    for shown in {HIDDEN} if here.kind == "hide" else range(-1, NUM_TYPES):
        total = np.zeros(here.worth[player].shape)
        left = 1.0
        for answer, share in theirs:
            ends = [[*side] for side in here.shown]
            ends[player].append(shown)
            if here.acts[other]:
                ends[other].append(answer)
            following = second.find((tuple(ends[0]), tuple(ends[1])))
            if following is None:
                continue
            left -= share
            total += share * _expected(here, following, player, shown, pool)
        if left > 1.0 - 1e-9:
            continue
        columns = range(NUM_TYPES) if shown == HIDDEN else [NOTHING if shown < 0 else shown]
        off = here.worth[player][:, columns] - total[:, columns]
        # Which hands are likely behind a hidden card is read by shares in 8 bits.
        rounding = second.unit_gp * 2 + _FLOAT + most * _SHARE * bool(before.seen)
        if np.nanmax(np.abs(off), initial=0.0) > max(left, 0.0) * most + rounding:
            return False
    return True


def _shares(here: Later, reach: NDArray[np.float64], player: int) -> list[tuple[int, float]]:
    """What a player shows next, and how likely that is over its range."""
    taken = (reach @ here.mix[player] / reach.sum()).tolist()
    if here.kind == "hide":
        return [(HIDDEN, sum(taken[:NUM_TYPES])), (-1, taken[NOTHING])]
    return [*enumerate(taken[:NUM_TYPES]), (-1, taken[NOTHING])]


def _expected(here: Later, following: Later, player: int, shown: int, pool: list[int]) -> NDArray[np.float64]:
    """What best play of a decision that follows is worth, on average over the draw: [S, A]."""
    import numpy as np

    total = np.zeros(here.worth[player].shape)
    if following.acts[player]:
        best = np.nanmax(following.worth[player], axis=1)
    else:
        return np.full(total.shape, np.nan)  # What the other one's decision leaves is not stored by hand.
    rows = numbered(following.states[player])
    for card, origin, states, weight in ways_on(here.states[player], shown, pool):
        # Lists of openings have hands of the other player, too.
        places = np.array([rows.get(state.tobytes(), len(best)) for state in states], np.int64)
        np.add.at(total[:, card], origin, weight * np.append(best, np.nan)[places])
    return total
