"""Rules that are not those we carry stand in the first line of an answer, in all games."""

from __future__ import annotations

import json
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner

from cli.grid import Brief, Section, changed_rules, in_format
from engine.clash.rules import load_rules

ANSWERS: dict[str, tuple[str, tuple[str, ...], str]] = {
    "clash solve": (
        "Clash of Rage (illustrative)",
        ("solve", "--attacker", "bohorg: 1 I", "--defender", "tomb: 1 I"),
        "clans.bohorg.units.pummeler.power=3",
    ),
    "clash need": (
        "Clash of Rage (illustrative)",
        ("need", "--attacker", "bohorg", "--defender", "elves: 1 Templar", "--max", "2,0,0"),
        "clans.bohorg.units.pummeler.power=3",
    ),
}


def _run(command: str, *words: str) -> Any:
    result = CliRunner().invoke(_program(command), words, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result


def _program(command: str) -> Any:
    game = command.split()[0]
    return getattr(import_module(f"cli.{game}.main"), game)


@pytest.mark.parametrize("command", ANSWERS)
def test_the_first_line_of_an_answer_names_changed_rules(command: str) -> None:
    name, words, change = ANSWERS[command]
    for form in ("table", "md"):
        text = _run(command, *words, "--set", change, "--format", form).stdout
        assert " ".join(text.lstrip("# ").split()).startswith(f"{name} with {change}")
        assert not _run(command, *words, "--format", form).stdout.lstrip("# ").startswith(name)
    report = json.loads(_run(command, *words, "--set", change, "--format", "json").stdout)
    assert report.get("rules", report.get("card_set"))["changed"] == [change.partition("=")[0]]


@pytest.mark.parametrize("field", ["rules", "card_set"])
@pytest.mark.parametrize("brief", [False, True])
def test_every_report_of_changed_rules_is_headed_by_them_once(field: str, brief: bool) -> None:
    def shown(changed: list[str], title: str) -> str:
        report = SimpleNamespace(**{field: SimpleNamespace(name="Mine", changed=changed)})
        parts = [Section(title, facts=[("wins", "0.5")]), Section("More", facts=[("draws", "0.1")])]
        short = (lambda _: Brief(parts[:1], [], "The rest")) if brief else None
        return in_format(report, "table", lambda _: [], lambda _: parts, lambda _: [], short)

    assert shown(["match.days"], "Result").startswith("Mine · Result\n")
    assert shown(["match.days"], "").startswith("Mine\n")
    assert shown(["match.days"], "Mine: result").startswith("Mine: result\n")
    assert shown([], "Result").startswith("Result\n")


@pytest.mark.parametrize("count", [1, 20])
def test_rules_are_named_by_all_their_changes(count: int) -> None:
    costs = [(key, value) for key, value in load_rules().values().items() if key.endswith(".cost")]
    changes = [f"{key}={value + 1}" for key, value in costs[:count]]
    assert len(changes) == count
    rules = load_rules((), changes)
    name = changed_rules(SimpleNamespace(rules=rules))
    assert name is not None
    assert all(change.partition("=")[0] in name for change in changes)
    assert (name == rules.name) == (count == 1)
