"""What is said of a game's decisions: nothing is called free that is not known to be."""

from __future__ import annotations

import re
from random import Random

import msgspec
import pytest

from analysis.estimates import Estimate
from analysis.front.hints import split_sections
from analysis.front.page import Facts
from analysis.reviewed import (
    Decision,
    Judged,
    Node,
    judged_to_the_end,
    review,
    shares,
    split,
)

DEAR = Decision("turn 2", "pass", "attack", 0.2, 0.03, True, False, 200, 0.4)
UNSURE = Decision("turn 3", "pass", "attack", 0.02, 0.03, False, False, 150, 0.4)
CHEAP = Decision("turn 4", "pass", "attack", 0.0, 0.003, False, True, 200, 0.4)


@pytest.mark.parametrize("decisions", [[], [UNSURE], [DEAR, UNSURE]])
def test_nobody_is_told_that_all_decisions_were_cheap_who_is_not_known_to_have_made_such(
    decisions: list[Decision],
) -> None:
    assert "surely cost less" not in " ".join(review(decisions, "--playouts").sentences)


def nodes_by_chance(chance: Random) -> list[Node]:
    """Decisions of two players, at once or one alone, of which some are not judged."""
    found: list[Node] = []
    for number in range(chance.randint(1, 9)):
        worths: dict[int, tuple[float, float] | None] = {}
        for player in chance.choice([(0,), (1,), (0, 1)]):
            best = chance.uniform(-5, 5)
            worths[player] = None if chance.random() < 0.1 else (best, best - chance.choice([0, 0.5, 2]))
        found.append((f"turn {number}", worths))
    return found


def test_the_parts_of_a_result_add_up_to_it_whatever_is_judged() -> None:
    told = 0
    for seed in range(300):
        chance = Random(seed)
        nodes, person, result = nodes_by_chance(chance), chance.randrange(2), chance.uniform(-5, 5)
        known = judged_to_the_end(nodes, person)
        if not known:
            continue
        told += 1
        found = split(result, known, chance.choice([None, chance.uniform(-5, 5)]))
        assert found.start + found.luck + found.own + found.other == pytest.approx(result, abs=1e-9)
        assert found.own <= 0 <= found.other
        # From each decision to the next, too.
        ends = [*(each.value for each in found.parts[1:]), result]
        for part, end in zip(found.parts, ends, strict=True):
            assert part.value + part.own + part.other + part.luck == pytest.approx(end, abs=1e-9)
        # All decisions from there on are judged, and all costs are counted once.
        first = [when for when, _ in nodes].index(known[0].when)
        last = [worths for _, worths in nodes[first:]]
        assert not any(None in worths.values() for worths in last)
        cost = [w[0] - w[1] for worths in last for player, w in worths.items() if w and player == person]
        assert -found.own == pytest.approx(sum(cost))
        given = [w[0] - w[1] for worths in last for player, w in worths.items() if w and player != person]
        assert found.other == pytest.approx(sum(given))
    assert told > 150


def test_a_split_begins_after_the_last_decision_that_nothing_tells_about() -> None:
    nodes: list[Node] = [
        ("one", {0: (1.0, 0.5)}),
        ("two", {0: (2.0, 2.0), 1: None}),
        ("three", {1: (1.0, 0.0)}),
        ("four", {0: (3.0, 1.0), 1: (0.0, -1.0)}),
        ("five", {1: (0.0, -0.5)}),
    ]
    assert judged_to_the_end(nodes, 0) == [Judged("four", 3.0, 1.0, 1.5)]
    assert [each.when for each in judged_to_the_end(nodes, 1)] == ["three", "four", "five"]
    assert judged_to_the_end(nodes[:2], 0) == []


def test_what_decisions_and_the_rest_made_of_a_result_adds_up() -> None:
    better = CHEAP._replace(cost=-0.1, worth=0.9)
    said = shares([DEAR, UNSURE, better], 1.0)
    start, end, own, error, rest = (int(each) for each in re.findall(r"[-+]?\d+", said))
    assert start == round(100 * (DEAR.worth + DEAR.cost))
    assert end == 100
    assert own == round(100 * (0.1 - DEAR.cost - UNSURE.cost))
    assert start + own + rest == end
    assert error == round(196 * (2 * 0.03**2 + 0.003**2) ** 0.5)


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
