"""``warage match``: two decks, and duels of named players."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

import click

from analysis.exit_codes import EXIT_INTERRUPTED
from analysis.interrupt import Interrupt
from analysis.payoff_matrices import against_each
from analysis.warage.decks import deck_of
from analysis.warage.players import parse_player
from cli.entry import command
from cli.options import GivenRules, Output, Workers, keep_option, with_output
from cli.payoff_matrices import NO_MATRIX, MatrixFile, matrix_option
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


@command("match", epilog=STOPPED_CODES)
@click.argument("deck_a", metavar="DECK_A")
@click.argument("deck_b", metavar="DECK_B")
@player_option("--player", "rules", PLAYERS_TEXT)
@player_option("--player-b", None, "Who plays the second deck.  [default: like the first]")
@duels_option
@chance_option
@with_workers
@keep_option
@with_rules
@matrix_option
@with_output()
def match(
    deck_a: str,
    deck_b: str,
    player: str,
    player_b: str | None,
    duels: int,
    seed: int,
    workers: Workers,
    keep: Path | None,
    rules: GivenRules[Rules],
    matrix: MatrixFile,
    out: Output,
) -> None:
    """Let two decks play duels by the whole rules: every deal twice, with either first.

    A share with its 95 % interval, for the players named: not an equilibrium. Interrupted, it shows what is
    finished. A search takes about a second a duel, the others next to nothing.

    \b
    Examples:
      warage match orc-warrior elf-mage
      warage match orc-warrior orc-warrior --player-b greedy --duels 100000
      warage match elf-mage human-paladin --set cards.fireball.cost=6 --player rules:life_below=50
      warage match orc-warrior elf-mage --player search --player-b rules --duels 200 --keep duels.jsonl
    """
    players = player, player_b or player
    answer_match(rules.load(), (deck_a, deck_b), players, duels, seed, workers, out, keep, matrix)


def answer_match(
    rules: Rules,
    decks: tuple[str, str],
    players: tuple[str, str],
    duels: int,
    seed: int,
    workers: Workers,
    out: Output,
    keep: Path | None = None,
    matrix: MatrixFile = NO_MATRIX,
) -> NoReturn:
    """Play duels and write the answer."""
    found = deck_of(rules, decks[0], "DECK_A"), deck_of(rules, decks[1], "DECK_B")
    both = parse_player(players[0]), parse_player(players[1], "--player-b")
    # numba, and with it all that plays, is imported when nothing is wrong any more.
    from analysis.warage.matches import Match, match_report
    from cli.warage.views.match import MATCH
    from engine.warage.reference import hero_of

    heroes = hero_of(rules, found[0]), hero_of(rules, found[1])
    question = Match(rules, (found[0].id, found[1].id), heroes, both, duels, seed)
    interrupt = Interrupt(STOPPING)
    with interrupt.installed(), Counter(out.quiet) as progress:
        report = match_report(
            question,
            jobs=workers.jobs,
            scheduler=workers.scheduler,
            interrupt=interrupt,
            note=progress,
            keep=keep,
        )
    names = [f"{each.deck}, {each.player}" for each in report.players]
    matrix.write(against_each(f"Share of wins in {report.duels} duels", names[0], [(names[1], report.win)]))
    out.show(report, MATCH, 0 if report.complete else EXIT_INTERRUPTED)
