"""Ragers as a Python game of OpenSpiel (extra `openspiel`): importing this module registers `python_ragers`.

A match, or a single day if `patron` and `cheers` are given. Both players' choices of one node are
simultaneous; one who decides alone has a node of his own. What is paid is the difference of glory points.
"""

from __future__ import annotations

import shlex
from typing import Any

import numpy as np
import pyspiel

from engine.ragers.features import NUM_ACTIONS, SIZE, features
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

SHORT_NAME = "python_ragers"
_MAX_CHANCE_OUTCOMES = 16
_DEFAULTS = {"patron": "", "cheers": "", "set": ""}
_TYPE = pyspiel.GameType(
    short_name=SHORT_NAME,
    long_name="Ragers: Champions of the Arena",
    dynamics=pyspiel.GameType.Dynamics.SIMULTANEOUS,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    provides_factored_observation_string=False,
    parameter_specification=_DEFAULTS,
)


def most_points(rules: Rules) -> int:
    """Return a bound on the glory points a player can score in a match: every card marked, every cheers"
    " card."""
    cards = max(sum(2 * card.gp * card.copies[side] for card in rules.cards) for side in (0, 1))
    return cards + sum(card.gp for card in rules.cheers)


class RagersGame(pyspiel.Game):  # type: ignore[misc]
    """The game; parameters `patron`, `cheers` (ids, for a single day) and `set`: KEY:VALUE overrides, by"
    " blanks."""

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
        cards = sum(sum(card.copies) for card in rules.cards)
        bound = float(most_points(rules))
        info = pyspiel.GameInfo(
            num_distinct_actions=NUM_ACTIONS,
            max_chance_outcomes=_MAX_CHANCE_OUTCOMES,
            num_players=2,
            min_utility=-bound,
            max_utility=bound,
            utility_sum=0.0,
            max_game_length=cards + rules.match.days,
        )
        super().__init__(_TYPE, info, chosen)

    def new_initial_state(self) -> RagersState:
        """Return the state in which the hands are not dealt yet."""
        return RagersState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> RagersObserver:
        """Return an observer; with perfect recall it has a string only."""
        return RagersObserver(iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)


class RagersState(pyspiel.State):  # type: ignore[misc]
    """A state, with what each player has seen on the way to it."""

    def __init__(self, game: RagersGame) -> None:
        super().__init__(game)
        self.state: State = game.start
        self.seen: tuple[list[str], list[str]] = ([], [])
        self._look()

    def _look(self) -> None:
        for player in (0, 1):
            seen = repr(observe(self.state, player))
            # Draws of the other player change nothing that is to be seen but the number of his cards.
            self.seen[player].append(seen)

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
        if who == (CHANCE,):
            self.state = step(self.state, int(action))
        else:
            self.state = step(self.state, (int(action), NOTHING) if who == (0,) else (NOTHING, int(action)))
        self._look()

    def _apply_actions(self, actions: list[int]) -> None:
        self.state = step(self.state, (int(actions[0]), int(actions[1])))
        self._look()

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

    def __str__(self) -> str:
        """Return the history, for people."""
        return " ".join(str(action) for action in self.history())


class RagersObserver:
    """What a player sees: a vector and a string; with perfect recall the string of all he has seen."""

    def __init__(self, iig_obs_type: Any, params: Any) -> None:
        if params:
            raise ValueError(f"observers take no parameters, got {params}")
        self._recall = bool(iig_obs_type.perfect_recall)
        self.tensor = None if self._recall else np.zeros(SIZE, np.float32)
        self.dict = {} if self.tensor is None else {"features": self.tensor}

    def set_from(self, state: RagersState, player: int) -> None:
        """Put what `player` sees into the vector."""
        if self.tensor is not None:
            self.tensor[:] = features(state.state, player)

    def string_from(self, state: RagersState, player: int) -> str:
        """Return what `player` sees, or has seen, as text."""
        return "\n".join(state.seen[player]) if self._recall else state.seen[player][-1]


pyspiel.register_game(_TYPE, RagersGame)
