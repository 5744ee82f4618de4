"""Fights for other programs: a position as a tree or as a graph of its states, an exchange as a tree."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from analysis.errors import WorkError
from analysis.ophidian.response_game import ResponseQuestion, Sight
from analysis.ophidian.responses import action_words, response_tree, seen_words
from engine.ophidian.harmless import is_endless
from engine.ophidian.reference import (
    ACTION,
    Fighter,
    Move,
    Phase,
    State,
    is_alive,
    is_over,
    legal_moves,
    points,
    step,
    winner,
)
from engine.ophidian.reference_round import end_of_wave
from engine.ophidian.rules import Rules

if TYPE_CHECKING:
    from solver.extensive import ExtensiveGame

__all__ = ["Payoff", "exchange_tree", "payoff", "wave_graph", "wave_tree"]

Payoff = Literal["result", "points"]
_SIDES = ("team", "against")


def payoff(state: State, objective: Payoff) -> int:
    """What the end of a wave pays the team: 1, 0, -1; or points, a match won counting as many as win it."""
    best = winner(state) if is_over(state) else None
    result = 0 if best is None else 1 - 2 * best
    if objective == "result":
        return result
    return result * state.rules.match.winning_points or points(state, 0) - points(state, 1)


# -- a wave as a tree ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Node:
    """A state, and how play came there, over which positions (W7): everybody sees everything."""

    state: State
    past: tuple[str, ...] = ()
    positions: tuple[State, ...] = ()


class _WaveTree:
    """The rest of a wave as `solver.extensive.GameSource`; there is no chance."""

    def __init__(self, position: State, objective: Payoff) -> None:
        self._position, self._objective = position, objective

    def root(self) -> _Node:
        return _Node(self._position, positions=(self._position,))

    def is_terminal(self, node: _Node) -> bool:
        return _is_end(node.state, self._position.wave)

    def payoff(self, node: _Node) -> int:
        return payoff(node.state, self._objective)

    def player(self, node: _Node) -> int:
        return node.state.turn

    def infoset(self, node: _Node) -> Hashable:
        return "; ".join(node.past)

    def actions(self, node: _Node) -> Sequence[str]:
        return [_words(node.state, move) for move in legal_moves(node.state)]

    def chance_outcomes(self, node: _Node) -> Sequence[tuple[str, int]]:
        raise NotImplementedError

    def child(self, node: _Node, action: Hashable) -> _Node:
        for move in legal_moves(node.state):
            if _words(node.state, move) == action:
                state = step(node.state, move)
                if state in node.positions:
                    state = end_of_wave(state)
                seen = (state,) if state.phase == Phase.ACT else ()
                return _Node(state, (*node.past, str(action)), node.positions + seen)
        raise KeyError(action)


def _is_end(state: State, wave: int) -> bool:
    return is_over(state) or state.wave != wave


def _words(state: State, move: Move) -> str:
    from analysis.ophidian.proving import in_words

    return in_words(state, move)


def wave_tree(position: State, objective: Payoff, max_nodes: int) -> ExtensiveGame:
    """Return the rest of a wave as an explicit tree; WorkError if it has more nodes."""
    from solver.extensive import build_game

    try:
        return build_game(_WaveTree(position, objective), max_nodes=max_nodes)
    except MemoryError:
        raise WorkError(
            f"the tree has more than {max_nodes:,} nodes; the same states come again and again in it:"
            " ophidian export --to graph writes each once"
        ) from None


# -- a wave as a graph --------------------------------------------------------------------------------


def wave_graph(position: State, objective: Payoff, max_nodes: int) -> dict[str, Any]:
    """Return the states of a wave, each once, the position first; a move leads to another number.

    Raises
    ------
    WorkError
        If it has more states, or if they may come again: then what they are worth depends on the way (W7).
    """
    if is_endless(position):
        raise WorkError(
            "positions of this wave may come again (W7), which its tree tells: ophidian export --to efg"
        )
    numbers: dict[State, int] = {}
    nodes = [
        _graph_node(state, position.wave, objective, numbers)
        for state in _reached(position, max_nodes, numbers)
    ]
    return {
        "game": "ophidian",
        "kind": "wave-graph",
        "objective": objective,
        "rules": position.rules.sha256,
        "wave": position.wave,
        "nodes": nodes,
    }


def _reached(position: State, max_nodes: int, numbers: dict[State, int]) -> Iterator[State]:
    """Yield all states; `numbers` has those of their successors by then. Modified in place."""
    numbers[position] = 0
    queue = [position]
    for state in queue:
        if not _is_end(state, position.wave):
            for move in legal_moves(state):
                after = step(state, move)
                if after not in numbers:
                    numbers[after] = len(numbers)
                    queue.append(after)
        if len(numbers) > max_nodes:
            raise WorkError(f"the wave has more than {max_nodes:,} states; raise --max-nodes, or ask less")
        yield state


def _graph_node(state: State, wave: int, objective: Payoff, numbers: dict[State, int]) -> dict[str, Any]:
    over = _is_end(state, wave)
    node: dict[str, Any] = {
        "number": numbers[state],
        "decides": "nobody" if over else _SIDES[state.turn],
        "phase": "end" if over else state.phase.name.lower().replace("_", "-"),
        "cheer": list(state.cheer),
        "sides": [[_fighter(state.rules, each) for each in team] for team in state.teams],
    }
    if over:
        return node | {"payoff": payoff(state, objective)}
    node["moves"] = [
        {"move": _words(state, move), "to": numbers[step(state, move)]} for move in legal_moves(state)
    ]
    return node


def _fighter(rules: Rules, fighter: Fighter) -> dict[str, Any]:
    return {
        "name": rules.gladiators[fighter.gladiator].name,
        "level": fighter.level + 1,
        "wounds": fighter.wounds,
        "field": "action" if fighter.field == ACTION else "support",
        "set": fighter.is_set,
        "destroyed": not is_alive(rules, fighter),
    }


# -- an attack with hidden responses ------------------------------------------------------------------


def exchange_tree(question: ResponseQuestion, max_nodes: int) -> ExtensiveGame:
    """Return an attack that may be answered, as a tree with branches and infosets in words.

    Raises
    ------
    WorkError
        If it has more nodes.
    """
    game = response_tree(question, max_nodes)
    position = question.position
    labels = tuple(
        label if parent < 0 else _branch(position, int(game.node_player[parent]), label)
        for parent, label in zip(game.parent, game.node_labels, strict=True)
    )
    slots = tuple(
        action_words(position, int(game.infoset_player[infoset]), label)
        for infoset, label in zip(game.slot_infoset, game.slot_labels, strict=True)
    )
    infosets = tuple(_known(position, key) for key in game.infoset_keys)
    return replace(game, node_labels=labels, slot_labels=slots, infoset_keys=infosets)


def _branch(position: State, player: int, label: Any) -> str:
    """A branch in words: a deal, a die, a move."""
    if player >= 0:
        return action_words(position, player, label)
    if isinstance(label, int):
        return f"die {label}"
    return " | ".join(", ".join(_card(position.rules, name) for name in hand) or "-" for hand in label)


def _card(rules: Rules, name: str) -> str:
    return rules.cards[rules.card(name)].name


def _known(position: State, key: Any) -> str:
    """What whoever decides holds, and what it has seen, in words."""
    sight: Sight = key[1]
    hand = ", ".join(position.rules.cards[card].name for card in sight.hand) or "-"
    return "; ".join([f"hand {hand}", *seen_words(position, sight)])
