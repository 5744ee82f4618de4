"""``clash match``: players of the whole game against each other."""

from __future__ import annotations

import click

from analysis.clash.game_reports import MatchReport
from analysis.clash.games import Running
from analysis.clash.matches import MatchQuestion, clan_ids
from analysis.errors import RequestError
from analysis.payoff_matrices import against_each
from cli.clash.commands.options import (
    GAMES_EXIT_CODES,
    Games,
    clans_option,
    long_game_option,
    refuse_unused,
    with_games,
)
from cli.entry import command
from cli.options import Output, at_least, with_output
from cli.payoff_matrices import MatrixFile, matrix_option


@command("match", epilog=GAMES_EXIT_CODES)
@click.option(
    "--players",
    default="search,rule",
    show_default=True,
    metavar="NAMES",
    help="Two to four of search, rule and random.",
)
@clans_option
@at_least(
    1, "--deals", "Each is played once per seat, so with two players there are twice as many games.", 10
)
@long_game_option
@with_games
@matrix_option
@with_output()
def match(
    players: str,
    clans: str | None,
    deals: int,
    long_game: bool,
    playing: Games,
    matrix: MatrixFile,
    out: Output,
) -> None:
    """Let players play whole games against each other: every deal once per seat, same clans, same luck.

    Battles are drawn from exact tables of outcomes, whoever plays. random makes any move; rule takes what
    gains most by its habits; search tries choices by playouts.

    \b
    Examples:
      clash match --deals 5
      clash match --players search,rule,random --playouts 300 --jobs 2
      clash match --deals 200 --time 1s --keep games.jsonl
    """
    names = tuple(name.strip() for name in players.split(","))
    question = MatchQuestion(playing.terms, names, clan_ids(playing.terms.rules, clans), deals, long_game)
    refuse_unused(names, judged=False)
    if matrix and len(names) != 2:
        raise RequestError(f"a matrix is of two players, not {len(names)}", "--matrix")
    from analysis.clash.matches import match_report
    from cli.clash.views.games import MATCH

    def played(running: Running) -> MatchReport:
        report = match_report(question, running)
        if matrix:
            first, second = report.players
            title = f"Share of games won in {report.games} games"
            matrix.write(against_each(title, first.name, [(second.name, first.won.mean)]))
        return report

    playing.show(played, MATCH, out)
