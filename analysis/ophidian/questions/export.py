"""``export efg``, ``export graph``, ``export response``: fights for other programs."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from analysis.front.bundles import RulesFiles
from analysis.front.page import Fact, Facts, Page
from analysis.front.parameters import param
from analysis.front.question import Answer, Question, Running
from analysis.front.verbs.export import ExportAnswer, export_question, exported
from analysis.ophidian.setup import Exchange, Fight

__all__ = ["QUESTIONS"]


MAX_NODES = param("Larger ones are refused.", ge=1, le=50_000_000, unit="nodes", more=True)


class ExportWave(msgspec.Struct, frozen=True, kw_only=True):
    """Which rest of a wave is written, and what its ends pay."""

    fight: Fight
    objective: Annotated[
        Literal["result", "points"],
        param("What counts at the end. It is paid to the team; a match won counts as many points as win it."),
    ] = "points"
    max_nodes: Annotated[int, MAX_NODES] = 200_000
    rules: RulesFiles = RulesFiles()


class ExportExchange(msgspec.Struct, frozen=True, kw_only=True):
    """Which attack is written, and what may answer it."""

    exchange: Exchange
    max_nodes: Annotated[int, MAX_NODES] = 200_000
    rules: RulesFiles = RulesFiles()


class GraphAnswer(Answer, frozen=True, kw_only=True):
    """The states of a wave as JSON text, and how many there are."""

    text: str
    states: int


def tree(asked: ExportWave, running: Running) -> ExportAnswer:
    """Write the rest of a wave as a tree."""
    from analysis.ophidian.fights import position_of
    from analysis.ophidian.game import GAME

    rules = GAME.rules_of(asked.rules)
    position = position_of(rules, asked.fight)
    from analysis.ophidian.exporting import wave_tree

    found = wave_tree(position, asked.objective, asked.max_nodes)
    title = f"{asked.fight.team} against {asked.fight.against}"
    return exported(found, title, ("team", "against"))


def graph(asked: ExportWave, running: Running) -> GraphAnswer:
    """Write the states of a wave."""
    from analysis.ophidian.fights import position_of
    from analysis.ophidian.game import GAME

    rules = GAME.rules_of(asked.rules)
    position = position_of(rules, asked.fight)
    from analysis.ophidian.exporting import wave_graph

    found = wave_graph(position, asked.objective, asked.max_nodes)
    text = msgspec.json.format(msgspec.json.encode(found), indent=2).decode() + "\n"
    return GraphAnswer(text=text, states=len(found["nodes"]))


def exchange(asked: ExportExchange, running: Running) -> ExportAnswer:
    """Write an attack with hidden responses as a tree."""
    from analysis.ophidian.exchanges import exchange_of
    from analysis.ophidian.game import GAME

    question = exchange_of(GAME.rules_of(asked.rules), asked.exchange)
    from analysis.ophidian.exporting import exchange_tree

    return exported(exchange_tree(question, asked.max_nodes), asked.exchange.attack, ("team", "against"))


def graph_page(found: GraphAnswer) -> Page:
    """Return what is in the file."""
    return Page(
        headline=f"The rest of the wave has {found.states:,} states.",
        sections=[Facts([Fact("states", "states", found.states, "count")])],
        method=["`--format graph` writes the states themselves."],
    )


_END = '--team "Runt w4" --against "Scrap w4 set" --wave 4'
QUESTIONS = (
    export_question(
        name="export efg",
        about="Write the rest of a wave without cards as a tree that Gambit and OpenSpiel read. Every way to"
        " a state is a branch of its own, so only the last moments of a wave fit. The end pays the team: 1, 0"
        " or -1; or points, a match that is won counting as many as win it.",
        asked=ExportWave,
        function=tree,
        examples=(f"export efg {_END} -o last.efg",),
    ),
    Question(
        name="export graph",
        about="Write the states of a wave without cards as JSON, each once: who decides, the moves, and what"
        " ends pay.",
        asked=ExportWave,
        answers=GraphAnswer,
        function=graph,
        page=graph_page,
        exactness="exact",
        document=lambda found: found.text,
        document_format="graph",
        examples=(f"export graph {_END} -o wave.json",),
    ),
    export_question(
        name="export response",
        about="Write one attack that hidden hands may answer as a tree, as `response` solves it.",
        asked=ExportExchange,
        function=exchange,
        examples=(
            'export response --team "Tempest, Scrap@S" --against "Thorn, Runt" --attack "Tempest > Thorn"'
            " --hidden brood -o exchange.efg",
        ),
    ),
)
