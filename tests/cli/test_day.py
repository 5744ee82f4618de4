"""`ragers day` and the heat-map of `ragers balance`: stored days as an app shows them."""

from __future__ import annotations

import json
import re
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


def test_a_day_is_what_solve_says_of_it(run: Any) -> None:
    words = ("--patron", "Solennos", "--cheers", "two-bashers", "--hand", "B B S C T")
    solved = json.loads(run("solve", *words, "--format", "json", "-q").stdout)["scenarios"][0]
    shown = json.loads(run("day", *words, "--format", "json", "-q").stdout)
    assert shown["day"] == solved
    health = json.loads(run("balance", *words[:4], "--format", "json", "-q").stdout)["scenarios"][0]
    assert shown["health"] == health


def test_its_page_has_a_mix_for_each_step_cards_and_hands() -> None:
    found, page = ask("day", **DAY, top=5)
    mixes = [each for each in page.sections if isinstance(each, Mix)]
    assert [each.title for each in mixes] == [f"Step {step}" for step in range(1, 6)]
    for each in mixes:
        assert sum(share for _, share in each.parts) <= 1.0 + 1e-4
    cards, hands, extremes = (each for each in page.sections if isinstance(each, Table))
    worths = [each.worth_gp or 0.0 for each in found.extremes]
    assert worths == sorted(worths, reverse=True)
    assert len(extremes.rows) == 10
    assert len(cards.rows) == 8
    assert len(hands.rows) == len(hands.follow) == len(found.hands) == 5
    shares = [each.dealt for each in found.hands]
    assert shares == sorted(shares, reverse=True)


def test_a_hand_is_shown_with_all_that_it_opens_with_but_what_is_rare() -> None:
    found, _ = ask("day", **DAY, top=400)
    shares = [share for each in found.hands for _, share in each.opens]
    assert 0.0005 <= min(shares) < 0.01, "half a per mille is shown"
    for each in found.hands:
        told = [share for _, share in each.opens]
        assert told == sorted(told, reverse=True)
        # Eight cards and none: what is left out is less than half a per mille each.
        assert 1.0 - 9 * 0.0005 < sum(told) <= 1.0 + 1e-6


def test_a_hand_of_the_table_can_be_asked_about() -> None:
    _, page = ask("day", **DAY, top=1)
    follow = page.sections[-2].follow[0]
    _, shown = ask(follow.question, **follow.given)
    assert "Put away" in [each.title for each in shown.sections if isinstance(each, Mix)]


@pytest.mark.parametrize("metric", ["opening.basher", "loss.greedy", "mean_gp", "nash_conv"])
def test_the_heat_map_leads_to_days(metric: str) -> None:
    found, page = ask("balance", metric=metric, patron="solennos", cheers=["two-bashers", "basher-deadeye"])
    (heat,) = (each for each in page.sections if isinstance(each, Heat))
    assert (len(heat.rows), len(heat.columns)) == (1, 2)
    assert not re.search("gp|Gp|Nashconv", heat.title)
    assert all(cell is not None for row in heat.cells for cell in row)
    follow = heat.follow[0][0]
    assert follow.question == "day"
    assert (follow.given["patron"], follow.given["cheers"]) == (
        found.scenarios[0].patron,
        found.scenarios[0].cheers,
    )


def test_without_a_hand_advice_is_about_the_likeliest_one() -> None:
    found, page = ask("advise", **DAY)
    assert len(found.hand) == 5
    assert found.reach == pytest.approx(max(each.probability for each in found.opponent_hands))
    assert sum(found.range_mix.values()) == pytest.approx(1, abs=1e-4)
    assert "All hands that you may hold here" in [
        each.title for each in page.sections if isinstance(each, Mix)
    ]
