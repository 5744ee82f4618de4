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
    chance : of winning the match, from 0 to 1, a draw counted as half: an estimate where the wave's end does
        not end the match. `result` is then 0.
    """

    result: int
    points: int | None = None
    wounds: int | None = None
    chance: float | None = None


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
    estimate : what the objective `match` takes ends of the wave to be worth, in words; else None.
    nodes, kept : positions opened by the search, and those that its table holds.
    """

    schema: int = SCHEMA_NUMBER
    game: str = "ophidian"
    version: str
    rules: RulesReport
    kind: Kind
    objective: Literal["result", "points", "wounds", "match"]
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
    estimate: str | None = None
    notes: list[str]
    nodes: int
    kept: int
    time_s: float
    compile_s: float | msgspec.UnsetType = msgspec.UNSET


class DuelReport(msgspec.Struct, frozen=True):
    """A match: results for the first gladiator, 1, 0 or -1, if it begins and if the other one does.

    Attributes
    ----------
    low, high : by who begins, first the gladiator itself; they differ where a die after a full tie matters,
        or where the search was stopped.
    """

    gladiator: str
    against: str
    low: list[int]
    high: list[int]


class DuelsReport(msgspec.Struct, frozen=True, kw_only=True):
    """Matches of every gladiator against every other.

    Attributes
    ----------
    wins, losses : of each gladiator, over both who begin and all others; draws are the rest.
    """

    schema: int = SCHEMA_NUMBER
    game: str = "ophidian"
    version: str
    rules: RulesReport
    waves: int
    extra_waves: int
    gladiators: list[str]
    points: list[int]
    wins: list[int]
    losses: list[int]
    duels: list[DuelReport]
    complete: bool
    nodes: int
    time_s: float
    compile_s: float | msgspec.UnsetType = msgspec.UNSET


class DecisionReport(msgspec.Struct, frozen=True):
    """A decision that play comes to, and its mix.

    Attributes
    ----------
    hand : response cards of whoever decides.
    seen : what was done so far, in words.
    reach : how likely it is that play comes to it.
    """

    side: Side
    hand: list[str]
    seen: list[str]
    reach: float
    mix: dict[str, float]


class ThresholdReport(msgspec.Struct, frozen=True):
    """How likely one response has to be, all others away, for the attack to be wrong.

    Attributes
    ----------
    held : how likely the other side holds it, out of its pool.
    wrong_from : a probability; None where the attack is right even if it is held for sure, 0 where it is
        wrong even if it is not.
    """

    card: str
    held: float
    wrong_from: float | None


class ResponseReport(msgspec.Struct, frozen=True, kw_only=True):
    """Whether to attack where a hidden hand may answer.

    Attributes
    ----------
    value_in : `result`, a win 1 and a loss -1; `points` or `wounds` at the end of the wave, with a match that
        is won. All values are of whoever attacks.
    win_counts : as how much a match that is won counts.
    value : with best play of both, he attacks so or does `best_other`, the best action that is no attack.
    attack_value, otherwise : if he has to attack; if he does that instead.
    open_value : if all hands lay open.
    attacks : how often he attacks, over all hands.
    idle : cards of the pools that cannot answer this attack, the team's first; they count as `other`.
    decisions : those that play comes to, the likeliest first.
    """

    schema: int = SCHEMA_NUMBER
    game: str = "ophidian"
    version: str
    rules: RulesReport
    method: Literal["exact"] = "exact"
    attack: str
    attacker: Side
    wave: int
    value_in: Literal["result", "points", "wounds"]
    win_counts: float
    value: float
    attack_value: float
    otherwise: float
    best_other: str
    open_value: float
    attacks: float
    pools: list[dict[str, int]]
    idle: list[list[str]]
    cards: list[int]
    resources: list[int]
    thresholds: list[ThresholdReport]
    decisions: list[DecisionReport]
    nodes: int
    infosets: int
    nash_conv: float
    time_s: float
    compile_s: float | msgspec.UnsetType = msgspec.UNSET
