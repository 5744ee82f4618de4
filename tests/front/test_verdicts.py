"""What is named best, or called certain, is so in 95 % of answers; simulated, the truth being known."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from analysis.estimates import Estimate, estimate
from analysis.front.chance import apart, compared, holm
from analysis.front.difference import Difference
from analysis.front.verdicts import Best, Figure, best, change_said, cut, doubt_said

ANSWERS = 200
Chance = np.random.Generator

LUCKS: dict[str, Callable[[Chance, tuple[int, int]], Any]] = {
    "payoffs": lambda chance, size: chance.normal(size=size) + chance.normal(size=(1, size[1])),
    "wins": lambda chance, size: (chance.random(size) < 0.5).astype(float),
    "rare": lambda chance, size: (chance.random(size) < 0.03).astype(float),
    "skewed": lambda chance, size: chance.exponential(size=size),
}


@pytest.mark.parametrize("luck", LUCKS)
@pytest.mark.parametrize(("deals", "number"), [(5, 5), (20, 2), (20, 20), (200, 5)])
def test_the_best_is_named_wrongly_in_five_per_cent_of_answers_at_most(
    luck: str, deals: int, number: int
) -> None:
    chance = np.random.default_rng(deals * number)
    # All equal, so that whatever is named is wrong; and a step each, where only the last one is right.
    for step in (0.0, 0.1):
        wrong = left_out = 0
        for _ in range(ANSWERS):
            seen = LUCKS[luck](chance, (number, deals)) + step * np.arange(number)[:, None]
            found = best([Figure(f"{place}", float(own.mean()), list(own)) for place, own in enumerate(seen)])
            wrong += found.kind == "one" and (step == 0.0 or found.names != (f"{number - 1}",))
            left_out += f"{number - 1}" not in found.names
        assert wrong <= 0.05 * ANSWERS + 5
        assert left_out <= 0.05 * ANSWERS + 5


@pytest.mark.parametrize("number", [2, 12])
def test_without_common_deals_it_is_not_named_wrongly_either(number: int) -> None:
    chance = np.random.default_rng(number)
    wrong = 0
    for _ in range(ANSWERS):
        found = best([Figure(f"{place}", estimate(chance.normal(size=20))) for place in range(number)])
        wrong += found.kind == "one"
    assert wrong <= 0.05 * ANSWERS


def test_what_is_clearly_best_is_named() -> None:
    chance = np.random.default_rng(0)
    seen = chance.normal(size=(5, 200)) + np.array([[0.0], [0.0], [1.5], [0.0], [0.7]])
    figures = [Figure(name, float(own.mean()), list(own)) for name, own in zip("abcde", seen, strict=True)]
    assert best(figures).said("is worth most") == "c is worth most."
    assert set(best(figures, least=True).names) == {"a", "b", "d"}


@pytest.mark.parametrize("luck", ["payoffs", "rare"])
@pytest.mark.parametrize(("deals", "figures"), [(3, 12), (20, 1), (20, 12), (200, 3)])
def test_a_change_is_called_certain_wrongly_in_five_per_cent_of_answers_at_most(
    luck: str, deals: int, figures: int
) -> None:
    chance = np.random.default_rng(deals + figures)
    wrong = 0
    for _ in range(ANSWERS):
        pairs = [LUCKS[luck](chance, (2, deals)) for _ in range(figures)]
        chances = [compared(None, None, (list(one), list(other)))[1] for one, other in pairs]
        wrong += any(holm(chances))
    assert wrong <= 0.05 * ANSWERS + 5


def test_nor_where_only_intervals_are_known() -> None:
    chance = np.random.default_rng(3)
    wrong = 0
    for _ in range(ANSWERS):
        samples = [estimate(chance.normal(size=15)) for _ in range(8)]
        pairs = zip(samples[::2], samples[1::2], strict=True)
        wrong += any(holm([compared(one, other)[1] for one, other in pairs]))
    assert wrong <= 0.05 * ANSWERS


@pytest.mark.parametrize("deals", [20, 200])
def test_figures_of_different_deals_are_compared_by_what_each_deal_adds(deals: int) -> None:
    """Each is seen in a part of the deals only; the interval of the difference covers the true one."""
    chance = np.random.default_rng(deals)
    outside = wrong = 0
    for _ in range(ANSWERS):
        seen = chance.normal(size=(4, deals)) + chance.normal(size=(1, deals))
        seen[chance.random((4, deals)) < 0.4] = np.nan
        found, known = apart(list(seen[0]), list(seen[1]))
        assert found.low is not None
        assert found.high is not None
        outside += found.low > 0 or found.high < 0
        wrong += any(holm([known])) or best([Figure("a", 0.0, list(own)) for own in seen]).kind == "one"
    assert outside <= 0.05 * ANSWERS + 7
    assert wrong <= 0.05 * ANSWERS + 5
    same = chance.normal(size=(2, deals))
    assert apart(list(same[0]), list(same[1]))[0].low == pytest.approx(estimate(same[0] - same[1]).low)


@pytest.mark.parametrize("deals", range(20, 420, 20))
def test_of_two_who_win_each_deal_by_the_toss_of_a_coin_none_is_named_in_more_than_five_per_cent(
    deals: int,
) -> None:
    """Exact: summed over all numbers of wins that name somebody."""

    def named(wins: int) -> bool:
        won = [1.0] * wins + [0.0] * (deals - wins)
        lost = [1.0 - each for each in won]
        found = best([Figure("a", 0.5, won), Figure("b", 0.5, lost)]).kind == "one"
        assert found == holm([apart(won, lost)[1]])[0]
        return found

    fewest = next(wins for wins in range(deals // 2, deals + 1) if named(wins))
    assert 2 * sum(math.comb(deals, wins) for wins in range(fewest, deals + 1)) <= 0.05 * 2**deals


def test_holm_is_what_its_author_says() -> None:
    # Of four at 5 %: 0.0125, then 0.0167; a third one would have to be at most 0.025.
    assert holm([0.03, 0.012, None, 0.9, 0.016]) == [False, True, None, False, True]
    assert holm([0.013, 0.2, 0.3, 0.4]) == [False] * 4
    assert holm([]) == []


@pytest.mark.parametrize(
    ("figures", "kind", "names"),
    [
        ([1.0, 3.0, 2.0], "one", "b"),
        ([3.0, 3.0 + 1e-12, 2.0], "tied", "ab"),
        ([3.0, None, 2.0], "none", ""),
        ([3.0], "none", ""),
        ([], "none", ""),
        ([Estimate(2.0, 1.5, 2.5, 0), Estimate(1.0, 0.9, 1.4, 0)], "one", "a"),
        ([Estimate(2.0, 1.5, 2.5, 0), Estimate(1.0, 0.9, 1.6, 0), 0.0], "among", "ab"),
        ([Estimate(2.0, 1.5, 2.5, 0), Estimate(1.0, 0.9, 1.6, 0)], "open", "ab"),
        ([Estimate(2.0, None, None, 1), Estimate(1.0, None, None, 1)], "open", "ab"),
    ],
)
def test_brackets_ties_and_no_answers(figures: list[Any], kind: str, names: str) -> None:
    given = [Figure("abc"[place], value) for place, value in enumerate(figures)]
    found = best(given, proved=True)
    assert (found.kind, "".join(sorted(found.names))) == (kind, names)
    assert best(given, proved=True, finished=False) == Best("none")
    assert not best(given, finished=False).said()


def test_what_came_out_equal_is_not_put_in_an_order() -> None:
    def found(*means: float) -> str:
        figures = [
            Figure(f"n{place}", Estimate(each, each - 1, each + 1, 9)) for place, each in enumerate(means)
        ]
        return best(figures).said()

    assert "n1 and n3 measured highest" in found(0.1, 0.3, 0.2, 0.3)
    assert "n1 measured highest" in found(0.1, 0.3, 0.2, 0.2)
    assert "highest" not in found(0.3, 0.3, 0.3, 0.3)


def _changed(head: str, change: Estimate, certain: bool | None) -> Difference:
    return Difference(head, head, "share", 0.5, 0.5 + (change.mean or 0.0), change, certain)


@pytest.mark.parametrize(
    ("changes", "holds", "lacks"),
    [
        (
            [("low", Estimate(0.2, 0.1, 0.3, 9), True), ("wide", Estimate(0.4, -1, 1, 9), False)],
            "low",
            "wide",
        ),
        ([("one", Estimate(-0.2, None, None, 0), None)], "not tested against chance", "no change"),
        ([("one", Estimate(-0.2, -0.5, 0.1, 9), False)], "may be nothing", "certain"),
        (
            [("a", Estimate(0.2, 0.01, 0.4, 9), False), ("b", Estimate(0, -1, 1, 9), False)],
            "by chance",
            "is c",
        ),
        ([("one", Estimate(0.0, 0.0, 0.0, 0), False)], "the same", "largest"),
        ([("one", Estimate(0.0, None, None, 9), None)], "as far as was measured", "largest"),
        ([], "nothing to compare", "largest"),
    ],
)
def test_a_change_is_said_with_its_doubt(changes: list[Any], holds: str, lacks: str) -> None:
    said = change_said([_changed(*each) for each in changes], "the box", "Basher 4 GP")
    assert holds in said
    assert lacks not in said
    assert "the box" in said
    assert "Basher 4 GP" in said
    if changes:
        stopped = change_said([_changed(*each) for each in changes], "a", "b", finished=False)
        assert not {"largest", "certain", "same"} & set(stopped.replace(".", "").split())


def test_exact_figures_differ_or_not() -> None:
    assert compared(0.5, 0.25, proved=True) == (Estimate(-0.25, -0.25, -0.25, 0), 0.0)
    assert compared(0.5, 0.5 + 1e-12, proved=True)[1] == 1.0
    assert compared(0.5, 0.25) == (Estimate(-0.25, None, None, 0), None)
    assert compared(Estimate(0.5, 0.4, 0.6, 0), Estimate(0.7, 0.65, 0.8, 0), proved=True)[1] == 0.0
    assert compared(Estimate(0.5, 0.4, 0.6, 0), Estimate(0.7, 0.55, 0.8, 0), proved=True)[1] == 1.0
    assert compared(None, 0.5)[0].mean is None


def test_an_interval_is_cut_to_what_is_possible() -> None:
    assert cut(Estimate(0.5, -25.4, 26.4, 2), -2, 2) == Estimate(0.5, -2, 2, 2)
    assert doubt_said(Estimate(0.5, None, None, 1), "signed") == "error not known"
    assert doubt_said(Estimate(0.5, 0.25, 1.0, 5), "share") == "25.0 to 100.0"
