"""What stands out in solved days, on answers made up for it and on those of the library."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from analysis.ragers.answers import findings, library
from analysis.ragers.answers.answer import Answer
from analysis.ragers.answers.answered import Answered
from analysis.ragers.answers.report import scenario_report
from analysis.ragers.only import CardDay
from analysis.ragers.pages.only import said_verdicts
from analysis.ragers.scenarios import Scenario, scenarios
from engine.ragers.rules import TYPES, load_rules


def days(patron: str, *cheers: str, **more: Any) -> list[tuple[Scenario, Answer]]:
    found = []
    for scenario in scenarios(load_rules(**more), [patron], cheers, "redraw"):
        stored = library.find(scenario)
        assert stored is not None
        found.append((scenario, stored.entry.answer))
    return found


def changed(
    day: tuple[Scenario, Answer], name: str, opening: float, *later: float
) -> tuple[Scenario, Answer]:
    """Return a day in which a type opens, and comes later, so often."""
    scenario, answer = day
    t = TYPES.index(name)
    mix = [*answer.opening_mix[0]]
    mix[t] = opening
    usage = [[*row] for row in answer.usage[0]]
    for row, amount in zip(usage, (opening, *later), strict=False):
        row[t] = amount
    return scenario, msgspec.structs.replace(
        answer, opening_mix=[mix, answer.opening_mix[1]], usage=[usage, answer.usage[1]]
    )


def test_a_late_card_says_when() -> None:
    (day,) = days("arianna", "two-bashers")
    found = findings.findings([changed(day, "stopper", 0.0, 0.1, 0.3, 0.2)], 0)
    (late,) = [each for each in found if each.card == "stopper"]
    assert (late.steps, late.everywhere) == ([3, 4], True)
    assert late.share == pytest.approx(0.25)


def test_one_finding_for_all_days_that_share_it() -> None:
    both = days("arianna", "two-bashers", "prodder-stopper")
    some = [changed(each, "stopper", 0.0, 0.2, 0.2, 0.2) for each in both]
    (late,) = [each for each in findings.findings(some, 0) if each.card == "stopper"]
    assert (late.cheers, late.everywhere) == (["two-bashers", "prodder-stopper"], True)
    (late,) = [each for each in findings.findings([some[0], both[1]], 0) if each.card == "stopper"]
    assert (late.cheers, late.everywhere) == (["two-bashers"], False)


@pytest.mark.parametrize(
    ("patron", "cheers", "lacking"),
    [
        ("solennos", "slasher-veteran", "veteran"),
        ("gharan-zul", "basher-deadeye", "deadeye"),
        ("arianna", "slasher-veteran", None),
    ],
)
def test_a_cheers_card_that_nobody_can_meet(patron: str, cheers: str, lacking: str | None) -> None:
    (day,) = days(patron, cheers)
    rules = day[0].rules
    assert findings.missing_for(rules, day[0].patron, day[0].cheers) == lacking
    never = [each for each in findings.findings([day], 0) if each.kind == "never met"]
    assert [each.card for each in never] == ([] if lacking is None else [lacking])
    # What the patron forbids is no finding about the card.
    assert all(each.card != lacking or each.kind == "never met" for each in never)


def test_a_cheers_card_for_which_the_decks_lack_a_card() -> None:
    rules = load_rules(overrides=["cards.stopper.copies=0"])
    (scenario,) = scenarios(rules, ["arianna"], ["prodder-stopper"], "redraw")
    assert findings.missing_for(rules, scenario.patron, scenario.cheers) == "stopper"


def test_hardly_met() -> None:
    (day,) = days("arianna", "basher-deadeye")
    (found,) = [each for each in findings.findings([day], 0) if each.kind == "hardly met"]
    assert found.share == pytest.approx(1 - day[1].profile.cheers[3])  # type: ignore[union-attr]
    assert (found.share or 0.0) < findings.HARDLY_MET


@pytest.mark.parametrize("number", [1, 2, 3])
def test_of_how_many_days_a_verdict_is_proved_is_counted(number: int) -> None:
    shared: dict[str, Any] = {"patron": "", "cheers": "", "opening": 0.0, "bracket": None, "placed": []}
    for certain in range(number + 1):
        some = [
            CardDay(**shared, gp=None, worth_gp=None, verdict="dead", certain=day < certain)
            for day in range(number)
        ]
        told = said_verdicts(some)
        assert ("proved" in told) == (certain > 0)
        assert number == 1 or certain == 0 or f"({certain} proved)" in told


def test_the_other_seat_of_a_day_is_told_the_same_mirrored() -> None:
    [(scenario, answer)] = days("solennos", "two-bashers")
    uneven = msgspec.structs.replace(
        answer, value_gp=0.75, mean_gp=(4.5, 3.75), outcome=(0.5, 0.125, 0.25, 0.125)
    )
    first, second = (scenario_report(Answered(scenario, uneven, None, True, ""), seat) for seat in (0, 1))
    assert first.value_gp == -second.value_gp == uneven.value_gp
    assert first.mean_gp == (second.mean_gp[1], second.mean_gp[0]) == uneven.mean_gp
    assert (first.outcome.win, first.outcome.loss) == (second.outcome.loss, second.outcome.win) == (0.5, 0.25)
