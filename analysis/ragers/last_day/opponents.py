"""All opponents to play against, by name."""

from __future__ import annotations

from collections.abc import Callable

from analysis.ragers.last_day.for_the_match import ForTheMatch
from analysis.ragers.play.equilibrium import Equilibrium, thinker
from analysis.ragers.play.opponents import Greedy, Opponent, Rollouts, StoredOpening, Uniform

OPPONENTS: dict[str, Callable[[int, float], Opponent]] = {
    "uniform": lambda playouts, think_s: Uniform(),
    "greedy": lambda playouts, think_s: Greedy(),
    "rollouts": lambda playouts, think_s: Rollouts(playouts),
    "stored": lambda playouts, think_s: StoredOpening(Rollouts(playouts)),
    "equilibrium": lambda playouts, think_s: Equilibrium(thinker(think_s), Rollouts(playouts)),
    "match": lambda playouts, think_s: ForTheMatch(think_s),
}
"""Of playouts for each action and seconds for each decision, where they need them."""
