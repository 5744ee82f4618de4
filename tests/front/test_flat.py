"""What a struct says as cells of a row."""

from __future__ import annotations

import math

import msgspec

from analysis.estimates import Estimate
from analysis.front.page import flat


class Inner(msgspec.Struct):
    deep: float
    words: list[str]


class Outer(msgspec.Struct):
    name: str
    sure: bool
    unknown: float
    ends: tuple[float, float]
    inner: Inner
    by_card: dict[str, float | None]
    share: Estimate
    parts: list[Inner]
    left: int | msgspec.UnsetType = msgspec.UNSET


def test_every_number_and_word_has_a_key_and_lists_of_parts_are_left_out() -> None:
    inner = Inner(0.5, ["a", "b"])
    share = Estimate(0.5, 0.25, 0.75, 4)
    part = Outer("x", True, math.nan, (1.0, 2.0), inner, {"basher": 3.0, "slasher": None}, share, [inner])
    assert flat(part) == {
        "name": "x",
        "sure": "true",
        "unknown": None,
        "ends_1": 1.0,
        "ends_2": 2.0,
        "inner_deep": 0.5,
        "inner_words": "a b",
        "by_card_basher": 3.0,
        "by_card_slasher": None,
        "share": share,
    }
    assert flat(part, "inner", "ends", "by_card", under="of_") == {
        "of_name": "x",
        "of_sure": "true",
        "of_unknown": None,
        "of_share": share,
    }
