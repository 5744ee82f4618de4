"""Entry points; all commands are declared in `analysis.clash.game`."""

from __future__ import annotations

from typing import NoReturn

from cli.entry import alone, program, run

clash = program(
    "clash",
    "Solve battles of Clash of Rage, find armies, equipment and cards that win; play whole games.",
    {},
)


def clash_main() -> NoReturn:
    """Entry point ``clash``."""
    run(clash, "clash")


def solve_main() -> NoReturn:
    """Entry point ``clash-solve``: ``clash solve``."""
    run(alone(clash, "solve"), "clash-solve")
