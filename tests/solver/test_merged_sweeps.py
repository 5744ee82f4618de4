"""Sweeps that leave out some nodes, and some nested final steps."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from solver.hidden_hands.final.steps import NEAR
from solver.hidden_hands.merged import sweeping
from solver.hidden_hands.merged.layers import (
    build_layers,
    choose_updated,
    num_always_updated,
)
from solver.hidden_hands.merged_tree import PERIOD, Merging
from solver.hidden_hands.problem import blueprint, build_merged_problem, merged_blueprint
from solver.hidden_hands.training import Trainer
from solver.hidden_hands.tree import LANES, MAX_LINKS
from tests.solver.merged_days import ALL_TYPES, FEW_TYPES, NOTHING, certificate_of, sweeps_of, trained
from tests.solver.test_hidden_hands import tables

pytestmark = pytest.mark.kernels


def test_partial_updates_lose_next_to_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    day = tables(*FEW_TYPES, patron="the-nameless")
    updated = certificate_of(trained(day, Merging(1), 60)).nash_conv
    monkeypatch.setattr(sweeping, "PARTIAL_ABOVE", 0)
    partly = trained(day, Merging(1), 60)
    assert (sweeps_of(partly).layers.place < 0).mean() > 0.4
    assert certificate_of(partly).nash_conv < 1.5 * updated


@pytest.mark.parametrize("quotient", [False, True])
def test_who_is_left_out_is_updated_with_the_first_node_that_leads_there(quotient: bool) -> None:
    """Or at turns of their own, below those that are always updated."""
    plan = merged_blueprint(
        blueprint(tables(*ALL_TYPES, patron="the-nameless"), "none"), Merging(1, quotient=quotient)
    )
    problem, merged = build_merged_problem(plan)
    layers, always, tree = build_layers(problem, merged), num_always_updated(merged), problem.tree
    first: dict[int, int] = {}
    first_final: dict[int, int] = {}
    for node, (start, end) in enumerate(itertools.pairwise([*tree.child_start.tolist(), tree.child.size])):
        for slot in range(start, end):
            if tree.child[slot] >= 0:
                first.setdefault(int(tree.child[slot]), node)
            if merged.record[slot] >= 0:
                first_final.setdefault(int(merged.records.place[merged.record[slot] // 2]) // LANES, node)
    assert 1 < always < tree.kind.size
    assert len(first_final) == layers.final_turn.size
    for child in range(always, tree.kind.size):
        before = first[child]
        assert layers.turn[child] == (layers.turn[before] if before >= always else child % PERIOD)
    assert all(layers.final_turn[batch] == layers.turn[node] for batch, node in first_final.items())
    # However long a solve has been running, everybody is updated once in a while.
    woken = np.zeros((2, max(tree.kind.size, len(first_final))), np.int64)
    for time in range(1000, 1000 + PERIOD):
        choose_updated(layers, 0, time, always)
        woken[0, : tree.kind.size] += layers.place >= 0
        woken[1, : len(first_final)] += layers.final_place >= 0
    assert (woken[0, :always] == PERIOD).all()
    assert (woken[0, always : tree.kind.size] == 1).all()
    assert (woken[1, : len(first_final)] == 1).all()


def test_who_is_left_out_learns_wherever_somebody_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if all nodes but those below the root hang by one other node alone."""
    day = tables(*FEW_TYPES, patron="the-nameless")
    updated = trained(day, NOTHING, 24)
    monkeypatch.setattr(sweeping, "PARTIAL_ABOVE", 0)
    partly = trained(day, NOTHING, 24)
    assert (sweeps_of(partly).layers.place < 0).mean() > 0.4
    assert np.count_nonzero(partly.tables.regret) > 0.9 * np.count_nonzero(updated.tables.regret)
    assert certificate_of(partly).nash_conv < 2.0 * certificate_of(updated).nash_conv


@pytest.mark.parametrize("partial", [False, True])
def test_in_a_quotient_both_sides_learn_in_turn(partial: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """One pass goes to first steps of one order, the next one to their mirror images."""
    if partial:
        monkeypatch.setattr(sweeping, "PARTIAL_ABOVE", 0)
    trainer = trained(tables(*FEW_TYPES, patron="the-nameless"), NOTHING._replace(quotient=True), 8)
    roots, passes = sweeps_of(trainer).merged.roots, []
    below = sweeps_of(trainer)
    sweep = below._sweep

    def watched(*args: Any) -> None:
        sweep(*args)
        passes.append((below.layers.mass > 0.0, below.layers.place >= 0))

    monkeypatch.setattr(below, "_sweep", watched)
    for _ in range(PERIOD):
        trainer.iterate()
    for number, (met, updated) in enumerate(passes):
        for a, b in zip(*np.nonzero(roots >= 0), strict=True):
            assert met[roots[a, b]] == (a >= b if number % 2 else a <= b)
        assert (updated.mean() < 0.6) == partial


#: Two types may call for a further item, so records of final steps are nested four deep.
NESTS = (
    "match.hand_size=2",
    "patrons.arianna.row_length=3",
    "cards.slasher.copies=0",
    "cards.prodder.copies=2",
    "cards.stopper.copies=0",
)


def nested_deeply(trainer: Trainer) -> list[int]:
    """Batches nested too deep for every visit to go there."""
    link = sweeps_of(trainer).merged.records.link
    depth = np.zeros(link.shape[0], np.int64)
    for batch, below in zip(*np.nonzero(link >= 0), strict=True):
        depth[link[batch, below]] = depth[batch] + 1
    return np.flatnonzero(depth > NEAR).tolist()


def test_what_nested_records_are_worth_on_average(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both averages against each other, payoff by payoff; what lies deeper included."""
    monkeypatch.setattr(sweeping, "DEEP", 1)
    trainer = trained(tables(*NESTS, patron="arianna"), Merging(1), 6)
    state, records, pays = trainer.tables.state, sweeps_of(trainer).merged.records, trainer.problem.tables.pay
    plain, some = trainer.problem.frame.num_plain, 0
    for batch in nested_deeply(trainer):
        for lane in range(LANES):
            joint = records.row_pair[batch, lane]
            reach = state.reach[batch, :, :, lane].astype(np.float64)
            total = reach.sum(axis=1)
            if joint < 0 or not total.all():
                continue
            pay = pays[joint].astype(np.float64)
            for link in range(MAX_LINKS):
                below = records.link[batch, link]
                if below >= 0:
                    pay[plain + link // 2, plain + link % 2] = state.mean[below, lane]
            expected = reach[0] @ pay @ reach[1]
            lone = state.lone[batch, :, :, lane]
            expected += lone[0] @ reach[1, :plain] - lone[1] @ reach[0, :plain]
            assert state.mean[batch, lane] == pytest.approx(expected / total.prod(), abs=1e-4)
            some += 1
    assert some > 100
