"""Moves and rows in words, for transcripts and for people at a terminal.

A card is its type; `(basher)` is negated, `?` a hidden card that is not yours, `?basher` one that is,
`chancer=basher` a copy, `basher*` under a Stopper's mark, `veteran/basher` a stack, bottom first.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.ragers.reference import CHANCE, NOTHING, Phase, State, deciders, drawing
from engine.ragers.reference_row import Placed, Slot
from engine.ragers.rules import CHANCER, PLAYERS, TYPES

Move = tuple[int, int] | int
"""Both players' actions, or a chance outcome; as `engine.ragers.reference.step` takes them."""


class NotationError(ValueError):
    """A line that is no move of this state; the message says why."""


def action_text(action: int) -> str:
    """Return the name of a type, or ``-`` for nothing."""
    return "-" if action == NOTHING else TYPES[action]


def move_text(state: State, move: Move) -> str:
    """Return a move as its kind and a word for each choice: ``draw accusers basher``, ``place basher -``."""
    if not isinstance(move, int):
        return f"{state.phase.name.lower()} {action_text(move[0])} {action_text(move[1])}"
    player = drawing(state)
    if player is not None:
        return f"draw {PLAYERS[player]} {TYPES[move]}"
    names = state.rules.patrons if state.phase == Phase.PATRON else state.rules.cheers
    return f"reveal {names[move].id}"


def parse_move(state: State, text: str) -> Move:
    """Return the move that :func:`move_text` wrote.

    Raises
    ------
    NotationError
        If it is no move of this kind of state; whether it is legal there is for the engine to say.
    """
    words = text.split()
    who = deciders(state)
    player = drawing(state)
    if who == (CHANCE,) and player is not None:
        if words[:2] != ["draw", PLAYERS[player]] or len(words) != 3:
            raise NotationError(f"expected 'draw {PLAYERS[player]} CARD', found {text!r}")
        return _type(words[2])
    if who == (CHANCE,):
        names = state.rules.patrons if state.phase == Phase.PATRON else state.rules.cheers
        ids = [entry.id for entry in names]
        if len(words) != 2 or words[0] != "reveal" or words[1] not in ids:
            raise NotationError(f"expected 'reveal NAME' with one of {', '.join(ids)}, found {text!r}")
        return ids.index(words[1])
    kind = state.phase.name.lower()
    if not who:
        raise NotationError(f"{text!r} comes after the end")
    if len(words) != 3 or words[0] != kind:
        raise NotationError(f"expected '{kind} CARD CARD', found {text!r}")
    return _action(words[1]), _action(words[2])


def _type(word: str) -> int:
    if word not in TYPES:
        raise NotationError(f"{word!r} is no card; there are {', '.join(TYPES)}")
    return TYPES.index(word)


def _action(word: str) -> int:
    return NOTHING if word == "-" else _type(word)


def row_text(row: Sequence[Slot], *, is_own: bool) -> str:
    """Return a row; the hidden cards of the other player stay hidden."""
    return " ".join("/".join(_card_text(card, is_own) for card in slot) for slot in row) or "-"


def _card_text(card: Placed, is_own: bool) -> str:
    name = TYPES[card.printed]
    if card.hidden:
        return f"?{name}" if is_own else "?"
    if not card.face_up:
        return f"({name})"
    if card.printed == CHANCER:
        name += "=" + ("" if card.icon is None else TYPES[card.icon])
    return name + ("*" if card.marked else "")
