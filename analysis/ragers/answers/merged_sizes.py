"""Sizes of merged trees for dry runs: counting takes up to a minute, and whoever asks is not to wait.

By slots of a row and the types that nobody places, each for hands of five and the box's values. Other values
of cards change how many rows there are, and so the size, by a third or so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.ragers.isomorphism import DayGame
from engine.ragers.rules import TYPES, VETERAN

if TYPE_CHECKING:
    from solver.hidden_hands.merged_tree import MergedSize

#: Decisions and final steps, without the symmetry quotient and with it. Counted are Arianna's and the solves
#: that docs/day-solver.md tells of. The quotients of rows of five without a type are to those as Arianna's;
#: for five slots and all types, what is without the quotient is set by the memory such a solve took.
_COUNTED = {
    (4, ()): ((186_140, 67_653), (267_038, 35_563)),
    (5, ("cheater",)): ((1_070_000, 510_000), (1_530_000, 268_000)),
    (5, ("deadeye",)): ((1_250_000, 490_000), (1_790_000, 258_000)),
    (5, ()): ((2_000_000, 800_000), (2_070_000, 280_000)),
}
#: By decision, as on the whole of Arianna's days: child slots, regrets, and states of either player.
_PER_DECISION = ((14.4, 2278, 721), (12.9, 1476, 762))
#: Of regrets, the share that has averages: fewer where there are more steps after histories are merged.
_AVERAGED = {4: 0.6, 5: 0.06}
#: Batches of final steps, by step: those nested in others included.
_BATCHES = (1.04, 1.13)
_HAND_SIZE = 5


def merged_size(day: DayGame, *, quotient: bool) -> MergedSize | None:
    """Return the size of the merged tree of a day, or of one like it; None where none was counted.

    Where no day without the same types was counted, the one with the most types in common stands in.
    """
    from solver.hidden_hands.merged_tree import MergedSize
    from solver.hidden_hands.problem import MERGING
    from solver.hidden_hands.tree import TreeSize

    gone = {TYPES[t] for t in range(len(TYPES)) if t in day.banned or not any(c[t] for c in day.copies)}
    # Without Veterans days are so small that nothing is merged.
    alike = [key for key in _COUNTED if key[0] == day.row_length and TYPES[VETERAN] not in gone]
    if not alike:
        return None
    nearest = min(alike, key=lambda key: len(gone ^ set(key[1])))
    nodes, records = _COUNTED[nearest][quotient]
    children, regrets, states = (round(nodes * each) for each in _PER_DECISION[quotient])
    # Histories do not depend on the size of hands, but what is kept of each does.
    hands = _num_hands(day.copies[0], day.hand_size) / _num_hands(day.copies[0], _HAND_SIZE)
    regrets, states = round(hands * regrets), round(hands * states)
    tree = TreeSize(nodes, children, 0, regrets, 0, 0, 0)
    averages = round(_AVERAGED[day.row_length] * regrets)
    how = MERGING._replace(quotient=quotient)
    batches = round(_BATCHES[quotient] * records)
    return MergedSize(how, tree, averages, (states, states), records, batches, 0.0)


def _num_hands(copies: tuple[int, ...], size: int) -> int:
    """Return how many different hands there are."""
    ways = [1] + [0] * size
    for most in copies:
        ways = [sum(ways[n - held] for held in range(min(most, n) + 1)) for n in range(size + 1)]
    return max(ways[size], 1)
