"""What is said of decisions of Ragers and Raverun: nothing is called free, or dear, without being known."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner

from analysis.ragers.play.judging import Judgement, judgement_text
from analysis.ragers.played_game import behind_best
from analysis.raverun.narration import Names, cost_lines
from analysis.raverun.played_game import Decision
from cli.programs import program_of
from engine.raverun.reference import CHANCE, State, chance_outcomes, decider, legal_moves, start, step
from engine.raverun.rules import load_rules

ragers = program_of("ragers")


def judged(cost_gp: float, exact_to_gp: float, best: str = "slasher") -> Judgement:
    return Judgement("accusers", 1, "placed", "basher", cost_gp, best, 0.4, None, exact_to_gp)


@pytest.mark.parametrize(
    ("judgement", "said"),
    [
        (judged(0.3, 0.1), "0.300 GP lost against Slasher"),
        (judged(0.05, 0.1), "0.050 GP behind Slasher, which is not certain (what judges is exact to 0.1"),
        (judged(0.0, 0.1, "basher"), "the best as far as is known (what judges is exact to 0.1"),
        (judged(0.0001, 0.0), "0.000 GP lost"),
    ],
)
def test_costs_within_what_judges_may_be_off_by_are_no_costs(judgement: Judgement, said: str) -> None:
    text = judgement_text(judgement, "you")
    assert said in text
    assert "nothing lost" not in text


def a_choice() -> State:
    state = start(load_rules(), 2)
    while decider(state) == CHANCE:
        state = step(state, chance_outcomes(state)[0][0])
    assert len(legal_moves(state)) > 1
    return state


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("cost", [0.0, 0.2])
def test_guessed_costs_are_told_from_proved_ones(exact: bool, cost: float) -> None:
    decision = Decision(a_choice(), 1, 0, cost, "by the learned values", exact)
    text = " ".join(" ".join(cost_lines([decision, decision], Names(2, 0))).split())
    assert ("What your decisions cost" in text) == (cost > 0)
    assert ("Of your 2 decisions that could be judged none cost" in text) == (cost == 0)
    assert ("estimates, no proofs" in text) == (not exact)
    assert "cost nothing" not in text


def test_hints_of_playouts_say_what_is_told_apart() -> None:
    words = ["play", "--patron", "Arianna", "--set", "cards.basher.gp=20", "--no-discard", "--seed", "1"]
    output = CliRunner().invoke(ragers, [*words, "--playouts", "3"], input="hint\nquit\n").output
    assert "not told apart from the best by 3 playouts" in output
    best = [4, 5] * 50
    assert behind_best(best, best) == ""
    assert "not told apart from the best by 100 playouts" in behind_best(best, [5, 4] * 50)
    assert re.fullmatch(r" +1\.50 ±0\.\d\d behind", behind_best(best, [2, 4] * 50))
