"""Options that commands about a position share."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from analysis.errors import RequestError
from analysis.ophidian.fights import announced_attack, position
from cli.options import MOST_COUNT, bundle
from engine.ophidian.rules import Rules

if TYPE_CHECKING:
    from analysis.ophidian.response_game import ResponseQuestion

_NOTHING = "other"
values_option = click.option(
    "--values",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="A file of ophidian train.  [default: the one carried for the illustrative set]",
)

place_options = (
    click.option(
        "--team", required=True, metavar="TEAM", help='"iron", or "Bastion@S w5 L3 set, Mirror Witch".'
    ),
    click.option("--against", required=True, metavar="TEAM", help="The other side, likewise."),
    click.option(
        "--wave",
        type=click.IntRange(1, MOST_COUNT),
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
        """All but the teams, as `analysis.ophidian.fights.position` takes it."""
        return {
            "wave": self.wave,
            "cheer": self.cheer,
            "momentum": self.momentum,
            "passed": self.passed,
        }


class Exchange:
    """An attack at a position, and what both sides may hold."""

    def __init__(
        self,
        attack: str,
        hidden: str,
        cards: int,
        own: str,
        own_cards: int,
        resources: str | None,
        **place: Any,
    ) -> None:
        self.attack, self.pools, self.cards = attack, (own, hidden), (own_cards, cards)
        self.resources, self.place = resources, Place(**place)

    def question(self, rules: Rules) -> ResponseQuestion:
        """Return the question; wrong usage if it makes no sense."""
        asked = position(self.place.team, self.place.against, rules=rules, **self.place.further)
        move = announced_attack(asked, self.attack, "--attack")
        from analysis.ophidian.response_game import Hidden, parse_pool

        left = _resources(self.resources, rules, asked.wave)
        options = ("--own", "--hidden")
        pools = [parse_pool(rules, text, option) for text, option in zip(self.pools, options, strict=True)]
        for pool, number, option in zip(pools, self.cards, options, strict=True):
            held = sum(copies for _, copies in pool)
            if held < number:
                raise RequestError(f"{number} cards in hand, and the pool has {held}", option)
        # Sides come in the order of the teams, the attacker's first only if the team attacks.
        mine = Hidden(pools[0], self.cards[0], left[asked.turn])
        theirs = Hidden(pools[1], self.cards[1], left[1 - asked.turn])
        # numpy, and with it all that solves, is imported when nothing is wrong any more.
        from analysis.ophidian.response_game import ResponseQuestion

        return ResponseQuestion(asked, move, (theirs, mine) if asked.turn else (mine, theirs))


def _resources(text: str | None, rules: Rules, wave: int) -> tuple[int, int]:
    """Resources of both sides."""
    if text is None:
        usual = rules.match.base_resources + wave
        return usual, usual
    parts = text.replace(",", ":").split(":")
    if len(parts) != 2 or not all(part.strip().isdigit() for part in parts):
        raise RequestError(f"{text!r}: write the resources of both sides, such as 11:9", "--resources")
    return int(parts[0]), int(parts[1])


with_exchange = bundle(
    "exchange",
    Exchange,
    *place_options,
    click.option(
        "--attack", required=True, metavar="ATTACK", help='By whoever has momentum: "Tempest > Thorn".'
    ),
    click.option(
        "--hidden",
        required=True,
        metavar="POOL",
        help='Where the other hand comes from: a deck, or "sidestep 3, hex 3, other 45".',
    ),
    click.option("--cards", type=click.IntRange(0, 12), default=7, show_default=True, help="In that hand."),
    click.option(
        "--own", default=_NOTHING, metavar="POOL", help="Likewise of the attacker; by default nothing."
    ),
    click.option(
        "--own-cards", type=click.IntRange(0, 12), default=0, show_default=True, help="In that hand."
    ),
    click.option(
        "--resources",
        metavar="N:N",
        help="Of the team, and of the others.  [default: what both begin the wave with]",
    ),
)
