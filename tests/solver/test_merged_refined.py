"""Histories that are merged with no others: which ones, and what they bring."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from solver.hidden_hands import Checkpoint, MemoryRefused, Settings, planning, solve
from solver.hidden_hands.game import Certificate
from solver.hidden_hands.merged_tree import (
    Merging,
    Refinement,
)
from solver.hidden_hands.problem import blueprint, build_merged_problem, merged_blueprint
from tests.solver.merged_days import (
    ALL_TYPES,
    FEW_TYPES,
    NOTHING,
    certificate_of,
    refinement,
    trained,
)
from tests.solver.test_hidden_hands import tables

# Refining has kernels of its own, which take long to compile.
pytestmark = [pytest.mark.kernels, pytest.mark.slow]


@pytest.mark.parametrize("quotient", [False, True])
def test_the_likeliest_histories_are_refined(quotient: bool) -> None:
    """All of them is as if nothing were merged; none, and in between."""
    day, how = tables(*ALL_TYPES, patron="the-nameless"), Merging(1, quotient=quotient)
    plan = blueprint(day, "none")
    rows, alone = (merged_blueprint(plan, each).merged for each in (how, NOTHING._replace(quotient=quotient)))
    assert rows is not None
    assert alone is not None
    sizes = []
    for least in (2.0, 1e-3, 1e-5, 1e-99):
        found = merged_blueprint(plan, refinement(day, how, least)).merged
        assert found is not None
        sizes.append(found)
    # More decisions have averages than without any look at where play goes: those that see most of it.
    assert sizes[0]._replace(how=how, averages=0) == rows._replace(averages=0)
    assert (sizes[-1].tree.nodes, sizes[-1].records) == (alone.tree.nodes, alone.records)
    assert (sizes[0].refined, sizes[-1].refined) == (0.0, 1.0)
    for coarser, finer in itertools.pairwise(sizes):
        assert coarser.tree.nodes < finer.tree.nodes
        assert coarser.records < finer.records
        assert coarser.refined < finer.refined


@pytest.mark.parametrize("quotient", [False, True])
def test_in_refined_histories_nothing_is_lost(quotient: bool) -> None:
    """A tree of nothing but refined histories is played as the one in which nothing is merged."""
    day, alone = tables(*FEW_TYPES, patron="the-nameless"), NOTHING._replace(quotient=quotient)
    found: list[list[Certificate]] = []
    for how in (refinement(day, Merging(1, quotient=quotient), 1e-99), alone):
        trainer = trained(day, how, 4)
        found.append([])
        for _ in range(3):
            trainer.iterate()
            trainer.iterate()
            found[-1].append(certificate_of(trainer))
    # Regrets are rounded by their place, which differs: by itself each is off by as much as all may be.
    one, other = (sum(each.nash_conv for each in certificates) for certificates in found)
    assert one == pytest.approx(other, rel=0.02)
    for mine, theirs in zip(*found, strict=True):
        assert mine.best_response_values == pytest.approx(theirs.best_response_values, abs=2e-3)


@pytest.mark.parametrize("quotient", [False, True])
def test_few_refined_histories_win_back_most_of_what_merging_loses(quotient: bool) -> None:
    day, how = tables(*FEW_TYPES, patron="the-nameless"), Merging(1, quotient=quotient)
    merged, few, alone = (
        certificate_of(trained(day, each, 30)).nash_conv
        for each in (how, refinement(day, how, 1e-5), NOTHING._replace(quotient=quotient))
    )
    assert few - alone < 0.5 * (merged - alone)


@pytest.mark.parametrize("quotient", [False, True])
def test_decisions_with_averages(quotient: bool) -> None:
    """Those before histories are merged, or where asked for; their tables come first."""
    plan = blueprint(tables(*ALL_TYPES, patron="the-nameless"), "none")
    _, merged = build_merged_problem(merged_blueprint(plan, Merging(1, quotient=quotient)))
    keys = merged.key[merged.key[:, 0] >= 0]
    for some in (keys[:0], keys[: len(keys) // 9], keys):
        averaged = np.unique(some)
        finer = merged_blueprint(
            plan, Merging(1, quotient=quotient, refinement=Refinement(averaged=averaged))
        )
        assert finer.merged is not None
        _, found = build_merged_problem(finer)
        asked = (found.key[:, 0] < 0) | np.isin(found.key[:, 0], averaged)
        tables_of = found.tree.regret_start
        first = (tables_of >= 0) & (tables_of < finer.merged.averages)
        np.testing.assert_array_equal(first, (tables_of >= 0) & asked[:, None])
        assert (tables_of[found.tree.acts != 3] >= 0).sum() == (found.tree.acts != 3).sum() > 0


@pytest.mark.parametrize(
    ("types", "most"),
    [(FEW_TYPES, 0.9), pytest.param(ALL_TYPES, 0.7, marks=pytest.mark.slow)],
    ids=["few types", "all types"],
)
def test_refining_where_play_goes_pays(types: tuple[str, ...], most: float) -> None:
    day = tables(*types, patron="the-nameless")
    settings = Settings(preparation="none", method="merged", iterations=60)
    needed = planning.estimate(day, settings).memory_bytes
    seen: list[str] = []
    fine = solve(day, settings, lambda progress: seen.append(progress.message))
    assert any("refining histories" in message for message in seen)
    coarse = solve(day, replace(settings, memory_bytes=needed))
    assert fine.nash_conv < most * coarse.nash_conv
    assert (fine.refined, coarse.refined) == (1.0, 0.0)
    assert solve(day, replace(settings, threads=1)).nash_conv == fine.nash_conv


@pytest.mark.parametrize("polls", [3, 12])
def test_a_solve_that_refines_is_taken_up_again(polls: int, tmp_path: Path) -> None:
    """Whether it was stopped while it looked where play goes, or afterwards."""
    day, path = tables(*FEW_TYPES, patron="the-nameless"), tmp_path / "solve"
    settings = Settings(preparation="none", method="merged", iterations=14)
    whole = solve(day, settings)
    left = itertools.count()
    stopped = solve(day, settings, stop=lambda: next(left) >= polls, checkpoint=Checkpoint({}, save_to=path))
    assert stopped.iterations < 14
    notes: list[str] = []
    resumed = solve(day, settings, checkpoint=Checkpoint({}, resume_from=path, note=notes.append))
    assert any("begins anew" in note for note in notes) is (polls == 3)
    assert (resumed.nash_conv, resumed.iterations) == (whole.nash_conv, 14)
    assert resumed.refined == whole.refined
    assert np.array_equal(resumed.opening, whole.opening)
    if polls == 12:
        short = replace(settings, memory_bytes=planning.estimate(day, settings).memory_bytes)
        with pytest.raises(MemoryRefused):
            solve(day, short, checkpoint=Checkpoint({}, resume_from=path))
