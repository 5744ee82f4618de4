"""Rules that are not those we carry stand in the first line of an answer, in all games."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from cli.grid import Brief, Section, changed_rules, in_format
from engine.clash.rules import load_rules


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
