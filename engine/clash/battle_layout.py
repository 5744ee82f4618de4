"""Battles as numbers: what a position says, and where the parameters of a battle lie.

A position is what is left of both armies, both rage counts, and whose assault it is. Its number is, from
the slowest part to the quickest, (attackers, defenders, room for rage of the attacker, of the defender,
assaulter): an assault eliminates figures, or adds a token, or ends the battle, so all moves lead to lower
numbers. Armies are numbers too, the first type being the quickest part.
"""

from __future__ import annotations

# -- offsets in the whole-number tables -----------------------------------------------------------------

COUNTS = 0
"""[2, 3] figures that each side has at most."""
CUTS = 6
"""[2] most rage tokens that are counted; more lie beyond the cut."""
RAGE_LIMIT = 8
"""B12; -1 for none. With a limit the count goes on, token by token, so that no position comes back."""
SPARING = 9
"""B8."""
ELVES = 10
"""Whether the defender is the elves (B3, B5)."""
CHOOSER = 11
"""Who distributes the injuries that the elves deal (B1, X4)."""
NUM_POSITIONS = 12
NUM_OUTCOMES = 13
HABITS = 14
"""[2] how a side is held to play, as flags; 0 for optimally."""
LIVES = 16
"""[2, 3] life points."""
ORDERS = 22
"""[2, 2, 3] in which order a player of the habit `IN_ORDER` eliminates types, by player and by their side."""
STRIDE = 34
"""How long a row of probabilities is."""
PRESENT = 35
"""[2, 8, 5] by side and which types are present: power, rerolls, injuries, shields, rage icons (B4)."""
POWER, REROLLS, INJURIES, SHIELDS, RAGE = range(5)
NUM_SUMS = 5
NUM_MASKS = 8
LEAST = PRESENT + 2 * NUM_MASKS * NUM_SUMS
"""[2, 8] by side and mask: the fewest injury icons of a type present."""
RETREATS = LEAST + 2 * NUM_MASKS
"""[2, 4] by side, for the habit `BY_RULE`: fewest and most figures left of its own, then of the other's."""
NUM_WORDS = RETREATS + 2 * 4

# -- habits of simple players ---------------------------------------------------------------------------

NEVER_FLEES = 1
NEVER_SPARES = 2
IN_ORDER = 4
"""Eliminates in a fixed order of types, as many as the injuries allow; that never spares either."""

BY_RULE = 8
"""Flees where the figures left lie between those of `RETREATS`, and nowhere else."""

# -- outcomes: kind * (armies of both) + attackers left * (armies of the defender) + defenders left -----

DESTROYED, ATTACKER_FLED, DEFENDER_FLED = range(3)
NUM_ENDS = 3

# -- kinds of local nodes -------------------------------------------------------------------------------

CHANCE = 2
