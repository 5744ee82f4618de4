"""``export``: games, positions and strategies as files for other programs, in the forms that a game has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, Generic, Literal, TypeVar

import msgspec

from analysis.errors import RequestError
from analysis.front.bundles import RulesFiles
from analysis.front.page import Cell, Column, Fact, Facts, Page, Section, Table, data_of
from analysis.front.parameters import Parameter, param, parameters, unheeded
from analysis.front.question import Answer, Question, Running, imported
from analysis.front.verbs.solve import tree_of

__all__ = ["MAX_NODES", "ExportAnswer", "Form", "export_of", "export_question", "exported"]

S = TypeVar("S")
MAX_NODES = param("Larger trees are refused.", ge=1, le=50_000_000, unit="nodes", more=True)
_SHOWN = 10
"""Rows that a page shows; the file has all."""


@dataclass(frozen=True, kw_only=True)
class Form:
    """A form in which something is written.

    Attributes
    ----------
    name : one word, ``efg``, the same in all games.
    about : what it is, the end of a sentence: a tree in fractions for Gambit and OpenSpiel.
    write : (what is asked, a `Running`) -> `ExportAnswer`; or where it is, ``module:function``.
    suffix : how a file of this form is called.
    takes : parameters that mean nothing in some of the other forms; they are refused there.
    needs : parameters without a default that this form cannot do without.
    """

    name: str
    about: str
    write: str | Callable[[Any, Running], ExportAnswer]
    suffix: str
    takes: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()


class ExportAnswer(Answer, frozen=True, kw_only=True):
    """Something as a file.

    Attributes
    ----------
    to : its form.
    title : what it is.
    size : how large it is, by what is counted: nodes, decisions, plans.
    text : the file; empty where it is the CSV of `table`.
    remarks : sentences about it, such as which numbers are rounded.
    """

    to: str = ""
    suffix: str = ""
    title: str
    size: dict[str, int]
    text: str = ""
    table: Sequence[dict[str, str | int | float | None]] = ()
    remarks: list[str] = msgspec.field(default_factory=list)


def export_question(
    asked: type[msgspec.Struct], forms: Sequence[Form], **declared: Any
) -> Question[Any, ExportAnswer]:
    """Return the question that writes something in one of several forms.

    Parameters
    ----------
    asked : the parameters of all forms; ``--to`` is added to them.
    declared : about, examples.
    """
    return Question(
        name="export",
        by_example=True,
        asked=_with_form(asked, forms),
        answers=ExportAnswer,
        function=partial(_answer, tuple(forms)),
        page=export_page,
        exactness="exact",
        document=document,
        document_format="file",
        document_suffix=lambda found: found.suffix,
        **declared,
    )


def _with_form(asked: type[msgspec.Struct], forms: Sequence[Form]) -> type[msgspec.Struct]:
    """The struct with the choice of a form before everything else."""
    names = tuple(form.name for form in forms)
    help = " ".join(["What is written.", *(f'"{form.name}" writes {form.about}.' for form in forms)])
    fields: list[Any] = [("to", Annotated[Literal[names], param(help, metavar="FORM")], names[0])]
    for each in msgspec.structs.fields(asked):
        usual = () if each.default is msgspec.NODEFAULT else (each.default,)
        if each.default_factory is not msgspec.NODEFAULT:
            usual = (msgspec.field(default_factory=each.default_factory),)
        fields.append((each.name, each.type, *usual))
    return msgspec.defstruct("Export", fields, frozen=True, kw_only=True)


def _answer(forms: Sequence[Form], asked: Any, running: Running) -> ExportAnswer:
    """Write what is asked for in the form that is asked for, which must heed all that is said of it."""
    form = next(each for each in forms if each.name == asked.to)
    known: dict[str, Parameter] = {each.name: each for each in parameters(type(asked))}
    for name in sorted({name for each in forms for name in each.takes} - set(form.takes)):
        others = " or ".join(f"--to {each.name}" for each in forms if name in each.takes)
        unheeded(asked, f"means nothing with --to {form.name}; it does with {others}", name)
    for name in form.needs:
        value = asked
        for step in known[name].path:
            value = getattr(value, step)
        if value is None or value == ():
            raise RequestError(f"has to be given with --to {form.name}", known[name].option)
    found: ExportAnswer = imported(form.write)(asked, running)
    return msgspec.structs.replace(found, to=form.name, suffix=form.suffix)


def document(found: ExportAnswer) -> str:
    """Return the file."""
    from analysis.front.render.csv import csv_text

    return found.text or csv_text(export_page(found))


def exported(tree: Any, title: str, players: tuple[str, str]) -> ExportAnswer:
    """Return a tree, a `solver.extensive.ExtensiveGame`, as text."""
    from solver.gambit import ROUNDED, efg_lines, num_rounded

    rounded = num_rounded(tree)
    return ExportAnswer(
        title=title,
        text="\n".join(efg_lines(tree, title=title, player_names=players)) + "\n",
        size={"nodes": tree.num_nodes, "decisions": tree.num_infosets},
        remarks=[f"{ROUNDED.format(rounded).capitalize()}."] if rounded else [],
    )


def export_page(found: ExportAnswer) -> Page:
    """Return what is in the file, of a table with its first rows."""
    size = ", ".join(f"{number:,} {what}" for what, number in found.size.items())
    facts = [Fact(what, what, number, "count") for what, number in found.size.items()]
    sections: list[Section] = [Facts([Fact("title", "what", found.title), *facts])]
    data = None
    if found.table:
        data = data_of(list(found.table))
        columns = [
            Column(each.key, each.head.replace("_", " "), _kind(found.table[0][each.key]))
            for each in data.columns
        ]
        sections.append(Table(columns, data.rows[:_SHOWN], f"The first {_SHOWN} rows"))
    return Page(
        headline=f"{found.title}: {size}.",
        sections=sections,
        notes=found.remarks,
        data=data,
        method=["`--format file`, which is the usual one, writes the file itself."],
    )


def _kind(cell: Cell) -> Any:
    return "number" if isinstance(cell, float) else "count" if isinstance(cell, int) else "word"


# ---- games that are trees ----------------------------------------------------------------------------------


class Export(msgspec.Struct, Generic[S], frozen=True, kw_only=True):
    """Which game is written."""

    setup: S
    max_nodes: Annotated[int, MAX_NODES] = 200_000
    rules: RulesFiles = RulesFiles()


def export_of(game: Any) -> Question[Any, ExportAnswer]:
    """Return the question of a game that is small enough to be a tree."""
    tree = "a tree that Gambit and OpenSpiel read, with exact numbers"
    profile = "how both play in an equilibrium, in the order of that tree, as the tools of Gambit read it"
    return export_question(
        Export[game.setup],
        [
            Form(name="efg", about=tree, write=partial(_tree, game), suffix="efg"),
            Form(name="profile", about=profile, write=partial(_profile, game), suffix="csv"),
        ],
        about="Write the whole game for other programs.",
    )


def _tree(game: Any, asked: Any, running: Running) -> ExportAnswer:
    rules = game.rules_of(asked.rules)
    tree = tree_of(game, rules, asked.setup, asked.max_nodes)
    return exported(tree, f"{game.title}, {rules.name}", ("seat 1", "seat 2"))


def _profile(game: Any, asked: Any, running: Running) -> ExportAnswer:
    from solver.gambit import profile_text
    from solver.sequence_form import solve_sequence_form

    rules = game.rules_of(asked.rules)
    tree = tree_of(game, rules, asked.setup, asked.max_nodes)
    solved = solve_sequence_form(tree)
    return ExportAnswer(
        title=f"{game.title}, {rules.name}: an equilibrium",
        text=profile_text(tree, solved.strategy.tolist()),
        size={"nodes": tree.num_nodes, "decisions": tree.num_infosets},
        remarks=[f"It is worth {solved.value + 0.0:.6g} to seat 1; NashConv {solved.nash_conv:.1e}."],
    )
