"""``warage deck``: what is in a deck, what its cards are worth, and how to make it better."""

from __future__ import annotations

from dataclasses import dataclass

import click

from analysis.errors import RequestError
from analysis.exit_codes import EXIT_INTERRUPTED
from analysis.interrupt import Interrupt
from analysis.warage.decks import deck_of
from analysis.warage.players import Player, parse_player
from cli.entry import Group
from cli.options import GivenRules, Output, at_least, bundle, exit_codes, with_output
from cli.progress import Counter
from cli.warage.commands.options import (
    PLAYERS_TEXT,
    STOPPED_CODES,
    STOPPING,
    chance_option,
    player_option,
    with_rules,
)
from engine.warage.rules import DeckRule, Rules


@click.group("deck", cls=Group)
def deck_group() -> None:
    """Look into decks: what is in one, what its cards are worth, which swaps make it better.

    \b
    Examples:
      warage deck check orc-warrior
      warage deck value orc-warrior --against elf-mage
      warage deck tune elf-mage --duels 20000
    """


@dataclass(frozen=True)
class Measured:
    """Whom a deck is measured against, how it is played, and how often."""

    against: str | None
    player: str
    duels: int
    seed: int

    def others(self, rules: Rules, deck: DeckRule) -> list[DeckRule]:
        """Return the decks it plays against."""
        if self.against is None:
            others = [other for other in rules.decks if other.id != deck.id]
            return others or [deck]
        return [deck_of(rules, part, "--against") for part in self.against.split(",") if part.strip()]

    def by(self) -> Player:
        """Return who plays all decks."""
        player = parse_player(self.player)
        if not player.by_rules:
            raise RequestError("decks are measured by rules or greedy: others take too long", "--player")
        return player


with_measure = bundle(
    "measured",
    Measured,
    click.option("--against", metavar="DECKS", help="Decks to play against.  [default: all others]"),
    player_option("--player", "rules", PLAYERS_TEXT),
    at_least(1, "--duels", "With every deck that is tried.", 40_000),
    chance_option,
)


@deck_group.command("check", epilog=exit_codes())
@click.argument("deck", metavar="DECK")
@with_rules
@with_output(quiet=False)
def check(deck: str, rules: GivenRules[Rules], out: Output) -> None:
    """Say what is in a deck, what it costs, and which cards its hero can do nothing with.

    Decks stand in rules files (warage rules show decks); one that breaks the rules for decks is refused.
    """
    loaded = rules.load()
    found = deck_of(loaded, deck, "DECK")
    from analysis.warage.deck_building import deck_report
    from cli.warage.views.deck import CHECK

    out.show(deck_report(loaded, found), CHECK)


@deck_group.command("value", epilog=STOPPED_CODES)
@click.argument("deck", metavar="DECK")
@click.option("--cards", metavar="CARDS", help="Of these only, such as fireball,parry.")
@with_measure
@with_rules
@with_output()
def value(deck: str, cards: str | None, measured: Measured, rules: GivenRules[Rules], out: Output) -> None:
    """Measure what one copy of each card adds to a deck: against a blank in its place, with the same chance.

    In points of the share that the deck wins, for the players named.
    """
    loaded = rules.load()
    found, player = deck_of(loaded, deck, "DECK"), measured.by()
    others = measured.others(loaded, found)
    asked = []
    for part in (cards or "").split(","):
        if part.strip():
            names = [name for name, _ in found.cards if name.startswith(part.strip())]
            if not names:
                raise RequestError(f"{part.strip()!r}: {found.id} holds no such card", "--cards")
            asked.append(names[0])
    from analysis.warage.deck_building import value_report
    from cli.warage.views.deck import VALUE

    interrupt = Interrupt(STOPPING)
    with interrupt.installed(), Counter(out.quiet) as progress:
        report = value_report(
            loaded,
            found,
            others,
            player,
            measured.duels,
            measured.seed,
            cards=asked,
            stop=interrupt,
            note=progress,
        )
    out.show(report, VALUE, 0 if report.complete else EXIT_INTERRUPTED)


@deck_group.command("tune", epilog=STOPPED_CODES)
@click.argument("deck", metavar="DECK")
@at_least(1, "--swaps", "At most.", 5)
@with_measure
@with_rules
@with_output()
def tune(deck: str, swaps: int, measured: Measured, rules: GivenRules[Rules], out: Output) -> None:
    """Swap single cards as long as one makes the deck better beyond chance.

    What is found holds for the players named, against the decks named; other players want other cards.
    """
    loaded = rules.load()
    found, player = deck_of(loaded, deck, "DECK"), measured.by()
    others = measured.others(loaded, found)
    from analysis.warage.deck_building import tune_report
    from cli.warage.views.deck import TUNE

    interrupt = Interrupt(STOPPING)
    with interrupt.installed(), Counter(out.quiet) as progress:
        report = tune_report(
            loaded,
            found,
            others,
            player,
            measured.duels,
            measured.seed,
            rounds=swaps,
            interrupt=interrupt,
            note=progress,
        )
    out.show(report, TUNE, EXIT_INTERRUPTED if interrupt() else 0)
