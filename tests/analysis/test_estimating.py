"""What a solve takes, told before it begins: sampled sizes, pace, and grades after how long."""

from __future__ import annotations

import itertools

import pytest

from analysis.convergence import nash_conv_now
from analysis.ragers.answers import pace, solving, trust
from analysis.ragers.answers.merged_sizes import _num_hands, merged_size
from analysis.ragers.answers.solving import Effort
from analysis.ragers.scenarios import Scenario, scenarios
from engine.ragers.rules import load_rules

GIB = 2**30
#: Days whose trees were counted in full: rules, patron, preparation, decisions and final steps.
COUNTED = [
    (["match.row_length=3", "match.hand_size=3"], "solennos", "redraw", 29 + 835),
    ([], "solennos", "redraw", 42_719 + 1_091_872),
    (["match.row_length=4"], "solennos", "seen", 86_673 + 2_287_081),
    (["match.hand_size=3", "patrons.arianna.row_length=3"], "arianna", "redraw", 15_367 + 368_878),
    ([], "arianna", "redraw", 1_447_392 + 29_172_254),
]


@pytest.mark.kernels
def test_sampled_sizes_are_near_the_counted_ones() -> None:
    for changes, patron, preparation, nodes in COUNTED:
        (day,) = scenarios(load_rules([], changes), [patron], ["two-bashers"], preparation)
        found = solving.estimate(day, Effort(method="exact", threads=1))
        assert found.num_nodes == pytest.approx(nodes, rel=0.15)


@pytest.mark.parametrize("method", ["exact", "merged"])
@pytest.mark.parametrize("row_length", [3, 5])
def test_iterations_and_shares_are_one_curve(method: str, row_length: int) -> None:
    falls = pace.fall(method, row_length, every_type=True)
    for share in (0.5, 0.1, 0.05, 0.02, 0.005):
        assert pace.share_after(pace.iterations_to(share, falls), falls) == pytest.approx(share)
    assert trust.grade_at(pace.share_after(1, falls)) == "no answer yet"
    assert trust.grade_at(pace.share_after(5000, falls)) == "exact"


@pytest.mark.parametrize(
    ("checks", "iteration", "now"),
    [
        ([], 20, None),
        ([(1, 10.0)], 20, None),  # too early to tell
        ([(10, 4.0), (20, 1.0)], 40, 0.25),  # it fell by the square
        ([(20, 0.0)], 40, None),  # nothing is left to fall
        # It fell by the power 3 / 2, by more than the square, hardly, not at all, or before it told anything.
        ([(10, 2 * 2**0.5), (20, 1.0)], 80, 0.125),
        ([(10, 100.0), (20, 1.0)], 40, 0.25),
        ([(10, 0.5), (20, 1.0)], 40, 0.5),
        ([(10, 1e9), (20, 2.0), (80, 1.0)], 320, 0.5),
    ],
)
def test_nash_conv_between_two_checks(
    checks: list[tuple[int, float]], iteration: int, now: float | None
) -> None:
    assert nash_conv_now(checks, iteration) == (None if now is None else pytest.approx(now))


def day(patron: str = "arianna", *changes: str) -> Scenario:
    return scenarios(load_rules([], changes), [patron], ["two-bashers"], "redraw")[0]


def test_days_without_a_type_are_as_large_as_those_whose_patron_forbids_it() -> None:
    for patron, card in (("gharan-zul", "deadeye"), ("greybeard", "cheater")):
        for quotient in (False, True):
            forbidden = merged_size(day(patron).day, quotient=quotient)
            without = merged_size(day("the-nameless", f"cards.{card}.copies=0").day, quotient=quotient)
            assert forbidden is not None
            assert without is not None
            assert (forbidden.tree.nodes, forbidden.records) == (without.tree.nodes, without.records)
    # One side has them: they are in play.
    one = merged_size(day("the-nameless", "cards.cheater.copies.defenders=0").day, quotient=False)
    assert one is not None
    assert one.tree.nodes == 2_000_000


@pytest.mark.parametrize("copies", [(1,), (2, 1), (3, 0, 2), (1, 1, 1, 1), (4, 4, 4, 2, 2, 2, 2, 2)])
def test_hands_are_counted_as_by_listing_them(copies: tuple[int, ...]) -> None:
    deck = [card for card, number in enumerate(copies) for _ in range(number)]
    for size in range(min(len(deck), 4) + 1):
        assert _num_hands(copies, size) == len(set(itertools.combinations(deck, size)))
    assert _num_hands(copies, len(deck) + 1) == 1, "at least one, so that sizes can be divided by it"
