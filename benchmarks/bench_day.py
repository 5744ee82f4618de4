"""Reduced days of Ragers that OpenSpiel can still walk: time to the same NashConv.

    python -m benchmarks.bench_day [--quick] [--target 0.01]

A day with tiny decks is written as an extensive-form file and solved by OpenSpiel's CFR+ in C++, by ours on
the same explicit tree, and by the day solver, which works on hands and public rows instead. Each reads its
own kind of input; that time counts, except that of writing the file. NashConv is in glory points.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.side_by_side import heading, once_s, ratio, seconds, table
from engine.ragers.day import day_tables
from solver.extensive import ExtensiveGame, build_game
from solver.hidden_hands import Settings, solve
from solver.tree_cfr import CHECK_GROWTH, FIRST_CHECK, TreeCfrSettings, solve_tree_cfr
from tests.oracles.games import ASYMMETRIC, LARGE, SYMMETRIC, TinyGame
from tests.oracles.peers import write_efg

PEERS = ("numpy", "numba", "open-spiel")
DAYS = ("uneven-attacks", "cheater-against-chancer", "stoppers", "all-types-three-steps", "hands-of-three")
QUICK = ("uneven-attacks",)


def open_spiel_to_target(path: Path, target: float, limit_s: float) -> bool:
    """Run CFR+ until NashConv is at most the target; False if the time is up."""
    import pyspiel

    begin = time.process_time()
    game: Any = pyspiel.load_game(f"efg_game(filename={path})")
    solver = pyspiel.CFRPlusSolver(game)
    done = 0
    while True:
        goal = max(FIRST_CHECK, int(done * CHECK_GROWTH))
        while done < goal:
            if time.process_time() - begin > limit_s:
                return False
            solver.evaluate_and_update_policy()
            done += 1
        if pyspiel.nash_conv(game, solver.average_policy(), False) <= target:
            return True


def row(day: TinyGame, target: float, limit_s: float) -> list[str]:
    """Return a day's row of the table."""

    def by_tree() -> ExtensiveGame:
        tree = build_game(day.source())
        result = solve_tree_cfr(tree, TreeCfrSettings(max_iterations=10**6, target_nash_conv=target))
        assert result.converged
        return tree

    def by_day_solver() -> float:
        game = day_tables(day.rules(), day.patron, list(day.cheers))
        settings = Settings(preparation=day.preparation, target=target, iterations=100_000, threads=1)
        return float(solve(game, settings).nash_conv)

    day_s, nash_conv = once_s(by_day_solver)
    assert isinstance(nash_conv, float)
    tree_s, tree = once_s(by_tree)
    assert isinstance(tree, ExtensiveGame)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "day.efg"
        write_efg(tree, path)
        their_s, reached = once_s(lambda: open_spiel_to_target(path, target, limit_s))
    return [
        day.name,
        f"{tree.num_nodes:,}",
        seconds(day_s) + ("" if nash_conv <= target else " (missed)"),
        seconds(tree_s),
        ("" if reached else "> ") + seconds(their_s),
        ("" if reached else "> ") + ratio(their_s / day_s),
        ("" if reached else "> ") + ratio(their_s / tree_s),
    ]


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--target", type=float, default=0.01, help="NashConv in glory points")
    parser.add_argument("--limit", type=float, default=120.0, help="seconds OpenSpiel may take for a day")
    parser.add_argument("--quick", action="store_true", help="one small day")
    arguments = parser.parse_args()
    heading(f"Reduced days of Ragers to a NashConv of {arguments.target:g} GP", PEERS)
    by_name = {day.name: day for day in (*SYMMETRIC, *ASYMMETRIC, *LARGE)}
    names = QUICK if arguments.quick else DAYS
    # Compiles everything before a clock starts.
    row(by_name[QUICK[0]], 0.5, 5.0)
    rows = [row(by_name[name], arguments.target, arguments.limit) for name in names]
    headings = ["day", "nodes", "day solver", "CFR+ on the tree", "OpenSpiel C++ CFR+"]
    headings += ["day solver faster by", "tree faster by"]
    print(table(headings, rows))


if __name__ == "__main__":
    main()
