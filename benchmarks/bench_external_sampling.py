"""External-sampling MCCFR beside OpenSpiel's C++ one: same games, one process, one thread, in turns.

    python -m benchmarks.bench_external_sampling [--seconds 2] [--rounds 5] [--games kuhn,leduc]
                                                 [--seed 1] [--quick]

Every game is OpenSpiel's own, unfolded through its Python interface into an explicit tree, so that both
sides walk the very same nodes and infosets, with uniform weights. Row "nodes as rules" is the solver for
games too large for a tree on that tree, built before the clock starts: it knows of a node only what it asks;
row "rules" is that solver on the game's rules as compiled functions, and needs no tree.

An iteration walks the game once per player on all sides and samples alike: it is the same work. So one
ratio, of iterations per second, is that of nodes and of infoset updates too. Nodes are those of the tree as
it is, counted by "nodes as rules"; OpenSpiel does not count them. Rates are in
processor time; ratios are medians over rounds, in which the sides take turns. NashConv is exact, on the
shared tree, after all the iterations a side got done.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Hashable
from typing import Any

import numpy as np
import numpy.typing as npt
import pyspiel

from benchmarks.peer_trees import OpenSpielSource
from benchmarks.side_by_side import heading, ratio, table
from solver.extensive import ExtensiveGame, build_game
from solver.sampling.external_sampling import UNIFORM, ExternalSamplingSettings, ExternalSamplingTrainer
from solver.tree_best_response import exploitability
from tests.games.compiled_goofspiel import CompiledGoofspiel
from tests.games.explicit_trees import table_strategy, tree_sampling_game

PEERS = ("numpy", "numba", "open-spiel")
_GOOFSPIEL = (
    "turn_based_simultaneous_game(game=goofspiel(imp_info=True,num_cards={},points_order={},"
    "returns_type=point_difference))"
)
#: OpenSpiel's name, and the rules as compiled functions if there are any.
GAMES: dict[str, tuple[str, CompiledGoofspiel | None]] = {
    "kuhn": ("kuhn_poker", None),
    "leduc": ("leduc_poker", None),
    "goofspiel-4": (_GOOFSPIEL.format(4, "descending"), CompiledGoofspiel(4, shuffled=False)),
    "goofspiel-4-random": (_GOOFSPIEL.format(4, "random"), CompiledGoofspiel(4)),
    "goofspiel-5": (_GOOFSPIEL.format(5, "descending"), CompiledGoofspiel(5, shuffled=False)),
}


class PeerGame(OpenSpielSource):
    """A game of OpenSpiel that keeps a state of each infoset it was asked about.

    The average policy cannot be asked for unvisited infosets by name.
    """

    def __init__(self, name: str) -> None:
        super().__init__(pyspiel.load_game(name))
        self.state_of: dict[Hashable, Any] = {}

    def infoset(self, state: Any) -> Hashable:
        key = super().infoset(state)
        self.state_of.setdefault(key, state)
        return key


def peer_strategy(tree: ExtensiveGame, source: PeerGame, policy: Any) -> npt.NDArray[np.float64]:
    """Return OpenSpiel's average policy as a [Q] strategy of the tree; uniform where it has none."""
    strategy = np.zeros(tree.num_slots)
    for infoset in range(tree.num_infosets):
        slots = range(tree.first_slot[infoset], tree.first_slot[infoset + 1])
        known = dict(policy.action_probabilities(source.state_of[tree.infoset_keys[infoset]]))
        row = np.array([known.get(tree.slot_labels[slot], 0.0) for slot in slots])
        strategy[slots] = row / row.sum() if row.sum() > 0.0 else 1.0 / len(slots)
    return strategy


def rate_over(seconds: float, run: Callable[[int], object]) -> tuple[int, float]:
    """Run iterations for about so many seconds of processor time; return how many, and the rate."""
    done, chunk, begin = 0, 16, time.process_time()
    while True:
        run(chunk)
        done += chunk
        took = time.process_time() - begin
        if took >= seconds:
            return done, done / took
        chunk = max(1, min(2 * chunk, int(done * (seconds - took) / max(took, 1e-6)) + 1))


def compare(name: str, seconds: float, rounds: int, seed: int) -> None:
    """Measure one game and print its rows."""
    peer_name, rules = GAMES[name]
    source = PeerGame(peer_name)
    begin = time.perf_counter()
    tree = build_game(source)
    build_s = time.perf_counter() - begin
    settings = ExternalSamplingSettings(weighting=UNIFORM, max_infosets=tree.num_infosets + 1, seed=seed)
    trainers = {"nodes as rules": ExternalSamplingTrainer(tree_sampling_game(tree), settings)}
    if rules is not None:
        trainers["rules"] = ExternalSamplingTrainer(rules, settings)
    peer = pyspiel.ExternalSamplingMCCFRSolver(source.game, seed)

    def run_peer(count: int) -> None:
        for _ in range(count):
            peer.run_iteration()

    sides: dict[str, Callable[[int], object]] = {"OpenSpiel": run_peer}
    for side, trainer in trainers.items():
        trainer.run(1)  # compiles
        sides[side] = trainer.run
    rates: dict[str, list[float]] = {side: [] for side in sides}
    peer_iterations = 0
    for _ in range(rounds):
        for side, run in sides.items():
            count, rate = rate_over(seconds, run)
            rates[side].append(rate)
            peer_iterations += count if side == "OpenSpiel" else 0
    walked = trainers["nodes as rules"].result()
    nodes, updates = walked.nodes / walked.iterations, walked.updates / walked.iterations
    nash_convs = {
        "OpenSpiel": exploitability(tree, peer_strategy(tree, source, peer.average_policy())).nash_conv,
        "nodes as rules": exploitability(tree, table_strategy(tree, walked.table)).nash_conv,
    }
    rows = []
    for side in sides:
        rate = statistics.median(rates[side])
        faster = statistics.median(a / b for a, b in zip(rates[side], rates["OpenSpiel"], strict=True))
        conv = f"{nash_convs[side]:.5f}" if side in nash_convs else ""
        figures = (f"{rate:,.0f}", f"{rate * nodes / 1e6:.2f}", f"{rate * updates / 1e6:.2f}", ratio(faster))
        rows.append([side, *figures, conv])
    print(
        f"{name}: {tree.num_nodes} nodes (tree built in {build_s:.2f} s), {tree.num_infosets} infosets; "
        f"an iteration walks {nodes:.1f} nodes and updates {updates:.1f} infosets with a choice.\n"
    )
    print(table(["", "iterations/s", "M nodes/s", "M updates/s", "ratio", "NashConv"], rows), flush=True)
    print()


def main() -> None:
    """Measure and print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=2.0, help="per side and round")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--games", default=",".join(GAMES), help="default: %(default)s")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="seconds, to see that it works")
    arguments = parser.parse_args()
    names = arguments.games.split(",")
    if not set(names) <= set(GAMES):
        parser.error(f"games are {', '.join(GAMES)}, got {arguments.games}")
    if arguments.quick:
        names, arguments.seconds, arguments.rounds = names[:1], 0.1, 1
    heading("External-sampling MCCFR", PEERS)
    for name in names:
        compare(name, arguments.seconds, arguments.rounds, arguments.seed)


if __name__ == "__main__":
    main()
