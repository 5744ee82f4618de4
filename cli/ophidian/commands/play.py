"""``ophidian play``: a whole match at the terminal."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from analysis.errors import RequestError
from analysis.ophidian.matches import decks_of, players_of
from cli.changing_table import ChangingTable
from cli.entry import command
from cli.ophidian.commands.options import values_option
from cli.options import MOST_COUNT, GivenRules, with_rules
from cli.parameters import duration
from cli.play import play as play_at
from cli.play import say, say_rules, wrapped
from engine.ophidian.rules import ILLUSTRATIVE, Rules, load_rules

if TYPE_CHECKING:
    from analysis.ophidian.played_game import PlayedGame
    from engine.ophidian.reference import Move

_MOVES_HELP = """\
  NUMBER      the choice of that number; or words of it that no other has
"""
_HINTS = 8


@command("play", epilog="Exit codes: 0 played to the end; 1 given up; 2 wrong usage.")
@click.option(
    "--opponent",
    default="greedy",
    show_default=True,
    metavar="NAME",
    help="search, values, greedy or random.",
)
@click.option(
    "--decks", default="iron,storm", show_default=True, metavar="DECKS", help="Of the first and second seat."
)
@click.option("--seat", type=click.IntRange(1, 2), default=1, show_default=True, help="Yours.")
@click.option(
    "--iterations", type=click.IntRange(1, MOST_COUNT), default=1000, show_default=True, help="Of a search."
)
@click.option("--time", "seconds", type=duration, metavar="TIME", help="Or so long, such as 1s.")
@values_option
@click.option("--hints", is_flag=True, help="A hint before every decision.")
@click.option(
    "--seed", type=click.IntRange(0, 2**62), help="Of the deal and chance.  [default: another each time]"
)
@with_rules(load_rules, "cards.hex.cost=3")
@click.pass_context
def play(
    ctx: click.Context,
    opponent: str,
    decks: str,
    seat: int,
    iterations: int,
    seconds: float | None,
    values: Path | None,
    hints: bool,
    seed: int | None,
    rules: GivenRules[Rules],
) -> None:
    """Play a match of Ophidian Arena against the machine.

    \b
    Examples:
      ophidian play
      ophidian play --opponent search --decks brood,patron --seat 2 --hints
      ophidian play --opponent random --seed 7 < choices.txt
    """
    loaded = rules.load()
    try:
        players_of(f"{opponent},{opponent}")
    except RequestError as error:
        raise RequestError(str(error), "--opponent") from None
    chosen = decks_of(loaded, decks)
    seed = random.randrange(2**31) if seed is None else seed
    from analysis.ophidian.played_game import PlayedGame
    from analysis.ophidian.players import Budget

    game = PlayedGame(loaded, chosen, seat - 1, opponent, Budget(iterations, seconds), seed, values)
    say_rules(loaded)
    say(f"You play {chosen[seat - 1]}. Seed {seed}.")
    if loaded.illustrative:
        say(wrapped(ILLUSTRATIVE, 0))
    ctx.exit(0 if play_at(_Table(game), hints=hints) else 1)


class _Table(ChangingTable):
    """The person at the terminal."""

    moves_help = _MOVES_HELP
    explains = "what a card or a gladiator is"
    hints = "how a search likes your moves; an estimate"
    leaves = "give up"

    def __init__(self, game: PlayedGame) -> None:
        super().__init__()
        self.game = game
        self._choices: list[Move] = []

    def play_on(self) -> list[str]:
        self.game.others_move()
        events = self.game.events[:]
        self.game.events.clear()
        return events

    def options(self) -> list[str] | None:
        from analysis.ophidian.narration import move_words

        if self.game.over:
            return None
        self._choices = self.game.choices()
        return [move_words(self.game.state, move) for move in self._choices]

    def show_table(self) -> None:
        from analysis.ophidian.narration import phase_words

        super().show_table()
        if not self.game.over:
            say(f"{phase_words(self.game.state).capitalize()}")

    def table_lines(self) -> Sequence[str]:
        from analysis.ophidian.narration import table_lines

        return list(table_lines(self.game.state, self.game.seat, self.game.decks))

    def make(self, number: int) -> None:
        self.game.make(self._choices[number])

    def fingerprint(self) -> str:
        return repr(self.game.state)

    def hint(self) -> None:
        from analysis.ophidian.narration import move_words

        say("  how often a search tries them, and what comes of them (1 won, -1 lost; estimates):")
        for option in self.game.options()[:_HINTS]:
            text = move_words(self.game.state, option.move)
            worth = "   ?" if option.mean != option.mean else f"{option.mean:+.2f}"
            say(wrapped(f"{100 * option.share:3.0f} %  {worth}  {text}", 4, 14))

    def undo(self) -> bool:
        return self.game.undo()

    def explain(self, name: str) -> str | None:
        from analysis.ophidian.narration import explained

        return explained(self.game.rules, name)

    def close(self) -> None:
        from engine.ophidian.reference import winner

        self.show_table()
        best = winner(self.game.state)
        say("Nobody wins." if best is None else "You win." if best == self.game.seat else "They win.")
