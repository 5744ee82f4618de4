"""``warage brawl``: three to six heroes, everybody against everybody."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

import click

from analysis.exit_codes import EXIT_INTERRUPTED
from analysis.interrupt import Interrupt
from analysis.warage.decks import check_table, deck_of
from analysis.warage.players import parse_player
from cli.entry import command
from cli.options import Decorator, GivenRules, Output, at_least, together, with_output
from cli.progress import Counter
from cli.warage.commands.options import (
    PLAYERS_TEXT,
    STOPPED_CODES,
    STOPPING,
    chance_option,
    player_option,
    with_rules,
)
from engine.warage.rules import Rules

with_table: Decorator = together(
    player_option("--player", "rules", PLAYERS_TEXT),
    at_least(1, "--matches", "In all orders of sitting together.", 6_000),
    at_least(0, "--watched", "Matches in which lost players are looked for; 0: none.", 10),
    chance_option,
    with_rules,
    with_output(),
)


@command("brawl", epilog=STOPPED_CODES)
@click.argument("decks", metavar="DECK...", nargs=-1, required=True)
@with_table
def brawl(
    decks: tuple[str, ...],
    player: str,
    matches: int,
    watched: int,
    seed: int,
    rules: GivenRules[Rules],
    out: Output,
) -> None:
    """Let three to six heroes play, everybody against everybody: what each seat and each deck wins.

    A player who has lost may still decide who wins: the answer says how far, on average over such choices of
    a target. Heuristic: everybody attacks the hero with the fewest HP; another convention is another game.

    \b
    Examples:
      warage brawl orc-warrior elf-mage human-paladin
      warage brawl orc-warrior elf-mage human-paladin angel-paladin --matches 50000 --watched 0
    """
    answer_table(rules.load(), decks, 0, player, (matches, watched, seed), out)


def answer_table(
    rules: Rules, decks: Sequence[str], guilds: int, player: str, effort: tuple[int, int, int], out: Output
) -> NoReturn:
    """Play matches at one table and write the answer; `effort`: matches, matches watched, the seed."""
    found = tuple(deck_of(rules, deck, "DECK") for deck in decks)
    playing = parse_player(player)
    check_table(len(found), guilds, playing)
    from analysis.warage.tables import TableQuestion, table_report
    from cli.warage.views import tables as view

    question = TableQuestion(rules, found, guilds, playing, *effort)
    interrupt = Interrupt(STOPPING)
    with interrupt.installed(), Counter(out.quiet) as progress:
        report = table_report(question, stop=interrupt, note=progress)
    out.show(report, view, 0 if report.complete else EXIT_INTERRUPTED)
