"""What is seen of a state of the reference, as vectors: the observation of learning environments.

What everybody sees stands by seat; what one player sees beyond that begins with its seat. Cards are numbered
by value, from 0. Together the two hold all of a view (V4).
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from engine.raverun.moves import NUM_MOVES, move_number
from engine.raverun.reference import Phase, State, decider, legal_moves
from engine.raverun.reference_view import public_view, view
from engine.raverun.rules_schema import MAX_CARDS
from engine.vectors import Parts

Vector = NDArray[np.float32]

_SIDE = ("stack", "loose", "battlefield", "played")


@cache
def public_parts(num_players: int) -> Parts:
    """Where each part of what everybody sees stands.

    `stack_0` of player 0 and so on: the place of each card in it, 1 for the lowest; `loose_0`: its cards
    whose place is not seen.
    """
    return Parts(
        ("phase", len(Phase)),
        ("acting", num_players),
        ("leader", num_players),
        ("order", num_players),
        ("acted", 1),
        ("threshold", 1),
        ("offered", MAX_CARDS),
        ("drawer", num_players),
        ("draws", 1),
        ("shuffler", num_players),
        ("hand_sizes", num_players),
        ("stack_sizes", num_players),
        ("deck_size", 1),
        *((f"{name}_{seat}", MAX_CARDS) for seat in range(num_players) for name in _SIDE),
    )


@cache
def private_parts(num_players: int) -> Parts:
    """Where each part of what one player sees beyond that stands.

    `stack`: the place of each card in its own, also where others do not see it; `known_0`: cards that it
    knows in the hand of player 0; `decked`: the place of those that it knows in the deck, 1 for the first;
    `exposed_0`: cards of its hand that player 0 knows.
    """
    return Parts(
        ("seat", num_players),
        ("hand", MAX_CARDS),
        ("going", MAX_CARDS),
        ("chosen", MAX_CARDS),
        ("stack", MAX_CARDS),
        ("decked", MAX_CARDS),
        *((f"known_{seat}", MAX_CARDS) for seat in range(num_players)),
        *((f"exposed_{seat}", MAX_CARDS) for seat in range(num_players)),
    )


def public_features(state: State) -> Vector:
    """Return what everybody sees of a state, as `public_parts` says, `float32`."""
    num_players = len(state.players)
    parts = public_parts(num_players)
    vector = parts.zeros()
    found = public_view(state)
    parts.mark(vector, "phase", state.phase)
    for name, seat in (("acting", decider(state)), ("drawer", state.drawer), ("shuffler", state.shuffler)):
        if seat is not None and seat >= 0:
            parts.mark(vector, name, seat)
    parts.mark(vector, "leader", state.leader)
    for turn, seat in enumerate(state.order, 1):
        vector[parts.names["order"]][seat] = turn
    for name, number in (("acted", state.acted), ("threshold", state.threshold), ("draws", state.draws)):
        vector[parts.names[name]] = number
    if state.offered is not None:
        parts.mark(vector, "offered", state.offered)
    vector[parts.names["hand_sizes"]] = found.hand_sizes
    vector[parts.names["stack_sizes"]] = list(map(len, found.stacks))
    vector[parts.names["deck_size"]] = found.deck_size
    for seat in range(num_players):
        _put_places(vector[parts.names[f"stack_{seat}"]], found.stacks[seat])
        parts.mark(vector, f"loose_{seat}", *found.loose[seat])
        parts.mark(vector, f"battlefield_{seat}", *found.battlefields[seat])
        played = found.played[seat]
        if played is not None:
            parts.mark(vector, f"played_{seat}", played)
    return vector


def private_features(state: State, player: int) -> Vector:
    """Return what a player sees beyond that, as `private_parts` says, `float32`."""
    num_players = len(state.players)
    parts = private_parts(num_players)
    vector = parts.zeros()
    found = view(state, player)
    parts.mark(vector, "seat", player)
    parts.mark(vector, "hand", *found.hand)
    parts.mark(vector, "going", *found.put)
    if found.chosen is not None:
        parts.mark(vector, "chosen", found.chosen)
    _put_places(vector[parts.names["stack"]], found.stacks[player])
    others = [seat for seat in range(num_players) if seat != player]
    for seat, known, exposed in zip(others, found.known, found.exposed, strict=False):
        parts.mark(vector, f"known_{seat}", *known)
        parts.mark(vector, f"exposed_{seat}", *exposed)
    for place, card in found.known[len(others) :]:
        vector[parts.names["decked"]][card] = place + 1
    return vector


def action_mask(state: State, player: int) -> NDArray[np.int8]:
    """Return which moves are legal, by their numbers, `[NUM_MOVES] int8`; none for who does not decide."""
    mask = np.zeros(NUM_MOVES, np.int8)
    if decider(state) == player:
        mask[[move_number(move) for move in legal_moves(state)]] = 1
    return mask


def _put_places(vector: Vector, stack: tuple[int | None, ...]) -> None:
    for place, card in enumerate(stack, 1):
        if card is not None:
            vector[card] = place
