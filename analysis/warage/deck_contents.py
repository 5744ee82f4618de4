"""What is in a deck, and what its hero can do nothing with."""

from __future__ import annotations

from collections import Counter
from typing import Any

from analysis.front.verbs.check import Finding
from analysis.warage.game import Checks
from engine.warage.effects import GIVING
from engine.warage.rules import CardRule, DeckRule, Rules

__all__ = ["deck_finding", "findings", "most_hp", "problem"]


def findings(rules: Rules, asked: Checks) -> list[Finding]:
    """Say what is in decks."""
    return [deck_finding(rules, rules.deck(name)) for name in asked.deck]


def deck_finding(rules: Rules, deck: DeckRule) -> Finding:
    """Say what is in a deck, what of it its hero can put down, and what it costs."""
    hero = next(each for each in rules.classes if each.id == deck.hero_class)
    cards = [(rules.card(name), copies) for name, copies in deck.cards]
    useless = {card.id: problem(card, hero.red, hero.blue) for card, _ in cards}
    kinds: Counter[str] = Counter()
    for card, copies in cards:
        kinds[card.kind] += copies

    def total(key: str) -> int:
        return sum(getattr(card, key) * copies for card, copies in cards)

    rows: list[dict[str, Any]] = [
        {"card": card.id, "kind": card.kind, "copies": copies}
        | {key: getattr(card, key) for key in ("cost", "sell", "red", "blue")}
        for card, copies in cards
    ]
    count = sum(copies for card, copies in cards if useless[card.id])
    about = f"All {deck.size} cards of {deck.id} are of use to its hero."
    if count:
        are = "is" if count == 1 else "are"
        about = f"{count} of the {deck.size} cards of {deck.id} {are} of no use to its hero."
    return Finding(
        about=about,
        lines=[f"{name} {why}" for name, why in useless.items() if why],
        facts={
            "hero": f"{deck.race}/{deck.hero_class}",
            "cards": deck.size,
            **kinds,
            "HP that all cards cost": total("cost"),
            "HP that a card costs, mean": total("cost") / max(deck.size, 1),
            "red slots": hero.red,
            "red slots that all cards need": total("red"),
            "blue slots": hero.blue,
            "blue slots that all cards need": total("blue"),
            "cards of no use": count,
            "most HP in a duel": most_hp(rules, deck),
        },
        rows=rows,
    )


def most_hp(rules: Rules, deck: DeckRule) -> int | None:
    """What a hero's HP cannot exceed in a duel (W2): every gain there is, as often as it can come.

    None where gains may come any number of times, or draws may be left out.
    """
    race, match = rules.race(deck.race), rules.match
    cards = [(rules.card(name), copies) for name, copies in deck.cards]
    if match.optional_draw:
        return None
    rounds = (deck.size - min(match.hand_size, match.redraw_hand_size)) // match.draws + 1
    costs = sorted((card.cost for card, copies in cards for _ in range(copies)), reverse=True)
    total = race.hp + sum(costs[: match.life_places]) + sum(card.sell * copies for card, copies in cards)
    effects = [(effect, copies) for card, copies in cards for effect in card.effects]
    effects += [(effect, 1) for effect in race.effects]
    effects += [(effect, 1) for season in rules.seasons if season.copies for effect in season.effects]
    for effect, copies in effects:
        if effect.action not in GIVING:
            continue
        if effect.trigger == "play":
            total += copies * effect.amount
        elif effect.trigger in ("opening", "closing"):
            # Once in each round of anybody, a special season for the active hero alone.
            total += copies * effect.amount * 2 * rounds
        elif effect.trigger == "use" and effect.limit:
            total += copies * effect.amount * rounds
        else:
            return None
    return total


def problem(card: CardRule, red: int, blue: int) -> str:
    """Why a hero can do nothing with a card, if that is so."""
    if card.red > red:
        return f"needs {card.red} red slots of {red}"
    if card.blue > blue:
        return f"needs {card.blue} blue slots of {blue}"
    return ""
