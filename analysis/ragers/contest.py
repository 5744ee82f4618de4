"""Matches and single days of Ragers as a contest of named players."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

from analysis.errors import RequestError
from analysis.front.contest import Deals, Heard, depends_on, wins
from analysis.front.players import Player
from analysis.ragers import setup as declared
from analysis.ragers.last_day.opponents import opponent_of
from analysis.ragers.play.transcript import Game, Header
from analysis.ragers.scenarios import scenarios
from analysis.symmetry import plays_itself
from engine.ragers.reference import NOTHING, deciders, is_over, payoffs, scores
from engine.ragers.reference_row import Outcome
from engine.ragers.rules import Rules

if TYPE_CHECKING:
    from analysis.learned_values import TrainedNetwork

__all__ = ["Matches", "day_of"]

QUICK, ASKED = 256, 1
"""Deals at once."""
_DAYS = {
    Outcome.WIN_0: "won by the Accusers",
    Outcome.WIN_1: "won by the Defenders",
    Outcome.DRAW: "drawn",
    Outcome.TWO_LOSERS: "lost by both",
}
_DECIDED = ("a winning lead", "GP", "cheers cards", "cards left to draw", "the Defenders' rule")


def day_of(rules: Rules, setup: declared.Setup, seed: int) -> tuple[str, str] | None:
    """Return patron and cheers card of a single day, one of them by chance if need be; None for a match.

    Raises
    ------
    RequestError
        If something is asked of a match that only a single day has.
    """
    if setup.patron is None and setup.cheers is None:
        if setup.no_discard:
            raise RequestError("is for a single day; name a --patron or a --cheers card", "--no-discard")
        return None
    patrons, cheers = ([each] if each else [] for each in (setup.patron, setup.cheers))
    chosen = Random(seed).choice(scenarios(rules, patrons, cheers, "none"))
    return chosen.patron.id, chosen.cheers.id


class Matches:
    """Two players; see `analysis.front.contest.Contest`."""

    def __init__(self, rules: Rules, setup: declared.Setup, players: Sequence[Player]) -> None:
        day_of(rules, setup, 0)  # what is wrong with it is said at once
        self._rules, self._setup = rules, setup
        self._in_kernels = all(declared.has_kernel(setup, player) for player in players)
        self.depends_on, self.deals_at_once = "", ASKED
        self._alike = plays_itself(players)
        if self._in_kernels:
            self._begin_in_kernels(players)
        else:
            self._opponents = [opponent_of(player) for player in players]

    def _begin_in_kernels(self, players: Sequence[Player]) -> None:
        from analysis.ragers.match.networks import network_of
        from analysis.ragers.match.players import kernel_game, player_of, policy_of
        from solver.sampling.policy import CompiledPolicy

        self._game = kernel_game(self._rules)
        known: dict[Any, TrainedNetwork | None] = {}
        for player in players:
            if player not in known:
                known[player] = network_of(player, self._rules)
        inputs = [b"" if each is None else each.network.inputs.tobytes() for each in known.values()]
        self.depends_on = depends_on(inputs)
        self._policies = [
            policy_of(player_of(player, self._game, known[player]), self._game) for player in players
        ]
        if all(isinstance(each, CompiledPolicy) for each in self._policies):
            self.deals_at_once = QUICK

    def play(self, first: int, count: int, seed: int, stop: Callable[[], bool] | None = None) -> Deals | None:
        """See `analysis.front.contest.Contest.play`."""
        if self._in_kernels:
            return self._kernels_play(first, count, seed, stop)
        found = Deals()
        for deal in range(first, first + count):
            begun = Random(f"{seed}/{deal}").randrange(2**62)
            day = day_of(self._rules, self._setup, begun)
            header = Header(self._rules, day, not self._setup.no_discard, 0, "", begun)
            rotations = []
            for rotation in range(2):
                if stop is not None and stop():
                    return None
                if rotation == 0 or not self._alike:
                    end = self._played(Game.begin(header), rotation)
                points = wins(payoffs(end) if day is None else scores(end))
                found.draws += points[0] == points[1]
                if day is None:
                    found.took(end.day)
                else:
                    found.tally("day", _DAYS[end.results[0].outcome], points[rotation])
                rotations.append([points[(player - rotation) % 2] for player in (0, 1)])
            found.won.append(rotations)
        return found

    def _played(self, game: Game, rotation: int) -> Any:
        """Play to the end, and return its state."""
        while True:
            game.chance()
            if is_over(game.state):
                break
            move = [NOTHING, NOTHING]
            for seat in deciders(game.state):
                who = self._opponents[(seat + rotation) % 2]
                move[seat] = who.choose(game.view(seat), game.dice(f"seat {seat}"))
            game.go((move[0], move[1]))
        return game.state

    def _kernels_play(
        self, first: int, count: int, seed: int, stop: Callable[[], bool] | None
    ) -> Deals | None:
        from analysis.ragers.match.figures import ends
        from solver.sampling.head_to_head import play_matches

        heard = Heard(stop, count)
        played = play_matches(
            self._game,
            *self._policies,
            num_deals=count,
            first_deal=first,
            seed=seed,
            progress=heard,
            keep_ends=True,
            alike=self._alike,
        )
        if heard.stopped:
            return None
        won = (played.payoffs + 1.0) / 2.0
        found = Deals(won=[[[x, 1.0 - x] for x in deal] for deal in won.tolist()])
        assert played.ends is not None
        ended = ends(played.ends.reshape(-1, played.ends.shape[2]), self._rules)
        for days in ended.days.tolist():
            found.took(days)
        for reason, points in zip(ended.reason.tolist(), won.reshape(-1).tolist(), strict=True):
            found.tally("decided by", _DECIDED[reason], points)
        return found
