"""What a match is worth after a day, read from where play leads: positions, curves, when it is asked."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from analysis.progress import Silent
from analysis.ragers.answers.solving import Effort
from analysis.ragers.last_day import reading
from analysis.ragers.last_day.reading import PositionReader, left_of, read_worth_after
from analysis.ragers.last_day.solving import LastDayQuestion, with_read_worth
from analysis.ragers.last_day.standings import parse_standing
from analysis.ragers.last_day.worth import Worth, costs_of
from analysis.ragers.match import networks
from analysis.ragers.match.figures import with_lead
from engine.ragers import layout
from engine.ragers.codec import decode
from engine.ragers.rules import TYPES, load_rules

BOX = load_rules()
CURVE = Worth(3, 0.3, (0.0,) * len(TYPES), "nobody")


def asked(text: str) -> LastDayQuestion:
    effort = Effort(iterations=1, threads=1)
    standing = parse_standing(text, BOX)
    return LastDayQuestion(BOX, "solennos", ("two-slashers",), standing, 0, None, effort, worth=CURVE)


def test_prices_become_costs_of_half_points_and_never_less_than_nothing() -> None:
    assert costs_of((0.2, 0.3, 1.24, 1.26, -0.9)) == (0, 1, 2, 3, 0)


@pytest.mark.kernels
def test_positions_begin_the_day_asked_about() -> None:
    trained = networks.carried(BOX)
    assert trained is not None
    question = asked("day 2, score 3:7, cheers 1:0, left B2S2P2C1H1T1V2:B2S2P3C1D1T1V1, hidden 1:0")
    states = PositionReader(question, trained).day_states(5, Random(1))
    assert (left_of(states) == np.array(question.standing.left)).all()
    for words in states:
        state = decode(words[: layout.NUM_WORDS])
        assert state.patron is not None
        assert (state.day, BOX.patrons[state.patron].id) == (1, "solennos")
        assert [side.score for side in state.sides] == [3, 7]
        assert [side.cheers_taken for side in state.sides] == [1, 0]
        assert [sum(side.hand) + sum(side.deck) for side in state.sides] == [10, 11]
        assert len(state.patrons_left) == len(BOX.patrons) - 1
    for lead in (-4, 0, 9):
        sides = decode(with_lead(states, lead)[0][: layout.NUM_WORDS]).sides
        assert sides[0].score - sides[1].score == lead


@pytest.mark.kernels
def test_curves_rise_with_the_lead(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, few in (("PLAYED", 60), ("READ_BY_NETWORK", 40), ("READ_BY_SEARCH", 2)):
        monkeypatch.setattr(reading, name, few)
    monkeypatch.setattr(reading, "SEARCH_ITERATIONS", 50)
    trained = networks.carried(BOX)
    assert trained is not None
    worth = read_worth_after(asked("day 2, score 3:2, left B2S2P2C1H1T1V1:B2S2P2C1H1T1V1"), trained, "; x")
    assert (np.diff(worth.values) >= 0.0).all()
    assert worth.values[0] < -0.6
    assert worth.values[-1] > 0.6
    assert len(worth.prices) == len(TYPES)
    assert worth.words.endswith("; x")


def test_the_last_day_and_rules_without_learned_values_are_left_as_they_are() -> None:
    last = replace(asked("day 3, score 3:2, left B2S2P2:B2S2P2"), worth=None)
    assert with_read_worth(last, Silent()) is last
    rules = load_rules(overrides=("match.winning_lead=7",))
    other = replace(asked("day 2, score 3:2, left B2S2P2:B2S2P2"), rules=rules)
    assert with_read_worth(other, Silent()) is other
