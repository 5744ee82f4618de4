"""How far to trust an answer: the scale, and how long it takes to a fair one; days that are told once."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from analysis.ragers.answers import trust
from analysis.ragers.answers.answer import Answer
from analysis.ragers.wording.names import told_once


def answer(nash_conv_gp: float, **more: Any) -> Answer:
    """Return an answer that matters in these numbers only."""
    numbers: dict[str, Any] = {"mean_gp": (4.5, 4.5), "seconds": 60.0} | more
    return Answer(
        day_sha256="",
        preparation="redraw",
        method="exact",
        certificate="",
        certified=True,
        value_gp=0.0,
        nash_conv_gp=nash_conv_gp,
        best_response_gp=(nash_conv_gp, 0.0),
        opening_mix=[[1.0] + [0.0] * 8] * 2,
        usage=[],
        outcome=(0.5, 0.0, 0.5, 0.0),
        iterations=1,
        peak_memory_mb=1.0,
        seed=0,
        version="",
        **numbers,
    )


def test_only_what_is_not_fair_says_when_it_is() -> None:
    assert trust.trust_in(answer(0.45)).fair_after_s is None
    assert trust.trust_in(answer(0.46)).fair_after_s is not None
    left = trust.trust_in(answer(7.4, mean_gp=(math.nan, math.nan)))
    assert (left.grade, left.share, left.fair_after_s) == ("no answer yet", None, None)


@pytest.mark.parametrize(("power", "believed"), [(0.5, 0.5), (0.8, 0.8), (0.1, 0.5), (2.0, 2.0), (3.0, 2.0)])
def test_with_a_history_it_falls_as_it_fell(power: float, believed: float) -> None:
    history = [(10.0 * k, 9.0 * k**-power) for k in range(1, 7)]
    assert trust.fall_rate(history) == pytest.approx(believed)
    found = trust.trust_in(msgspec.structs.replace(answer(4.5), iterations=20, history=history))
    assert found.fair_after_by == "history"
    assert found.fair_after_s == pytest.approx(1.25 * 60 * 10 ** (1 / believed))


def test_days_with_the_attacks_renamed_are_told_once_and_where() -> None:
    given: list[Any] = [
        SimpleNamespace(patron=patron, cheers=cheers, relabelled_from=like, day=msgspec.UNSET)
        for patron, cheers, like in (("x", "a", None), ("x", "b", "a"), ("x", "c", None), ("y", "a", None))
    ]
    kept, [line] = told_once(given)
    assert [(each.patron, each.cheers) for each in kept] == [("x", "a"), ("x", "c"), ("y", "a")]
    assert line == "b: as a, with the attacks renamed (x)."
    assert told_once(given[:3])[1] == ["b: as a, with the attacks renamed."]
