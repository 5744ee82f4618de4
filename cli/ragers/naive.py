"""Simple ways of choosing a card, defined once for playing against and for measuring them."""

from __future__ import annotations

from collections.abc import Sequence

from engine.ragers.rules import ATTACKS, Rules


def greedy_attack(hand: Sequence[int], placeable: Sequence[int], rules: Rules) -> tuple[int, ...]:
    """Return the types a greedy attacker chooses among, all alike to him; empty if nothing can be placed.

    He places the attack he holds most of; of equally many the one worth more glory points, and of equally
    good ones any. Without an attack he places any card he may.

    Parameters
    ----------
    hand
        [T] cards of each type.
    placeable
        Types he may place.
    """
    attacks = [card for card in placeable if card in ATTACKS]
    if not attacks:
        return tuple(placeable)
    rank = {card: (hand[card], rules.cards[card].gp) for card in attacks}
    best = max(rank.values())
    return tuple(card for card in attacks if rank[card] == best)
