"""``export``: a battle for other programs."""

from __future__ import annotations

import csv
import io
from typing import Annotated, Literal

import msgspec

from analysis.clash.position import Carried, Forces, Standing, both, pair, scenario_of, side_of, weights_of
from analysis.clash.scenario import DEFAULT_MEMORY
from analysis.front.bundles import RulesFiles
from analysis.front.page import Fact, Facts, Page
from analysis.front.parameters import param
from analysis.front.question import Answer, Question, Running

__all__ = ["QUESTION", "Export"]


class Export(msgspec.Struct, frozen=True, kw_only=True):
    """Which battle, and as what."""

    what: Annotated[
        Literal["efg", "graph", "outcomes"],
        param(
            "What is written: efg, a tree in fractions for Gambit and OpenSpiel, of the smallest battles;"
            " graph, all states, each once, as JSON; outcomes, all ends with their chances, as CSV.",
            argument=True,
        ),
    ] = "outcomes"
    forces: Forces = Forces()
    objective: Annotated[
        Literal["win", "material"], param("What is wanted. The territory, or gains less losses by weight.")
    ] = "win"
    weights: (
        Annotated[str, param("What counts how much. Means something with material.", more=True)] | None
    ) = None
    standing: Standing = Standing()
    carried: Carried = Carried()
    max_nodes: Annotated[
        int,
        param(
            "Nodes at most; larger trees and graphs are refused.",
            ge=1,
            le=50_000_000,
            unit="nodes",
            more=True,
        ),
    ] = 200_000
    rules: RulesFiles = RulesFiles()


class ExportAnswer(Answer, frozen=True, kw_only=True):
    """A battle as text: `size` nodes, states or ends, in which `rounded` numbers are not exact."""

    what: str
    attacker: str
    defender: str
    size: int
    rounded: int
    text: str


def answer(asked: Export, running: Running) -> ExportAnswer:
    """Write a battle."""
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
    from analysis.clash.exporting import battle_graph, battle_tree, outcome_rows
    from solver.gambit import efg_lines, num_rounded

    rounded = 0
    names = scenario.attacker.text(), scenario.defender.text()
    if asked.what == "efg":
        tree = battle_tree(scenario, asked.max_nodes)
        title, rounded = f"{names[0]} against {names[1]}", num_rounded(tree)
        size, text = (
            tree.num_nodes,
            "\n".join(efg_lines(tree, title=title, player_names=("attacker", "defender"))),
        )
    elif asked.what == "graph":
        graph = battle_graph(scenario, asked.max_nodes)
        size, text = len(graph["nodes"]), msgspec.json.format(msgspec.json.encode(graph), indent=2).decode()
    else:
        rows = outcome_rows(scenario, DEFAULT_MEMORY)
        written = io.StringIO()
        writer = csv.DictWriter(written, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        size, text = len(rows), written.getvalue().rstrip("\n")
    return ExportAnswer(
        what=asked.what, attacker=names[0], defender=names[1], size=size, rounded=rounded, text=f"{text}\n"
    )


def page(found: ExportAnswer) -> Page:
    """Return what is in the file."""
    from solver.gambit import ROUNDED

    kind = {"efg": "nodes", "graph": "states", "outcomes": "ends"}[found.what]
    facts = [
        Fact("attacker", "attacker", found.attacker),
        Fact("defender", "defender", found.defender),
        Fact("size", kind, found.size, "count"),
    ]
    return Page(
        headline=f"{found.attacker} against {found.defender} has {found.size:,} {kind}.",
        sections=[Facts(facts)],
        notes=[
            "--format file, which is the usual one, writes the file itself.",
            *([ROUNDED.format(found.rounded).capitalize() + "."] if found.rounded else []),
        ],
    )


QUESTION: Question[Export, ExportAnswer] = Question(
    name="export",
    about="Write a battle for other programs: as a tree, as a graph of states, or as a table of its ends.",
    asked=Export,
    answers=ExportAnswer,
    function="analysis.clash.questions.export:answer",
    page=page,
    exactness="exact",
    document=lambda found: found.text,
    document_format="file",
    examples=(
        'export efg --attacker "bohorg: 1 III" --defender "elves: 1 Elder" --rage 3,3 -o tiny.efg',
        'export graph --attacker "bohorg: 2 I" --defender "tomb: 1 II" -o battle.json',
        'export outcomes --attacker "bohorg: 3 I" --defender "elves: 2 Guard" -o ends.csv',
    ),
)
