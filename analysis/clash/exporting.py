"""A battle for other programs: as a tree in fractions, as a graph of its states, as a table of its ends."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from analysis.clash.armies import SIDES
from analysis.clash.scenario import Scenario
from analysis.errors import RequestError, WorkError
from engine.clash import reference_battle
from engine.clash.reference_battle import Battle, Move, begin_assault
from engine.protocol import CHANCE, OVER, choices

if TYPE_CHECKING:
    from solver.extensive import ExtensiveGame


def beginning(scenario: Scenario) -> Battle:
    """Return the battle as the plain-Python rules have it; RequestError where only a bracket would do."""
    scenario.check()
    if scenario.rules.battle.rage_limit is not None:
        raise RequestError("with battle.rage_limit a battle may go on for ever, and has no finite tree")
    battle = Battle(
        rule=scenario.rules.battle,
        fighters=(scenario.attacker.fighters, scenario.defender.fighters),
        counts=(scenario.attacker.counts, scenario.defender.counts),
        elves=scenario.defender.elves,
        chooser=scenario.chooser,
        rage=scenario.rage,
    )
    return begin_assault(battle, scenario.starts)


def payoff(scenario: Scenario, battle: Battle) -> Fraction:
    """Return what a battle that is over pays the attacker by the objective, `win` or `material`."""
    holds = Fraction(int(battle.winner == 0))
    if scenario.objective == "win":
        return holds
    weights = scenario.side_weights[0]
    total = Fraction(weights.territory) * holds
    armies = (scenario.attacker.counts, weights.attacker), (scenario.defender.counts, weights.defender)
    for side, (before, each) in enumerate(armies):
        types = zip(before, battle.counts[side], each, strict=True)
        lost = sum((Fraction(weight) * (was - left) for was, left, weight in types), Fraction(0))
        total += lost if side else -lost
    return total


def move_text(battle: Battle, move: Move | int) -> str:
    """Return a move or the outcome of dice in words, without blanks."""
    if isinstance(move, int):
        return f"{move}-hits"
    if move.kind == "eliminate":
        return "eliminate-" + "-".join(map(str, move.values)) if any(move.values) else "spare"
    return move.kind


# -- the tree -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Node:
    """A state, and how play came there: everybody sees everything."""

    battle: Battle
    past: tuple[str, ...] = ()


class _BattleTree:
    """A battle as `solver.extensive.GameSource`."""

    def __init__(self, scenario: Scenario, start: Battle) -> None:
        self._scenario, self._start = scenario, start

    def root(self) -> _Node:
        return _Node(self._start)

    def is_terminal(self, state: _Node) -> bool:
        return reference_battle.decider(state.battle) == OVER

    def payoff(self, state: _Node) -> Fraction:
        return payoff(self._scenario, state.battle)

    def player(self, state: _Node) -> int:
        return reference_battle.decider(state.battle)

    def infoset(self, state: _Node) -> Hashable:
        return " ".join(state.past)

    def actions(self, state: _Node) -> Sequence[str]:
        return [move_text(state.battle, move) for move in reference_battle.legal_moves(state.battle)]

    def chance_outcomes(self, state: _Node) -> Sequence[tuple[str, int]]:
        outcomes = reference_battle.chance_outcomes(state.battle)
        return [(move_text(state.battle, hits), weight) for hits, weight in outcomes]

    def child(self, state: _Node, action: Hashable) -> _Node:
        for move in choices(reference_battle, state.battle):
            if move_text(state.battle, move) == action:
                return _Node(reference_battle.step(state.battle, move), (*state.past, str(action)))
        raise KeyError(action)


def battle_tree(scenario: Scenario, max_nodes: int) -> ExtensiveGame:
    """Return a battle as an explicit tree; RequestError, or WorkError if it has more nodes."""
    from solver.extensive import build_game

    if scenario.objective == "own":
        raise RequestError('a tree has one payoff: objective "win" or "material"', "--objective")
    try:
        return build_game(_BattleTree(scenario, beginning(scenario)), max_nodes=max_nodes)
    except MemoryError:
        raise WorkError(
            f"the tree has more than {max_nodes:,} nodes; the same states come again and again in it:"
            " clash export --to graph writes each once"
        ) from None


# -- the graph ------------------------------------------------------------------------------------------


def battle_graph(scenario: Scenario, max_nodes: int) -> dict[str, Any]:
    """Return a battle's states, each once, the beginning first; a move leads to a later number or an end.

    Raises
    ------
    RequestError, WorkError
        If it cannot be asked, or has more states.
    """
    if scenario.objective == "own":
        raise RequestError('a graph has one payoff: objective "win" or "material"', "--objective")
    numbers: dict[Battle, int] = {}
    nodes: list[dict[str, Any]] = []
    for battle in _reached(beginning(scenario), max_nodes, numbers):
        nodes.append(_graph_node(scenario, battle, numbers))
    return {
        "game": "clash",
        "kind": "battle-graph",
        "objective": scenario.objective,
        "attacker": scenario.attacker.text(),
        "defender": scenario.defender.text(),
        "units": [[kind.name for kind in army.types] for army in scenario.armies],
        "nodes": nodes,
    }


def _reached(start: Battle, max_nodes: int, numbers: dict[Battle, int]) -> Iterator[Battle]:
    """Yield all states; `numbers` has those of their successors by then. Modified in place."""
    numbers[start] = 0
    queue = [start]
    for battle in queue:
        for move in choices(reference_battle, battle):
            after = reference_battle.step(battle, move)
            if after not in numbers:
                numbers[after] = len(numbers)
                queue.append(after)
        if len(numbers) > max_nodes:
            raise WorkError(f"the battle has more than {max_nodes:,} states; raise --max-nodes, or ask less")
        yield battle


def _graph_node(scenario: Scenario, battle: Battle, numbers: dict[Battle, int]) -> dict[str, Any]:
    decider = reference_battle.decider(battle)
    node: dict[str, Any] = {
        "number": numbers[battle],
        "decides": "nobody" if decider == OVER else "chance" if decider == CHANCE else SIDES[decider],
        "stage": battle.stage.name.lower(),
        "left": [list(counts) for counts in battle.counts],
        "rage": list(battle.rage),
    }
    if decider == OVER:
        assert battle.winner is not None
        node |= {"holds": SIDES[battle.winner], "fled": battle.fled, "payoff": str(payoff(scenario, battle))}
        return node
    outcomes = dict(reference_battle.chance_outcomes(battle))
    total = sum(outcomes.values())
    node["moves"] = [
        {
            "move": move_text(battle, move),
            "to": numbers[reference_battle.step(battle, move)],
            **({"probability": str(Fraction(outcomes[move], total))} if isinstance(move, int) else {}),
        }
        for move in choices(reference_battle, battle)
    ]
    return node


# -- the table of ends ----------------------------------------------------------------------------------


def outcome_rows(scenario: Scenario, memory: int) -> list[dict[str, Any]]:
    """Return how the battle ends under optimal play: every end with its probability, the likeliest first."""
    import numpy as np

    from analysis.clash.solving import solved
    from engine.clash import battle_layout as at
    from solver.stochastic.forward import follow

    result = solved(scenario, memory=memory)
    spread = follow(result.solution, result.root)
    chances = spread.outcomes.reshape((at.NUM_ENDS, *result.tables.num_armies))
    ends = ("destroyed", "attacker-fled", "defender-fled")
    rows = []
    for place in np.argsort(-spread.outcomes, kind="stable").tolist():
        end, own, other = (int(each) for each in np.unravel_index(place, chances.shape))
        if spread.outcomes[place] <= 0.0:
            break
        left = result.tables.army(0, own), result.tables.army(1, other)
        holds = end == at.DEFENDER_FLED or (end == at.DESTROYED and not any(left[1]))
        rows.append(
            {
                "end": ends[end],
                "holds": SIDES[0 if holds else 1],
                **{f"attacker_{kind + 1}": left[0][kind] for kind in range(3)},
                **{f"defender_{kind + 1}": left[1][kind] for kind in range(3)},
                "probability": float(spread.outcomes[place]),
            }
        )
    return rows
