"""Matches of the full game as a contest of named players."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from analysis.errors import RequestError
from analysis.front.contest import Deals, Heard, depends_on
from analysis.front.parameters import text_of
from analysis.front.players import Player
from analysis.raverun import game as declared
from analysis.raverun.bundles import Seats
from analysis.raverun.hands import check_players
from analysis.raverun.policies import full_game, opponent, values_at
from analysis.raverun.training import shipped_values
from analysis.symmetry import plays_itself
from engine.raverun import recording
from engine.raverun.rules import Rules
from solver.sampling.game import IntArray, SamplingGame
from solver.sampling.head_to_head import AskedPolicy, ChoosingPolicy, play_matches
from solver.sampling.information_set_search import SearchSettings
from solver.sampling.policy import CompiledPolicy

if TYPE_CHECKING:
    from solver.sampling.value_network import ValueNetwork

__all__ = ["Matches", "network_of", "policy_of"]

QUICK, SEARCHED = 64, 1
"""Deals at once."""


def network_of(player: Player, rules: Rules, number: int, option: str) -> ValueNetwork | None:
    """Return the learned values that a player needs, if it needs any.

    Parameters
    ----------
    number : of players.
    option : where the player was named.

    Raises
    ------
    RequestError
        If there are none for these rules, or they cannot be read.
    """
    if not isinstance(player, declared.Guided | declared.Values):
        return None
    file: Path | None = player.file or shipped_values(rules, number)
    if file is None:
        name = player.__struct_config__.tag
        said = f"there are no learned values for these rules; name a file of raverun train: {name}:file=FILE"
        raise RequestError(said, option)
    return values_at(file, rules, number, option).network


def policy_of(
    player: Player, rules: Rules, number: int, network: ValueNetwork | None
) -> CompiledPolicy | ChoosingPolicy:
    """Return who plays; with a search whoever remembers nothing yet."""
    search = SearchSettings(iterations=1)
    if isinstance(player, declared.Search | declared.Guided):
        search = SearchSettings(iterations=player.iterations)
        if player.seconds is not None:
            search = SearchSettings(iterations=0, seconds=player.seconds)
    return opponent(str(player.__struct_config__.tag), rules, number, search, network)


class _Several:
    """Different players in several seats, asked as one."""

    def __init__(self, game: SamplingGame, seated: Mapping[int, Any]) -> None:
        self.name: str = " and ".join(each.name for each in seated.values())
        self._game, self._seated = game, seated
        self._watching = [each for each in seated.values() if getattr(each, "watches", False)]
        self._work = np.zeros(game.work_words, np.int64)
        self.watches = bool(self._watching)

    def begin(self) -> None:
        for each in self._watching:
            each.begin()

    def see(self, state: IntArray, decider: int, move: int) -> None:
        for each in self._watching:
            each.see(state, decider, move)

    def choose(self, state: IntArray, seed: int) -> int:
        decider = int(self._game.observe(self._game.tables, state, self._work))
        move: int = self._seated[decider].choose(state, seed)
        return move


class Matches:
    """Two or three players; see `analysis.front.contest.Contest`."""

    def __init__(self, rules: Rules, setup: Seats, players: Sequence[Player]) -> None:
        self._number = len(players)
        check_players(rules, self._number)
        networks = [network_of(player, rules, self._number, "--player") for player in players]
        inputs = [b"" if each is None else each.inputs.tobytes() for each in networks]
        self.depends_on = depends_on(inputs)
        self._game = full_game(rules, self._number)
        # Equal players are one object: a search remembers what all of them have seen of the play.
        known: dict[str, CompiledPolicy | ChoosingPolicy] = {}
        for player, network in zip(players[1:], networks[1:], strict=True):
            known.setdefault(text_of(player), policy_of(player, rules, self._number, network))
        self._own = policy_of(players[0], rules, self._number, networks[0])
        self._others = [known[text_of(player)] for player in players[1:]]
        searching = any(not isinstance(each, CompiledPolicy) for each in (self._own, *self._others))
        self.deals_at_once = SEARCHED if searching else QUICK
        self._alike = plays_itself(players)

    def _against(self, rotation: int) -> CompiledPolicy | ChoosingPolicy:
        """Return who meets the first player: one, or several with their seats."""
        if len(set(map(id, self._others))) == 1:
            return self._others[0]
        seated = {
            (place - rotation) % self._number: AskedPolicy(self._game, each)
            if isinstance(each, CompiledPolicy)
            else each
            for place, each in enumerate(self._others, 1)
        }
        return _Several(self._game, seated)

    def play(self, first: int, count: int, seed: int, stop: Callable[[], bool] | None = None) -> Deals | None:
        """See `analysis.front.contest.Contest.play`."""
        size, by_rotation = self._number, []
        found = Deals()
        for rotation in range(size):
            seat = -rotation % size
            if rotation == 0 or not self._alike:
                heard = Heard(stop, count)
                played = play_matches(
                    *(self._game, self._own, self._against(rotation)),
                    num_deals=count,
                    first_deal=first,
                    seed=seed,
                    seats=(seat,),
                    progress=heard,
                    num_noted=recording.NUM_NOTED,
                )
                if heard.stopped:
                    return None
            own = played.all_payoffs[:, 0, seat]
            found.draws += int((own == 0.0).sum())
            for name, plays, payoff in (
                ("won", own > 0.0, 1.0),
                ("drawn", own == 0.0, 0.0),
                ("lost", own < 0.0, -1.0 / (size - 1)),
            ):
                found.tally("result", name, payoff * int(plays.sum()), int(plays.sum()))
            assert played.noted is not None
            for rounds in played.noted[:, 0, recording.ROUNDS].tolist():
                found.took(rounds)
            by_rotation.append(played.all_payoffs[:, 0].tolist())
        found.tallies["result"] = {name: both for name, both in found.tallies["result"].items() if both[0]}
        for paid in zip(*by_rotation, strict=True):
            found.won.append(
                [
                    [by_seat[(player - rotation) % size] for player in range(size)]
                    for rotation, by_seat in enumerate(paid)
                ]
            )
        return found
