"""The public form of answers about fights: fields of their JSON."""

from __future__ import annotations

from typing import Literal

import msgspec

SCHEMA_NUMBER = 1
Side = Literal["team", "against"]
Kind = Literal["exact", "bounds"]


class RulesReport(msgspec.Struct, frozen=True):
    """Which rules were used; `illustrative` is the sentence that has to go with their answers, or None."""

    name: str
    sha256: str
    changed: list[str]
    illustrative: str | None
    stand_in_defends: bool


class FighterReport(msgspec.Struct, frozen=True):
    """A gladiator at the position that was asked about; `wounds` of a destroyed one are its life."""

    name: str
    level: int
    wounds: int
    life: int
    field: Literal["action", "support"]
    set: bool
    raging: bool
    destroyed: bool


class SideReport(msgspec.Struct, frozen=True):
    """A side: its gladiators, its cheer, and the points it has scored."""

    name: str
    fighters: list[FighterReport]
    cheer: int
    scored: int


class Worth(msgspec.Struct, frozen=True):
    """What the end is worth for the side `team`; None where the objective does not look at it.

    Attributes
    ----------
    result : 1 the match is won, 0 undecided or drawn, -1 lost.
    points, wounds : differences at the end, of victory points, and of wounds on the other side's gladiators.
    """

    result: int
    points: int | None = None
    wounds: int | None = None


class ActionReport(msgspec.Struct, frozen=True):
    """An action, or an answer to an attack.

    Attributes
    ----------
    low, high : what it is worth, proved; equal if exact.
    best : whether no other is worth more to whoever decides.
    answer : the other side's best answer where it has a choice, else empty.
    """

    action: str
    low: Worth
    high: Worth
    best: bool
    answer: str


class CheerReport(msgspec.Struct, frozen=True):
    """What a position is worth with other cheer for whoever acts, from so much on to the next such line."""

    cheer: int
    low: Worth
    high: Worth


class FightReport(msgspec.Struct, frozen=True, kw_only=True):
    """A position within a wave, solved to the end of the wave or of the match.

    Attributes
    ----------
    decides : who decides at the position.
    horizon : whether it is solved to the end of the wave, or of the match; then a die after a full tie may
        leave bounds, too.
    last_wave : whether points decide the match at the end of this wave.
    low, high : what the position is worth, proved; equal if exact.
    line : one best line of play, in words.
    thresholds : the cheer from which the position is worth something else; empty unless asked for.
    nodes, kept : positions opened by the search, and those that its table holds.
    """

    schema: int = SCHEMA_NUMBER
    game: str = "ophidian"
    version: str
    rules: RulesReport
    kind: Kind
    objective: Literal["result", "points", "wounds"]
    horizon: Literal["wave", "match"] = "wave"
    wave: int
    last_wave: bool
    team: SideReport
    against: SideReport
    decides: Side
    pending: str | None
    low: Worth
    high: Worth
    actions: list[ActionReport]
    line: list[str]
    thresholds: list[CheerReport]
    notes: list[str]
    nodes: int
    kept: int
    time_s: float
