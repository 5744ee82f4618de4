"""``export``: small games for other people's solvers, and strategies as tables."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from analysis.errors import WorkError
from analysis.files import check_output, write_atomically
from analysis.front.bundles import RulesFiles, Seeded
from analysis.front.page import Cell, Column, Fact, Facts, Page, Section, Table, data_of
from analysis.front.parameters import Bundle, param
from analysis.front.question import Answer, Question, Running
from analysis.front.verbs.export import ExportAnswer, export_page, exported
from analysis.ragers.bundles import (
    Cheers,
    CheersCards,
    History,
    Limits,
    Patron,
    Patrons,
    Preparation,
    solving_command,
)
from analysis.ragers.scenarios import scenarios
from engine.ragers.rules import PLAYERS

if TYPE_CHECKING:
    from analysis.ragers.scenarios import Scenario
    from solver.extensive import ExtensiveGame

__all__ = ["QUESTIONS"]

_SHOWN = 10
"""Rows of a table of strategies that a page shows; CSV has all."""
_HANDS = (
    "Both hands, known to both players, with nothing left to draw: B S P, a bar, S S B. --history then"
    " begins there, in each step the Accusers' card, a slash, the Defenders', - for nothing."
)
MaxNodes = Annotated[int, param("Larger trees are refused.", ge=1, le=50_000_000, unit="nodes", more=True)]
Parquet = Annotated[Path, param("Write the rows to this file as Parquet, too (extra `parquet`).", more=True)]


class SmallDay(Bundle, frozen=True, kw_only=True):
    """A day; with known hands, what is left of it after the history."""

    patron: Patron = "solennos"
    cheers: Cheers = "two-bashers"
    preparation: Preparation = "none"
    hands: Annotated[str, param(_HANDS, metavar="CARDS|CARDS")] | None = None
    history: History = ""

    def scenario(self, files: RulesFiles) -> Scenario:
        """Return the day by some rules."""
        from analysis.ragers.game import GAME

        rules = GAME.rules_of(files)
        return scenarios(rules, [self.patron], [self.cheers], self.preparation)[0]

    def tree(self, files: RulesFiles, max_nodes: int) -> tuple[ExtensiveGame, str]:
        """Return it as a tree, and what to call it."""
        from analysis.ragers.play.trees import tree

        return tree(self.scenario(files), self.hands, self.history or None, max_nodes)


class Tree(msgspec.Struct, frozen=True, kw_only=True):
    """Which day is written as a tree, and whether it is solved, too."""

    day: SmallDay = SmallDay()
    max_nodes: MaxNodes = 1_000_000
    profile: (
        Annotated[
            Path,
            param(
                "Solve the tree, and write how both play to this file, as Gambit's tools read it.", more=True
            ),
        ]
        | None
    ) = None
    rules: RulesFiles = RulesFiles()


class TreeAnswer(ExportAnswer, frozen=True, kw_only=True):
    """A day as a tree; `solved` says what it is worth, if it was solved."""

    solved: str = ""


def write_tree(asked: Tree, running: Running) -> TreeAnswer:
    """Write a day as a tree."""
    from analysis.ragers.play.exporting import profile

    if asked.profile is not None:
        check_output(asked.profile, "--profile")
    game, title = asked.day.tree(asked.rules, asked.max_nodes)
    text, solved = ("", "") if asked.profile is None else profile(game)
    if asked.profile is not None:
        _write(asked.profile, text.encode())
    found = exported(game, title, (PLAYERS[0], PLAYERS[1]))
    return TreeAnswer(**msgspec.structs.asdict(found) | {"solved": solved})


def tree_page(found: TreeAnswer) -> Page:
    """Return how large the tree is, and what it is worth."""
    page = export_page(found)
    notes = [f"{found.nodes} nodes, {found.infosets} infosets.", *page.notes]
    return msgspec.structs.replace(page, notes=[*notes, *([f"{found.solved}."] if found.solved else [])])


class Matrix(msgspec.Struct, frozen=True, kw_only=True):
    """Which day is written as a matrix, and how its plans are called."""

    day: SmallDay = SmallDay(hands="B S P | S S B")
    max_plans: Annotated[
        int, param("More plans of a player are refused.", ge=1, le=100_000, unit="plans", more=True)
    ] = 2000
    numbered: Annotated[
        bool, param("Number the plans instead of naming them: all that OpenSpiel reads.", more=True)
    ] = False
    rules: RulesFiles = RulesFiles()


class MatrixAnswer(Answer, frozen=True, kw_only=True):
    """A game in reduced normal form as text, and how many plans each player has."""

    text: str
    plans: tuple[int, int]


def write_matrix(asked: Matrix, running: Running) -> MatrixAnswer:
    """Write a day as a matrix."""
    from analysis.ragers.play.exporting import nfg

    game, title = asked.day.tree(asked.rules, 200_000)
    text, plans = nfg(game, title, max_plans=asked.max_plans, numbered=asked.numbered)
    return MatrixAnswer(text=text, plans=plans)


def matrix_page(found: MatrixAnswer) -> Page:
    """Return how large the matrix is."""
    heads = [f"plans of the {name.capitalize()}" for name in PLAYERS]
    facts = [
        Fact(name, head, number, "count")
        for name, head, number in zip(PLAYERS, heads, found.plans, strict=True)
    ]
    return Page(
        headline=f"The game is a matrix of {found.plans[0]} by {found.plans[1]} plans.",
        sections=[Facts(facts)],
    )


class Behaviour(msgspec.Struct, frozen=True, kw_only=True):
    """Which small day is solved."""

    day: SmallDay = SmallDay(hands="B S P | S S B")
    max_nodes: MaxNodes = 200_000
    parquet: Parquet | None = None
    rules: RulesFiles = RulesFiles()


class Strategies(msgspec.Struct, frozen=True, kw_only=True):
    """Which openings are written, or which later decision."""

    patron: Patrons = ()
    cheers: CheersCards = ()
    preparation: Preparation = "redraw"
    history: History = ""
    parquet: Parquet | None = None
    effort: Limits = Limits()
    chance: Seeded = Seeded()
    rules: RulesFiles = RulesFiles()


class StrategiesAnswer(Answer, frozen=True, kw_only=True):
    """How players play, a row for each action; what it is worth; days that are not stored."""

    strategy: list[dict[str, str | int | float | None]]
    said: str = ""
    missing: list[str] = msgspec.field(default_factory=list)


def write_behaviour(asked: Behaviour, running: Running) -> StrategiesAnswer:
    """Solve a small day."""
    _check(asked.parquet)
    from analysis.ragers.play.exporting import behaviour

    day = asked.day
    rows, said = behaviour(day.scenario(asked.rules), day.hands, day.history or None, asked.max_nodes)
    return _table(rows, asked.parquet, said=said)


def write_strategies(asked: Strategies, running: Running) -> StrategiesAnswer:
    """Read stored openings, or solve on from them."""
    _check(asked.parquet)
    from analysis.ragers.game import GAME
    from analysis.ragers.play.exporting import strategies

    todo = scenarios(GAME.rules_of(asked.rules), asked.patron, asked.cheers, asked.preparation)
    effort, fresh = asked.effort.limits(asked.chance.seed), asked.effort.fresh
    rows, missing = strategies(todo, asked.history or None, effort, running.reporter, fresh=fresh)
    if not rows:
        command = solving_command(asked.rules, asked.patron, asked.cheers, asked.preparation)
        raise WorkError(f"nothing is stored for these scenarios; solve them first: {command}")
    return _table(rows, asked.parquet, missing=missing)


def _check(parquet: Path | None) -> None:
    if parquet is not None:
        check_output(parquet, "--parquet")


def _table(rows: list[dict[str, Any]], parquet: Path | None, **further: Any) -> StrategiesAnswer:
    if parquet is not None:
        from analysis.ragers.play.exporting import parquet_bytes

        _write(parquet, parquet_bytes(rows))
    return StrategiesAnswer(strategy=rows, **further)


def _write(path: Path, data: bytes) -> None:
    try:
        write_atomically(path, data)
    except OSError as error:
        raise WorkError(f"cannot write {str(path)!r}: {error.strerror}") from None


def strategies_page(found: StrategiesAnswer) -> Page:
    """Return the first rows, and all of them for CSV."""
    data = data_of(found.strategy)
    columns = [
        Column(each.key, each.head.replace("_", " "), _kind(found.strategy[0][each.key]))
        for each in data.columns
    ]
    shown: list[Section] = [Table(columns, data.rows[:_SHOWN], f"The first {_SHOWN} rows")]
    notes = [f"Not stored: {', '.join(found.missing)}."] if found.missing else []
    said = f"; {found.said}" if found.said else ""
    return Page(headline=f"{len(found.strategy)} rows{said}.", sections=shown, notes=notes, data=data)


def _kind(cell: Cell) -> Any:
    return "number" if isinstance(cell, float) else "count" if isinstance(cell, int) else "word"


def csv_of(found: StrategiesAnswer) -> str:
    """Return all rows as CSV."""
    from analysis.front.render.csv import csv_text

    return csv_text(strategies_page(found))


QUESTIONS = (
    Question(
        name="export efg",
        about="Write a day as an explicit tree that Gambit and OpenSpiel read, exactly, as fractions. Full"
        " decks make trees far beyond any memory: take tiny decks (a rules file), or known --hands. Branches,"
        " deals and infosets are named by cards.",
        asked=Tree,
        answers=TreeAnswer,
        function=write_tree,
        page=tree_page,
        exactness="exact",
        document=lambda found: found.text,
        document_format="efg",
        examples=(
            'export efg --patron arianna --cheers two-bashers --hands "BSP | SSB" -o open-hands.efg',
            'export efg --hands "BS | SP" -o hands.efg --profile profile.csv',
        ),
    ),
    Question(
        name="export nfg",
        about="Write a day, or what is left of one, in reduced normal form for Gambit, exactly, as fractions."
        " A plan says what its owner does wherever its own choices may lead; with one placement left that is"
        " the card placed. There are exponentially many, so give --hands, and a --history to begin late.",
        asked=Matrix,
        answers=MatrixAnswer,
        function=write_matrix,
        page=matrix_page,
        exactness="exact",
        document=lambda found: found.text,
        document_format="nfg",
        examples=(
            'export nfg --patron arianna --cheers two-bashers --hands "BS | SP" -o stage.nfg',
            'export nfg --hands "BSPC | SSBH" --history "B/S; S/B" -o last.nfg',
        ),
    ),
    Question(
        name="export behaviour",
        about="Solve a day that is small enough to be a tree by linear programming, and write its behaviour"
        " strategies. Each infoset and action has a row: what its owner has seen so far, how likely that is,"
        " and how often the action is taken. Infosets are numbered as in the .efg file; those that their"
        " owner never reaches play uniformly.",
        asked=Behaviour,
        answers=StrategiesAnswer,
        function=write_behaviour,
        page=strategies_page,
        exactness="exact",
        document=csv_of,
        document_format="csv",
        examples=('export behaviour --patron arianna --cheers two-bashers --hands "BSP | SSB" -o open.csv',),
    ),
    Question(
        name="export strategies",
        about="Write stored openings: a row for each scenario, player, hand and action, with its share and"
        " its worth. With --history, write the decision that is due then: a row for each player, hand, hidden"
        " cards and action. It is solved on the spot, as ragers advise does, from what the stored openings"
        " and the steps since say about both hands.",
        asked=Strategies,
        answers=StrategiesAnswer,
        function=write_strategies,
        page=strategies_page,
        exactness="bounded",
        document=csv_of,
        document_format="csv",
        examples=("export strategies --patron Solennos --cheers two-bashers -o openings.csv",),
    ),
)
