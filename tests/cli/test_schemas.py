"""Every report of the workbench as JSON against the schema that is published for it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import Result

from analysis.ragers.answers.library import Library
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


def test_library_list(carried_library: Library, fake_solver: Any, run: Any) -> None:
    assert checked("library-list", run("library", "list", "--format", "json"))["entries"] == []
    run("solve", *DAY, *ONE)
    run("solve", *DAY, *ONE, "--set", "cards.basher.gp=5")
    assert len(checked("library-list", run("library", "list", "--own", "--format", "json"))["entries"]) == 2


def test_library_list_of_what_cannot_be_read(own_library: Path, fake_solver: Any, run: Any) -> None:
    run("solve", *DAY, *ONE)
    (report,) = own_library.rglob("report.json")
    report.write_text("{", encoding="utf-8")
    (entry,) = checked("library-list", run("library", "list", "--own", "--format", "json"))["entries"]
    assert entry["method"] is None
