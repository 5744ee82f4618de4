"""One battle of Clash of Rage in plain Python: immutable states, explicit dice, a function per rule.

This is the specification as code; the whole game (`reference`) plays its battles by it. Sides are 0, the
attacker, and 1, the defender: a clan, or the elves, for whom side 1 chooses, or (X4) side 0. It is walked as
`engine.protocol` says. An outcome of chance is the number of dice that injure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from math import comb
from typing import NamedTuple

from engine.clash.fighters import Fighter
from engine.clash.rules import BattleRule
from engine.protocol import CHANCE, OVER, IllegalMove

Counts = tuple[int, int, int]
"""Figures of each type of an army."""

ATTACKER, DEFENDER = 0, 1


class Stage(IntEnum):
    """Where in a battle a state stands."""

    ASSAULT = 0  # flee, or roll? (B11)
    ROLL = 1  # chance rolls the dice (B4)
    REROLL = 2  # roll the blanks again? (B5)
    BLANKS = 3  # chance does so
    ELIMINATE = 4  # injuries are distributed (B7)
    OVER = 5


class Move(NamedTuple):
    """A move: what is done, and to what."""

    kind: str
    values: tuple[int, ...] = ()


FLEE, ROLL = Move("flee"), Move("roll")
REROLL, KEEP = Move("reroll"), Move("keep")


@dataclass(frozen=True)
class Battle:
    """A state of a battle.

    Attributes
    ----------
    rule : switches, and what a die does.
    fighters : of both sides, what each of the three types counts for; types that are absent, anything.
    counts : figures left of both sides, by type.
    elves : whether the defender is the elves: they never flee, and have to roll blanks again (B3, B5).
    chooser : the side that distributes injuries dealt by elves (B1, X4).
    assaulter : whose assault it is (B3).
    rage : tokens of both sides (B9).
    dice, hits : dice of this assault, and how many of them injure.
    rerolls : how often blanks may still be rolled again (B5).
    winner : who holds the territory, None before the end.
    fled : whether the loser fled; its counts are then those who did (B11).
    """

    rule: BattleRule
    fighters: tuple[tuple[Fighter, Fighter, Fighter], tuple[Fighter, Fighter, Fighter]]
    counts: tuple[Counts, Counts]
    elves: bool = False
    chooser: int = DEFENDER
    assaulter: int = ATTACKER
    rage: tuple[int, int] = (0, 0)
    stage: Stage = Stage.ASSAULT
    dice: int = 0
    hits: int = 0
    rerolls: int = 0
    winner: int | None = None
    fled: bool = False


def start(
    rule: BattleRule,
    fighters: Sequence[tuple[Fighter, Fighter, Fighter]],
    counts: Sequence[Counts],
    *,
    elves: bool = False,
    solo: bool = False,
) -> Battle:
    """The beginning of a battle: whoever is less slow starts, on a tie the defender (B2).

    Raises ValueError unless both sides have figures.
    """
    attackers, defenders = counts
    if not sum(attackers) or not sum(defenders) or min(*attackers, *defenders) < 0:
        raise ValueError(f"a battle needs figures on both sides, not {attackers} and {defenders}")
    battle = Battle(
        rule=rule,
        fighters=(fighters[0], fighters[1]),
        counts=(attackers, defenders),
        elves=elves,
        chooser=ATTACKER if elves and (solo or rule.elves == "attacker") else DEFENDER,
    )
    attacker_starts = slowness(battle, ATTACKER) < slowness(battle, DEFENDER)
    return begin_assault(battle, ATTACKER if attacker_starts else DEFENDER)


# -- what an army counts for ----------------------------------------------------------------------------


def present(battle: Battle, side: int) -> list[Fighter]:
    """The types of a side with figures left; each counts once, however many there are (B4)."""
    both = zip(battle.fighters[side], battle.counts[side], strict=True)
    return [fighter for fighter, count in both if count]


def slowness(battle: Battle, side: int) -> int:
    """Slowness icons of the types present (B2)."""
    return sum(fighter.slow for fighter in present(battle, side))


def injuries(battle: Battle) -> int:
    """Injuries that the assaulter distributes (B6)."""
    own, other = present(battle, battle.assaulter), present(battle, 1 - battle.assaulter)
    dealt = battle.hits + sum(fighter.injury for fighter in own) + battle.rage[battle.assaulter]
    return max(0, dealt - sum(fighter.shield for fighter in other))


# -- who decides, and what is allowed -------------------------------------------------------------------


def decider(battle: Battle) -> int:
    """Who decides now: a side, `CHANCE`, or `OVER`."""
    if battle.stage == Stage.OVER:
        return OVER
    if battle.stage in (Stage.ROLL, Stage.BLANKS):
        return CHANCE
    if battle.elves and battle.assaulter == DEFENDER:
        return battle.chooser
    return battle.assaulter


def legal_moves(battle: Battle) -> tuple[Move, ...]:
    """What the decider may do; empty for chance and when over."""
    if battle.stage == Stage.ASSAULT:
        return (FLEE, ROLL)
    if battle.stage == Stage.REROLL:
        return (KEEP, REROLL)
    if battle.stage == Stage.ELIMINATE:
        return tuple(Move("eliminate", kills) for kills in eliminations(battle))
    return ()


def chance_outcomes(battle: Battle) -> list[tuple[int, int]]:
    """How many dice injure, with exact weights: they sum to (faces of a die) ** (dice rolled)."""
    if decider(battle) != CHANCE:
        return []
    rolled = battle.dice if battle.stage == Stage.ROLL else battle.dice - battle.hits
    faces, sides = map(int, battle.rule.hit.split("/"))
    return [
        (hits, comb(rolled, hits) * faces**hits * (sides - faces) ** (rolled - hits))
        for hits in range(rolled + 1)
    ]


def eliminations(battle: Battle) -> list[Counts]:
    """Whom the injuries may eliminate, by type (B7); nobody comes first, where that is allowed (B8, X4)."""
    lives = [fighter.life for fighter in battle.fighters[1 - battle.assaulter]]
    counts = battle.counts[1 - battle.assaulter]
    dealt = injuries(battle)

    def left(kills: Sequence[int]) -> int:
        return dealt - sum(kill * life for kill, life in zip(kills, lives, strict=True))

    ones, twos, threes = (range(count + 1) for count in counts)
    every = [(one, two, three) for one in ones for two in twos for three in threes]
    possible = [kills for kills in every if any(kills) and left(kills) >= 0]
    if battle.elves and battle.assaulter == DEFENDER and battle.chooser == ATTACKER:
        # X4: which of its own units the elves eliminate, not whether.
        maximal = [
            kills
            for kills in possible
            if all(kills[kind] == counts[kind] or lives[kind] > left(kills) for kind in range(3))
        ]
        return maximal or [(0, 0, 0)]
    # B8: so that nobody dies, each unit takes less than its life.
    room = sum((life - 1) * count for life, count in zip(lives, counts, strict=True))
    spared = dealt <= room if battle.rule.sparing else not possible
    return [*([(0, 0, 0)] if spared else []), *possible]


# -- moves ----------------------------------------------------------------------------------------------


def step(battle: Battle, move: Move | int) -> Battle:
    """The battle after a move, or after dice have fallen; raises IllegalMove."""
    if not isinstance(move, Move):
        if move not in dict(chance_outcomes(battle)):
            raise IllegalMove(f"{move} dice injure, in stage {battle.stage.name}")
        return _after_dice(replace(battle, hits=battle.hits + move))
    if move not in legal_moves(battle):
        raise IllegalMove(f"{move} in stage {battle.stage.name}")
    if move == FLEE:
        return _end(battle, 1 - battle.assaulter, fled=True)
    if move == ROLL:
        return _roll(battle)
    if move == REROLL:
        return replace(battle, stage=Stage.BLANKS, rerolls=battle.rerolls - 1)
    if move == KEEP:
        return replace(battle, stage=Stage.ELIMINATE, rerolls=0)
    return _eliminate(battle, move.values)


def begin_assault(battle: Battle, side: int) -> Battle:
    """A side's turn to assault (B3); the elves never flee, so they roll."""
    battle = replace(battle, assaulter=side, stage=Stage.ASSAULT, dice=0, hits=0, rerolls=0)
    return _roll(battle) if battle.elves and side == DEFENDER else battle


def _roll(battle: Battle) -> Battle:
    """Rage of icons first (B10); then as many dice as the strongest type has power (B4)."""
    own = present(battle, battle.assaulter)
    return replace(
        _enraged(battle, sum(fighter.rage for fighter in own)),
        stage=Stage.ROLL,
        dice=max(fighter.power for fighter in own),
        rerolls=sum(fighter.reroll for fighter in own),
    )


def _after_dice(battle: Battle) -> Battle:
    """Blanks may be rolled again while there are rerolls; elves must (B5)."""
    if battle.rerolls and battle.hits < battle.dice:
        if battle.elves and battle.assaulter == DEFENDER:
            return replace(battle, stage=Stage.BLANKS, rerolls=battle.rerolls - 1)
        return replace(battle, stage=Stage.REROLL)
    return replace(battle, stage=Stage.ELIMINATE, rerolls=0)


def _eliminate(battle: Battle, kills: Sequence[int]) -> Battle:
    """Units die, or a rage token is earned (B9); then it is the other's turn, if any are left (B3)."""
    side, other = battle.assaulter, 1 - battle.assaulter
    if not any(kills):
        return begin_assault(_enraged(battle, 1), other)
    both = zip(battle.counts[other], kills, strict=True)
    first, second, third = (count - kill for count, kill in both)
    counts = list(battle.counts)
    counts[other] = (first, second, third)
    battle = replace(battle, counts=(counts[0], counts[1]))
    return begin_assault(battle, other) if any(counts[other]) else _end(battle, side)


def _enraged(battle: Battle, tokens: int) -> Battle:
    """Rage tokens for the assaulter, up to the limit if there is one (B9, B12)."""
    rage = list(battle.rage)
    rage[battle.assaulter] += tokens
    if battle.rule.rage_limit is not None:
        rage[battle.assaulter] = min(rage[battle.assaulter], battle.rule.rage_limit)
    return replace(battle, rage=(rage[0], rage[1]))


def _end(battle: Battle, winner: int, *, fled: bool = False) -> Battle:
    """The survivor holds the territory (B13); what was rolled no longer matters, nor who would be next."""
    return replace(
        battle, stage=Stage.OVER, assaulter=ATTACKER, dice=0, hits=0, rerolls=0, winner=winner, fled=fled
    )


def payoffs(battle: Battle) -> tuple[float, ...]:
    """1 for the side that holds the territory, -1 for the other."""
    assert battle.stage == Stage.OVER
    return (1.0, -1.0) if battle.winner == ATTACKER else (-1.0, 1.0)
