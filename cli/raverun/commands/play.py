"""``raverun play``: a game in the terminal against kept strategies, search, or a greedy or random player."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import click

from analysis.errors import RequestError
from cli.entry import command
from cli.parameters import duration
from cli.play import Table, check_alone, say, styled, wrapped
from cli.play import play as play_at
from cli.raverun.commands.options import rules_options
from cli.raverun.views.effects import explained
from cli.raverun.views.moves import Names, move_text, table_lines, told
from engine.raverun.reference import decider, legal_moves, payoffs
from engine.raverun.rules import RulesError, load_rules

if TYPE_CHECKING:
    from analysis.raverun.left_games import LeftGame, Options
    from analysis.raverun.played_game import PlayedGame

OPPONENTS = ("guided", "values", "search", "trained", "greedy", "random")
LEAST_COST = 0.005
"""Decisions that cost less are not spoken of, in units of payoff."""
MOST_COSTS = 5


@command("play", context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option(
    "--opponent",
    type=click.Choice(OPPONENTS),
    help="[default: guided with --values, trained with --policy, otherwise search]",
)
@click.option(
    "--policy",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Strategies kept by raverun-solve --save-policy; makes the opponent the trained one.",
)
@click.option(
    "--values",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Values learned by raverun train: for hints, and the opponents guided (the strongest) and values.",
)
@click.option("--players", type=click.Choice(["2", "3"]), default="2", show_default=True)
@click.option("--seat", type=click.IntRange(min=0, max=2), default=0, show_default=True, help="Yours.")
@click.option("--search-time", type=duration, default="1s", show_default=True, metavar="TIME")
@click.option(
    "--search-iterations", type=click.IntRange(min=1), help="Instead of a time: the same every run."
)
@rules_options
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
    players: str,
    seat: int,
    search_time: float,
    search_iterations: int | None,
    rules_files: tuple[Path, ...],
    overrides: tuple[str, ...],
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
      raverun play --players 3 --search-iterations 2000 --seed 7 < moves.txt
    """
    from analysis.raverun import left_games

    left = None
    if resume:
        check_alone(ctx)
        left = left_games.kept()
        options = left.options
    else:
        options = left_games.Options(
            opponent=opponent,
            policy=None if policy is None else str(policy.resolve()),
            values=None if values is None else str(values.resolve()),
            players=int(players),
            seat=seat,
            search_time_s=search_time,
            search_iterations=search_iterations,
            rules_files=tuple(str(path.resolve()) for path in rules_files),
            overrides=overrides,
            seed=seed,
        )
    table = RaverunTable(_game(options, left), options)
    table.greet()
    over = play_at(table, hints=hints)
    if over and left is not None:
        left_games.forget()
    ctx.exit(0 if over else 1)


def _game(options: Options, left: LeftGame | None) -> PlayedGame:
    """Return a new game, or one that was left, as far as it was played."""
    try:
        rules = load_rules([Path(path) for path in options.rules_files], options.overrides)
        rules.hand_size(options.players)
    except (RulesError, ValueError) as error:
        raise click.UsageError(str(error)) from None
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

    def greet(self) -> None:
        """Say who plays."""
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
                return True
        return False

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
            for index, text in enumerate(self._texts()):
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

    def _tell_costs(self) -> None:
        """Say which of the person's decisions cost most, if anything tells."""
        decisions = self.game.decisions
        if not decisions:
            return
        dear = sorted(decisions, key=lambda decision: -decision.cost)[:MOST_COSTS]
        dear = [decision for decision in dear if decision.cost >= LEAST_COST]
        say("What your decisions cost, in payoff:" if dear else "Your decisions cost nothing.")
        for decision in dear:
            moves = list(legal_moves(decision.state))
            did, best = (
                move_text(decision.state, moves[index], self.names)
                for index in (decision.index, decision.best)
            )
            say(wrapped(f"{decision.cost:.2f}  {did}; better: {best} ({decision.how})", 2, 6))


def _found(typed: str, texts: Sequence[str]) -> int | None:
    """The number of the one move that was meant, None if there is no such one."""
    if typed.isdigit() and int(typed) < len(texts):
        return int(typed)
    split = [set(text.lower().replace(",", "").replace("'s", "").split()) for text in texts]
    words = set(typed.replace(",", "").replace("'s", "").split())
    exact = [index for index, text in enumerate(texts) if text.lower() == typed]
    fitting = exact or [index for index, each in enumerate(split) if words <= each]
    if len(fitting) == 1:
        return fitting[0]
    what = "is none of these moves" if not fitting else f"may be {len(fitting)} of these moves"
    say(f"{typed!r} {what}; type a number from 0 to {len(texts) - 1}, or ? for help.")
    return None
