"""Whole games as contests, of two to four players or alone; battles are drawn from exact tables."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence

from analysis.clash import setup as declared
from analysis.clash.maps import check_tiles, read_tiles, tiles_of_deal
from analysis.clash.outcomes import OutcomeTables
from analysis.clash.players import Player as Choosing
from analysis.clash.players import habits_of
from analysis.clash.searching import Budget, SearchPlayer, player_named
from analysis.clash.whole_game import WholeGame
from analysis.errors import RequestError
from analysis.front.contest import Deals
from analysis.front.players import Player
from analysis.symmetry import plays_itself
from engine.clash.board import Scenario, scenario
from engine.clash.habits import DEFAULT_HABITS
from engine.clash.rules import Rules

__all__ = ["Games", "Solo", "advisor", "check_clans", "contest", "scenario_of_deal", "seated"]

Stop = Callable[[], bool]


def weights_of(player: Player) -> Mapping[str, float]:
    """Return the weights of a player that are not the usual ones."""
    found = {name: getattr(player, name, usual) for name, usual in DEFAULT_HABITS.items()}
    return {name: value for name, value in found.items() if value != DEFAULT_HABITS[name]}


def seated(player: Player, seed: int) -> Choosing:
    """Return who chooses for a player, and draws by this seed."""
    weights = weights_of(player)
    habits = habits_of(weights) if weights else None
    return player_named(str(player.__struct_config__.tag), budget_of(player), seed, habits)


def budget_of(player: Player) -> Budget:
    """Return what a player may spend on a decision."""
    usual = declared.SEARCH
    return Budget(getattr(player, "playouts", usual.playouts), getattr(player, "seconds", None))


def advisor(player: Player, seed: int) -> SearchPlayer:
    """Return a search with a player's weights, and what it may spend."""
    weights = weights_of(player)
    return SearchPlayer(budget_of(player), habits_of(weights) if weights else None, seed)


def check_clans(clans: Sequence[str], size: int) -> None:
    """Raise RequestError for clans that do not fit the players."""
    if clans and len(clans) != size:
        raise RequestError(f"{size} players have {size} clans, not {len(clans)}", "--clan")
    if len(set(clans)) < len(clans):
        raise RequestError("each clan is played once", "--clan")


def scenario_of_deal(
    rules: Rules,
    setup: declared.Setup,
    clans: Sequence[str],
    seed: int,
    deal: int,
    difficulty: str | None = None,
) -> Scenario:
    """Return where a deal is played, on the tiles that are named or that chance says."""
    tiles = tiles_of_deal(rules, read_tiles(rules, setup.tiles), len(clans), seed, deal)
    return scenario(rules, clans, tiles=tiles, difficulty=difficulty, long_game=setup.long)


def chance_of(seed: int, deal: int) -> int:
    """Return the seed of a deal's chance."""
    return random.Random(f"{seed}/{deal}").getrandbits(62)


def played(
    game: WholeGame,
    players: Sequence[Choosing],
    stop: Stop | None,
    scores: dict[int, list[int]] | None = None,
) -> bool:
    """Play a game to its end; False if it was stopped before.

    Modified in place: `scores`, those of the seats at the end of each round but the last.
    """
    while not game.over:
        if scores is not None and game.round > 1 and game.round - 1 not in scores:
            scores[game.round - 1] = game.points
        if stop is not None and stop():
            return False
        game.make(players[game.decider].choose(game))
    return True


class Games:
    """Two to four players. Clans stay at their seats, and players change."""

    deals_at_once = 1
    depends_on = ""

    def __init__(self, rules: Rules, setup: declared.Setup, players: Sequence[Player]) -> None:
        check_clans(setup.clan, len(players))
        check_tiles(read_tiles(rules, setup.tiles), len(players))
        self._rules, self._setup, self._players = rules, setup, players
        self._tables = OutcomeTables(rules)
        self._alike = plays_itself(players)

    def play(self, first: int, count: int, seed: int, stop: Stop | None = None) -> Deals | None:
        """See `analysis.front.contest.Contest.play`."""
        found = Deals(tallies={"clan": {}, "tiles": {}})
        known = [clan.id for clan in self._rules.clans]
        size = len(self._players)
        for deal in range(first, first + count):
            clans = self._setup.clan or random.Random(f"{seed}/{deal}/clans").sample(known, size)
            where = scenario_of_deal(self._rules, self._setup, clans, seed, deal)
            chance = chance_of(seed, deal)
            rotations = []
            scores: dict[int, list[int]] = {}
            for rotation in range(size):
                if rotation == 0 or not self._alike:
                    game, scores = WholeGame(self._rules, where, self._tables, chance), {}
                    # What players draw depends on the deal and the seat alone.
                    players = [
                        seated(self._players[(seat + rotation) % size], chance + 1 + seat)
                        for seat in range(size)
                    ]
                    if not played(game, players, stop, scores):
                        return None
                won = [1.0 / size if game.winner < 0 else 0.0] * size
                if game.winner >= 0:
                    won[(game.winner + rotation) % size] = 1.0
                rotations.append(won)
                found.tally("tiles", ",".join(where.tiles), won[rotation % size])
                found.draws += game.winner < 0
                found.count(game.round, "points" if game.winner >= 0 else "last round", won[0])
                found.led(
                    {
                        number: [score[(each - rotation) % size] for each in range(size)]
                        for number, score in scores.items()
                    },
                    won,
                )
                for seat, clan in enumerate(where.clans):
                    found.tally("clan", clan, won[(seat + rotation) % size])
            found.won.append(rotations)
        return found


class Solo:
    """One player against the elves: in each deal once at each difficulty, clans in turn."""

    deals_at_once = 1
    depends_on = ""

    def __init__(self, rules: Rules, setup: declared.SoloSetup, players: Sequence[Player]) -> None:
        check_tiles(read_tiles(rules, setup.tiles), 1)
        self._rules, self._setup, self._player = rules, setup, players[0]
        self._tables = OutcomeTables(rules)

    def play(self, first: int, count: int, seed: int, stop: Stop | None = None) -> Deals | None:
        """See `analysis.front.contest.Contest.play`; the plays of a deal are by difficulty."""
        found = Deals(tallies={"rounds": {}})
        for deal in range(first, first + count):
            deals = []
            for difficulty in self._setup.difficulties:
                game = self.begun(seed, deal, difficulty)
                if not played(game, [seated(self._player, chance_of(seed, deal) + 1)], stop):
                    return None
                deals.append([float(game.winner >= 0)])
                found.tally("rounds", difficulty, game.round)
            found.won.append(deals)
        return found

    def begun(self, seed: int, deal: int, difficulty: str) -> WholeGame:
        """Return a deal's game before the first decision."""
        clan = self._setup.clan[deal % len(self._setup.clan)]
        where = scenario_of_deal(self._rules, self._setup, [clan], seed, deal, difficulty)
        return WholeGame(self._rules, where, self._tables, chance_of(seed, deal))


def contest(rules: Rules, setup: declared.Setup, players: Sequence[Player]) -> Games | Solo:
    """Return the contest of a set-up."""
    if isinstance(setup, declared.SoloSetup):
        return Solo(rules, setup, players)
    return Games(rules, setup, players)
