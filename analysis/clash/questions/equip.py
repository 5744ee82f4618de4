"""``equip``: what to buy for a battle, or for several."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from analysis.clash.armies import SIDES
from analysis.clash.position import (
    ATTACKS,
    DEFENDS,
    Carried,
    Force,
    Memory,
    against_each,
    army_of,
    weights_of,
)
from analysis.clash.purchases import Purchases, Stack
from analysis.clash.questions.solve import weights_line, worth
from analysis.clash.study_reports import EquipAnswer, PurchaseReport
from analysis.errors import RequestError
from analysis.front.bundles import RulesFiles
from analysis.front.kinds import Counts
from analysis.front.page import Cell, Column, Fact, Facts, Format, Page, Table
from analysis.front.parameters import param
from analysis.front.question import Amount, Question, Running
from analysis.front.render.numbers import number_text
from engine.clash.rules import Rules

__all__ = ["QUESTION", "Equip", "purchases"]


class Equip(msgspec.Struct, frozen=True, kw_only=True):
    """Who buys what, for which battles."""

    attacker: Annotated[tuple[Force, ...], ATTACKS] = (Force("bohorg", {"pummeler": 2, "executioner": 1}),)
    defender: Annotated[tuple[Force, ...], DEFENDS] = (Force("elves", {"templar": 3}),)
    market: Annotated[
        dict[str, int],
        param(
            'Cards for sale, and how many of each, such as "axe 2, crossbow".',
            kind=Counts("equipment", least=1),
            metavar="CARDS",
        ),
    ] = msgspec.field(default_factory=lambda: {"axe": 2, "crossbow": 1, "plate-armor": 1})
    gold: Annotated[int, param("Gold that may be spent.", ge=0, le=10_000, unit="gold")] = 15
    buyer: Annotated[
        Literal["attacker", "defender"],
        param("Who buys. Of the other side there may be several armies: a battle with each."),
    ] = "attacker"
    share: tuple[
        Annotated[
            float,
            param(
                "How much each battle counts. Repeatable.  [default: all the same]", ge=0.0, le=1e9, more=True
            ),
        ],
        ...,
    ] = ()
    objective: Annotated[
        Literal["win", "material"], param("What is wanted. The territory, or gains less losses by weight.")
    ] = "win"
    weights: (
        Annotated[str, param("What counts how much. Means something with material.", more=True)] | None
    ) = None
    carried: Carried = Carried()
    memory: Memory = Memory()
    rules: RulesFiles = RulesFiles()


def purchases(asked: Equip, rules: Rules) -> Purchases:
    """Return what may be bought, and for which battles; RequestError if something is wrong with it."""
    side = SIDES.index(asked.buyer)
    own, others = ((asked.attacker, asked.defender), (asked.defender, asked.attacker))[side]
    if len(own) != 1:
        raise RequestError(f"the buyer has one army, not {len(own)}", f"--{asked.buyer}")
    if asked.weights is not None and asked.objective != "material":
        raise RequestError("weights mean something with --objective material only", "--weights")
    scenarios = []
    for other in others:
        attacker, defender = (own[0], other) if side == 0 else (other, own[0])
        scenarios += against_each(
            rules,
            army_of(rules, attacker, "--attacker"),
            [army_of(rules, defender, "--defender")],
            asked.carried,
            objective=asked.objective,
            weights=weights_of(rules, asked.weights),
        )
    cards = {card.id: card for card in rules.equipment}
    found = Purchases(
        tuple(scenarios),
        asked.share or (1.0,) * len(scenarios),
        side,
        tuple(Stack(cards[name], copies) for name, copies in asked.market.items()),
        asked.gold,
    )
    found.check()
    return found


def answer(asked: Equip, running: Running) -> EquipAnswer:
    """Find what to buy."""
    from analysis.clash.game import GAME
    from analysis.clash.purchases import equip_answer

    found = purchases(asked, GAME.rules_of(asked.rules))
    return equip_answer(found, memory=asked.memory.bytes, note=running.note)


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
    battles = f"{found.solves:,} exact battle{'' if found.solves == 1 else 's'}"
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


QUESTION: Question[Equip, EquipAnswer] = Question(
    name="equip",
    about="Find what to buy for a battle: the best purchase for every amount of gold, proved. What the buyer"
    " has attached already may be moved and left off.",
    asked=Equip,
    answers=EquipAnswer,
    function="analysis.clash.questions.equip:answer",
    page=page,
    exactness="exact",
    amounts=amounts,
    examples=(
        'equip --attacker "bohorg: 1 I, 1 III" --defender "elves: 2 Templar"'
        ' --market "axe 2, plate-armor" --gold 11',
        'equip --attacker "tomb: 3 I" --defender "elves: 2 Guard" --defender "elves: 2 Elder"'
        ' --share 2 --share 1 --market "club 2, buckler" --gold 8 --equip "tomb-1: axe"',
    ),
)
