"""`raverun train`, and the players who use what it learns."""

from __future__ import annotations

import json
import os
import re
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from analysis import learned_values
from analysis.raverun import policies, training
from engine.raverun.rules import load_rules
from tests.cli.test_raverun_full import run
from tests.cli.test_raverun_solve import SMALL, plain

pytestmark = pytest.mark.kernels

RESPONSES = ("--response-iterations", "10", "--response-iterations", "20", "--response-deals", "3")
QUICK = (*SMALL, "--plays", "400", "--deals", "40", *RESPONSES, "-q")


@pytest.fixture
def values(tmp_path: Path) -> Path:
    path = tmp_path / "values.npz"
    run("train", str(path), *QUICK)
    return path


def test_players_with_values_play_matches_and_games(values: Path) -> None:
    guided, one_move = f"guided:iterations=20,file={values}", f"values:file={values}"
    words = ("match", *SMALL, "--deals", "4", "-q", "--format", "json", "--player")
    against = ("--player", "search:iterations=20")
    first, again = (json.loads(run(*words, guided, *against).stdout) for _ in range(2))
    assert first["sides"] == again["sides"]
    assert first["sides"][0]["player"] == guided
    assert sum(each["plays"] for each in first["groups"]) == 8
    run(*words, one_move, "--player", "random")
    for opponent in (guided, one_move):
        output = run("play", *SMALL, "--opponent", opponent, "--seed", "1", typed="1\n" * 100).stdout
        assert "Payoffs:" in output
        assert re.search(r"What your decisions cost|that could be judged none cost", output)
    judged = ("play", *SMALL, "--opponent", "random", "--values", str(values), "--seed", "1")
    assert "by the learned values" in run(*judged, typed="hint\nq\n").stdout


def test_an_interrupted_training_goes_on_to_the_same_values(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from solver.sampling import value_training

    whole, part = tmp_path / "whole.npz", tmp_path / "part.npz"
    words = (*SMALL, "--plays", "3000", "--deals", "4", "--seed", "2", *RESPONSES)
    run("train", str(whole), *words, "-q")
    assert "nothing is left" in run("train", str(whole), *words, "--resume", exit_code=2).stderr
    train_values = value_training.train_values

    def interrupted(*arguments: Any, progress: Any, **options: Any) -> Any:
        def watch(plays: int, seconds: float) -> Any:
            if plays > 200:
                os.kill(os.getpid(), signal.SIGINT)
            return progress(plays, seconds)

        return train_values(*arguments, progress=watch, **options)

    with monkeypatch.context() as context:
        context.setattr(value_training, "train_values", interrupted)
        said = run("train", str(part), *words, exit_code=130).stdout
    assert "are unfinished" in plain(said)
    assert "--resume" in said
    assert "3,000 plays" in run("train", str(part), *words, "--resume", "-q").stdout
    rules = load_rules(overrides=SMALL[1::2])
    first, second = (policies.values_at(path, rules, 2).network for path in (whole, part))
    np.testing.assert_array_equal(first.inputs, second.inputs)
    assert "cannot read" in run("train", str(tmp_path / "no.npz"), "--resume", "-q", exit_code=2).stderr
    assert "--force" in run("train", str(part), "--resume", "--force", "-q", exit_code=2).stderr


@pytest.mark.parametrize("num_players", [2, 3])
def test_values_of_the_box_come_with_the_package_and_say_how_they_were_learned(num_players: int) -> None:
    rules = load_rules()
    path = training.shipped_values(rules, num_players)
    assert path is not None
    assert path.stat().st_size < 2_000_000
    kept = policies.training_of(policies.values_at(path, rules, num_players))
    report = training.shipped_report(path)
    assert report is not None
    assert (report.plays, report.positions, report.seed) == (kept.plays, kept.positions, kept.seed)
    assert report.rules.sha256 == rules.sha256
    assert report.completed
    assert report.seconds > 0
    assert training.shipped_values(load_rules(overrides=SMALL[1::2]), num_players) is None
    # A finished training is rounded to what its file holds: loaded and kept again it is the same.
    before = kept.network.inputs.copy()
    learned_values.make_small(kept.network, kept.seed)
    np.testing.assert_array_equal(kept.network.inputs, before)
