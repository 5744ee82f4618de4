"""Simple ways of choosing a card, defined once for playing against and for measuring them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.ragers.rules import ATTACKS, NUM_TYPES, Rules

#: Ways of playing a whole day that are measured against the plans found, in words.
NAIVE = {
    "uniform": "any card, each as likely",
    "greedy": "the attack held most, no discard, the cheapest card hidden",
    "playouts": "the card that does best in random playouts (about a best reply to uniform play)",
}
#: More than any glory points.
_MUCH = 1e6


def greedy_attack(hand: Sequence[int], placeable: Sequence[int], rules: Rules) -> tuple[int, ...]:
    """Return the types a greedy attacker chooses among, all alike to it; empty if nothing can be placed.

    It places the attack it holds most of; of equally many the one worth more glory points, and of equally
    good ones any. Without an attack it places any card it may.

    Parameters
    ----------
    hand : [T] cards of each type.
    """
    place, per_card, _ = greedy_scores(rules)
    return _best({card: place[card] + per_card[card] * hand[card] for card in placeable})


def greedy_hidden(hideable: Sequence[int], rules: Rules) -> tuple[int, ...]:
    """Return the types a greedy attacker chooses among to hide: the cheapest, attacks only at need."""
    _, _, hide = greedy_scores(rules)
    return _best({card: hide[card] for card in hideable})


def _best(score: Mapping[int, float]) -> tuple[int, ...]:
    """Return the types with the highest score."""
    best = max(score.values(), default=0.0)
    return tuple(card for card in score if score[card] == best)


def greedy_scores(rules: Rules) -> tuple[tuple[float, ...], tuple[float, ...], tuple[float, ...]]:
    """Return the score of placing each type [T], what each card of it in hand adds, and that of hiding it."""
    attacks = [card in ATTACKS for card in range(NUM_TYPES)]
    gp = [float(card.gp) for card in rules.cards]
    return (
        tuple(gp[card] if attacks[card] else -_MUCH for card in range(NUM_TYPES)),
        tuple(_MUCH if attacks[card] else 0.0 for card in range(NUM_TYPES)),
        tuple(-gp[card] - (_MUCH if attacks[card] else 0.0) for card in range(NUM_TYPES)),
    )
