"""Rows, the resolution of one reveal, and day scoring in plain Python: the clear twin of the kernels.

Everything here is immutable and speaks of one day only. Types are ids (indices into `TYPES`).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from enum import IntEnum

from engine.ragers.rules import ATTACKS, CHANCER, CHEATER, TYPES, CheersRule, Rules

TYPE_IDS = {name: index for index, name in enumerate(TYPES)}


@dataclass(frozen=True)
class Placed:
    """One card in a row.

    Attributes
    ----------
    printed : type id on the card itself.
    icon : type id the card counts as (K5), or None while it counts as nothing (blank, negated, hidden).
    face_up : False once negated (K4) and for a Deadeye's further card (K6).
    marked : placed under the mark of a Stopper (K7): GP doubled, cannot be negated.
    hidden : a Deadeye's further card (K6), never shown to the other player (I1).
    """

    printed: int
    icon: int | None
    face_up: bool = True
    marked: bool = False
    hidden: bool = False

    def negated(self) -> Placed:
        """The card after a Cheater: face-down, counting for nothing but its slot (K4)."""
        return replace(self, face_up=False, icon=None)


Slot = tuple[Placed, ...]  # bottom to top: Veterans (K8), then whatever was placed last


def hidden_slot(printed: int) -> Slot:
    """The slot of a Deadeye's further card (K6)."""
    return (Placed(printed, None, face_up=False, hidden=True),)


def _negates(own: int, opp: int) -> bool:
    """Whether `own` negates `opp` when both are revealed together (K4)."""
    return own == CHEATER or (own == CHANCER and opp == CHEATER)


def reveal_both(types: tuple[int, int], marked: tuple[bool, bool]) -> tuple[Placed, Placed]:
    """Two cards revealed together against each other: negations at once, then copies (K4, K5, K9)."""
    cards = []
    for own in (0, 1):
        card, opposing = types[own], types[1 - own]
        icon: int | None = card
        if card == CHANCER:
            icon = None if opposing == CHANCER else opposing
        placed = Placed(card, icon, marked=marked[own])
        if _negates(opposing, card) and not marked[own]:
            placed = placed.negated()
        cards.append(placed)
    return cards[0], cards[1]


def reveal_one(card: int, marked: bool, opposing: Placed | None) -> tuple[Placed, Placed | None]:
    """A card revealed alone against what already lies opposite (K8), or against nothing (K3).

    A Chancer facing a face-up Cheater has the Cheater's effect too and so negates it.
    """
    shown = opposing.icon if opposing is not None and opposing.face_up else None
    icon = shown if card == CHANCER else card
    if icon == CHEATER and opposing is not None and not opposing.marked:
        opposing = opposing.negated()
    return Placed(card, icon, marked=marked), opposing


def reveal(
    types: tuple[int | None, int | None], slots: tuple[Slot, Slot], marked: tuple[bool, bool]
) -> tuple[Slot, Slot]:
    """Both slots of the step after the given cards were put on top of them and resolved.

    Parameters
    ----------
    types : the card each player places, None for a player who places nothing.
    slots : what each has placed in this step so far (empty at its start).
    marked : whether each card is placed under a Stopper's mark (never so on top of a Veteran, K7).
    """
    first, second = types
    if first is not None and second is not None:
        cards = reveal_both((first, second), marked)
        return (*slots[0], cards[0]), (*slots[1], cards[1])
    new = list(slots)
    for own in (0, 1):
        card = types[own]
        if card is not None:
            opp = 1 - own
            facing = slots[opp][-1] if slots[opp] else None
            placed, faced = reveal_one(card, marked[own], facing)
            new[own] = (*slots[own], placed)
            if faced is not None:
                new[opp] = (*slots[opp][:-1], faced)
    return new[0], new[1]


def top_icon(slot: Slot) -> int | None:
    """Icon of the slot's uppermost card, None if there is none (or it counts as nothing)."""
    return slot[-1].icon if slot else None


def icons(row: tuple[Slot, ...]) -> Counter[int]:
    """How often each icon counts in a row (S3)."""
    return Counter(card.icon for slot in row for card in slot if card.icon is not None)


def last_attack(row: tuple[Slot, ...]) -> int | None:
    """The last un-negated attack icon by time of placement, None without any (S1)."""
    attacks = [card.icon for slot in row for card in slot if card.icon in ATTACKS]
    return attacks[-1] if attacks else None


class Outcome(IntEnum):
    """How a day ended (S1)."""

    WIN_0 = 0
    WIN_1 = 1
    DRAW = 2
    TWO_LOSERS = 3


def day_outcome(rules: Rules, rows: tuple[tuple[Slot, ...], tuple[Slot, ...]]) -> Outcome:
    """Who won the day (S1). Two different attacks neither of which beats the other draw."""
    mine, yours = last_attack(rows[0]), last_attack(rows[1])
    if mine is None and yours is None:
        return Outcome.TWO_LOSERS
    if yours is None:
        return Outcome.WIN_0
    if mine is None:
        return Outcome.WIN_1
    if TYPES[yours] in rules.cards[mine].beats:
        return Outcome.WIN_0
    if TYPES[mine] in rules.cards[yours].beats:
        return Outcome.WIN_1
    return Outcome.DRAW


def card_gp(rules: Rules, row: tuple[Slot, ...], scoring_icon: int) -> Counter[int]:
    """GP that each printed type brings: attacks with the scoring icon, and all un-negated specials (S2).

    A card is worth the GP printed on it, not on what it copies (K5), doubled under a mark (K7).
    """
    brought: Counter[int] = Counter()
    for slot in row:
        for card in slot:
            if card.face_up and (card.icon not in ATTACKS or card.icon == scoring_icon):
                brought[card.printed] += rules.cards[card.printed].gp * (2 if card.marked else 1)
    return brought


def combat_gp(rules: Rules, row: tuple[Slot, ...], scoring_icon: int) -> int:
    """GP of all cards of a row that score (S2)."""
    return sum(card_gp(rules, row, scoring_icon).values())


def scoring_icon(outcome: Outcome, row: tuple[Slot, ...], player: int) -> int | None:
    """The attack a player's row scores with; None if it scores nothing for combat (S2)."""
    loses = outcome == (Outcome.WIN_1 if player == 0 else Outcome.WIN_0)
    return None if loses else last_attack(row)


def meets(cheers: CheersRule, row: tuple[Slot, ...]) -> bool:
    """Whether a row meets a cheers card (S3)."""
    have = icons(row)
    required = Counter(TYPE_IDS[name] for name in cheers.required)
    forbidden = {TYPE_IDS[name] for name in cheers.forbidden}
    return all(have[icon] >= count for icon, count in required.items()) and not forbidden & set(have)


@dataclass(frozen=True)
class DayResult:
    """What a finished day brought.

    Attributes
    ----------
    outcome : S1.
    combat_gp, cheers_gp : GP of each player for combat cards (S2) and for cheers cards (S3).
    taken : indices of the cheers cards each player took.
    removed : indices of the cheers cards both met.
    """

    outcome: Outcome
    combat_gp: tuple[int, int]
    cheers_gp: tuple[int, int]
    taken: tuple[tuple[int, ...], tuple[int, ...]]
    removed: tuple[int, ...]

    @property
    def gp(self) -> tuple[int, int]:
        """Everything each player scored in this day."""
        return self.combat_gp[0] + self.cheers_gp[0], self.combat_gp[1] + self.cheers_gp[1]


def score_day(
    rules: Rules, rows: tuple[tuple[Slot, ...], tuple[Slot, ...]], cheers: tuple[int, ...]
) -> DayResult:
    """Resolution of a day with the given cheers cards (indices into `rules.cheers`) on the table (S1-S3)."""
    outcome = day_outcome(rules, rows)
    if outcome == Outcome.TWO_LOSERS:
        return DayResult(outcome, (0, 0), (0, 0), ((), ()), ())
    combat = [0, 0]
    for player in (0, 1):
        icon = scoring_icon(outcome, rows[player], player)
        if icon is not None:
            combat[player] = combat_gp(rules, rows[player], icon)
    taken: tuple[list[int], list[int]] = ([], [])
    removed = []
    for index in cheers:
        met = [meets(rules.cheers[index], rows[player]) for player in (0, 1)]
        if all(met):
            removed.append(index)
        elif any(met):
            taken[met.index(True)].append(index)
    cheers_gp = [sum(rules.cheers[index].gp for index in taken[player]) for player in (0, 1)]
    return DayResult(
        outcome,
        (combat[0], combat[1]),
        (cheers_gp[0], cheers_gp[1]),
        (tuple(taken[0]), tuple(taken[1])),
        tuple(removed),
    )
