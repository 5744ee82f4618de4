"""A full iteration of the day solver: processor time, here and in another checkout, taking turns.

    python -m benchmarks.bench_iterations [--quick] [--days four,solennos] [--beside FOLDER] [--rounds 3]

One thread; kernels are compiled or loaded before. Each round is a process of its own that iterates four times
from nothing, and the shortest iteration after the first counts. *Same* says whether all tables hold the same
bits afterwards. Arianna needs some six gigabytes.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
import zlib
from pathlib import Path

import numpy as np

from benchmarks.side_by_side import heading, ratio, seconds, table

PEERS = ("numpy", "numba")
DAYS = {
    "three": ("Solennos", ("match.row_length=3",), "exact"),
    "four": ("Solennos", ("match.row_length=4",), "exact"),
    "four-merged": ("Solennos", ("match.row_length=4",), "merged"),
    "solennos": ("Solennos", (), "exact"),
    "arianna": ("Arianna", (), "merged"),
}
ROOT = Path(__file__).resolve().parents[1]


def iterate(day: str) -> None:
    """Print how many final records a day has, the shortest iteration, and a checksum of all tables."""
    from engine.ragers.day import day_tables
    from engine.ragers.rules import load_rules
    from solver.hidden_hands import Settings
    from solver.hidden_hands.planning import build_trainer, choose_plan

    patron, overrides, method = DAYS[day]
    game = day_tables(load_rules(overrides=overrides), patron, ("two-bashers",))
    settings = Settings(preparation="none", method=method, threads=1)
    trainer = build_trainer(choose_plan(game, settings)[0], settings)
    times = []
    for _ in range(4):
        begin = time.process_time()
        trainer.iterate()
        times.append(time.process_time() - begin)
    sum_of_all = 0
    for _, array in sorted(trainer.arrays().items()):
        sum_of_all = zlib.crc32(np.ascontiguousarray(array).tobytes(), sum_of_all)
    records = int((trainer.problem.tree.row_pair >= 0).sum())
    print(json.dumps([records, min(times[1:]), sum_of_all]))


def in_checkout(folder: Path, day: str) -> tuple[int, float, int]:
    """Return what `iterate` says of a checkout."""
    command = [sys.executable, str(Path(__file__).resolve()), "--iterate", day]
    environment = os.environ | {"PYTHONPATH": str(folder)}
    done = subprocess.run(command, env=environment, cwd=folder, stdout=subprocess.PIPE, check=True)
    records, shortest, sum_of_all = json.loads(done.stdout)
    return records, shortest, sum_of_all


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a tiny day, to see that this works")
    parser.add_argument("--days", default="four,solennos")
    parser.add_argument("--beside", type=Path, default=ROOT, help="another checkout, say of an older version")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--iterate", choices=DAYS, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.iterate:
        iterate(asked.iterate)
        return
    heading("Iterations of the day solver", PEERS)
    rows = []
    for day in ("three",) if asked.quick else asked.days.split(","):
        found: dict[str, list[tuple[int, float, int]]] = {"here": [], "there": []}
        for _ in range(1 if asked.quick else asked.rounds):
            for name, folder in (("here", ROOT), ("there", asked.beside.resolve())):
                found[name].append(in_checkout(folder, day))
        here, there = (min(each[1] for each in found[name]) for name in ("here", "there"))
        records, _, sum_of_all = found["here"][0]
        same = all(each[2] == sum_of_all for name in found for each in found[name])
        rows.append(
            (
                *(day, f"{records:,}", seconds(here), seconds(here / (2 * max(records, 1)))),
                *(seconds(there), ratio(here / there), "yes" if same else "no"),
            )
        )
    print(table(("day", "records", "here", "per record visited", "there", "here by there", "same"), rows))


if __name__ == "__main__":
    main()
