"""Entry points. Commands are imported only when they are called: starting up must stay quick."""

from __future__ import annotations

from typing import NoReturn

from cli.entry import commands_in, program, run

clash = program(
    "clash",
    "Solve battles of Clash of Rage, find armies, equipment and cards that win; play whole games.",
    commands_in(
        "cli.clash.commands",
        *("solve", "need", "split", "equip", "tactic", "balance"),
        *("export_group", "report"),
    ),
)


def clash_main() -> NoReturn:
    """Entry point ``clash``."""
    run(clash, "clash")


def solve_main() -> NoReturn:
    """Entry point ``clash-solve``."""
    from cli.clash.commands.solve import solve

    run(solve, "clash-solve")
