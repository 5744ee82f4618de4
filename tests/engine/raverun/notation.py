"""Short notation for moves, and tables of Raverun played on the reference, and on the kernel beside it.

A card is `4B`; `4B>1` that card and the stack of player 1; `>1` a stack alone; `order 1 0` an order of play;
`-` passing. Chance outcomes are cards too.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.raverun.codec import encode
from engine.raverun.kernel import transition
from engine.raverun.kernel_rules import kernel_rules
from engine.raverun.reference import (
    CHANCE,
    Move,
    Phase,
    Player,
    State,
    advance,
    decider,
    legal_moves,
    step,
)
from engine.raverun.rules import Rules
from tests.engine.raverun.plays import BOX, assert_same, moves


def names(rules: Rules, cards: Sequence[int]) -> str:
    return " ".join(map(rules.card_name, cards))


def move_text(rules: Rules, move: Move | int) -> str:
    if isinstance(move, int):
        return rules.card_name(move)
    if move.order:
        return " ".join(("order", *map(str, move.order)))
    card = "" if move.card is None else rules.card_name(move.card)
    target = "" if move.player is None else f">{move.player}"
    return card + target or "-"


def move_of(state: State, text: str) -> Move | int:
    """The move, or chance outcome, that `move_text` wrote."""
    rules = state.rules
    if decider(state) == CHANCE:
        return rules.card(text)
    if text == "-":
        return Move()
    if text.startswith("order"):
        return Move(order=tuple(map(int, text.split()[1:])))
    card, arrow, player = text.partition(">")
    return Move(rules.card(card) if card else None, int(player) if arrow else None)


class Table:
    """A game somewhere in its middle, played on the reference, and on the kernel, which must agree.

    Cards that are not named anywhere lie out of the game.

    Parameters
    ----------
    hands, stacks (bottom first), battlefields : a text of cards per player.
    deck : batches in the order of drawing.

    Attributes
    ----------
    beside_kernel : whether the kernel plays along; the rules are the reference's either way.
    """

    beside_kernel = False

    def __init__(
        self,
        hands: Sequence[str],
        *,
        stacks: Sequence[str] = (),
        battlefields: Sequence[str] = (),
        deck: Sequence[str] = (),
        phase: Phase = Phase.ORDER,
        rules: Rules = BOX,
    ) -> None:
        def cards(texts: Sequence[str], index: int) -> tuple[int, ...]:
            return tuple(map(rules.card, texts[index].split())) if texts else ()

        players = tuple(
            Player(
                hand=tuple(sorted(cards(hands, index))),
                stack=cards(stacks, index),
                battlefield=tuple(sorted(cards(battlefields, index))),
            )
            for index in range(len(hands))
        )
        batches = tuple(tuple(sorted(map(rules.card, batch.split()))) for batch in deck)
        self.rules = rules
        self.state = advance(State(rules, players, batches, phase))
        self.compiled = kernel_rules(rules, len(hands))
        self.words = encode(self.state)
        self._check()

    def play(self, *texts: str) -> Table:
        for text in texts:
            move = move_of(self.state, text)
            known = moves(self.state)
            assert move in known, f"{text}: not among {self.options}"
            if self.beside_kernel:
                transition(self.words, self.compiled, known.index(move))
            self.state = step(self.state, move)
            self._check()
        return self

    def _check(self) -> None:
        if self.beside_kernel:
            assert_same(self.state, self.words, self.compiled)

    @property
    def who(self) -> int:
        return decider(self.state)

    @property
    def phase(self) -> Phase:
        return self.state.phase

    @property
    def offered(self) -> str | None:
        return None if self.state.offered is None else self.rules.card_name(self.state.offered)

    @property
    def options(self) -> list[str]:
        return [move_text(self.rules, move) for move in legal_moves(self.state)]

    def hand(self, player: int) -> str:
        return names(self.rules, self.state.players[player].hand)

    def stack(self, player: int) -> str:
        return names(self.rules, self.state.players[player].stack)

    def battlefield(self, player: int) -> str:
        return names(self.rules, self.state.players[player].battlefield)

    @property
    def deck(self) -> list[str]:
        return [names(self.rules, batch) for batch in self.state.deck]
