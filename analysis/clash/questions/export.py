"""``export``: a battle for other programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import msgspec

from analysis.clash.position import Carried, Forces, Standing, both, pair, scenario_of, side_of, weights_of
from analysis.clash.scenario import DEFAULT_MEMORY
from analysis.front.bundles import RulesFiles
from analysis.front.parameters import param
from analysis.front.question import Running
from analysis.front.verbs.export import MAX_NODES, ExportAnswer, Form, export_question, exported

if TYPE_CHECKING:
    from analysis.clash.scenario import Scenario

__all__ = ["QUESTION"]


class Export(msgspec.Struct, frozen=True, kw_only=True):
    """Which battle is written."""

    forces: Forces = Forces()
    objective: Annotated[
        Literal["win", "material"], param("What is wanted. The territory, or gains less losses by weight.")
    ] = "win"
    weights: (
        Annotated[str, param("What counts how much. Means something with material.", more=True)] | None
    ) = None
    standing: Standing = Standing()
    carried: Carried = Carried()
    max_nodes: Annotated[int, MAX_NODES] = 200_000
    rules: RulesFiles = RulesFiles()


def _asked(asked: Export) -> tuple[Scenario, str]:
    """The battle, and what it is called."""
    from analysis.clash.game import GAME

    rules = GAME.rules_of(asked.rules)
    scenario = scenario_of(
        rules,
        both(rules, asked.forces),
        asked.carried,
        objective=asked.objective,
        weights=weights_of(rules, asked.weights),
        rage=pair(asked.standing.rage, "--rage"),
        turn=side_of(asked.standing.turn),
    )
    return scenario, f"{scenario.attacker.text()} against {scenario.defender.text()}"


def _tree(asked: Export, running: Running) -> ExportAnswer:
    scenario, title = _asked(asked)
    from analysis.clash.exporting import battle_tree

    return exported(battle_tree(scenario, asked.max_nodes), title, ("attacker", "defender"))


def _graph(asked: Export, running: Running) -> ExportAnswer:
    scenario, title = _asked(asked)
    from analysis.clash.exporting import battle_graph

    graph = battle_graph(scenario, asked.max_nodes)
    text = msgspec.json.format(msgspec.json.encode(graph), indent=2).decode() + "\n"
    return ExportAnswer(title=title, size={"states": len(graph["nodes"])}, text=text)


def _outcomes(asked: Export, running: Running) -> ExportAnswer:
    scenario, title = _asked(asked)
    from analysis.clash.exporting import outcome_rows

    rows = outcome_rows(scenario, DEFAULT_MEMORY)
    return ExportAnswer(title=title, size={"ends": len(rows)}, table=rows)


QUESTION = export_question(
    Export,
    (
        Form(
            name="outcomes",
            about="a row for each end of the battle, with its chance",
            write=_outcomes,
            suffix="csv",
        ),
        Form(
            name="efg",
            about="a tree in fractions for Gambit and OpenSpiel, of the smallest battles",
            write=_tree,
            suffix="efg",
            takes=("max_nodes",),
        ),
        Form(
            name="graph",
            about="all states of the battle as JSON, each once",
            write=_graph,
            suffix="json",
            takes=("max_nodes",),
        ),
    ),
    about="Write a battle for other programs. It is all its ends, a tree, or a graph.",
    examples=(
        'export --to efg --attacker "bohorg: 1 III" --defender "elves: 1 Elder" --rage 3,3 -o tiny.efg',
        'export --to graph --attacker "bohorg: 2 I" --defender "tomb: 1 II" -o battle.json',
        'export --to outcomes --attacker "bohorg: 3 I" --defender "elves: 2 Guard" -o ends.csv',
    ),
)
