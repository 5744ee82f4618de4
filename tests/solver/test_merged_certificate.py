"""Certificates of merged days: nothing that is left out counts for too little."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from engine.ragers.day import day_tables
from solver.hidden_hands.merged import certificate as merged_certificate
from solver.hidden_hands.merged_tree import Merging
from tests.oracles.games import TinyGame
from tests.solver.merged_days import FEW_TYPES, GAMES, certificate_of, trained
from tests.solver.test_hidden_hands import tables

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
