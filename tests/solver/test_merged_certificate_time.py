"""Certificates of merged days are as close as there is time for."""

from __future__ import annotations

import itertools
import math
import re
from types import SimpleNamespace
from typing import Any

import pytest

from engine.ragers.day import day_tables
from solver.hidden_hands import (
    Settings,
    running,
    solve,
)
from solver.hidden_hands.certificate import Certificate
from solver.hidden_hands.merged import training as merged_training
from solver.hidden_hands.merged.merged_tree import Merging
from solver.hidden_hands.merged.training import MergedTrainer
from solver.hidden_hands.response_memory import ResponseScratch
from solver.hidden_hands.training import Trainer
from tests.oracles.games import TinyGame
from tests.solver.merged_days import ALL_TYPES, FEW_TYPES, GAMES, trained
from tests.solver.test_hidden_hands import SHORT_DAY, tables

pytestmark = pytest.mark.kernels


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
    monkeypatch.setattr(running, "_QUICK_S", 0.0)
    monkeypatch.setattr(running, "_MERGED_CHECK", 1e6)
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
    assert running._merged_check_s(iteration_s, limit_s) == kept_s
    assert running._merged_check_s(iteration_s, None) >= kept_s


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
    """Even if final steps are re-solved from further down on, and so another strategy is certified there."""
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
    assert "re-solved from 1e-01 or, in part, 1e-03 on" in part.left_out
    assert part.nash_conv < loose.nash_conv
    # And whoever plays so afterwards: strategies there are as they were certified.
    followed = set(clock.done[jobs:])
    for job in range(jobs):
        assert trainer._known.resolved[job] == pytest.approx(1e-3 if job in followed else 0.1)
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
@pytest.mark.parametrize("how", [Merging(first=1), Merging(first=1, quotient=True)], ids=["rows", "quotient"])
def test_value_lies_within_a_certificate_that_is_late(
    game: TinyGame, how: Merging, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some first steps re-solved and followed further than others, however many, and if that is no better."""
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
        # No whole step down seems to fit, and final steps are re-solved from 0.01 on as yet.
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
