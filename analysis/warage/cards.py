"""What cards an answer is for, and the lists of them that values are chosen from."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from analysis.front.kinds import Named
from analysis.pools import OTHER
from engine.warage.rules import Rules

__all__ = ["REFUSED_REPLIES", "CardSet", "card_names", "card_set", "cards_note", "own_names"]

REFUSED_REPLIES = ("draw", "discard", "season", "reroll")
"""What replies do that brings more chance than a tree of them has."""


class CardSet(NamedTuple):
    """Which cards and rules an answer is for.

    Attributes
    ----------
    assumed : the share of values that are assumptions, from 0 to 1.
    rulings : switches of the rules that differ from the usual ones, `key = value`.
    set_aside : sample decks that no longer fit the rules.
    """

    assumed: float
    rulings: list[str]
    set_aside: list[str]


@cache
def _box() -> Rules:
    from engine.warage.rules import load_rules

    return load_rules()


def card_set(rules: Rules) -> CardSet:
    """Describe a card set."""
    usual, now = _box().tables()["match"], rules.tables()["match"]
    left = {deck.id for deck in rules.decks}
    return CardSet(
        rules.share_assumed,
        [f"{key} = {str(value).lower()}" for key, value in now.items() if value != usual[key]],
        [deck.id for deck in _box().decks if deck.id not in left],
    )


def cards_note(rules: Rules) -> str:
    """Say which cards an answer is for."""
    cards = card_set(rules)
    text = f"Cards: {rules.name}, {rules.sha256[:12]}; {100 * cards.assumed:.0f} % of its values are assumed"
    if rules.changed:
        text += f", {len(rules.changed)} changed"
    if cards.rulings:
        text += f"; {', '.join(cards.rulings)}"
    if cards.set_aside:
        text += f". Set aside, since they no longer fit: {', '.join(cards.set_aside)}"
    return f"{text}."


def own_names(rules: Rules) -> dict[str, str]:
    """Return names by id; none where all are those that we carry."""
    names, known = (
        {
            entry.id: entry.name
            for kind in (each.decks, each.seasons, each.classes, each.races, each.cards)
            for entry in kind
        }
        for each in (rules, _box())
    )
    return {} if names.items() <= known.items() else names


def card_names(rules: Rules) -> dict[str, list[Named]]:
    """Return the lists that values are chosen from."""
    most = rules.match.max_copies
    return {
        "decks": [
            Named(deck.id, deck.name, f"The deck of the {deck.race} {deck.hero_class}.")
            for deck in rules.decks
        ],
        "races": [Named(race.id, race.name, f"{race.hp} HP.") for race in rules.races],
        "classes": [Named(each.id, each.name) for each in rules.classes],
        "seasons": [Named(each.id, each.name) for each in rules.seasons if each.base and each.copies],
        "cards": [
            Named(card.id, card.name, f"{card.kind}, {card.cost} HP.", 1 if card.kind == "amulet" else most)
            for card in rules.cards
        ],
        "reply cards": [
            *(
                Named(card.id, card.name, f"{card.cost} HP.")
                for card in rules.cards
                if card.kind == "flash"
                and not any(effect.action in REFUSED_REPLIES for effect in card.effects)
            ),
            Named(OTHER, "all other cards"),
        ],
    }
