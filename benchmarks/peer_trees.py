"""The small games of the comparisons, ours and the peers', and the peers' CFR+ behind one interface."""

from __future__ import annotations

import contextlib
import io
import os
import tempfile
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from solver.extensive import CHANCE, GameSource
from tests.games.goofspiel import Goofspiel
from tests.games.kuhn import Kuhn
from tests.games.leduc import Leduc
from tests.games.liars_dice import LiarsDice

_GOOFSPIEL = (
    "turn_based_simultaneous_game(game=goofspiel(imp_info=True,num_cards={},points_order=descending,"
    "returns_type=point_difference))"
)


@dataclass(frozen=True)
class PeerGame:
    """A game from our rules and OpenSpiel's name of the same game."""

    name: str
    source: GameSource[Any]
    open_spiel: str


GAMES = (
    PeerGame("Kuhn", Kuhn(), "kuhn_poker"),
    PeerGame("Leduc", Leduc(), "leduc_poker"),
    PeerGame("Goofspiel-4", Goofspiel(4, shuffled=False), _GOOFSPIEL.format(4)),
    PeerGame("Goofspiel-5", Goofspiel(5, shuffled=False), _GOOFSPIEL.format(5)),
    PeerGame("Liar's dice", LiarsDice(), "liars_dice"),
)


class OpenSpielSource:
    """A game of OpenSpiel as a `GameSource`: the very tree its own solvers walk."""

    def __init__(self, game: Any) -> None:
        self.game = game

    def root(self) -> Any:
        return self.game.new_initial_state()

    def is_terminal(self, state: Any) -> bool:
        return bool(state.is_terminal())

    def payoff(self, state: Any) -> float:
        return float(state.returns()[0])

    def player(self, state: Any) -> int:
        return CHANCE if state.is_chance_node() else int(state.current_player())

    def infoset(self, state: Any) -> Hashable:
        return str(state.information_state_string())

    def actions(self, state: Any) -> Sequence[int]:
        return list(state.legal_actions())

    def chance_outcomes(self, state: Any) -> Sequence[tuple[Hashable, float]]:
        return list(state.chance_outcomes())

    def child(self, state: Any, action: Hashable) -> Any:
        return state.child(action)


class OpenSpielSolver:
    """CFR+ of OpenSpiel, in C++."""

    name = "OpenSpiel C++"

    def __init__(self, game: Any) -> None:
        import pyspiel

        self.game = game
        self.solver = pyspiel.CFRPlusSolver(game)

    def iterate(self, iterations: int) -> None:
        for _ in range(iterations):
            self.solver.evaluate_and_update_policy()

    def exploitability(self) -> float:
        """Return NashConv / 2 of the average strategies."""
        import pyspiel

        return float(pyspiel.nash_conv(self.game, self.solver.average_policy(), False)) / 2


class LiteEfgSolver:
    """CFR+ of LiteEFG, in C++ too; its description of the game goes to a temporary folder."""

    name = "LiteEFG"

    def __init__(self, game: Any) -> None:
        import LiteEFG
        from LiteEFG.baselines.CFRplus import graph

        home = os.environ.get("HOME")
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
            os.environ["HOME"] = folder
            try:
                self.graph = graph()
                self.env = LiteEFG.OpenSpielEnv(game, traverse_type="Enumerate")
            finally:
                if home is None:
                    del os.environ["HOME"]
                else:
                    os.environ["HOME"] = home
        self.env.set_graph(self.graph)

    def iterate(self, iterations: int) -> None:
        for _ in range(iterations):
            self.graph.update_graph(self.env)
            self.env.update_strategy(self.graph.current_strategy(), update_best=False)

    def exploitability(self) -> float:
        """Return NashConv / 2 of the average strategies, weighted as CFR+ does."""
        return float(sum(self.env.exploitability(self.graph.current_strategy(), "linear-avg-iterate"))) / 2


def peer_solvers() -> list[Callable[[Any], Any]]:
    """Return the peers that are installed."""
    found: list[Callable[[Any], Any]] = [OpenSpielSolver]
    try:
        import LiteEFG  # noqa: F401
    except ImportError:
        return found
    return [*found, LiteEfgSolver]
