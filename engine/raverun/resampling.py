"""Other ways in which a game can have come to what a player has seen, drawn at random.

A player does not know which cards others draw, choose first or put under the deck, nor how a stack of theirs
lies after a shuffle (V4). Drawn here is a whole history in which these are others and all that he has seen
is the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random

from engine.raverun.reference import CHANCE, PASS, Move, Phase, State, decider
from engine.raverun.rules import BURY, EXCHANGE, RECALL, SHUFFLE, SWAP

_Move = Move | int


class _Token:
    """A card that lies somewhere face-down: known, or any that is still free of its group."""

    __slots__ = ("card", "group")

    def __init__(self, group: _Group, card: int | None = None) -> None:
        self.group = group
        self.card = card

    def may_be(self, card: int) -> bool:
        return self.card == card or (self.card is None and card in self.group.free)

    def is_now(self, card: int) -> None:
        if self.card is None:
            self.group.free.remove(card)
            self.card = card


class _Group:
    """Cards that were mixed, and what they now lie as."""

    def __init__(self, cards: Iterable[int]) -> None:
        self.free = set(cards)
        self.tokens = [_Token(self) for _ in self.free]

    def fill(self, random: Random) -> None:
        """Say of each card that nobody has seen since where it lies."""
        left = sorted(self.free)
        random.shuffle(left)
        for token in self.tokens:
            if token.card is None:
                token.card = left.pop()


_NOT_MIXED = _Group(())


class _Inconsistent(Exception):
    """A choice made before does not go with what was seen later."""


def resample(
    steps: Sequence[tuple[State, _Move]],
    player: int,
    random: Random,
    *,
    end: State,
    strict: bool = True,
) -> list[_Move] | None:
    """Draw another history that looks the same to a player, or None if this try came to nothing.

    Decks and shuffled stacks are as likely to lie in one order as in any other, and others are taken to have
    chosen each of the cards they held with equal probability; given what was seen of that, histories are
    drawn by their probabilities.

    Parameters
    ----------
    steps : states and moves from the first draw on.
    end : the state after them.
    strict : whether a try may come to nothing for the sake of exact probabilities.
    """
    world = _World(steps, player, random, end, strict)
    try:
        return world.moves()
    except _Inconsistent:
        return None


class _World:
    """What a player can tell of a history, followed move by move."""

    def __init__(
        self,
        steps: Sequence[tuple[State, _Move]],
        player: int,
        random: Random,
        end: State,
        strict: bool,
    ) -> None:
        self.steps = steps
        self.states = [*(state for state, _ in steps), end]
        self.player = player
        self.random = random
        self.strict = strict
        self.groups: list[_Group] = []
        self.hands: list[list[_Token]] = [[] for _ in end.players]
        self.stacks: list[list[_Token]] = [[] for _ in end.players]
        self.deck: list[list[_Token]] = []
        #: Of each move, what it is about: a card that is chosen or drawn, or cards that go under the deck.
        self.changed: dict[int, _Token | list[_Token]] = {}

    def moves(self) -> list[_Move]:
        """Return the moves of another history."""
        if self.steps:
            first = self.states[0]
            self.deck = [self._mixed(cards) for cards in first.deck]
            for number, (state, move) in enumerate(self.steps):
                self._follow(number, state, move, self.states[number + 1])
        for group in self.groups:
            group.fill(self.random)
        return self._written()

    def _mixed(self, cards: Iterable[int]) -> list[_Token]:
        self.groups.append(_Group(cards))
        return list(self.groups[-1].tokens)

    def _take(self, tokens: list[_Token], card: int, among: int | None = None) -> _Token:
        """Take a card that is seen now from where it lay, as one of `among` cards."""
        fitting = [token for token in tokens if token.may_be(card)]
        among = len(tokens) if among is None else among
        if not fitting or (self.strict and self.random.random() * among >= len(fitting)):
            raise _Inconsistent
        token = self.random.choice(fitting)
        token.is_now(card)
        tokens.remove(token)
        return token

    def _follow(self, number: int, state: State, move: _Move, after: State) -> None:
        who = decider(state)
        if who == CHANCE:
            assert isinstance(move, int)
            if state.shuffler is None:
                self._draw(number, state, move)
            else:
                self._lay_out(number, state, move, after)
            return
        assert isinstance(move, Move)
        if state.phase == Phase.BID:
            self._bid(number, who, move)
        elif state.phase == Phase.PLAY:
            if who != self.player:
                assert move.card is not None
                self._take(self.hands[who], move.card)
        elif state.phase != Phase.ORDER:
            self._use(number, state, who, move)
        self._push(state, after)

    def _draw(self, number: int, state: State, card: int) -> None:
        top, drawer = self.deck[0], state.drawer
        assert drawer is not None
        if drawer == self.player:
            token = self._take(top, card)
        else:
            token = self.random.choice(top)
            top.remove(token)
            self.hands[drawer].append(token)
        self.changed[number] = token
        if not top:
            self.deck.pop(0)

    def _lay_out(self, number: int, state: State, card: int, after: State) -> None:
        """A card of a shuffled stack gets its place, from the top down (8)."""
        owner = state.shuffler
        assert owner is not None
        stack = self.stacks[owner]
        token = stack[len(stack) - 1 - len(state.players[owner].stack)]
        if owner == self.player or not state.players[owner].stack:
            token.is_now(card)
        self.changed[number] = token
        if after.shuffler is None and owner == self.player:
            for below, other in zip(stack, after.players[owner].stack, strict=True):
                below.is_now(other)

    def _bid(self, number: int, who: int, move: Move) -> None:
        if who == self.player:
            return
        assert move.card is not None
        uncovered = any(state.phase not in (Phase.DEAL, Phase.BID) for state in self.states[number:])
        held = self.hands[who]
        if uncovered:
            self.changed[number] = self._take(held, move.card)
        else:
            self.changed[number] = held.pop(self.random.randrange(len(held)))

    def _use(self, number: int, state: State, who: int, move: Move) -> None:
        """Carry out an action, or the choice of one more card to go under the deck (2)."""
        assert state.offered is not None
        action = state.rules.action(state.offered)
        if action == EXCHANGE and (state.put or move.card is not None):
            self._exchange(number, state, who, move)
            return
        if move == PASS:
            return
        if action == SWAP:
            assert move.card is not None
            assert move.player is not None
            if who != self.player:
                self._take(self.hands[who], move.card)
                top = state.players[move.player].stack[-1]
                self.hands[who].append(_Token(_NOT_MIXED, top))
            self.stacks[move.player][-1] = _Token(_NOT_MIXED, move.card)
        elif action == BURY:
            assert move.player is not None
            self.deck.append([self.stacks[move.player].pop()])
        elif action == RECALL:
            assert move.card is not None
            stack = self.stacks[who]
            below = stack[:-1]
            token = self._take(below, move.card, among=1)
            stack.remove(token)
            stack.append(token)
        elif action == SHUFFLE:
            assert move.player is not None
            self.stacks[move.player] = self._mixed(state.players[move.player].stack)

    def _exchange(self, number: int, state: State, who: int, move: Move) -> None:
        """Cards go under the deck; who puts them there sees which, others how many."""
        after = self.states[number + 1]
        if after.put:
            return
        put = state.put if move.card is None else (*state.put, move.card)
        if who == self.player:
            tokens = self._mixed(put)
        else:
            tokens = self.random.sample(self.hands[who], len(put))
            for token in tokens:
                self.hands[who].remove(token)
        self.deck.append(list(tokens))
        self.changed[number] = list(tokens)

    def _push(self, state: State, after: State) -> None:
        """Cards that came onto stacks face-up, and what was uncovered."""
        if after.shuffler is not None:
            return
        for index, (stack, new) in enumerate(zip(self.stacks, after.players, strict=True)):
            for card in new.stack[len(stack) :]:
                stack.append(_Token(_NOT_MIXED, card))
            if stack:
                if not stack[-1].may_be(new.stack[-1]):
                    raise _Inconsistent
                stack[-1].is_now(new.stack[-1])
            assert len(stack) == len(new.stack), index

    def _written(self) -> list[_Move]:
        """The history in which every card is what it turned out to be."""
        written: list[_Move] = []
        for number, (state, move) in enumerate(self.steps):
            who = decider(state)
            changed = self.changed.get(number)
            if isinstance(changed, list):
                if who == self.player:
                    written.append(move)
                else:
                    written += _put_moves([_known(token) for token in changed], self._left(number, who))
            elif changed is not None:
                written.append(_known(changed) if who == CHANCE else Move(_known(changed)))
            elif who in (CHANCE, self.player) or not self._is_put(number):
                written.append(move)
        return written

    def _is_put(self, number: int) -> bool:
        """Whether a move only adds to the cards on their way under the deck."""
        return bool(self.states[number + 1].put)

    def _left(self, number: int, who: int) -> list[int]:
        """The cards that the player holds, once those he exchanges are gone.

        They are not kept along the way: found again from what he held and what has left since.
        """
        held: list[int] = []
        for earlier in range(number + 1):
            state, move = self.steps[earlier]
            changed = self.changed.get(earlier)
            acting = decider(state)
            if acting == CHANCE:
                if state.shuffler is None and state.drawer == who:
                    assert isinstance(changed, _Token)
                    held.append(_known(changed))
            elif acting == who:
                assert isinstance(move, Move)
                if isinstance(changed, list):
                    for token in changed:
                        held.remove(_known(token))
                elif state.phase in (Phase.BID, Phase.PLAY):
                    held.remove(_known(changed) if isinstance(changed, _Token) else _card(move))
                elif _swaps(state, move):
                    held.remove(_card(move))
                    assert move.player is not None
                    held.append(state.players[move.player].stack[-1])
        return held


def _swaps(state: State, move: Move) -> bool:
    """Whether a move swaps a card held with the top of a stack (1)."""
    return move.card is not None and state.offered is not None and state.rules.action(state.offered) == SWAP


def _known(token: _Token) -> int:
    assert token.card is not None
    return token.card


def _card(move: Move) -> int:
    assert move.card is not None
    return move.card


def _put_moves(put: list[int], left: list[int]) -> list[_Move]:
    """The moves that put these cards under the deck, and end that where more could go (2)."""
    moves: list[_Move] = [Move(card) for card in sorted(put)]
    if left and max(left) > max(put):
        moves.append(PASS)
    return moves
