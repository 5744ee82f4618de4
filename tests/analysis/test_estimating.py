"""What a solve takes, told before it begins: sampled sizes, pace, and grades after how long."""

from __future__ import annotations

import pytest

from analysis.convergence import nash_conv_now
from analysis.progress import Silent
from analysis.ragers.answers import asking, pace, solving, trust
from analysis.ragers.answers.solving import Effort
from analysis.ragers.scenarios import scenarios
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


@pytest.mark.parametrize(("changes", "patron", "preparation", "nodes"), COUNTED)
def test_sampled_sizes_are_near_the_counted_ones(
    changes: list[str], patron: str, preparation: str, nodes: int
) -> None:
    (day,) = scenarios(load_rules([], changes), [patron], ["two-bashers"], preparation)
    found = solving.estimate(day, Effort(method="exact", threads=1))
    assert found.num_nodes == pytest.approx(nodes, rel=0.15)


@pytest.mark.parametrize(
    ("changes", "patron", "limit", "taken"),
    [
        ([], "solennos", 4, 0.84),  # GiB: peak of a solve of one thread
        (["match.hand_size=4"], "solennos", 4, 0.54),
        ([], "arianna", 64, 13.3),
        ([], "the-nameless", 16, 15.8),
    ],
)
def test_memory_is_within_a_third_of_what_solves_took(
    changes: list[str], patron: str, limit: int, taken: float
) -> None:
    (day,) = scenarios(load_rules([], changes), [patron], ["two-bashers"], "redraw")
    effort = Effort(threads=1, memory_bytes=limit * GIB, time_limit_s=1e6)
    assert solving.estimate(day, effort).memory_bytes / GIB == pytest.approx(taken, rel=0.3)


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
        ([(20, 1.0)], 20, None),
        ([(20, 1.0)], 40, 0.5),
        ([(10, 4.0), (20, 1.0)], 40, 0.25),  # it fell by the square
        ([(10, 1.01), (20, 1.0)], 80, 0.5),
        ([(20, 0.0)], 40, None),  # nothing is left to fall
        ([(9, 1.0)], 40, None),
        ([(10, 1.0)], 40, 0.25),
        ([(20, 1.0)], 21, 20 / 21),
        ([(20, 1.0)], 19, None),
        ([(20, 0.125)], 40, 0.0625),
        # It fell by the power 3 / 2, by more than the square, hardly, not at all, or before it told anything.
        ([(10, 2 * 2**0.5), (20, 1.0)], 80, 0.125),
        ([(10, 100.0), (20, 1.0)], 40, 0.25),
        ([(10, 1.0), (20, 1.0)], 40, 0.5),
        ([(10, 0.5), (20, 1.0)], 40, 0.5),
        ([(9, 4.0), (20, 1.0)], 40, 0.5),
        ([(10, 1e9), (20, 2.0), (80, 1.0)], 320, 0.5),
        ([(20, 4.0), (40, 1.0)], 120, 1 / 9),
    ],
)
def test_nash_conv_between_two_checks(
    checks: list[tuple[int, float]], iteration: int, now: float | None
) -> None:
    assert nash_conv_now(checks, iteration) == (None if now is None else pytest.approx(now))


class Heard(Silent):
    """Keeps what it is told."""

    quiet = False

    def __init__(self) -> None:
        self.notes: list[str] = []

    def note(self, text: str) -> None:
        self.notes.append(text)


def test_what_solves_take_is_said_once_and_not_of_what_is_stored() -> None:
    days = scenarios(load_rules(), ["solennos"], ["two-bashers", "two-slashers"], "redraw")
    other = scenarios(load_rules([], ["match.hand_size=4"]), ["solennos"], ["two-bashers"], "redraw")
    heard, told = Heard(), set()
    effort = Effort(threads=1, iterations=10)
    stored, asked = (asking.Question(0, None, effort, fresh=fresh) for fresh in (False, True))
    asking.foretell(days, stored, heard, told)
    assert (heard.notes, told) == ([], set())
    asking.foretell([*days, *other], stored, heard, told)
    assert (len(heard.notes), told) == (1, set(other))
    asking.foretell([*days, *other], asked, heard, told)
    assert len(heard.notes) == 1, "once in a run"
    asking.foretell(days, asked, heard)
    assert len(heard.notes) == 2
