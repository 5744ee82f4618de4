"""What hints by playouts and reviews say, of any game."""

from __future__ import annotations

from typing import NamedTuple

import msgspec
import pytest

from analysis.estimates import Estimate, quantile
from analysis.front.hints import hint_lines, review_lines, split_sections
from analysis.front.page import Facts
from analysis.reviewed import Decision, Judged, split


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


def test_moves_stand_with_their_chances_and_with_what_is_surely_lost() -> None:
    lines = said(
        Move("attack", 0.62, 0.012),
        Move("pass", 0.5, 0.05, 0.12, 0.02, told=True, playouts=100),
        Move("wait", 0.6, 0.05, 0.03, 0.02, told=True, playouts=80),
        Move("sell", playouts=0, told=True),
        Move("doubt", 0.4, 2.0, told=False, playouts=300),
    )
    assert lines == [
        "chances to win, by playouts of players by rules:",
        "   62 ±2 %  attack",
        "   50 ±10 %  pass (12 ±4 % behind)",
        "   60 ±10 %  wait (left after 80 playouts)",
        "    ?       sell (left after 0 playouts)",
        "   40 ±100 %  doubt",
        "1 of the others are not told apart from the first by 300 playouts of each; --playouts tells more.",
    ]


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


@pytest.mark.parametrize("dear", [True, False])
def test_reviews_name_what_surely_cost_something(dear: bool) -> None:
    decision = Decision("turn 3", "pass", "attack", 0.2, 0.01, dear, False, 400, 0.3)
    lines = review_lines([decision], 0.0)
    assert lines.pop() == (
        "From 50 % to win at your first decision to 0 % in the end: your decisions -20 ±2 %, luck and the"
        " others' -30 %."
    )
    if dear:
        assert lines[0] == "What your decisions cost, in chance to win:"
        assert lines[1] == "  20 ±2 %  turn 3: pass; better: attack"
    else:
        assert len(lines) == 1
        assert "could not be told apart" in lines[0]


def test_hundredths_are_shares_of_a_hundred() -> None:
    def line(**more: float | bool | int) -> str:
        return said(Move("first"), Move("it", **more))[2]  # type: ignore[arg-type]

    assert line(win=1.0, error=0.4).startswith("  100 ±78 %  it")
    assert line(win=0.7, error=0.6).startswith("   70 ±100 %  it")
    assert line(win=0.0, error=0.0).startswith("    0 ±0 %  it")
    assert line(told=True, behind=0.9, behind_error=0.4).endswith("(90 ±78 % behind)")
    # As far behind as its interval is wide, it is not surely so.
    assert line(told=True, behind=quantile() * 0.25, behind_error=0.25).endswith("(left after 400 playouts)")
    assert line(told=True, behind=quantile() * 0.25 + 1e-9, behind_error=0.25).endswith("% behind)")
    assert line(told=False, behind=0.9).endswith("it")


def test_a_single_move_is_told_apart_from_nothing() -> None:
    assert len(said(Move("alone"), alike=True)) == 2
    assert len(said(Move("one"), Move("two", told=True, behind=0.5), alike=False)) == 3
    assert len(said(Move("one"), Move("two", playouts=0))) == 3


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
