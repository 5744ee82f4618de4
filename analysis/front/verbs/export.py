"""``export``: a game as a file for other people's solvers."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, Generic, TypeVar

import msgspec

from analysis.front.bundles import RulesFiles
from analysis.front.page import Fact, Facts, Page
from analysis.front.parameters import param
from analysis.front.question import Answer, Question, Running
from analysis.front.verbs.solve import tree_of

__all__ = ["Export", "ExportAnswer", "export_of"]

S = TypeVar("S")


class Export(msgspec.Struct, Generic[S], frozen=True, kw_only=True):
    """Which game is written."""

    setup: S
    max_nodes: Annotated[
        int, param("Larger trees are refused.", ge=1, le=50_000_000, unit="nodes", more=True)
    ] = 200_000
    rules: RulesFiles = RulesFiles()


class ExportAnswer(Answer, frozen=True, kw_only=True):
    """A game as text, and how large it is."""

    text: str
    nodes: int
    infosets: int


def export_of(game: Any) -> Question[Any, ExportAnswer]:
    """Return the question of a game."""
    return Question(
        name="export",
        about="Write the whole game as a tree that Gambit and OpenSpiel read, with exact numbers.",
        asked=Export[game.setup],
        answers=ExportAnswer,
        function=partial(answer, game),
        page=export_page,
        exactness="exact",
        document=lambda found: found.text,
        document_format="efg",
    )


def answer(game: Any, asked: Export[Any], running: Running) -> ExportAnswer:
    """Write a game."""
    from solver.gambit import efg_lines

    rules = game.rules_of(asked.rules)
    tree = tree_of(game, rules, asked.setup, asked.max_nodes)
    lines = efg_lines(tree, title=f"{game.title}, {rules.name}", player_names=("seat 1", "seat 2"))
    return ExportAnswer(
        rules=game.rules_note(rules),
        text="\n".join(lines) + "\n",
        nodes=tree.num_nodes,
        infosets=tree.num_infosets,
    )


def export_page(found: ExportAnswer) -> Page:
    """Return what is in the file."""
    facts = [
        Fact("nodes", "nodes", found.nodes, "count"),
        Fact("infosets", "decisions", found.infosets, "count"),
    ]
    return Page(
        headline=f"The game is a tree of {found.nodes:,} nodes.",
        sections=[Facts(facts)],
        notes=["`--format efg` writes the tree itself."],
    )
