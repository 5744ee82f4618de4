"""Certificates of merged days: nothing that is left out counts for too little, in a hurry and late too."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from engine.ragers.day import day_tables
from solver.hidden_hands import Settings, schedule, solve
from solver.hidden_hands.game import Certificate
from solver.hidden_hands.merged import certificate as merged_certificate
from solver.hidden_hands.merged_tree import Merging
from solver.hidden_hands.training import Trainer
from tests.oracles.games import TinyGame
from tests.solver.merged_days import FEW_TYPES, GAMES, certificate_of, trained
from tests.solver.test_hidden_hands import SHORT_DAY, tables

pytestmark = pytest.mark.kernels


def test_what_is_not_followed_only_adds(monkeypatch: pytest.MonkeyPatch) -> None:
    trainer = trained(tables(*FEW_TYPES, patron="the-nameless"), Merging(1), 20)
    bounds = []
    for least in (0.0, 1e-2, 1e-1):
        monkeypatch.setattr(merged_certificate, "LEAST_REACH", least)
        bounds.append(certificate_of(trainer).best_response_values[0])
    assert bounds[0] < bounds[1] < bounds[2]


@pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
@pytest.mark.parametrize("how", [Merging(first=1), Merging(first=1, quotient=True)], ids=["rows", "quotient"])
@pytest.mark.parametrize("iterations", [1, 40])
def test_what_is_not_followed_never_counts_for_too_little(
    game: TinyGame, how: Merging, iterations: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Against all of what a strategy does, wherever a certificate stops following it."""
    monkeypatch.setattr(merged_certificate, "THRESHOLDED", 0.0)
    day = day_tables(game.rules(), game.patron, game.cheers)
    trainer = trained(day, how, iterations, game.preparation)
    bounds = []
    for least in (0.0, 0.01, 0.1, 0.5, 2.0):
        monkeypatch.setattr(merged_certificate, "LEAST_REACH", least)
        bounds.append(np.array(certificate_of(trainer).best_response_values))
    for closer, looser in itertools.pairwise(bounds):
        assert (closer <= looser + 1e-4).all()


@pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
@pytest.mark.parametrize("how", [Merging(first=1), Merging(first=1, quotient=True)], ids=["rows", "quotient"])
def test_nor_where_rare_actions_are_dropped(
    game: TinyGame, how: Merging, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is followed, the same actions are dropped, and so the same strategy is certified."""
    day = day_tables(game.rules(), game.patron, game.cheers)
    trainer = trained(day, how, 10, game.preparation)
    bounds = []
    for least in (1e-4, 0.01, 0.05, 0.2):
        monkeypatch.setattr(merged_certificate, "LEAST_REACH", least)
        monkeypatch.setattr(merged_certificate, "THRESHOLDED", 0.2 / least)
        bounds.append(np.array(certificate_of(trainer).best_response_values))
    for closer, looser in itertools.pairwise(bounds):
        assert (closer <= looser + 1e-4).all()


@pytest.mark.parametrize("quotient", [False, True])
def test_what_is_not_followed_counts_as_if_hands_lay_open(
    quotient: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No more than the largest payoff, no less than what best play wins."""
    day = tables(*FEW_TYPES, patron="the-nameless")
    trainer = trained(day, Merging(first=1, quotient=quotient), 20)
    monkeypatch.setattr(merged_certificate, "LEAST_REACH", 0.0)
    exact = np.array(certificate_of(trainer).best_response_values)
    monkeypatch.setattr(merged_certificate, "LEAST_REACH", 1e-1)
    bounds = np.array(certificate_of(trainer).best_response_values)
    worths = merged_certificate.tabulate(trainer.profile(), trainer.workers)
    worths.base[...], worths.unit[...] = np.abs(day.payoff).max(), 0.0
    worths.final_most[...] = np.abs(day.payoff).max()
    monkeypatch.setattr(merged_certificate, "tabulate", lambda *_: worths)
    loosest = np.array(certificate_of(trainer).best_response_values)
    assert (exact < bounds).all()
    assert (bounds < loosest).all()


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
    monkeypatch.setattr(schedule, "_MERGED_CHECK", 1e6)
    # Half of the time, and no more, is kept for the certificate.
    late = solve(day, Settings(preparation="none", method="merged", time_limit_s=3.0))
    assert late.iterations > 2
    assert followed_down_to(late.certificate) <= 1e-5
    assert hasty.certified
    assert "1e-02" in hasty.certificate
    assert "1e-05" in calm.certificate


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
