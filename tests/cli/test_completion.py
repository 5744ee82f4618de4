"""Shells complete commands, options and choices, as docs/how-to.md says."""

from __future__ import annotations

import re

import click
import pytest
from click.testing import CliRunner

from cli.programs import program_of
from tests.cli.conftest import ROOT

ragers = program_of("ragers")

arena = program_of("arena")
clash = program_of("clash")
raverun = program_of("raverun")

COMMANDS: dict[str, click.Command] = {
    "ragers": ragers,
    "ragers-solve": program_of("ragers-solve"),
    "raverun": raverun,
    "clash": clash,
    "arena": arena,
}
PAGE = (ROOT / "docs" / "how-to.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
@pytest.mark.parametrize("name", COMMANDS)
def test_shells_are_told_how(name: str, shell: str, monkeypatch: pytest.MonkeyPatch) -> None:
    variable = f"_{name.upper().replace('-', '_')}_COMPLETE"
    assert re.search(rf"\b{variable}\b", PAGE)
    monkeypatch.setattr("click.shell_completion.BashComplete._check_version", lambda *_: None)
    result = CliRunner().invoke(
        COMMANDS[name], [], env={variable: f"{shell}_source"}, prog_name=name, catch_exceptions=False
    )
    assert result.exit_code == 0
    assert f"{variable}={shell}_complete" in result.stdout


@pytest.mark.parametrize(
    ("line", "found"),
    [("ragers pl", "play"), ("ragers play --opponent gr", "greedy"), ("ragers solve --pat", "--patron")],
)
def test_words_are_completed(line: str, found: str) -> None:
    env = {
        "_RAGERS_COMPLETE": "bash_complete",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(line.split()) - 1),
    }
    result = CliRunner().invoke(ragers, [], env=env, prog_name="ragers", catch_exceptions=False)
    assert result.stdout == f"plain,{found}\n"
