"""All kernels are compiled by `cached_njit`, whose files carry check sums."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OWN = {"arena_solver/kernel_cache.py"}


def test_nothing_else_compiles() -> None:
    other = re.compile(r"(?<![\w.])n?jit\(|@n?jit\b|numba\.n?jit|@vectorize|cfunc\(|cache=True")
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for folder in ("analysis", "arena_solver", "cli", "engine", "solver")
        for path in sorted((ROOT / folder).rglob("*.py"))
        if str(path.relative_to(ROOT)) not in OWN
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if other.search(line)
    ]
    assert found == []
