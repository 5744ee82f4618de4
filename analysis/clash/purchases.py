"""What to buy for a battle, or for several: every purchase that the gold allows, each solved exactly.

Assignments of cards to spaces that give the types the same numbers, and the same side the first assault,
are one battle; only the cheapest of them can be best. Nothing else is left out: more power, or a card better
in all icons, may be worse, since injuries that have to eliminate somebody earn no rage token (B8, B9).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from analysis.clash.armies import Army, check_copies
from analysis.clash.reports import Side
from analysis.clash.scenario import DEFAULT_MEMORY, Scenario, digest, switches_report
from analysis.clash.study_reports import AttachedReport, EquipAnswer, PurchaseReport, StackReport
from analysis.errors import RequestError
from engine.clash.fighters import Card
from engine.clash.rules import EquipmentRule

MOST_SOLVES = 50_000
MOST_GOLD = 10**9
TIE = 1e-12
"""Values no further apart are equal but for rounding."""
Note = Callable[[str, int, int], None]
Attached = tuple[tuple[Card, ...], ...]


class Stack(NamedTuple):
    """A stack of the market."""

    card: EquipmentRule
    copies: int


@dataclass(frozen=True)
class Purchases:
    """What may be bought, and for which battles.

    Attributes
    ----------
    scenarios : the battles; the buyer's army is the same in all, with what it has attached already.
    shares : how much each of them counts.
    buyer : 0 for the attacker, 1 for the defender.
    """

    scenarios: tuple[Scenario, ...]
    shares: tuple[float, ...]
    buyer: int
    market: tuple[Stack, ...]
    gold: int

    @property
    def army(self) -> Army:
        """The buyer's."""
        return self.scenarios[0].armies[self.buyer]

    def check(self) -> None:
        """Raise RequestError for what cannot be asked."""
        rules = self.scenarios[0].rules
        if self.army.elves:
            raise RequestError("elves buy nothing; the attacker does", "--buyer")
        if len(self.market) > rules.match.market:
            raise RequestError(
                f"{len(self.market)} different cards: the market has {rules.match.market} (U3)", "--market"
            )
        lying: dict[Card, int] = {stack.card: stack.copies for stack in self.market}
        for scenario in self.scenarios:
            attached = Counter(card for army in scenario.armies for each in army.cards for card in each)
            check_copies(attached + Counter(lying), "--market")
        if self.gold > MOST_GOLD:
            raise RequestError(f"{self.gold} is more gold than is counted: at most {MOST_GOLD:,}", "--gold")
        if len(self.shares) != len(self.scenarios):
            said = f"each battle has a share: {len(self.scenarios)} in all, not {len(self.shares)}"
            raise RequestError(said, "--share")
        if not (all(0 <= share <= 1e9 for share in self.shares) and sum(self.shares) > 0):
            raise RequestError("shares are numbers from 0 to a billion, and not all 0", "--share")
        if any(scenario.objective == "own" for scenario in self.scenarios):
            raise RequestError('purchases are compared with the objective "win" or "material"', "--objective")


class Assignment(NamedTuple):
    """Cards attached to each type, what was bought of them, and what that costs."""

    gold: int
    bought: tuple[EquipmentRule, ...]
    attached: Attached


def _silent(_phase: str, _done: int, _total: int) -> None:
    pass


def equip_answer(question: Purchases, *, memory: int = DEFAULT_MEMORY, note: Note = _silent) -> EquipAnswer:
    """Find the best purchases for every amount of gold up to that at hand.

    Parameters
    ----------
    question : Purchases
    memory : most bytes that a battle may take.
    note : told what is done, how much of it, and of how much.

    Raises
    ------
    RequestError, TooLargeError
        See `analysis.clash.solving.solved`; RequestError also if a battle can only be bracketed.
    """
    question.check()
    valuer = _Valuer(question, memory)
    army, scenario = question.army, question.scenarios[0]
    current = Assignment(0, (), army.cards)
    cheapest = {valuer.key(current): current}
    number, alone = 0, dict[EquipmentRule, dict[tuple[object, ...], Assignment]]()
    for each in assignments(question):
        number += 1
        key = valuer.key(each)
        if key not in cheapest or _price(each) < _price(cheapest[key]):
            cheapest[key] = each
        if len(each.bought) == 1:
            alone.setdefault(each.bought[0], {}).setdefault(key, each)
        if len(cheapest) > MOST_SOLVES:
            raise RequestError(
                f"more than {MOST_SOLVES:,} different battles; name fewer cards, or allow less gold",
                "--market",
            )
    now = valuer.report(current, None)

    def report(assignment: Assignment) -> PurchaseReport:
        return valuer.report(assignment, now)

    def stack_report(stack: Stack) -> StackReport:
        ways = list(alone.get(stack.card, {}).values())
        best = max(ways, key=lambda each: valuer.value(each)[0]) if ways else None
        return StackReport(stack.card.id, stack.copies, stack.card.cost, report(best) if best else None)

    values = {}
    for done, (key, each) in enumerate(cheapest.items()):
        note("assignments", done, len(cheapest))
        values[key] = valuer.value(each)[0]
    front: list[Assignment] = []
    most = float("-inf")
    for key, each in sorted(cheapest.items(), key=lambda pair: (pair[1].gold, -values[pair[0]])):
        if values[key] > most + TIE:
            front.append(each)
            most = values[key]
    weights = dict(scenario.weight_tables[0].values) if scenario.objective == "material" else None
    side: Side = "attacker" if question.buyer == 0 else "defender"
    return EquipAnswer(
        switches=switches_report(scenario.rules),
        objective="material" if scenario.objective == "material" else "win",
        weights=weights,
        solo=any(each.defender.elves and each.chooser == 0 for each in question.scenarios),
        buyer=side,
        army=army.text(),
        battles=[each.armies[1 - question.buyer].text() for each in question.scenarios],
        shares=list(question.shares),
        gold=question.gold,
        market=[stack_report(stack) for stack in question.market],
        now=now,
        front=[report(each) for each in front],
        assignments=number,
        solves=valuer.solves,
        sha256=digest(
            [
                [each.dependencies() for each in question.scenarios],
                question.shares,
                question.buyer,
                [
                    (stack.card.bonus, stack.card.space, stack.card.cost, stack.copies)
                    for stack in question.market
                ],
                question.gold,
            ]
        ),
    )


def assignments(question: Purchases) -> Iterator[Assignment]:
    """Yield all ways to buy and to attach; what is owned already may be moved and left off (E4).

    Cards that are bought are attached as well: one that is not only costs. Types without figures get none.
    """
    army = question.army
    spaces = [(kind, space) for kind in range(3) if army.counts[kind] for space in ("weapon", "armor")]
    owned: Counter[Card] = Counter(card for each in army.cards for card in each)
    stacks = {stack.card: stack.copies for stack in question.market}
    # Where a card is both owned and for sale, the owned copies are used first.
    pool: dict[Card, int] = dict(owned)
    for card, copies in stacks.items():
        pool[card] = pool.get(card, 0) + copies
    used: Counter[Card] = Counter()
    attached: list[list[Card]] = [[], [], []]
    bought: list[EquipmentRule] = []

    def fill(space: int, gold: int) -> Iterator[Assignment]:
        if space == len(spaces):
            yield Assignment(gold, tuple(bought), tuple(map(tuple, attached)))
            return
        yield from fill(space + 1, gold)
        kind, wanted = spaces[space]
        for card, copies in pool.items():
            if card.space != wanted or used[card] == copies:
                continue
            paid = isinstance(card, EquipmentRule) and used[card] >= owned[card]
            price = card.cost if paid and isinstance(card, EquipmentRule) else 0
            if gold + price > question.gold:
                continue
            used[card] += 1
            attached[kind].append(card)
            if paid and isinstance(card, EquipmentRule):
                bought.append(card)
            yield from fill(space + 1, gold + price)
            if paid:
                bought.pop()
            attached[kind].pop()
            used[card] -= 1

    return fill(0, 0)


def _price(each: Assignment) -> tuple[int, int, int, list[list[str]]]:
    """What comes first of assignments that are worth the same: cheap, with few cards, and then by name."""
    cards = sum(map(len, each.attached))
    return each.gold, len(each.bought), cards, [[card.id for card in kind] for kind in each.attached]


class _Valuer:
    """Values of assignments, each battle solved once."""

    def __init__(self, question: Purchases, memory: int) -> None:
        self._question, self._memory = question, memory
        self._kept: dict[tuple[object, ...], tuple[float, list[float]]] = {}
        self.solves = 0

    def _scenarios(self, assignment: Assignment) -> list[Scenario]:
        army = replace(self._question.army, cards=assignment.attached)
        if self._question.buyer == 0:
            return [replace(each, attacker=army) for each in self._question.scenarios]
        return [replace(each, defender=army) for each in self._question.scenarios]

    def key(self, assignment: Assignment) -> tuple[object, ...]:
        """Return all that the battles depend on and purchases change: slowness only for who starts (B2)."""
        army = replace(self._question.army, cards=assignment.attached)
        both = zip(army.fighters, army.counts, strict=True)
        numbers = tuple(tuple(each._replace(slow=0)) for each, count in both if count)
        starts = []
        for scenario in self._question.scenarios:
            other = scenario.armies[1 - self._question.buyer].slowness
            sides = (army.slowness, other) if self._question.buyer == 0 else (other, army.slowness)
            starts.append(sides[0] < sides[1])
        return (*numbers, *starts)

    def value(self, assignment: Assignment) -> tuple[float, list[float]]:
        """Return what it is worth to the buyer, and each battle's part."""
        from analysis.clash.solving import exact_value

        key = self.key(assignment)
        if key not in self._kept:
            values = []
            for scenario in self._scenarios(assignment):
                value = exact_value(scenario, memory=self._memory)
                self.solves += 1
                if self._question.buyer == 1:
                    value = 1.0 - value if scenario.objective == "win" else -value
                values.append(value)
            shares = self._question.shares
            mean = sum(share * value for share, value in zip(shares, values, strict=True)) / sum(shares)
            self._kept[key] = mean, values
        return self._kept[key]

    def report(self, assignment: Assignment, now: PurchaseReport | None) -> PurchaseReport:
        """Return a purchase as reports show it."""
        value, values = self.value(assignment)
        gain = 0.0 if now is None else value - now.value
        army = self._question.army
        attached = [
            AttachedReport(kind.id, [card.id for card in cards])
            for kind, cards in zip(army.types, assignment.attached, strict=True)
            if cards
        ]
        return PurchaseReport(
            gold=assignment.gold,
            bought=sorted(card.id for card in assignment.bought),
            attached=attached,
            value=value,
            values=values,
            gain=gain,
            gain_per_gold=gain / assignment.gold if assignment.gold else None,
        )
