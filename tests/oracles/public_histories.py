"""Public histories of a tiny day, by brute force: who may hold what, how it plays it, and what play is worth.

Everything is read off the explicit tree of the reference rules under given strategies; nothing here knows of
ranges, levels or row automata.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field

from analysis.ragers.day_tree import Node
from engine.ragers import reference
from engine.ragers.reference import NOTHING, Phase
from solver.extensive import CHANCE
from tests.oracles.games import TinyGame
from tests.oracles.tiny_day import TinyDay

Private = tuple[tuple[int, ...], tuple[int, ...]]
"""A hand and the items its owner has hidden, counts by type."""
Strategies = Mapping[Hashable, Mapping[Hashable, float]]
"""Probability of each action by infoset key, of one player."""


@dataclass
class PublicPoint:
    """A point of play at which somebody decides, as everybody sees it.

    Attributes
    ----------
    phase, acts : what is decided, and by whom (bit p: player p).
    mass : probability of getting here.
    value : payoff of player 0 from here on, weighted with `mass`.
    reach : by player, probability of being here with a private state.
    plays : by player, probability of being here with a private state and taking an action.
    """

    phase: Phase = Phase.OVER
    acts: int = 0
    mass: float = 0.0
    value: float = 0.0
    reach: tuple[dict[Private, float], dict[Private, float]] = field(
        default_factory=lambda: (defaultdict(float), defaultdict(float))
    )
    plays: tuple[dict[tuple[Private, int], float], dict[tuple[Private, int], float]] = field(
        default_factory=lambda: (defaultdict(float), defaultdict(float))
    )


History = tuple[tuple[str, tuple[int, ...]], ...]
"""Every decision so far: its phase and what each player showed (`HIDDEN`: an item nobody else may see)."""

HIDDEN = -1


class _Unsettled(TinyDay):
    """The tree with forced moves as nodes of their own once the day has begun."""

    def _settle(self, node: Node) -> Node:
        if node.state is not None or len(node.hands) < 2 or node.returning is not None:
            return node
        if self.exchange and node.exchanged < 2:
            return node if sum(node.decks[node.exchanged]) else self._settle(_next(node))
        state = reference.start_day(
            self.rules,
            self.patron,
            self.cheers,
            preparation=self.seen,
            decks=(node.decks[0], node.decks[1]),
            hands=(node.hands[0], node.hands[1]),
        )
        return node._replace(state=state, hands=(), decks=())


def _next(node: Node) -> Node:
    return node._replace(exchanged=node.exchanged + 1)


def public_points(game: TinyGame, strategies: tuple[Strategies, Strategies]) -> dict[History, PublicPoint]:
    """Walk the whole tree and gather what is public.

    Parameters
    ----------
    strategies
        Of both players; an infoset they do not name (forced, or where nothing counts any more) is played
        uniformly.
    """
    source = _Unsettled(game.rules(), game.patron, game.cheers, game.preparation)
    points: dict[History, PublicPoint] = defaultdict(PublicPoint)

    def mix(player: int, node: Node) -> dict[int, float]:
        actions = source.actions(node) if node.state is None else reference.legal_actions(node.state, player)
        known = strategies[player].get(node.memory[player])
        if known is None:
            return dict.fromkeys(actions, 1.0 / len(actions))
        return {action: known[action] for action in actions}

    def walk(node: Node, mass: float, history: History) -> float:
        """Payoff of player 0 below a node, weighted."""
        if mass == 0.0:
            return 0.0
        state = node.state
        assert state is not None
        if reference.is_over(state):
            return mass * source.payoff(node)
        if source.player(node) == CHANCE:
            outcomes = source.chance_outcomes(node)
            total = sum(weight for _, weight in outcomes)
            return sum(walk(source._step(node, o), mass * w / total, history) for o, w in outcomes)
        deciders = reference.deciders(state)
        point = points[history]
        point.phase = state.phase
        point.acts = sum(1 << p for p in deciders)
        point.mass += mass
        mixes: list[dict[int, float]] = []
        private: list[Private] = []
        for p, own in enumerate(state.players):
            hidden = [slot[0].printed for slot in own.row if slot[0].hidden]
            private.append((own.hand, tuple(hidden.count(t) for t in range(len(own.hand)))))
            point.reach[p][private[p]] += mass
            mixes.append(mix(p, node) if p in deciders else {NOTHING: 1.0})
            if p in deciders:
                for action, share in mixes[p].items():
                    point.plays[p][private[p], action] += mass * share
        value = 0.0
        for a, first in mixes[0].items():
            for b, second in mixes[1].items():
                after = node
                for p in deciders:
                    after = source._step(after, (a, b)[p])
                hides = state.phase == Phase.DEADEYE
                seen = tuple(HIDDEN if hides and x != NOTHING else x for x in (a, b))
                value += walk(after, mass * first * second, (*history, (state.phase.name, seen)))
        point.value += value
        return value

    def deal(node: Node, mass: float) -> None:
        if node.state is not None:
            walk(node, mass, ())
            return
        if source.player(node) == CHANCE:
            outcomes = source.chance_outcomes(node)
            total = sum(weight for _, weight in outcomes)
            for outcome, weight in outcomes:
                deal(source.child(node, outcome), mass * weight / total)
            return
        player = source.player(node)
        for action, share in mix(player, node).items():
            deal(source.child(node, action), mass * share)

    deal(Node(), 1.0)
    return dict(points)
