"""How it looks what one card, patron or cheers card does."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, zip_longest
from statistics import fmean

import msgspec

from analysis.amounts import percent
from analysis.estimates import Estimate
from analysis.front.page import Cell, Column, Format, Page, Section, Table, data_of, flat
from analysis.front.question import Amount
from analysis.front.verdicts import Figure, best
from analysis.ragers.answers.findings import MEANING, VERDICTS
from analysis.ragers.answers.health import CardHealth
from analysis.ragers.only import Beside, CardDay, CardWorth, OnlyAnswer
from analysis.ragers.wording import trust
from analysis.ragers.wording.findings import never_met
from analysis.ragers.wording.names import card, listed
from engine.ragers.rules import TYPES

_MOST_NAMED = 3
"""Among more cards that are not told apart none is named."""


def page(found: OnlyAnswer) -> Page:
    """Return what it does in a sentence, its figures, and how far to trust them."""
    if found.kind == "card":
        headline, sections = _card_headline(found), _card_sections(found)
    else:
        headline, sections = _headline(found), _sections(found)
    return Page(
        headline=headline,
        sections=sections,
        notes=_notes(found),
        method=[MEANING] if found.kind == "card" else [],
        details=1 if found.kind == "cheers card" else 2,
        data=data_of([{"only": found.only, **flat(each)} for each in found.cards or found.beside]),
    )


# ---- patrons and cheers cards ------------------------------------------------------------------------------


def _headline(found: OnlyAnswer) -> str:
    named = f"{found.name} ({found.rule})"
    if found.kind == "patron":
        return f"{named}: {_pays(found.beside[0])}."
    gains = [_gain(each) for each in found.beside]
    known = [gain for gain in gains if gain is not None]
    if not known:
        return f"{named}: {_pays(found.beside[0])}."
    spread = f"{known[0]:+.1f}" if len(known) == 1 else f"{min(known):+.1f} to {max(known):+.1f}"
    patrons = "one patron" if len(known) == 1 else f"{len(known)} patrons"
    return f"{named}: a day pays {spread} GP beside the other cheers cards, under {patrons}."


def _gain(each: Beside) -> float | None:
    return None if each.others is None else each.here.mean_gp - each.others.mean_gp


def _pays(each: Beside) -> str:
    here, others = each.here, each.others
    if others is None:
        return f"a day pays {here.mean_gp:.1f} GP, and {percent(here.draw)} % are drawn"
    return (
        f"a day pays {here.mean_gp:.1f} GP ({here.mean_gp - others.mean_gp:+.1f} beside the others), and"
        f" {percent(here.draw)} % are drawn ({100 * (here.draw - others.draw):+.0f})"
    )


def _sections(found: OnlyAnswer) -> list[Section]:
    if found.kind == "patron":
        return [_figures(found.beside[0]), _by_card(found.beside[0])]
    columns = [Column("patron", "patron"), Column("met", "met", "share", 0)]
    columns += [Column("gp", "GP", "number", 1), Column("gp_change", "change", "signed", 1)]
    columns += [Column("draw", "drawn", "share", 0), Column("draw_change", "change", "gain", 0)]
    columns += [Column("steps", "steps", "number", 1), Column("steps_change", "change", "signed", 1)]
    rows: list[list[Cell]] = []
    for each in found.beside:
        one, other = each.here, each.others
        rows.append(
            [
                *(each.patron, one.met, one.mean_gp, _gain(each), one.draw),
                None if other is None else one.draw - other.draw,
                *(one.steps, None if other is None else _less(one.steps, other.steps)),
            ]
        )
    return [
        Table(columns, rows, f"{found.name}, beside the other cheers cards under the same patron"),
        *map(_by_card, found.beside),
    ]


def _less(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one - other


_FIGURES: tuple[tuple[str, str, Format], ...] = (
    ("mean_gp", "GP of a day", "number"),
    ("draw", "drawn", "share"),
    ("steps", "steps", "number"),
    ("met", "cheers card met", "share"),
)


def _figures(each: Beside) -> Table:
    rows: list[list[Cell]] = []
    for key, head, _ in _FIGURES:
        one, other = (None if some is None else getattr(some, key) for some in (each.here, each.others))
        rows.append([head, one, other])
    columns = [Column("figure", "figure"), Column("here", each.patron, "row")]
    columns.append(Column("others", "others, with the same cheers cards", "row"))
    return Table(columns, rows, "Means over days", kinds=[kind for _, _, kind in _FIGURES])


def _by_card(each: Beside) -> Table:
    """How each card is played with it, and without."""
    columns = [Column("card", "card"), Column("opens", "opens", "share", 0)]
    columns += [Column("opens_change", "change", "gain", 0), Column("placed", "placed", "number")]
    columns += [Column("placed_change", "change", "signed"), Column("gp", "GP", "number")]
    rows: list[list[Cell]] = []
    for name in TYPES:
        one, other = each.here, each.others
        opens = None if other is None else one.opening[name] - other.opening[name]
        placed = None if other is None else one.placed[name] - other.placed[name]
        rows.append([card(name), one.opening[name], opens, one.placed[name], placed, one.card_gp[name]])
    return Table(columns, rows, f"{each.patron}: cards, and what changes beside the others")


# ---- cards -------------------------------------------------------------------------------------------------


def _card_headline(found: OnlyAnswer) -> str:
    named = f"{found.name} ({found.rule})"
    own = next((each for each in found.worths if each.card == found.only), None)
    if own is None:
        return f"{named}: what one more in the hand is worth is not known."
    return f"{named}: one more in the hand is worth {_worth(own)}, {_rank(found.worths, own)}."


def _worth(each: CardWorth) -> str:
    if each.days == 1:
        return f"{each.mean:+.2f} GP against the average card"
    return (
        f"{each.mean:+.2f} GP against the average card ({each.least:+.2f} to {each.most:+.2f} over"
        f" {each.days} days)"
    )


def highest_of(worths: Sequence[CardWorth], *, least: bool) -> str:
    """Return which card is worth most, or least, or among which it is; nothing where none are known."""
    known = [
        Figure(card(each.card), Estimate(each.mean, each.mean - each.error_gp, each.mean + each.error_gp, 0))
        for each in worths
    ]
    found = best(known, least=least, proved=True)
    if found.kind in ("none", "open") or len(found.names) > _MOST_NAMED:
        return ""
    means = {card(each.card): each.mean for each in worths}
    told = [f"{name} {means[name]:+.2f} GP" for name in found.names]
    return told[0] if len(told) == 1 else f"one of {listed(told, 'or')}"


def _rank(worths: Sequence[CardWorth], own: CardWorth) -> str:
    """Return which others it is worth more or less than, further apart than the plans are exact."""
    above = [card(each.card) for each in worths if each.mean - each.error_gp > own.mean + own.error_gp]
    below = [card(each.card) for each in worths if each.mean + each.error_gp < own.mean - own.error_gp]
    others = len(worths) - 1
    told = [f"less than {'all others' if len(above) == others > 1 else listed(above)}"] if above else []
    told += [f"more than {'all others' if len(below) == others > 1 else listed(below)}"] if below else []
    return " and ".join(told) or "not told apart from the other cards"


def _card_sections(found: OnlyAnswer) -> list[Section]:
    columns = [Column("patron", "patron"), Column("what", "what it is, on how many days")]
    columns += [Column("opens", "opens", "share", 0), Column("low", "lowest day", "share", 0)]
    columns += [Column("high", "highest", "share", 0), Column("placed", "placed", "number")]
    columns += [
        Column("steps", "most in step"),
        Column("gp", "GP", "number", 1),
        Column("worth", "worth", "signed", 2),
    ]
    rows: list[list[Cell]] = []
    for patron, group in groupby(found.cards, lambda each: each.patron):
        days = [*group]
        opens = [each.opening for each in days]
        steps = [fmean(step) for step in zip_longest(*(each.placed for each in days), fillvalue=0.0)]
        gps = [each.gp for each in days if each.gp is not None]
        worths = [each.worth_gp for each in days if each.worth_gp is not None and each.verdict != "forbidden"]
        rows.append(
            [
                *(patron, said_verdicts(days), fmean(opens), min(opens), max(opens), sum(steps)),
                str(steps.index(max(steps)) + 1) if sum(steps) else "",
                fmean(gps) if gps else None,
                fmean(worths) if worths else None,
            ]
        )
    worth = [Column("card", "card"), Column("worth", "worth", "signed", 2)]
    worth += [Column("least", "lowest day", "signed", 2), Column("most", "highest", "signed", 2)]
    worth.append(Column("days", "days", "count"))
    each_day = [
        Column("patron", "patron"),
        Column("cheers", "cheers card"),
        Column("opens", "opens", "share"),
    ]
    each_day += [Column("low", "at least", "share"), Column("high", "at most", "share")]
    each_day += [Column("worth", "worth", "signed", 2), Column("what", "what it is")]
    valued: list[list[Cell]] = [[card(e.card), e.mean, e.least, e.most, e.days] for e in found.worths]
    every: list[list[Cell]] = [
        [e.patron, e.cheers, e.opening, *(e.bracket or (None, None)), e.worth_gp, said_verdicts([e])]
        for e in found.cards
    ]
    in_hand = "One more in the hand, against the average card, GP; days on which it may be placed"
    return [
        Table(columns, rows, f"{found.name}, by patron"),
        Table(worth, valued, in_hand),
        Table(each_day, every, "Every day; at least and at most: in every equilibrium"),
    ]


def said_verdicts(days: Sequence[CardDay | CardHealth]) -> str:
    """Return what a card is on how many days, and on how many that is proved."""
    told = []
    for verdict, words in VERDICTS.items():
        some = [each for each in days if each.verdict == verdict]
        if some:
            where = "" if len(days) == 1 else " in all" if len(some) == len(days) else f" in {len(some)}"
            sure = sum(each.certain for each in some) if verdict != "forbidden" else 0
            proved = "" if not sure else " (proved)" if len(days) == 1 else f" ({sure} proved)"
            told.append(f"{words}{where}{proved}")
    return ", ".join(told)


# ---- all ---------------------------------------------------------------------------------------------------


def _notes(found: OnlyAnswer) -> list[str]:
    notes = [
        f"{never_met(crowd, each.patron, lacking)}."
        for each in found.beside
        for crowd, lacking in each.never_met
    ]
    if found.kind != "card":
        notes.append(f"Both sides play with the same {found.kind}, so it makes neither of them stronger.")
    told = [each for each in found.trusts if each.trust is msgspec.UNSET or each.trust.answers]
    notes += trust.grades((each.day, each.nash_conv_gp, each.trust) for each in told)
    left = [each.day for each in found.trusts if each not in told]
    if left:
        notes.append(f"Not counted, since there is no answer yet: {listed(left)}.")
    if found.missing:
        notes.append(f"Not counted, since they are not stored: {len(found.missing)} more days.")
    return [*notes, "Numbers of the plans found; other good plans may differ."]


def amounts(found: OnlyAnswer) -> list[Amount]:
    """Return the figures that can be compared."""
    if found.kind == "card":
        return [
            Amount(each.card, f"{card(each.card)} is worth, GP", each.mean, "signed") for each in found.worths
        ]
    return [
        amount
        for each in found.beside
        for amount in (
            Amount(f"{each.patron}/mean_gp", f"{each.patron}: GP of a day", each.here.mean_gp),
            Amount(f"{each.patron}/draw", f"{each.patron}: drawn", each.here.draw, "share"),
        )
    ]
