"""Duels of Warage beside a card game's simulator, and a reduced duel beside OpenSpiel's walk of it.

    python -m benchmarks.bench_duels [--duels 4000] [--peer-games 5] [--seed 1] [--quick]

No public program plays Warage. dgisim plays Genius Invokation TCG, a duel with dice, hands, decks and effects
of cards, for training players, in plain Python: its games are longer and their rules larger, so the ratio
says what a simulator of its kind leaves to be had, not more. OpenSpiel reads a reduced duel as a file that
`warage export` would write, and walks all of it; both have to pay the same under uniform play.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from pathlib import Path

import numpy as np

from analysis.warage.positions import Hero
from analysis.warage.reduced_duel import Reduction, duel_tree, reduced_setup
from benchmarks.side_by_side import heading, ratio, seconds, table
from engine.jit import kernel_njit
from engine.randomness import below, next_random
from engine.warage import kernel
from engine.warage.duels import matches
from engine.warage.kernel_moves import MOVE_WORDS
from engine.warage.kernel_rules import kernel_rules
from engine.warage.kernel_state import Words
from engine.warage.reference import setup_of
from engine.warage.rules import Rules, load_rules
from engine.warage.styles import RULE_BASED
from solver.extensive import ExtensiveGame, expected_payoff, uniform_strategy
from solver.sequence_form import solve_sequence_form
from tests.oracles.peers import openspiel_uniform_play

PACKAGES = ("numpy", "numba", "dgisim", "open-spiel")
HEROES = (
    Hero("orc", "warrior", {"war-axe": 1, "battle-cry": 1}),
    Hero("human", "paladin", {"parry": 1, "negate": 1}),
)


def by_rules(rules: Rules, deck: str, duels: int, seed: int) -> float:
    """Duels a second of a deck against itself, both played by rules."""
    compiled = kernel_rules(rules, setup_of(rules, (deck, deck)))
    begin = time.process_time()
    matches(compiled, [RULE_BASED] * 2, duels, seed)
    return duels / (time.process_time() - begin)


@kernel_njit
def _play_at_random(words: Words, rules: Words, rng: Words, move: Words, weights: Words) -> None:
    while not kernel.is_over(words):
        if kernel.decider(words, rules) == kernel.CHANCE:
            left, index = below(next_random(rng), kernel.chance_weights(words, rules, weights)), 0
            while left >= weights[index]:
                left -= weights[index]
                index += 1
        else:
            index = below(next_random(rng), kernel.num_outcomes(words, rules))
        kernel.transition(words, rules, index, move, weights)


def at_random(rules: Rules, deck: str, duels: int, seed: int) -> float:
    """Duels a second in which every legal move is as likely."""
    compiled = kernel_rules(rules, setup_of(rules, (deck, deck)))
    begin = time.process_time()
    words, rng = np.zeros(kernel.NUM_WORDS, np.int64), np.array([seed])
    scratch = np.zeros(MOVE_WORDS, np.int64), np.zeros(kernel.MAX_OUTCOMES, np.int64)
    for _ in range(duels):
        kernel.start(words, compiled)
        _play_at_random(words, compiled, rng, *scratch)
    return duels / (time.process_time() - begin)


def by_dgisim(games: int, seed: int) -> float | None:
    """Games a second of dgisim's random players; None where it is not installed."""
    try:
        from dgisim import GameState, GameStateMachine
        from dgisim.agents import RandomAgent
    except ImportError:
        return None
    random.seed(seed)
    begin = time.process_time()
    for _ in range(games):
        GameStateMachine(GameState.from_default(), RandomAgent(), RandomAgent()).run()
    return games / (time.process_time() - begin)


def reduced(rules: Rules) -> ExtensiveGame:
    """A duel of two cards a side, as a tree."""
    overrides = Reduction(hp=(6, 3), turns=2).overrides(rules, ("orc", "human"))
    return duel_tree(reduced_setup(load_rules(overrides=overrides), HEROES))


def duels_table(rules: Rules, duels: int, peer_games: int, seed: int) -> str:
    """Duels a second, beside games a second of dgisim."""
    peer = by_dgisim(peer_games, seed)
    rows = []
    for name, run in (("by rules", by_rules), ("at random", at_random)):
        run(rules, rules.decks[0].id, 1, seed)  # compiles
        for deck in rules.decks:
            speed = run(rules, deck.id, duels, seed)
            beside = ["not installed", "-"] if peer is None else [f"{peer:.2g}", ratio(speed / peer)]
            rows.append([f"{deck.id}, {name}", f"{speed:,.0f}", *beside])
    return table(["a deck against itself", "duels/s", "dgisim, games/s", "ratio"], rows)


def walk_table(rules: Rules) -> str:
    """A reduced duel: built, walked and solved here, walked by OpenSpiel."""
    begin = time.process_time()
    tree = reduced(rules)
    built = time.process_time()
    own = expected_payoff(tree, uniform_strategy(tree))
    walked = time.process_time()
    solved = solve_sequence_form(tree)
    done = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        again = time.process_time()
        nodes, theirs = openspiel_uniform_play(tree, Path(folder))
        peer = time.process_time() - again
    assert nodes == tree.num_nodes, (nodes, tree.num_nodes)
    assert np.isclose(own, theirs, atol=1e-9), (own, theirs)
    print(f"Uniform play pays {own:+.6f} in both; the value is {solved.value:+.6f}.\n")
    row = [f"{nodes:,}", seconds(built - begin), seconds(walked - built), seconds(done - walked)]
    return table(
        ["nodes", "built from the rules", "walked", "solved exactly", "OpenSpiel, read and walked"],
        [[*row, seconds(peer)]],
    )


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--duels", type=int, default=4_000)
    parser.add_argument("--peer-games", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="seconds, to see that it works")
    arguments = parser.parse_args()
    duels = min(arguments.duels, 500) if arguments.quick else arguments.duels
    games = 1 if arguments.quick else arguments.peer_games
    heading("Duels of Warage", PACKAGES)
    rules = load_rules()
    expected_payoff(tree := reduced(rules), uniform_strategy(tree))  # compiles
    print(duels_table(rules, duels, games, arguments.seed))
    print()
    print(walk_table(rules))


if __name__ == "__main__":
    main()
