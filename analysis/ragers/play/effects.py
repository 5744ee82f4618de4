"""What cards, patrons and cheers cards do, in sentences, for who asks at the table."""

from __future__ import annotations

from analysis.ragers.hands import LETTERS, card_type
from analysis.ragers.wording.names import listed
from engine.ragers.rules import ATTACKS, PLAYERS, TYPES, CheersRule, PatronRule, Rules
from engine.rulefiles import UnknownNameError, find_name

_EFFECTS = {
    "chancer": "It counts as the card placed against it, and does the same, but scores its own GP. Against"
    " another Chancer, a card that lies face-down, or nothing, it counts for nothing.",
    "cheater": "It turns the card placed against it face-down: that card fills its slot, and does and counts"
    " for nothing else. Against another Cheater, or a Chancer, both are turned. A card marked by a Stopper is"
    " safe.",
    "deadeye": "You place one more card beside it, face-down: it fills a slot, is never shown, and counts for"
    " nothing else. So your row is full a step sooner. In the last slot the Deadeye does nothing.",
    "stopper": "The next card in your row is marked: its GP are doubled, and no Cheater turns it. A card on"
    " top of a Veteran, or beside a Deadeye, is never marked.",
    "veteran": "You place another card on top of it, in the same slot, and both count. If only you have to,"
    " you see the card against it first.",
}


def explained(rules: Rules, name: str) -> str | None:
    """Return what a card, a patron or a cheers card does; None if nothing is called so.

    Parameters
    ----------
    name : a card's letter, or a name as in the box or its id, which may be shortened.
    """
    if len(name) == 1 and name.upper() in LETTERS:
        return card_text(rules, card_type(name))
    entries: dict[str, PatronRule | CheersRule] = {each.id: each for each in rules.patrons}
    entries |= {each.id: each for each in rules.cheers}
    names = {card: [card] for card in TYPES} | {each: [entry.name] for each, entry in entries.items()}
    try:
        found = find_name("thing of this game", name, names)
    except UnknownNameError:
        return None
    if found in TYPES:
        return card_text(rules, TYPES.index(found))
    entry = entries[found]
    return patron_text(rules, entry) if isinstance(entry, PatronRule) else cheers_text(entry)


def card_text(rules: Rules, card: int) -> str:
    """Return what a card type does."""
    rule = rules.cards[card]
    name = TYPES[card].capitalize()
    number = f"{rule.copies[0]} in each deck"
    if len(set(rule.copies)) > 1:
        accusers, defenders = (who.capitalize() for who in PLAYERS)
        number = f"{rule.copies[0]} for the {accusers} and {rule.copies[1]} for the {defenders}"
    head = f"{name}: {'an attack' if card in ATTACKS else 'a special card'}, {rule.gp} GP, {number}."
    if card not in ATTACKS:
        return f"{head} {_EFFECTS[TYPES[card]]}"
    beats = [each.capitalize() for each in rule.beats]
    beaten = [TYPES[other].capitalize() for other in ATTACKS if TYPES[card] in rules.cards[other].beats]
    beat = "beat" if len(beaten) > 1 else "beats"
    against = f"It beats {listed(beats) or 'no other attack'}; {listed(beaten) or 'nothing'} {beat} it."
    return (
        f"{head} {against} The last attack of each row that does not lie face-down decides the day, and only"
        " attacks of that kind score."
    )


def patron_text(rules: Rules, patron: PatronRule) -> str:
    """Return what a patron changes."""
    forbids = listed([each.capitalize() for each in patron.forbidden]) or "nothing"
    return f"{patron.name}: a patron. Rows of {rules.row_length(patron)}, {forbids} forbidden."


def cheers_text(cheers: CheersRule) -> str:
    """Return what a cheers card wants, and pays."""
    required = [each.capitalize() for each in cheers.required]
    without = [each.capitalize() for each in cheers.forbidden]
    but = f", and no {' and no '.join(without)}" if without else ""
    return (
        f"{cheers.name}: a cheers card, {cheers.gp} GP. For whoever shows {listed(required)}{but} at the end"
        " of the day; for nobody if both do."
    )
