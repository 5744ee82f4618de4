"""CFR+ and best responses on explicit trees, beside OpenSpiel's C++, LiteEFG and HiGHS on the sequence form;
and the variants of CFR beside each other.

    python -m benchmarks.bench_trees [--quick]

Iterations and exploitability are measured on OpenSpiel's own tree, read state by state, so that the work is
the same. Time to an exploitability includes all it takes from the rules: ours are the plain-Python rules of
tests/games, unfolded by `build_game`; for peers it includes building their solver, and measuring the
exploitability whenever iterations have grown by half, as ours does.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from benchmarks.peer_trees import GAMES, OpenSpielSource, PeerGame, peer_solvers
from benchmarks.side_by_side import heading, measure, once_s, ratio, seconds, table
from solver.extensive import ExtensiveGame, build_game
from solver.sequence_form import solve_sequence_form
from solver.tree_best_response import exploitability
from solver.tree_cfr import CHECK_GROWTH, FIRST_CHECK, TreeCfrSettings, solve_tree_cfr
from tests.oracles.games import ASYMMETRIC, SYMMETRIC

TARGET = 1e-3
COMPARED = ("dcfr", "cfr+", "pcfr+")
PEERS = ("numpy", "numba", "open-spiel", "LiteEFG", "scipy")
QUICK = ("Kuhn", "Goofspiel-4")


def iterations(games: list[PeerGame], rounds: int, run_s: float) -> list[list[str]]:
    """Return the rows of the table of iterations and exploitability."""
    import pyspiel

    rows = []
    for peer_game in games:
        theirs = pyspiel.load_game(peer_game.open_spiel)
        game = build_game(OpenSpielSource(theirs))
        once = measure(
            {"": lambda g=game: solve_tree_cfr(g, TreeCfrSettings(max_iterations=200))}, 1, calls=1
        )  # type: ignore[misc]
        count = max(200, int(run_s / (once[""] / 200)))
        runs: dict[str, Callable[[], object]] = {
            "ours": lambda g=game, n=count: solve_tree_cfr(g, TreeCfrSettings(max_iterations=n))  # type: ignore[misc]
        }
        solvers = [make(theirs) for make in peer_solvers()]
        counts = {"ours": count}
        for solver in solvers:
            solver.iterate(1)
            spent, _ = once_s(lambda solver=solver: solver.iterate(1))  # type: ignore[misc]
            counts[solver.name] = max(1, int(run_s / max(spent, 1e-6)))
            runs[solver.name] = lambda solver=solver, n=counts[solver.name]: solver.iterate(n)  # type: ignore[misc]
        times = {name: s / counts[name] for name, s in measure(runs, rounds, calls=1).items()}
        strategy = solve_tree_cfr(game, TreeCfrSettings(max_iterations=20)).strategy
        policy = solvers[0].solver.average_policy()
        measured = measure(
            {
                "ours": lambda g=game, s=strategy: exploitability(g, s),  # type: ignore[misc]
                "OpenSpiel C++": lambda g=theirs, p=policy: pyspiel.nash_conv(g, p, False),  # type: ignore[misc]
            },
            rounds,
        )
        rows.append(
            [
                peer_game.name,
                f"{game.num_nodes:,}",
                f"{1.0 / times['ours']:,.0f}",
                *(ratio(times[solver.name] / times["ours"]) for solver in solvers),
                seconds(measured["ours"]),
                ratio(measured["OpenSpiel C++"] / measured["ours"]),
            ]
        )
    return rows


def to_target(games: list[PeerGame], target: float, limit_s: float) -> list[list[str]]:
    """Return the rows of the table of times to an exploitability."""
    import pyspiel

    rows = []
    for peer_game in games:

        def ours(peer_game: PeerGame = peer_game) -> float:
            result = solve_tree_cfr(
                build_game(peer_game.source),
                TreeCfrSettings(max_iterations=1_000_000, target_nash_conv=2 * target),
            )
            assert result.converged
            return result.exploitability

        def program(peer_game: PeerGame = peer_game) -> float:
            return solve_sequence_form(build_game(peer_game.source)).exploitability

        our_s, reached = once_s(ours)
        cells = [seconds(our_s), f"{reached:.1e}"]
        for make in peer_solvers():

            def theirs(make: Callable[[Any], Any] = make, name: str = peer_game.open_spiel) -> bool:
                import time

                begin = time.process_time()
                solver = make(pyspiel.load_game(name))
                done = 0
                while True:
                    goal = max(FIRST_CHECK, int(done * CHECK_GROWTH))
                    while done < goal and time.process_time() - begin < limit_s:
                        solver.iterate(1)
                        done += 1
                    if done < goal:
                        return False
                    if solver.exploitability() <= target:
                        return True

            their_s, converged = once_s(theirs)
            cells.append(("" if converged else "> ") + ratio(their_s / our_s))
        program_s, gap = once_s(program)
        assert isinstance(gap, float)
        cells.append(ratio(program_s / our_s) + ("" if gap <= target else " (missed)"))
        rows.append([peer_game.name, *cells])
    return rows


def variants(trees: dict[str, ExtensiveGame], count: int) -> list[list[str]]:
    """Return the rows of the table of variants: NashConv after so many iterations, and their time."""
    rows = []
    for name, tree in trees.items():
        runs = {
            variant: lambda t=tree, v=variant: solve_tree_cfr(t, TreeCfrSettings(v, max_iterations=count))  # type: ignore[misc]
            for variant in COMPARED
        }
        times = measure(runs, 1, calls=1)
        reached = [runs[variant]().nash_conv for variant in COMPARED]
        least = min(reached)
        rows.append(
            [
                name,
                f"{tree.num_nodes:,}",
                *(f"**{amount:.1e}**" if amount == least else f"{amount:.1e}" for amount in reached),
                ratio(times["pcfr+"] / times["cfr+"]),
            ]
        )
    return rows


def main() -> None:
    """Measure and print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="seconds, to see that it works")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds a peer may take to the target")
    arguments = parser.parse_args()
    games = [game for game in GAMES if not arguments.quick or game.name in QUICK]
    heading("CFR+ on explicit trees", PEERS)
    names = [make.name for make in peer_solvers()]  # type: ignore[attr-defined]
    print("Iterations a second, and how many times as long the others take; exploitability likewise:\n")
    rows = iterations(games, 1 if arguments.quick else 3, 0.02 if arguments.quick else 0.5)
    print(
        table(
            ["game", "nodes", "iterations/s", *names, "exploitability", "OpenSpiel C++, times as long"], rows
        ),
        flush=True,
    )
    target = 0.05 if arguments.quick else TARGET
    print(
        f"\nTime to an exploitability of {target:g} from the rules, and how many times as long the others:\n"
    )
    limit_s = min(arguments.limit, 5.0) if arguments.quick else arguments.limit
    rows = to_target(games, target, limit_s)
    print(table(["game", "CFR+", "reached", *names, "HiGHS, sequence form"], rows), flush=True)
    count = 100 if arguments.quick else 1000
    print(f"\nNashConv after {count} iterations, and the time of PCFR+ beside that of CFR+:\n")
    days = {f"day {day.name}": day for day in (*SYMMETRIC, *ASYMMETRIC) if day.num_nodes < 8000}
    if arguments.quick:
        days = dict(list(days.items())[:1])
    trees = {game.name: build_game(game.source) for game in games}
    trees |= {name: day.tree() for name, day in days.items()}
    print(table(["game", "nodes", "DCFR", "CFR+", "PCFR+", "PCFR+, times as long"], variants(trees, count)))


if __name__ == "__main__":
    main()
