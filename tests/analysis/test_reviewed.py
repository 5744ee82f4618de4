"""What is said of a game's decisions: nothing is called free that is not known to be."""

from __future__ import annotations

import re
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from analysis.estimates import Estimate
from analysis.front.hints import split_sections, split_words
from analysis.reviewed import (
    LEAST_COST,
    MOST_COSTS,
    Decision,
    Judged,
    Node,
    decided,
    judged_to_the_end,
    review,
    shares,
    split,
)

DEAR = Decision("turn 2", "pass", "attack", 0.2, 0.03, True, False, 200, 0.4)
UNSURE = Decision("turn 3", "pass", "attack", 0.02, 0.03, False, False, 150, 0.4)
CHEAP = Decision("turn 4", "pass", "attack", 0.0, 0.003, False, True, 200, 0.4)


def test_decisions_are_named_with_their_intervals_the_dearest_first() -> None:
    dearer = DEAR._replace(cost=0.4, made="buy")
    said = review([DEAR, dearer, CHEAP], "--playouts")
    assert said.named == [dearer, DEAR]
    assert str(DEAR) == "20 ±6 %  turn 2: pass; better: attack"
    assert said.sentences == ["1 of your 3 decisions surely cost less than 2 %."]


def test_what_is_not_told_apart_is_said_to_be_so() -> None:
    said = review([UNSURE, UNSURE._replace(pairs=90)], "--playouts")
    assert not said.named
    [sentence] = said.sentences
    assert "2 of your 2 decisions could not be told apart" in sentence
    assert "up to 150 pairs" in sentence
    assert "--playouts" in sentence


@pytest.mark.parametrize("decisions", [[], [UNSURE], [DEAR, UNSURE]])
def test_nobody_is_told_that_all_decisions_were_cheap_who_is_not_known_to_have_made_such(
    decisions: list[Decision],
) -> None:
    assert "surely cost less" not in " ".join(review(decisions, "--playouts").sentences)


def test_more_dear_decisions_than_are_named_are_counted() -> None:
    said = review([DEAR] * 7, "--playouts")
    assert len(said.named) == 5
    assert said.sentences == ["2 more of your decisions cost something, too."]


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


def test_a_split_is_told_with_what_its_parts_may_be_off_by() -> None:
    found = split(-6.0, [Judged("one", 0.5, 0.1, 1.5)], start=0.0, errors=(0.6, 0.2))
    assert split_words(found, "signed") == "Luck -7.100, your decisions -0.400, the others' +1.500."
    [facts, table] = split_sections(found, "the day", "signed")
    values = {each.key: each.value for each in facts.facts}  # type: ignore[union-attr]
    own, other, luck = (values[key] for key in ("own", "other", "luck"))
    assert isinstance(own, Estimate)
    assert isinstance(other, Estimate)
    assert isinstance(luck, Estimate)
    assert (own.low, own.high) == (-1.0, 0.0)
    assert (other.low, other.high) == (1.3, 1.7)
    assert (luck.low, luck.high) == pytest.approx((-7.9, -6.3))
    assert table.rows == [["one", 0.5, pytest.approx(-0.4), 1.5, pytest.approx(-7.6)]]  # type: ignore[union-attr]


def test_what_decisions_and_the_rest_made_of_a_result_adds_up() -> None:
    better = CHEAP._replace(cost=-0.1, worth=0.9)
    said = shares([DEAR, UNSURE, better], 1.0)
    start, end, own, error, rest = (int(each) for each in re.findall(r"[-+]?\d+", said))
    assert start == round(100 * (DEAR.worth + DEAR.cost))
    assert end == 100
    assert own == round(100 * (0.1 - DEAR.cost - UNSURE.cost))
    assert start + own + rest == end
    assert error == round(196 * (2 * 0.03**2 + 0.003**2) ** 0.5)


def test_what_was_made_of_a_result_in_full() -> None:
    dear = Decision("turn 1", "pass", "attack", 0.3, 0.4, True, False, 200, 0.6)
    other = Decision("turn 2", "pass", "attack", 0.5, 0.3, False, False, 200, 0.1)
    assert shares([dear, other], 1.0) == (
        "From 90 % to win at your first decision to 100 % in the end: your decisions -80 ±98 %, luck and the"
        " others' +90 %."
    )
    sure = Decision("turn 1", "pass", "attack", 0.9, 0.0, True, False, 200, 0.1)
    assert shares([sure], 0.0) == (
        "From 100 % to win at your first decision to 0 % in the end: your decisions -90 ±1 %, luck and the"
        " others' -10 %."
    )
    assert str(dear) == "30 ±78 %  turn 1: pass; better: attack"
    assert str(sure) == "90 ±1 %  turn 1: pass; better: attack"
    assert str(dear._replace(cost=1.0, error=0.004)) == "100 ±1 %  turn 1: pass; better: attack"


def test_decisions_of_each_sort_are_counted() -> None:
    # One that cost something is not counted as cheap, too, though it cost less than counts.
    both = DEAR._replace(cheap=True)
    assert review([both, CHEAP, CHEAP], "-n").sentences == [
        "2 of your 3 decisions surely cost less than 2 %."
    ]
    assert review([both], "-n").sentences == []
    assert review([CHEAP, CHEAP], "-n").sentences == ["All your 2 decisions surely cost less than 2 %."]
    assert review([DEAR] * 5, "-n").sentences == []
    six = review([DEAR] * 6, "-n")
    assert (len(six.named), six.sentences) == (
        5,
        ["1 more of your decisions cost something, too."],
    )
    assert review([CHEAP], "-n").heading == ""
    assert review([DEAR], "-n").heading == "What your decisions cost, in chance to win:"
    assert review([], "-n").sentences == [
        "None of your decisions was judged: you never had a choice that playouts can try."
    ]
    three = review([UNSURE, UNSURE._replace(pairs=900), DEAR], "-n").sentences[0]
    assert three.startswith(
        "2 of your 3 decisions could not be told apart from the best other move by up to 900"
    )


def test_a_decision_is_judged_in_chance_to_win() -> None:
    """Playouts of a game that pays -1 and 1: half of what they say is a chance."""
    asked: list[float] = []

    def cheap(least: float) -> bool:
        asked.append(least)
        return True

    found: Any = SimpleNamespace(cost=0.4, error=0.1, dear=False, cheap=cheap, pairs=64, worth=0.5)
    made = decided("turn 1", "pass", "attack", found, 2.0, -1.0)
    assert made == Decision("turn 1", "pass", "attack", 0.2, 0.05, False, True, 64, 0.75)
    assert asked == [0.04]
    assert (LEAST_COST, MOST_COSTS) == (0.02, 5)
