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

__all__ = ["Export", "ExportAnswer", "export_of", "export_question", "exported"]

S = TypeVar("S")


class Export(msgspec.Struct, Generic[S], frozen=True, kw_only=True):
    """Which game is written."""

    setup: S
    max_nodes: Annotated[
        int, param("Larger trees are refused.", ge=1, le=50_000_000, unit="nodes", more=True)
    ] = 200_000
    rules: RulesFiles = RulesFiles()


class ExportAnswer(Answer, frozen=True, kw_only=True):
    """A game as text, and how large it is; `rounded` says what of its numbers is, or nothing."""

    text: str
    nodes: int
    infosets: int
    rounded: str = ""


def export_of(game: Any) -> Question[Any, ExportAnswer]:
    """Return the question of a game."""
    return export_question(
        name="export",
        about="Write the whole game as a tree that Gambit and OpenSpiel read, with exact numbers.",
        asked=Export[game.setup],
        function=partial(answer, game),
    )


def export_question(**declared: Any) -> Question[Any, ExportAnswer]:
    """Return a question whose answer is a tree for other programs: name, about, asked, function, examples."""
    return Question(
        answers=ExportAnswer,
        page=export_page,
        exactness="exact",
        document=lambda found: found.text,
        document_format="efg",
        **declared,
    )


def answer(game: Any, asked: Export[Any], running: Running) -> ExportAnswer:
    """Write a game."""
    rules = game.rules_of(asked.rules)
    tree = tree_of(game, rules, asked.setup, asked.max_nodes)
    found = exported(tree, f"{game.title}, {rules.name}", ("seat 1", "seat 2"))
    return msgspec.structs.replace(found, rules=game.rules_note(rules))


def exported(tree: Any, title: str, players: tuple[str, str]) -> ExportAnswer:
    """Return a tree, a `solver.extensive.ExtensiveGame`, as text."""
    from solver.gambit import ROUNDED, efg_lines, num_rounded

    rounded = num_rounded(tree)
    return ExportAnswer(
        text="\n".join(efg_lines(tree, title=title, player_names=players)) + "\n",
        nodes=tree.num_nodes,
        infosets=tree.num_infosets,
        rounded=ROUNDED.format(rounded) if rounded else "",
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
        notes=[f"{found.rounded[:1].upper()}{found.rounded[1:]}."] if found.rounded else [],
        method=["`--format efg` writes the tree itself."],
    )
