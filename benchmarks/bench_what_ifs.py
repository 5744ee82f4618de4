"""What a warm start saves: days with a changed value, begun from the tables of the unchanged day, and anew.

    python -m benchmarks.bench_what_ifs [--quick] [--days four,solennos]

One thread, processor seconds of a whole solve from building its tree on, certificates counted; kernels are
compiled before. The last column is the time to a NashConv, warm by cold.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from math import log, nan
from pathlib import Path

from benchmarks.side_by_side import heading, ratio, table
from engine.ragers.day import DayTables, day_tables
from engine.ragers.rules import load_rules
from solver.hidden_hands import Progress, Settings, WarmStart, solve
from solver.hidden_hands.compiling import compile_kernels

PEERS = ("numpy", "numba")


@dataclass(frozen=True)
class WhatIf:
    """A day, a value of the Basher, and how exact an answer is waited for."""

    day: str
    gp: int
    target_gp: float


@dataclass(frozen=True)
class Day:
    """A day, how its base is solved, and how many iterations a cold solve may take."""

    overrides: tuple[str, ...]
    preparation: str
    base_iterations: int
    most_iterations: int


DAYS = {
    "three": Day(("match.row_length=3",), "none", 60, 60),
    "four": Day(("match.row_length=4",), "none", 100, 100),
    "solennos": Day((), "redraw", 100, 60),
}
WHAT_IFS = (
    WhatIf("four", 4, 0.35),
    WhatIf("four", 4, 0.25),
    WhatIf("four", 5, 0.50),
    WhatIf("solennos", 4, 0.50),
)
QUICK = (WhatIf("three", 4, 0.2),)


def game(day: Day, gp: int) -> DayTables:
    """Return a day with this worth of the Basher."""
    rules = load_rules(overrides=(*day.overrides, f"cards.basher.gp={gp}"))
    return day_tables(rules, "solennos", ("two-bashers",))


def course(
    day: Day, gp: int, warm: WarmStart, iterations: int, target_gp: float
) -> list[tuple[float, float]]:
    """Return processor seconds and NashConv of each certificate of a solve."""
    found: list[tuple[float, float]] = []
    begin = time.process_time()

    def watch(state: Progress) -> None:
        if state.nash_conv is not None and (not found or found[-1][1] != state.nash_conv):
            found.append((time.process_time() - begin, state.nash_conv))

    settings = Settings(preparation=day.preparation, iterations=iterations, threads=1, target=target_gp)
    solve(game(day, gp), settings, progress=watch, warm=warm)
    return found


def reached(found: Sequence[tuple[float, float]], target_gp: float) -> float:
    """Return when NashConv was this small, between certificates by their logarithms; nan if it never was."""
    before: tuple[float, float] | None = None
    for seconds, gap in found:
        if gap <= target_gp:
            if before is None:
                return seconds
            share = log(before[1] / target_gp) / log(before[1] / gap)
            return before[0] + share * (seconds - before[0])
        before = seconds, gap
    return nan


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a tiny day, to see that this works")
    parser.add_argument("--days", default="four,solennos")
    asked = parser.parse_args()
    compile_kernels(None, ("exact",))
    what_ifs = QUICK if asked.quick else [each for each in WHAT_IFS if each.day in asked.days.split(",")]
    heading("What-ifs, warm and cold", PEERS)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for each in what_ifs:
            day, base = DAYS[each.day], Path(folder) / each.day
            identity = {"day": each.day}
            if not base.exists():
                keep = WarmStart(identity, "base", keep_in=base, least_s=0.0)
                course(day, 3, keep, day.base_iterations, 0.0)
            start = WarmStart(identity, "warm", candidates=(base,))
            warm = course(day, each.gp, start, day.most_iterations, each.target_gp)
            cold = course(day, each.gp, WarmStart(identity, "cold"), day.most_iterations, each.target_gp)
            times = reached(warm, each.target_gp), reached(cold, each.target_gp)
            rows.append(
                (
                    f"{each.day}, Basher {each.gp}, {each.target_gp:g} GP",
                    f"{warm[0][1]:.2f} GP, {warm[0][0]:.1f} s",
                    f"{times[0]:.1f} s",
                    f"{times[1]:.1f} s",
                    ratio(times[0] / times[1]),
                )
            )
    print(table(("what-if, target", "first line", "warm", "cold", "warm by cold"), rows))


if __name__ == "__main__":
    main()
