"""Matches of the whole game as a contest of named players."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from analysis.errors import RequestError
from analysis.front.contest import Deals, Heard, depends_on
from analysis.front.players import Player
from analysis.learned_values import TrainedNetwork
from analysis.ophidian import setup as declared
from analysis.ophidian.learned import from_file
from analysis.ophidian.players import Budget, game_of, player_named
from analysis.symmetry import plays_itself
from engine.ophidian import recording
from engine.ophidian.reference import seat_of
from engine.ophidian.rules import Rules
from solver.sampling.head_to_head import play_matches

__all__ = ["Matches", "budget_of", "trained_of"]

QUICK, SEARCHED = 32, 1
"""Deals at once; what is sampled depends on the number of a task's first deal, so these stay as they were."""
_APART = 1_000_003
"""Tasks draw from seeds so far apart."""


def budget_of(player: Player) -> Budget:
    """Return what a player may spend on a decision."""
    return Budget(player.iterations, player.seconds) if isinstance(player, declared.Search) else Budget()


def trained_of(player: Player, rules: Rules) -> TrainedNetwork | None:
    """Return the learned values that a player needs, if it needs any.

    Raises
    ------
    RequestError
        If they were learned by other rules, or cannot be read.
    """
    if not isinstance(player, declared.Values):
        return None
    try:
        return from_file(player.file, rules)
    except RequestError as error:
        raise RequestError(str(error), "--player") from None


class Matches:
    """Two players; decks stay at their seats."""

    def __init__(self, rules: Rules, setup: declared.Decks, players: Sequence[Player]) -> None:
        seats = [seat_of(rules, rules.deck(deck).id) for deck in (setup.deck, setup.against)]
        self._game = game_of(rules, seats)
        trained = [trained_of(player, rules) for player in players]
        inputs = [b"" if each is None else each.network.inputs.tobytes() for each in trained]
        self.depends_on = depends_on(inputs)
        self._players = [
            player_named(str(player.__struct_config__.tag), rules, self._game, budget_of(player), values)
            for player, values in zip(players, trained, strict=True)
        ]
        searches = any(isinstance(player, declared.Search) for player in players)
        self.deals_at_once = SEARCHED if searches else QUICK
        self._alike = plays_itself(players)

    def play(self, first: int, count: int, seed: int, stop: Callable[[], bool] | None = None) -> Deals | None:
        """See `analysis.front.contest.Contest.play`."""
        heard = Heard(stop, count)
        played = play_matches(
            self._game,
            *self._players,
            num_deals=count,
            seed=(seed * _APART + first) % 2**63,
            progress=heard,
            num_noted=recording.NUM_NOTED,
            alike=self._alike,
        )
        if heard.stopped:
            return None
        assert played.noted is not None
        won = [
            [[(1.0 + paid) / 2.0, (1.0 - paid) / 2.0] for paid in deal] for deal in played.payoffs.tolist()
        ]
        found = Deals(won=won, draws=played.draws)
        for paid, noted in zip(won, played.noted.tolist(), strict=True):
            for rotation, (points, words) in enumerate(zip(paid, noted, strict=True)):
                last = words[recording.WAVE]
                found.count(last, recording.ENDINGS[words[recording.ENDING] - 1], points[0])
                # The lead of the first seat, where in the second rotation the second player sits.
                leads = [words[recording.LEADS + wave] for wave in range(1, last)]
                scores = enumerate(((0, lead) if rotation else (lead, 0) for lead in leads), 1)
                found.led(dict(scores), points)
        return found
