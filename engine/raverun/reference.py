"""Raverun in plain Python: immutable states, chance as explicit draws, one function per rule.

This is the specification as code. The kernels must agree with it move by move; nothing here is fast.

A game is walked with `decider`, `legal_moves` / `chance_outcomes` and `step`. One player decides at a time:
the first cards (V3) are chosen one after the other, unseen until all are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations

from engine.protocol import CHANCE as CHANCE
from engine.protocol import OVER as OVER
from engine.protocol import IllegalMove as IllegalMove
from engine.raverun.reference_state import PASS as PASS
from engine.raverun.reference_state import Cards as Cards
from engine.raverun.reference_state import Move as Move
from engine.raverun.reference_state import Phase as Phase
from engine.raverun.reference_state import Player as Player
from engine.raverun.reference_state import State as State
from engine.raverun.reference_state import (
    hidden_from_nobody,
    pushed,
    seen,
    top_seen,
    with_card,
    with_player,
    without,
)
from engine.raverun.rules import BURY, CAPTURE, DEPLOY, DRAW, EXCHANGE, RECALL, SHUFFLE, SWAP, Rules

# -- beginnings ---------------------------------------------------------------------------------------


def start(rules: Rules, num_players: int = 2) -> State:
    """The state before the hands are dealt (V2): the draws are chance nodes.

    Raises ValueError if so many cannot play with these rules.
    """
    rules.hand_size(num_players)
    return advance(State(rules, (Player(),) * num_players, (tuple(range(rules.num_cards)),)))


def start_dealt(rules: Rules, hands: Sequence[Sequence[int]]) -> State:
    """The state after dealing these hands: a card of each is to be chosen (V3).

    Raises ValueError if so many cannot play with these rules, or for hands nobody can be dealt.
    """
    dealt = [card for hand in hands for card in hand]
    sizes = {len(hand) for hand in hands} | {rules.hand_size(len(hands))}
    if len(sizes) > 1 or len(set(dealt)) < len(dealt) or not set(dealt) <= set(range(rules.num_cards)):
        raise ValueError(f"these hands cannot be dealt: {hands!r}")
    players = tuple(Player(hand=tuple(sorted(hand))) for hand in hands)
    rest = tuple(card for card in range(rules.num_cards) if card not in dealt)
    return advance(State(rules, players, (rest,) if rest else (), Phase.BID))


# -- who decides, and what is allowed -----------------------------------------------------------------


def is_over(state: State) -> bool:
    """Whether the game has ended."""
    return state.phase == Phase.OVER


def decider(state: State) -> int:
    """Who decides now: a player, `CHANCE`, or `OVER`."""
    if state.phase == Phase.OVER:
        return OVER
    if state.draws or state.shuffler is not None:
        return CHANCE
    if state.phase == Phase.BID:
        return state.acted
    if state.phase == Phase.ORDER:
        return _highest_top(state, state.leader)
    if state.phase == Phase.PLAY:
        return state.order[state.acted]
    assert state.offered is not None
    return _owner(state, state.offered)


def legal_moves(state: State) -> tuple[Move, ...]:
    """What the decider may do: by card, then by player, `PASS` last; empty for chance and when over."""
    player = decider(state)
    if player < 0:
        return ()
    if state.phase == Phase.ORDER:
        return tuple(Move(order=order) for order in permutations(range(len(state.players))))
    if state.phase in (Phase.BID, Phase.PLAY):
        return tuple(map(Move, state.players[player].hand))
    assert state.offered is not None
    return (*_uses(state, player, state.offered), PASS)


def chance_outcomes(state: State) -> list[tuple[int, int]]:
    """Outcomes of a chance node with integer weights: the card that is drawn, or laid out next (8)."""
    if decider(state) != CHANCE:
        return []
    return [(card, 1) for card in (state.unplaced if state.shuffler is not None else state.deck[0])]


def _uses(state: State, player: int, card: int) -> tuple[Move, ...]:
    """The ways to use a card, its owner being `player`; empty if it has no legal target (A1)."""
    own = state.players[player]
    action = state.rules.action(card)
    filled = [index for index, other in enumerate(state.players) if other.stack]
    if action == SWAP:
        return tuple(Move(held, target) for held in own.hand for target in filled)
    if action == EXCHANGE:
        after = state.put[-1] if state.put else -1
        return tuple(Move(held) for held in own.hand if held > after) if state.deck else ()
    if action == DRAW:
        return (Move(player=player),) if state.deck else ()
    if action == DEPLOY:
        lying = sorted(card for other in state.players for card in other.battlefield)
        return tuple(Move(card, target) for card in lying for target in range(len(state.players)))
    if action == CAPTURE:
        others = [other for index, other in enumerate(state.players) if index != player]
        return tuple(map(Move, sorted(card for other in others for card in other.battlefield)))
    if action == BURY:
        return tuple(Move(player=target) for target in filled)
    if action == RECALL:
        letter = state.rules.letter(card)
        below = sorted(own.stack[:-1])
        return tuple(Move(other) for other in below if state.rules.letter(other) == letter)
    assert action == SHUFFLE
    return tuple(Move(player=target) for target in filled if len(state.players[target].stack) > 1)


def _owner(state: State, card: int) -> int:
    """On whose stack's top (P3), or battlefield (P5), the offered card lies."""
    [owner] = [index for index, player in enumerate(state.players) if card in _acting(state, player)]
    return owner


def _acting(state: State, player: Player) -> Cards:
    """The player's cards that lie where cards act in this phase (P3, P5)."""
    return player.battlefield if state.phase == Phase.LAST else player.stack[-1:]


def _highest_top(state: State, otherwise: int) -> int:
    """Owner of the highest top card of all stacks (P1, P5), or someone else if all stacks are empty."""
    tops = [(player.stack[-1], index) for index, player in enumerate(state.players) if player.stack]
    return max(tops)[1] if tops else otherwise


# -- moves --------------------------------------------------------------------------------------------


def step(state: State, move: Move | int) -> State:
    """The state after a player's move, or after a chance outcome (a card).

    Raises IllegalMove.
    """
    if not isinstance(move, Move):
        if move not in dict(chance_outcomes(state)):
            raise IllegalMove(f"chance outcome {move} in phase {state.phase.name}")
        return advance(_lay_out(state, move) if state.shuffler is not None else _draw(state, move))
    if move not in legal_moves(state):
        raise IllegalMove(f"{move!r} in phase {state.phase.name}, decider {decider(state)}")
    player = decider(state)
    if state.phase == Phase.ORDER:
        return advance(replace(state, phase=Phase.PLAY, order=move.order, leader=player))
    if state.phase in (Phase.BID, Phase.PLAY):
        assert move.card is not None
        return advance(_choose(state, player, move.card))
    assert state.offered is not None
    if state.put or (move != PASS and state.rules.action(state.offered) == EXCHANGE):
        return _exchange(state, player, state.offered, move)
    used = replace(state, threshold=state.offered + 1, offered=None)
    return advance(used if move == PASS else _use(used, player, state.offered, move))


def _draw(state: State, card: int) -> State:
    """A card from the top of the deck (V2, 2, 3)."""
    assert state.drawer is not None
    top, rest = state.deck[0], state.deck[1:]
    left = tuple(other for other in top if other != card)
    players = list(state.players)
    for index, own in enumerate(players):
        if index == state.drawer:
            players[index] = replace(own, hand=with_card(own.hand, card), known=own.known - {card})
        elif len(top) > 1:  # which one was drawn is not seen
            players[index] = replace(own, known=own.known - set(top))
    return replace(
        state,
        players=tuple(players),
        deck=(left, *rest) if left else rest,
        draws=state.draws - 1,
        drawer=state.drawer if state.draws > 1 else None,
    )


def _choose(state: State, player: int, card: int) -> State:
    """The card for the stack, face-down (V3), or onto the battlefield, face-up (P1)."""
    own = state.players[player]
    own = replace(own, hand=without(own.hand, card), chosen=card)
    if state.phase == Phase.PLAY:
        own = replace(own, battlefield=with_card(own.battlefield, card))
        state = seen(state, card)
        own = replace(own, known=state.players[player].known)
    return with_player(replace(state, acted=state.acted + 1), player, own)


def _exchange(state: State, player: int, offered: int, move: Move) -> State:
    """Choose one more card to go under the deck, or, with `PASS`, carry the exchange out (2)."""
    own = state.players[player]
    if move.card is not None:
        own = replace(own, hand=without(own.hand, move.card))
        state = replace(with_player(state, player, own), put=(*state.put, move.card))
        if own.hand and own.hand[-1] > move.card:
            return state
    gone = {*own.hand, *state.put}
    players = tuple(
        replace(other, known=other.known | set(state.put) if index == player else other.known - gone)
        for index, other in enumerate(state.players)
    )
    return advance(
        replace(
            state,
            players=players,
            deck=(*state.deck, state.put),
            put=(),
            drawer=player,
            draws=len(state.put),
            threshold=offered + 1,
            offered=None,
        )
    )


def _use(state: State, player: int, card: int, move: Move) -> State:
    """Carry out every other action; `threshold` and `offered` are set already."""
    own = state.players[player]
    action = state.rules.action(card)
    if action == DRAW:
        return replace(state, drawer=player, draws=1)
    if action == SWAP:
        assert move.card is not None
        assert move.player is not None
        top = state.players[move.player].stack[-1]
        own = replace(own, hand=with_card(without(own.hand, move.card), top))
        state = seen(with_player(state, player, own), move.card)
        target = state.players[move.player]
        state = with_player(state, move.player, replace(target, stack=(*target.stack[:-1], move.card)))
        return hidden_from_nobody(state, top, holder=player)
    if action in (DEPLOY, CAPTURE):
        assert move.card is not None
        for index, other in enumerate(state.players):
            if move.card in other.battlefield:
                taken = replace(other, battlefield=without(other.battlefield, move.card))
                state = with_player(state, index, taken)
        if action == DEPLOY:
            assert move.player is not None
            return pushed(state, move.player, move.card)
        own = state.players[player]
        return with_player(state, player, replace(own, battlefield=with_card(own.battlefield, move.card)))
    if action == RECALL:
        assert move.card is not None
        stack = (*(other for other in own.stack if other != move.card), move.card)
        return top_seen(with_player(state, player, replace(own, stack=stack)), player)
    assert move.player is not None
    target = state.players[move.player]
    if action == BURY:
        top = target.stack[-1]
        state = with_player(state, move.player, replace(target, stack=target.stack[:-1]))
        state = hidden_from_nobody(replace(state, deck=(*state.deck, (top,))), top)
        return top_seen(state, move.player)
    return replace(
        with_player(state, move.player, replace(target, stack=())),
        shuffler=move.player,
        unplaced=tuple(sorted(target.stack)),
        hidden_order=state.hidden_order | set(target.stack),
    )


def _lay_out(state: State, card: int) -> State:
    """The next card of a shuffled stack, from the top down (8).

    Where nothing can uncover what lies below, its order is left open: as a convention, ascending.
    """
    assert state.shuffler is not None
    own = state.players[state.shuffler]
    top = not own.stack
    unplaced = without(state.unplaced, card)
    stack = (card, *own.stack)
    if len(unplaced) == 1 or not order_matters(state):
        stack, unplaced = (*unplaced, *stack), ()
    state = with_player(state, state.shuffler, replace(own, stack=stack))
    if top:
        state = replace(state, hidden_order=state.hidden_order - {card})
    return replace(state, unplaced=unplaced, shuffler=state.shuffler if unplaced else None)


def order_matters(state: State) -> bool:
    """Whether a card that may still act could uncover what lies below the top of a stack (6)."""
    rules = state.rules
    for card in range(rules.num_cards):
        later = card >= state.threshold or state.phase == Phase.ROUND
        acts = later and rules.acts_on(card) == "battlefields"
        if state.phase == Phase.ROUND:
            acts = acts or rules.acts_on(card) == "stacks"
        if acts and rules.action(card) == BURY:
            return True
    return False


def advance(state: State) -> State:
    """Carry out everything that nobody decides, up to the next decision, draw, or the end."""
    while not state.draws and state.shuffler is None:
        if state.phase == Phase.DEAL:
            size = state.rules.hand_size(len(state.players))
            waiting = [index for index, player in enumerate(state.players) if len(player.hand) < size]
            if waiting:
                return replace(state, drawer=waiting[0], draws=size)
            state = replace(state, phase=Phase.BID)
        elif state.phase == Phase.BID:
            if state.acted < len(state.players):
                return state
            state = _begin_round(_uncover(state))
        elif state.phase == Phase.ORDER:
            return state
        elif state.phase == Phase.PLAY:
            if state.acted < len(state.players):
                return state
            state = _clash(state)
        elif state.phase in (Phase.ROUND, Phase.LAST):
            offered = _next_offer(state)
            if offered is not None:
                return replace(state, offered=offered)
            state = replace(state, threshold=0)
            if state.phase == Phase.LAST:
                return replace(state, phase=Phase.OVER)
            state = _begin_round(state)
        else:
            return state
    return state


def _uncover(state: State) -> State:
    """All first cards are chosen: they become the stacks (V3)."""
    for index, player in enumerate(state.players):
        assert player.chosen is not None
        state = with_player(state, index, replace(player, chosen=None))
        state = pushed(state, index, player.chosen)
    return replace(state, acted=0)


def _begin_round(state: State) -> State:
    """Another round if everybody holds a card, otherwise the last phase (P4)."""
    again = all(player.hand for player in state.players)
    return replace(state, phase=Phase.ORDER if again else Phase.LAST)


def _clash(state: State) -> State:
    """The highest card stays; the others go onto their owners' stacks (P2)."""
    best = max(player.chosen for player in state.players if player.chosen is not None)
    for index, player in enumerate(state.players):
        assert player.chosen is not None
        card = player.chosen
        player = replace(player, chosen=None)
        if card != best:
            player = replace(player, battlefield=without(player.battlefield, card))
        state = with_player(state, index, player)
        if card != best:
            state = pushed(state, index, card)
    return replace(state, phase=Phase.ROUND, order=(), acted=0)


def _next_offer(state: State) -> int | None:
    """The lowest card that acts in this phase, is not below the threshold, and has a target (P3, P5, A1)."""
    place = "battlefields" if state.phase == Phase.LAST else "stacks"
    cards = [(card, index) for index, player in enumerate(state.players) for card in _acting(state, player)]
    for card, owner in sorted(cards):
        if card >= state.threshold and state.rules.acts_on(card) == place and _uses(state, owner, card):
            return card
    return None


# -- the end ------------------------------------------------------------------------------------------


def winner(state: State) -> int | None:
    """Who has won a finished game: the owner of the highest top card, None if all stacks are empty (P5)."""
    assert is_over(state)
    best = _highest_top(state, -1)
    return None if best < 0 else best


def payoffs(state: State) -> tuple[float, ...]:
    """What a finished game pays each player (A2): they sum to 0."""
    best = winner(state)
    num_players = len(state.players)
    if best is None:
        return (0.0,) * num_players
    return tuple(1.0 if index == best else -1.0 / (num_players - 1) for index in range(num_players))
