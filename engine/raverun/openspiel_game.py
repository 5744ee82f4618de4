"""Raverun as a Python game of OpenSpiel (extra `openspiel`): importing this module registers it.

`python_raverun` is for two or three (parameter `players`), who decide one at a time; first cards (V3) are
chosen one after the other, unseen until all are. Actions are the numbers of `engine.raverun.moves`. A winner
gets 1 (A2).
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyspiel
from numpy.typing import NDArray

from engine.openspiel_base import Observer, PathState, Viewers
from engine.raverun import events, view_features
from engine.raverun.moves import NUM_MOVES, move_number, numbered_move
from engine.raverun.reference import (
    CHANCE,
    Move,
    State,
    chance_outcomes,
    decider,
    is_over,
    legal_moves,
    payoffs,
    start,
    step,
)
from engine.raverun.reference_view import public_view, view
from engine.raverun.rules import BURY, DRAW, EXCHANGE, PLAYER_COUNTS, SHUFFLE, Rules, load_rules
from engine.raverun.rules_schema import MAX_CARDS

SHORT_NAME = "python_raverun"
_DEFAULTS: dict[str, Any] = {"players": PLAYER_COUNTS[0], "set": ""}
_TYPE = pyspiel.GameType(
    short_name=SHORT_NAME,
    long_name="Raverun",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=max(PLAYER_COUNTS),
    min_num_players=min(PLAYER_COUNTS),
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    provides_factored_observation_string=True,
    parameter_specification=_DEFAULTS,
)


def longest(rules: Rules, num_players: int) -> tuple[int, int]:
    """Return bounds on the decisions, and on the chance nodes, of a game."""
    hand, cards = rules.hand_size(num_players), rules.num_cards
    on_stacks = [rules.action(card) for card in range(cards) if rules.acts_on(card) == "stacks"]
    last = [rules.action(card) for card in range(cards) if rules.acts_on(card) == "battlefields"]
    # Without draws hands only shrink. With them, what is played stays on the table, unless it can be buried:
    # then the highest card of each round does (see `rules_checks.ENDLESS`).
    if DRAW not in on_stacks:
        most_held = [hand - 1 - done for done in range(1, hand)]
    elif BURY not in on_stacks:
        most_held = list(range(cards - 2 * num_players, -1, -num_players))
    else:
        most_held = [cards - done for done in range(1, cards)]
    rounds = len(most_held)

    def spent(actions: Sequence[int], held: int) -> tuple[int, int]:
        exchanges = actions.count(EXCHANGE)
        chance = exchanges * held + actions.count(DRAW) + actions.count(SHUFFLE) * (cards - 1)
        return len(actions) + exchanges * held, chance

    parts = [spent(on_stacks, held) for held in most_held]
    parts.append(spent(last, cards))
    decisions = num_players + rounds * (1 + num_players) + sum(part[0] for part in parts)
    return decisions, num_players * hand + sum(part[1] for part in parts)


class _Form:
    """What is seen of Raverun; see `engine.openspiel_base.Form`."""

    row_width = len(events.ROW_NAMES)

    def __init__(self, num_players: int) -> None:
        self.num_players = num_players
        self.public_size = view_features.public_parts(num_players).size
        self.private_size = view_features.private_parts(num_players).size

    def step(self, state: State, move: Move | int) -> State:
        return step(state, move)

    def deciders(self, state: State) -> tuple[int, ...]:
        return () if is_over(state) else (decider(state),)

    def rows(self, before: State, move: Move | int, after: State, viewers: Viewers) -> Sequence[events.Row]:
        return events.seen(before, move, after, viewers)

    def public_text(self, state: State) -> str:
        return repr(tuple(public_view(state)))

    def private_text(self, state: State, player: int) -> str:
        found = view(state, player)
        own = (found.hand, found.put, found.chosen, found.stacks[player], found.known, found.exposed)
        return repr(own)

    def public_vector(self, state: State) -> NDArray[np.float32]:
        return view_features.public_features(state)

    def private_vector(self, state: State, player: int) -> NDArray[np.float32]:
        return view_features.private_features(state, player)


class RaverunGame(pyspiel.Game):  # type: ignore[misc]
    """The game; parameters `players` and `set`: KEY:VALUE overrides, by blanks."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        chosen = _DEFAULTS | (params or {})
        overrides = [word.replace(":", "=", 1) for word in shlex.split(chosen["set"])]
        rules = load_rules(overrides=overrides)
        num_players = int(chosen["players"])
        self.start = start(rules, num_players)
        self.form = _Form(num_players)
        decisions, self._chance_nodes = longest(rules, num_players)
        info = pyspiel.GameInfo(
            num_distinct_actions=NUM_MOVES,
            max_chance_outcomes=MAX_CARDS,
            num_players=num_players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=decisions,
        )
        super().__init__(_TYPE, info, chosen)

    def max_chance_nodes_in_history(self) -> int:
        """Return a bound on draws and on cards laid out anew."""
        return self._chance_nodes

    def new_initial_state(self) -> RaverunState:
        """Return the state in which the hands are not dealt yet."""
        return RaverunState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """Return an observer, whatever it is to see."""
        return Observer(self, iig_obs_type, params)


class RaverunState(PathState):
    """A state, with what each player has seen on the way to it."""

    def current_player(self) -> int:
        """Return who decides, in OpenSpiel's numbers."""
        if is_over(self.state):
            return int(pyspiel.PlayerId.TERMINAL)
        who = decider(self.state)
        return int(pyspiel.PlayerId.CHANCE) if who == CHANCE else who

    def _legal_actions(self, player: int) -> list[int]:
        if decider(self.state) != player:
            return []
        return sorted(move_number(move) for move in legal_moves(self.state))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return outcomes, which are cards, and probabilities."""
        outcomes = chance_outcomes(self.state)
        total = sum(weight for _, weight in outcomes)
        return [(card, weight / total) for card, weight in outcomes]

    def _apply_action(self, action: int) -> None:
        chance = decider(self.state) == CHANCE
        self._go(self.get_game().form, int(action) if chance else numbered_move(int(action)))

    def _action_to_string(self, player: int, action: int) -> str:
        rules = self.state.rules
        if player == pyspiel.PlayerId.CHANCE:
            return f"card {rules.card_name(action)}"
        move = numbered_move(action)
        words = [] if move.card is None else [rules.card_name(move.card)]
        words += [] if move.player is None else [f"player {move.player}"]
        words += ["order " + " ".join(map(str, move.order))] if move.order else []
        return " ".join(words) or "pass"

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return is_over(self.state)

    def returns(self) -> list[float]:
        """Return what the game pays each player; zero before the end."""
        return list(payoffs(self.state)) if is_over(self.state) else [0.0] * self.num_players()


pyspiel.register_game(_TYPE, RaverunGame)
