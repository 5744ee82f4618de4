"""Zero-sum matrix games: the batched kernel beside QuantEcon, HiGHS, nashpy, OpenSpiel and Gambit.

    python -m benchmarks.bench_matrix [--games 100000] [--seed 1] [--quick]

The first table has 8 x 8 games of several kinds, the second sizes from 3 x 3 to 100 x 100. Batches are solved
whole by the kernel and by QuantEcon's `minmax` in a compiled loop; the other peers take single games from
Python, the way they are used. `gap` is the largest found: what the better replies would gain, in units of the
payoff range.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import nashpy
import numpy as np
import numpy.typing as npt
from numba import njit
from scipy.optimize import linprog

from benchmarks.side_by_side import heading, measure, ratio, seconds, table
from solver.matrix.zero_sum import solve_matrices, solve_matrix

FloatArray = npt.NDArray[np.float64]

SIZES = (3, 5, 8, 13, 20, 35, 60, 100)
PEERS = ("numpy", "numba", "quantecon", "scipy", "nashpy", "open-spiel", "cvxpy", "pygambit")


def families(num_games: int, size: int, seed: int) -> dict[str, FloatArray]:
    """Return batches [K, M, M] by name."""
    generator = np.random.default_rng(seed)
    shape = (num_games, size, size)
    integers = generator.integers(-3, 4, shape).astype(np.float64)
    return {
        "real": generator.normal(size=shape),
        "integer": integers,
        # Rows occur more than once: many equilibria, many ties.
        "degenerate": np.ascontiguousarray(integers[:, generator.integers(0, size, size)]),
        "symmetric": integers - integers.transpose(0, 2, 1),
    }


def largest_gap(games: FloatArray, rows: FloatArray, columns: FloatArray) -> float:
    """Return the largest gap in units of the payoff range, measured with numpy alone."""
    best = np.einsum("kmn,kn->km", games, columns).max(axis=1)
    worst = np.einsum("kmn,km->kn", games, rows).min(axis=1)
    scale = games.max(axis=(1, 2)) - games.min(axis=(1, 2))
    return float(np.max((best - worst) / np.where(scale > 0.0, scale, 1.0)))


def quantecon_batch() -> Callable[[FloatArray], tuple[FloatArray, FloatArray]] | None:
    """Return QuantEcon's `minmax` in a compiled loop over games, if it is installed."""
    try:
        from quantecon.optimize import minmax
    except ImportError:
        return None

    @njit
    def loop(games: FloatArray, rows: FloatArray, columns: FloatArray) -> None:
        for k in range(games.shape[0]):
            _, row, column = minmax(games[k])
            rows[k] = row
            columns[k] = column

    def solve(games: FloatArray) -> tuple[FloatArray, FloatArray]:
        rows, columns = np.empty(games.shape[:2]), np.empty((games.shape[0], games.shape[2]))
        loop(games, rows, columns)
        return rows, columns

    return solve


def highs(game: FloatArray) -> float:
    """Return the value by scipy's HiGHS with its own tolerances: the row player's program, nothing else."""
    num_rows, num_columns = game.shape
    answer = linprog(
        np.append(np.zeros(num_rows), -1.0),
        A_ub=np.hstack([-game.T, np.ones((num_columns, 1))]),
        b_ub=np.zeros(num_columns),
        A_eq=np.append(np.ones(num_rows), 0.0)[np.newaxis],
        b_eq=[1.0],
        bounds=[(0.0, None)] * num_rows + [(None, None)],
        method="highs",
    )
    return -float(answer.fun)


def single_peers() -> dict[str, Callable[[FloatArray], Any]]:
    """Return the peers that take one game from Python."""
    peers: dict[str, Callable[[FloatArray], Any]] = {
        "scipy HiGHS": highs,
        "nashpy linear_program": lambda game: nashpy.Game(game).linear_program(),
    }
    try:
        import pyspiel
        from open_spiel.python.algorithms.lp_solver import solve_zero_sum_matrix_game

        peers["OpenSpiel LP (cvxpy)"] = lambda game: solve_zero_sum_matrix_game(
            pyspiel.create_matrix_game(game, -game)
        )
    except ImportError:
        pass
    try:
        import pygambit

        # The class changed its name in version 17.
        kind = getattr(pygambit, "StrategicGame", pygambit.Game)
        peers["Gambit lp_solve"] = lambda game: pygambit.nash.lp_solve(
            kind.from_arrays(game, -game), rational=False
        )
    except ImportError:
        pass
    return peers


def kinds(num_games: int, seed: int, rounds: int, num_single: int) -> None:
    """Print the table of 8 x 8 games."""
    rows = []
    theirs = quantecon_batch()
    for name, games in families(num_games, 8, seed).items():
        solution = solve_matrices(games)
        gap = largest_gap(games, solution.row_strategies, solution.column_strategies)
        few = games[:num_single]
        runs: dict[str, Callable[[], object]] = {"kernel": lambda games=games: solve_matrices(games)}  # type: ignore[misc]
        if theirs is not None:
            runs["QuantEcon minmax, njit"] = lambda games=games: theirs(games)  # type: ignore[misc]
        batch = measure(runs, rounds, calls=1)
        kernel_s = batch["kernel"] / num_games
        rows.append([name, "kernel, batch", seconds(kernel_s), "1", f"{gap:.0e}"])
        if theirs is not None:
            their_gap = largest_gap(games, *theirs(games))
            their_s = batch["QuantEcon minmax, njit"] / num_games
            rows.append(
                [
                    name,
                    "QuantEcon minmax, njit",
                    seconds(their_s),
                    ratio(their_s / kernel_s),
                    f"{their_gap:.0e}",
                ]
            )
        for peer, solve in {"kernel, one by one": solve_matrix, **single_peers()}.items():
            if peer.startswith(("OpenSpiel", "Gambit")):
                continue
            run = {peer: lambda solve=solve, few=few: [solve(game) for game in few]}  # type: ignore[misc]
            one_s = measure(run, 2, calls=1)[peer] / len(few)
            rows.append([name, peer, seconds(one_s), ratio(one_s / kernel_s), ""])
    print(f"{num_games} games of 8 x 8, seed {seed}:\n")
    print(table(["games", "solver", "a game", "ratio", "gap"], rows))


def sizes(which: tuple[int, ...], entries: int, seed: int, rounds: int, num_single: int) -> None:
    """Print the table of sizes: time of a game for all solvers."""
    theirs = quantecon_batch()
    peers = single_peers()
    rows = []
    for size in which:
        games = np.random.default_rng(seed).normal(size=(max(4, entries // size**2), size, size))
        runs: dict[str, Callable[[], object]] = {"kernel": lambda games=games: solve_matrices(games)}  # type: ignore[misc]
        if theirs is not None:
            runs["QuantEcon"] = lambda games=games: theirs(games)  # type: ignore[misc]
        times = {name: s / len(games) for name, s in measure(runs, rounds, calls=1).items()}
        few = games[: max(1, min(num_single, len(games)))]
        for peer, solve in peers.items():
            run = {peer: lambda solve=solve, few=few: [solve(game) for game in few]}  # type: ignore[misc]
            times[peer] = measure(run, 1, calls=1)[peer] / len(few)
        kernel_s = times.pop("kernel")
        rows.append([f"{size} x {size}", seconds(kernel_s), *(ratio(s / kernel_s) for s in times.values())])
    names = [*(["QuantEcon"] if theirs is not None else []), *peers]
    print("\nReal payoffs, time of a game in the kernel, and how many times as long the others take:\n")
    print(table(["size", "kernel", *names], rows))


def main() -> None:
    """Measure and print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="seconds, to see that it works")
    arguments = parser.parse_args()
    heading("Zero-sum matrix games", PEERS)
    if arguments.quick:
        kinds(min(arguments.games, 200), arguments.seed, 1, 3)
        sizes((3, 13), 2_000, arguments.seed, 1, 1)
    else:
        kinds(arguments.games, arguments.seed, 7, 100)
        sizes(SIZES, 200_000, arguments.seed, 5, 10)


if __name__ == "__main__":
    main()
