"""Habits: the numbers by which a player by rule of thumb decides. Needs no compiler."""

from __future__ import annotations

(
    CITY,
    FORGE,
    STONE,
    PLAIN,
    RIVAL,
    LEGEND,
    LOSS,
    SURE,
    GEAR,
    GOLD,
    UNIT,
    EARLY,
    GUARDS,
    WALK,
) = range(14)
"""Habits: see `DEFAULT_HABITS`."""
NUM_HABITS = 14
DEFAULT_HABITS: dict[str, float] = {
    "city": 4.0,  # worth of a city, and of what follows
    "forge": 3.0,
    "stone": 1.0,  # per level
    "plain": 0.05,
    "rival": 1.3,  # factor where the enemy is a player, not the elves
    "legend": 5.0,  # worth of forging
    "loss": 0.15,  # per life point expected to be lost
    "sure": 0.75,  # least chance of an attack
    "gear": 1.5,  # worth of an icon that is bought and has a place
    "gold": 0.25,  # of tactic cards: per gold
    "unit": 1.0,  # per level of a reinforcement
    "early": 1.0,  # for the first place in the order of turns
    "guards": 1.0,  # figures that stay in a city or forge
    "walk": 0.6,  # per step that a figure comes nearer to what is worth taking
}
"""What the player by rule of thumb goes by, in an arbitrary unit of worth."""

SOLO_HABITS: dict[str, float] = {
    "city": 1.75,
    "forge": 1.2,
    "stone": 0.86,
    "legend": 2.24,
    "loss": 0.02,
    "gear": 0.55,
    "gold": 0.14,
    "unit": 0.8,
    "early": 0.5,
    "guards": 0.0,  # elves never move
}
"""What differs in the playouts of a search in solo play: found by random search over 4,000 playouts a try."""

assert len(DEFAULT_HABITS) == NUM_HABITS
