"""`ragers-solve` with the real solver, on tiny days whose values are known by linear programming."""

from __future__ import annotations

import json
from typing import Any

import pytest

from analysis.ragers.answers import profiles
from tests.oracles.games import ASYMMETRIC, SYMMETRIC, TinyGame

pytestmark = pytest.mark.kernels

#: The stored values are good to about this.
TOLERANCE = 1e-8
TARGET_GP = 0.05
#: One of each kind; the solver's own tests go through all of them.
NAMES = ("attacks", "deadeye", "uneven-redraw", "veterans", "new-cheers")
FEW = {"slasher": 0, "cheater": 0, "stopper": 0, "prodder": 2}
GAMES = [game for game in (*SYMMETRIC, *ASYMMETRIC) if game.name in NAMES]


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """Compile the solver outside of any time limit."""
    from solver.hidden_hands import warmup

    warmup()


@pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
def test_value_is_within_the_certificate(game: TinyGame, run: Any) -> None:
    words = ["--patron", game.patron, "--cheers", game.cheers[0], "--preparation", game.preparation]
    words += [word for override in game.overrides for word in ("--set", override)]
    result = run("solve", *words, "--target", str(TARGET_GP), "--time-limit", "60", "--format", "json")
    assert result.exit_code == 0, result.output
    (scenario,) = json.loads(result.stdout)["scenarios"]
    assert scenario["certified"] is True
    assert scenario["nash_conv_gp"] <= TARGET_GP
    assert scenario["value_gp"] == pytest.approx(game.value, abs=scenario["nash_conv_gp"] + TOLERANCE)
    assert sum(scenario["opening_mix"].values()) == pytest.approx(1, abs=1e-5)
    assert sum(scenario["outcome"].values()) == pytest.approx(1, abs=1e-5)
    own, other = scenario["mean_gp"]
    assert own - other == pytest.approx(scenario["value_gp"], abs=TARGET_GP)
    again = json.loads(run("solve", *words, "--target", str(TARGET_GP), "--format", "json").stdout)[
        "scenarios"
    ][0]
    assert again["from_library"] is True
    assert again["value_gp"] == scenario["value_gp"]


def test_merged_histories_on_request(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    # Sampled plays of merged days take long, and have tests of their own.
    for plays in ("PLAYS", "_SIMPLE_PLAYS", "_PLAYOUT_PLAYS"):
        monkeypatch.setattr(profiles, plays, 100)
    words = ["--patron", "the-nameless", "--cheers", "two-bashers", "--method", "merged", "--iterations", "6"]
    changes = [f"match.{change}" for change in ("row_length=3", "hand_size=2")]
    changes += [f"cards.{name}.copies={copies}" for name, copies in FEW.items()]
    words += [word for change in changes for word in ("--set", change)]
    result = run("solve", *words, "--format", "json")
    assert result.exit_code == 0, result.output
    (scenario,) = json.loads(result.stdout)["scenarios"]
    assert scenario["method"] == "merged"
    # So few iterations only look where play goes.
    assert scenario["told_apart"] == 0.0
    assert scenario["certified"] is True
    assert "every single history" in scenario["certificate"]
    assert sum(scenario["opening_mix"].values()) == pytest.approx(1, abs=1e-5)
    assert sum(scenario["outcome"].values()) == pytest.approx(1, abs=1e-4)
    plan = run("solve", *words, "--fresh", "--dry-run", "--format", "json")
    assert json.loads(plan.stdout)["estimates"][0]["method"] == "merged"
