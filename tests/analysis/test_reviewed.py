"""What is said of a game's decisions: nothing is called free that is not known to be."""

from __future__ import annotations

import pytest

from analysis.reviewed import Decision, review

DEAR = Decision("turn 2", "pass", "attack", 0.2, 0.03, True, False, 200)
UNSURE = Decision("turn 3", "pass", "attack", 0.02, 0.03, False, False, 150)
CHEAP = Decision("turn 4", "pass", "attack", 0.0, 0.003, False, True, 200)


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
