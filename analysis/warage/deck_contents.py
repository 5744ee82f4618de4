"""What is in a deck, and what its hero can do nothing with."""

from __future__ import annotations

from collections import Counter

from analysis.front.question import Running
from analysis.warage.game import GAME
from analysis.warage.questions.deck import Check, DeckAnswer, DeckRow
from engine.warage.effects import GIVING
from engine.warage.rules import CardRule, DeckRule, Rules

__all__ = ["deck_report", "most_hp", "problem"]


def answer(asked: Check, running: Running) -> DeckAnswer:
    """Say what is in a deck."""
    rules = GAME.rules_of(asked.rules)
    return deck_report(rules, rules.deck(asked.named.deck))


def deck_report(rules: Rules, deck: DeckRule) -> DeckAnswer:
    """Say what is in a deck, what of it its hero can put down, and what it costs."""
    hero = next(each for each in rules.classes if each.id == deck.hero_class)
    rows = []
    for name, copies in deck.cards:
        card = rules.card(name)
        unusable = problem(card, hero.red, hero.blue)
        rows.append(DeckRow(name, card.kind, copies, card.cost, card.sell, card.red, card.blue, unusable))
    kinds: Counter[str] = Counter()
    for row in rows:
        kinds[row.kind] += row.copies
    total = deck.size
    return DeckAnswer(
        deck=deck.id,
        hero=f"{deck.race}/{deck.hero_class}",
        size=total,
        slots=[hero.red, hero.blue],
        needs=[sum(row.red * row.copies for row in rows), sum(row.blue * row.copies for row in rows)],
        cost=sum(row.cost * row.copies for row in rows),
        mean_cost=sum(row.cost * row.copies for row in rows) / max(total, 1),
        kinds=dict(kinds),
        cards=rows,
        useless=sum(row.copies for row in rows if row.problem),
        most_hp=most_hp(rules, deck),
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
