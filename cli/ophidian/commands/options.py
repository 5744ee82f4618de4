"""Options that commands about a position share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import click

place_options = (
    click.option(
        "--team", required=True, metavar="TEAM", help='"iron", or "Bastion@S w5 L3 set, Mirror Witch".'
    ),
    click.option("--against", required=True, metavar="TEAM", help="The other side, likewise."),
    click.option(
        "--wave",
        type=click.IntRange(min=1),
        default=1,
        show_default=True,
        help="Wave 4 decides the match.",
    ),
    click.option(
        "--cheer", default="0:0", show_default=True, metavar="N:N", help="Of the team, and of the others."
    ),
    click.option(
        "--momentum",
        type=click.Choice(["team", "against"]),
        default="team",
        show_default=True,
        help="Who acts, or attacks.",
    ),
    click.option("--passed", is_flag=True, help="The last action was the other side's pass."),
)


@dataclass(frozen=True)
class Place:
    """A position within a wave, in words."""

    team: str
    against: str
    wave: int
    cheer: str
    momentum: Any
    passed: bool

    @property
    def further(self) -> dict[str, Any]:
        """All but the teams, as `analysis.ophidian.position` takes it."""
        return {
            "wave": self.wave,
            "cheer": self.cheer,
            "momentum": self.momentum,
            "passed": self.passed,
        }
