"""What a player sees of a state of the reference (I1)."""

from __future__ import annotations

from engine.records import replace
from engine.warage.reference_state import State

UNSEEN = -1
"""Stands for a card that is there and not seen."""


def view(state: State, player: int) -> State:
    """The state as `player` sees it, whoever decides: equal for states that it cannot tell apart.

    Hidden are the hands of the others, of allies too unless `allies_show`. Of another's deck it knows
    which cards it holds together with the hand, since deck lists are open and everything else lies on the
    table; without open lists only how many. The order of decks is in no state.
    """
    match, guilds = state.rules.match, state.setup.guilds
    heroes = []
    for seat, hero in enumerate(state.heroes):
        shown = seat == player or (match.allies_show and guilds[seat] == guilds[player])
        if not shown:
            unseen = [copies + hero.hand.count(card) for card, copies in enumerate(hero.deck)]
            if not match.open_lists:
                unseen = [sum(hero.deck)]
            hero = replace(hero, hand=(UNSEEN,) * len(hero.hand), deck=tuple(unseen))
        heroes.append(hero)
    setup = state.setup
    if not match.open_lists:
        known = tuple(
            own if seat == player else own._replace(deck=()) for seat, own in enumerate(setup.heroes)
        )
        setup = replace(setup, heroes=known)
    return replace(state, heroes=tuple(heroes), setup=setup)
