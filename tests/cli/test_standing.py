"""`ragers solve --standing`, `advise --match`, `review --for-match`: answers with schemas, refusals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner

from analysis.ragers.play.opponents import Greedy
from analysis.registry import game_named
from cli.programs import program_of
from engine.ragers.reference import is_over
from tests.cli.played_games import games
from tests.oracles.games import decks

ragers = program_of("ragers")

#: A match of one day, so that its only day is the last.
TINY = [
    word
    for override in (*decks("BSP", "BSPT"), "match.hand_size=2", "match.row_length=2", "match.days=1")
    for word in ("--set", override)
]
DAY = ("--patron", "the-nameless", "--cheers", "two-bashers")
STANDING = "day 1, score 0:1, left B1S1P1:B1S1P1T1"


@pytest.mark.kernels
def test_the_last_day_by_both_sides(run: Any) -> None:
    words = ("solve", "--standing", STANDING, *DAY, *TINY, "--iterations", "40", "-q", "--hand", "B S")
    report = json.loads(run(*words, "--format", "json").stdout)
    jsonschema.Draft202012Validator(game_named("ragers").question("solve").schema()).validate(report)
    (answer,) = report["answers"]
    assert report["match"] == "day 1, score 0:1, cheers 0:0, left B1S1P1:B1S1P1T1"
    assert answer["win"]["low"] <= answer["win"]["mean"] <= answer["win"]["high"]
    assert {each["action"] for each in answer["hand"]} == {"basher", "slasher"}
    # Best play against the plan found brings no more than the upper bound, and mixes all there is.
    assert sum(each["mix"] for each in answer["cards"]) == pytest.approx(1.0)
    paid = sum(each["mix"] * each["win"] for each in answer["cards"] if each["mix"])
    assert paid <= answer["win"]["high"] + 1e-9
    other = json.loads(run(*words, "--side", "defenders", "--format", "json").stdout)
    lows, highs = ([each["answers"][0]["win"][key] for each in (report, other)] for key in ("low", "high"))
    assert lows[0] + highs[1] == pytest.approx(1.0, abs=1e-3)
    assert lows[1] + highs[0] == pytest.approx(1.0, abs=1e-3)


@pytest.mark.kernels
def test_advice_on_a_typed_last_day(run: Any) -> None:
    words = ("advise", "--match", STANDING, *DAY, *TINY, "--iterations", "40", "-q")
    asked = ("--hand", "S P", "--history", "B/S", "--format", "json")
    report = json.loads(run(*words, *asked).stdout)
    jsonschema.Draft202012Validator(game_named("ragers").question("advise").schema()).validate(report)
    assert report["search"] is None
    assert {each["action"] for each in report["solved"]["actions"]} == {"slasher", "prodder"}
    assert report["history"] == ["basher/slasher"]
    refused = run(*words, "--hand", "B P", "--history", "B/S")
    assert (refused.exit_code, "left" in refused.stderr) == (2, True)


def test_transcripts_that_do_not_fit_are_refused(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "match.txt"
    file.write_text("no transcript", encoding="utf-8")
    assert "does not begin with" in run("solve", "--standing", str(file)).stderr
    game = next(each for each in games(Greedy(), 6) if not is_over(each.state) and each.state.day < 2)
    file.write_text(game.text(), encoding="utf-8")
    assert "tells patron" in run("solve", "--standing", str(file), "--patron", "Solennos").stderr
    placed = next(each for each in games(Greedy(), 30) if any(own.row for own in each.state.players))
    file.write_text(placed.text(), encoding="utf-8")
    assert "cards have been placed" in " ".join(run("solve", "--standing", str(file)).stderr.split())
    day = tmp_path / "day.txt"
    CliRunner().invoke(ragers, ["play", *DAY, "--seed", "1", "--transcript", str(day)], input="q\n")
    assert "is of a single day" in run("advise", "--match", str(day)).stderr
    refused = run("review", str(day), "--for-match")
    assert (refused.exit_code, "this is a single day" in refused.stderr) == (2, True)
