"""One day alone, card by card and hand by hand, and the heat-map of `ragers balance` that leads there."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest

from analysis.front.asking import function_of
from analysis.front.page import Heat, Mix, Table
from analysis.registry import game_named

DAY = {"patron": "solennos", "cheers": "two-bashers"}


def ask(verb: str, **given: Any) -> tuple[Any, Any]:
    question = game_named("ragers").question(verb)
    found = function_of(question)(**given)
    return found, question.page_of(found)


def test_a_close_look_agrees_with_the_day_and_with_balance(run: Any) -> None:
    words = ("--patron", "Solennos", "--cheers", "two-bashers")
    found = json.loads(run("solve", *words, "--top", "10000", "--format", "json", "-q").stdout)
    (day,), close = found["scenarios"], found["close"]
    health = json.loads(run("balance", *words, "--format", "json", "-q").stdout)["scenarios"][0]
    assert close["health"] == health
    for name, card in health["cards"].items():
        assert card["opening"] == pytest.approx(day["opening_mix"][name])
        assert card["placed"] == pytest.approx([step[name_index(name)] for step in day["usage"]])
    # All hands that can be dealt are so by chance, and what is left out of an opening is rare.
    assert sum(each["dealt"] for each in close["hands"]) == pytest.approx(1.0)
    shares = [each["dealt"] for each in close["hands"]]
    assert shares == sorted(shares, reverse=True)
    worths = sorted(each["worth_gp"] for each in close["hands"])
    extremes = [each["worth_gp"] for each in close["extremes"]]
    assert extremes == [*worths[::-1][:5], *worths[:5][::-1]]
    for each in close["hands"]:
        told = [share for _, share in each["opens"]]
        assert told == sorted(told, reverse=True)
        assert 1.0 - 9 * 0.0005 < sum(told) <= 1.0 + 1e-6


def name_index(name: str) -> int:
    from engine.ragers.rules import TYPES

    return TYPES.index(name)


def test_its_page_has_a_mix_for_each_step_and_hands_that_can_be_asked_about() -> None:
    found, page = ask("solve", **DAY, top=5)
    mixes = [each for each in page.sections if isinstance(each, Mix)]
    assert len(mixes) == len(found.scenarios[0].usage)
    totals = [sum(share for _, share in each.parts) for each in mixes]
    # Days end meanwhile; of each step, nine shares too small to be shown may be missing.
    assert all(after <= before + 9 * 0.0005 for before, after in pairwise(totals))
    follow = page.sections[-2].follow[0]
    asked, shown = ask(follow.question, **follow.given)
    assert "Put away" in [each.title for each in shown.sections if isinstance(each, Mix)]
    assert asked.scenarios[0].hand.dealt == pytest.approx(found.close.hands[0].dealt)


@pytest.mark.parametrize("metric", ["opening.basher", "loss.greedy", "mean_gp", "nash_conv"])
def test_the_heat_map_leads_to_days(metric: str) -> None:
    found, page = ask("balance", metric=metric, patron="solennos", cheers=["two-bashers", "basher-deadeye"])
    (heat,) = (each for each in page.sections if isinstance(each, Heat))
    assert (len(heat.rows), len(heat.columns)) == (1, 2)
    for cell, follow, each in zip(heat.cells[0], heat.follow[0], found.scenarios, strict=True):
        assert cell is not None
        day, _ = ask(follow.question, **follow.given)
        assert (day.scenarios[0].patron, day.scenarios[0].cheers) == (each.patron, each.cheers)


def test_without_a_hand_advice_is_about_the_likeliest_one() -> None:
    found, page = ask("advise", **DAY)
    assert len(found.hand) == 5
    assert found.reach == pytest.approx(max(each.probability for each in found.opponent_hands))
    assert sum(found.range_mix.values()) == pytest.approx(1, abs=1e-4)
    assert any(isinstance(each, Table) for each in page.sections)
