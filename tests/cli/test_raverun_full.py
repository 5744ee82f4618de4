"""`raverun-solve` without --exact, and `raverun play`."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import signal
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest
from click.testing import CliRunner, Result

from analysis.raverun import approximate_answers
from cli.raverun.main import raverun
from engine.raverun.rules import load_rules

pytestmark = pytest.mark.kernels

SCHEMA_FILE = Path(approximate_answers.__file__).parent / "schema" / "approximate-2.schema.json"
SMALL = ("--set", "match.characters=4", "--set", "match.hand_size=3")
QUICK = (*SMALL, "--iterations", "300", "--games", "300", "--deals", "60")
MCCFR = ("--method", "mccfr")


def run(*words: str, exit_code: int = 0, typed: str | None = None) -> Result:
    result = CliRunner().invoke(raverun, list(words), prog_name="raverun", input=typed)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == exit_code, result.output
    return result


def answer(*words: str, exit_code: int = 0) -> Any:
    text = run("solve", *QUICK, *words, "--format", "json", "-q", exit_code=exit_code).stdout
    report = json.loads(text)
    jsonschema.validate(report, json.loads(SCHEMA_FILE.read_text()), cls=jsonschema.Draft202012Validator)
    return report


def test_the_schema_is_that_of_the_structs() -> None:
    kept = json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(kept)
    made = msgspec.json.schema(approximate_answers.ApproximateReport)
    assert kept == {**made, "$schema": kept["$schema"], "$id": "approximate-2.schema.json"}


@pytest.mark.parametrize("method", ["learned", "mccfr"])
def test_an_answer_says_what_it_is_and_what_was_asked(method: str) -> None:
    report = answer("--hand", "1A 2B 4C", "--method", method)
    assert "not an equilibrium" in report["label"]
    assert report["rules"]["sha256"] == load_rules(overrides=SMALL[1::2]).sha256
    assert report["training"]["iterations"] == 300
    assert report["training"]["source"] == "trained"
    if method == "mccfr":
        assert report["bound"]["lower_bound"] <= max(0, report["bound"]["nash_conv"])
    else:
        assert report["training"]["num_hidden"] == 256
    assert [match["opponent"] for match in report["matches"]] == ["random", "greedy"]
    assert all(match["wins"] + match["draws"] + match["losses"] == 120 for match in report["matches"])
    cards = report["hand"]["cards"]
    assert sorted(card["card"] for card in cards) == ["1A", "2B", "4C"]
    assert sum(card["mix"] for card in cards) == pytest.approx(1)
    assert {card["worth"]["observations"] for card in cards} == {300}
    worths = [card["worth"]["mean"] for card in cards]
    assert worths == sorted(worths, reverse=True)
    # With the same deals, what a card is behind the best one is the difference of the means.
    assert [card["behind"]["mean"] for card in cards] == pytest.approx([worths[0] - each for each in worths])
    assert report["hand"]["payoff"]["mean"] == pytest.approx(
        sum(card["mix"] * card["worth"]["mean"] for card in cards), abs=0.1
    )
    assert len(report["first_cards"]) == 12
    # Each game has two first cards, of hands of three.
    chosen = [card["chosen"] for card in report["first_cards"]]
    assert report["games"] == 600
    assert sum(each["observations"] for each in chosen) == 600 * 2 * 3
    assert sum(each["observations"] * each["mean"] for each in chosen) == pytest.approx(600 * 2)
    # Advantages over the rest of the same hand cancel out, and so do those of all hands over their mean.
    for name in ("advantage", "holding"):
        first = [card[name] for card in report["first_cards"]]
        assert sum(each["observations"] * each["mean"] for each in first) == pytest.approx(0, abs=1e-9)
        for groups in (report["bid_groups"], report["play_groups"]):
            for kind, size in (("characters", 4), ("letters", 3)):
                assert len(groups[kind]) == size
                of_kind = [each[name] for each in groups[kind]]
                if groups is report["bid_groups"]:
                    assert sum(each["observations"] for each in of_kind) == sum(
                        each["observations"] for each in first
                    )
                total = sum(each["observations"] * each["mean"] for each in of_kind)
                assert total == pytest.approx(0, abs=1e-9)
    assert [action["action"] for action in report["actions"]] == ["swap", "exchange", "draw", "deploy"]
    assert report["rounds"][0]["reached"]["mean"] == 1.0
    assert report["rounds"][0]["round"] == 1
    assert report["length"]["rounds"]["mean"] == pytest.approx(
        sum(each["reached"]["mean"] for each in report["rounds"])
    )
    assert len(report["order"]["plays_first_by_round"]) == len(report["rounds"])
    assert all(-2 <= report["order"][name]["mean"] <= 2 for name in ("right", "first", "right_a_game"))


def test_same_seed_same_answer() -> None:
    first, again, other = (
        answer("--seed", seed, "--threads", threads) for seed, threads in (("4", "1"), ("4", "3"), ("5", "1"))
    )
    for report in (first, again, other):
        report["training"]["seconds"] = 0
    assert first == again
    assert first["first_cards"] != other["first_cards"]


def test_all_formats() -> None:
    table = run("solve", *QUICK, *MCCFR, "--hand", "1A 2B 4C", "-q").stdout
    assert max(map(len, table.splitlines())) <= 80
    assert "NashConv is at least" in " ".join(table.split())
    assert "not an equilibrium" in " ".join(table.split())
    rows = list(csv.DictReader(io.StringIO(run("solve", *QUICK, "-q", "--format", "csv").stdout)))
    assert {"first_card_worth", "played_letter_advantage", "action_worth", "match", "order"} <= {
        row["what"] for row in rows
    }
    assert "not an equilibrium" in rows[0]["label"]
    assert "| swap |" in run("solve", *QUICK, "-q", "--format", "md").stdout


def test_three_players_are_a_heuristic() -> None:
    report = answer("--players", "3")
    assert report["label"].startswith("a heuristic")
    assert report["bound"] is None
    assert report["players"] == 3


def test_a_full_table_is_counted() -> None:
    report = answer(*MCCFR, "--max-infosets", "50")
    assert report["training"]["infosets"] == 50
    assert report["training"]["lost"] > 0
    assert "table full" in run("solve", *QUICK, *MCCFR, "-q", "--max-infosets", "50").stdout


@pytest.mark.parametrize("times", [1, 2])
def test_an_interrupt_reports_what_there_is(times: int, monkeypatch: pytest.MonkeyPatch) -> None:
    from solver.sampling.external_sampling import ExternalSamplingTrainer

    whole = ExternalSamplingTrainer.run

    def interrupted(self: Any, iterations: int | None = None, **options: Any) -> Any:
        if options.get("progress") is not None:
            for _ in range(times):
                os.kill(os.getpid(), signal.SIGINT)
        return whole(self, iterations, **options)

    monkeypatch.setattr(ExternalSamplingTrainer, "run", interrupted)
    report = answer(*MCCFR, exit_code=130)
    assert report["training"]["stopped"] == "interrupted"
    assert report["bound"] is None
    assert report["games"] == 60


@pytest.mark.parametrize("opponent", ["search:iterations=20", "greedy", "random"])
@pytest.mark.parametrize("seat", [0, 1])
def test_games_by_script_end_with_the_score_of_the_table(opponent: str, seat: int) -> None:
    words = ("--opponent", opponent, "--seat", str(seat + 1), "--seed", "5")
    output = run("play", *SMALL, *words, typed="1\n" * 100).stdout
    assert output == run("play", *SMALL, *words, typed="1\n" * 100).stdout
    names = [load_rules().card_name(card) for card in range(24)]
    rows = re.findall(r"^(?:you|Ada|Ben) *  stack, top last: (.*?)   battlefield", output, flags=re.MULTILINE)
    stacks = rows[-2:]
    tops = [names.index(stack.split()[-1]) if stack != "-" else -1 for stack in stacks]
    won = tops[seat] > tops[1 - seat]
    assert ("You win." if won else "You lose.") in output
    expected = ["+1" if tops[player] > tops[1 - player] else "-1" for player in (0, 1)]
    assert output.splitlines()[-1] == "Payoffs: " + " ".join(expected)


def test_a_game_given_up_goes_on(own_library: Path) -> None:
    assert "no game was left" in run("play", "--resume", exit_code=2).stderr
    words = (*SMALL, "--opponent", "greedy", "--seed", "1")
    first = run("play", *words, typed="1\nq\n", exit_code=1).stdout
    assert "To go on: raverun play --resume" in first
    on = run("play", "--resume", typed="u\nu\n1\nq\n", exit_code=1).stdout
    tables = [re.findall(r"^(?:you|Ben) .*|.*your hand.*", text, flags=re.MULTILINE) for text in (first, on)]
    # As it was left, at the beginning once that is taken back, and again as it was.
    assert tables[1] == tables[0][3:] + tables[0]
    assert on.count("  taken back") == on.count("there is nothing to take back") == 1
    assert "Payoffs:" in run("play", "--resume", typed="1\n" * 100).stdout
    assert "no game was left" in run("play", "--resume", exit_code=2).stderr
    assert "--seed is for a new one" in run("play", "--resume", "--seed", "2", exit_code=2).stderr
    for spoilt in (b"", b"{}", b"\xff"):
        own_library.mkdir(exist_ok=True)
        (own_library / "left-game-raverun.txt").write_bytes(spoilt)
        said = " ".join(run("play", "--resume", exit_code=2).stderr.split())
        assert "is no transcript" in said or "does not begin with" in said


def test_what_is_typed_at_the_table() -> None:
    typed = "9Z\n?\nhint\ntable\nchoose\nhelp 4b\nhelp bury\nhelp 9\nu\n1\nu\n1\nq\n"
    output = run("play", *SMALL, "--opponent", "random", typed=typed, exit_code=1).stdout
    assert re.search(r"^  1\) choose", output, flags=re.MULTILINE)
    assert not re.search(r"^  0\)", output, flags=re.MULTILINE)
    assert "'9Z' is none of these moves" in output
    assert "'choose' may be 3 of these moves" in output
    assert "what your moves are worth, by a search" in output
    assert output.count("your hand:") == 5
    assert "4B: deploy. You may move a card from any battlefield" in output
    assert "nothing is called '9' here" in output
    assert output.count("  taken back") == output.count("there is nothing to take back") == 1
    # What was taken back and done again goes on in the same way.
    first, again = output.split("  taken back")
    assert (
        first[first.index("You: choose") :].split("\nyour move")[0]
        == again[again.index("You: choose") :].split("\nyour move")[0]
    )
    assert "Stopped; the game is not over." in run("play", *SMALL, typed="", exit_code=1).stdout
    three = ("--players", "3", "--opponent", "greedy", "--opponent", "random", "--seat", "3")
    assert "Payoffs:" in run("play", *SMALL, *three, typed="1\n" * 200).stdout
    assert "seats are 1 to 2" in run("play", "--seat", "3", exit_code=2).stderr
    three = (*three[:2], *(each for n in range(3) for each in ("--opponent", "random")))
    assert "2 others play, not 3" in run("play", *three, exit_code=2).stderr


def test_values_of_a_file_answer_and_options_that_do_nothing_are_refused(tmp_path: Path) -> None:
    values = tmp_path / "values.npz"
    quick = ("--plays", "300", "--deals", "4", "--response-iterations", "5", "--response-deals", "2", "-q")
    run("train", str(values), *SMALL, *quick)
    words = (*SMALL, "--games", "40", "--deals", "20", "--values", str(values), "--format", "json", "-q")
    report = json.loads(run("solve", *words).stdout)
    assert report["training"]["source"] == "values.npz"
    assert report["training"]["iterations"] == 300
    assert report["bound"] is None
    assert "were trained before" in run("solve", *words, "--iterations", "3", exit_code=2).stderr
    assert "only with --method mccfr" in run("solve", "--recall", "view", exit_code=2).stderr
    refused = run("solve", *MCCFR, "--values", str(values), exit_code=2).stderr
    assert "only with --method learned" in refused
    assert "other rules" in run("solve", "--values", str(values), exit_code=2).stderr
