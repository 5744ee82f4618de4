"""Certificates of merged days are as close as there is time for."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from engine.ragers.day import day_tables
from solver.hidden_hands import Settings, running, solve
from solver.hidden_hands.game import Certificate
from solver.hidden_hands.merged import certificate as merged_certificate
from solver.hidden_hands.merged.merged_tree import Merging
from solver.hidden_hands.training import Trainer
from tests.oracles.games import TinyGame
from tests.solver.merged_days import FEW_TYPES, GAMES, certificate_of, trained
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
    monkeypatch.setattr(running, "_MERGED_CHECK", 1e6)
    # Half of the time, and no more, is kept for the certificate.
    late = solve(day, Settings(preparation="none", method="merged", time_limit_s=3.0))
    assert late.iterations > 2
    assert followed_down_to(late.certificate) <= 1e-5
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
    bounds = [
        certificate_of(trainer, seconds=seconds, tell=lambda _, bound: heard.append(bound))
        for seconds in (1e-9, 1e9, None)
    ]
    assert "1e-02" in bounds[0].left_out
    assert "1e-05" in bounds[2].left_out
    assert followed_down_to(bounds[1].left_out) < 1e-5
    assert bounds[0].nash_conv > bounds[2].nash_conv >= bounds[1].nash_conv
    # While better ones are looked for, who waits hears what was found.
    told = [bound for bound in heard if bound is not None]
    assert heard[0] is None
    assert told[0] == bounds[0].nash_conv
    assert told == sorted(told, reverse=True)


def test_a_target_alone_is_checked_on_the_way() -> None:
    """After 16, 32, 64 iterations; with another limit, only there."""
    settings = Settings(preparation="none", method="merged", target=100.0)
    assert solve(tables(*SHORT_DAY), settings).iterations == 16
    found = solve(tables(*SHORT_DAY), replace(settings, iterations=18))
    assert [iteration for iteration, _, _ in found.history] == [18]


class Clock:
    """Time in which each first step takes as long as this says, by what is followed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, trainer: Trainer) -> None:
        self.now = 0.0
        self.seconds: Callable[[float], float] = lambda least: 1.0
        self.followed: dict[int, float] = {}
        respond = merged_certificate.respond_merged

        def responded(follower: Any, play: Any, child: int, learner: int, least: float, *rest: Any) -> None:
            # Once for each player.
            self.followed[child] = least / trainer.total_weight
            self.now += self.seconds(self.followed[child]) / 2.0
            respond(follower, play, child, learner, least, *rest)

        monkeypatch.setattr(merged_certificate, "respond_merged", responded)
        monkeypatch.setattr(merged_certificate, "time", SimpleNamespace(perf_counter=lambda: self.now))


def test_what_a_late_certificate_has_finished_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The busiest first steps are followed further."""
    trainer = trained(tables(*FEW_TYPES, patron="the-nameless"), Merging(1), 20)
    clock = Clock(monkeypatch, trainer)
    jobs = len(trainer.jobs)
    clock.seconds = lambda least: 1.0 if least > 1e-3 else 5.0
    following = {1e-2: 1e-4}
    monkeypatch.setattr(merged_certificate, "_next_threshold", lambda last, *_: following.get(last))
    loose = certificate_of(trainer, seconds=1e-9)
    assert followed_down_to(loose.left_out) == 1e-2
    begun = clock.now
    part = certificate_of(trainer, seconds=jobs + 5.0 * (jobs // 2) - 1.0)
    assert clock.now - begun == pytest.approx(jobs + 5.0 * (jobs // 2))
    assert "less than 1e-02 or, in part, 1e-04 counted" in part.left_out
    assert part.nash_conv < loose.nash_conv
    expected = [1e-4] * (jobs // 2) + [1e-2] * (jobs - jobs // 2)
    assert sorted(clock.followed.values()) == pytest.approx(expected)


@pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
@pytest.mark.parametrize("how", [Merging(first=1), Merging(first=1, quotient=True)], ids=["rows", "quotient"])
def test_value_lies_within_a_certificate_that_is_late(
    game: TinyGame, how: Merging, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some first steps followed further than others, however many, and if that is no better."""
    day = day_tables(game.rules(), game.patron, game.cheers)
    trainer = trained(day, how, 30, game.preparation)
    Clock(monkeypatch, trainer)
    monkeypatch.setattr(merged_certificate, "_FIRST", 0.1)
    monkeypatch.setattr(merged_certificate, "_next_threshold", lambda last, *_: 1e-4 if last == 0.1 else None)
    found: list[Certificate] = []
    follow = merged_certificate._Search.follow

    def followed(self: merged_certificate._Search, least: float) -> Certificate:
        found.append(follow(self, least))
        return found[-1]

    monkeypatch.setattr(merged_certificate._Search, "follow", followed)
    jobs = len(trainer.jobs)
    assert jobs > 1
    for more in range(1, jobs, 1 + jobs // 6):
        chosen = certificate_of(trainer, seconds=jobs + more - 0.25)
        whole, part = found[-2:]
        assert "less than 1e-01 or, in part, 1e-04 counted" in part.left_out
        assert chosen.nash_conv == min(whole.nash_conv, part.nash_conv)
    for certificate in found:
        mine, theirs = certificate.best_response_values
        assert certificate.slack < 1e-2
        assert -theirs - certificate.slack - 1e-6 <= game.value <= mine + certificate.slack + 1e-6


def test_a_certificate_that_is_hurried_makes_do_with_what_there_is() -> None:
    trainer = trained(tables(*FEW_TYPES, patron="the-nameless"), Merging(1), 20, threads=2)
    loose = certificate_of(trainer, seconds=1e-9)
    # Before the first one is done.
    hurried = certificate_of(trainer, seconds=1e9, stop=lambda: True)
    assert hurried.left_out == loose.left_out
    assert hurried.best_response_values == loose.best_response_values
    # In another one: some of it counts.
    heard: list[float | None] = []
    second = certificate_of(
        trainer,
        seconds=1e9,
        tell=lambda _, bound: heard.append(bound),
        stop=lambda: bool(heard) and heard[-1] is not None,
    )
    assert "less than 1e-02 or, in part, " in second.left_out
    assert second.nash_conv < loose.nash_conv


def test_the_next_certificate_is_the_best_there_seems_to_be_time_for() -> None:
    following = merged_certificate._next_threshold
    # At most a hundred times as fine, and as if ten times as fine took four times as long.
    assert following(1e-2, 10.0, 1e9) == 1e-4
    assert following(1e-2, 10.0, 50.0) == 1e-3
    assert following(1e-2, 10.0, 10.0) is None
    assert following(1e-2, 10.0, -np.inf) is None
    assert following(1e-5, 10.0, 1e9) == 1e-6
    assert following(1e-6, 10.0, 1e9) is None
