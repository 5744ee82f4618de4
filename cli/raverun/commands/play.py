"""``raverun play``: a game in the terminal against kept strategies, search, or a greedy or random player."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.entry import command
from cli.parameters import duration
from cli.raverun.views.moves import Names, move_text, table_lines, told
from engine.raverun.reference import Move, decider, legal_moves, payoffs
from engine.raverun.rules import RulesError, load_rules

if TYPE_CHECKING:
    from analysis.raverun.played_game import PlayedGame

OPPONENTS = ("guided", "values", "search", "trained", "greedy", "random")
_HELP = """\
  a move: its number, or words of it that no other move has: 4b, bury ben, pass
  hint    what your moves are worth: expected payoffs, 1 for a win, -1 for a defeat
  table   show the table again
  q       give up
"""
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
@click.option(
    "--rules", "rules_files", multiple=True, type=click.Path(path_type=Path, exists=True, dir_okay=False)
)
@click.option("--set", "overrides", multiple=True, metavar="KEY=VALUE")
@click.option("--hints", is_flag=True, help="A hint before every decision.")
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
    seed: int | None,
) -> None:
    """Play a game of Raverun. Moves are typed as shown, or by their number; ? helps, q gives up.

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
    try:
        rules = load_rules(rules_files, overrides)
        rules.hand_size(int(players))
    except (RulesError, ValueError) as error:
        raise click.UsageError(str(error)) from None
    from analysis.raverun.played_game import PlayedGame
    from solver.sampling.information_set_search import SearchSettings

    if search_iterations is not None:
        search = SearchSettings(iterations=search_iterations)
    else:
        search = SearchSettings(iterations=0, seconds=search_time)
    game = PlayedGame(rules, int(players), seat, opponent, policy, values, search, seed)
    ctx.exit(0 if _Terminal(game, hints).play() else 1)


class _Terminal:
    """The person at the terminal: asked, told, and advised."""

    def __init__(self, game: PlayedGame, hints: bool) -> None:
        self.game, self.hints = game, hints
        self.names = Names(game.num_players, game.seat)

    def play(self) -> bool:
        """Play to the end; False if the player gave up or the input ended."""
        game = self.game
        others = " and ".join(name for name in self.names.all if name != "you")
        click.echo(f"You play against {others}, by the player {game.opponent}; ? helps.")
        game.chance()
        while not game.over:
            player, moves = decider(game.state), game.moves()
            index: int | None
            if player == game.seat:
                self._show()
                index = 0 if len(moves) == 1 else self._asked(moves)
            else:
                index = game.others_choice()
            if index is None:
                click.echo("Given up.")
                return False
            click.echo(told(game.state, player, moves[index], self.names))
            game.make(index)
            game.chance()
        self._show()
        score = payoffs(game.state)
        own = score[game.seat]
        self._tell_costs()
        click.echo("You win." if own > 0 else "You lose." if own < 0 else "A draw.")
        click.echo("Payoffs: " + " ".join(f"{value:+g}" for value in score))
        return True

    def _asked(self, moves: Sequence[Move]) -> int | None:
        """The number of the move that was typed; None for q or the end of the input."""
        texts = [move_text(self.game.state, move, self.names) for move in moves]
        for index, text in enumerate(texts):
            click.echo(f"  {index}) {text}")
        if self.hints:
            self._hint(texts)
        while True:
            click.echo("> ", nl=False)
            line = sys.stdin.readline()
            typed = " ".join(line.split()).lower()
            if not line or typed in ("q", "quit"):
                return None
            if typed in ("?", "help"):
                click.echo(_HELP.rstrip())
            elif typed == "hint":
                self._hint(texts)
            elif typed == "table":
                self._show()
            elif typed:
                found = self._found(typed, texts)
                if found is not None:
                    return found

    def _found(self, typed: str, texts: Sequence[str]) -> int | None:
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
        click.echo(f"{typed!r} {what}; type a number from 0 to {len(texts) - 1}, or ? for help.")
        return None

    def _hint(self, texts: Sequence[str]) -> None:
        advice = self.game.advice()
        if advice is None:
            return
        click.echo(f"  what your moves are worth, {advice.how}:")
        known = [(worth, text) for worth, text in zip(advice.worths, texts, strict=True)]
        for worth, text in sorted(known, key=lambda pair: (math.isnan(pair[0]), -pair[0])):
            click.echo(f"    {'  ?  ' if math.isnan(worth) else f'{worth:+.2f}'}  {text}")

    def _tell_costs(self) -> None:
        """Say which of the player's decisions cost most, if anything tells."""
        decisions = self.game.decisions
        if not decisions:
            return
        dear = sorted(decisions, key=lambda decision: -decision.cost)[:MOST_COSTS]
        dear = [decision for decision in dear if decision.cost >= LEAST_COST]
        click.echo("What your decisions cost, in payoff:" if dear else "Your decisions cost nothing.")
        for decision in dear:
            moves = list(legal_moves(decision.state))
            did, best = (
                move_text(decision.state, moves[index], self.names)
                for index in (decision.index, decision.best)
            )
            click.echo(f"  {decision.cost:.2f}  {did}; better: {best} ({decision.how})")

    def _show(self) -> None:
        for line in table_lines(self.game.state, self.names):
            click.echo(line)
