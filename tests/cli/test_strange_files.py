"""Files that are none, counts beyond sense, text that would steer a terminal: one line, nothing lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cli.output import visible
from cli.programs import program_of
from engine.bounded import read_bounded

STEERING = "\x1b[31mred\x07 \x9b31m \u202ereversed\u2028"
EFG = """EFG 2 R "\x1b[31mtitle \x9b31m" { "An\x07na" "Ben" } "" p "" 1 1 "" { "l\u202eeft" "right" } 0
t "" 1 "" { 1 -1 } t "" 2 "" { 0 0 }
"""


def run(program: str, *words: str) -> Result:
    result = CliRunner().invoke(program_of(program), list(words), prog_name=program)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def test_a_file_is_read_up_to_its_limit(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(bytes(1024))
    assert read_bounded(path, 1024) == bytes(1024)
    path.write_bytes(bytes(1025))
    with pytest.raises(OSError, match="larger than 1 KiB"):
        read_bounded(path, 1024)


def test_what_steers_a_terminal_is_shown_as_an_escape() -> None:
    shown = visible(STEERING + "\n\t é")
    assert not any(each in shown for each in "\x1b\x07\x9b\u202e\u2028")
    assert shown.endswith("\n\t é")
    assert json.loads(f'"{visible(STEERING)}"') == STEERING


@pytest.mark.parametrize("form", ["table", "json", "csv", "md"])
def test_titles_and_names_of_other_people_are_never_printed_raw(form: str, tmp_path: Path) -> None:
    path = tmp_path / "game.efg"
    path.write_text(EFG, encoding="utf-8")
    result = run("arena", "solve", str(path), "--format", form)
    assert result.exit_code == 0, result.output
    assert not any(each in result.output for each in "\x1b\x07\x9b\u202e")
