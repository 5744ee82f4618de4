"""Short notation for rows and moves, and days played on reference and kernel at once.

`basher` face-up; `(basher)` negated; `?basher` a Deadeye's further card; `chancer=basher` a copy;
`chancer=` blank; `basher*` under a Stopper's mark; `veteran/basher` a stack, bottom first.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.ragers.codec import encode
from engine.ragers.kernel_rules import kernel_rules
from engine.ragers.reference import (
    CHANCE,
    NOTHING,
    State,
    deciders,
    start_day,
    step,
)
from engine.ragers.reference_row import DayResult, Placed, Slot
from engine.ragers.rules import CHANCER, TYPES, Rules, load_rules
from tests.engine.ragers.plays import Move, assert_same, step_words


def card_text(card: Placed) -> str:
    name = TYPES[card.printed]
    if card.hidden:
        return f"?{name}"
    if not card.face_up:
        return f"({name})"
    if card.printed == CHANCER:
        name += "=" + ("" if card.icon is None else TYPES[card.icon])
    return name + ("*" if card.marked else "")


def row_text(row: Sequence[Slot]) -> str:
    return " ".join("/".join(card_text(card) for card in slot) for slot in row)


def action_of(text: str | None) -> int:
    return NOTHING if text in (None, "-") else TYPES.index(str(text))


def state_move_of(state: State, text: str) -> Move:
    """The move that `state_move_text` wrote."""
    kind, *words = text.split()
    if kind == "draw":
        return TYPES.index(words[1])
    if kind == "reveal":
        ids = state.rules.patrons if state.phase.name == "PATRON" else state.rules.cheers
        return [entry.id for entry in ids].index(words[0])
    return action_of(words[0]), action_of(words[1])


def multiset(cards: str) -> tuple[int, ...]:
    """Counts of each type in a list of names."""
    names = cards.split()
    assert set(names) <= set(TYPES), names
    return tuple(names.count(name) for name in TYPES)


class Day:
    """A day played on the reference and on the kernel, which must agree after every move.

    Hands are what is given, and decks are empty unless given: then nothing is drawn, and a test can say
    exactly who holds what.
    """

    def __init__(
        self,
        first: str,
        second: str,
        *,
        patron: str = "the-nameless",
        cheers: Sequence[str] = (),
        decks: tuple[str, str] = ("", ""),
        rules: Rules | None = None,
        preparation: bool = False,
    ) -> None:
        self.state = start_day(
            rules or load_rules(),
            patron,
            cheers,
            preparation=preparation,
            hands=(multiset(first), multiset(second)),
            decks=(multiset(decks[0]), multiset(decks[1])),
        )
        self.compiled = kernel_rules(self.state.rules)
        self.words = encode(self.state)

    def _move(self, move: Move) -> Day:
        self.state = step(self.state, move)
        step_words(self.words, self.compiled, move)
        assert_same(self.state, self.words, self.compiled)
        return self

    def play(self, *pairs: str) -> Day:
        """Moves of both players, each `"own opp"` with `-` for nothing."""
        for pair in pairs:
            first, second = pair.split()
            self._move((action_of(first), action_of(second)))
        return self

    def draw(self, *cards: str) -> Day:
        for card in cards:
            assert deciders(self.state) == (CHANCE,)
            self._move(TYPES.index(card))
        return self

    def row(self, player: int) -> str:
        """The player's row with the slot of the step being resolved."""
        own = self.state.players[player]
        return row_text((*own.row, own.slot) if own.slot else own.row)

    @property
    def who(self) -> tuple[int, ...]:
        return deciders(self.state)

    @property
    def result(self) -> DayResult:
        """What the day brought; it must be over."""
        (result,) = self.state.results
        return result

    @property
    def gp(self) -> tuple[int, int]:
        assert np.array_equal(encode(self.state), self.words)
        return self.result.gp
