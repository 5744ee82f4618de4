"""Whole games of two to four players as a contest; battles are drawn from exact tables, whoever plays."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence

from analysis.clash import game as declared
from analysis.clash.games import Terms, task_of
from analysis.clash.maps import read_tiles
from analysis.clash.outcomes import OutcomeTables
from analysis.clash.players import habits_of
from analysis.clash.searching import Budget, player_named
from analysis.clash.whole_game import WholeGame
from analysis.errors import RequestError
from analysis.front.contest import Deals
from analysis.front.players import Player
from engine.clash.habits import DEFAULT_HABITS
from engine.clash.rules import Rules

__all__ = ["Games", "budget_of", "check_clans", "weights_of"]


def budget_of(player: Player) -> Budget:
    """Return what a player may spend on a decision."""
    seconds = getattr(player, "seconds", None)
    return Budget(getattr(player, "playouts", Budget().playouts), seconds)


def weights_of(player: Player) -> Mapping[str, float]:
    """Return the weights of a player that are not the usual ones."""
    found = {name: getattr(player, name, usual) for name, usual in DEFAULT_HABITS.items()}
    return {name: value for name, value in found.items() if value != DEFAULT_HABITS[name]}


def check_clans(clans: Sequence[str], size: int) -> None:
    """Raise RequestError for clans that do not fit the players."""
    if clans and len(clans) != size:
        raise RequestError(f"{size} players have {size} clans, not {len(clans)}", "--clan")
    if len(set(clans)) < len(clans):
        raise RequestError("each clan is played once", "--clan")


class Games:
    """Two to four players. Clans stay at their seats, and players change."""

    deals_at_once = 1
    depends_on = ""

    def __init__(self, rules: Rules, setup: declared.Setup, players: Sequence[Player]) -> None:
        check_clans(setup.clan, len(players))
        self._rules, self._setup, self._players = rules, setup, players
        self._names = [str(player.__struct_config__.tag) for player in players]
        self._tiles = read_tiles(rules, setup.tiles)
        self._tables = OutcomeTables(rules)
        weights = [weights_of(player) for player in players]
        self._weights = [habits_of(each) if each else None for each in weights]

    def play(self, first: int, count: int, seed: int, stop: Callable[[], bool] | None = None) -> Deals | None:
        """See `analysis.front.contest.Contest.play`."""
        found = Deals(won=[], lengths={}, tallies={})
        terms = Terms(self._rules, seed, tiles=self._tiles)
        known = [clan.id for clan in self._rules.clans]
        size = len(self._players)
        for deal in range(first, first + count):
            clans = self._setup.clan or random.Random(f"{seed}/{deal}/clans").sample(known, size)
            task = task_of(terms, self._names, deal, deal, clans=clans, long_game=self._setup.long)
            rotations = []
            for rotation in range(size):
                game = WholeGame(self._rules, task.scenario, self._tables, task.chance)
                seated = [
                    # What players draw depends on the deal and the seat alone.
                    player_named(
                        self._names[place],
                        budget_of(self._players[place]),
                        task.chance + 1 + seat,
                        self._weights[place],
                    )
                    for seat, place in enumerate((seat + rotation) % size for seat in range(size))
                ]
                while not game.over:
                    if stop is not None and stop():
                        return None
                    game.make(seated[game.decider].choose(game))
                won = [1.0 / size if game.winner < 0 else 0.0] * size
                if game.winner >= 0:
                    won[(game.winner + rotation) % size] = 1.0
                rotations.append(won)
                found.draws += game.winner < 0
                found.lengths[game.round] = found.lengths.get(game.round, 0) + 1
                tallied = found.tallies.setdefault("clan", {})
                for seat, clan in enumerate(task.scenario.clans):
                    plays, points = tallied.get(clan, (0, 0.0))
                    tallied[clan] = plays + 1, points + won[(seat + rotation) % size]
            found.won.append(rotations)
        return found
