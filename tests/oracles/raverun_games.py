"""Reduced games of Raverun with known values: what every solver of them must reproduce.

All hands being equally likely, neither seat is better and a game is worth nothing. So that values say
something, some games deal some of the hands only: those in which player 0's cards add up to a multiple of 3.

`python -m tests.oracles.raverun_games` solves them all again and prints their sizes and values.
"""

from __future__ import annotations

import time
from functools import cache
from typing import NamedTuple

from engine.raverun.rules import Rules, load_rules
from solver.extensive import ExtensiveGame, build_game
from solver.sequence_form import solve_sequence_form
from tests.oracles.raverun_reference_tree import ExactGame, all_deals


class ReducedGame(NamedTuple):
    """A configuration, and what it pays player 0.

    Attributes
    ----------
    overrides : for `load_rules`.
    uneven : not all hands are dealt.
    value : by the linear program on the sequence form, good to about 1e-9.
    """

    name: str
    overrides: tuple[str, ...]
    uneven: bool
    value: float
    num_nodes: int

    def rules(self) -> Rules:
        return load_rules(overrides=self.overrides)

    def source(self, *, whole: bool = False) -> ExactGame:
        rules = self.rules()
        deals = all_deals(range(rules.num_cards), rules.hand_size(2))
        kept = [hands for hands in deals if sum(hands[0]) % 3 == 0 or not self.uneven]
        return ExactGame(rules, kept, whole=whole)


@cache
def tree(game: ReducedGame) -> ExtensiveGame:
    """The game as a tree, built once."""
    return build_game(game.source())


def _game(
    name: str,
    value: float,
    num_nodes: int,
    *actions: str,
    hand: int = 2,
    letters: int = 3,
    uneven: bool = True,
) -> ReducedGame:
    """Characters by what they do, the last ones red if they are of the last phase."""
    overrides = [f"match.characters={len(actions)}", f"match.letters={letters}", f"match.hand_size={hand}"]
    for number, action in enumerate(actions, 1):
        red = action.startswith("red-")
        overrides.append(f"characters.{number}.action={action.removeprefix('red-')}")
        overrides.append(f"characters.{number}.colour={'red' if red else 'green'}")
    return ReducedGame(name, tuple(overrides), uneven, value, num_nodes)


SMALL = (
    _game("even", 0.0, 1351, "swap", "exchange", uneven=False),
    _game("swap-exchange", 2 / 15, 451, "swap", "exchange"),
    _game("swap-bury", 2 / 15, 1027, "swap", "red-bury"),
    _game("draw-capture", 2 / 15, 3067, "draw", "red-capture"),
    _game("exchange-shuffle", 2 / 15, 1219, "exchange", "red-shuffle"),
    _game("deploy-recall", 1 / 30, 1387, "deploy", "red-recall"),
    _game("shuffle-bury", 1 / 10, 5783, "shuffle", "red-bury"),
    _game("three-characters", 2 / 15, 2907, "swap", "draw", "red-bury", letters=2),
)
LARGE = (
    _game("swap-exchange-3", 0.0, 11729, "swap", "exchange", hand=3),
    _game("deploy-recall-3", 0.0, 30681, "deploy", "red-recall", hand=3),
    _game("four-characters", 1 / 45, 3466, "swap", "exchange", "red-capture", "red-bury", letters=2),
)


if __name__ == "__main__":
    for _game_ in (*SMALL, *LARGE):
        begin = time.perf_counter()
        built = tree(_game_)
        solution = solve_sequence_form(built)
        seconds = time.perf_counter() - begin
        print(f"{_game_.name:20} {built.num_nodes:8} {solution.value:+.12f} {seconds:.1f} s")
