"""What pages say of answers that are made up: bounds, ties, one and several, numbers on an edge."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import results
from analysis.arena.questions.report import read_answer
from analysis.pools import open_value
from solver.extensive import TERMINAL, build_game
from tests.games import kuhn


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
