"""What ``solve`` answers: days, what stands out in them, and a closer look where it is one day."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from analysis.ragers.answers.answer import Answer
from analysis.ragers.answers.ended import SolvedAnswer
from analysis.ragers.answers.findings import Finding, findings
from analysis.ragers.answers.health import HandLine, ScenarioHealth
from analysis.ragers.answers.report import ScenarioReport
from analysis.ragers.answers.trust import trust_in
from analysis.ragers.scenarios import Scenario


class CloseLook(msgspec.Struct, frozen=True, kw_only=True):
    """One day card by card and hand by hand.

    Attributes
    ----------
    health : what each card is, what the deal is worth, what sampled days tell.
    hands : the likeliest hands as dealt.
    extremes : the best and the worst hands as dealt, the best first; none where no worth is known.
    """

    health: ScenarioHealth
    hands: list[HandLine]
    extremes: list[HandLine] = []


class SolveAnswer(SolvedAnswer, frozen=True, kw_only=True):
    """Solved days.

    Attributes
    ----------
    findings : what stands out in them.
    assumed : values of the rules that are assumed.
    close : a closer look at the day, where one alone is asked about and has an answer.
    """

    scenarios: list[ScenarioReport]
    findings: list[Finding] = msgspec.field(default_factory=list)
    assumed: list[str] = msgspec.field(default_factory=list)
    close: CloseLook | None = None


def outstanding(days: Sequence[tuple[Scenario, Answer]], player: int) -> list[Finding]:
    """Return what stands out in the days that have an answer."""
    told = [(scenario, answer) for scenario, answer in days if trust_in(answer).answers and answer.is_whole]
    return findings(told, player)
