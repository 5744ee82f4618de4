"""Where Unix is taken away, in a folder with a long name, by code page 1252: the same answers."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from cli.programs import program_of
from tests.front.games import QUICK, declared
from tests.golden.pages import steady

ROOT = Path(__file__).resolve().parents[1]
ELSEWHERE = Path(__file__).with_name("elsewhere.py")
FOLDER = "Spielregeln für Zoë & Ömer, 1 " + "x" * 170
"""What a folder may be called on all systems."""
RULES = b'name = "Z\xc3\xbcrcher Regeln"\r\n\r\n[cards.basher]\r\ngp = 5\r\n'


def outcomes(commands: list[list[str]], folder: Path, *, here: bool) -> list[dict[str, Any]]:
    """Run commands in one process, in a folder that is empty but for a rules file."""
    place = folder / FOLDER
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    (place / "my.toml").write_bytes(RULES if not here else RULES.replace(b"\r\n", b"\n"))
    words = [sys.executable, *([] if here else ["-X", "warn_default_encoding"]), str(ELSEWHERE)]
    done = subprocess.run(
        [*words, *(["here"] if here else [])],
        cwd=place,
        input=json.dumps(commands),
        env={**_environment(), "ARENA_SOLVER_CACHE": str(place / "cache")},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def _environment() -> dict[str, str]:
    return {key: value for key, value in os.environ.items() if not key.startswith("PYTEST")}


def check_same(commands: list[list[str]], folder: Path) -> None:
    """Compare what commands answer here and elsewhere."""
    for words, first, second in zip(
        commands, outcomes(commands, folder, here=True), outcomes(commands, folder, here=False), strict=True
    ):
        assert first["code"] == second["code"], (words, first["err"], second["err"])
        assert first["code"] in (0, 3, None), (words, first["err"])
        if first["out"].startswith("{"):
            # JSON is read as UTF-8, whatever the code page is.
            assert second["out"].isascii(), words
            assert steady(json.loads(second["out"])) == steady(json.loads(first["out"])), words
        else:
            assert second["out"].count("\r\n") == second["out"].count("\n"), words
            assert "\r\r" not in second["out"], words


CHECKS = {
    "import resource": "ModuleNotFoundError",
    "os.getuid()": "AttributeError",
    "signal.SIGHUP": "AttributeError",
    "Path('/proc/meminfo').read_text('utf-8')": "FileNotFoundError",
    "Path('text').read_text()": "EncodingWarning",
    "kept = open('text', 'r+b'); Path('other').replace('text')": "PermissionError",
    "kept = open('text', 'r+b'); Path('text').unlink()": "PermissionError",
    "with open('text', 'r+b') as file: kept = mmap.mmap(file.fileno(), 0)\nPath('text').unlink()": (
        "PermissionError"
    ),
    "tempfile.NamedTemporaryFile().close()": "",
    "Path('other').replace('text')": "",
}
CHECKING = """
import json, mmap, os, signal, sys, tempfile
from pathlib import Path
from tests import elsewhere
elsewhere.take_away()
for code in json.load(sys.stdin):
    try:
        exec(code, {**vars(), "__name__": "analysis.any"})
        print()
    except BaseException as error:
        print(type(error).__name__)
"""


def test_what_is_taken_away_is_gone(tmp_path: Path) -> None:
    for name in ("text", "other"):
        (tmp_path / name).write_text("anything", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-X", "warn_default_encoding", "-c", CHECKING],
        cwd=tmp_path,
        input=json.dumps(list(CHECKS)),
        env={**_environment(), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert dict(zip(CHECKS, done.stdout.split("\n"), strict=False)) == CHECKS


GAME_FILES = sorted((ROOT / "tests" / "cli" / "game_files").iterdir())


def test_game_files_with_the_line_ends_of_windows() -> None:
    for path in GAME_FILES:
        text, other = (path.read_bytes().replace(b"\n", end) for end in (b"\n", b"\r\n"))
        words = ["solve", "-", "--format", "json"]
        first, second = (CliRunner().invoke(program_of("arena"), words, input=each) for each in (text, other))
        assert (first.exit_code, first.stderr) == (second.exit_code, second.stderr), path.name
        if first.exit_code == 0:
            assert steady(json.loads(first.stdout)) == steady(json.loads(second.stdout))


def words_of(game: str, verb: str) -> list[str]:
    """Return the command of a verb with its quick settings; values go to a file of the folder."""
    given = [
        "values.npz" if each == "/dev/null" or each.endswith(".npz") else each for each in QUICK[game][verb]
    ]
    return [game, *verb.split(), *given, "--format", "json", "-q"]


VERBS: dict[str, list[list[str]]] = {}
for _each in declared(asks=True):
    _game, _verb = map(str, _each.values)
    if _game != "bidding" and "slow" not in {mark.name for mark in _each.marks}:
        VERBS.setdefault(_game if _each.marks else "quick", []).append(words_of(_game, _verb))


@pytest.mark.parametrize(
    "commands",
    [
        pytest.param(
            commands, id=name, marks=[] if name == "quick" else [pytest.mark.kernels, pytest.mark.slow]
        )
        for name, commands in VERBS.items()
    ],
)
def test_each_verb_of_each_game(commands: list[list[str]], tmp_path: Path) -> None:
    check_same(commands, tmp_path)
