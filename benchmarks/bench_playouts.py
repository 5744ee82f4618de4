"""Random whole-match playouts on one core: `python benchmarks/bench_playouts.py [num_playouts] [seed]`.

Every move counts as a transition, chance nodes included. The same run times the plain-Python reference, so
that the ratio says something on any machine.
"""

from __future__ import annotations

import random
import sys
import time

from engine.ragers.kernel_rules import kernel_rules
from engine.ragers.playouts import playouts
from engine.ragers.reference import (
    CHANCE,
    NOTHING,
    chance_outcomes,
    deciders,
    is_over,
    legal_actions,
    start_match,
    step,
)
from engine.ragers.rules import Rules, load_rules

_REPEATS = 5


def _reference_transitions(rules: Rules, num_playouts: int, seed: int) -> int:
    rng = random.Random(seed)
    num_transitions = 0
    for _ in range(num_playouts):
        state = start_match(rules)
        while not is_over(state):
            who = deciders(state)
            if who == (CHANCE,):
                outcomes, weights = zip(*chance_outcomes(state), strict=True)
                state = step(state, int(rng.choices(outcomes, weights)[0]))
            else:
                first, second = (
                    rng.choice(legal_actions(state, player)) if player in who else NOTHING
                    for player in (0, 1)
                )
                state = step(state, (first, second))
            num_transitions += 1
    return num_transitions


def main(num_playouts: int = 500_000, seed: int = 1) -> None:
    """Print the rates; the kernel's is the best of several runs in processor time."""
    rules = load_rules()
    compiled = kernel_rules(rules)
    playouts(compiled, 1, seed)  # compiles
    seconds = []
    for _ in range(_REPEATS):
        begin = time.process_time()
        result = playouts(compiled, num_playouts, seed)
        seconds.append(time.process_time() - begin)
    best = min(seconds)
    begin = time.process_time()
    reference = _reference_transitions(rules, 300, seed) / (time.process_time() - begin)
    print(f"playouts     {num_playouts / best:14,.0f} /s")
    length = result.transitions / num_playouts
    print(f"transitions  {result.transitions / best:14,.0f} /s   {length:.1f} a match")
    ratio = result.transitions / best / reference
    print(f"reference    {reference:14,.0f} /s   {ratio:,.0f} times slower")
    print(f"wins         {result.wins[0] / num_playouts:.4f} {result.wins[1] / num_playouts:.4f}")
    print(f"mean GP      {result.mean_gp[0]:.3f} {result.mean_gp[1]:.3f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
