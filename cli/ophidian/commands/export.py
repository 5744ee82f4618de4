"""``ophidian export``: fights for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from analysis.ophidian.fights import position
from cli.entry import Group
from cli.exporting import max_nodes_option, with_file, write, write_tree
from cli.ophidian.commands.options import Exchange, Place, place_options, with_exchange
from cli.options import GivenRules, bundle, with_rules
from cli.output import to_json
from engine.ophidian.rules import Rules, load_rules


@click.group("export", cls=Group)
def export_group() -> None:
    """Write fights for other programs: trees for Gambit and OpenSpiel (.efg), a wave as a graph of states.

    \b
    Examples:
      ophidian export efg --team "Runt w4" --against "Scrap w4 set" --wave 4 -o last.efg
      ophidian export graph --team "Thorn, Runt" --against "Tempest, Scrap" --wave 4 -o wave.json
      ophidian export response --team "Tempest, Scrap@S" --against "Thorn, Runt" \\
                               --attack "Tempest > Thorn" --hidden brood -o exchange.efg
    """


objective_option = click.option(
    "--objective",
    type=click.Choice(["result", "points"]),
    default="points",
    show_default=True,
    help="Paid to the team: 1, 0, -1; or points, a match won counting as many as win it.",
)


@export_group.command("efg", short_help="The rest of a wave as a tree.")
@bundle("place", Place, *place_options)
@objective_option
@with_file
@max_nodes_option
@with_rules(load_rules, "match.riot=12")
def efg(place: Place, objective: Any, output: Path, max_nodes: int, rules: GivenRules[Rules]) -> None:
    """Write the rest of a wave without cards as an explicit tree (Gambit's .efg).

    Every way to a state is a branch of its own, so only the last moments of a wave fit.
    """
    asked = position(place.team, place.against, rules=rules.load(), **place.further)
    from analysis.ophidian.exporting import wave_tree

    tree = wave_tree(asked, objective, max_nodes)
    write_tree(tree, f"{place.team} against {place.against}", ("team", "against"), output)


@export_group.command("graph", short_help="The rest of a wave, each state once, as JSON.")
@bundle("place", Place, *place_options)
@objective_option
@with_file
@max_nodes_option
@with_rules(load_rules, "match.riot=12")
def graph(place: Place, objective: Any, output: Path, max_nodes: int, rules: GivenRules[Rules]) -> None:
    """Write the states of a wave without cards as JSON: who decides, the moves, and what ends pay."""
    asked = position(place.team, place.against, rules=rules.load(), **place.further)
    from analysis.ophidian.exporting import wave_graph

    found = wave_graph(asked, objective, max_nodes)
    write(to_json(found), output, f"{len(found['nodes'])} states")


@export_group.command("response", short_help="An attack with hidden responses as a tree.")
@with_exchange
@with_file
@max_nodes_option
@with_rules(load_rules, "cards.hex.cost=3")
def response(exchange: Exchange, output: Path, max_nodes: int, rules: GivenRules[Rules]) -> None:
    """Write one attack that hidden hands may answer, as ophidian response solves it (Gambit's .efg)."""
    question = exchange.question(rules.load())
    from analysis.ophidian.exporting import exchange_tree

    tree = exchange_tree(question, max_nodes)
    write_tree(tree, exchange.attack, ("team", "against"), output)
