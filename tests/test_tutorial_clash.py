"""The commands of the tutorial of Clash of Rage, run as written and compared with what stands below them.

After a change: `python -m tests.test_tutorial_clash` writes the page again.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.clash.commands.solve import solve
from cli.clash.main import clash

PAGE = Path(__file__).resolve().parents[1] / "docs" / "tutorial-clash.md"
BLOCK = re.compile(r"```console\n\$ (?P<words>clash.*)\n(?P<output>(?:.*\n)*?)```\n")
BLOCKS = list(BLOCK.finditer(PAGE.read_text(encoding="utf-8")))


def run(words: str) -> str:
    program, *rest = shlex.split(words)
    command = {"clash": clash, "clash-solve": solve}[program]
    result = CliRunner().invoke(command, rest, prog_name=program, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def normalised(text: str) -> str:
    """Without times, what depends on the version, and how a paragraph is broken."""
    return re.sub(r"\b[\d.]+ s\b|\b[0-9a-f]{16}\b", "-", " ".join(text.split()))


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_a_command_prints_what_stands_there(number: int) -> None:
    block = BLOCKS[number]
    assert normalised(run(block["words"])) == normalised(block["output"]), __doc__


def test_every_example_is_run() -> None:
    assert PAGE.read_text(encoding="utf-8").count("\n$ ") == len(BLOCKS) == 4


def renew() -> None:
    """Write the page with what its commands print now."""

    def block(found: re.Match[str]) -> str:
        return f"```console\n$ {found['words']}\n{run(found['words'])}```\n"

    PAGE.write_text(BLOCK.sub(block, PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    renew()
