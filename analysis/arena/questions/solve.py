"""``arena solve``: a game of a file, with how sure the answer is."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from analysis.amounts import counted
from analysis.arena.report import EquilibriumReport, GameReport
from analysis.errors import RequestError
from analysis.files import STDOUT
from analysis.front.page import Cell, Column, Fact, Facts, Page, Section, Table, data_of
from analysis.front.parameters import param
from analysis.front.question import Question, Running
from engine.bounded import read_bounded

MOST_BYTES = 1 << 26
"""Of a file with a game."""
MAX_ROWS = 40
"""Of strategies in tables for people; all are in JSON and CSV."""
_ITERATIONS = 10_000
_COLUMNS = [Column(key, key) for key in ("player", "infoset", "action", "plays")]


class Solve(msgspec.Struct, frozen=True, kw_only=True):
    """Which file, and how it is solved."""

    file: Annotated[Path, param("An .efg or .nfg file; - for stdin.", argument=True)]
    method: Annotated[
        Literal["auto", "exact", "lp", "cfr"],
        param("auto: fractions where the game is small, else a linear program, else CFR."),
    ] = "auto"
    variant: Annotated[Literal["pcfr+", "cfr+", "dcfr", "cfr"], param("Of CFR; pcfr+ predicts.")] | None = (
        None
    )
    iterations: (
        Annotated[int, param("Of CFR, at most; 10,000 if not said.", ge=1, le=10_000_000, unit="iterations")]
        | None
    ) = None
    target: (
        Annotated[
            float,
            param(
                "NashConv at which CFR stops, in payoffs of the game; exit code 3 if it is not reached.",
                ge=0.0,
                le=1e300,
            ),
        ]
        | None
    ) = None
    max_nodes: Annotated[
        int,
        param(
            "Refuse larger trees, and more combinations of strategies.", ge=1, le=100_000_000, unit="nodes"
        ),
    ] = 1_000_000


def answer(asked: Solve, running: Running) -> GameReport:
    """Solve the game of a file."""
    from analysis.arena.game_files import solve_bytes
    from analysis.arena.solving import VARIANTS, Effort

    if asked.method in ("exact", "lp"):
        for option in ("variant", "iterations", "target"):
            if getattr(asked, option) is not None:
                said = f"does nothing here: only CFR heeds it, and the method is {asked.method}"
                raise RequestError(said, f"--{option}")
    try:
        from_stdin = asked.file == STDOUT
        data = sys.stdin.buffer.read(MOST_BYTES) if from_stdin else read_bounded(asked.file, MOST_BYTES)
    except OSError as error:
        said = f"cannot read {str(asked.file)!r}: {error.strerror or error}"
        raise RequestError(said, "FILE") from None
    effort = Effort(
        asked.method,
        asked.variant or VARIANTS[0],
        asked.iterations or _ITERATIONS,
        asked.target,
        asked.max_nodes,
    )
    found = solve_bytes(data, str(asked.file), effort)
    return msgspec.structs.replace(found, reached=asked.target is None or found.converged)


def page(found: GameReport) -> Page:
    """Return facts, and a table for each equilibrium; long ones are cut, with a word about it."""
    sections: list[Section] = [Facts(_facts(found))]
    listed: list[dict[str, Cell]] = []
    for index, each in enumerate(found.equilibria, 1):
        rows: list[list[Cell]] = []
        for infoset in each.strategies:
            for action in infoset.actions:
                head: dict[str, Cell] = {
                    "value": found.value,
                    "nash_conv": each.nash_conv,
                    "method": found.method,
                }
                listed.append(
                    {
                        **head,
                        "equilibrium": index,
                        "player": infoset.player,
                        "infoset": infoset.infoset,
                        "action": action.action,
                        "probability": action.probability,
                        "exact": action.exact,
                    }
                )
                if action.probability > 0:
                    plays = _with_fraction(action.probability, action.exact)
                    rows.append([infoset.player, infoset.infoset, action.action, plays])
        sections.append(Table(_COLUMNS, rows[:MAX_ROWS], title=_title(found, index, each, len(rows))))
    name = " ".join((found.title or found.file).split())
    return Page(headline=f"{name}: {_exactness(found)}.", sections=sections, data=data_of(listed))


def _title(found: GameReport, index: int, each: EquilibriumReport, rows: int) -> str:
    title = "Strategies"
    if found.value is None:
        exact: list[str] | list[None] = each.exact_payoffs or [None, None]
        title = f"Equilibrium {index}, payoffs {', '.join(map(_with_fraction, each.payoffs, exact))}"
    if rows > MAX_ROWS:
        title += f" (the first {MAX_ROWS} rows of {rows}; all with --format json or csv)"
    return title


def _exactness(found: GameReport) -> str:
    if found.method == "exact linear program":
        return "exact: solved and checked in fractions, nobody can gain anything"
    if found.method == "extreme equilibria":
        return "exact: all extreme equilibria, checked in fractions; any other is a mixture of some of these"
    if found.value is not None:
        ends = f"{_number(found.lower)} and {_number(found.upper)}"
        return f"certified: the value lies between {ends} (NashConv {found.nash_conv:.1e})"
    return f"verified: nobody can gain more than {found.nash_conv:.1e}; there may be other equilibria"


def _number(amount: float | None) -> str:
    """Return an amount in up to nine digits."""
    return "-" if amount is None else f"{amount + 0.0:.9g}"


def _with_fraction(amount: float, exact: str | None) -> str:
    rounded = _number(amount)
    return rounded if exact is None or exact == rounded or len(exact) > 40 else f"{rounded} ({exact})"


def _facts(found: GameReport) -> list[Fact]:
    size = ", ".join(f"{name} {count}" for name, count in found.size.items())
    facts = [Fact("players", "players", ", ".join(found.players)), Fact("size", "size", size)]
    payoffs = ""
    if found.constant_sum is None:
        payoffs = "general-sum"
    elif found.sum_deviation:
        rounded = f"sum to {found.constant_sum} but for rounding, at most {found.sum_deviation:.1e} off"
        payoffs = f"{rounded}; those of {found.players[0]} are solved"
    elif found.constant_sum != "0":
        payoffs = f"sum to {found.constant_sum}"
    if payoffs:
        facts.append(Fact("payoffs", "payoffs", payoffs))
    if found.value is not None:
        value = f"{_with_fraction(found.value, found.exact_value)} to {found.players[0]}"
        facts.append(Fact("value", "value", value))
    steps = f", {counted(found.iterations, 'iteration')}" if found.iterations else ""
    return [*facts, Fact("method", "method", found.method + steps)]


QUESTION = Question(
    name="solve",
    about="Solve a two-player game that another program has written. That is an .efg or .nfg file of Gambit's"
    " formats. Trees whose payoffs sum to a constant, with perfect recall: the value to the first player, an"
    " equilibrium, and a certificate of it. Games in strategic form: the same, or, where payoffs do not sum"
    " to a constant, all extreme equilibria of small games and verified ones of larger games; so are trees"
    " in which both can gain, by their plans, up to 4000 pairs.",
    asked=Solve,
    answers=GameReport,
    function=answer,
    page=page,
    exactness="bounded",
    examples=(
        "solve poker.efg",
        "solve battle.nfg --format json",
        "solve large.efg --method cfr --target 0.001",
    ),
)
