"""``warage balance``: everybody against everybody else."""

from __future__ import annotations

from pathlib import Path

import click

from analysis.errors import RequestError
from analysis.exit_codes import EXIT_INTERRUPTED
from analysis.interrupt import Interrupt
from analysis.warage.decks import deck_of
from analysis.warage.players import parse_player
from cli.entry import command
from cli.options import GivenRules, Output, Workers, keep_option, with_output
from cli.payoff_matrices import MatrixFile, matrix_option
from cli.progress import Counter
from cli.warage.commands.options import (
    PLAYERS_TEXT,
    STOPPED_CODES,
    STOPPING,
    chance_option,
    duels_option,
    player_option,
    with_rules,
    with_workers,
)
from engine.warage.rules import Rules


@command("balance", epilog=STOPPED_CODES)
@click.option("--decks", metavar="DECKS", help='"orc-warrior,elf-mage".  [default: all]')
@click.option(
    "--heroes", is_flag=True, help="Every race with every class, with the first of the decks of that class."
)
@player_option("--player", "rules", PLAYERS_TEXT)
@duels_option
@chance_option
@with_workers
@keep_option
@with_rules
@matrix_option
@with_output()
def balance(
    decks: str | None,
    heroes: bool,
    player: str,
    duels: int,
    seed: int,
    workers: Workers,
    keep: Path | None,
    rules: GivenRules[Rules],
    matrix: MatrixFile,
    out: Output,
) -> None:
    """Let every deck, or race with class, play every other one and itself: shares by season too.

    For the player named, not an equilibrium. Interrupted, it shows what is finished.

    \b
    Examples:
      warage balance
      warage balance --heroes --jobs 2
      warage balance --decks orc-warrior,elf-mage --duels 100000 --format csv
      warage balance --set match.season_unit=point
    """
    loaded = rules.load()
    asked = decks.split(",") if decks else [deck.id for deck in loaded.decks]
    found = [deck_of(loaded, part, "--decks").id for part in asked if part.strip()]
    names = list(dict.fromkeys(found))
    if len(names) < (1 if heroes else 2):
        raise RequestError("name two decks at least: each plays the others", "--decks")
    playing = parse_player(player)
    from analysis.warage.balancing import Balance, balance_report, of_decks, of_heroes, share_matrix
    from cli.warage.views.match import BALANCE

    compared = of_heroes(loaded, names) if heroes else of_decks(loaded, names)
    interrupt = Interrupt(STOPPING)
    with interrupt.installed(), Counter(out.quiet) as progress:
        report = balance_report(
            Balance(loaded, compared, playing, duels, seed),
            jobs=workers.jobs,
            scheduler=workers.scheduler,
            interrupt=interrupt,
            note=progress,
            keep=keep,
        )
    if matrix:
        matrix.write(share_matrix(report))
    out.show(report, BALANCE, 0 if report.complete else EXIT_INTERRUPTED)
