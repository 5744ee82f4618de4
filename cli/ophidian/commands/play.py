"""``ophidian play``: a whole match at the terminal."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

import click

from analysis.errors import RequestError
from analysis.ophidian.matches import decks_of, players_of
from cli.entry import command
from cli.options import GivenRules, with_rules
from cli.parameters import duration
from cli.play import Table, say, wrapped
from cli.play import play as play_at
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
    "--opponent", default="greedy", show_default=True, metavar="NAME", help="search, greedy or random."
)
@click.option(
    "--decks", default="iron,storm", show_default=True, metavar="DECKS", help="Of the first and second seat."
)
@click.option("--seat", type=click.IntRange(1, 2), default=1, show_default=True, help="Yours.")
@click.option(
    "--iterations", type=click.IntRange(min=1), default=1000, show_default=True, help="Of a search."
)
@click.option("--time", "seconds", type=duration, metavar="TIME", help="Or so long, such as 1s.")
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

    click.echo("The first match after an installation compiles kernels for some minutes.", err=True)
    game = PlayedGame(loaded, chosen, seat - 1, opponent, Budget(iterations, seconds), seed)
    say(f"You play {chosen[seat - 1]}. Seed {seed}.")
    if loaded.illustrative:
        say(wrapped(ILLUSTRATIVE, 0))
    ctx.exit(0 if play_at(_Table(game), hints=hints) else 1)


class _Table(Table):
    """The person at the terminal."""

    moves_help = _MOVES_HELP
    explains = "what a card or a gladiator is"
    hints = "how a search likes your moves; an estimate"
    leaves = "give up"

    def __init__(self, game: PlayedGame) -> None:
        self.game = game
        self._choices: list[Move] = []
        self._texts: list[str] = []

    def advance(self) -> bool:
        from analysis.ophidian.narration import move_words

        self.game.others_move()
        for event in self.game.events:
            say(wrapped(event, 0, 2))
        self.game.events.clear()
        if self.game.over:
            return False
        self._choices = self.game.choices()
        self._texts = [move_words(self.game.state, move) for move in self._choices]
        return True

    def show(self) -> None:
        from analysis.ophidian.narration import phase_words

        self._show_table()
        say(f"{phase_words(self.game.state).capitalize()}")
        for number, text in enumerate(self._texts):
            say(wrapped(f"{number}) {text}", 2, 4))

    def _show_table(self) -> None:
        from analysis.ophidian.narration import table_lines

        say("")
        for line in table_lines(self.game.state, self.game.seat):
            say(wrapped(line, len(line) - len(line.lstrip()), 4))

    def question(self) -> str:
        return f"your choice (0 to {len(self._texts) - 1}) >"

    def take(self, typed: str) -> bool:
        found = self._found(typed)
        if found is None:
            return False
        self._make(found)
        return True

    def _make(self, number: int) -> None:
        say(wrapped(f"You: {self._texts[number]}.", 0, 2))
        self.game.make(self._choices[number])

    def _found(self, typed: str) -> int | None:
        if typed.isdigit() and int(typed) < len(self._texts):
            return int(typed)
        split = [set(re.findall(r"[\w'-]+", text.lower())) for text in self._texts]
        words = set(re.findall(r"[\w'-]+", typed.lower()))
        same = [number for number, text in enumerate(self._texts) if text.lower() == typed.lower()]
        fitting = same or [number for number, each in enumerate(split) if words and words <= each]
        if len(fitting) == 1:
            return fitting[0]
        what = "is none of these choices" if not fitting else f"may be {len(fitting)} of these choices"
        say(f"  {typed!r} {what}; type a number, or ? for help")
        return None

    def take_any(self) -> None:
        self._make(random.Random(repr(self.game.state)).randrange(len(self._choices)))

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

    def words(self) -> list[str]:
        return sorted({word for text in self._texts for word in re.findall(r"[A-Za-z][\w'-]+", text)})

    def close(self) -> None:
        from engine.ophidian.reference import winner

        self._show_table()
        best = winner(self.game.state)
        say("Nobody wins." if best is None else "You win." if best == self.game.seat else "They win.")
