"""Whole duels with decks of a few cards as game trees, for the exact solvers: the oracle of all sampling.

Built on the reference and with the moves of `engine.warage.sampling`: no purchases without room, nothing made
unready that nothing replaces, no sales. Hands are hidden; what a player knows is what it sees at its
decisions, and which moves it made there, so recall is perfect.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import blake2b
from typing import NamedTuple

from analysis.errors import RefusedError, RequestError
from analysis.warage.positions import Hero
from engine.protocol import CHANCE
from engine.warage.reference import (
    Move,
    chance_outcomes,
    decider,
    is_over,
    legal_moves,
    start,
    step,
)
from engine.warage.reference_state import ROOM, HeroSetup, Setup, State, check_setup, has_room
from engine.warage.reference_view import view
from engine.warage.rules import Rules
from solver.extensive import ExtensiveGame, build_game

MAX_NODES = 300_000


@dataclass(frozen=True)
class Reduction:
    """What makes a duel small: beside decks of a few cards, smaller numbers of the rules."""

    hp: tuple[int, int] = (10, 10)
    hand: int = 1
    draws: int = 1
    dice: int = 0
    turns: int = 4
    season: str = "summer"

    def overrides(self, rules: Rules, races: Sequence[str]) -> list[str]:
        """Return the reduction as values of the rules: one season, no abilities, no life pile."""
        return [
            *(f"seasons.{each.id}.copies={int(each.id == self.season)}" for each in rules.seasons),
            f"match.hand_size={self.hand}",
            "match.redraw_hand_size=0",
            f"match.draws={self.draws}",
            f"match.dice={self.dice}",
            f"match.max_turns={self.turns}",
            "match.life_places=0",
            "match.min_deck=1",
            *(f"races.{race}.hp={hp}" for race, hp in zip(races, self.hp, strict=True)),
            *(f"races.{race}.effects=[]" for race in races),
        ]


class Node(NamedTuple):
    """A node: the reference's state, and what each player has seen and done."""

    state: State
    memory: tuple[tuple[Hashable, ...], tuple[Hashable, ...]] = ((), ())


def worth_a_thought(state: State, move: Move) -> bool:
    """Whether a move is one of those that are offered (`kernel_play.worth_a_thought`); sales are not."""
    seat = state.priority
    play = state.heroes[seat].play
    if move.kind == "sell":
        return False
    if move.kind == "buy":
        return has_room(state, seat, state.card(move.values[0]))
    if move.kind != "unready":
        return True
    part, _ = ROOM[state.card(play[move.values[0]].card).encumbrance]
    return any(
        not piece.ready and not piece.moved and ROOM[state.card(piece.card).encumbrance][0] == part
        for piece in play
    )


def offered(state: State) -> list[Move]:
    """Return the moves of a decision that are offered."""
    return [move for move in legal_moves(state) if worth_a_thought(state, move)]


class ReducedDuel:
    """A duel as a `GameSource` of `solver.extensive`; payoffs 1, 0 and -1."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup

    def root(self) -> Node:
        """Return the duel before anything is dealt."""
        return Node(self._asked(start(self._setup)))

    def is_terminal(self, node: Node) -> bool:
        """Tell whether the duel is over."""
        return is_over(node.state)

    def payoff(self, node: Node) -> Fraction:
        """Return what the first player gets."""
        winners = node.state.winners
        return Fraction(int(0 in winners) - int(1 in winners))

    def player(self, node: Node) -> int:
        """Return who decides."""
        return decider(node.state)

    def chance_outcomes(self, node: Node) -> Sequence[tuple[Hashable, int]]:
        """Return cards, faces or seasons with their weights."""
        return chance_outcomes(node.state)

    def actions(self, node: Node) -> Sequence[Hashable]:
        """Return the moves that are offered."""
        return offered(node.state)

    def infoset(self, node: Node) -> Hashable:
        """Return what the deciding player has seen and done, and sees now."""
        player = decider(node.state)
        return node.memory[player], view(node.state, player)

    def child(self, node: Node, action: Hashable) -> Node:
        """Return the node after a move or an outcome."""
        memory = node.memory
        player = decider(node.state)
        if player != CHANCE:
            own = (*memory[player], _digest(view(node.state, player)), action)
            memory = (own, memory[1]) if player == 0 else (memory[0], own)
        return Node(self._asked(step(node.state, action)), memory)  # type: ignore[arg-type]

    def _asked(self, state: State) -> State:
        """Go on to a decision with something to decide."""
        while not is_over(state) and decider(state) != CHANCE:
            moves = offered(state)
            if len(moves) > 1:
                break
            state = step(state, moves[0])
        return state


def _digest(seen: Hashable) -> str:
    """What was seen, in short: the same in every process, as Python's own hash is not."""
    return blake2b(repr(seen).encode(), digest_size=8).hexdigest()


def reduced_setup(rules: Rules, heroes: Sequence[Hero]) -> Setup:
    """Return a duel of heroes whose cards are their decks; RequestError if a deck is too small."""
    made = []
    for hero in heroes:
        copies = [0] * len(rules.cards)
        for name, number in hero.cards.items():
            copies[rules.card_numbers[name]] = number
        race, hero_class = rules.race(hero.race), rules.hero_class(hero.hero_class)
        made.append(HeroSetup(rules.races.index(race), rules.classes.index(hero_class), tuple(copies)))
    try:
        check_setup(rules, made, (0, 1))
    except ValueError as error:
        raise RequestError(str(error)) from None
    return Setup(rules, tuple(made), (0, 1))


def duel_tree(setup: Setup, max_nodes: int = MAX_NODES) -> ExtensiveGame:
    """Return a reduced duel as a tree; RefusedError if it is larger than that."""
    try:
        return build_game(ReducedDuel(setup), max_nodes=max_nodes)
    except MemoryError:
        said = f"more than {max_nodes:,} nodes; smaller decks, fewer turns or no dice would do"
        raise RefusedError(f"{said}, or a larger --max-nodes") from None
