"""Bidding: a small game, declared whole for arena-solver."""

from typing import NoReturn


def main() -> NoReturn:
    """Entry point ``bidding``."""
    from arena_solver.commands import prefer_ours

    prefer_ours()
    from cli.front import main as run

    run("bidding")
