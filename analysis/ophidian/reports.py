"""The public form of answers about fights: fields of their JSON."""

from __future__ import annotations

from typing import Literal

import msgspec

from engine.ophidian.rules import ILLUSTRATIVE, Rules

SCHEMA_NUMBER = 1
Side = Literal["team", "against"]


class RulesReport(msgspec.Struct, frozen=True):
    """Which rules were used; `illustrative` is the sentence that has to go with their answers, or None."""

    name: str
    sha256: str
    changed: list[str]
    illustrative: str | None
    stand_in_defends: bool


def rules_report(chosen: Rules) -> RulesReport:
    """Say which rules an answer is of."""
    return RulesReport(
        name=chosen.name,
        sha256=chosen.sha256,
        changed=chosen.changed,
        illustrative=ILLUSTRATIVE if chosen.illustrative else None,
        stand_in_defends=chosen.combat.stand_in_defends,
    )


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
