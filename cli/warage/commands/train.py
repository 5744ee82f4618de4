"""``warage train``: learn by self-play what positions of a duel are worth."""

from __future__ import annotations

from pathlib import Path

import click

from analysis.errors import RequestError
from analysis.warage.decks import deck_of
from cli.entry import command
from cli.options import GivenRules, examples
from cli.training import check_values, train_to_file, with_training
from cli.warage.commands.options import with_rules
from engine.warage.rules import Rules

PLAYS = 150_000
MOST_DECKS = 10


@command(
    "train",
    short_help="Learn the values that the players guided and values play by.",
    epilog=examples(
        "warage train values.npz",
        "warage train values.npz --rules my.toml --decks orc-warrior,elf-mage --plays 50000",
        "warage match orc-warrior elf-mage --player guided:values.npz --player-b rules --duels 100",
    ),
)
@with_training(PLAYS)
@click.option("--decks", metavar="DECKS", help='"orc-warrior,elf-mage".  [default: all]')
@with_rules
def train(
    values: Path, rules: GivenRules[Rules], decks: str | None, plays: int, seed: int, force: bool, quiet: bool
) -> None:
    """Learn by self-play what positions of a duel are worth, and write it to the file VALUES.

    Chance draws two decks for each duel, each against each and itself. The player guided:VALUES searches by
    what was learned; values:VALUES looks one move ahead, and is weaker than players by rules: it won two in
    five of its duels with them. Heuristic, no equilibrium. One thread; the same plays and seed give the same
    values on one kind of machine. The file says what it was learned by; it is for these rules.
    """
    loaded = rules.load()
    asked = decks.split(",") if decks else [deck.id for deck in loaded.decks]
    found = list(dict.fromkeys(deck_of(loaded, part, "--decks").id for part in asked if part.strip()))
    if not 1 <= len(found) <= MOST_DECKS:
        raise RequestError(f"name one to {MOST_DECKS} decks, not {len(found)}", "--decks")
    check_values(values, force=force)

    from analysis.warage import learned

    train_to_file(values, plays, lambda watch: learned.train(loaded, found, plays, seed, watch), quiet=quiet)
