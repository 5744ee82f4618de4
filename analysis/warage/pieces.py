"""Pieces that may be sold in a race with decisions."""

from __future__ import annotations

from analysis.errors import RequestError
from analysis.warage.loadouts import Loadout
from engine.rulefiles import AmbiguousNameError, UnknownNameError
from engine.warage.rules import CardRule, Rules

MAX_PIECES = 3


def parse_pieces(rules: Rules, hero: Loadout, text: str | None, option: str) -> tuple[CardRule, ...]:
    """Read the cards in play that a hero may sell.

    Raises
    ------
    RequestError
        If one is not in play, cannot be sold, or they are too many.
    """
    cards: list[CardRule] = []
    for word in (text or "").split(","):
        if not word.strip():
            continue
        try:
            card = rules.card(word)
        except (UnknownNameError, AmbiguousNameError) as error:
            raise RequestError(str(error), option) from None
        there = sum(each.id == card.id for each in hero.cards)
        if sum(each.id == card.id for each in cards) >= there:
            names = ", ".join(dict.fromkeys(each.id for each in hero.cards)) or "nothing"
            raise RequestError(f"{card.id}: {hero.text} has in play {names}", option)
        if not card.sell:
            raise RequestError(f"{card.id} has no selling value (E8)", option)
        if card.kind == "spell":
            raise RequestError(f"{card.id}: spells are not sold in a race; name equipment or amulets", option)
        cards.append(card)
    if len(cards) > MAX_PIECES:
        raise RequestError(f"{len(cards)} pieces are too many: at most {MAX_PIECES} a side", option)
    return tuple(cards)
