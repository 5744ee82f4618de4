"""Other ways in which a match can have come to what a player has seen, drawn at random.

A player does not know which cards the other one draws, nor which he hides (K6). Drawn here is a whole history
in which these are others and all that he has seen is the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from engine.ragers.reference import CHANCE, NOTHING, Phase, State, deciders, drawing
from engine.ragers.reference_row import top_icon
from engine.ragers.rules import NUM_TYPES, TYPES, VETERAN

Move = tuple[int, int] | int


@dataclass(eq=False)
class _Card:
    """A card of the other player's deck, known or not; where it may not be any type, which ones it may be."""

    kind: int | None = None
    allowed: set[int] = field(default_factory=lambda: set(range(NUM_TYPES)))


def resample(
    steps: Sequence[tuple[State, Move]], player: int, random: Random, *, end: State, strict: bool = True
) -> list[Move] | None:
    """Draw another history that looks the same to a player, or None if this try came to nothing.

    The other player's deck is as likely to lie in one order as in any other, and he is taken to have chosen
    each of the cards he held with equal probability; given what was seen of that, histories are drawn by
    their probabilities. Exact, but for the tries that come to nothing because somebody held no card that he
    was allowed to place: those are made rarer by what is known to be so.

    Parameters
    ----------
    steps : states and moves from the first draw on.
    end : the state after them; who decides in it is seen, and tells whether the other one can place a card.
    strict : whether a try may come to nothing for the sake of exact probabilities.
    """
    foe = 1 - player
    drawn: list[_Card] = []
    held: list[_Card] = []
    hidden: dict[int, _Card] = {}
    draws: dict[int, _Card] = {}
    for number, (state, move) in enumerate(steps):
        if isinstance(move, int):
            if drawing(state) == foe:
                drawn.append(_Card())
                held.append(drawn[-1])
                draws[number] = drawn[-1]
            continue
        who = deciders(state)
        if foe in who and move[foe] != NOTHING:
            is_hidden = state.phase == Phase.DEADEYE
            fitting = held if is_hidden else [card for card in held if move[foe] in card.allowed]
            if not fitting or (strict and random.random() * len(held) >= len(fitting)):
                return None
            card = random.choice(fitting)
            held.remove(card)
            if is_hidden:
                hidden[number] = card
                card.allowed &= _allowed(state)
            else:
                card.kind = move[foe]
        elif _passes(state, foe):
            for card in held:
                card.allowed -= _allowed(state)
    if _passes(end, foe):
        for card in held:
            card.allowed -= _allowed(end)
    if not _fill(drawn, steps[0][0].players[foe].deck if steps else (), random):
        return None
    moves: list[Move] = []
    for number, (_, move) in enumerate(steps):
        changed = draws.get(number) or hidden.get(number)
        kind = None if changed is None else changed.kind
        if kind is None:
            moves.append(move)
        elif isinstance(move, int):
            moves.append(kind)
        else:
            moves.append((kind, move[1]) if foe == 0 else (move[0], kind))
    return moves


def _allowed(state: State) -> set[int]:
    """Types that this day's patron lets anybody place (K3)."""
    assert state.patron is not None
    forbidden = state.rules.patrons[state.patron].forbidden
    return {kind for kind in range(NUM_TYPES) if TYPES[kind] not in forbidden}


def _passes(state: State, player: int) -> bool:
    """Whether the player would decide now, but holds no card that he may place."""
    who = deciders(state)
    if not who or CHANCE in who or player in who:
        return False
    own = state.players[player]
    if state.phase == Phase.PLACE:
        return True
    if state.phase == Phase.VETERAN:
        return top_icon(own.slot) == VETERAN
    return state.phase == Phase.DEADEYE and own.owes_hidden


def _fill(drawn: Sequence[_Card], deck: Sequence[int], random: Random) -> bool:
    """Say what the unknown cards are, those first that may be the fewest types; whether that is possible."""
    left = list(deck)
    for card in drawn:
        if card.kind is not None:
            left[card.kind] -= 1
    unknown = [card for card in drawn if card.kind is None]
    for card in sorted(unknown, key=lambda each: len(each.allowed)):
        weights = [left[kind] if kind in card.allowed else 0 for kind in range(NUM_TYPES)]
        if not any(weights):
            return False
        [card.kind] = random.choices(range(NUM_TYPES), weights)
        left[card.kind] -= 1
    return True
