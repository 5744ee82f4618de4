"""Shells complete commands, options and choices, as docs/how-to.md says."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner

from cli.programs import program_of
from tests.cli.conftest import ROOT

PAGE = (ROOT / "docs" / "how-to.md").read_text(encoding="utf-8")


def test_shells_are_told_how(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("click.shell_completion.BashComplete._check_version", lambda *_: None)
    for name in ("ragers", "ragers-solve", "raverun", "clash", "arena"):
        variable = f"_{name.upper().replace('-', '_')}_COMPLETE"
        assert re.search(rf"\b{variable}\b", PAGE)
        for shell in ("bash", "zsh", "fish"):
            environment = {variable: f"{shell}_source"}
            result = CliRunner().invoke(program_of(name), [], env=environment, prog_name=name)
            assert result.exit_code == 0
            assert f"{variable}={shell}_complete" in result.stdout


def test_words_are_completed() -> None:
    for line, found in (
        ("ragers pl", "play"),
        ("ragers play --opponent gr", "greedy"),
        ("ragers solve --pat", "--patron"),
    ):
        words = {"COMP_WORDS": line, "COMP_CWORD": str(len(line.split()) - 1)}
        environment = {"_RAGERS_COMPLETE": "bash_complete"} | words
        result = CliRunner().invoke(program_of("ragers"), [], env=environment, prog_name="ragers")
        assert result.stdout == f"plain,{found}\n"
