"""The rules of bidding as plain functions on immutable states: what `engine.protocol.Reference` asks for."""

from collections.abc import Hashable
from typing import NamedTuple

from bidding.rules import Rules
from engine.protocol import CHANCE, OVER, IllegalMove

Hand = tuple[str, ...]


class State(NamedTuple):
    """A play so far.

    Attributes
    ----------
    hands : cards that each player still holds, in the rules' order.
    prizes : that have not been turned up; `turned` the one that is bid for.
    first_bid : of the player in the first seat, hidden from the other one until both have bid.
    history : prizes with both bids.
    points : twice what each player has won, so that halves are whole numbers.
    """

    rules: Rules
    hands: tuple[Hand, Hand]
    prizes: tuple[str, ...]
    turned: str = ""
    first_bid: str = ""
    history: tuple[tuple[str, str, str], ...] = ()
    points: tuple[int, int] = (0, 0)


def start(rules: Rules, hands: tuple[Hand, Hand], first_prize: str | None = None) -> State:
    """The state in which play begins; a prize may be turned up already."""
    places = {card.id: place for place, card in enumerate(rules.cards)}
    first, second = (tuple(sorted(hand, key=places.__getitem__)) for hand in hands)
    state = State(rules, (first, second), tuple(prize.id for prize in rules.prizes))
    return state if first_prize is None else step(state, first_prize)


def decider(state: State) -> int:
    """Who decides now: a player from 0, `CHANCE`, or `OVER`."""
    if not state.turned:
        return CHANCE if state.prizes and all(state.hands) else OVER
    return 1 if state.first_bid else 0


def legal_moves(state: State) -> tuple[str, ...]:
    """The cards that can be bid."""
    player = decider(state)
    return () if player < 0 else tuple(dict.fromkeys(state.hands[player]))


def chance_outcomes(state: State) -> list[tuple[str, int]]:
    """The prizes that can be turned up, all alike."""
    return [(prize, 1) for prize in state.prizes] if decider(state) == CHANCE else []


def step(state: State, move: str) -> State:
    """The state after a bid, or after a prize is turned up."""
    player = decider(state)
    if move not in (state.prizes if player == CHANCE else legal_moves(state)):
        raise IllegalMove(move)
    if player == CHANCE:
        left = tuple(prize for prize in state.prizes if prize != move)
        return state._replace(prizes=left, turned=move)
    hand = list(state.hands[player])
    hand.remove(move)
    if player == 0:
        return state._replace(hands=(tuple(hand), state.hands[1]), first_bid=move)
    bids = state.first_bid, move
    worth = next(prize.number for prize in state.rules.prizes if prize.id == state.turned)
    values = {card.id: card.number for card in state.rules.cards}
    difference = values[bids[0]] - values[bids[1]]
    shares = (1, 1) if state.rules.ties == "shared" else (0, 0)
    if difference:
        shares = (2, 0) if difference > 0 else (0, 2)
    return state._replace(
        hands=(state.hands[0], tuple(hand)),
        turned="",
        first_bid="",
        history=(*state.history, (state.turned, *bids)),
        points=(state.points[0] + worth * shares[0], state.points[1] + worth * shares[1]),
    )


def payoffs(state: State) -> tuple[float, ...]:
    """1 for whoever has won more, -1 for the other one."""
    difference = state.points[0] - state.points[1]
    first = float((difference > 0) - (difference < 0))
    return (first, -first)


def knows(state: State, player: int) -> Hashable:
    """All that the deciding player knows, in words: the other's bid is hidden until both have bid."""
    before = "; ".join(f"{prize}: {own} against {other}" for prize, own, other in _seen(state, player))
    return f"{before}; {state.turned}?" if before else f"{state.turned}?"


def _seen(state: State, player: int) -> list[tuple[str, str, str]]:
    return [(prize, *(bids if player == 0 else bids[::-1])) for prize, *bids in state.history]  # type: ignore[misc]
