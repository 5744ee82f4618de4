"""``solve``: the equilibrium of a game small enough for a tree, exact but for rounding."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, Generic, TypeVar

import msgspec

from analysis.errors import RefusedError
from analysis.front.bundles import RulesFiles
from analysis.front.page import Cell, Column, Fact, Facts, Page, Table
from analysis.front.parameters import param
from analysis.front.question import Amount, Answer, Question, Running, imported
from analysis.front.verbs.match import described

__all__ = ["Decision", "Solve", "SolveAnswer", "solve_of", "tree_of"]

S = TypeVar("S")


class Solve(msgspec.Struct, Generic[S], frozen=True, kw_only=True):
    """Which game is solved."""

    setup: S
    max_nodes: Annotated[
        int, param("Larger trees are refused.", ge=1, le=50_000_000, unit="nodes", more=True)
    ] = 200_000
    rules: RulesFiles = RulesFiles()


class Decision(msgspec.Struct, frozen=True):
    """What a player does where it knows this: the share of each move."""

    seat: int
    knows: str
    mix: dict[str, float]


class SolveAnswer(Answer, frozen=True, kw_only=True):
    """An equilibrium.

    Attributes
    ----------
    value : what the first seat is paid on average.
    nash_conv : what both together could gain by playing otherwise; only rounding is left of it.
    decisions : in the order in which they can come up.
    """

    setup: dict[str, str]
    value: float
    nash_conv: float
    nodes: int
    infosets: int
    decisions: list[Decision]


def solve_of(game: Any) -> Question[Any, SolveAnswer]:
    """Return the question of a game."""
    return Question(
        name="solve",
        about="Solve the whole game: what it is worth, and how it is played.",
        asked=Solve[game.setup],
        answers=SolveAnswer,
        function=partial(answer, game),
        page=solve_page,
        exactness="exact",
        amounts=solve_amounts,
    )


def tree_of(game: Any, rules: Any, setup: Any, max_nodes: int) -> Any:
    """Return a game as a tree; RefusedError if it is too large."""
    from solver.extensive import build_game

    try:
        return build_game(imported(game.tree)(rules, setup), max_nodes=max_nodes)
    except MemoryError:
        raise RefusedError(f"the tree has more than {max_nodes:,} nodes; allow more (--max-nodes)") from None


def answer(game: Any, asked: Solve[Any], running: Running) -> SolveAnswer:
    """Solve a game."""
    from solver.sequence_form import solve_sequence_form

    rules = game.rules_of(asked.rules)
    tree = tree_of(game, rules, asked.setup, asked.max_nodes)
    running.note("solving", 0, 1)
    solved = solve_sequence_form(tree)
    decisions = []
    for infoset in range(tree.num_infosets):
        slots = range(tree.first_slot[infoset], tree.first_slot[infoset + 1])
        mix = {str(tree.slot_labels[slot]): float(solved.strategy[slot]) for slot in slots}
        decisions.append(
            Decision(int(tree.infoset_player[infoset]) + 1, str(tree.infoset_keys[infoset]), mix)
        )
    return SolveAnswer(
        rules=game.rules_note(rules),
        setup=described(asked.setup),
        value=solved.value,
        nash_conv=solved.nash_conv,
        nodes=tree.num_nodes,
        infosets=tree.num_infosets,
        decisions=decisions,
    )


def solve_amounts(found: SolveAnswer) -> list[Amount]:
    """Return what can be compared between two solves."""
    return [Amount("value", "value for the first seat", found.value, "signed")]


def solve_page(found: SolveAnswer) -> Page:
    """Return how an equilibrium looks."""
    side = "first" if found.value > 0 else "second"
    headline = f"The {side} seat gains {abs(found.value):.3g} on average, whoever sits there plays well."
    if abs(found.value) <= max(found.nash_conv, 1e-9):
        headline = "Neither seat is better, if both sides play well."
    facts = [
        Fact("value", "value for the first seat", found.value, "signed", 4),
        Fact("nodes", "nodes of the tree", found.nodes, "count"),
        Fact("infosets", "decisions", found.infosets, "count"),
    ]
    columns = [Column("seat", "seat", "count"), Column("knows", "knows"), Column("move", "move")]
    columns.append(Column("share", "share", "share"))
    rows: list[list[Cell]] = [
        [decision.seat, decision.knows, move, share]
        for decision in found.decisions
        for move, share in decision.mix.items()
    ]
    return Page(
        headline=headline,
        sections=[Facts(facts), Table(columns, rows)],
        notes=["Equilibria need not be unique: compare values, not shares."],
        method=["A linear program over the sequence form (HiGHS); the value is proved but for rounding."],
        details=1,
    )
