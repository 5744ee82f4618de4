"""What a player sees of a state of the reference (N1)."""

from __future__ import annotations

from dataclasses import replace

from engine.clash.reference import Phase, State

UNSEEN = -1
"""Stands for a card that is there and not seen."""


def view(state: State, player: int) -> State:
    """The state as `player` sees it, whoever decides: equal for states that it cannot tell apart.

    Hidden are the others' hands, the tactic cards that they have chosen while not all are revealed, and what
    somebody else looks at when it forges (T1, E3, N1): `UNSEEN` stands for each such card. In the legendary
    deck it then sees as many cards as there are. Everything else lies open; the order of decks is in no
    state.
    """
    players = tuple(
        own
        if index == player
        else replace(
            own,
            hand=(UNSEEN,) * len(own.hand),
            chosen=UNSEEN if state.phase == Phase.TACTIC and own.chosen is not None else own.chosen,
        )
        for index, own in enumerate(state.players)
    )
    seen = replace(state, players=players)
    forging = state.phase in (Phase.FORGE, Phase.KEEP)
    if forging and state.active != player:
        seen = replace(seen, drawn=(UNSEEN,) * len(state.drawn), legendary=(UNSEEN,) * len(state.legendary))
    return seen
