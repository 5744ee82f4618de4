"""What a hint by playouts, and a review of a person's decisions, say: lines for any game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from analysis.estimates import Estimate, quantile
from analysis.front.page import Cell, Column, Fact, Facts, Format, Section, Table
from analysis.front.render.numbers import number_text
from analysis.front.render.tables import unit_of
from analysis.reviewed import Decision, Split, review, shares

__all__ = ["SPLIT_NOTE", "Tried", "hint_lines", "review_lines", "split_sections", "split_words"]

SPLIT_NOTE = (
    "The parts add up to the result. Luck is what neither side's decisions explain: draws, hidden cards, and"
    " which of several good moves was made; on average it is nothing where values are exact."
)


class Tried(Protocol):
    """A move, and what it is worth by playouts with the same luck as those of the others.

    Attributes
    ----------
    win, error : its chance to win, with the standard error.
    behind, behind_error : how far it is behind the first move; `told` whether it surely is.
    playouts : how many say so.
    """

    @property
    def text(self) -> str: ...
    @property
    def win(self) -> float: ...
    @property
    def error(self) -> float: ...
    @property
    def behind(self) -> float: ...
    @property
    def behind_error(self) -> float: ...
    @property
    def told(self) -> bool: ...
    @property
    def playouts(self) -> int: ...


def hint_lines(options: Sequence[Tried], *, alike: bool, who: str) -> list[str]:
    """Return what moves are worth, the best first, and which are not told apart from it.

    Parameters
    ----------
    alike : whether all moves went alike in all playouts.
    who : who plays the playouts.
    """
    if not options:
        return ["there is nothing here that playouts could try"]
    lines = [f"chances to win, by playouts of {who}:"]
    lines += [f"  {_worth(option)}  {option.text}{_behind(option)}" for option in options]
    others = options[1:]
    tried = min((option.playouts for option in others if not option.told), default=0)
    if alike and others:
        lines.append(f"All moves went alike in all {tried} playouts of each: more may not tell them apart.")
    elif tried:
        number = sum(not option.told for option in others)
        which = "None of the others is" if number == len(others) else f"{number} of the others are not"
        lines.append(f"{which} told apart from the first by {tried} playouts of each; --playouts tells more.")
    return lines


def review_lines(decisions: Sequence[Decision], result: float) -> list[str]:
    """Return what decisions cost, what is not known of them, and what they made of the result (1: a win)."""
    said = review(decisions, "--playouts")
    heading = [said.heading] if said.heading else []
    whole = [shares(decisions, result)] if decisions else []
    return [*heading, *(f"  {decision}" for decision in said.named), *said.sentences, *whole]


def _worth(option: Tried) -> str:
    """A chance to win, with the half of its interval."""
    if not option.playouts:
        return "  ?     "
    return f"{100 * option.win:3.0f} ±{100 * min(1.0, quantile() * option.error):.0f} %"


def _behind(option: Tried) -> str:
    """How far a move is surely behind the first, if it is."""
    if not option.told:
        return ""
    if option.behind <= quantile() * option.behind_error:
        # Surely behind the move that was ahead then, which is no longer the first.
        return f" (left after {option.playouts} playouts)"
    return f" ({100 * option.behind:.0f} ±{100 * quantile() * option.behind_error:.0f} % behind)"


def split_words(found: Split, kind: Format) -> str:
    """Return how a result is split, in a sentence."""
    luck, own, other = (number_text(each, kind) for each in (found.luck, found.own, found.other))
    unit = unit_of(kind)
    return f"Luck {luck}{unit}, your decisions {own}, the others' {other}."


def split_sections(found: Split, what: str, kind: Format) -> list[Section]:
    """Return a result as luck and decisions: in all, and from one decision of the person's to the next.

    Parameters
    ----------
    what : is split, in words.
    kind : how its figures are written.
    """
    luck: Cell = found.luck
    own: Cell = found.own
    other: Cell = found.other
    if found.errors is not None:
        one, two = found.errors
        # No decision is worth more than the best one.
        own = Estimate(found.own, found.own - one, min(0.0, found.own + one), len(found.parts))
        other = Estimate(found.other, max(0.0, found.other - two), found.other + two, len(found.parts))
        luck = Estimate(found.luck, found.luck - one - two, found.luck + one + two, len(found.parts))
    facts = [
        Fact("result", "result", found.result, kind),
        Fact("start", "where the split begins", found.start, kind),
        Fact("luck", "luck", luck, kind),
        Fact("own", "your decisions", own, kind),
        Fact("other", "the others' decisions", other, kind),
    ]
    columns = [Column("when", "your decision"), Column("value", "worth", kind), Column("own", "you", kind)]
    columns += [Column("other", "others", kind), Column("luck", "luck", kind)]
    rows: list[list[Cell]] = [
        [each.when, each.value, each.own, each.other, each.luck] for each in found.parts
    ]
    title = "From each of your decisions to the next"
    return [Facts(facts, f"Luck and decisions: {what}"), Table(columns, rows, title)]
