"""What was asked stands in the answer: rules that are not the box's, in the first line of every command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from analysis.amounts import signed
from analysis.ragers.answers import kept_health, solving
from analysis.ragers.answers.solving import Effort

SET = ("--set", "match.row_length=2", "--set", "match.hand_size=2", "--set", "cards.basher.gp=4")
DAY = ("--patron", "solennos", "--cheers", "two-bashers")
ONE = ("--iterations", "4", "-q")
COMMANDS: list[tuple[str, ...]] = [
    ("solve", *DAY, *ONE),
    ("solve", *DAY, "--dry-run", "-q"),
    ("balance", *DAY, "-q"),
    ("advise", *DAY, "--hand", "B S", *ONE),
]


def test_the_first_line_names_changed_rules(fake_solver: Any, run: Any, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('name = "Quick Ragers"\n[match]\nrow_length = 2\nhand_size = 2\n', encoding="utf-8")
    for rules, named in (
        (("--rules", str(file)), "Quick Ragers"),
        (SET, "Ragers with match.row_length=2, match.hand_size=2, cards.basher.gp=4"),
    ):
        run("solve", *DAY, *ONE, *rules)
        for words in COMMANDS:
            for form in ((), ("--format", "md")):
                text = run(*words, *rules, *form).stdout
                assert " ".join(text.lstrip("#* ").split()).startswith(named)


def test_what_balance_computed_is_kept_and_a_damaged_file_is_not_believed(
    run: Any, monkeypatch: pytest.MonkeyPatch, own_library: Path
) -> None:
    words = ("balance", *DAY, "-q", "--format", "json")

    def answered() -> str:
        return str(run(*words).stdout.partition('"timing"')[0])

    first = answered()
    with monkeypatch.context() as patch:
        patch.setattr(kept_health, "scenario_health", lambda *_: pytest.fail("computed again"))
        assert answered() == first
    (kept,) = own_library.rglob("health/*.json")
    whole = kept.read_bytes()
    for damaged in (b"", whole[:100], whole[:-9] + b"1" + whole[-8:]):
        kept.write_bytes(damaged)
        assert answered() == first
        assert kept.read_bytes() == whole
    other = json.loads(run(*words, "--side", "defenders").stdout)
    assert other["scenarios"][0]["player"] == "defenders"
    assert len([*own_library.rglob("health/*.json")]) == 2
    assert "would be removed" in run("library", "prune", "--older-than", "1h", "--dry-run").stdout


def test_advice_is_sorted_by_cost_and_costs_below_the_certificate_are_marked(run: Any) -> None:
    words = ("advise", *DAY, "--hand", "BBSCH", "-q")
    report = json.loads(run(*words, "--format", "json").stdout)
    costs = [row["cost_gp"] for row in report["actions"]]
    assert costs == sorted(costs)
    lines = run(*words).stdout.splitlines()
    for row in report["actions"]:
        (line,) = [line for line in lines if line.split()[:1] == [row["action"].capitalize()]]
        assert line.endswith("?") == (0.0 < row["cost_gp"] < report["nash_conv_gp"])
    own, opp = report["best_response_gp"]
    told = " ".join(" ".join(lines).split())
    assert f"your plan is worth {signed(-opp)} GP or more" in told
    assert f"no reply to the opponent's plan more than {signed(own)} GP" in told


def test_without_limits_a_solve_is_to_be_exact_and_a_stored_good_answer_will_do(
    fake_solver: Any, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    solve = fake_solver.solve
    module = __import__("sys").modules["solver.hidden_hands"]

    def noted(game: Any, settings: Any, *rest: Any, **named: Any) -> Any:
        asked.append(settings)
        return solve(game, settings, *rest, **named)

    monkeypatch.setattr(module, "solve", noted)
    run("solve", *DAY, *SET, "-q")
    assert (asked[0].target_share, asked[0].target) == (0.02, solving.FINE_TARGET_GP)
    run("solve", *DAY, *SET, "-q", "--target", "0.1", "--fresh")
    assert (asked[1].target_share, asked[1].target) == (None, 0.1)
    shares = {60: True, 6: True, 4: False}
    for iterations, enough in shares.items():
        # NashConv is 1 / iterations, and a day pays 4.125 GP.
        words = ("solve", *DAY, *SET, "-q", "--set", f"cheers.two-bashers.gp={iterations % 20}")
        run(*words, "--iterations", str(iterations))
        before = len(asked)
        run(*words)
        assert (len(asked) == before) == enough
    assert Effort().unlimited
