"""The tutorial's commands, run as written, in a folder with its file."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena_solver.folders import CACHE_VARIABLE
from cli.ragers.main import ragers

PAGE = Path(__file__).resolve().parents[1] / "docs" / "tutorial.md"
TEXT = PAGE.read_text(encoding="utf-8")
COMMANDS = re.findall(r"^\$ ragers (.*)$", TEXT, flags=re.MULTILINE)
#: They solve on the spot.
LIVE = ("sweep", "diff", "match")


def run(command: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    [(name, quick)] = re.findall(r"^```toml (\S+)\n(.*?)^```", TEXT, flags=re.MULTILINE | re.DOTALL)
    (folder / name).write_text(quick, encoding="utf-8")
    monkeypatch.chdir(folder)
    monkeypatch.setenv(CACHE_VARIABLE, str(folder / "cache"))
    result = CliRunner().invoke(ragers, shlex.split(command), input="any\n" * 50, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    assert result.stdout


def test_there_are_commands() -> None:
    assert {command.split()[0] for command in COMMANDS} >= {
        "solve",
        "balance",
        "rules",
        "sweep",
        "diff",
        "play",
    }


@pytest.mark.parametrize("command", [each for each in COMMANDS if not each.startswith(LIVE)])
def test_command(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(command, tmp_path, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("command", [each for each in COMMANDS if each.startswith(LIVE)])
def test_live_command(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(command, tmp_path, monkeypatch)
