"""What the comparisons share: interleaved timing, tables, versions."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

Run = Callable[[], object]


def measure(
    contenders: Mapping[str, Run], rounds: int, *, at_least_s: float = 0.02, calls: int = 0
) -> dict[str, float]:
    """Return the shortest processor time of one call in seconds, for each contender.

    Contenders take turns in every round, so that all see the same machine; what is short is called several
    times in a row. Everything is called once before any clock starts, which compiles it.

    Parameters
    ----------
    contenders : mapping of names to callables
    rounds : int
    at_least_s : float
        How long a row of calls should take.
    calls : int
        Calls in a row, if they are to be the same for all.
    """
    num_calls = {}
    for name, run in contenders.items():
        run()
        begin = time.process_time()
        run()
        once = time.process_time() - begin
        num_calls[name] = calls or max(1, int(at_least_s / max(once, 1e-7)))
    best = dict.fromkeys(contenders, float("inf"))
    for _ in range(rounds):
        for name, run in contenders.items():
            begin = time.process_time()
            for _ in range(num_calls[name]):
                run()
            best[name] = min(best[name], (time.process_time() - begin) / num_calls[name])
    return best


def once_s(run: Run) -> tuple[float, object]:
    """Return the processor time of a single call in seconds, and its result."""
    begin = time.process_time()
    result = run()
    return time.process_time() - begin, result


def table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table: the first column to the left, figures to the right."""
    widths = [max(len(row[c]) for row in (headings, *rows)) for c in range(len(headings))]

    def line(cells: Sequence[str]) -> str:
        aligned = [
            cell.ljust(w) if c == 0 else cell.rjust(w)
            for c, (cell, w) in enumerate(zip(cells, widths, strict=True))
        ]
        return f"| {' | '.join(aligned)} |"

    rule = (
        "|" + "|".join("-" * (w + 2) if c == 0 else "-" * (w + 1) + ":" for c, w in enumerate(widths)) + "|"
    )
    return "\n".join([line(headings), rule, *(line(row) for row in rows)])


def seconds(value: float) -> str:
    """Return a time with three digits and a unit that suits it."""
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if value >= scale:
            return f"{value / scale:.3g} {unit}"
    return f"{value * 1e9:.3g} ns"


def ratio(value: float) -> str:
    """Return a ratio with two digits, or all of those before the point."""
    return f"{value:,.0f}" if value >= 10 else f"{value:.2g}"


def heading(title: str, packages: Sequence[str]) -> None:
    """Print what is compared, when, where, and with which versions."""
    found = []
    for package in packages:
        try:
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            found.append(f"{package} not installed")
    print(f"## {title}\n")
    print(
        f"{time.strftime('%Y-%m-%d')}, {_processor()}, one thread, Python {platform.python_version()}; ",
        end="",
    )
    print(f"{', '.join(found)}.\n", flush=True)


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{models[0] if models else platform.machine()} ({len(models) or os.cpu_count()} cores)"
