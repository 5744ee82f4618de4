"""Zero-sum 8 x 8 games: the batched kernel beside scipy's HiGHS and nashpy's linear program, in one process.

    python benchmarks/bench_matrix.py [--games 100000] [--size 8] [--seed 1]

Prints microseconds per game and ratios to the kernel. Everything is compiled and imported before timing; the
peers solve the first games of the same batch, one by one from Python as they are used.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from importlib.metadata import version

import nashpy
import numpy as np
import numpy.typing as npt

from solver.lp import solve_matrix_program
from solver.matrix import solve_matrices, solve_matrix

PEER_GAMES = 200
REPETITIONS = 3


def families(num_games: int, size: int, seed: int) -> dict[str, npt.NDArray[np.float64]]:
    """Return the batches [K, M, M] to solve, by name."""
    generator = np.random.default_rng(seed)
    shape = (num_games, size, size)
    integers = generator.integers(-3, 4, shape).astype(np.float64)
    return {
        "real": generator.normal(size=shape),
        "integer": integers,
        "degenerate": np.ascontiguousarray(integers[:, generator.integers(0, size, size)]),
    }


def best_time_s(run: Callable[[], object]) -> float:
    """Return the shortest of a few runs: the one least disturbed."""
    times = []
    for _ in range(REPETITIONS):
        begin = time.perf_counter()
        run()
        times.append(time.perf_counter() - begin)
    return min(times)


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--size", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    versions = ", ".join(f"{name} {version(name)}" for name in ("numpy", "numba", "scipy", "nashpy"))
    print(
        f"{arguments.games} games of {arguments.size} x {arguments.size}, seed {arguments.seed}; {versions}"
    )
    print(f"{'games':<12}{'solver':<26}{'us/game':>12}{'ratio':>10}{'largest gap':>14}")
    for name, games in families(arguments.games, arguments.size, arguments.seed).items():
        batch = solve_matrices(games[:10])
        few = games[:PEER_GAMES]
        kernel_us = best_time_s(lambda games=games: solve_matrices(games)) / len(games) * 1e6  # type: ignore[misc]
        batch = solve_matrices(games)
        print(f"{name:<12}{'kernel, batch':<26}{kernel_us:>12.2f}{1.0:>10.0f}{batch.gaps.max():>14.1e}")
        peers: dict[str, Callable[[npt.NDArray[np.float64]], object]] = {
            "kernel, one by one": solve_matrix,
            "scipy HiGHS": solve_matrix_program,
            "nashpy linear_program": lambda game: nashpy.Game(game).linear_program(),
        }
        for peer, solve in peers.items():
            solve(few[0])
            us = best_time_s(lambda solve=solve, few=few: [solve(game) for game in few]) / len(few) * 1e6  # type: ignore[misc]
            print(f"{name:<12}{peer:<26}{us:>12.2f}{us / kernel_us:>10.0f}")


if __name__ == "__main__":
    main()
