"""``warage play``: a whole duel at the terminal."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from analysis.reviewed import review
from analysis.warage.decks import deck_of
from analysis.warage.players import parse_player
from analysis.warage.wording import class_text, race_text
from cli.entry import command
from cli.numbered import NumberedTable
from cli.options import GivenRules, at_least
from cli.play import play as play_at
from cli.play import say, wrapped
from cli.reviews import say_hint, say_review
from cli.warage.commands.options import MOST_SEED, PLAYERS_TEXT, player_option, with_rules
from engine.warage.rules import Rules

if TYPE_CHECKING:
    from analysis.warage.played_game import PlayedGame

_MOVES_HELP = """\
  NUMBER      the move of that number; or words of it that no other has
"""


@command("play", epilog="Exit codes: 0 played to the end; 1 given up; 2 wrong usage.")
@click.argument("deck", metavar="DECK")
@click.argument("against", metavar="AGAINST")
@player_option("--opponent", "search", PLAYERS_TEXT)
@click.option("--second", is_flag=True, help="The machine moves first.")
@at_least(1, "--playouts", "That a hint, or a judgement, may try.", 1000)
@click.option("--hints", is_flag=True, help="A hint before every decision.")
@click.option("--costs/--no-costs", default=True, show_default=True, help="Say what decisions cost.")
@click.option(
    "--seed", type=click.IntRange(0, MOST_SEED), help="Of cards and dice.  [default: another each time]"
)
@with_rules
@click.pass_context
def play(
    ctx: click.Context,
    deck: str,
    against: str,
    opponent: str,
    second: bool,
    playouts: int,
    hints: bool,
    costs: bool,
    seed: int | None,
    rules: GivenRules[Rules],
) -> None:
    """Play a duel by the whole rules against the machine.

    Afterwards you are told which of your decisions gave chances away, by playouts of players by rules: no
    proof, and nothing that a better player could not change.

    \b
    Examples:
      warage play orc-warrior elf-mage
      warage play elf-mage human-paladin --second --hints --opponent rules
      warage play orc-warrior angel-paladin --seed 7 < moves.txt
    """
    loaded = rules.load()
    decks = deck_of(loaded, deck, "DECK"), deck_of(loaded, against, "AGAINST")
    player = parse_player(opponent, "--opponent")
    seed = random.randrange(2**31) if seed is None else seed
    click.echo("The first game after an installation compiles kernels for some minutes.", err=True)
    from analysis.warage.played_game import PlayedGame
    from engine.warage.reference import setup_of

    order = [decks[1].id, decks[0].id] if second else [decks[0].id, decks[1].id]
    game = PlayedGame(setup_of(loaded, order), int(second), player, playouts, seed, judged=costs)
    say(f"You play {decks[0].name}. Seed {seed}. Cards: {loaded.name}.")
    for who, deck_rule in zip(("You", "They"), decks, strict=True):
        race, hero_class = loaded.race(deck_rule.race), loaded.hero_class(deck_rule.hero_class)
        say(wrapped(f"{who}: {race_text(loaded, race)} {class_text(hero_class)}", 0, 2))
    ctx.exit(0 if play_at(_Table(game), hints=hints) else 1)


class _Table(NumberedTable):
    """The person at the terminal."""

    moves_help = _MOVES_HELP
    explains = "what a card, a race, a class or a season does"
    hints = "what your moves are worth, by playouts"
    leaves = "give up"
    noun = "move"

    def __init__(self, game: PlayedGame) -> None:
        super().__init__()
        self.game = game

    def play_on(self) -> list[str]:
        self.game.play_on()
        events = self.game.events[:]
        self.game.events.clear()
        return events

    def options(self) -> list[str] | None:
        from analysis.warage.narration import move_text

        if self.game.over:
            return None
        return [move_text(self.game.state, move) for move in self.game.moves()]

    def table_lines(self) -> Sequence[str]:
        from analysis.warage.narration import table_lines

        return table_lines(self.game.state, self.game.seat)

    def make(self, number: int) -> None:
        self.game.make(number)

    def fingerprint(self) -> bytes:
        return self.game.words.tobytes()

    def hint(self) -> None:
        found = self.game.hint()
        say_hint(found.options, alike=found.alike, who="players by rules")

    def undo(self) -> bool:
        return self.game.undo()

    def explain(self, name: str) -> str | None:
        from analysis.warage.wording import explained

        return explained(self.game.setup.rules, name)

    def close(self) -> None:
        self.show_table()
        game, winners = self.game, self.game.state.winners
        if game.seat not in winners:
            say("You lose.")
        else:
            say("You win." if len(winners) == 1 else "A draw.")
        if game.judged:
            say_review(review(game.decisions, "--playouts"))
