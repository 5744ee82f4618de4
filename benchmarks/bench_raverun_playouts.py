"""Playouts of Raverun on one core: `python benchmarks/bench_raverun_playouts.py [num_playouts] [seed]`.

Every move counts as a transition, chance nodes (each card dealt) included. The same run times the reference
in plain Python, so that the ratio says something on any machine.
"""

from __future__ import annotations

import random
import sys
import time

from engine.raverun.kernel_rules import kernel_rules
from engine.raverun.playouts import playouts
from engine.raverun.reference import chance_outcomes, is_over, legal_moves, start, step
from engine.raverun.rules import PLAYER_COUNTS, Rules, load_rules

_REPEATS = 5


def _reference_playouts(rules: Rules, num_players: int, num_playouts: int, seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(num_playouts):
        state = start(rules, num_players)
        while not is_over(state):
            outcomes = [outcome for outcome, _ in chance_outcomes(state)]
            state = step(state, rng.choice(outcomes or legal_moves(state)))


def main(num_playouts: int = 500_000, seed: int = 1) -> None:
    """Print the rates; the kernel's is the best of several runs in processor time."""
    rules = load_rules()
    for num_players in PLAYER_COUNTS:
        compiled = kernel_rules(rules, num_players)
        playouts(compiled, 1, seed)  # compiles
        seconds = []
        for _ in range(_REPEATS):
            begin = time.process_time()
            result = playouts(compiled, num_playouts, seed)
            seconds.append(time.process_time() - begin)
        best = min(seconds)
        begin = time.process_time()
        _reference_playouts(rules, num_players, 300, seed)
        reference = 300 / (time.process_time() - begin)
        length = result.transitions / num_playouts
        print(f"{num_players} players")
        print(f"playouts     {num_playouts / best:14,.0f} /s")
        print(f"transitions  {result.transitions / best:14,.0f} /s   {length:.1f} a game")
        print(f"reference    {reference:14,.0f} /s   {num_playouts / best / reference:,.0f} times slower")
        print(f"wins         {' '.join(f'{wins / num_playouts:.4f}' for wins in result.wins)}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
