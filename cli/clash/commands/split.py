"""``clash split``: one army against two targets."""

from __future__ import annotations

from pathlib import Path

import click

from analysis.clash import split_targets
from analysis.files import check_output
from cli.clash.commands.options import EXIT_CODES, answered, common_options, rules_of
from cli.entry import command


@command(
    "split",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=EXIT_CODES,
)
@click.option("--attacker", required=True, metavar="ARMY", help='All at hand: "bohorg: 4 I, 2 II, 1 III".')
@click.option(
    "--defender", "defenders", required=True, multiple=True, metavar="ARMY", help="A target; name two."
)
@click.option(
    "--objective",
    type=click.Choice(["both", "either", "material"]),
    default="both",
    show_default=True,
    help="To hold both targets, or at least one; or gains less losses by weight.",
)
@click.option(
    "--weights", metavar="TEXT", help='With material: "I=1, II=2, III=3, territory=3" (the default).'
)
@common_options
@click.pass_context
def split(
    ctx: click.Context,
    attacker: str,
    defenders: tuple[str, ...],
    objective: str,
    weights: str | None,
    equip: tuple[str, ...],
    equip_defender: tuple[str, ...],
    solo: bool,
    bracket: int | None,
    memory: int,
    rules_files: tuple[Path, ...],
    overrides: tuple[str, ...],
    form: str,
    output: Path | None,
) -> None:
    """Split one army over two targets, or leave some of it at home.

    Every split is valued exactly, from one table for each target. More can be less: a slow unit may cost the
    first assault.

    \b
    Examples:
      clash split --attacker "bohorg: 4 I, 1 III" --defender "elves: 2 Elder" --defender "elves: 2 Guard"
      clash split --attacker "tomb: 4 I, 2 III" --defender "elves: 2 Elder" --defender "godleif: 2 I" \\
                  --objective material --weights "territory=5"
    """
    if output is not None:
        check_output(output)
    targets = split_targets(
        attacker,
        defenders,
        rules=rules_of(rules_files, overrides),
        equip=equip,
        equip_defender=equip_defender,
        objective=objective,  # type: ignore[arg-type]
        weights=weights,
        solo=solo,
        most_tokens=bracket,
    )
    from analysis.clash.splitting import split_report
    from cli.clash.views.split import render

    answered(
        ctx,
        lambda: split_report(targets, objective, memory=memory),  # type: ignore[arg-type]
        lambda report: render(report, form),
        output,
    )
