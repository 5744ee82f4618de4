"""Random playouts of Raverun on one core.

    python -m benchmarks.bench_raverun_playouts [--playouts 500000] [--seed 1] [--quick]

Every move counts as a transition, chance nodes (each card dealt) included. The same run times the reference
in plain Python, so that the ratio says something on any machine.
"""

from __future__ import annotations

import argparse
import random
from functools import partial

from benchmarks.raverun_playouts import playouts
from benchmarks.side_by_side import heading, measure, once_s, ratio, table
from engine.raverun.kernel_rules import kernel_rules
from engine.raverun.reference import chance_outcomes, is_over, legal_moves, start, step
from engine.raverun.rules import PLAYER_COUNTS, Rules, load_rules

PEERS = ("numpy", "numba")


def _reference_playouts(rules: Rules, num_players: int, num_playouts: int, seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(num_playouts):
        state = start(rules, num_players)
        while not is_over(state):
            outcomes = [outcome for outcome, _ in chance_outcomes(state)]
            state = step(state, rng.choice(outcomes or legal_moves(state)))


def main() -> None:
    """Print the rates; the kernel's is the best of several runs."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--playouts", type=int, default=500_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="seconds, to see that it works")
    arguments = parser.parse_args()
    num_playouts = min(arguments.playouts, 2_000) if arguments.quick else arguments.playouts
    num_slow = 5 if arguments.quick else 300
    heading("Random playouts of Raverun", PEERS)
    rules = load_rules()
    rows = []
    for num_players in PLAYER_COUNTS:
        compiled = kernel_rules(rules, num_players)
        result = playouts(compiled, num_playouts, arguments.seed)  # compiles
        run = partial(playouts, compiled, num_playouts, arguments.seed)
        kernel = num_playouts / measure({"kernel": run}, 1 if arguments.quick else 5, calls=1)["kernel"]
        spent, _ = once_s(partial(_reference_playouts, rules, num_players, num_slow, arguments.seed))
        reference = num_slow / spent
        transitions = kernel * result.transitions / num_playouts
        rates = [f"{rate:,.0f}" for rate in (kernel, transitions, reference)]
        rows.append([f"{num_players} players", *rates, ratio(kernel / reference)])
    print(table(["", "playouts/s", "transitions/s", "plain Python/s", "faster by"], rows))
    print(f"\n{num_playouts} playouts, seed {arguments.seed}.")


if __name__ == "__main__":
    main()
