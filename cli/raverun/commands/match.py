"""``raverun match``: kept strategies, search, greedy and random players against each other."""

from __future__ import annotations

import textwrap
import time
from pathlib import Path

import click

from analysis.errors import RequestError
from analysis.estimates import signed
from analysis.exit_codes import EXIT_INTERRUPTED
from analysis.files import write_atomically
from analysis.interrupt import Interrupt
from analysis.payoff_matrices import against_each
from analysis.raverun.matches import PLAYERS, SEARCHING, STOPPING, MatchesReport, Table, kept_deals, play_all
from analysis.raverun.training import shipped_values
from analysis.symmetry import BY_DESIGN
from cli.entry import command
from cli.options import Output, at_least, refuse_if_given, with_output
from cli.output import to_json
from cli.parameters import duration
from cli.payoff_matrices import OPTION, MatrixFile, matrix_option
from cli.raverun.commands.options import GivenGame, file_option, usual_seed, with_game

NOTE_EVERY_S = 2.5
"""Nobody should wait for more than three seconds without a word."""


def _to_text(report: MatchesReport) -> str:
    lines = textwrap.wrap(
        f"{report.rules.name}: {report.player} with {report.players} players, {report.deals} deals each,"
        f" every deal once per seat; ±: {report.confidence:.0%}",
        100,
    )
    for match in report.matches:
        exact = match.opponent == report.player and match.payoff.mean == 0 and match.payoff.low is None
        lines.append(
            f"against {match.opponent:8} {f'0 {BY_DESIGN}' if exact else signed(match.payoff)} a game"
            f"   {match.wins} won, {match.draws} drawn, {match.losses} lost"
        )
    return "\n".join(lines) + "\n"


@command("match")
@click.option(
    "--player",
    type=click.Choice(PLAYERS),
    help="[default: trained with --policy alone, otherwise guided]",
)
@click.option(
    "--against", multiple=True, type=click.Choice(PLAYERS), help="Repeatable.  [default: greedy and random]"
)
@file_option("--policy", "Strategies kept by raverun-solve --save-policy: the player called trained.")
@file_option(
    "--values",
    "Values learned by raverun train: the players called guided (a search) and values (without one)."
    "  [default: for the box those that come with the package]",
)
@at_least(2, "--deals", "Each is played once in every seat.", 1000)
@click.option("--search-time", type=duration, metavar="TIME", help="Of each search, instead of iterations.")
@at_least(1, "--search-iterations", "Of each search.", 1000)
@with_game
@usual_seed
@click.option(
    "--resume",
    is_flag=True,
    help="Keep every deal in --output (JSON) as soon as it is played, and go on with what is there.",
)
@matrix_option
@with_output("table", "json")
def match(
    player: str | None,
    against: tuple[str, ...],
    policy: Path | None,
    values: Path | None,
    deals: int,
    search_time: float | None,
    search_iterations: int,
    game: GivenGame,
    seed: int,
    resume: bool,
    matrix: MatrixFile,
    out: Output,
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
    rules = game.load()
    if values is None and (policy is None or {player, *against} & {"guided", "values"}):
        values = shipped_values(rules, game.players)
    if resume and (out.path is None or out.form != "json"):
        raise RequestError("--resume needs --output FILE and --format json: there the deals are kept")
    table = Table(
        rules=rules,
        num_players=game.players,
        player=player or ("trained" if values is None else "guided"),
        against=against or ("greedy", "random"),
        policy=policy,
        values=values,
        search_time_s=search_time,
        search_iterations=search_iterations,
        deals=deals,
        seed=seed,
    )
    playing = {table.player, *table.against}
    if not playing.intersection(SEARCHING):
        for option in ("search_time", "search_iterations"):
            refuse_if_given(option, "only a search heeds it, and none plays here")
    if not playing & {"guided", "values"}:
        refuse_if_given("values", "neither guided nor values plays here")
    if "trained" not in playing:
        refuse_if_given("policy", "the player called trained does not play here")
    if matrix and game.players != 2:
        raise RequestError("a matrix is of two players; leave out --players", OPTION)
    matrix.check_opponents(len(table.against))
    earlier = kept_deals(out.path, table) if resume and out.path is not None else None
    keeps = True

    told = [time.monotonic()]

    def begins(opponent: str) -> None:
        out.note(f"{table.player} against {opponent}")
        told[0] = time.monotonic()

    def tell(done: int) -> None:
        if time.monotonic() - told[0] >= NOTE_EVERY_S:
            told[0] = time.monotonic()
            out.note(f"deal {done:,} of {table.deals:,}")

    def keep(report: MatchesReport) -> None:
        nonlocal keeps
        assert out.path is not None
        try:
            write_atomically(out.path, to_json(report).encode())
        except OSError as error:
            if keeps:
                click.echo(f"Error: cannot write {str(out.path)!r}: {error.strerror}.", err=True)
            keeps = False

    interrupt = Interrupt(STOPPING)
    with interrupt.installed():
        report = play_all(table, interrupt, begins, earlier, keep, tell)
    found = [(each.opponent, each.payoff.mean) for each in report.matches]
    matrix.write(against_each(f"Payoff a game, {report.deals} deals", report.player, found, total=0.0))
    text = to_json(report) if out.form == "json" else _to_text(report)
    out.finish(text, EXIT_INTERRUPTED if interrupt.requested else 0)
