"""How the day solver grows with slots, decks and Veterans: size, speed, memory, NashConv over time.

    python -m benchmarks.bench_growth [--quick] [--seconds 60] [--figure growth.svg]

One thread, preparation none, every day for the same processor time (certificates not counted). Bytes are what
an iteration reads and writes at least: both players' passes read and write the regrets of the tree and the
memory of all final records once. The triad is timed in the same run, right before each day.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.loops import Triad
from benchmarks.side_by_side import heading, table
from engine.ragers.day import day_tables
from engine.ragers.rules import load_rules
from solver.hidden_hands.compiling import compile_kernels
from solver.hidden_hands.measuring import certify
from solver.hidden_hands.problem import blueprint, build_problem
from solver.hidden_hands.training import FULL_AT_FIRST, tree_trainer

PEERS = ("numpy", "numba")
SMALL_DECK = tuple(f"cards.{name}.copies=2" for name in ("basher", "slasher", "prodder"))
MIDDLE_DECK = tuple(f"cards.{name}.copies=3" for name in ("basher", "slasher", "prodder"))
FIRST_CHECK = 4


@dataclass(frozen=True)
class Day:
    """A day to grow with."""

    group: str
    name: str
    patron: str
    overrides: tuple[str, ...]


def _slots(slots: int, patron: str) -> Day:
    kind = "no Veteran" if patron == "solennos" else "all types"
    return Day(kind, f"{slots} slots", patron, (f"match.row_length={slots}",))


def _deck(name: str, overrides: tuple[str, ...]) -> Day:
    return Day("decks, 4 slots, no Veteran", name, "solennos", ("match.row_length=4", *overrides))


DAYS = (
    *(_slots(slots, "solennos") for slots in (2, 3, 4, 5)),
    *(_slots(slots, "the-nameless") for slots in (2, 3)),
    _deck("16 cards", SMALL_DECK),
    _deck("19 cards", MIDDLE_DECK),
    _deck("22 cards", ()),
)
QUICK = (DAYS[0], DAYS[4])


@dataclass(frozen=True)
class Growth:
    """What was measured of a day.

    Attributes
    ----------
    nodes, records : int
        Decisions and final records of the public tree.
    decisions : int
        Actions of hands, and of supports at final records, that an iteration updates.
    memory_bytes, moved_bytes : int
        What the solve keeps, and what an iteration moves at least.
    iterations, seconds : float
        Of iterating alone.
    triad : float
        Bytes a second.
    curve : list of (float, float)
        Seconds and certified NashConv.
    """

    day: Day
    nodes: int
    records: int
    decisions: int
    memory_bytes: int
    moved_bytes: int
    iterations: int
    seconds: float
    triad: float
    curve: list[tuple[float, float]]


def grow(day: Day, limit_s: float, loop: Triad) -> Growth:
    """Measure a day."""
    game = day_tables(load_rules(overrides=day.overrides), day.patron, ("two-bashers",))
    plan = blueprint(game, "none")
    trainer = tree_trainer(plan, build_problem(plan), 1)
    triad = loop.bytes_a_second()
    curve: list[tuple[float, float]] = []
    seconds, check = 0.0, FIRST_CHECK
    while seconds < limit_s:
        last = trainer.iterations + 1 == check
        begin = time.process_time()
        trainer.iterate(last or not trainer.below.lazy or trainer.iterations < FULL_AT_FIRST)
        seconds += time.process_time() - begin
        if last:
            curve.append((seconds, certify(trainer.profile(), trainer.workers, audit=False)[0].nash_conv))
            check *= 2
    begin = time.process_time()
    trainer.iterate()
    seconds += time.process_time() - begin
    curve.append((seconds, certify(trainer.profile(), trainer.workers, audit=False)[0].nash_conv))
    frame = trainer.problem.frame
    supports = sum(int(row & ((1 << frame.num_plain) - 1)).bit_count() for row in frame.rows.tolist())
    supports += len(frame.rows) * frame.num_chain
    tables = trainer.tables.regret.nbytes + sum(array.nbytes for array in trainer.tables.state)
    trainer.workers.close()
    return Growth(
        day,
        plan.size.nodes,
        plan.size.records,
        plan.size.regrets + 2 * plan.size.records * supports,
        plan.memory_bytes,
        4 * tables,
        trainer.iterations,
        seconds,
        triad,
        curve,
    )


def row(each: Growth) -> list[str]:
    """Return a day's row of the table."""
    rate = each.iterations / each.seconds
    return [
        f"{each.day.group}: {each.day.name}",
        f"{each.nodes:,}",
        f"{each.records:,}",
        f"{each.memory_bytes / 2**20:,.0f} MiB",
        f"{rate:,.3g}",
        f"{rate * each.decisions / 1e6:,.0f} M",
        f"{each.moved_bytes / 2**20:,.0f} MiB",
        f"{100 * rate * each.moved_bytes / each.triad:.0f} %",
        f"{each.curve[-1][1]:.3g}",
    ]


def figure(found: Sequence[Growth], path: Path) -> None:
    """Draw NashConv over time, both on logarithmic axes."""
    import vl_convert

    rows = [
        {"day": f"{each.day.group}: {each.day.name}", "seconds": at, "NashConv, GP": max(gap, 1e-6)}
        for each in found
        for at, gap in each.curve
    ]
    logarithmic = {"type": "log"}
    path.write_text(
        vl_convert.vegalite_to_svg(
            {
                "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
                "width": 560,
                "height": 360,
                "background": "white",
                "data": {"values": rows},
                "mark": {"type": "line", "point": True},
                "encoding": {
                    "x": {"field": "seconds", "type": "quantitative", "scale": logarithmic},
                    "y": {"field": "NashConv, GP", "type": "quantitative", "scale": logarithmic},
                    "color": {"field": "day", "type": "nominal", "sort": None, "title": None},
                },
            }
        ),
        encoding="utf-8",
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="two small days, two seconds each")
    parser.add_argument("--seconds", type=float, default=60.0, help="of processor time for each day")
    parser.add_argument("--figure", type=Path, help="SVG file for the curves; needs vl-convert-python")
    options = parser.parse_args()
    compile_kernels(None, ("exact",))
    loop = Triad()
    found = []
    for day in QUICK if options.quick else DAYS:
        found.append(grow(day, 2.0 if options.quick else options.seconds, loop))
    heading("How the day solver grows", PEERS)
    head = ["day", "nodes", "final records", "memory", "iterations/s", "updates/s", "moved", "of triad"]
    print(table([*head, "NashConv, GP"], [row(each) for each in found]))
    if options.figure is not None:
        figure(found, options.figure)


if __name__ == "__main__":
    main()
