"""One attack with possible responses from hidden hands, as a game tree for the exact solvers.

Built on the reference of the whole game: the attack is announced, somebody may stand in, both respond, the
crowd may roar. Then cards are put aside, and the rest of the wave is worth what is proved of it without them.
What a player knows is its hand and all that happened in sight of it, so recall is perfect.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from analysis.errors import RequestError
from analysis.ophidian.questions.response import ATTACK, Unit
from analysis.pools import OTHER, Pool, counted, hands
from engine.ophidian.reference import (
    Action,
    Holding,
    Move,
    Phase,
    State,
    Team,
    chance_outcomes,
    is_over,
    legal_moves,
    step,
)
from engine.ophidian.reference_state import meets
from engine.ophidian.rules import CardRule, Rules, UnknownNameError

__all__ = [
    "ATTACK",
    "OTHER",
    "OTHERWISE",
    "Hidden",
    "ResponseGame",
    "ResponseQuestion",
    "Sight",
    "can_answer",
    "parse_pool",
    "why_not",
]

CHANCE = -1
OTHERWISE = "something else"
_EXCHANGE = (Phase.STAND_IN, Phase.RESPOND, Phase.ROAR, Phase.ROLL)
_REFUSED = ("draw", "discard")


@dataclass(frozen=True)
class Hidden:
    """What one side may hold: so many cards of a pool, and resources to play them."""

    pool: Pool
    cards: int
    resources: int


@dataclass(frozen=True)
class ResponseQuestion:
    """An attack at a position within a wave, what both sides may hold, the team's first, and what counts.

    With no objective that is the result in the last wave, and points before it.
    """

    position: State
    attack: Move
    hidden: tuple[Hidden, Hidden]
    objective: Unit | None = None


class Node(NamedTuple):
    """A node: the state, None before the deal; and what each player has seen and done."""

    state: State | None
    memory: tuple[tuple[Hashable, ...], tuple[Hashable, ...]] = ((), ())
    declined: bool = False


class Sight(NamedTuple):
    """What whoever decides sees: its hand, and all that lies open."""

    hand: tuple[int, ...]
    resources: tuple[int, int]
    teams: tuple[Team, Team]
    cheer: tuple[int, int]
    phase: Phase
    action: Action | None
    used: tuple[tuple[int, int], ...]
    declined: int


def why_not(rules: Rules, card: CardRule) -> str | None:
    """Return why a card is no response that this tree has; None if it is one."""
    if card.sign != "response":
        return "is no response"
    ability = card.abilities[0]
    for do in ability.do:
        if do.act in _REFUSED:
            return f"may {do.act} cards, which brings more chance than this tree has"
    if ability.lasts not in ("", "action"):
        return "lasts longer than the action, and what follows is valued without cards"
    return None


def can_answer(position: State, player: int, resources: int, card: CardRule) -> bool:
    """Tell whether a response can answer an attack at all, whatever else happens in its exchange.

    What is asked for of whoever is attacked answers no own attack, and the other way round. In an exchange
    nobody gains a discipline; resources only where some response brings them.
    """
    asked = card.abilities[0].to
    wrong = "attacked" if player == position.turn else "attacks"
    payable = card.cost <= resources or _brings_resources(position.rules)
    return asked != wrong and payable and meets(position, player, card)


def _brings_resources(rules: Rules) -> bool:
    abilities = [each for card in rules.cards for each in card.abilities]
    abilities += [each for gladiator in rules.gladiators for each in gladiator.abilities]
    return any(do.act == "resources" for each in abilities if each.when == "announced" for do in each.do)


def parse_pool(rules: Rules, text: str, option: str) -> Pool:
    """Read `sidestep 3, hex 3, other 44`, or the name of a deck.

    Raises
    ------
    RequestError
        If a card is unknown, or one that this tree has not.
    """
    try:
        deck = rules.deck(text)
    except UnknownNameError:
        return _listed(rules, text, option)
    pool = {OTHER: 0}
    for card, copies in deck.cards:
        fits = why_not(rules, rules.cards[rules.card(card)]) is None
        name = card if fits else OTHER
        pool[name] = pool.get(name, 0) + copies
    return tuple(pool.items())


def _listed(rules: Rules, text: str, option: str) -> Pool:
    pool: dict[str, int] = {}
    for name, number in counted(text):
        if name.lower() == OTHER:
            name = OTHER
        else:
            try:
                card = rules.cards[rules.card(name)]
            except UnknownNameError as error:
                raise RequestError(
                    f"{error}; or name a deck, or write for example: sidestep 3, {OTHER} 48", option
                ) from None
            reason = why_not(rules, card)
            if reason is not None:
                raise RequestError(f"{card.name} {reason}; count it as {OTHER}", option)
            name = card.id
        pool[name] = pool.get(name, 0) + number
    if not pool:
        raise RequestError("names no card", option)
    return tuple(pool.items())


class ResponseGame:
    """An attack and what may answer it, as a `GameSource` of `solver.extensive`.

    Parameters
    ----------
    position
        Within a wave, at an action, without cards.
    attack
        What whoever has momentum may announce.
    hidden
        What each side may hold.
    worth
        Of a state without cards, at an action or at an end, for player 0.
    otherwise
        What the best action that is no attack is worth; None where the attack has been announced.
    """

    def __init__(
        self,
        position: State,
        attack: Move,
        hidden: tuple[Hidden, Hidden],
        worth: Callable[[State], float],
        otherwise: float | None,
    ) -> None:
        rules = position.rules
        self._rules, self._attack, self._hidden = rules, attack, hidden
        self._worth, self._otherwise = worth, otherwise
        most = {card.id: card.abilities[0].repeatable for card in rules.cards if card.sign == "response"}
        first, second = (hands(each.pool, each.cards, most) for each in hidden)
        self.deals = [((own, other), weight * factor) for own, weight in first for other, factor in second]
        holdings = tuple(Holding((), (0,) * len(rules.cards), resources=each.resources) for each in hidden)
        self._start = replace(position, holdings=holdings)

    def root(self) -> Node:
        """Return the game before the deal."""
        return Node(None)

    def chance_outcomes(self, node: Node) -> Sequence[tuple[Hashable, int]]:
        """Return the deals, or the faces of a die, with their weights."""
        return self.deals if node.state is None else chance_outcomes(node.state)

    def player(self, node: Node) -> int:
        """Return who decides; `CHANCE` before the deal and for a die."""
        if node.state is None or node.state.phase == Phase.ROLL:
            return CHANCE
        return node.state.turn

    def is_terminal(self, node: Node) -> bool:
        """Tell whether the exchange is over, or has not come to be."""
        state = node.state
        if state is None:
            return False
        if node.declined:
            return True
        begins = state.phase == Phase.ACT and not any(node.memory)
        return not begins and state.phase not in _EXCHANGE

    def actions(self, node: Node) -> Sequence[Hashable]:
        """Return what may be done."""
        assert node.state is not None
        if node.state.phase == Phase.ACT:
            return [ATTACK, OTHERWISE]
        return legal_moves(node.state)

    def child(self, node: Node, action: Hashable) -> Node:
        """Return the node after a deal, a die, or a move."""
        state = node.state
        if state is None:
            state = self._dealt(action)  # type: ignore[arg-type]
            return Node(state) if self._otherwise is not None else Node(step(state, self._attack), _ANNOUNCED)
        if isinstance(action, int):
            return Node(step(state, action), node.memory)
        memory = list(node.memory)
        memory[state.turn] = (*memory[state.turn], (self._sight(state), action))
        done = memory[0], memory[1]
        if action == OTHERWISE:
            return Node(state, done, declined=True)
        move = self._attack if action == ATTACK else action
        assert isinstance(move, Move)
        return Node(step(state, move), done)

    def infoset(self, node: Node) -> Hashable:
        """Return all that the deciding player has seen and done."""
        assert node.state is not None
        return node.memory[node.state.turn], self._sight(node.state)

    def payoff(self, node: Node) -> float:
        """Return what the end is worth for player 0."""
        assert node.state is not None
        if node.declined:
            assert self._otherwise is not None
            return self._otherwise
        return self._worth(without_cards(node.state))

    def _dealt(self, deal: tuple[tuple[str, ...], tuple[str, ...]]) -> State:
        numbers = self._rules.card_numbers
        holdings = tuple(
            holding._replace(hand=tuple(sorted(numbers[name] for name in hand)))
            for holding, hand in zip(self._start.holdings, deal, strict=True)
        )
        return replace(self._start, holdings=holdings)

    def _sight(self, state: State) -> Sight:
        first, second = state.holdings
        return Sight(
            state.holdings[state.turn].hand,
            (first.resources, second.resources),
            state.teams,
            state.cheer,
            state.phase,
            state.action,
            state.used,
            state.declined,
        )


_ANNOUNCED: tuple[tuple[Hashable, ...], tuple[Hashable, ...]] = ((ATTACK,), (ATTACK,))


def without_cards(state: State) -> State:
    """Return the same position of a fight without cards."""
    plain = replace(state, holdings=(), past=(), used=(), declined=0)
    if is_over(state):
        return plain
    teams = [tuple(fighter._replace(pumps=(), changes=()) for fighter in team) for team in state.teams]
    return replace(plain, teams=(teams[0], teams[1]))
