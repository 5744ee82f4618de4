"""Small battles in rational arithmetic, move by move with the plain-Python rules: exact to the last digit.

This shares nothing with the solver: neither its states nor its numbers nor its loops.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from engine.clash.reference_battle import (
    ATTACKER,
    FLEE,
    Battle,
    Move,
    Stage,
    chance_outcomes,
    decider,
    legal_moves,
    step,
)
from engine.protocol import CHANCE, OVER

Numbers = tuple[Fraction, ...]
Pay = Callable[[Battle], Numbers]
"""What a battle that is over is worth, in columns."""
Choose = Callable[[Battle, tuple[Move, ...]], tuple[Move, ...]]
"""Which of the allowed moves a player considers."""


def everything(battle: Battle, moves: tuple[Move, ...]) -> tuple[Move, ...]:
    """All that is allowed."""
    return moves


@dataclass
class RationalBattle:
    """Backward induction over a battle's states.

    Attributes
    ----------
    pay : what an end is worth.
    preference : [2, Q] columns as in `solver.stochastic.game.StochasticGame`.
    tie : how far numbers may be apart that count as equal.
    enough : tokens of each side beyond which more change nothing; without a limit to rage.
    stalls : with a limit to rage, how many more tokens are counted, and what then is paid.
    considers : the moves that each side considers.
    """

    pay: Pay
    preference: Sequence[Sequence[int]]
    tie: Fraction = Fraction(0)
    enough: tuple[int, int] = (10**6, 10**6)
    stalls: int = 0
    beyond: Numbers = ()
    considers: tuple[Choose, Choose] = (everything, everything)
    _known: dict[tuple[object, ...], Numbers] = field(default_factory=dict)
    _ends: dict[tuple[object, ...], Numbers] = field(default_factory=dict)

    @property
    def num_states(self) -> int:
        """States that have been evaluated, ends left out."""
        return len(self._known)

    def value(self, battle: Battle, extra: tuple[int, int] = (0, 0)) -> Numbers:
        """Return what a state is worth; `extra` are tokens earned above the limit of rage."""
        side = decider(battle)
        if side == OVER:
            return self._end(battle)
        if battle.stage == Stage.ASSAULT or (battle.stage == Stage.ROLL and not battle.hits):
            few = min(battle.rage[0], self.enough[0]), min(battle.rage[1], self.enough[1])
            battle = replace(battle, rage=few)
        key = (
            battle.counts,
            battle.rage,
            battle.assaulter,
            battle.stage,
            battle.hits,
            battle.rerolls,
            battle.dice,
            extra,
        )
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._evaluate(battle, side, extra)
        return known

    def _end(self, battle: Battle) -> Numbers:
        key = (battle.counts, battle.winner, battle.fled)
        known = self._ends.get(key)
        if known is None:
            known = self._ends[key] = self.pay(battle)
        return known

    def _evaluate(self, battle: Battle, side: int, extra: tuple[int, int]) -> Numbers:
        if side == CHANCE:
            outcomes = chance_outcomes(battle)
            total = sum(weight for _, weight in outcomes)
            sums = [Fraction(0)] * len(self.preference[0])
            for outcome, weight in outcomes:
                for column, number in enumerate(self.value(step(battle, outcome), extra)):
                    sums[column] += number * weight
            return tuple(number / total for number in sums)
        best: Numbers | None = None
        for move in self.considers[side](battle, legal_moves(battle)):
            value = self.after(battle, move, extra)
            if best is None or self.better(side, value, best):
                best = value
        assert best is not None
        return best

    def after(self, battle: Battle, move: Move, extra: tuple[int, int] = (0, 0)) -> Numbers:
        """Return what a move is worth."""
        limit = battle.rule.rage_limit
        spared = battle.stage == Stage.ELIMINATE and not any(move.values)
        if spared and limit is not None and battle.rage[battle.assaulter] >= limit:
            more = list(extra)
            more[battle.assaulter] += 1
            extra = (more[0], more[1])
            if max(extra) > self.stalls:
                return self.beyond
        return self.value(step(battle, move), extra)

    def better(self, side: int, one: Numbers, other: Numbers) -> bool:
        """Whether a side would rather have `one`."""
        for ranked in self.preference[side]:
            column = abs(ranked) - 1
            gain = one[column] - other[column] if ranked > 0 else other[column] - one[column]
            if gain > self.tie:
                return True
            if gain < -self.tie:
                return False
        return False


def retreats_by(rule: Callable[[int, int, int], bool], beginning: Battle, side: int) -> Choose:
    """A side that flees where a rule of its losses, figures left and enemies says so, and nowhere else."""
    figures = sum(beginning.counts[side])

    def choose(battle: Battle, moves: tuple[Move, ...]) -> tuple[Move, ...]:
        if battle.stage != Stage.ASSAULT:
            return moves
        left = sum(battle.counts[side])
        flees = rule(figures - left, left, sum(battle.counts[1 - side]))
        return tuple(move for move in moves if (move == FLEE) == flees)

    return choose


def win(battle: Battle) -> Numbers:
    """Whether the attacker holds the territory, and the figures left."""
    left = (Fraction(sum(battle.counts[0])), Fraction(sum(battle.counts[1])))
    return (Fraction(battle.winner == ATTACKER), *left)
