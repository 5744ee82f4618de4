"""``clash export``: battles for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from analysis.clash import battle
from analysis.clash.scenario import DEFAULT_MEMORY, Scenario
from cli.clash.commands.options import army_options, both_armies, moment_options, pair, weights_option
from cli.entry import Group
from cli.exporting import max_nodes_option, with_file, write, write_tree
from cli.grid import to_csv
from cli.options import GivenRules, bundle, choice, rules_file_option, set_option, together
from cli.output import to_json
from engine.clash.rules import load_rules
from engine.clash.rules_schema import SCHEMA


@click.group("export", cls=Group)
def export_group() -> None:
    """Write battles for other programs: as a tree, as a graph of states, as a table of ends.

    \b
    Examples:
      clash export efg --attacker "bohorg: 1 III" --defender "elves: 1 Elder" --rage 3,3 -o tiny.efg
      clash export graph --attacker "bohorg: 2 I" --defender "tomb: 1 II" -o battle.json
      clash export outcomes --attacker "bohorg: 3 I" --defender "elves: 2 Guard" -o ends.csv
    """


def _scenario(
    rules_files: tuple[Path, ...],
    overrides: tuple[str, ...],
    attacker: str,
    defender: str,
    weights: str | None,
    rage: str,
    **more: Any,
) -> Scenario:
    rules = GivenRules(rules_files, overrides, load_rules).load()
    tokens = pair(rage, "--rage")
    return battle(attacker, defender, rules=rules, weights=(weights, None), rage=tokens, **more)


_with_battle = together(
    bundle(
        "scenario",
        _scenario,
        both_armies,
        choice("--objective", ["win", "material"]),
        weights_option,
        moment_options,
        army_options,
        rules_file_option(),
        set_option(SCHEMA.example),
    ),
    with_file,
)


@export_group.command("efg", short_help="A tree, for Gambit and OpenSpiel.")
@_with_battle
@max_nodes_option
def efg(scenario: Scenario, output: Path, max_nodes: int) -> None:
    """Write a battle as an explicit tree (Gambit's .efg), as fractions: decimals beyond 32 bits.

    Every way to a state is a branch of its own, so only the smallest battles fit, best late ones (--rage).
    """
    from analysis.clash.exporting import battle_tree

    tree = battle_tree(scenario, max_nodes)
    title = f"{scenario.attacker.text()} against {scenario.defender.text()}"
    write_tree(tree, title, ("attacker", "defender"), output)


@export_group.command("graph", short_help="All states, each once, as JSON.")
@_with_battle
@max_nodes_option
def graph(scenario: Scenario, output: Path, max_nodes: int) -> None:
    """Write a battle's states as JSON: who decides, the moves, probabilities and payoffs as fractions."""
    from analysis.clash.exporting import battle_graph

    found = battle_graph(scenario, max_nodes)
    write(to_json(found), output, f"{len(found['nodes'])} states")


@export_group.command("outcomes", short_help="All ends with their chances.")
@_with_battle
@click.option("--format", "form", type=click.Choice(["csv", "json"]), help="Default: by the file's name.")
def outcomes(scenario: Scenario, output: Path, form: str | None) -> None:
    """Write how a battle ends under optimal play: who holds the territory, what is left, how likely."""
    from analysis.clash.exporting import outcome_rows

    rows = outcome_rows(scenario, DEFAULT_MEMORY)
    as_json = form == "json" or (form is None and output.suffix == ".json")
    write(to_json(rows) if as_json else to_csv(rows), output, f"{len(rows)} ends")
