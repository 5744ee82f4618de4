"""The check-up: its figures are those of the questions it asks, and what it finds was planted."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import comb
from pathlib import Path
from statistics import fmean, median
from types import SimpleNamespace
from typing import Any

import pytest

from analysis.estimates import Estimate, estimate, share
from analysis.front import store
from analysis.front.asking import ask
from analysis.front.chance import middle_of
from analysis.front.checkup.answer import CheckupAnswer, Finding
from analysis.front.checkup.measuring import Measures
from analysis.front.checkup.of_entries import line_of
from analysis.front.checkup.of_matches import explained
from analysis.front.checkup.plan import Plan, Rung
from analysis.front.checkup.scene import beyond
from analysis.front.entries import EntryKind, EntryWorth, Tried
from analysis.front.question import Running
from analysis.interrupt import Interrupt
from analysis.ragers.entries import equal_decks
from arena_solver.folders import CACHE_VARIABLE
from engine.ragers.isomorphism import day_game
from tests.front.games import game

DEALS = 60


def checkup(game_: Any, **given: Any) -> CheckupAnswer:
    """Return the check-up of a game."""
    found = ask(game_.question("checkup"), given, Running(fresh=True))
    assert isinstance(found, CheckupAnswer)
    return found


def small(deals: int = DEALS, **changes: Any) -> Any:
    """Return the bidding game with a plan of few deals."""
    bidding = game("bidding")
    named = {str(each.__struct_config__.tag): each for each in bidding.usual}
    plan = Plan(ladder=(Rung(named["random"], deals), Rung(named["rank"], deals)), **changes.pop("plan", {}))
    return replace(bidding, plan=plan, **changes)


def certain(found: CheckupAnswer) -> list[Finding]:
    """Return what was found for certain."""
    return [each for each in found.findings if each.certain]


# ---- matches -----------------------------------------------------------------------------------------------


def test_figures_are_those_of_the_questions_that_it_asks() -> None:
    bidding = small()
    figures = {each.key: each.value for each in checkup(bidding, seed=7).figures}
    match = bidding.question("match")
    given: dict[str, Any] = {"deals": DEALS, "seed": 7}
    alone = ask(match, {"player": ["rank"], **given})
    above = ask(match, {"player": ["rank", "random"], **given})
    assert figures["seats_rank"] == alone.first_seat  # type: ignore[attr-defined]
    assert figures["skill_rank"] == above.sides[0].won  # type: ignore[attr-defined]
    assert middle_of(figures["length"]) == alone.length.mean  # type: ignore[attr-defined]


def test_a_better_hand_in_one_seat_is_found_and_equal_hands_are_not() -> None:
    unequal = certain(checkup(small(), second="one, three, three"))
    assert unequal[0].part == "Seats"
    assert "second" in unequal[0].said
    wrong = sum(
        any(each.part == "Seats" for each in certain(checkup(small(), seed=seed))) for seed in range(20)
    )
    assert wrong <= 1


@pytest.mark.parametrize("copies", ["{accusers=4, defenders=4}", "{accusers=5, defenders=3}"])
def test_days_are_even_where_the_game_of_each_is_symmetric(copies: str) -> None:
    rules = game("ragers").read((), (f"cards.slasher.copies={copies}",))
    days = [day_game(rules, patron.id, [cheers.id]) for patron in rules.patrons for cheers in rules.cheers]
    assert bool(equal_decks(rules)) is all(day.symmetric for day in days)


def test_a_player_that_loses_to_the_one_below_it_is_said() -> None:
    bidding = small()
    turned = replace(bidding, plan=Plan(ladder=tuple(reversed(bidding.plan.ladder))))
    assert certain(checkup(turned))[0].part == "Skill"
    assert not [each for each in certain(checkup(bidding)) if each.part == "Skill"]


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_luck_is_the_share_of_results_that_the_deal_decides(share: float) -> None:
    chance = random.Random(1)
    one, other = list[float](), list[float]()
    for _ in range(4000):
        decided = float(chance.random() < 0.5)
        for results in (one, other):
            # Two results of a deal are the same with the square of this.
            follows = chance.random() < share**0.5
            results.append(decided if follows else float(chance.random() < 0.5))
    found = explained(one, other)
    assert found.mean == pytest.approx(share, abs=0.05)
    if found.low is not None and found.high is not None:
        assert found.low - 0.01 <= share <= found.high + 0.01


def test_what_is_stopped_is_not_judged() -> None:
    interrupt = Interrupt()
    interrupt.requested = True
    found = ask(small().question("checkup"), {}, Running(fresh=True, interrupt=interrupt))
    assert not found.complete
    assert "Nothing" in found.page().headline


@pytest.mark.parametrize(("wins", "plays"), [(0, 4), (1, 8), (3, 12), (30, 80)])
def test_how_likely_a_share_is_by_chance_is_not_said_smaller_than_it_is(wins: int, plays: int) -> None:
    exact = sum(comb(plays, each) for each in range(wins + 1)) / 2**plays
    chance = beyond(share(wins, plays), 0.5, above=False)
    assert chance is not None
    assert chance > exact / 3


# ---- entries -----------------------------------------------------------------------------------------------


def worth(mean: float, price: float | None, width: float = 0.001) -> EntryWorth:
    """Return an entry that is worth so much."""
    value = Estimate(mean, mean - width, mean + width, 100)
    return EntryWorth("x", "X", price, 1.0, value, value, value, None, None)


def test_the_line_is_that_of_medians_and_heeds_no_outlier() -> None:
    chance = random.Random(3)
    entries = [worth(0.02 + 0.01 * price + chance.gauss(0, 0.003), price) for price in range(1, 12)]
    line = line_of([*entries, worth(0.9, 4.0)], 1.0)
    assert line.slope == pytest.approx(0.01, abs=0.002)
    for entry in entries:
        assert abs((entry.worth.mean or 0.0) - line.expected(entry.price)) < line.within
    free = line_of([replace_price(each) for each in entries], 1.0)
    assert free.slope == 0.0
    assert free.at == median(each.worth.mean or 0.0 for each in entries)


def replace_price(each: EntryWorth) -> EntryWorth:
    """Return an entry without a price."""
    return worth(each.worth.mean or 0.0, None)


def measuring(truth: Mapping[str, float], spread: float = 0.3) -> Any:
    """Return what measures entries: their values are worth a tenth each, `truth` aside, with noise."""

    def measured(rules: Any, asked: Any, ids: Sequence[str], running: Running) -> dict[str, Tried]:
        found = {}
        for id_ in ids:
            value = float(rules.tables()[f"cards.{id_}"]["value"])
            chance = random.Random(f"{id_}/{asked.work.seed}")
            gains = [truth.get(id_, 0.0) + 0.01 * value + chance.gauss(0, spread) for _ in range(asked.deals)]
            found[id_] = Tried([0.5 + each for each in gains], [0.5] * len(gains), "With. Without.")
        return found

    return measured


def with_cards(measured: Any) -> Any:
    """Return the bidding game with five cards that are measured so."""
    values = {"four": 4, "five": 5}
    cards = tuple(f"cards.{name}.value={value}" for name, value in values.items())
    cards += tuple(f'cards.{name}.name="{name.title()}"' for name in values)
    kind = EntryKind("cards", measured, "value", "points")
    return small(2, entries={"card": kind}, plan={"entries": {"card": 400}}), cards


def test_an_entry_out_of_line_comes_first_and_a_change_that_mends_it_is_named() -> None:
    # What it is worth above its price falls with its price: a dearer one is in line again.
    def measured(rules: Any, asked: Any, ids: Sequence[str], running: Running) -> dict[str, Tried]:
        plain = measuring({}, 0.1)(rules, asked, ids, running)
        if "five" in plain:
            price = rules.tables()["cards.five"]["value"]
            more = 0.3 if price == 5 else 0.0
            plain["five"] = Tried([each + more for each in plain["five"].with_it], plain["five"].without, "")
        return plain

    bidding, cards = with_cards(measured)
    found = certain(checkup(bidding, set=cards))
    first = next(each for each in found if each.part == "Cards")
    assert first.about == "cards.five"
    assert {each.key for each in first.remedies} == {"cards.five.value"}
    for each in first.remedies:
        assert each.after.mean is not None
        assert abs(each.after.mean - first.value.mean) > 0.2  # type: ignore[operator]


def test_another_price_is_certain_though_worth_is_not_and_the_old_one_is_what_to_try() -> None:
    def measured(rules: Any, asked: Any, ids: Sequence[str], running: Running) -> dict[str, Tried]:
        # Worth moves with the price by chance alone, so nothing tells it from the box.
        price = rules.tables()["cards.three"]["value"]
        moved = SimpleNamespace(deals=asked.deals, work=SimpleNamespace(seed=asked.work.seed + price))
        return measuring({})(rules, moved, ids, running)

    kind = EntryKind("cards", measured, "value", "points")
    bidding = small(2, entries={"card": kind}, plan={"entries": {"card": 20}})
    found = [each for each in certain(checkup(bidding, set=("cards.three.value=2",))) if each.changed]
    assert found[0].about == "cards.three"
    assert found[0].remedies[0].value == "3"
    assert not [each for each in certain(checkup(bidding)) if each.changed]


def test_entries_of_one_line_are_called_out_of_it_in_five_per_cent_at_most() -> None:
    bidding, cards = with_cards(measuring({}))
    alarms = [
        seed
        for seed in range(40)
        if any(each.part == "Cards" for each in certain(checkup(bidding, set=cards, seed=seed)))
    ]
    assert len(alarms) <= 2


def test_what_an_entry_is_worth_is_what_balance_says() -> None:
    bidding, cards = with_cards(measuring({}))
    figures = {each.key: each.value for each in checkup(bidding, set=cards).figures}
    balance = ask(bidding.question("balance"), {"only": "five", "deals": 400, "set": cards})
    value = figures["card/five"]
    assert isinstance(value, Estimate)
    assert value == balance.entries[0].worth  # type: ignore[attr-defined]
    assert value.mean == pytest.approx(estimate([value.mean or 0.0] * 2).mean)
    assert fmean([value.low or 0.0, value.high or 0.0]) == pytest.approx(value.mean, abs=0.02)


def test_who_stops_while_entries_are_measured_once_more_gets_those_that_were() -> None:
    answers = iter(([SimpleNamespace(entry="two")], []))
    again = SimpleNamespace(worth=lambda *_: None, ask=lambda _: (SimpleNamespace(entries=next(answers)), {}))
    asked: Any = SimpleNamespace(given={}, running=Running(), by=lambda _: again)
    assert set(Measures.once_more(asked, [("card", "two"), ("card", "three")])) == {("card", "two")}


def test_what_is_measured_once_is_found_again_with_its_deals(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(store.ANSWERS_VARIABLE, "on")
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    monkeypatch.setattr(store, "LEAST_S", 0.0)
    match = small().question("match")
    asked = match.build(deals=20, player=["rank", "random"])
    first, deals = store.observed(match, asked, Running())
    again, same = store.observed(match, asked, Running())
    assert again.found_again
    assert (again.sides, same) == (first.sides, deals)


def test_several_processes_measure_the_same() -> None:
    alone, together = (checkup(small(), jobs=jobs) for jobs in (1, 2))
    assert (alone.parts, alone.figures) == (together.parts, together.figures)
