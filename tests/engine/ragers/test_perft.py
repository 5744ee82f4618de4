"""Node counts by depth, kept as files, from the reference and from the kernel.

A file holds `rules` (overrides of the box), where to `start` (a match, or a day with its patron, cheers
cards, and perhaps hands and decks), and the number of `nodes` at each depth, to the end of play or less far.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.ragers.codec import encode
from engine.ragers.kernel_rules import kernel_rules
from engine.ragers.perft import perft
from engine.ragers.reference import State, start_day, start_match
from engine.ragers.rules import Rules, load_rules
from tests.engine.ragers.plays import nodes_by_depth

_FILES = sorted((Path(__file__).parent / "perft").glob("*.json"))


def rules_of(spec: dict[str, Any]) -> Rules:
    return load_rules(overrides=spec["rules"])


def start(spec: dict[str, Any]) -> State:
    rules, begin = rules_of(spec), spec["start"]
    if begin.get("match"):
        return start_match(rules)
    return start_day(
        rules,
        begin["patron"],
        begin["cheers"],
        preparation=begin["preparation"],
        hands=begin.get("hands"),
        decks=begin.get("decks"),
    )


@pytest.fixture(params=_FILES, ids=lambda file: file.stem)
def spec(request: pytest.FixtureRequest) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(request.param.read_text())
    return content


def test_files_are_there() -> None:
    assert len(_FILES) >= 6


def test_kernel_counts(spec: dict[str, Any]) -> None:
    state = start(spec)
    counted = perft(encode(state), kernel_rules(state.rules), len(spec["nodes"]) - 1)
    assert counted.tolist() == spec["nodes"]


def test_reference_counts(spec: dict[str, Any]) -> None:
    assert nodes_by_depth(start(spec), len(spec["nodes"]) - 1) == spec["nodes"]
