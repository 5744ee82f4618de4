"""What pages say of answers that are made up: bounds, ties, one and several, numbers on an edge."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import results
from analysis.arena.questions.report import read_answer
from analysis.front.page import Table
from analysis.ophidian.questions.solve import Action, Side, SolveAnswer, Worth
from analysis.ophidian.questions.solve import page as page_of_fight
from analysis.pools import open_value
from solver.extensive import TERMINAL, build_game
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


def test_with_open_hands_whoever_holds_more_takes_the_ante() -> None:
    # In three of six deals of Kuhn poker it is either one, and whoever holds less gives up.
    tree = build_game(kuhn.Kuhn())
    assert open_value(tree) == pytest.approx(0.0)
    higher = replace(tree, payoff=tree.payoff + 3.0 * (tree.node_player == TERMINAL))
    assert open_value(higher) == pytest.approx(3.0)


CARRIED = sorted((Path(results.__file__).parent / "raverun").glob("*.json"))


@pytest.mark.parametrize("file", CARRIED, ids=lambda file: file.stem)
def test_what_is_carried_of_raverun_can_be_reported(file: Path) -> None:
    found = read_answer(file)
    assert found.page().headline
    assert found.game == "raverun"
