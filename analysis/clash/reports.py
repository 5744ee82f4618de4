"""The form of answers about battles: fields of their JSON."""

from __future__ import annotations

from typing import Literal

import msgspec

from analysis.front.question import Answer

ROUNDING = 1e-13
"""Chances that differ by no more are equal but for rounding."""
Side = Literal["attacker", "defender"]
Move = Literal["flee", "roll", "reroll", "eliminate"]
Result = Literal["destroyed", "attacker-fled", "defender-fled"]
Standing = Literal["fighting", "destroyed", "attacker-fled", "defender-fled"]
Kind = Literal["exact", "bracket", "fraction"]
Objective = Literal["win", "material", "own"]


class SwitchesReport(msgspec.Struct, frozen=True):
    """The switches that this battle depends on (C5, B8, B12, B1, X4)."""

    hit: str
    sparing: bool
    rage_limit: int | None
    elves: Literal["adversary", "attacker"]


class TypeReport(msgspec.Struct, frozen=True):
    """A unit type of an army, and how many of its figures are lost.

    Attributes
    ----------
    lost, lost_deviation : mean and standard deviation.
    """

    unit: str
    count: int
    equipment: list[str]
    lost: float
    lost_deviation: float


class ArmyReport(msgspec.Struct, frozen=True):
    """An army: `rage` tokens when the question begins, the chances to flee, and to be eliminated wholly.

    Attributes
    ----------
    levels : which of the clan's types each of `types` is, from 0.
    """

    clan: str
    slowness: int
    rage: int
    types: list[TypeReport]
    levels: list[int]
    flees: float
    destroyed: float


class EndReport(msgspec.Struct, frozen=True):
    """A way the battle may end: figures left of each type, those that fled included."""

    probability: float
    result: Result
    attacker: list[int]
    defender: list[int]


class OptionReport(msgspec.Struct, frozen=True):
    """What can be decided: what it is worth, and what it costs whoever decides, against its best.

    Attributes
    ----------
    move : `flee`, `roll`, `reroll` or `eliminate`.
    eliminated : figures of each type; None if the move is another.
    value : as the report's; to whoever decides.
    """

    move: Move
    eliminated: list[int] | None
    value: float
    cost: float
    chosen: bool


class DecisionReport(msgspec.Struct, frozen=True):
    """A decision and its options, the best one first."""

    decider: Side
    options: list[OptionReport]


class SimpleReport(msgspec.Struct, frozen=True):
    """A side that plays simply, the other one optimally.

    Attributes
    ----------
    value : to the attacker; with `own`, to this side.
    cost : to this side.
    """

    side: Side
    habit: str
    value: float
    cost: float


class LeftReport(msgspec.Struct, frozen=True):
    """Figures of each type that a side has left, and how likely that is."""

    probability: float
    figures: list[int]


class WonReport(msgspec.Struct, frozen=True):
    """What a side has lost, given that it holds the territory in the end.

    Attributes
    ----------
    chance : that it does; all other probabilities are given that.
    lost : of each type, on average.
    figures_lost : the probability to have lost 0, 1, 2, ... figures in all.
    left : the likeliest first.
    """

    chance: float
    lost: list[float]
    figures_lost: list[float]
    left: list[LeftReport]


class StandingReport(msgspec.Struct, frozen=True):
    """How a battle may stand: figures of each type, those that fled included."""

    probability: float
    standing: Standing
    attacker: list[int]
    defender: list[int]


class RoundsReport(msgspec.Struct, frozen=True):
    """A battle after some rounds, each an assault of either side.

    Attributes
    ----------
    fighting : the chance that it still goes on.
    standings : the likeliest first; `left_out` is the probability of all others.
    """

    rounds: int
    fighting: float
    standings: list[StandingReport]
    left_out: float


class BattleAnswer(Answer, frozen=True, kw_only=True):
    """A battle, solved.

    Attributes
    ----------
    kind : `exact` but for rounding; `fraction`, also as a `fraction`; `bracket`, between `low` and `high`.
    value : what the battle is worth to the attacker: with `win` the chance that it holds the territory, else
        what it gains less what it loses; None if it is a bracket.
    low, high : the same number twice unless it is a bracket.
    fraction : the value as a ratio of whole numbers, if that was asked.
    value_to_defender : with `own` only.
    win : the chance that the attacker holds the territory, under optimal play for this objective.
    beyond : the chance to leave what was solved; the other chances leave this out.
    assaults : how many are made on average, fleeing not counted.
    starts : whose assault is the first (B2), or the next, if that was said.
    first : what is decided first; None where the elves roll, who have no choice.
    ends : the likeliest first; `ends_left_out` is the probability of all others.
    retreats : the rules by which the sides flee, as they were asked; None for as well as can be.
    value_without_retreats : where a side flees by such a rule, the value if both flee as well as can be.
    won : what the attacker, and the defender, has lost given that it wins; None if it never does.
    after : how it stands after the rounds asked for.
    states : positions solved.
    check : how far the value lies from that of the forward pass of probabilities.
    sha256 : of all that the answer depends on.
    """

    switches: SwitchesReport
    objective: Objective
    weights: dict[str, float] | None
    weights_of_defender: dict[str, float] | None
    solo: bool
    starts: Side
    kind: Kind
    value: float | None
    low: float
    high: float
    fraction: str | None
    value_to_defender: float | None
    win: float
    beyond: float
    assaults: float
    attacker: ArmyReport
    defender: ArmyReport
    first: DecisionReport | None
    simple: list[SimpleReport]
    ends: list[EndReport]
    ends_left_out: float
    retreats: list[str | None]
    value_without_retreats: float | None
    won: list[WonReport | None]
    after: RoundsReport | None
    states: int
    check: float
    sha256: str


class NeededReport(msgspec.Struct, frozen=True):
    """An army that is enough, of whose parts none is.

    Attributes
    ----------
    hurt : units of which one more, as far as there are more, makes it fall short.
    """

    counts: list[int]
    figures: int
    win: float
    slowness: int
    hurt: list[str]


class NeedAnswer(Answer, frozen=True, kw_only=True):
    """The smallest armies that reach a chance to hold a territory.

    Attributes
    ----------
    units : what `counts` count.
    armies : how many there are at all; `enough`: how many of them reach the chance.
    best : the army with the largest chance, whether it reaches the one asked or not.
    bracket : whether chances are lower bounds.
    """

    switches: SwitchesReport
    attacker: str
    defender: str
    solo: bool
    chance: float
    units: list[str]
    most: list[int]
    armies: int
    enough: int
    needed: list[NeededReport]
    best: NeededReport
    bracket: bool
    states: int
    sha256: str
