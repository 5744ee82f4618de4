"""One action under possible responses: an imperfect-information game on exact leaves.

The side with momentum acts once. Whoever is attacked stands in or not, both respond out of hands that the
other does not know, and the crowd roars or not. Then cards are over: what follows is worth what the fight
without them is proved to be. So cards matter in this one exchange only, and the answer says so.
"""

from __future__ import annotations

import time
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import comb

import msgspec
from msgspec import structs

from analysis.errors import RequestError
from analysis.ophidian.narration import move_words
from analysis.ophidian.proving import Fight, in_words
from analysis.ophidian.reports import SCHEMA_NUMBER, RulesReport
from analysis.version import __version__
from engine.ophidian.reference import (
    Holding,
    Kind,
    Move,
    Phase,
    State,
    is_over,
    legal_moves,
    step,
)
from engine.ophidian.rules import Rules, UnknownNameError
from engine.ophidian.wave_codec import Objective
from solver.extensive import CHANCE, ExtensiveGame, FloatArray, build_game
from solver.sequence_form import solve_sequence_form

__all__ = ["Hands", "ResponseReport", "parse_cards", "response_report"]

DECIDED = 12
"""Points that a match decided within the wave counts, before the last one."""
MAX_HANDS = 500
"""Hands of a side, at most."""
SMALL = 1e-9
_DIRECT = (Kind.ATTACK, Kind.ADVANCE, Kind.RETREAT, Kind.PASS)
Hand = tuple[int, ...]


class Hands(msgspec.Struct, frozen=True):
    """What a side may hold: titles that respond, among unseen cards, of which some are its hand.

    Attributes
    ----------
    cards : copies of each title that have not been seen.
    unseen, size : cards that have not been seen in all, and those of them in hand.
    """

    cards: dict[str, int]
    unseen: int
    size: int


class MixReport(msgspec.Struct, frozen=True):
    """A choice of an equilibrium: how often it is made, over all hands."""

    action: str
    share: float


class ThresholdReport(msgspec.Struct, frozen=True):
    """How likely a card has to be in hand before an attack is wrong; None if it never is.

    Attributes
    ----------
    without, held : what the attack is worth if the other side has no card, and if it surely has this one.
    """

    card: str
    without: float
    held: float
    probability: float | None


class ResponseReport(msgspec.Struct, frozen=True, kw_only=True):
    """An exchange under possible responses, in equilibrium.

    Attributes
    ----------
    unit : of all values, which are those of the side `team`: `result` in the last wave, else `points`.
    value, exploitability : of the equilibrium.
    acts : who has momentum.
    mix : of the side with momentum.
    attack, best_other : the attack that thresholds are about, and what the best action is worth that no card
        answers.
    """

    schema: int = SCHEMA_NUMBER
    game: str = "ophidian"
    version: str
    rules: RulesReport
    unit: str
    wave: int
    acts: str
    hands: list[Hands]
    num_hands: list[int]
    value: float
    exploitability: float
    mix: list[MixReport]
    attack: str | None
    best_other: float | None
    thresholds: list[ThresholdReport]
    sequences: list[int]
    nodes: int
    time_s: float


def parse_cards(rules: Rules, text: str, option: str) -> dict[int, int]:
    """Read titles with their copies: ``sidestep 3, hex``.

    Raises
    ------
    RequestError
        For cards there are not, and cards that are no responses to this action only.
    """
    found: dict[int, int] = {}
    for part in (each.strip() for each in text.split(",")):
        if not part:
            continue
        name, _, copies = part.rpartition(" ")
        if not copies.isdigit() or not name:
            name, copies = part, "1"
        try:
            number = rules.card(name)
        except UnknownNameError as error:
            raise RequestError(str(error), option) from None
        card = rules.cards[number]
        if card.sign != "response":
            raise RequestError(f"{card.name} is no response", option)
        ability = card.abilities[0]
        lasting = any(do.act == "modify" for do in ability.do) and ability.duration != "action"
        drawing = any(do.act in ("draw", "discard") for do in ability.do) or ability.cost.discard
        if lasting or drawing or ability.needs_die:
            raise RequestError(
                f"{card.name} does more than this action: lasting changes, cards and dice are not in", option
            )
        found[number] = found.get(number, 0) + int(copies)
    return found


def hands_of(cards: Mapping[int, int], unseen: int, size: int, option: str) -> list[tuple[Hand, int]]:
    """Return hands of responses with their weights: draws without replacement from what is unseen."""
    others = unseen - sum(cards.values())
    if not 0 <= size <= unseen or others < 0:
        there = f"{sum(cards.values())} such cards and {size} in hand"
        raise RequestError(f"{there} cannot be among {unseen} unseen ones", option)
    titles = sorted(cards)
    found = []
    for counts in product(*(range(cards[title] + 1) for title in titles)):
        rest = size - sum(counts)
        if not 0 <= rest <= others:
            continue
        weight = comb(others, rest)
        for title, count in zip(titles, counts, strict=True):
            weight *= comb(cards[title], count)
        found.append(
            (tuple(t for t, count in zip(titles, counts, strict=True) for _ in range(count)), weight)
        )
    if len(found) > MAX_HANDS:
        raise RequestError(f"{len(found)} hands, at most {MAX_HANDS}: name fewer titles", option)
    return found


@dataclass(frozen=True)
class _Node:
    """A node: a state, hands, and what has been seen; no state before hands are dealt."""

    state: State | None
    hands: tuple[Hand, ...] = ()
    past: tuple[tuple[int, Move], ...] = ()


class ExchangeGame:
    """The exchange as a tree (`solver.extensive.GameSource`).

    Parameters
    ----------
    state : a position without cards, at an action.
    hands : of both sides, with weights.
    first : moves the side with momentum may begin with; None for all.
    """

    def __init__(
        self,
        state: State,
        fight: Fight,
        hands: Sequence[Sequence[tuple[Hand, int]]],
        resources: tuple[int, int],
        first: Sequence[Move] | None = None,
    ) -> None:
        self.start, self.fight, self.hands, self.resources = state, fight, hands, resources
        self.first = first
        # As in fights, abilities of gladiators are off.
        gladiators = tuple(structs.replace(each, abilities=()) for each in state.rules.gladiators)
        self.rules = structs.replace(state.rules, gladiators=gladiators, provenance={})

    def root(self) -> _Node:
        """Nobody knows anything."""
        return _Node(None)

    def _begun(self, hands: tuple[Hand, ...]) -> State:
        none = (0,) * len(self.rules.cards)
        holdings = tuple(
            Holding(hand, none, (), (), left) for hand, left in zip(hands, self.resources, strict=True)
        )
        return replace(self.start, rules=self.rules, holdings=holdings)

    def is_terminal(self, node: _Node) -> bool:
        """Whether the action has resolved."""
        state = node.state
        if state is None or not node.past:
            return False
        return is_over(state) or state.phase not in (Phase.STAND_IN, Phase.RESPOND, Phase.ROAR)

    def payoff(self, node: _Node) -> float:
        """What the rest is proved to be worth without cards."""
        assert node.state is not None
        plain = replace(node.state, rules=self.start.rules, holdings=(), past=())
        return leaf_value(self.fight, plain)

    def player(self, node: _Node) -> int:
        """Who decides."""
        return CHANCE if node.state is None else node.state.turn

    def infoset(self, node: _Node) -> Hashable:
        """The own hand, and all moves but the other's declining, which nobody sees."""
        assert node.state is not None
        turn = node.state.turn
        seen = tuple((who, move) for who, move in node.past if who == turn or move.kind != Kind.DECLINE)
        return node.hands[turn], seen

    def actions(self, node: _Node) -> Sequence[Move]:
        """What the decider may do."""
        assert node.state is not None
        if not node.past:
            allowed = [move for move in legal_moves(node.state) if move.kind in _DIRECT]
            return allowed if self.first is None else [move for move in allowed if move in self.first]
        return legal_moves(node.state)

    def chance_outcomes(self, node: _Node) -> Sequence[tuple[Hashable, int]]:
        """The hands of both, independent."""
        return [
            ((own, other), weight * chance)
            for own, weight in self.hands[0]
            for other, chance in self.hands[1]
        ]

    def child(self, node: _Node, action: Hashable) -> _Node:
        """Deal, or move."""
        if node.state is None:
            assert isinstance(action, tuple)
            return _Node(self._begun(action), action)
        assert isinstance(action, Move)
        if action.kind == Kind.PASS:  # nobody responds to it, and between waves there is nothing to draw
            return _Node(step(self.start, action), node.hands, ((node.state.turn, action),))
        return _Node(step(node.state, action), node.hands, (*node.past, (node.state.turn, action)))


def leaf_value(fight: Fight, state: State) -> float:
    """What a position, or an end, is proved to be worth for player 0."""
    word = fight.word(state)
    assert word is not None
    worth = fight.worth(fight.search.value(word).low)
    if state.wave >= state.rules.match.waves or worth.points is None:
        return float(worth.result)
    return float(DECIDED * worth.result if worth.result else worth.points)


def response_report(
    state: State,
    cards: tuple[Mapping[int, int], Mapping[int, int]],
    unseen: tuple[int, int],
    sizes: tuple[int, int],
    resources: tuple[int, int],
    *,
    attack: Move | None = None,
    memory: int = 1 << 28,
) -> ResponseReport:
    """Solve an action under possible responses, and say how likely a card makes an attack wrong.

    Parameters
    ----------
    cards, unseen, sizes : of both sides: responses among the unseen cards, those in all, those in hand.
    attack : about which thresholds are; None for none.
    """
    from analysis.ophidian import rules_report

    began = time.perf_counter()
    objective = Objective.RESULT if state.wave >= state.rules.match.waves else Objective.POINTS
    fight = Fight(state, objective, memory)
    hands = [
        hands_of(cards[side], unseen[side], sizes[side], option)
        for side, option in enumerate(("--hand", "--against-hand"))
    ]
    game = build_game(ExchangeGame(state, fight, hands, resources))
    solution = solve_sequence_form(game)
    other = _best_without_answer(state, fight)
    thresholds = []
    if attack is not None:
        rival = 1 - state.turn
        for title in sorted(cards[rival]):
            thresholds.append(_threshold(state, fight, resources, attack, title, other))
    names = state.rules.cards
    return ResponseReport(
        version=__version__,
        rules=rules_report(state.rules),
        unit="result" if objective == Objective.RESULT else "points",
        wave=state.wave,
        acts="against" if state.turn else "team",
        hands=[
            Hands(
                {names[card].name: copies for card, copies in cards[side].items()}, unseen[side], sizes[side]
            )
            for side in (0, 1)
        ],
        num_hands=[len(each) for each in hands],
        value=solution.value,
        exploitability=solution.exploitability,
        mix=sorted(_mix(game, solution.strategy, state), key=lambda each: -each.share),
        attack=None if attack is None else in_words(state, attack),
        best_other=other,
        thresholds=thresholds,
        sequences=list(solution.num_sequences),
        nodes=len(game.parent),
        time_s=time.perf_counter() - began,
    )


def _mix(game: ExtensiveGame, strategy: FloatArray, state: State) -> Iterator[MixReport]:
    """How often each first action is chosen, over the hands of whoever acts."""
    shares: dict[Move, float] = {}
    for node in range(1, int(game.level_start[2])):
        reach = float(game.chance_probability[node])
        infoset = int(game.node_infoset[node])
        for slot in range(int(game.first_slot[infoset]), int(game.first_slot[infoset + 1])):
            move = game.slot_labels[slot]
            assert isinstance(move, Move)
            shares[move] = shares.get(move, 0.0) + reach * float(strategy[slot])
    for move, share in shares.items():
        if share > SMALL:
            yield MixReport(move_words(state, move), share)


def _best_without_answer(state: State, fight: Fight) -> float | None:
    """What the best action is worth that nobody can attack or respond to: a move, or a pass."""
    values = []
    for move in legal_moves(state):
        if move.kind in _DIRECT and move.kind != Kind.ATTACK:
            after = step(state, move)
            answers = [leaf_value(fight, each.state) for each in fight.outcomes(after)]
            values.append(max(answers) if after.turn == 0 else min(answers))
    if not values:
        return None
    return max(values) if state.turn == 0 else min(values)


def _threshold(
    state: State,
    fight: Fight,
    resources: tuple[int, int],
    attack: Move,
    title: int,
    other: float | None,
) -> ThresholdReport:
    """How likely one card must be in hand: the attack's value falls in a straight line with it."""
    rival = 1 - state.turn

    def worth(hand: Hand) -> float:
        hands: list[list[tuple[Hand, int]]] = [[((), 1)], [((), 1)]]
        hands[rival] = [(hand, 1)]
        return solve_sequence_form(build_game(ExchangeGame(state, fight, hands, resources, [attack]))).value

    without, held = worth(()), worth((title,))
    sign = -1.0 if state.turn else 1.0
    probability = None
    if other is not None and sign * (held - other) < -SMALL:
        lost = sign * (without - held)
        probability = max(0.0, sign * (without - other) / lost) if lost > SMALL else 0.0
    return ThresholdReport(state.rules.cards[title].name, without, held, probability)
