"""The second step of a day: what solves hand over is what the course of play says, and is counted again."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from analysis.ragers.answers import library, second_step, solving
from analysis.ragers.answers.answer import Answer, HandStrategy
from analysis.ragers.answers.reached import reached
from analysis.ragers.answers.second_checks import check_second_step
from analysis.ragers.answers.second_step import HIDDEN, NOTHING, SecondStep
from analysis.ragers.answers.solving import Effort
from analysis.ragers.answers.verification import check_entry
from analysis.ragers.scenarios import Scenario
from tests.oracles.games import ASYMMETRIC, LARGE, SYMMETRIC

pytestmark = pytest.mark.kernels

GAMES = {game.name: game for game in (*SYMMETRIC, *ASYMMETRIC, *LARGE)}
NAMES = ["deadeye", "veterans", "uneven-redraw", "four-steps", "redraw-specials", "deadeyes-at-once"]


def scenario_of(name: str) -> Scenario:
    game = GAMES[name]
    rules = game.rules()
    return Scenario(rules, rules.patron(game.patron), rules.cheers_card(game.cheers[0]), game.preparation)


@cache
def solved(name: str, method: str = "exact") -> tuple[Scenario, Answer, HandStrategy]:
    """Solve a tiny day; its second step is None where the step is the last one."""
    scenario = scenario_of(name)
    effort = Effort(iterations=40, threads=1, method=method, second_step=True)
    return scenario, *solving.solve(scenario, effort)


def second_of(name: str, method: str = "exact") -> tuple[Scenario, HandStrategy, SecondStep]:
    scenario, _, strategy = solved(name, method)
    assert strategy.second is not None
    read = SecondStep.from_bytes(strategy.second.to_bytes())
    assert read is not None
    return scenario, strategy, read


@pytest.mark.parametrize("name", [name for name in NAMES if name != "uneven-redraw"])
def test_what_is_stored_is_counted_again(name: str) -> None:
    scenario, strategy, second = second_of(name)
    assert check_second_step(strategy, second, scenario.day) == []
    assert {each.kind for each in second.decisions} >= {"place"}


def test_a_day_whose_second_step_is_its_last_has_none() -> None:
    assert solved("uneven-redraw")[2].second is None


@pytest.mark.parametrize("name", ["deadeye", "veterans", "redraw-specials"])
def test_ranges_are_those_of_the_course_of_play(name: str) -> None:
    """Two implementations of Bayes' rule: the solver's in its own private states, and the library's."""
    from solver.hidden_hands.course import Course

    scenario, strategy, second = second_of(name)
    game = solving.tables(scenario)
    course, types = Course(game), [second_step.TYPES.index(each) for each in game.type_ids]
    begun = course.begin()
    ranges = []
    for p in range(2):
        held, _ = course.states(begun.start, p)
        ranges.append(np.array([strategy.reach[p][strategy.index(wide(hand, types))] for hand in held]))
    begun = replace(begun, ranges=(ranges[0] / ranges[0].sum(), ranges[1] / ranges[1].sum()))
    checked = 0
    for later in second.decisions:
        if any(len(side) != 1 for side in later.shown):
            continue
        mixes, options = [], []
        for p in range(2):
            states, cards, _ = course.pairs(begun.start, p)
            held, _ = course.states(begun.start, p)
            rows = [strategy.index(wide(hand, types)) for hand in held]
            actions = [NOTHING if card < 0 else types[card] for card in cards]
            mixes.append(strategy.opening[p][np.array(rows)[states], actions].astype(float))
            options.append(course.option(begun.start, types.index(later.shown[p][0])))
        following, _ = course.play(begun, (options[0], options[1]), (mixes[0], mixes[1]))
        here = reached(strategy, second, scenario.day, later.shown)
        assert following is not None
        assert here is not None
        for p in range(2):
            held, hidden = course.states(following.start, p)
            pairs = zip(held, hidden, strict=True)
            rows = [here.row(p, wide(one, types), wide(two, types)) for one, two in pairs]
            known = [0.0 if row is None else here.ranges[p][row] for row in rows]
            assert known == pytest.approx(following.ranges[p].tolist(), abs=1e-6)
        checked += 1
    assert checked > 3


def wide(counts: Any, types: list[int]) -> list[int]:
    found = [0] * second_step.NUM_TYPES
    for card, number in zip(types, counts, strict=True):
        found[card] = int(number)
    return found


@pytest.mark.parametrize(
    ("name", "method"), [("deadeye", "exact"), ("veterans", "exact"), ("four-steps", "merged")]
)
def test_the_day_bounds_what_both_gain_at_its_positions(name: str, method: str) -> None:
    scenario, answer, strategy = solved(name, method)
    assert strategy.second is not None
    for later in strategy.second.decisions:
        here = reached(strategy, strategy.second, scenario.day, later.shown)
        assert here is not None
        met = np.prod([share for pair in here.seen for share in pair if share is not None])
        gain = sum(later.best_response_gp)
        assert gain >= -1e-4
        assert gain * met <= answer.nash_conv_gp + 1e-4


def test_who_leaves_meanwhile_has_the_answer_without_it() -> None:
    from solver.hidden_hands import Settings, solve

    said: list[str] = []
    told: list[Any] = []
    found = solve(
        solving.tables(scenario_of("deadeye")),
        Settings(preparation="none", iterations=5, threads=1, method="exact"),
        lambda progress: said.append(progress.message),
        leave=lambda: bool(said) and said[-1] == "what follows the openings",
        second=told.append,
    )
    assert found.certified
    assert told == []


def test_a_merged_day_hands_over_as_much() -> None:
    exact, merged = second_of("four-steps"), second_of("four-steps", "merged")
    scenario, strategy, second = merged
    assert check_second_step(strategy, second, scenario.day) == []
    assert {each.shown for each in second.decisions} & {each.shown for each in exact[2].decisions}


def test_a_saved_solve_goes_on_with_it(tmp_path: Path) -> None:
    """Taken up again it says the same."""
    scenario, _, strategy = solved("deadeye")
    keeping = solving.Keeping(tmp_path / "deadeye.solve")
    effort = Effort(iterations=20, threads=1, method="exact", second_step=True)
    solving.solve(scenario, effort, checkpoint=keeping.checkpoint(scenario, print))
    on = replace(keeping, resume_from=keeping.save_to).checkpoint(scenario, print)
    _, again = solving.solve(scenario, replace(effort, iterations=40), checkpoint=on)
    assert strategy.second is not None
    assert again.second is not None
    one, other = strategy.second.decisions, again.second.decisions
    assert [each.shown for each in one] == [each.shown for each in other]
    for each, same in zip(one, other, strict=True):
        np.testing.assert_allclose(each.mix[0], same.mix[0], atol=1e-9)
        np.testing.assert_allclose(each.worth[1], same.worth[1], atol=1e-6)


def test_any_change_is_found() -> None:
    scenario, strategy, second = second_of("veterans")
    day = scenario.day

    def changed(number: int, **arrays: Any) -> list[str]:
        decisions = list(second.decisions)
        decisions[number] = replace(decisions[number], **arrays)
        return check_second_step(strategy, replace(second, decisions=tuple(decisions)), day)

    (number,) = [n for n, each in enumerate(second.decisions) if each.kind == "place"][:1]
    later = second.decisions[number]
    assert changed(number, worth=(later.worth[0] + 0.5, later.worth[1]))
    assert changed(number, mix=(later.mix[0] * 0.9, later.mix[1]))
    assert changed(number, mix=(later.mix[0][:, ::-1], later.mix[1]))
    assert changed(number, best_response_gp=(later.best_response_gp[0] + 0.1, later.best_response_gp[1]))
    assert check_second_step(strategy, replace(second, symmetric=not second.symmetric), day)


def test_an_entry_keeps_its_second_step_and_misses_it(tmp_path: Path) -> None:
    scenario, answer, strategy = solved("veterans")
    shelf = library.Library(tmp_path, "library", by_names=True)
    found = shelf.store(scenario, answer, strategy)
    assert found.second_step() is not None
    assert check_entry(found, scenario.rules, shelf) == []
    assert found.entry.second is not None
    (tmp_path / found.folder / found.entry.second).write_bytes(b"nothing")
    assert "its second step is missing or damaged" in check_entry(found, scenario.rules, shelf)
    again = shelf.store(scenario, answer, replace(strategy, second=None))
    assert again.entry.second is None
    assert not list(found.folder.glob("second-*"))


def test_shares_in_8_bits_add_up() -> None:
    generator = np.random.default_rng(3)
    mix = generator.dirichlet([0.2] * (NOTHING + 1), 500)
    shares = second_step._in_255(mix)
    assert (shares.sum(axis=1) == 255).all()
    assert abs(shares / 255 - mix).max() < 1 / 255
    assert HIDDEN not in range(NOTHING + 1)
