"""``clash export``: battles for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from analysis.clash import battle
from analysis.clash.scenario import DEFAULT_MEMORY, Scenario, TooLargeError
from analysis.files import check_output
from cli.clash.commands.options import EXIT_FAILURE, EXIT_MEMORY, army_options, rules_of, rules_options
from cli.entry import Group
from cli.grid import to_csv
from cli.options import together
from cli.output import to_json, write_output

SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


@click.group("export", cls=Group, context_settings=SETTINGS)
def export_group() -> None:
    """Write battles for other programs: as a tree, as a graph of states, as a table of ends.

    \b
    Examples:
      clash export efg --attacker "bohorg: 1 III" --defender "elves: 1 Elder" --rage 3,3 -o tiny.efg
      clash export graph --attacker "bohorg: 2 I" --defender "tomb: 1 II" -o battle.json
      clash export outcomes --attacker "bohorg: 3 I" --defender "elves: 2 Guard" -o ends.csv
    """


_battle_options = together(
    click.option("--attacker", required=True, metavar="ARMY", help='"bohorg: 2 Executioner, 1 I".'),
    click.option("--defender", required=True, metavar="ARMY", help='The same, or "elves: 3 Templar".'),
    click.option("--objective", type=click.Choice(["win", "material"]), default="win", show_default=True),
    click.option("--weights", metavar="TEXT", help="With material: what counts how much."),
    click.option("--rage", default="0,0", show_default=True, metavar="A,D", help="Tokens now."),
    click.option("--turn", type=click.Choice(["attacker", "defender"]), help="Whose assault is next."),
    army_options,
    rules_options,
    click.option(
        "--output",
        "-o",
        required=True,
        type=click.Path(path_type=Path, dir_okay=False),
        help="File to write; replaced only by a finished one.",
    ),
)


def _asked(options: dict[str, Any]) -> Scenario:
    from cli.clash.commands.options import pair

    check_output(options["output"])
    return battle(
        options["attacker"],
        options["defender"],
        rules=rules_of(options["rules_files"], options["overrides"]),
        equip=options["equip"],
        equip_defender=options["equip_defender"],
        objective=options["objective"],
        weights=(options["weights"], None),
        solo=options["solo"],
        rage=pair(options["rage"], "--rage"),
        turn=options["turn"],
    )


def _written(ctx: click.Context, text: str, output: Path, what: str) -> None:
    if not write_output(text, output):
        ctx.exit(EXIT_FAILURE)
    click.echo(f"{output}: {what}", err=True)


@export_group.command("efg", context_settings=SETTINGS, short_help="A tree, for Gambit and OpenSpiel.")
@_battle_options
@click.option("--max-nodes", type=click.IntRange(min=1), default=200_000, show_default=True)
@click.pass_context
def efg(ctx: click.Context, /, max_nodes: int, **options: Any) -> None:
    """Write a battle as an explicit tree (Gambit's .efg), exactly, as fractions.

    Every way to a state is a branch of its own, so only the smallest battles fit, best late ones (--rage).
    """
    from analysis.clash.exporting import battle_tree
    from solver.gambit import efg_lines

    scenario = _asked(options)
    tree = battle_tree(scenario, max_nodes)
    title = f"{scenario.attacker.text()} against {scenario.defender.text()}"
    text = "\n".join(efg_lines(tree, title=title, player_names=("attacker", "defender"))) + "\n"
    _written(ctx, text, options["output"], f"{tree.num_nodes} nodes, {tree.num_infosets} infosets")


@export_group.command("graph", context_settings=SETTINGS, short_help="All states, each once, as JSON.")
@_battle_options
@click.option("--max-nodes", type=click.IntRange(min=1), default=200_000, show_default=True)
@click.pass_context
def graph(ctx: click.Context, /, max_nodes: int, **options: Any) -> None:
    """Write a battle's states as JSON: who decides, the moves, probabilities and payoffs as fractions."""
    from analysis.clash.exporting import battle_graph

    found = battle_graph(_asked(options), max_nodes)
    _written(ctx, to_json(found), options["output"], f"{len(found['nodes'])} states")


@export_group.command("outcomes", context_settings=SETTINGS, short_help="All ends with their chances.")
@_battle_options
@click.option("--format", "form", type=click.Choice(["csv", "json"]), help="Default: by the file's name.")
@click.pass_context
def outcomes(ctx: click.Context, /, form: str | None, **options: Any) -> None:
    """Write how a battle ends under optimal play: who holds the territory, what is left, how likely."""
    from analysis.clash.exporting import outcome_rows

    output: Path = options["output"]
    try:
        rows = outcome_rows(_asked(options), DEFAULT_MEMORY)
    except TooLargeError as error:
        click.echo(f"Refused: {error}.", err=True)
        ctx.exit(EXIT_MEMORY)
    as_json = form == "json" or (form is None and output.suffix == ".json")
    _written(ctx, to_json(rows) if as_json else to_csv(rows), output, f"{len(rows)} ends")
