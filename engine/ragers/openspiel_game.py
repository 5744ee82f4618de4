"""Ragers as Python games of OpenSpiel (extra `openspiel`): importing this module registers them.

A match, or a single day if `patron` and `cheers` are given. What is paid is the difference of glory points.
In `python_ragers` both players' choices of one node are simultaneous; one who decides alone has a node of its
own. `python_ragers_turns` is the same game for algorithms that take one decision at a time:
player 0 is asked first, and player 1 does not see what it chose.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyspiel
from numpy.typing import NDArray

from engine.openspiel_base import Observer, PathState, Viewers
from engine.ragers import events, features
from engine.ragers.reference import (
    CHANCE,
    NOTHING,
    State,
    chance_outcomes,
    deciders,
    drawing,
    is_over,
    legal_actions,
    observe,
    scores,
    start_day,
    start_match,
    step,
)
from engine.ragers.rules import PLAYERS, TYPES, Rules, load_rules

Move = tuple[int, int] | int

SHORT_NAME = "python_ragers"
TURNS_NAME = "python_ragers_turns"
_MAX_CHANCE_OUTCOMES = features.MAX_ENTRIES
_DEFAULTS = {"patron": "", "cheers": "", "set": ""}


def _type(short_name: str, long_name: str, dynamics: Any) -> Any:
    return pyspiel.GameType(
        short_name=short_name,
        long_name=long_name,
        dynamics=dynamics,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=_DEFAULTS,
    )


_TYPE = _type(SHORT_NAME, "Ragers: Champions of the Arena", pyspiel.GameType.Dynamics.SIMULTANEOUS)
_TURNS_TYPE = _type(
    TURNS_NAME, "Ragers: Champions of the Arena, asked in turn", pyspiel.GameType.Dynamics.SEQUENTIAL
)


def most_points(rules: Rules) -> int:
    """Return a bound on the GP a player can score in a match: every card marked, every cheers card."""
    cards = max(sum(2 * card.gp * card.copies[side] for card in rules.cards) for side in (0, 1))
    return cards + sum(card.gp for card in rules.cheers)


class _Form:
    """What is seen of Ragers; see `engine.openspiel_base.Form`."""

    num_players = 2
    row_width = len(events.ROW_NAMES)
    public_size = features.PUBLIC_SIZE
    private_size = features.PRIVATE_SIZE

    def step(self, state: State, move: Move) -> State:
        return step(state, move)

    def deciders(self, state: State) -> tuple[int, ...]:
        return deciders(state)

    def rows(self, before: State, move: Move, after: State, viewers: Viewers) -> Sequence[events.Row]:
        return (events.seen(before, move, viewers),)

    def public_text(self, state: State) -> str:
        return repr(observe(state, None))

    def private_text(self, state: State, player: int) -> str:
        own = state.players[player]
        hidden = [slot[-1].printed for slot in own.row if slot[-1].hidden]
        return f"hand {own.hand} deck {own.deck} hidden {hidden}"

    def public_vector(self, state: State) -> NDArray[np.float32]:
        return features.public_features(state)

    def private_vector(self, state: State, player: int) -> NDArray[np.float32]:
        return features.private_features(state, player)


class RagersGame(pyspiel.Game):  # type: ignore[misc]
    """The game; parameters `patron`, `cheers` (names, for a single day) and `set`: KEY:VALUE, by blanks."""

    form = _Form()
    _turns = False

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        chosen = _DEFAULTS | (params or {})
        # OpenSpiel's own texts of games are full of equals signs, so these are colons there.
        overrides = [word.replace(":", "=", 1) for word in shlex.split(chosen["set"])]
        rules = load_rules(overrides=overrides)
        if bool(chosen["patron"]) != bool(chosen["cheers"]):
            raise ValueError("a single day needs both, patron and cheers")
        if chosen["patron"]:
            self.start = start_day(
                rules, rules.patron(chosen["patron"]).id, [rules.cheers_card(chosen["cheers"]).id]
            )
        else:
            self.start = start_match(rules)
        bound = float(most_points(rules))
        # Every decision places a card at least, but for those of the preparation (M2).
        self._cards = sum(sum(card.copies) for card in rules.cards)
        match = self.start.rules.match
        preparations = match.days * match.discards * (2 if self._turns else 1)
        info = pyspiel.GameInfo(
            num_distinct_actions=features.NUM_ACTIONS,
            max_chance_outcomes=_MAX_CHANCE_OUTCOMES,
            num_players=2,
            min_utility=-bound,
            max_utility=bound,
            utility_sum=0.0,
            max_game_length=self._cards + preparations,
        )
        super().__init__(_TURNS_TYPE if self._turns else _TYPE, info, chosen)

    def max_chance_nodes_in_history(self) -> int:
        """Return a bound: every card drawn, and a patron and a cheers card a day."""
        revealed = min(self.start.rules.match.days, len(self.start.patrons_left))
        return self._cards + 2 * revealed

    def new_initial_state(self) -> RagersState:
        """Return the state in which the hands are not dealt yet."""
        return RagersState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """Return an observer, whatever it is to see."""
        return Observer(self, iig_obs_type, params)


class RagersState(PathState):
    """A state, with what each player has seen on the way to it."""

    def current_player(self) -> int:
        """Return who decides, in OpenSpiel's numbers."""
        who = deciders(self.state)
        if not who:
            return int(pyspiel.PlayerId.TERMINAL)
        if who == (CHANCE,):
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.SIMULTANEOUS) if len(who) == 2 else who[0]

    def _legal_actions(self, player: int) -> list[int]:
        return list(legal_actions(self.state, player))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return outcomes and probabilities."""
        outcomes = chance_outcomes(self.state)
        total = sum(weight for _, weight in outcomes)
        return [(outcome, weight / total) for outcome, weight in outcomes]

    def _apply_action(self, action: int) -> None:
        who = deciders(self.state)
        form = self.get_game().form
        if who == (CHANCE,):
            self._go(form, int(action))
        else:
            self._go(form, (int(action), NOTHING) if who == (0,) else (NOTHING, int(action)))

    def _apply_actions(self, actions: list[int]) -> None:
        self._go(self.get_game().form, (int(actions[0]), int(actions[1])))

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            drawn_by = drawing(self.state)
            return f"reveal {action}" if drawn_by is None else f"draw {PLAYERS[drawn_by]} {TYPES[action]}"
        return "nothing" if action == NOTHING else TYPES[action]

    def is_terminal(self) -> bool:
        """Return whether the match, or the single day, is over."""
        return is_over(self.state)

    def returns(self) -> list[float]:
        """Return the difference of glory points, for each player; zero before the end."""
        if not is_over(self.state):
            return [0.0, 0.0]
        first, second = scores(self.state)
        return [float(first - second), float(second - first)]


class RagersTurnsGame(RagersGame):
    """The same game, in which players who choose at once are asked in turn."""

    _turns = True

    def new_initial_state(self) -> RagersTurnsState:
        """Return the state in which the hands are not dealt yet."""
        return RagersTurnsState(self)


class RagersTurnsState(RagersState):
    """A state; `chosen` is what player 0 has chosen where player 1 still has to."""

    def current_player(self) -> int:
        """Return who decides, in OpenSpiel's numbers."""
        if deciders(self.state) == (0, 1):
            return int(self.chosen is not None)
        return super().current_player()

    def _apply_action(self, action: int) -> None:
        if deciders(self.state) != (0, 1):
            super()._apply_action(action)
        elif self.chosen is None:
            self.chosen = int(action)
        else:
            first, self.chosen = self.chosen, None
            self._go(self.get_game().form, (first, int(action)))


pyspiel.register_game(_TYPE, RagersGame)
pyspiel.register_game(_TURNS_TYPE, RagersTurnsGame)
