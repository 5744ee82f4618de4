"""Random playouts of whole matches, beside OpenSpiel's Goofspiel-13: its Python loop and its C++ rollouts.

    python -m benchmarks.bench_playouts [--playouts 500000] [--seed 1] [--quick]

Every move counts as a transition, chance included. The games differ, so the ratio is one of moves, not of
matches. The same run times the plain-Python reference of the rules.
"""

from __future__ import annotations

import argparse
import random
from typing import Any

from benchmarks.ragers_playouts import playouts
from benchmarks.side_by_side import heading, measure, once_s, ratio, table
from engine.ragers.kernel_rules import kernel_rules
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

PEERS = ("numpy", "numba", "open-spiel")
GOOFSPIEL = "goofspiel(num_cards=13)"


def reference_transitions(rules: Rules, num_playouts: int, seed: int) -> int:
    """Play matches by the plain-Python reference and return the transitions."""
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


def open_spiel_transitions(game: Any, num_playouts: int, seed: int) -> int:
    """Play a game of OpenSpiel in a Python loop and return the transitions."""
    rng = random.Random(seed)
    num_transitions = 0
    for _ in range(num_playouts):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, weights)[0])
            elif state.is_simultaneous_node():
                state.apply_actions([rng.choice(state.legal_actions(player)) for player in (0, 1)])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
            num_transitions += 1
    return num_transitions


def main() -> None:
    """Print the rates."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--playouts", type=int, default=500_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="seconds, to see that it works")
    arguments = parser.parse_args()
    num_playouts = min(arguments.playouts, 2_000) if arguments.quick else arguments.playouts
    num_slow = 5 if arguments.quick else 100
    heading("Random playouts of whole matches", PEERS)
    rules = load_rules()
    compiled = kernel_rules(rules)
    playouts(compiled, 1, arguments.seed)  # compiles
    result = playouts(compiled, num_playouts, arguments.seed)
    rounds = 1 if arguments.quick else 5
    runs = {"kernel": lambda: playouts(compiled, num_playouts, arguments.seed)}
    times = measure(runs, rounds, calls=1)  # type: ignore[arg-type]
    rates = {"kernel": result.transitions / times["kernel"]}
    spent, moves = once_s(lambda: reference_transitions(rules, num_slow, arguments.seed))
    assert isinstance(moves, int)
    rates["plain-Python reference"] = moves / spent
    try:
        import pyspiel
    except ImportError:
        pass
    else:
        game = pyspiel.load_game(GOOFSPIEL)
        spent, moves = once_s(lambda: open_spiel_transitions(game, num_slow, arguments.seed))
        assert isinstance(moves, int)
        rates["OpenSpiel Goofspiel-13, Python loop"] = moves / spent
        # Its rollouts in C++ are within reach as the evaluation of a tree search of one simulation.
        sequential = pyspiel.convert_to_turn_based(game)
        state = sequential.new_initial_state()
        while state.is_chance_node():
            state.apply_action(state.legal_actions()[0])
        evaluator = pyspiel.RandomRolloutEvaluator(10 * num_slow, arguments.seed)
        search = pyspiel.MCTSBot(sequential, evaluator, 1.4, 1, 10, False, arguments.seed, False)
        spent, _ = once_s(lambda: search.step(state))
        moves = open_spiel_transitions(sequential, 5, arguments.seed) // 5
        rates["OpenSpiel Goofspiel-13, C++ rollouts"] = 10 * num_slow * moves / spent
    rows = [[name, f"{rate:,.0f}", ratio(rates["kernel"] / rate)] for name, rate in rates.items()]
    print(table(["playouts", "transitions/s", "kernel is faster by"], rows))
    wins = " and ".join(f"{win / num_playouts:.4f}" for win in result.wins)
    print(
        f"\n{num_playouts} matches of {result.transitions / num_playouts:.1f} transitions, seed "
        f"{arguments.seed}; wins {wins}, mean GP {result.mean_gp[0]:.3f} and {result.mean_gp[1]:.3f}."
    )


if __name__ == "__main__":
    main()
