"""What hints by playouts and reviews say, of any game."""

from __future__ import annotations

from typing import NamedTuple

import msgspec
import pytest

from analysis.estimates import Estimate
from analysis.front.hints import hint_lines, split_sections
from analysis.front.page import Facts
from analysis.reviewed import Judged, split


class Move(NamedTuple):
    text: str
    win: float = 0.5
    error: float = 0.01
    behind: float = 0.0
    behind_error: float = 0.01
    told: bool = False
    playouts: int = 400


def said(*moves: Move, alike: bool = False) -> list[str]:
    return hint_lines(moves, alike=alike, who="players by rules")


def test_what_is_not_told_apart_is_said() -> None:
    assert said() == ["there is nothing here that playouts could try"]
    assert len(said(Move("alone"))) == 2
    assert said(Move("one"), Move("two", playouts=90), Move("three", playouts=70))[-1] == (
        "None of the others is told apart from the first by 70 playouts of each; --playouts tells more."
    )
    alike = said(Move("one"), Move("two", playouts=90), alike=True)[-1]
    assert alike == "All moves went alike in all 90 playouts of each: more may not tell them apart."
    told = said(Move("one"), Move("two", behind=0.2, told=True))
    assert told[-1].endswith("two (20 ±2 % behind)")


def test_a_split_leaves_no_decision_better_than_the_best() -> None:
    found = split(-6.0, [Judged("one", 0.5, 0.1, 0.5), Judged("two", 1.0, 1.0, 0.0)], errors=(0.6, 0.7))
    [facts, _] = split_sections(found, "the day", "gain")
    assert isinstance(facts, Facts)
    values = {each.key: each.value for each in facts.facts}
    assert values["own"] == Estimate(pytest.approx(-0.4), pytest.approx(-1.0), 0.0, 2)  # type: ignore[arg-type]
    assert values["other"] == Estimate(0.5, 0.0, pytest.approx(1.2), 2)  # type: ignore[arg-type]
    luck = values["luck"]
    assert isinstance(luck, Estimate)
    assert luck.low is not None
    assert luck.high is not None
    assert luck.high - luck.low == pytest.approx(2.6)
    assert (values["result"], values["start"]) == (-6.0, 0.5)
    exact = split_sections(msgspec.structs.replace(found, errors=None), "the day", "gain")[0]
    assert isinstance(exact, Facts)
    assert [each.value for each in exact.facts] == [-6.0, 0.5, found.luck, found.own, found.other]
    certain = split(0.0, [Judged("one", 2.0, 0.0, 3.0)], errors=(0.5, 0.5))
    own, other = (split_sections(certain, "x", "signed")[0].facts[place].value for place in (3, 4))  # type: ignore[union-attr]
    assert (own, other) == (Estimate(-2.0, -2.5, -1.5, 1), Estimate(3.0, 2.5, 3.5, 1))
