"""``clash play``: a whole game at the terminal."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from analysis.clash.maps import check_tiles, read_tiles, tiles_of_deal
from analysis.clash.matches import check_difficulties, check_players, clan_ids, read_habits
from analysis.errors import RequestError
from analysis.reviewed import review
from cli.changing_table import ChangingTable
from cli.clash.commands.options import (
    clans_option,
    habit_options,
    long_game_option,
    refuse_unused,
    tiles_option,
    with_rules,
)
from cli.compiling import compiling_said
from cli.entry import command
from cli.options import GivenRules
from cli.play import play as play_at
from cli.play import say, say_rules, wrapped
from cli.reviews import say_hint, say_review
from engine.clash.rules import Rules

if TYPE_CHECKING:
    from analysis.clash.played_game import PlayedGame
    from analysis.clash.whole_game import Choice

_JUDGED = 10
"""Times the playouts of a search, for a hint or a judgement: they have to tell choices apart."""
_CARD = re.compile(r"card (\d{1,9})")
_MOVES_HELP = """\
  NUMBER      the choice of that number; or words of it that no other has
              Whole marches are offered at the beginning of an action; march
              lets you move figure by figure.
  card ORDER  a tactic card by the number on it
"""


@command(
    "play",
    epilog="Exit codes: 0 played to the end; 1 given up; 2 wrong usage.",
)
@click.option(
    "--opponents",
    default="search",
    show_default=True,
    metavar="NAMES",
    help="One to three of search, rule and random, in the order of seats.",
)
@click.option("--solo", metavar="DIFFICULTY", help="Alone against the elves: easy, medium, ...")
@clans_option
@click.option("--seat", type=click.IntRange(1, 4), default=1, show_default=True, help="Yours.")
@long_game_option
@habit_options
@tiles_option
@click.option("--hints", is_flag=True, help="A hint before every decision.")
@click.option("--costs/--no-costs", default=True, show_default=True, help="Say what decisions cost.")
@click.option(
    "--seed", type=click.IntRange(0, 2**62), help="Of the deal and chance.  [default: another each time]"
)
@with_rules
@click.pass_context
def play(
    ctx: click.Context,
    opponents: str,
    solo: str | None,
    clans: str | None,
    seat: int,
    long_game: bool,
    playouts: int,
    seconds: float | None,
    habits: tuple[str, ...],
    tiles: str | None,
    hints: bool,
    costs: bool,
    seed: int | None,
    rules: GivenRules[Rules],
) -> None:
    """Play a game of Clash of Rage against the machine, or alone against the elves.

    Battles, yours too, are fought by the machine, as well as can be for fixed weights: 3 for the territory,
    1, 2 and 3 for a figure by its level, 1 for an elf. That includes fleeing and who is eliminated (B7, B11);
    the result is drawn from an exact table. Afterwards you are told which of your decisions gave chances
    away, by ten times the playouts that a search takes.

    \b
    Examples:
      clash play
      clash play --solo easy --clans bohorg --hints
      clash play --opponents rule,random --seat 2 --seed 7 < choices.txt
    """
    loaded = rules.load()
    if solo is not None and ctx.get_parameter_source("opponents") is ParameterSource.COMMANDLINE:
        raise RequestError("alone against the elves (--solo) there are none", "--opponents")
    names = [] if solo is not None else [name.strip() for name in opponents.split(",")]
    check_players(names)
    check_difficulties([] if solo is None else [solo])
    size = len(names) + 1
    if size > 4 or seat > size:
        raise RequestError(f"seat {seat} of {size}: two to four play, or one with --solo", "--seat")
    refuse_unused(names, judged=True)
    if seconds is not None and "search" not in names:
        raise RequestError("only a search heeds it, and none plays here", "--time")
    asked = read_tiles(loaded, tiles)
    check_tiles(asked, size)
    seed = random.randrange(2**31) if seed is None else seed
    chosen = _clans(loaded, clans, size, seed)
    from analysis.clash.played_game import PlayedGame
    from analysis.clash.searching import Budget
    from engine.clash.board import scenario

    try:
        where = scenario(
            loaded,
            chosen,
            tiles=tiles_of_deal(loaded, asked, size, seed, 0),
            difficulty=solo,
            long_game=long_game,
        )
    except ValueError as error:
        raise RequestError(str(error)) from None
    game = PlayedGame(
        loaded,
        where,
        seat - 1,
        names,
        Budget(playouts, seconds),
        _JUDGED * playouts,
        seed,
        read_habits(habits),
        judged=costs,
    )
    say_rules(loaded)
    say(f"You play {chosen[seat - 1]} on tiles {' '.join(where.tiles)}. Seed {seed}.")
    if loaded.illustrative:
        from engine.clash.rules import ILLUSTRATIVE

        say(wrapped(ILLUSTRATIVE, 0))
    with compiling_said():
        over = play_at(_Table(game), hints=hints)
    ctx.exit(0 if over else 1)


def _clans(rules: Rules, text: str | None, size: int, seed: int) -> tuple[str, ...]:
    named = clan_ids(rules, text)
    if named is None:
        return tuple(random.Random(seed).sample([clan.id for clan in rules.clans], size))
    if len(named) != size:
        raise RequestError(f"{size} players have so many clans, not {len(named)}", "--clans")
    return named


class _Table(ChangingTable):
    """The person at the terminal."""

    moves_help = _MOVES_HELP
    explains = "what a clan, unit, card, territory or word is: help slowness"
    hints = "what your choices are worth, by playouts"
    leaves = "give up"

    def __init__(self, game: PlayedGame) -> None:
        super().__init__()
        self.game = game
        self._choices: list[Choice] = []

    def play_on(self) -> list[str]:
        self.game.others_move()
        events = self.game.events[:]
        self.game.events.clear()
        return events

    def options(self) -> list[str] | None:
        from analysis.clash.narration import choice_text

        if self.game.game.over:
            return None
        self._choices = self.game.choices()
        return [choice_text(self.game.game, choice) for choice in self._choices]

    def table_lines(self) -> Sequence[str]:
        from analysis.clash.narration import state_of
        from analysis.clash.table import table_lines

        return table_lines(state_of(self.game.game), self.game.seat)

    def make(self, number: int) -> None:
        self.game.make(self._choices[number])

    def take(self, typed: str) -> bool:
        """Take a card of the hand as `card 16` by the number on it; a number alone is that of a line."""
        named, hand = _CARD.fullmatch(typed.lower()), self.game.hand()
        if named is None or int(named[1]) not in hand:
            return super().take(typed)
        self._make(hand.index(int(named[1])))
        return True

    def fingerprint(self) -> bytes:
        return self.game.game.words.tobytes()

    def hint(self) -> None:
        hint = self.game.hint()
        say_hint(hint.options, alike=hint.alike, who="players by rule of thumb")

    def undo(self) -> bool:
        return self.game.undo()

    def explain(self, name: str) -> str | None:
        from analysis.clash.explaining import explained

        return explained(self.game.game, name)

    def close(self) -> None:
        self.show_table()
        game, won = self.game, self.game.game.winner
        if won == game.seat:
            say("You win.")
        elif won < 0:
            say("You lose." if game.game.num_players == 1 else "Nobody wins.")
        else:
            say(f"{game.game.scenario.clans[won]} wins.")
        if game.judged:
            say_review(review(game.decisions, "--playouts"))
