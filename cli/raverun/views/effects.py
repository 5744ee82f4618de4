"""What cards of Raverun do, in sentences, for who asks at the table."""

from __future__ import annotations

from engine.raverun.rules import ACTIONS, Rules, UnknownNameError

_EFFECTS = {
    "swap": "exchange a card of your hand with the top card of any stack",
    "exchange": "put any number of your cards under the deck, unseen, and draw as many",
    "draw": "draw a card",
    "deploy": "move a card from any battlefield onto the top of any stack",
    "capture": "move a card from another battlefield to yours",
    "bury": "put the top card of any stack under the deck",
    "recall": "move a card of the same letter from within your stack to its top",
    "shuffle": "shuffle any stack; all see the new top card",
}
_PLACES = {
    "stacks": "on top of your stack, after the clash of a round",
    "battlefields": "on your battlefield, in the last phase",
    "nowhere": "nowhere under these rules",
}


def explained(rules: Rules, name: str) -> str | None:
    """Return what a card (``4B``), a character (``4``) or an action (``deploy``) does; None if none is it."""
    if name.lower() in ACTIONS:
        cards = [card for card in range(rules.num_cards) if ACTIONS[rules.action(card)] == name.lower()]
    elif name.isdigit():
        cards = [card for card in range(rules.num_cards) if rules.card_name(card)[:-1] == name]
    else:
        try:
            cards = [rules.card(name)]
        except UnknownNameError:
            return None
    if not cards:
        return None
    names = ", ".join(map(rules.card_name, cards))
    action, place = ACTIONS[rules.action(cards[0])], _PLACES[rules.acts_on(cards[0])]
    return (
        f"{names}: {action}. You may {_EFFECTS[action]}. It acts {place}, the lowest"
        " card first, and only where there is something to do it to."
    )
