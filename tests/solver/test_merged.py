"""Merged public trees: the same game when nothing is merged, and sound certificates when much is."""

from __future__ import annotations

import itertools
import math
import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from engine.ragers.day import DayTables, day_tables
from solver.hidden_hands import (
    Checkpoint,
    HandGame,
    MemoryRefused,
    Settings,
    solve,
    solving,
)
from solver.hidden_hands.best_response import ResponseScratch
from solver.hidden_hands.enumeration import HIDDEN, POOLS
from solver.hidden_hands.final.steps import NEAR
from solver.hidden_hands.halves import decode
from solver.hidden_hands.merged import merging
from solver.hidden_hands.merged import training as merged_training
from solver.hidden_hands.merged.merging import Apart, Merging, mirror_images
from solver.hidden_hands.merged.splitting import SINGLES, Traffic, busiest, told_apart
from solver.hidden_hands.merged.sweep import (
    DEEP,
    FINAL_AWAKE,
    FINAL_TOP,
    PERIOD,
    TOP,
    build_layers,
    choose_awake,
    never_asleep,
)
from solver.hidden_hands.merged.training import MergedTrainer
from solver.hidden_hands.problem import (
    MERGING,
    blueprint,
    build_merged_problem,
    build_problem,
    merged_blueprint,
)
from solver.hidden_hands.training import Certificate, Trainer
from solver.hidden_hands.tree import LANES, MAX_LINKS
from tests.oracles.games import ASYMMETRIC, LARGE, SYMMETRIC, TinyGame
from tests.solver.test_hidden_hands import SHORT_DAY, tables

pytestmark = pytest.mark.kernels

NOTHING = Merging(first=99)
#: Longer than the two steps below which nothing can be merged, and without an exchange in view.
GAMES = [
    game
    for game in (*SYMMETRIC, *ASYMMETRIC, *LARGE)
    if game.preparation != "seen" and day_tables(game.rules(), game.patron, game.cheers).row_length > 2
]
#: All card types, three slots, symmetric: histories of two and three steps meet again.
ALL_TYPES = ("match.row_length=3", "match.hand_size=2", "cards.prodder.copies=2", "cards.slasher.copies=0")
#: As many kinds of decisions in a tenth of the histories, for what is trained without merging anything.
FEW_TYPES = (*ALL_TYPES, "cards.cheater.copies=0", "cards.stopper.copies=0")


def apart(game: DayTables, how: Merging, single: float, preparation: str = "none") -> Merging:
    """Tell histories apart that are so likely in early play."""
    trainer = trained(game, how, 8, preparation)
    assert isinstance(trainer, MergedTrainer)
    return how._replace(apart=told_apart(trainer.traffic(), single))


def trained(
    game: HandGame, how: Merging | None, iterations: int, preparation: str = "none", threads: int = 1
) -> Trainer:
    plan = blueprint(game, preparation)
    trainer: Trainer
    if how is None:
        trainer = Trainer(plan, build_problem(plan), threads, preparation == "redraw")
    else:
        plan = merged_blueprint(plan, how)
        trainer = MergedTrainer(plan, *build_merged_problem(plan), threads, preparation == "redraw")
    for _ in range(iterations):
        trainer.iterate()
    return trainer


def test_some_tiny_games_are_long_enough() -> None:
    assert len(GAMES) >= 3
    assert any(game.value != 0.0 for game in GAMES)


@pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
@pytest.mark.parametrize(
    ("how", "single"),
    [
        (NOTHING, 2.0),
        (Merging(1), 2.0),
        (Merging(1), 0.03),
        (Merging(1, 2, 2), 2.0),
        (Merging(1, folds=True), 2.0),
        (Merging(1, folds=True), 0.03),
    ],
    ids=["alone", "rows", "single", "pools", "folded", "folded-single"],
)
def test_value_lies_within_the_certificate(game: TinyGame, how: Merging, single: float) -> None:
    """Whatever is merged: best responses along every history bracket the linear program's value."""
    day = day_tables(game.rules(), game.patron, game.cheers)
    if single <= 1.0:
        how = apart(day, how, single, game.preparation)
    certificate = trained(day, how, 60, game.preparation).certify()
    mine, theirs = certificate.best_response_values
    assert certificate.slack < 1e-2
    assert -theirs - certificate.slack - 1e-6 <= game.value <= mine + certificate.slack + 1e-6


@pytest.mark.parametrize(
    ("patron", "preparation", "folds"),
    [
        # Any two of them meet once.
        ("solennos", "none", False),
        ("solennos", "redraw", True),
        ("the-nameless", "none", True),
        ("the-nameless", "redraw", False),
    ],
)
def test_where_nothing_is_merged_nothing_is_lost(
    patron: str, preparation: str, folds: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sweeps, calibrated hedges and history-wise certificates do what the un-merged solver does."""
    monkeypatch.setattr(merged_training, "ROUNDS", 1)
    day = tables(*(FEW_TYPES if patron == "the-nameless" else ALL_TYPES), patron=patron)
    check_that_nothing_is_lost(day, preparation, folds, 20, 0.3)


@pytest.mark.slow
@pytest.mark.parametrize("folds", [False, True])
@pytest.mark.parametrize("preparation", ["none", "redraw"])
@pytest.mark.parametrize("patron", ["solennos", "the-nameless"])
def test_nor_is_anything_lost_later_with_all_card_types(
    patron: str, preparation: str, folds: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(merged_training, "ROUNDS", 1)
    check_that_nothing_is_lost(tables(*ALL_TYPES, patron=patron), preparation, folds, 40, 0.2)


def check_that_nothing_is_lost(
    day: DayTables, preparation: str, folds: bool, iterations: int, off: float
) -> None:
    alone, exact = (
        trained(day, how, iterations, preparation) for how in (NOTHING._replace(folds=folds), None)
    )
    one, other = alone.certify(), exact.certify()
    if folds:
        # By a seventh better than unfolded, which is by a sixth better than the un-merged solver.
        assert one.nash_conv < (1.0 + off) * other.nash_conv
        unfolded = trained(day, NOTHING, iterations, preparation).certify()
        assert one.nash_conv == pytest.approx(unfolded.nash_conv, rel=off)
    else:
        assert one.nash_conv == pytest.approx(other.nash_conv, rel=off)
    assert np.asarray(one.best_response_values) == pytest.approx(other.best_response_values, abs=0.02)
    assert alone.root_average[0] == pytest.approx(exact.root_average[0], abs=0.1 * off * exact.total_weight)


@pytest.mark.parametrize("folds", [False, True])
def test_records_that_leave_as_many_chain_items_lie_together(folds: bool) -> None:
    plan = merged_blueprint(
        blueprint(tables(*ALL_TYPES, patron="the-nameless"), "none"), Merging(1, folds=folds)
    )
    assert plan.merged is not None
    records = build_merged_problem(plan)[1].records
    actions = plan.actions
    chains = actions.local_types[actions.num_plain : actions.num_plain + actions.num_chain]
    mains, used = records.hidden.shape[0], records.row_pair[: records.hidden.shape[0]] >= 0
    kinds = [
        {(*records.hidden[m], *records.pool[m][:, chains, lane].ravel()) for lane in np.flatnonzero(used[m])}
        for m in range(mains)
    ]
    assert mains > len(set.union(*kinds)) > 10
    # In any order, a batch may share at most its last kind with the next one.
    assert sum(len(kind) for kind in kinds) <= mains + len(set.union(*kinds)) - 1


@pytest.mark.parametrize("folds", [False, True])
def test_of_these_those_about_as_likely_lie_together(folds: bool) -> None:
    """No record is four times as likely as one before it; if nothing is known they lie as they come."""
    day = tables(*ALL_TYPES, patron="the-nameless")
    plan, how = blueprint(day, "none"), Merging(1, folds=folds)
    several = 0
    for each in (how, apart(day, how, 1e-5)):
        builder = merging._Builder(plan.rows, day, plan.spaces, each, True, None)
        builder.run()
        layout = builder.lay_out()
        rows, actions = layout.finals.rows, plan.actions
        chains = actions.local_types[actions.num_plain : actions.num_plain + actions.num_chain]
        columns = [
            HIDDEN,
            HIDDEN + 1,
            *(POOLS + p * plan.rows.num_types + int(t) for p in range(2) for t in chains),
        ]
        _, kind = np.unique(rows[:, columns], axis=0, return_inverse=True)
        for k in range(kind.max() + 1):
            some = np.flatnonzero(kind == k)
            order = some[np.argsort(layout.place[some])]
            flow = layout.finals.flow[order]
            if each.apart.tells:
                assert (flow < 4.0 * np.minimum.accumulate(flow)).all()
                several += bool(flow.max() > 100.0 * flow.min())
            else:
                assert (order == some).all()
    assert several > 10


def test_merging_shares_nodes_records_and_mirrored_tables() -> None:
    day = tables(*ALL_TYPES, patron="the-nameless")
    plan = blueprint(day, "none")
    sizes = [merged_blueprint(plan, how).merged for how in (NOTHING, Merging(1, 2, 2), Merging(1, 0, 0))]
    alone, pools, rows = (size for size in sizes if size is not None)
    assert alone.tree.nodes == plan.size.nodes
    assert alone.tree.nodes > pools.tree.nodes > rows.tree.nodes
    assert alone.records > pools.records > rows.records
    how = Merging(1, 0, 0)
    _, merged = build_merged_problem(merged_blueprint(plan, how))
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


@pytest.mark.parametrize("folds", [False, True])
def test_the_likeliest_histories_stay_single(folds: bool) -> None:
    """All of them is as if nothing were merged; none, and in between."""
    day, how = tables(*ALL_TYPES, patron="the-nameless"), Merging(1, folds=folds)
    plan = blueprint(day, "none")
    rows, alone = (merged_blueprint(plan, each).merged for each in (how, NOTHING._replace(folds=folds)))
    assert rows is not None
    assert alone is not None
    sizes = []
    for single in (2.0, 1e-3, 1e-5, 1e-99):
        found = merged_blueprint(plan, apart(day, how, single)).merged
        assert found is not None
        sizes.append(found)
    # More decisions have averages than without any look at where play goes: those that see most of it.
    assert sizes[0]._replace(how=how, averages=0) == rows._replace(averages=0)
    assert (sizes[-1].tree.nodes, sizes[-1].records) == (alone.tree.nodes, alone.records)
    assert (sizes[0].single, sizes[-1].single) == (0.0, 1.0)
    for coarser, finer in itertools.pairwise(sizes):
        assert coarser.tree.nodes < finer.tree.nodes
        assert coarser.records < finer.records
        assert coarser.single < finer.single


@pytest.mark.parametrize("folds", [False, True])
def test_in_single_histories_nothing_is_lost(folds: bool) -> None:
    """A tree of nothing but single histories is played as the one in which nothing is merged."""
    day, alone = tables(*FEW_TYPES, patron="the-nameless"), NOTHING._replace(folds=folds)
    found: list[list[Certificate]] = []
    for how in (apart(day, Merging(1, folds=folds), 1e-99), alone):
        trainer = trained(day, how, 4)
        found.append([])
        for _ in range(3):
            trainer.iterate()
            trainer.iterate()
            found[-1].append(trainer.certify())
    # Regrets are rounded by their place, which differs: by itself each is off by as much as all may be.
    one, other = (sum(each.nash_conv for each in certificates) for certificates in found)
    assert one == pytest.approx(other, rel=0.02)
    for mine, theirs in zip(*found, strict=True):
        assert mine.best_response_values == pytest.approx(theirs.best_response_values, abs=2e-3)


@pytest.mark.parametrize("folds", [False, True])
def test_few_single_histories_win_back_most_of_what_merging_loses(folds: bool) -> None:
    day, how = tables(*FEW_TYPES, patron="the-nameless"), Merging(1, folds=folds)
    merged, few, alone = (
        trained(day, each, 30).certify().nash_conv
        for each in (how, apart(day, how, 1e-5), NOTHING._replace(folds=folds))
    )
    assert few - alone < 0.5 * (merged - alone)


@pytest.mark.parametrize("folds", [False, True])
def test_decisions_with_averages(folds: bool) -> None:
    """Those before histories are merged, or where asked for; their tables come first."""
    plan = blueprint(tables(*ALL_TYPES, patron="the-nameless"), "none")
    _, merged = build_merged_problem(merged_blueprint(plan, Merging(1, folds=folds)))
    keys = merged.key[merged.key[:, 0] >= 0]
    for some in (keys[:0], keys[: len(keys) // 9], keys):
        averaged = np.unique(some)
        finer = merged_blueprint(plan, Merging(1, folds=folds, apart=Apart(averaged=averaged)))
        assert finer.merged is not None
        _, found = build_merged_problem(finer)
        asked = (found.key[:, 0] < 0) | np.isin(found.key[:, 0], averaged)
        tables_of = found.tree.regret_start
        first = (tables_of >= 0) & (tables_of < finer.merged.averages)
        np.testing.assert_array_equal(first, (tables_of >= 0) & asked[:, None])
        assert (tables_of[found.tree.acts != 3] >= 0).sum() == (found.tree.acts != 3).sum() > 0


def test_the_busiest_have_averages() -> None:
    """As few as see the share asked for; mirror images together, and what is not merged not at all."""
    keys = np.array([[7, 9], [-1, -1], [3, 3], [9, 7], [4, 5], [5, 4]])
    flow = np.array([2.0, 50.0, 5.0, 2.0, 0.5, 0.5])
    for share, expected in ((0.0, []), (0.4, [3]), (0.5, [3]), (0.6, [3, 7, 9]), (1.0, [3, 4, 5, 7, 9])):
        assert busiest(keys, flow, share).tolist() == expected
    assert told_apart(Traffic(keys, flow), 2.0).averaged.tolist() == [3, 4, 5, 7, 9]


@pytest.mark.parametrize(
    ("types", "most"),
    [(FEW_TYPES, 0.9), pytest.param(ALL_TYPES, 0.7, marks=pytest.mark.slow)],
    ids=["few types", "all types"],
)
def test_telling_apart_where_play_goes_pays(types: tuple[str, ...], most: float) -> None:
    day = tables(*types, patron="the-nameless")
    settings = Settings(preparation="none", method="merged", iterations=60)
    needed = solving.estimate(day, settings).memory_bytes
    seen: list[str] = []
    fine = solve(day, settings, lambda progress: seen.append(progress.message))
    assert any("telling histories apart" in message for message in seen)
    coarse = solve(day, replace(settings, memory_bytes=needed))
    assert fine.nash_conv < most * coarse.nash_conv
    assert (fine.told_apart, coarse.told_apart) == (1.0, 0.0)
    assert solve(day, replace(settings, threads=1)).nash_conv == fine.nash_conv


def test_with_regrets_on_disk_there_is_room_to_tell_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What does not grow with a day would be nearly all of this one.
    monkeypatch.setattr(solving, "_BASE_BYTES", 0)
    monkeypatch.setattr(solving, "_MERGED_SCRATCH_BYTES", 0)
    day = tables(*ALL_TYPES, patron="the-nameless")
    plan = merged_blueprint(blueprint(day, "none"))
    trainer = trained(day, MERGING, 0)
    assert isinstance(trainer, MergedTrainer)
    for _ in range(solving._SCOUTS):
        trainer.iterate()
        trainer.look()
    fewest = MERGING._replace(apart=told_apart(trainer.traffic(), SINGLES[-1]))
    needed = replace(merged_blueprint(plan, fewest), checks=False).memory_bytes
    settings = Settings(preparation="none", method="merged", iterations=10, memory_bytes=needed - 1)
    coarse, fine = solve(day, settings), solve(day, replace(settings, disk=tmp_path))
    assert (coarse.told_apart, fine.told_apart) == (0.0, 0.99)
    assert fine.nash_conv < coarse.nash_conv
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("polls", [3, 12])
def test_a_solve_that_tells_apart_is_taken_up_again(polls: int, tmp_path: Path) -> None:
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
    assert resumed.told_apart == whole.told_apart
    assert np.array_equal(resumed.opening, whole.opening)
    if polls == 12:
        short = replace(settings, memory_bytes=solving.estimate(day, settings).memory_bytes)
        with pytest.raises(MemoryRefused):
            solve(day, short, checkpoint=Checkpoint({}, resume_from=path))


@pytest.mark.parametrize(("iterations", "seconds", "done"), [(8, 1e9, 8), (None, 0.0, 1)])
def test_a_short_solve_looks_for_nothing(iterations: int | None, seconds: float, done: int) -> None:
    """Too few iterations, or too little time: it goes on from those there were."""
    seen: list[str] = []
    settings = Settings(preparation="none", method="merged", iterations=iterations, time_limit_s=seconds)
    found = solve(tables(*SHORT_DAY), settings, lambda progress: seen.append(progress.message))
    assert found.iterations == done
    assert not any("telling" in message for message in seen)


@pytest.mark.parametrize("folds", [False, True])
@pytest.mark.parametrize(("dealt", "own"), [(1e-40, 1.0), (1.0, 5e-36)])
def test_what_is_next_to_impossible_is_still_a_number(
    dealt: float, own: float, folds: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After many steps, what the other side brings, or one's own part, has no inverse in single precision."""
    seed = MergedTrainer._seed

    def hardly(self: MergedTrainer, learner: int, seat: int) -> None:
        seed(self, learner, seat)
        self.layers.own[:] *= own
        self.layers.numbers[:] *= np.float32(own)

    monkeypatch.setattr(MergedTrainer, "_seed", hardly)
    trainer = trained(tables(*ALL_TYPES, patron="the-nameless"), Merging(1, folds=folds), 0)
    assert isinstance(trainer, MergedTrainer)
    for deal in trainer.deals:
        deal *= dealt
    for _ in range(6):
        trainer.iterate()
    layers = trainer.layers
    numbers = [decode(each) for each in (trainer.regret, trainer.average, layers.values, layers.final_values)]
    numbers += [layers.mass, layers.share, trainer.state.flow, *trainer.root_average]
    assert all(np.isfinite(each).all() for each in numbers)
    assert trainer.regret.any() == (dealt == 1.0)


def test_an_error_in_the_solver_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def spoil(self: Trainer, everything: bool = True) -> None:
        self.root_average[0][0, 0] = np.nan

    monkeypatch.setattr(MergedTrainer, "iterate", spoil)
    with pytest.raises(ArithmeticError, match="iteration 1 "):
        solve(tables(*SHORT_DAY), Settings(preparation="none", method="merged", iterations=5))


def test_a_folded_tree_is_better_than_an_unfolded_one_without_room() -> None:
    """Unless there is no time to tell histories apart."""
    day = tables(*ALL_TYPES, patron="the-nameless")
    plan, folded = (
        merged_blueprint(blueprint(day, "none"), MERGING._replace(folds=folds)) for folds in (False, True)
    )
    settings = Settings(preparation="none", method="merged", iterations=60, threads=1)
    least = solving._estimate(replace(plan, checks=False), 1).memory_bytes
    for iterations, room, expected in ((60, 1.29, folded), (60, 1.31, plan), (8, 1.01, plan)):
        short = replace(settings, iterations=iterations, memory_bytes=int(room * least))
        assert solving._plan(day, short)[0].size == expected.size


@pytest.mark.parametrize("folds", [False, True])
def test_answers_do_not_depend_on_the_number_of_threads(folds: bool) -> None:
    day = tables(*SHORT_DAY)
    one, two = (trained(day, Merging(1, folds=folds), 6, "redraw", threads) for threads in (1, 2))
    assert one.certify().best_response_values == two.certify().best_response_values
    assert (one.root_average[0] == two.root_average[0]).all()
    assert all((one.arrays()[name] == array).all() for name, array in two.arrays().items())


@pytest.mark.parametrize("folds", [False, True])
def test_a_saved_solve_goes_on_with_the_same_bits(folds: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """What `arrays` and `numbers` hold is all that an iteration changes, sleeping nodes included."""
    monkeypatch.setattr(merged_training, "SLEEPS_ABOVE", 0)
    day = tables(*FEW_TYPES, patron="the-nameless")
    whole, half, rest = (trained(day, Merging(1, folds=folds), count) for count in (8, 5, 0))
    for name, array in rest.arrays().items():
        array[...] = half.arrays()[name]
    rest.set_numbers(half.numbers())
    for _ in range(3):
        rest.iterate()
    assert all((rest.arrays()[name] == array).all() for name, array in whole.arrays().items())
    assert rest.certify().best_response_values == whole.certify().best_response_values


def test_sleeping_loses_next_to_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    day = tables(*FEW_TYPES, patron="the-nameless")
    awake = trained(day, Merging(1), 60).certify().nash_conv
    monkeypatch.setattr(merged_training, "SLEEPS_ABOVE", 0)
    asleep = trained(day, Merging(1), 60)
    assert isinstance(asleep, MergedTrainer)
    assert (asleep.layers.place < 0).mean() > 0.4
    assert asleep.certify().nash_conv < 1.5 * awake


@pytest.mark.parametrize("folds", [False, True])
def test_who_sleeps_wakes_with_the_first_node_that_leads_there(folds: bool) -> None:
    """Or at turns of their own, below those that never sleep."""
    plan = merged_blueprint(
        blueprint(tables(*ALL_TYPES, patron="the-nameless"), "none"), Merging(1, folds=folds)
    )
    problem, merged = build_merged_problem(plan)
    layers, always, tree = build_layers(problem, merged), never_asleep(merged), problem.tree
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
    # However long a solve has been running, everybody wakes once in a while.
    woken = np.zeros((2, max(tree.kind.size, len(first_final))), np.int64)
    for time in range(1000, 1000 + PERIOD):
        choose_awake(layers, 0, time, always)
        woken[0, : tree.kind.size] += layers.place >= 0
        woken[1, : len(first_final)] += layers.final_place >= 0
    assert (woken[0, :always] == PERIOD).all()
    assert (woken[0, always : tree.kind.size] == 1).all()
    assert (woken[1, : len(first_final)] == 1).all()


def test_who_sleeps_learns_wherever_somebody_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if all nodes but those below the root hang by one other node alone."""
    day = tables(*FEW_TYPES, patron="the-nameless")
    awake = trained(day, NOTHING, 24)
    monkeypatch.setattr(merged_training, "SLEEPS_ABOVE", 0)
    asleep = trained(day, NOTHING, 24)
    assert isinstance(asleep, MergedTrainer)
    assert (asleep.layers.place < 0).mean() > 0.4
    assert np.count_nonzero(asleep.regret) > 0.9 * np.count_nonzero(awake.regret)
    assert asleep.certify().nash_conv < 2.0 * awake.certify().nash_conv


@pytest.mark.parametrize("sleeps", [False, True])
def test_in_a_folded_tree_both_sides_learn_in_turn(sleeps: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """One pass goes to first steps of one order, the next one to their mirror images."""
    if sleeps:
        monkeypatch.setattr(merged_training, "SLEEPS_ABOVE", 0)
    trainer = trained(tables(*FEW_TYPES, patron="the-nameless"), NOTHING._replace(folds=True), 8)
    assert isinstance(trainer, MergedTrainer)
    roots, passes = trainer.merged.roots, []
    sweep = trainer._sweep

    def watched(*args: Any) -> None:
        sweep(*args)
        passes.append((trainer.layers.mass > 0.0, trainer.layers.place >= 0))

    monkeypatch.setattr(trainer, "_sweep", watched)
    for _ in range(PERIOD):
        trainer.iterate()
    for number, (met, awake) in enumerate(passes):
        for a, b in zip(*np.nonzero(roots >= 0), strict=True):
            assert met[roots[a, b]] == (a >= b if number % 2 else a <= b)
        assert (awake.mean() < 0.6) == sleeps


def test_half_of_a_folded_tree_wakes_where_the_other_half_went() -> None:
    trainer = trained(tables(*ALL_TYPES, patron="the-nameless"), Merging(1, folds=True), 8)
    assert isinstance(trainer, MergedTrainer)
    merged, layers = trainer.merged, trainer.layers
    images = mirror_images(merged.twin)
    assert (images[images] == np.arange(images.size)).all()
    assert (merged.key[images] == merged.key[:, ::-1]).all()
    before = layers.joint[images]
    choose_awake(layers, 0, 1, never_asleep(merged), images)
    awake = layers.place >= 0
    assert awake[before > np.quantile(before, 1.0 - TOP / 2.0)].all()
    assert awake.mean() < 0.5


def test_fewer_final_steps_sleep_than_decisions() -> None:
    trainer = trained(tables(*ALL_TYPES, patron="the-nameless"), Merging(1), 8)
    assert isinstance(trainer, MergedTrainer)
    layers = trainer.layers
    choose_awake(layers, 0, 1, never_asleep(trainer.merged))
    decisions, finals = layers.place >= 0, layers.final_place >= 0
    assert decisions[layers.joint > np.quantile(layers.joint, 1.0 - TOP)].all()
    assert finals[layers.final_joint > np.quantile(layers.final_joint, 1.0 - FINAL_TOP)].all()
    assert finals.mean() == pytest.approx(FINAL_AWAKE, abs=0.1)
    assert decisions.mean() < finals.mean() - 0.1


#: Two types may call for a further item, so records of final steps are nested four deep.
NESTS = (
    "match.hand_size=2",
    "patrons.arianna.row_length=3",
    "cards.slasher.copies=0",
    "cards.prodder.copies=2",
    "cards.stopper.copies=0",
)


def nested_deeply(trainer: MergedTrainer) -> list[int]:
    """Batches nested too deep for every visit to go there."""
    link = trainer.merged.records.link
    depth = np.zeros(link.shape[0], np.int64)
    for batch, below in zip(*np.nonzero(link >= 0), strict=True):
        depth[link[batch, below]] = depth[batch] + 1
    return np.flatnonzero(depth > NEAR).tolist()


def test_what_nested_records_are_worth_on_average(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both averages against each other, payoff by payoff; what lies deeper included."""
    monkeypatch.setattr(merged_training, "DEEP", 1)
    trainer = trained(tables(*NESTS, patron="arianna"), Merging(1), 6)
    assert isinstance(trainer, MergedTrainer)
    state, records, pays = trainer.state, trainer.merged.records, trainer.problem.tables.pay
    plain, some = trainer.problem.frame.num_plain, 0
    for batch in nested_deeply(trainer):
        for lane in range(LANES):
            joint = records.row_pair[batch, lane]
            flows = state.flow[batch, :, :, lane].astype(np.float64)
            total = flows.sum(axis=1)
            if joint < 0 or not total.all():
                continue
            pay = pays[joint].astype(np.float64)
            for link in range(MAX_LINKS):
                below = records.link[batch, link]
                if below >= 0:
                    pay[plain + link // 2, plain + link % 2] = state.mean[below, lane]
            expected = flows[0] @ pay @ flows[1]
            lone = state.lone[batch, :, :, lane]
            expected += lone[0] @ flows[1, :plain] - lone[1] @ flows[0, :plain]
            assert state.mean[batch, lane] == pytest.approx(expected / total.prod(), abs=1e-4)
            some += 1
    assert some > 100


def test_visits_that_go_less_deep_learn_about_as_much(monkeypatch: pytest.MonkeyPatch) -> None:
    """What lies deep is visited at every fourth visit, and remembers each as four."""
    day = tables(*NESTS, patron="arianna")
    rarely = trained(day, Merging(1), 38)
    monkeypatch.setattr(merged_training, "DEEP", 1)
    always = trained(day, Merging(1), 38)
    assert isinstance(rarely, MergedTrainer)
    assert isinstance(always, MergedTrainer)
    assert set(np.unique(rarely.layers.final_skips)) == {DEEP - 2}
    assert not always.layers.final_skips.any()
    deep = nested_deeply(rarely)
    met, everything = (each.state.flow[deep].sum(dtype=np.float64) for each in (rarely, always))
    assert met == pytest.approx(everything, rel=0.1)
    assert rarely.certify().nash_conv < 1.1 * always.certify().nash_conv + 1e-3


def test_what_is_not_followed_only_adds(monkeypatch: pytest.MonkeyPatch) -> None:
    trainer = trained(tables(*FEW_TYPES, patron="the-nameless"), Merging(1), 20)
    assert isinstance(trainer, MergedTrainer)
    bounds = []
    for least in (0.0, 1e-2, 1e-1):
        monkeypatch.setattr(merged_training, "LEAST_FLOW", least)
        bounds.append(trainer.certify().best_response_values[0])
        assert (trainer.unfollowed > 0.0) == (least > 0.0)
    assert bounds[0] < bounds[1] < bounds[2]


@pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
@pytest.mark.parametrize("how", [Merging(first=1), Merging(first=1, folds=True)], ids=["rows", "folded"])
@pytest.mark.parametrize("iterations", [1, 40])
def test_what_is_not_followed_never_counts_for_too_little(
    game: TinyGame, how: Merging, iterations: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Against all of a strategy's habits, wherever a certificate stops following it."""
    monkeypatch.setattr(merged_training, "ROUNDS", 1)
    monkeypatch.setattr(merged_training, "CONCENTRATED", 0.0)
    day = day_tables(game.rules(), game.patron, game.cheers)
    trainer = trained(day, how, iterations, game.preparation)
    bounds = []
    for least in (0.0, 0.01, 0.1, 0.5, 2.0):
        monkeypatch.setattr(merged_training, "LEAST_FLOW", least)
        bounds.append(np.array(trainer.certify().best_response_values))
    for closer, looser in itertools.pairwise(bounds):
        assert (closer <= looser + 1e-4).all()


@pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
@pytest.mark.parametrize("how", [Merging(first=1), Merging(first=1, folds=True)], ids=["rows", "folded"])
def test_nor_where_final_steps_are_settled_above(
    game: TinyGame, how: Merging, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is followed, the same final steps are settled, and so the same strategy is certified."""
    monkeypatch.setattr(merged_training, "CONCENTRATED", 0.0)
    day = day_tables(game.rules(), game.patron, game.cheers)
    trainer = trained(day, how, 10, game.preparation)
    bounds = []
    for least in (1e-4, 0.01, 0.05, 0.2):
        monkeypatch.setattr(merged_training, "LEAST_FLOW", least)
        monkeypatch.setattr(merged_training, "SETTLED", 0.2 / least)
        bounds.append(np.array(trainer.certify().best_response_values))
    for closer, looser in itertools.pairwise(bounds):
        assert (closer <= looser + 1e-4).all()


@pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
@pytest.mark.parametrize("how", [Merging(first=1), Merging(first=1, folds=True)], ids=["rows", "folded"])
def test_nor_where_rare_play_is_concentrated(
    game: TinyGame, how: Merging, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is followed, the same actions are dropped, and so the same strategy is certified."""
    day = day_tables(game.rules(), game.patron, game.cheers)
    trainer = trained(day, how, 10, game.preparation)
    monkeypatch.setattr(merged_training, "ROUNDS", 1)
    bounds = []
    for least in (1e-4, 0.01, 0.05, 0.2):
        monkeypatch.setattr(merged_training, "LEAST_FLOW", least)
        monkeypatch.setattr(merged_training, "CONCENTRATED", 0.2 / least)
        bounds.append(np.array(trainer.certify().best_response_values))
    for closer, looser in itertools.pairwise(bounds):
        assert (closer <= looser + 1e-4).all()


@pytest.mark.parametrize("folds", [False, True])
def test_less_is_left_where_rare_play_is_concentrated(folds: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    trainer = trained(tables(*ALL_TYPES, patron="the-nameless"), Merging(first=1, folds=folds), 20)
    assert isinstance(trainer, MergedTrainer)
    monkeypatch.setattr(merged_training, "LEAST_FLOW", 1e-2)
    found = []
    for times in (1.0, 0.0):
        monkeypatch.setattr(merged_training, "CONCENTRATED", times)
        found.append((trainer.certify().nash_conv, trainer.unfollowed))
    (concentrated, less), (spread, more) = found
    assert concentrated < 0.9 * spread
    assert less < 0.8 * more


@pytest.mark.parametrize("folds", [False, True])
def test_what_is_not_followed_counts_as_if_hands_lay_open(
    folds: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No more than the largest payoff, no less than what best play wins."""
    day = tables(*FEW_TYPES, patron="the-nameless")
    trainer = trained(day, Merging(first=1, folds=folds), 20)
    assert isinstance(trainer, MergedTrainer)
    monkeypatch.setattr(merged_training, "LEAST_FLOW", 0.0)
    exact = np.array(trainer.certify().best_response_values)
    monkeypatch.setattr(merged_training, "LEAST_FLOW", 1e-1)
    bounds = np.array(trainer.certify().best_response_values)
    foreseen = trainer._foresee()
    for base, unit in ((foreseen.base, foreseen.unit), (foreseen.final_base, foreseen.final_unit)):
        base[...], unit[...] = np.abs(day.payoff).max(), 0.0
    loosest = np.array(trainer.certify().best_response_values)
    assert (exact < bounds).all()
    assert (bounds < loosest).all()


@pytest.mark.parametrize("folds", [False, True])
def test_settling_final_steps_along_histories_pays(folds: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """What merging loses at the last step is won back in part, the more the longer it is settled."""
    trainer = trained(tables(*FEW_TYPES, patron="the-nameless"), Merging(first=1, folds=folds), 8)
    bounds = []
    for rounds in (1, merged_training.ROUNDS, 32):
        monkeypatch.setattr(merged_training, "ROUNDS", rounds)
        bounds.append(trainer.certify().nash_conv)
    remembered, settled, long_settled = bounds
    assert settled < 0.97 * remembered
    assert long_settled < settled


def test_who_hardly_ever_comes_to_a_final_step_plays_what_is_remembered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    trainer = trained(tables(*FEW_TYPES, patron="the-nameless"), Merging(first=1), 12)
    values = {}
    for rounds, settled in ((1, 10.0), (4, 1e6), (4, 1e3), (4, 1.0)):
        monkeypatch.setattr(merged_training, "ROUNDS", rounds)
        monkeypatch.setattr(merged_training, "SETTLED", settled)
        values[rounds, settled] = trainer.certify().best_response_values
    assert values[1, 10.0] == pytest.approx(values[4, 1e6], abs=1e-6)
    assert len(set(values.values()) - {values[4, 1e6]}) >= 2


@pytest.mark.parametrize("how", [NOTHING, Merging(first=1), Merging(first=1, folds=True)])
def test_settled_for_long_final_steps_are_in_equilibrium(
    how: Merging, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nearly from nothing: what the records remember is not what makes the answer good."""
    trainer = trained(tables(*FEW_TYPES, patron="solennos"), how, 60)
    monkeypatch.setattr(merged_training, "PRIOR", 1e-3)
    bounds = []
    for rounds in (2, 64):
        monkeypatch.setattr(merged_training, "ROUNDS", rounds)
        bounds.append(trainer.certify().nash_conv)
    assert bounds[1] < 0.3 * bounds[0]


def followed_down_to(certificate: str) -> float:
    """The probability up to which a certificate says that it does not follow a history."""
    found = re.search(r"less than (\S+)", certificate)
    assert found is not None
    return float(found[1])


def test_in_a_hurry_the_bound_is_looser_not_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    day = tables(*SHORT_DAY)
    calm, hasty = (
        solve(day, Settings(preparation="none", method="merged", iterations=2), stop=stop)
        for stop in (None, lambda: True)
    )
    assert hasty.iterations == 1
    monkeypatch.setattr(solving, "_QUICK_S", 0.0)
    monkeypatch.setattr(solving, "_MERGED_CHECK", 1e6)
    monkeypatch.setattr(merged_training, "_PAYS", 0.0)
    # Half of the time, and no more, is kept for the certificate.
    late = solve(day, Settings(preparation="none", method="merged", time_limit_s=3.0))
    assert late.iterations > 2
    assert "1e-05" in late.certificate
    assert hasty.certified
    assert "1e-02" in hasty.certificate
    assert "1e-05" in calm.certificate


@pytest.mark.parametrize(
    ("iteration_s", "limit_s", "kept_s"),
    [(4.0, 600.0, 300.0), (4.0, 900.0, 320.0), (14.0, 3600.0, 1176.0), (45.0, 3600.0, 1800.0)],
)
def test_large_days_keep_more_time_for_the_certificate(
    iteration_s: float, limit_s: float, kept_s: float
) -> None:
    assert solving._merged_check_s(iteration_s, limit_s) == kept_s
    assert solving._merged_check_s(iteration_s, None) >= kept_s


def test_a_certificate_is_as_close_as_there_is_time(monkeypatch: pytest.MonkeyPatch) -> None:
    trainer = trained(tables(*FEW_TYPES, patron="the-nameless"), Merging(1), 20)
    heard: list[float | None] = []
    trainer.watch = lambda share: heard.append(trainer.bound)
    bounds = [trainer.certify(seconds=seconds) for seconds in (1e-9, 1e9, None)]
    assert "1e-02" in bounds[0].left_out
    assert "1e-05" in bounds[2].left_out
    assert followed_down_to(bounds[1].left_out) < 1e-5
    assert bounds[0].nash_conv > bounds[2].nash_conv >= bounds[1].nash_conv
    # While better ones are looked for, who waits hears what was found.
    told = [bound for bound in heard if bound is not None]
    assert heard[0] is None
    assert told[0] == bounds[0].nash_conv
    assert told == sorted(told, reverse=True)
    # Where it does not pay to look further, it is as close as without a limit, and no looser.
    monkeypatch.setattr(merged_training, "_PAYS", 0.0)
    content = trainer.certify(seconds=1e9)
    assert "1e-05" in content.left_out
    assert content.best_response_values == bounds[2].best_response_values


def test_a_certificate_that_comes_too_late_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before it has begun with anything: what is known is all there is."""
    trainer = trained(tables(*FEW_TYPES, patron="the-nameless"), Merging(1), 20, threads=2)
    loose = trainer.certify(seconds=1e-9)
    monkeypatch.setattr(merged_training, "_next_haste", lambda taken, seconds, floor: 500.0)
    late = trainer.certify(seconds=1e-9)
    assert late.left_out == loose.left_out
    assert late.best_response_values == loose.best_response_values


class Clock:
    """Time in which each first step takes as long as this says."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, trainer: MergedTrainer) -> None:
        self.now = 0.0
        self.seconds = lambda: 1.0
        self.done: list[int] = []
        answer, enter = trainer._answer, trainer._enter

        def answered(job: int, scratch: ResponseScratch) -> bool:
            followed = answer(job, scratch)
            self.done += [job] * followed
            return followed

        def entered(*where: Any) -> None:
            # Once for each player.
            self.now += self.seconds() / 2.0
            enter(*where)

        monkeypatch.setattr(trainer, "_answer", answered)
        monkeypatch.setattr(trainer, "_enter", entered)
        monkeypatch.setattr(merged_training, "time", SimpleNamespace(perf_counter=lambda: self.now))


def test_what_a_late_certificate_has_finished_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if final steps are settled from further down on, and so another strategy is certified there."""
    trainer = trained(tables(*FEW_TYPES, patron="the-nameless"), Merging(1), 20)
    assert isinstance(trainer, MergedTrainer)
    clock = Clock(monkeypatch, trainer)
    jobs = len(trainer.jobs)
    clock.seconds = lambda: 1.0 if trainer._haste == 1000.0 else 5.0
    monkeypatch.setattr(merged_training, "_next_haste", lambda taken, *_: 10.0 if len(taken) == 1 else None)
    loose = trainer.certify(seconds=1e-9)
    clock.done.clear()
    part = trainer.certify(seconds=jobs + 5.0 * (jobs // 2))
    assert len(clock.done) == jobs + jobs // 2
    assert "less than 1e-02 or, in part, 1e-04 counted" in part.left_out
    assert "settled anew from 1e-01 or, in part, 1e-03 on" in part.left_out
    assert part.nash_conv < loose.nash_conv
    # And whoever plays so afterwards: strategies there are as they were certified.
    followed = set(clock.done[jobs:])
    for job in range(jobs):
        assert trainer._known.settled[job] == pytest.approx(1e-3 if job in followed else 0.1)
        assert trainer._known.least[job] == pytest.approx(1e-4 if job in followed else 1e-2)


def test_no_first_step_is_begun_that_would_be_late_by_much(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is expected of one follows from how much longer others take this time."""
    trainer = trained(tables(*FEW_TYPES, patron="the-nameless"), Merging(1), 20)
    assert isinstance(trainer, MergedTrainer)
    clock = Clock(monkeypatch, trainer)
    clock.seconds = lambda: 1.0 if trainer._haste == 1000.0 else 20.0
    monkeypatch.setattr(merged_training, "_next_haste", lambda taken, *_: 100.0 if len(taken) == 1 else None)
    for seconds in (10.0, 25.0, 50.0, 79.0):
        begun, limit = clock.now, len(trainer.jobs) + seconds
        clock.done.clear()
        trainer.certify(seconds=limit)
        assert len(clock.done) == len(trainer.jobs) + max(1, int(seconds) // 20)
        assert clock.now - begun <= max(limit, len(trainer.jobs) + 20.0)


@pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
@pytest.mark.parametrize("how", [Merging(first=1), Merging(first=1, folds=True)], ids=["rows", "folded"])
def test_value_lies_within_a_certificate_that_is_late(
    game: TinyGame, how: Merging, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some first steps settled and followed further than others, however many, and if that is no better."""
    monkeypatch.setattr(merged_training, "LEAST_FLOW", 1e-4)
    day = day_tables(game.rules(), game.patron, game.cheers)
    trainer = trained(day, how, 30, game.preparation)
    assert isinstance(trainer, MergedTrainer)
    Clock(monkeypatch, trainer)
    monkeypatch.setattr(merged_training, "_GROWTH", 0.0)
    monkeypatch.setattr(merged_training, "_next_haste", lambda taken, *_: 1.0 if len(taken) == 1 else None)
    found: list[Certificate] = []
    certify = Trainer.certify

    def certified(self: Trainer, audit: bool = True) -> Certificate:
        found.append(certify(self, audit))
        return found[-1]

    monkeypatch.setattr(Trainer, "certify", certified)
    jobs = len(trainer.jobs)
    assert jobs > 1
    for more in range(1, jobs, 1 + jobs // 6):
        chosen = trainer.certify(seconds=jobs + more + 0.75)
        whole, part = found[-2:]
        assert "less than 1e-01 or, in part, 1e-04 counted" in part.left_out
        assert chosen.nash_conv == min(whole.nash_conv, part.nash_conv)
    for certificate in found:
        mine, theirs = certificate.best_response_values
        assert certificate.slack < 1e-2
        assert -theirs - certificate.slack - 1e-6 <= game.value <= mine + certificate.slack + 1e-6


def test_a_certificate_that_is_hurried_makes_do_with_what_there_is() -> None:
    trainer = trained(tables(*FEW_TYPES, patron="the-nameless"), Merging(1), 20, threads=2)
    loose = trainer.certify(seconds=1e-9)
    # Before the first one is done.
    trainer.watch = lambda _: trainer.hurry()
    hurried = trainer.certify(seconds=1e9)
    assert hurried.left_out == loose.left_out
    assert hurried.best_response_values == loose.best_response_values
    # In another one, and in the next: some of it counts.
    trainer.watch = lambda _: trainer.hurry() if trainer._haste < 1000.0 else None
    second = trainer.certify(seconds=1e9)
    assert "less than 1e-02 or, in part, " in second.left_out
    assert second.nash_conv < loose.nash_conv
    trainer.watch = lambda _: trainer.hurry() if trainer._haste < 3.0 else None
    third = trainer.certify(seconds=1e9)
    assert "less than 3e-05 or, in part, " in third.left_out
    assert third.nash_conv < second.nash_conv


@pytest.mark.parametrize(
    ("steps", "whole", "part"),
    [
        ({1000.0: 100.0, 100.0: 10.0, 10.0: 1.0}, "1e-04", "1e-05"),
        # No whole step down seems to fit, and final steps are settled from 0.01 on as yet.
        ({1000.0: 100.0}, "1e-03", "5e-04"),
    ],
)
def test_what_time_is_left_goes_to_the_busiest_first_steps(
    steps: dict[float, float], whole: str, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each look at this clock takes a second, two for each first step: time is up between any two of them."""
    trainer = trained(tables(*ALL_TYPES, patron="the-nameless"), Merging(1), 20)
    clock = SimpleNamespace(perf_counter=itertools.count().__next__)
    monkeypatch.setattr(merged_training, "time", clock)
    monkeypatch.setattr(merged_training, "_next_haste", lambda taken, *_: steps.get(min(taken)))
    jobs = len(trainer.jobs)
    # Time for certificates down to the whole threshold, and for none to all of the first steps of another.
    passes = 1 + round(math.log10(1e-2 / float(whole)))
    found = [trainer.certify(seconds=(2.0 * passes + n) * jobs + 10.0) for n in (0.0, 0.5, 1.0, 1.5, 2.5)]
    bounds = [each.nash_conv for each in found]
    assert all(looser > closer for looser, closer in itertools.pairwise(bounds))
    first, *parts, last = (each.left_out for each in found)
    assert f"less than {whole} counted" in first
    assert all(f"less than {whole} or, in part, {part} counted" in each for each in parts)
    assert f"less than {part}" in last


def test_the_next_certificate_is_the_best_there_seems_to_be_time_for() -> None:
    following = merged_training._next_haste
    # At first at most 334 times as fine, and as if ten times as fine took four times as long.
    assert following({1000.0: 10.0}, 1e9) == 3.0
    assert following({1000.0: 10.0}, 25.0) == 500.0
    assert following({1000.0: 10.0}, 10.0) is None
    # Then by what was seen: here ten times as fine took twice as long, and a little more is expected.
    assert following({1000.0: 10.0, 100.0: 20.0}, 1e9) == 0.1
    assert following({1000.0: 10.0, 100.0: 20.0}, 1e9, 1.0) == 1.0
    assert following({1000.0: 10.0, 1.0: 20.0}, 1e9, 1.0) is None
    assert following({1000.0: 10.0, 100.0: 20.0}, 75.0) == 7.0
    assert following({1000.0: 10.0, 100.0: 20.0}, 20.0) is None


@pytest.mark.parametrize("folds", [False, True])
def test_statistics_match_the_certificate(folds: bool) -> None:
    trainer = trained(tables(*FEW_TYPES, patron="the-nameless"), Merging(1, folds=folds), 30)
    certificate, stats = trainer.certify(), trainer.statistics()
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
    assert "as if hands lay open" in found.certificate
    assert found.opening_mix.sum(axis=1) == pytest.approx(np.ones(2), abs=1e-4)
    with pytest.raises(ValueError, match="exchange"):
        solve(day, replace(Settings(method="merged", iterations=1), preparation="seen"))
