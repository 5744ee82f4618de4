"""``clash play``: a whole game at the terminal."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

import click

from analysis.clash.matches import check_difficulties, check_players, clan_ids, read_habits
from analysis.errors import RequestError
from cli.clash.commands.options import (
    clans_option,
    habit_options,
    long_game_option,
    say_that_games_compile,
    with_rules,
)
from cli.entry import command
from cli.options import GivenRules
from cli.play import Table, say, wrapped
from cli.play import play as play_at
from engine.clash.rules import Rules

if TYPE_CHECKING:
    from analysis.clash.played_game import PlayedGame
    from analysis.clash.whole_game import Choice

_MOVES_HELP = """\
  NUMBER      the choice of that number; or words of it that no other has
              Whole marches are offered at the beginning of an action; march
              lets you move figure by figure.
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
    hints: bool,
    costs: bool,
    seed: int | None,
    rules: GivenRules[Rules],
) -> None:
    """Play a game of Clash of Rage against the machine, or alone against the elves.

    Battles are fought as well as can be by both sides, and drawn from exact tables. Afterwards you are told
    which of your decisions gave chances away, by playouts.

    \b
    Examples:
      clash play
      clash play --solo easy --clans bohorg --hints
      clash play --opponents rule,random --seat 2 --seed 7 < choices.txt
    """
    loaded = rules.load()
    names = [] if solo is not None else [name.strip() for name in opponents.split(",")]
    check_players(names)
    check_difficulties([] if solo is None else [solo])
    size = len(names) + 1
    if size > 4 or seat > size:
        raise RequestError(f"seat {seat} of {size}: two to four play, or one with --solo", "--seat")
    seed = random.randrange(2**31) if seed is None else seed
    chosen = _clans(loaded, clans, size, seed)
    from analysis.clash.played_game import PlayedGame
    from analysis.clash.players import Budget
    from engine.clash.board import scenario

    try:
        where = scenario(loaded, chosen, difficulty=solo, long_game=long_game)
    except ValueError as error:
        raise RequestError(str(error)) from None
    say_that_games_compile()
    judge = Budget(playouts) if costs or hints else None
    game = PlayedGame(
        loaded,
        where,
        seat - 1,
        names,
        Budget(playouts, seconds),
        judge,
        seed,
        read_habits(habits),
        judged=costs,
    )
    say(f"You play {chosen[seat - 1]}. Seed {seed}.")
    if loaded.illustrative:
        from engine.clash.rules import ILLUSTRATIVE

        say(wrapped(ILLUSTRATIVE, 0))
    ctx.exit(0 if play_at(_Table(game), hints=hints) else 1)


def _clans(rules: Rules, text: str | None, size: int, seed: int) -> tuple[str, ...]:
    named = clan_ids(rules, text)
    if named is None:
        return tuple(random.Random(seed).sample([clan.id for clan in rules.clans], size))
    if len(named) != size:
        raise RequestError(f"{size} players have so many clans, not {len(named)}", "--clans")
    return named


class _Table(Table):
    """The person at the terminal."""

    moves_help = _MOVES_HELP
    explains = "what a card, unit or territory is"
    hints = "what your choices are worth, by playouts"
    leaves = "give up"

    def __init__(self, game: PlayedGame) -> None:
        self.game = game
        self._choices: list[Choice] = []
        self._texts: list[str] = []

    def advance(self) -> bool:
        from analysis.clash.narration import choice_text

        self.game.others_move()
        self._tell()
        if self.game.game.over:
            return False
        self._choices = self.game.choices()
        self._texts = [choice_text(self.game.game, choice) for choice in self._choices]
        return True

    def _tell(self) -> None:
        for event in self.game.events:
            say(wrapped(event, 0, 2))
        self.game.events.clear()

    def show(self) -> None:
        from analysis.clash.narration import state_of, table_lines

        say("")
        for line in table_lines(state_of(self.game.game), self.game.seat):
            say(wrapped(line, len(line) - len(line.lstrip()), 4))
        for number, text in enumerate(self._texts):
            say(wrapped(f"{number}) {text}", 2, 4))

    def question(self) -> str:
        return f"your choice (0 to {len(self._texts) - 1}) >"

    def take(self, typed: str) -> bool:
        found = self._found(typed)
        if found is None:
            return False
        self._make(found)
        return True

    def _make(self, number: int) -> None:
        say(wrapped(f"You: {self._texts[number]}", 0, 2))
        self.game.make(self._choices[number])

    def _found(self, typed: str) -> int | None:
        if typed.isdigit() and int(typed) < len(self._texts):
            return int(typed)
        split = [set(re.findall(r"[\w-]+", text.lower())) for text in self._texts]
        words = set(re.findall(r"[\w-]+", typed.lower()))
        same = [number for number, text in enumerate(self._texts) if text.lower() == typed.lower()]
        fitting = same or [number for number, each in enumerate(split) if words and words <= each]
        if len(fitting) == 1:
            return fitting[0]
        what = "is none of these choices" if not fitting else f"may be {len(fitting)} of these choices"
        say(f"  {typed!r} {what}; type a number, or ? for help")
        return None

    def take_any(self) -> None:
        state = self.game.game.words
        self._make(random.Random(state.tobytes()).randrange(len(self._choices)))

    def hint(self) -> None:
        from analysis.clash.narration import choice_text

        say("  chances to win, by playouts:")
        for option in self.game.options():
            text = choice_text(self.game.game, option.choice)
            worth = "  ? " if option.worth != option.worth else f"{100 * option.worth:3.0f} %"
            say(wrapped(f"{worth}  {text}", 4, 7))

    def undo(self) -> bool:
        return self.game.undo()

    def explain(self, name: str) -> str | None:
        from analysis.clash.narration import explained

        return explained(self.game.game, name)

    def words(self) -> list[str]:
        return sorted({word for text in self._texts for word in re.findall(r"[A-Za-z][\w-]+", text)})

    def close(self) -> None:
        from analysis.clash.narration import state_of, table_lines

        game = self.game
        say("")
        for line in table_lines(state_of(game.game), game.seat):
            say(wrapped(line, len(line) - len(line.lstrip()), 4))
        won = game.game.winner
        if won == game.seat:
            say("You win.")
        elif won < 0:
            say("You lose." if game.game.num_players == 1 else "Nobody wins.")
        else:
            say(f"{game.game.scenario.clans[won]} wins.")
        if not game.judged:
            return
        dear = game.dear()
        say("What your decisions cost, in chance to win:" if dear else "Your decisions cost nothing notable.")
        for each in dear:
            text = f"{100 * each.cost:.0f} %  round {each.round}: {each.made}; better: {each.better}"
            say(wrapped(text, 2, 6))
