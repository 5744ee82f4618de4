"""``warage guild``: guilds against each other."""

from __future__ import annotations

import click

from cli.entry import command
from cli.options import GivenRules, Output
from cli.warage.commands.brawl import answer_table, with_table
from cli.warage.commands.options import STOPPED_CODES
from engine.warage.rules import Rules


@command("guild", epilog=STOPPED_CODES)
@click.argument("decks", metavar="DECK...", nargs=-1, required=True)
@click.option("--guilds", type=click.IntRange(2, 3), default=2, show_default=True, help="How many.")
@with_table
def guild(
    decks: tuple[str, ...],
    guilds: int,
    player: str,
    matches: int,
    watched: int,
    seed: int,
    rules: GivenRules[Rules],
    out: Output,
) -> None:
    """Let guilds of equal sizes play: decks as they sit, A1 B1 A2 B2.

    A seat's share is that of its guild, divided among its heroes. Heuristic, as warage brawl.

    \b
    Examples:
      warage guild orc-warrior elf-mage human-paladin angel-paladin
      warage guild orc-warrior elf-mage human-paladin orc-warrior elf-mage angel-paladin --guilds 3
    """
    answer_table(rules.load(), decks, guilds, player, (matches, watched, seed), out)
