"""``raverun play``: a game in the terminal against kept strategies, search, or a greedy or random player."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import click

from analysis.errors import RequestError
from analysis.files import STDOUT, is_stream, write_atomically
from analysis.raverun.transcript import Header, check_place
from cli.entry import command
from cli.options import GivenRules, at_least
from cli.parameters import duration
from cli.play import Table, check_alone, say, say_rules, styled
from cli.play import play as play_at
from cli.raverun.commands.options import GivenGame, file_option, with_game
from cli.raverun.views.costs import cost_lines
from cli.raverun.views.effects import explained
from cli.raverun.views.moves import Names, move_text, table_lines, told
from cli.raverun.views.transcript import transcript_text
from engine.raverun.reference import decider, payoffs
from engine.raverun.rules import load_rules

if TYPE_CHECKING:
    from analysis.raverun.left_games import LeftGame, Options
    from analysis.raverun.played_game import PlayedGame

OPPONENTS = ("guided", "values", "search", "trained", "greedy", "random")
MOST_COSTS = 5


@command("play")
@click.option(
    "--opponent",
    type=click.Choice(OPPONENTS),
    help="[default: guided with --values, trained with --policy, otherwise search]",
)
@file_option(
    "--policy", "Strategies kept by raverun-solve --save-policy; makes the opponent the trained one."
)
@file_option(
    "--values",
    "Values learned by raverun train: for hints, and the opponents guided (the strongest) and values.",
)
@click.option("--seat", type=click.IntRange(1, 3), default=1, show_default=True, help="Yours.")
@click.option("--search-time", type=duration, default="1s", show_default=True, metavar="TIME")
@at_least(1, "--search-iterations", "Instead of a time: the same every run.")
@with_game
@click.option(
    "--transcript",
    type=click.Path(path_type=Path, dir_okay=False),
    help="File to keep the game in, written before each of your decisions and at the end.",
)
@click.option("--force", is_flag=True, help="Write over whatever lies at --transcript.")
@click.option("--hints", is_flag=True, help="A hint before every decision.")
@click.option("--resume", is_flag=True, help="Go on with the game left last.")
@click.option(
    "--seed", type=click.IntRange(min=0, max=2**62), help="Of the deal.  [default: another each time]"
)
@click.pass_context
def play(
    ctx: click.Context,
    opponent: str | None,
    policy: Path | None,
    values: Path | None,
    seat: int,
    search_time: float,
    search_iterations: int | None,
    game: GivenGame,
    transcript: Path | None,
    force: bool,
    hints: bool,
    resume: bool,
    seed: int | None,
) -> None:
    """Play a game of Raverun. Moves are typed as shown, or by their number. ? helps, u takes back.

    Afterwards you are told what your decisions cost: by the learned values, if there is a file of them, and
    exactly in the last phase, where nothing is hidden any more.

    Input may come from a file: one move a line.

    \b
    Examples:
      raverun play
      raverun play --values values.npz --search-time 2s
      raverun play --policy strategies.npz --seat 1
      raverun play --transcript game.txt
      raverun play --players 3 --search-iterations 2000 --seed 7 < moves.txt
    """
    from analysis.raverun import left_games

    left = None
    if resume:
        check_alone(ctx)
        left = left_games.kept()
        options = left.options
    else:
        if transcript is not None:
            check_place(transcript, force=force)
        elif force:
            raise RequestError("--force is about what lies at --transcript, and none was given")
        options = left_games.Options(
            opponent=opponent,
            policy=None if policy is None else str(policy.resolve()),
            values=None if values is None else str(values.resolve()),
            players=game.players,
            seat=seat - 1,
            search_time_s=search_time,
            search_iterations=search_iterations,
            rules_files=tuple(str(path.resolve()) for path in game.rules.files),
            overrides=game.rules.overrides,
            seed=seed,
            transcript=None
            if transcript is None
            else str(transcript.resolve())
            if transcript != STDOUT
            else "-",
        )
    table = RaverunTable(_game(options, left), options)
    table.greet()
    over = play_at(table, hints=hints)
    if over and left is not None:
        left_games.forget()
    ctx.exit(0 if over else 1)


def _game(options: Options, left: LeftGame | None) -> PlayedGame:
    """Return a new game, or one that was left, as far as it was played."""
    files = tuple(Path(path) for path in options.rules_files)
    rules = GivenGame(GivenRules(files, tuple(options.overrides), load_rules), options.players).load()
    if left is not None and left.rules != rules.sha256:
        raise RequestError("the game was left under other rules than its files hold now", "--resume")
    from analysis.raverun.played_game import PlayedGame
    from solver.sampling.information_set_search import SearchSettings

    if options.search_iterations is not None:
        search = SearchSettings(iterations=options.search_iterations)
    else:
        search = SearchSettings(iterations=0, seconds=options.search_time_s)
    policy, values = (None if path is None else Path(path) for path in (options.policy, options.values))
    seed = options.seed
    if left is not None and seed is not None:
        seed += len(left.ways)  # chance goes on in its own way
    game = PlayedGame(rules, options.players, options.seat, options.opponent, policy, values, search, seed)
    if left is not None:
        try:
            game.replay(left.ways)
        except IndexError:
            raise RequestError("the game that was left is damaged", "--resume") from None
    return game


class RaverunTable(Table):
    """A game in play, and the person at it.

    Parameters
    ----------
    game, options
        The game, and what it was begun with.
    """

    moves_help = "  a move      its number, or words of it that no other has: 4b, bury ada, pass\n"
    explains = "what a card (4b), a character (4) or an action (bury) does"
    hints = "what your moves are worth: 1 is a win, -1 a defeat"
    leaves = "give up; raverun play --resume goes on all the same"

    def __init__(self, game: PlayedGame, options: Options) -> None:
        self.game, self.options = game, options
        self.names = Names(game.num_players, game.seat)
        self.header = Header(game.rules, game.num_players, game.seat, game.opponent)
        self.transcript = None if options.transcript is None else Path(options.transcript)
        self.kept = self.transcript is not None

    def greet(self) -> None:
        """Say who plays."""
        say_rules(self.game.rules)
        others = " and ".join(name for name in self.names.all if name != "you")
        say(f"You play against {others}, by the player {self.game.opponent}.")

    def advance(self) -> bool:
        """Make the others' moves, and those of the person's that there is no choice about."""
        game = self.game
        game.chance()
        while not game.over:
            if decider(game.state) != game.seat:
                self._make(game.others_choice())
            elif len(game.moves()) == 1:
                self._make(0)
            else:
                self._keep()
                return True
        self._keep(last=True)
        return False

    def _keep(self, *, last: bool = False) -> None:
        """Keep the game so far; devices and pipes take only its `last` state. No failure ends a game."""
        if self.transcript is None or not self.kept or (is_stream(self.transcript) and not last):
            return
        try:
            write_atomically(self.transcript, transcript_text(self.header, self.game.ways).encode())
        except OSError as error:
            self.kept = False
            click.echo(f"Error: cannot write {str(self.transcript)!r}: {error.strerror}.", err=True)

    def _make(self, index: int) -> None:
        game, state = self.game, self.game.state
        say(told(state, decider(state), game.moves()[index], self.names))
        game.make(index)
        game.chance()

    def _texts(self) -> list[str]:
        return [move_text(self.game.state, move, self.names) for move in self.game.moves()]

    def show(self) -> None:
        """Show the table and the moves."""
        lines = table_lines(self.game.state, self.names)
        for line in lines:
            own = line.startswith("you") or "your hand" in line
            say(styled(line, fg="cyan") if own else line)
        if not self.game.over:
            for index, text in enumerate(self._texts(), 1):
                say(f"  {styled(str(index), bold=True)}) {text}")

    def question(self) -> str:
        """Ask for a move."""
        return ">"

    def take(self, typed: str) -> bool:
        """Make the one move that was meant."""
        texts = self._texts()
        index = _found(typed.lower(), texts)
        if index is None:
            return False
        self._make(index)
        return True

    def take_any(self) -> None:
        """Make any of the moves."""
        self._make(Random(f"{self.game.num_made} any").randrange(len(self.game.moves())))

    def hint(self) -> None:
        """Tell what the moves are worth."""
        advice = self.game.advice()
        if advice is None:
            return
        say(f"  what your moves are worth, {advice.how}:")
        known = list(zip(advice.worths, self._texts(), strict=True))
        for worth, text in sorted(known, key=lambda pair: (math.isnan(pair[0]), -pair[0])):
            say(f"    {'  ?  ' if math.isnan(worth) else f'{worth:+.2f}'}  {text}")

    def undo(self) -> bool:
        """Take back the last decision of the person's."""
        return self.game.undo()

    def explain(self, name: str) -> str | None:
        """Tell what a card, a character or an action does."""
        return explained(self.game.rules, name)

    def words(self) -> Sequence[str]:
        """Return the words of the moves."""
        return [word for text in self._texts() for word in text.replace(",", "").split() if len(word) > 1]

    def leave(self) -> str:
        """Give up; the game is kept, in case."""
        self._keep(last=True)
        if not self.game.num_made:
            return "Given up."
        from analysis.raverun import left_games

        try:
            left_games.keep(self.options, self.game.rules, self.game.ways)
        except OSError as error:
            return f"Given up. The game cannot be kept: {error.strerror}."
        return "Given up. To go on all the same: raverun play --resume"

    def close(self) -> None:
        """Say who won, and what decisions cost."""
        self.show()
        score = payoffs(self.game.state)
        own = score[self.game.seat]
        self._tell_costs()
        say(styled("You win." if own > 0 else "You lose." if own < 0 else "A draw.", bold=True))
        say("Payoffs: " + " ".join(f"{value:+g}" for value in score))
        if self.transcript is not None and self.kept and not is_stream(self.transcript):
            say(f"Kept in {self.transcript}; look at it with: raverun review {self.transcript}")

    def _tell_costs(self) -> None:
        """Say which of the person's decisions cost most, if anything tells."""
        for line in cost_lines(self.game.decisions, self.names, MOST_COSTS):
            say(line)


def _found(typed: str, texts: Sequence[str]) -> int | None:
    """The number of the one move that was meant, None if there is no such one."""
    if typed.isdecimal() and 1 <= int(typed) <= len(texts):
        return int(typed) - 1
    split = [set(text.lower().replace(",", "").replace("'s", "").split()) for text in texts]
    words = set(typed.replace(",", "").replace("'s", "").split())
    exact = [index for index, text in enumerate(texts) if text.lower() == typed]
    fitting = exact or [index for index, each in enumerate(split) if words <= each]
    if len(fitting) == 1:
        return fitting[0]
    what = "is none of these moves" if not fitting else f"may be {len(fitting)} of these moves"
    say(f"{typed!r} {what}; type a number from 1 to {len(texts)}, or ? for help.")
    return None
