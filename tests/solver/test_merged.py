"""Merged public trees: the same game when nothing is merged, and sound certificates when much is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.ragers.day import DayTables, day_tables
from solver.hidden_hands import Settings, solve
from solver.hidden_hands.merged import sweeping
from solver.hidden_hands.merged_tree import Merging
from solver.hidden_hands.problem import blueprint, build_merged_problem, merged_blueprint
from tests.oracles.games import TinyGame
from tests.solver.merged_days import (
    ALL_TYPES,
    FEW_TYPES,
    GAMES,
    NOTHING,
    certificate_of,
    refinement,
    statistics_of,
    trained,
)
from tests.solver.test_hidden_hands import SHORT_DAY, tables

pytestmark = pytest.mark.kernels


@pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
@pytest.mark.parametrize(
    ("how", "least"),
    [
        (NOTHING, 2.0),
        (Merging(1), 2.0),
        (Merging(1), 0.03),
        (Merging(1, quotient=True), 2.0),
        (Merging(1, quotient=True), 0.03),
    ],
    ids=["alone", "rows", "single", "quotient", "quotient-refined"],
)
def test_value_lies_within_the_certificate(game: TinyGame, how: Merging, least: float) -> None:
    """Whatever is merged: best responses along every history bracket the linear program's value."""
    day = day_tables(game.rules(), game.patron, game.cheers)
    if least <= 1.0:
        how = refinement(day, how, least, game.preparation)
    certificate = certificate_of(trained(day, how, 60, game.preparation))
    mine, theirs = certificate.best_response_values
    assert certificate.slack < 1e-2
    assert -theirs - certificate.slack - 1e-6 <= game.value <= mine + certificate.slack + 1e-6


@pytest.mark.parametrize(
    ("patron", "preparation", "quotient"),
    [
        # Any two of them meet once.
        ("solennos", "none", False),
        ("solennos", "redraw", True),
        ("the-nameless", "none", True),
        ("the-nameless", "redraw", False),
    ],
)
def test_where_nothing_is_merged_nothing_is_lost(patron: str, preparation: str, quotient: bool) -> None:
    """Sweeps, calibrated hedges and history-wise certificates do what the un-merged solver does."""
    day = tables(*(FEW_TYPES if patron == "the-nameless" else ALL_TYPES), patron=patron)
    check_that_nothing_is_lost(day, preparation, quotient, 20, 0.3)


@pytest.mark.slow
@pytest.mark.parametrize("quotient", [False, True])
@pytest.mark.parametrize("preparation", ["none", "redraw"])
@pytest.mark.parametrize("patron", ["solennos", "the-nameless"])
def test_nor_is_anything_lost_later_with_all_card_types(
    patron: str, preparation: str, quotient: bool
) -> None:
    check_that_nothing_is_lost(tables(*ALL_TYPES, patron=patron), preparation, quotient, 40, 0.2)


def check_that_nothing_is_lost(
    day: DayTables, preparation: str, quotient: bool, iterations: int, off: float
) -> None:
    alone, exact = (
        trained(day, how, iterations, preparation) for how in (NOTHING._replace(quotient=quotient), None)
    )
    one, other = certificate_of(alone), certificate_of(exact)
    if quotient:
        # By a seventh better than without the quotient, which is by a sixth better than the un-merged solver.
        assert one.nash_conv < (1.0 + off) * other.nash_conv
        whole = certificate_of(trained(day, NOTHING, iterations, preparation))
        assert one.nash_conv == pytest.approx(whole.nash_conv, rel=off)
    else:
        assert one.nash_conv == pytest.approx(other.nash_conv, rel=off)
    assert np.asarray(one.best_response_values) == pytest.approx(other.best_response_values, abs=0.02)
    assert alone.root_average[0] == pytest.approx(exact.root_average[0], abs=0.1 * off * exact.total_weight)


def test_merging_shares_nodes_records_and_mirrored_tables() -> None:
    day = tables(*ALL_TYPES, patron="the-nameless")
    plan = blueprint(day, "none")
    sizes = [merged_blueprint(plan, how).merged for how in (NOTHING, Merging(1))]
    alone, rows = (size for size in sizes if size is not None)
    assert alone.tree.nodes == plan.size.nodes
    assert alone.tree.nodes > rows.tree.nodes
    assert alone.records > rows.records
    _, merged = build_merged_problem(merged_blueprint(plan, Merging(1)))
    twins = np.flatnonzero(merged.twin)
    assert twins.size > 0
    assert (merged.key[twins - 1][:, ::-1] == merged.key[twins]).all()
    starts = merged.tree.regret_start
    assert (starts[twins] == starts[twins - 1, ::-1]).all()
    # Children lie in later generations, so that one sweep suffices.
    for node in range(merged.tree.kind.size):
        end = merged.tree.child_start[node + 1] if node + 1 < merged.tree.kind.size else merged.record.size
        children = merged.tree.child[merged.tree.child_start[node] : end]
        assert (children[children >= 0] > node).all()


@pytest.mark.parametrize("quotient", [False, True])
def test_answers_do_not_depend_on_the_number_of_threads(quotient: bool) -> None:
    day = tables(*SHORT_DAY)
    one, two = (trained(day, Merging(1, quotient=quotient), 6, "redraw", threads) for threads in (1, 2))
    assert certificate_of(one).best_response_values == certificate_of(two).best_response_values
    assert (one.root_average[0] == two.root_average[0]).all()
    assert all((one.arrays()[name] == array).all() for name, array in two.arrays().items())


@pytest.mark.parametrize("quotient", [False, True])
def test_a_saved_solve_goes_on_with_the_same_bits(quotient: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """What `arrays` and `numbers` hold is all that an iteration changes, nodes left out included."""
    monkeypatch.setattr(sweeping, "PARTIAL_ABOVE", 0)
    day = tables(*FEW_TYPES, patron="the-nameless")
    whole, half, rest = (trained(day, Merging(1, quotient=quotient), count) for count in (8, 5, 0))
    for name, array in rest.arrays().items():
        array[...] = half.arrays()[name]
    rest.set_numbers(half.numbers())
    for _ in range(3):
        rest.iterate()
    assert all((rest.arrays()[name] == array).all() for name, array in whole.arrays().items())
    assert certificate_of(rest).best_response_values == certificate_of(whole).best_response_values


@pytest.mark.parametrize("quotient", [False, True])
def test_statistics_match_the_certificate(quotient: bool) -> None:
    trainer = trained(tables(*FEW_TYPES, patron="the-nameless"), Merging(1, quotient=quotient), 30)
    certificate, stats = certificate_of(trainer), statistics_of(trainer)
    assert stats.mass == pytest.approx(1.0, abs=1e-3)
    assert stats.outcome.sum() == pytest.approx(1.0, abs=1e-3)
    assert stats.usage[:, 0].sum(axis=1) == pytest.approx(np.ones(2), abs=1e-3)
    gain = float(stats.mean_points[0] - stats.mean_points[1])
    mine, theirs = certificate.best_response_values
    assert -theirs - 0.1 <= gain <= mine + 0.1


def test_solve_merges_when_told_or_when_it_must() -> None:
    day = tables(*SHORT_DAY)
    found = solve(day, Settings(preparation="none", method="merged", iterations=6))
    assert (found.method, found.certified) == ("merged", True)
    assert "every single history" in found.certificate
    assert "at a perfect-information bound" in found.certificate
    assert found.opening_mix.sum(axis=1) == pytest.approx(np.ones(2), abs=1e-4)
    with pytest.raises(ValueError, match="exchange"):
        solve(day, replace(Settings(method="merged", iterations=1), preparation="seen"))
