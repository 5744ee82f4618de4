"""``warage export``: small games for other programs."""

from __future__ import annotations

from pathlib import Path

import click

from cli.entry import Group
from cli.exporting import max_nodes_option, with_file, write_tree
from cli.options import GivenRules
from cli.warage.commands.options import pair, with_rules
from cli.warage.commands.queue import Replies, with_replies
from engine.warage.rules import Rules


@click.group("export", cls=Group)
def export_group() -> None:
    """Write small games as trees that Gambit and OpenSpiel read (.efg): an attack with replies, a small duel.

    \b
    Examples:
      warage export queue orc/warrior:great-sword human/paladin --hp 40,12 -o queue.efg
      warage export duel orc/warrior human/paladin --deck-a "war-axe, battle-cry" \\
                    --deck-b "parry, negate" --hp 6,6 --turns 2 -o duel.efg
    """


@export_group.command("queue", short_help="An attack with hidden replies.")
@click.argument("attacker", metavar="ATTACKER")
@click.argument("defender", metavar="DEFENDER")
@with_replies
@with_file
@max_nodes_option
@with_rules
def queue(
    attacker: str, defender: str, replies: Replies, output: Path, max_nodes: int, rules: GivenRules[Rules]
) -> None:
    """Write one attack and its replies, as warage queue solves it; dice are taken on average."""
    question = replies.question(rules.load(), attacker, defender)
    from analysis.warage.queues import queue_tree

    tree = queue_tree(question, max_nodes)
    write_tree(tree, f"{attacker} on {defender}", ("attacker", "defender"), output)


@export_group.command("duel", short_help="A whole duel with decks of a few cards.")
@click.argument("hero_a", metavar="A")
@click.argument("hero_b", metavar="B")
@click.option("--deck-a", required=True, metavar="CARDS", help='Of A, who moves first: "war-axe 2, parry".')
@click.option("--deck-b", required=True, metavar="CARDS", help="Of B.")
@click.option("--hp", default="10,10", show_default=True, metavar="A,B", help="Of both.")
@click.option("--hand", type=click.IntRange(1, 5), default=1, show_default=True, help="Cards dealt to each.")
@click.option("--draws", type=click.IntRange(1, 5), default=1, show_default=True, help="Cards drawn a round.")
@click.option("--dice", type=click.IntRange(0, 2), default=0, show_default=True, help="Of each total.")
@click.option("--turns", type=click.IntRange(1, 20), default=3, show_default=True, help="Then it is a draw.")
@with_file
@max_nodes_option
@with_rules
def duel(
    hero_a: str,
    hero_b: str,
    deck_a: str,
    deck_b: str,
    hp: str,
    hand: int,
    draws: int,
    dice: int,
    turns: int,
    output: Path,
    max_nodes: int,
    rules: GivenRules[Rules],
) -> None:
    """Write a whole duel: hidden hands, replies and draws, in one season, without abilities and life piles.

    Trees grow fast: two or three cards a side, without dice, are what fits.
    """
    base = rules.load()
    totals = pair(hp, "--hp", (10, 10), least=1)
    from analysis.warage.reduced_duel import Reduction, duel_tree, reduced_setup

    races = [base.race(text.partition("/")[0]).id for text in (hero_a, hero_b)]
    reduction = Reduction(totals, hand, draws, dice, turns)
    loaded = rules.load(*reduction.overrides(base, races))
    tree = duel_tree(reduced_setup(loaded, (hero_a, hero_b), (deck_a, deck_b)), max_nodes)
    write_tree(tree, f"{hero_a} against {hero_b}", ("A", "B"), output)
