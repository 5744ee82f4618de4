"""``export``: fights for other programs: a wave as a tree, or as a graph of states; an attack as a tree."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from analysis.front.bundles import RulesFiles
from analysis.front.page import Cell, Column, Fact, Facts, Page, Table
from analysis.front.parameters import param
from analysis.front.question import Answer, Question, Running
from analysis.front.render import as_json
from analysis.front.verbs.export import ExportAnswer, export_question, exported
from analysis.ophidian.setup import Exchange, Fight

__all__ = ["QUESTIONS", "GraphAnswer", "Payoff", "ResponseTree", "Wave"]

Payoff = Literal["result", "points"]
_NODES = Annotated[int, param("Larger trees are refused.", ge=1, le=50_000_000, unit="nodes", more=True)]
_SIDES = ("team", "against")


class Wave(msgspec.Struct, frozen=True, kw_only=True):
    """Which position, and what its end pays."""

    fight: Fight
    objective: Annotated[
        Payoff,
        param(
            "What counts at the end. Paid to the team: 1, 0, -1; or points, a match won counting as many as"
            " win it."
        ),
    ] = "points"
    max_nodes: _NODES = 200_000
    rules: RulesFiles = RulesFiles()


class ResponseTree(msgspec.Struct, frozen=True, kw_only=True):
    """Which attack, and who may hold what."""

    exchange: Exchange
    max_nodes: _NODES = 200_000
    rules: RulesFiles = RulesFiles()


class GraphFighter(msgspec.Struct, frozen=True):
    """A gladiator in a state."""

    name: str
    level: int
    wounds: int
    field: Literal["action", "support"]
    set: bool
    destroyed: bool


class GraphMove(msgspec.Struct, frozen=True):
    """A move, and the number of the state that it leads to."""

    move: str
    to: int


class GraphNode(msgspec.Struct, frozen=True):
    """A state: who decides and the moves, or what it pays where the wave ends."""

    number: int
    decides: Literal["team", "against", "nobody"]
    phase: str
    cheer: list[int]
    sides: list[list[GraphFighter]]
    payoff: int | msgspec.UnsetType = msgspec.UNSET
    moves: list[GraphMove] | msgspec.UnsetType = msgspec.UNSET


class GraphAnswer(Answer, frozen=True, kw_only=True):
    """The states of a wave, each once, the position first."""

    kind: str
    objective: Payoff
    wave: int
    nodes: list[GraphNode]


def wave_tree(asked: Wave, running: Running) -> ExportAnswer:
    """Write the rest of a wave as a tree."""
    from analysis.ophidian.fights import position_of
    from analysis.ophidian.game import GAME

    state = position_of(GAME.rules_of(asked.rules), asked.fight)
    from analysis.ophidian import exporting

    tree = exporting.wave_tree(state, asked.objective, asked.max_nodes)
    return exported(tree, f"{asked.fight.team} against {asked.fight.against}", _SIDES)


def wave_graph(asked: Wave, running: Running) -> GraphAnswer:
    """Write the states of a wave."""
    from analysis.ophidian.fights import position_of
    from analysis.ophidian.game import GAME

    state = position_of(GAME.rules_of(asked.rules), asked.fight)
    from analysis.ophidian import exporting

    found = exporting.wave_graph(state, asked.objective, asked.max_nodes)
    nodes = msgspec.convert(found["nodes"], list[GraphNode])
    return GraphAnswer(kind=found["kind"], objective=asked.objective, wave=found["wave"], nodes=nodes)


def response_tree(asked: ResponseTree, running: Running) -> ExportAnswer:
    """Write an attack that hidden hands may answer as a tree."""
    from analysis.ophidian.exchanges import exchange_of
    from analysis.ophidian.game import GAME

    question = exchange_of(GAME.rules_of(asked.rules), asked.exchange)
    from analysis.ophidian import exporting

    return exported(exporting.exchange_tree(question, asked.max_nodes), asked.exchange.attack, _SIDES)


def graph_text(found: GraphAnswer) -> str:
    """Return the graph alone, for another program."""
    sha256 = "" if found.rules is None else found.rules.sha256
    head: dict[str, Any] = {"game": found.game, "kind": found.kind, "objective": found.objective}
    return as_json(head | {"rules": sha256, "wave": found.wave, "nodes": found.nodes})


def graph_page(found: GraphAnswer) -> Page:
    """Return how large a graph is, and what its ends pay."""
    paid = [node.payoff for node in found.nodes if node.payoff is not msgspec.UNSET]
    moves = sum(len(node.moves) for node in found.nodes if node.moves is not msgspec.UNSET)
    facts = [
        Fact("states", "states", len(found.nodes), "count"),
        Fact("moves", "moves", moves, "count"),
        Fact("ends", "ends", len(paid), "count"),
    ]
    rows: list[list[Cell]] = [[payoff, paid.count(payoff)] for payoff in sorted(set(paid), reverse=True)]
    columns = [
        Column("payoff", f"{found.objective} for the team", "signed", 0),
        Column("ends", "ends", "count"),
    ]
    return Page(
        headline=f"The rest of the wave has {len(found.nodes):,} states.",
        sections=[Facts(facts), Table(columns, rows)],
        notes=["`--format graph` writes the states themselves, as JSON."],
    )


QUESTIONS: tuple[Question[Any, Any], ...] = (
    export_question(
        name="export efg",
        about="Write the rest of a wave without cards as a tree that Gambit and OpenSpiel read. Every way to"
        " a state is a branch of its own, so only the last moments of a wave fit.",
        asked=Wave,
        function=wave_tree,
        examples=('export efg --team "Runt w4" --against "Scrap w4 set" --wave 4 -o last.efg',),
    ),
    Question(
        name="export graph",
        about="Write the states of a wave without cards, each once, as JSON: who decides, the moves, and what"
        " ends pay.",
        asked=Wave,
        answers=GraphAnswer,
        function=wave_graph,
        page=graph_page,
        exactness="exact",
        document=graph_text,
        document_format="graph",
        examples=('export graph --team "Runt w4" --against "Scrap w4 set" --wave 4 -o wave.json',),
    ),
    export_question(
        name="export response",
        about="Write one attack that hidden hands may answer as a tree, as `ophidian response` solves it.",
        asked=ResponseTree,
        function=response_tree,
        examples=(
            'export response --team "Tempest, Scrap@S" --against "Thorn, Runt" --attack "Tempest > Thorn"'
            ' --hidden "hex 3, other 45" -o exchange.efg',
        ),
    ),
)
