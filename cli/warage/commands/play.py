"""``warage play``: a whole duel at the terminal."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

import click

from analysis.warage.decks import deck_of
from analysis.warage.players import parse_player
from cli.entry import command
from cli.options import GivenRules, at_least
from cli.play import Table, say, wrapped
from cli.play import play as play_at
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
@at_least(1, "--playouts", "That a hint, or a judgement, may try.", 400)
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
    say(f"You play {decks[0].id}. Seed {seed}. Cards: {loaded.name}.")
    ctx.exit(0 if play_at(_Table(game), hints=hints) else 1)


class _Table(Table):
    """The person at the terminal."""

    moves_help = _MOVES_HELP
    explains = "what a card does"
    hints = "what your moves are worth, by playouts"
    leaves = "give up"

    def __init__(self, game: PlayedGame) -> None:
        self.game = game
        self._texts: list[str] = []

    def advance(self) -> bool:
        from analysis.warage.narration import move_text

        self.game.play_on()
        for event in self.game.events:
            say(wrapped(event, 0, 2))
        self.game.events.clear()
        if self.game.over:
            return False
        state = self.game.state
        self._texts = [move_text(state, move) for move in self.game.moves()]
        return True

    def show(self) -> None:
        from analysis.warage.narration import table_lines

        say("")
        for line in table_lines(self.game.state, self.game.seat):
            say(wrapped(line, len(line) - len(line.lstrip()), 4))
        for number, text in enumerate(self._texts):
            say(wrapped(f"{number}) {text}", 2, 4))

    def question(self) -> str:
        return f"your move (0 to {len(self._texts) - 1}) >"

    def take(self, typed: str) -> bool:
        if typed.isdigit() and int(typed) < len(self._texts):
            return self._make(int(typed))
        words = set(re.findall(r"[\w-]+", typed.lower()))
        split = [set(re.findall(r"[\w-]+", text.lower())) for text in self._texts]
        same = [number for number, text in enumerate(self._texts) if text.lower() == typed.lower()]
        fitting = same or [number for number, each in enumerate(split) if words and words <= each]
        if len(fitting) == 1:
            return self._make(fitting[0])
        what = "is none of these moves" if not fitting else f"may be {len(fitting)} of these moves"
        say(f"  {typed!r} {what}; type a number, or ? for help")
        return False

    def _make(self, number: int) -> bool:
        say(wrapped(f"You: {self._texts[number]}.", 0, 2))
        self.game.make(number)
        return True

    def take_any(self) -> None:
        self._make(random.Random(self.game.words.tobytes()).randrange(len(self._texts)))

    def hint(self) -> None:
        say("  chances to win, by playouts of players by rules:")
        options = self.game.options()
        for option in options:
            worth = f"{100 * option.win:3.0f} %" if option.playouts else "  ?  "
            say(wrapped(f"{worth}  {option.text}", 4, 7))
        if not options:
            say("    nothing but to pass, as they see it")

    def undo(self) -> bool:
        return self.game.undo()

    def explain(self, name: str) -> str | None:
        from analysis.warage.narration import explained

        return explained(self.game.setup.rules, name)

    def words(self) -> list[str]:
        return sorted({word for text in self._texts for word in re.findall(r"[A-Za-z][\w-]+", text)})

    def close(self) -> None:
        from analysis.warage.narration import table_lines

        game, state = self.game, self.game.state
        say("")
        for line in table_lines(state, game.seat):
            say(wrapped(line, len(line) - len(line.lstrip()), 4))
        if game.seat not in state.winners:
            say("You lose.")
        else:
            say("You win." if len(state.winners) == 1 else "A draw.")
        if not game.judged:
            return
        dear = game.dear()
        say("What your decisions cost, in chance to win:" if dear else "Your decisions cost nothing notable.")
        for each in dear:
            text = f"{100 * each.cost:.0f} %  turn {each.turn}: {each.made}; better: {each.better}"
            say(wrapped(text, 2, 6))
