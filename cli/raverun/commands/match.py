"""``raverun match``: kept strategies, search, greedy and random players against each other."""

from __future__ import annotations

from pathlib import Path

import click

from analysis.estimates import signed
from analysis.files import check_output, write_atomically
from analysis.interrupt import Interrupt
from analysis.raverun.matches import PLAYERS, STOPPING, MatchesReport, Table, kept_deals, play_all
from analysis.raverun.training import shipped_values
from cli.entry import command
from cli.output import to_json, write_output
from cli.parameters import duration
from cli.raverun.commands.options import rules_options
from engine.raverun.rules import RulesError, load_rules


def _to_text(report: MatchesReport) -> str:
    lines = [
        f"{report.player} with {report.players} players, {report.deals} deals each, every deal once per seat;"
        f" ±: {report.confidence:.0%}"
    ]
    for match in report.matches:
        lines.append(
            f"against {match.opponent:8} {signed(match.payoff)} a game"
            f"   {match.wins} won, {match.draws} drawn, {match.losses} lost"
        )
    return "\n".join(lines) + "\n"


@command("match", context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option(
    "--player",
    type=click.Choice(PLAYERS),
    help="[default: trained with --policy alone, otherwise guided]",
)
@click.option(
    "--against", multiple=True, type=click.Choice(PLAYERS), help="Repeatable.  [default: greedy and random]"
)
@click.option(
    "--policy",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Strategies kept by raverun-solve --save-policy: the player called trained.",
)
@click.option(
    "--values",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Values learned by raverun train: the players called guided (a search) and values (without one)."
    "  [default: for the box those that come with the package]",
)
@click.option("--players", type=click.Choice(["2", "3"]), default="2", show_default=True)
@click.option("--deals", type=click.IntRange(min=2), default=1000, show_default=True)
@click.option("--search-time", type=duration, metavar="TIME", help="Of each search, instead of iterations.")
@click.option("--search-iterations", type=click.IntRange(min=1), default=1000, show_default=True)
@rules_options
@click.option("--seed", type=click.IntRange(min=0, max=2**62), default=0, show_default=True)
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True)
@click.option("--output", "-o", type=click.Path(path_type=Path), help="File to write instead of stdout.")
@click.option(
    "--resume",
    is_flag=True,
    help="Keep every deal in --output (JSON) as soon as it is played, and go on with what is there.",
)
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
@click.pass_context
def match(
    ctx: click.Context,
    player: str | None,
    against: tuple[str, ...],
    policy: Path | None,
    values: Path | None,
    players: str,
    deals: int,
    search_time: float | None,
    search_iterations: int,
    rules_files: tuple[Path, ...],
    overrides: tuple[str, ...],
    seed: int,
    form: str,
    output: Path | None,
    resume: bool,
    quiet: bool,
) -> None:
    """Let one player play others, each deal once in every seat, and say what he wins.

    Interrupted, a match counts with the deals it has.

    \b
    Examples:
      raverun match --against search --search-time 1s --deals 50
      raverun match --player search --against greedy --resume --output match.json --format json
      raverun match --policy strategies.npz --against greedy --against search
      raverun match --player search --search-time 1s --deals 100 --against random
      raverun match --player search --players 3 --deals 200
    """
    try:
        rules = load_rules(rules_files, overrides)
        rules.hand_size(int(players))
    except (RulesError, ValueError) as error:
        raise click.UsageError(str(error)) from None
    if values is None and (policy is None or {player, *against} & {"guided", "values"}):
        values = shipped_values(rules, int(players))
    to_file = None if output is None or str(output) == "-" else output
    if resume and (to_file is None or form != "json"):
        raise click.UsageError("--resume needs --output FILE and --format json: there the deals are kept")
    table = Table(
        rules=rules,
        num_players=int(players),
        player=player or ("trained" if values is None else "guided"),
        against=against or ("greedy", "random"),
        policy=policy,
        values=values,
        search_time_s=search_time,
        search_iterations=search_iterations,
        deals=deals,
        seed=seed,
    )
    if to_file is not None:
        check_output(to_file)
    earlier = kept_deals(to_file, table) if resume and to_file is not None else None
    keeps = True

    def begins(opponent: str) -> None:
        if not quiet:
            click.echo(f"{table.player} against {opponent}", err=True)

    def keep(report: MatchesReport) -> None:
        nonlocal keeps
        assert to_file is not None
        try:
            write_atomically(to_file, to_json(report).encode())
        except OSError as error:
            if keeps:
                click.echo(f"Error: cannot write {str(to_file)!r}: {error.strerror}.", err=True)
            keeps = False

    interrupt = Interrupt(STOPPING)
    with interrupt.installed():
        report = play_all(table, interrupt, begins, earlier, keep)
    code = 130 if interrupt.requested else 0
    text = to_json(report) if form == "json" else _to_text(report)
    if not write_output(text, to_file):
        code = code or 1
    ctx.exit(code)
