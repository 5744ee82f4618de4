"""``ophidian deck``: decks, and what is wrong or odd about one."""

from __future__ import annotations

import click

from analysis.ophidian.decks import deck_report
from cli.entry import Group
from cli.ophidian.views.decks import DECK
from cli.options import GivenRules, Output, exit_codes, with_output, with_rules
from engine.ophidian.rules import Rules, load_rules

EXIT_ILLEGAL = 1


@click.group("deck", cls=Group)
def deck_group() -> None:
    """Say whether a deck may be played, and what is odd about it."""


@deck_group.command("check", epilog=exit_codes({EXIT_ILLEGAL: "the deck may not be played"}))
@click.argument("deck", required=False)
@click.option("--team", metavar="TEAM", help="With --cards: a team, or gladiators between commas.")
@click.option("--cards", metavar="CARDS", help='With --team: "hex 3, veil 3".')
@with_rules(load_rules, "match.min_deck=40")
@with_output(quiet=False)
def check(
    deck: str | None, team: str | None, cards: str | None, rules: GivenRules[Rules], out: Output
) -> None:
    """Check a deck of the rules by its name, or a team with cards.

    Warns of cards that the team cannot play, or not before late waves: it has the discipline only at a level
    that a promotion in each breather reaches later.

    \b
    Examples:
      ophidian deck check iron
      ophidian deck check --team "Tempest, G'frhtru, Saw-Hand, Scrap" --cards "hex 3, veil 3, plate 3"
    """
    report = deck_report(rules.load(), deck, team=team, cards=cards)
    out.show(report, DECK, 0 if report.legal else EXIT_ILLEGAL)
