"""Every report of the workbench as JSON against the schema that is published for it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner, Result

from cli.ragers.main import ragers
from tests.cli.schemas import REPORTS, path_of, schema_of

SMALL = ("--set", "match.row_length=2", "--set", "match.hand_size=2", "--set", "patrons.arianna.row_length=2")
DAY = ("--patron", "arianna", "--cheers", "two-bashers", *SMALL)
ONE = ("--iterations", "4", "-q")


def kept(name: str) -> Any:
    return json.loads(path_of(name).read_text(encoding="utf-8"))


def checked(name: str, result: Result) -> Any:
    assert result.stdout, result.output
    report = json.loads(result.stdout)
    jsonschema.validate(report, kept(name), cls=jsonschema.Draft202012Validator)
    return report


@pytest.mark.parametrize("name", REPORTS)
def test_the_published_schema_is_that_of_the_structs(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(kept(name))
    assert kept(name) == schema_of(name), "write it again: python -m tests.cli.schemas"


@pytest.mark.parametrize("name", REPORTS)
def test_schemas_are_not_content_with_anything(name: str) -> None:
    assert not jsonschema.Draft202012Validator(kept(name)).is_valid({})
    assert not jsonschema.Draft202012Validator(kept(name)).is_valid({"schema": 1, "game": "ragers"})


@pytest.mark.parametrize(("said", "finished"), [("any\n" * 50, True), ("any\nany\nquit\n", False)])
def test_review(said: str, finished: bool, run: Any, tmp_path: Path) -> None:
    file = tmp_path / "day.txt"
    words = ("--patron", "Solennos", "--cheers", "two-bashers", "--opponent", "greedy", "--seed", "3")
    CliRunner().invoke(
        ragers, ["play", *words, "--transcript", str(file)], input=said, catch_exceptions=False
    )
    report = checked("review", run("review", str(file), "--format", "json"))
    assert report["finished"] is finished
