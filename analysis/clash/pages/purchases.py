"""What to buy for battles: its figures, and how it looks."""

from __future__ import annotations

from analysis.amounts import counted
from analysis.clash.pages.battle import weights_line, worth
from analysis.clash.study_reports import EquipAnswer, PurchaseReport
from analysis.front.page import Cell, Column, Fact, Facts, Format, Page, Table
from analysis.front.question import Amount
from analysis.front.render.numbers import number_text

__all__ = ["amounts", "page"]


def attached_text(each: PurchaseReport) -> str:
    """Return who carries what."""
    return "; ".join(f"{kind.unit}: {', '.join(kind.cards)}" for kind in each.attached) or "nothing"


def amounts(found: EquipAnswer) -> list[Amount]:
    """Return what can be compared between two answers."""
    best, (kind, _) = found.front[-1], worth(found.objective)
    return [
        Amount("value", "worth with the best purchase", best.value, kind),
        Amount("now", "worth now", found.now.value, kind),
        Amount("gold", "gold of the best purchase", best.gold, "count"),
    ]


def page(found: EquipAnswer) -> Page:
    """Return how it looks."""
    kind, digits = worth(found.objective)
    gains: Format = "gain" if kind == "share" else "signed"
    other = "defender" if found.buyer == "attacker" else "attacker"
    total = sum(found.shares)
    facts = [Fact(found.buyer, found.buyer, found.army)]
    for number, (battle, share) in enumerate(zip(found.battles, found.shares, strict=True), 1):
        counts = f" (counts {share / total:.0%})" if len(found.battles) > 1 else ""
        facts.append(Fact(f"{other}_{number}", other, f"{battle}{counts}"))
    facts += [
        Fact("now", "worth now", found.now.value, kind, digits),
        Fact("now_attached", "carried now", attached_text(found.now)),
    ]
    value = [
        Column("value", "worth", kind, digits),
        Column("gain", "gain", gains, digits),
        Column("gain_per_gold", "per gold", gains, digits),
    ]
    columns = [Column("attached", "attached then"), Column("gold", "gold", "count"), *value]
    rows: list[list[Cell]] = [
        [attached_text(each), each.gold, each.value, each.gain, each.gain_per_gold] for each in found.front
    ]
    alone: list[list[Cell]] = [
        [
            *(stack.card, stack.copies, stack.cost),
            *(
                (None, None, None)
                if stack.alone is None
                else (stack.alone.value, stack.alone.gain, stack.alone.gain_per_gold)
            ),
        ]
        for stack in found.market
    ]
    heads = [
        Column("card", "card"),
        Column("copies", "copies", "count"),
        Column("cost", "gold", "count"),
        *value,
    ]
    ways = "the only way" if found.assignments == 1 else f"all {found.assignments:,} ways"
    battles = counted(found.solves, "exact battle")
    return Page(
        headline=_headline(found),
        sections=[
            Facts(facts),
            Table(columns, rows, "The best for every amount of gold, the dearest best of all"),
            Table(heads, alone, "One card alone"),
        ],
        notes=[
            *weights_line(found.weights),
            "For sale is what lies on the market now; what is drawn to refill it (E2) is left out, and so are"
            " movement and later battles.",
            f"Proved: {ways} to buy and attach for {found.gold} gold, by {battles}.",
        ],
        method=[f"The question is {found.sha256[:16]}."],
    )


def _headline(found: EquipAnswer) -> str:
    best, (kind, digits) = found.front[-1], worth(found.objective)
    unit = " %" if kind == "share" else ""
    now, then = (number_text(each.value, kind, digits) + unit for each in (found.now, best))
    if not best.bought:
        return f"No purchase is better than what the {found.buyer} has: {now}."
    cards = ", ".join(best.bought).capitalize()
    return f"{cards} for {best.gold} gold take the {found.buyer} from {now} to {then}."
