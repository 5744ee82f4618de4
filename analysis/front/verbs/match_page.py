"""What a ``match`` answers, how that looks, and which of its figures can be compared."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from analysis.amounts import counted
from analysis.estimates import Estimate, around
from analysis.front.page import Cell, Column, Fact, Facts, Format, Page, Section, Table
from analysis.front.question import Amount, Answer
from analysis.front.render.numbers import number_text
from analysis.front.render.tables import unit_of
from analysis.front.verdicts import Best, Figure, best, doubt_said, side_of
from analysis.symmetry import WHY

__all__ = ["Group", "Lead", "Length", "MatchAnswer", "Side", "match_amounts", "match_page"]

QUANTILES = {"tenth": 10, "median": 50, "ninetieth": 90}
FIRST = "the first player"
"""Whose wins a group counts where it does not say it otherwise; a page has the player's name."""
MOST_SHOWN = 12
"""Members of a group, such as maps, that a page and the figures to compare list."""


class Side(msgspec.Struct, frozen=True):
    """What one player won.

    Attributes
    ----------
    name, player : what it is called, and who played, as on the command line.
    won : share of the plays, draws shared; or the mean payoff. Its interval is over deals.
    by_seat : the same where it sat first, second, ...
    """

    name: str
    player: str
    won: Estimate
    by_seat: list[Estimate]


class Length(msgspec.Struct, frozen=True):
    """How long plays were: the mean, and what 10, 50 and 90 % of them did not exceed.

    Attributes
    ----------
    error : standard error of the mean, of deals; None where it is not known.
    """

    unit: str
    mean: float
    tenth: int
    median: int
    ninetieth: int
    error: float | None = None


_OVERTAKEN = "times that the lead changes, mean"


class Lead(msgspec.Struct, frozen=True):
    """Who was ahead when a turn, wave or round was over.

    Attributes
    ----------
    time : its number.
    plays : that went on after it.
    level : share of them in which several had most points.
    ahead : by player, share of them in which it had more points than anybody else.
    leader_won : what whoever was ahead won in the end; None if nobody ever was.
    """

    time: int
    plays: int
    level: float
    ahead: list[float]
    leader_won: float | None


class Group(msgspec.Struct, frozen=True):
    """Plays that have something in common, and what was won in them.

    Attributes
    ----------
    of : whose wins these are.
    """

    group: str
    name: str
    of: str
    plays: int
    won: float


class MatchAnswer(Answer, frozen=True, kw_only=True):
    """What players won.

    Attributes
    ----------
    first_seat : what whoever sat first won, over all players: whether the first seat gains.
    draws : share of plays.
    leads : empty where the game has no score.
    overtaken : how often in a play somebody comes to be ahead where another one has been, on average.
    groups : plays by how they ended, and by what else the game tells apart.
    by_design : whether all shares are equal because one player plays itself (`analysis.symmetry`).
    best : who wins most, as far as these deals tell.
    within : what `--within` asked for.
    """

    measure: str
    by_design: bool
    setup: dict[str, str]
    asked_deals: int
    deals: int
    plays: int
    sides: list[Side]
    first_seat: Estimate
    draws: float
    length: Length | None
    groups: list[Group]
    # Answers of a version ago have none.
    leads: Sequence[Lead] = ()
    overtaken: float | None = None
    best: Best = Best()
    within: float | None = None


def match_amounts(found: MatchAnswer) -> list[Amount]:
    """Return what can be compared between two matches."""
    kind: Format = "share" if found.measure == "share" else "signed"
    amounts = [
        Amount(f"won_{place}", f"player {place} wins", side.won, kind)
        for place, side in enumerate(found.sides, 1)
    ]
    amounts.append(Amount("first_seat", "first seat wins", found.first_seat, kind))
    amounts.append(Amount("draws", "draws", found.draws, "share"))
    if found.length is not None:
        length = found.length
        known = length.error is not None
        mean = around(length.mean, length.error or 0.0, found.deals) if known else length.mean
        amounts.append(Amount("length", f"{length.unit}, mean", mean, "number"))
        amounts += [
            Amount(f"length_{key}", f"{length.unit}, {share} % have at most", getattr(length, key), "count")
            for key, share in QUANTILES.items()
        ]
    amounts += [
        Amount(
            f"leader_{each.time}", f"whoever is ahead after {_when(found, each)} wins", each.leader_won, kind
        )
        for each in found.leads[:MOST_SHOWN]
    ]
    if found.overtaken is not None:
        amounts.append(Amount("overtaken", _OVERTAKEN, found.overtaken, "number"))
    amounts += [
        Amount(f"{each.group}_{each.name}", f"{each.group} {each.name}: {each.of} wins", each.won, kind)
        for each in _shown(found)
    ]
    return amounts


def _unshown(found: MatchAnswer) -> dict[str, int]:
    """How many members those groups have that are too many for a table."""
    sizes: dict[str, int] = {}
    for each in found.groups:
        sizes[each.group] = sizes.get(each.group, 0) + 1
    return {group: number for group, number in sizes.items() if number > MOST_SHOWN}


def _shown(found: MatchAnswer) -> list[Group]:
    return [each for each in found.groups if each.group not in _unshown(found)]


def match_page(found: MatchAnswer) -> Page:
    """Return how a match looks."""
    kind: Format = "share" if found.measure == "share" else "signed"
    seats = range(1, len(found.sides) + 1)
    columns = [Column("name", "player"), Column("won", "wins" if kind == "share" else "payoff", kind)]
    columns += [Column(f"seat_{seat}", f"in seat {seat}", kind) for seat in seats]
    rows: list[list[Cell]] = [
        [side.name, _won(found, side), *(each.mean for each in side.by_seat)] for side in found.sides
    ]
    facts = [
        Fact("plays", "plays", found.plays, "count"),
        Fact("first_seat", "whoever sits first wins", found.first_seat, kind),
        Fact("draws", "draws", found.draws, "share"),
    ]
    if found.length is not None:
        length = found.length
        facts.append(Fact("length", f"{length.unit}, mean", length.mean, "number", 1))
        for key, share in QUANTILES.items():
            text = f"{share} % of plays have at most"
            facts.append(Fact(key, text, getattr(length, key), "count"))
    if found.overtaken is not None:
        facts.append(Fact("overtaken", _OVERTAKEN, found.overtaken, "number"))
    sections: list[Section] = [Table(columns, rows), Facts(facts)]
    if found.leads:
        sections.append(_leads(found, kind))
    shown = _shown(found)
    for group in dict.fromkeys(each.group for each in shown):
        members = [each for each in shown if each.group == group]
        heads = [Column(group, group), Column("plays", "plays", "count")]
        whose = found.sides[0].name if members[0].of == FIRST else members[0].of
        heads.append(Column("won", f"{whose} wins", kind))
        sections.append(Table(heads, [[each.name, each.plays, each.won] for each in members]))
    notes = [*_first(found), "The figures hold for these players; a better one may change them."]
    notes += [
        f"JSON lists the {number} {group} that were played." for group, number in _unshown(found).items()
    ]
    if found.by_design:
        notes.append(WHY)
    if not found.reached and found.within is not None:
        notes.append(f"The deals did not suffice to know what players win within {found.within:g}.")
    if not found.complete:
        notes.append(f"Stopped early: {found.deals:,} of {found.asked_deals:,} deals are finished.")
    return Page(headline=_headline(found), sections=sections, notes=notes, method=_method(found))


def _won(found: MatchAnswer, side: Side) -> Cell:
    return side.won.mean if found.by_design else side.won


def _first(found: MatchAnswer) -> list[str]:
    """Return whether the first seat gains, as far as the plays tell."""
    even, first = _even(found), found.first_seat
    side = side_of(first, even) if found.complete else "open"
    known = {"above": ["Whoever sits first gains by it."], "below": ["Whoever sits first loses by it."]}
    return known.get(side, [])


def _even(found: MatchAnswer) -> float:
    return 1.0 / len(found.sides) if found.measure == "share" else 0.0


def _when(found: MatchAnswer, lead: Lead) -> str:
    unit = "turns" if found.length is None else found.length.unit
    return f"{unit.removesuffix('s')} {lead.time}"


def _leads(found: MatchAnswer, kind: Format) -> Table:
    columns = [Column("after", "after"), Column("lead_plays", "plays", "count")]
    columns += [Column(f"ahead_{place}", side.name, "share") for place, side in enumerate(found.sides, 1)]
    columns += [Column("level", "level", "share"), Column("leader_won", "whoever is ahead wins", kind)]
    rows: list[list[Cell]] = [
        [_when(found, each), each.plays, *each.ahead, each.level, each.leader_won] for each in found.leads
    ]
    return Table(columns, rows, "Who is ahead")


def _headline(found: MatchAnswer) -> str:
    if not found.deals:
        return "No deal is finished."
    if found.by_design:
        return "One player plays itself: no side can win more than the other."
    first = max(found.sides, key=lambda side: side.won.mean or 0.0)
    kind: Format = "share" if found.measure == "share" else "signed"
    much = "" if first.won.mean is None else f"{number_text(first.won.mean, kind)}{unit_of(kind)}"
    said = f"{first.name} wins {much} ({doubt_said(first.won, kind)})"
    if not found.complete:
        return f"Stopped early: {said} in {found.deals:,} of {found.asked_deals:,} deals."
    # An answer of before has no comparison by deals.
    leader = found.best if found.best.names else best([Figure(each.name, each.won) for each in found.sides])
    if leader.kind == "one":
        return f"{said}, more than {'the other' if len(found.sides) == 2 else 'all others'}."
    if leader.kind == "among":
        return f"{leader.said('wins most', 'win most')[:-1]}; {said}."
    return f"{said}: these {found.plays:,} plays do not tell which player is stronger."


def _method(found: MatchAnswer) -> list[str]:
    method = [
        f"{counted(found.deals, 'deal')}, each once from every seat with the same luck: a deal is one"
        " observation.",
        "Intervals hold with 95 % confidence.",
    ]
    if found.setup:
        method.append(
            "; ".join(f"{name.replace('_', ' ')}: {text}" for name, text in found.setup.items()) + "."
        )
    return method
