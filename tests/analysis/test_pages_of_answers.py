"""What pages say of answers that are made up: bounds, ties, one and several, numbers on an edge."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from analysis.clash.questions.solve import amounts as amounts_of_battle
from analysis.front.entries import Usage, entries_page
from analysis.front.page import Table
from analysis.ophidian.questions.duel import DuelAnswer
from analysis.ophidian.questions.duel import _headline as headline_of_duels
from analysis.ophidian.questions.solve import Action, Side, SolveAnswer, Worth
from analysis.ophidian.questions.solve import page as page_of_fight
from analysis.pools import open_value
from analysis.ragers.answers.trust import Trust
from analysis.ragers.questions.advise import _sure
from analysis.ragers.wording.trust import share_words
from analysis.rules_reports import entry_of
from engine.clash import rules as clash_rules
from solver.extensive import TERMINAL, build_game
from tests.front.test_entries import EVEN, ask, series
from tests.games import kuhn


def fight(objective: str, *actions: Action, low: Worth | None = None) -> SolveAnswer:
    """Return an answer about a fight in which these actions can be chosen, the best first."""
    side = Side("", [], 0, 0)
    return SolveAnswer(
        game="ophidian",
        question="solve",
        version="",
        objective=objective,  # type: ignore[arg-type]
        horizon="wave",
        wave=1,
        last_wave=False,
        team=side,
        against=side,
        decides="team",
        pending=None,
        low=actions[0].low if low is None else low,
        high=actions[0].high,
        actions=list(actions),
        line=[],
        thresholds=[],
        estimate=None,
        notes=[],
        nodes=0,
        kept=0,
        stand_in_defends=False,
    )


def proved(name: str, worth: Worth, other: Worth | None = None) -> Action:
    return Action(name, worth, other or worth, False, "")


def rows_of(found: SolveAnswer) -> tuple[list[str], list[Any]]:
    """Return the heads of the table of actions, and what each costs."""
    table = next(each for each in page_of_fight(found).sections if isinstance(each, Table))
    keys = [column.key for column in table.columns]
    return keys, [row[keys.index("costs")] for row in table.rows]


def chance(share: float) -> Worth:
    return Worth(0, chance=share)


def points(number: int) -> Worth:
    return Worth(0, points=number)


def test_what_is_proved_has_a_price_and_bounds_have_none() -> None:
    hit, wait = proved("hit", chance(0.75)), proved("wait", chance(0.5))
    assert rows_of(fight("match", hit, wait)) == (["action", "chance", "costs"], [0.0, 0.25])
    bounds = proved("run", chance(0.25), chance(0.6))
    keys, costs = rows_of(fight("match", hit, wait, bounds))
    assert keys == ["action", "chance_low", "chance_high", "costs"]
    assert costs == [0.0, 0.25, None]
    # The best action alone is not proved: then no price is.
    best = proved("hit", chance(0.7), chance(0.8))
    assert rows_of(fight("match", best, wait))[1] == [None, None]
    # All actions are, but the position is not.
    assert rows_of(fight("match", hit, wait, low=chance(0.6)))[0] == keys


def test_points_that_an_action_gives_away() -> None:
    hit, wait, open_ = (
        proved("hit", points(3)),
        proved("wait", points(1)),
        proved("run", points(0), points(2)),
    )
    _, costs = rows_of(fight("points", hit, wait, open_))
    assert costs[0] in (None, "")
    assert "2" in str(costs[1])
    assert costs[2] == "?"


@pytest.mark.parametrize(
    ("wins", "said"),
    [
        ([3, 1, 0], "Runt wins most matches against one other gladiator: 3 of 4."),
        ([2, 2, 0], "Runt and Scrap win most matches against one other gladiator: 2 of 4 each."),
        ([2, 2, 2], "Runt, Scrap and Thorn win most matches against one other gladiator: 2 of 4 each."),
        ([0, 0, 0], "No gladiator is proved to beat another one."),
    ],
)
def test_all_who_win_most_are_named(wins: list[int], said: str) -> None:
    names = ["Runt", "Scrap", "Thorn"]
    found = DuelAnswer(
        game="ophidian",
        question="duel",
        version="",
        waves=1,
        extra_waves=0,
        gladiators=names,
        points=[1, 1, 1],
        wins=wins,
        losses=[0, 0, 0],
        duels=[],
        nodes=0,
    )
    assert headline_of_duels(found) == said


@pytest.mark.parametrize(
    ("share", "said"),
    [(0.1, "10 %"), (0.101, "11 %"), (0.07 + 1e-12, "7 %"), (0.01, "1 %"), (0.0099, "under 1 %")],
)
def test_shares_of_what_a_day_pays_are_rounded_up(share: float, said: str) -> None:
    assert share_words(Trust(grade="fair", share=share, day_pays_gp=5.0)) == said


def test_advice_says_how_far_to_trust_it() -> None:
    fair = Trust(grade="fair", share=0.1, day_pays_gp=5.0)
    (said,) = _sure(SimpleNamespace(trust=fair, nash_conv_gp=0.5))  # type: ignore[arg-type]
    assert said == "How far to trust it: fair, 10 % of what a day pays."
    none = Trust(grade="no answer yet", share=0.3, day_pays_gp=5.0)
    (said,) = _sure(SimpleNamespace(trust=none, nash_conv_gp=1.5))  # type: ignore[arg-type]
    assert said == "How far to trust it: no answer yet: off by up to 1.50 GP where a day pays 5.0."


def test_what_was_played_once_has_a_share() -> None:
    once = series(0.0, 0.1, usage=Usage("rank", "played", 1, 1, 2.0))
    found = entries_page(ask({"two": once, "one": EVEN}))
    table = next(each for each in found.sections if isinstance(each, Table))
    (two,) = (row for row in table.rows if row[0] == "Two")
    assert two[-2:] == [1.0, 2.0]


def test_a_battle_that_is_not_proved_is_compared_by_the_middle() -> None:
    none = SimpleNamespace(types=[])
    found = SimpleNamespace(objective="win", value=None, low=0.2, high=0.6, attacker=none, defender=none)
    (value, *lost) = amounts_of_battle(found)  # type: ignore[arg-type]
    assert (value.key, value.value) == ("win", pytest.approx(0.4))
    assert [each.value for each in lost] == [0, 0]


def test_with_open_hands_whoever_holds_more_takes_the_ante() -> None:
    # In three of six deals of Kuhn poker it is either one, and whoever holds less gives up.
    tree = build_game(kuhn.Kuhn())
    assert open_value(tree) == pytest.approx(0.0)
    higher = replace(tree, payoff=tree.payoff + 3.0 * (tree.node_player == TERMINAL))
    assert open_value(higher) == pytest.approx(3.0)


def test_what_is_within_another_entry_says_in_which() -> None:
    rules = clash_rules.load_rules()
    tables = rules.tables()
    unit = "clans.bohorg.units.executioner"
    assert entry_of(rules, unit, tables[unit]).title == "Executioner (bohorg)"
    assert entry_of(rules, "clans.bohorg", tables["clans.bohorg"]).title == "Bohorg Tribe"
