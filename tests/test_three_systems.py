"""Where Unix is taken away, in a folder with a long name, by code page 1252: the same answers."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from cli.programs import program_of
from tests.front.games import QUICK, SMALL_DAY, declared
from tests.golden.pages import steady

ROOT = Path(__file__).resolve().parents[1]
ELSEWHERE = Path(__file__).with_name("elsewhere.py")
FOLDER = "Spielregeln für Zoë & Ömer, 1 " + "x" * 170
"""What a folder may be called on all systems."""
RULES = b'name = "Z\xc3\xbcrcher Regeln"\r\n\r\n[cards.basher]\r\ngp = 5\r\n'
EXTRAS = ("--vary", "--diff", "--habit")
README = [
    shlex.split(line.removeprefix("pip install . && "), comments=True)
    for block in re.findall(r"^```\n(.*?)^```", (ROOT / "README.md").read_text(encoding="utf-8"), re.M | re.S)
    for line in block.splitlines()
    if re.match(r"(pip install \. && )?ragers(-solve)? ", line)
]
LEFT_OUT = ("balance", "match", "play", "report", "study")
"""They take long, want a person, or an extra; the tests of the verbs ask them, but for the last."""


LARGE = ("--patron", "--cheers", "--time-limit", "--output")
"""Options that make way for those of a small day."""


def _without(words: list[str], *options: str) -> list[str]:
    """Return a command without some options and their values."""
    before = ["", *words]
    return [each for each, last in zip(words, before, strict=False) if not {each, last} & set(options)]


def of_the_readme(*, live: bool) -> list[list[str]]:
    """Return the README's commands that solve, for a small day, or those that do not."""
    found = []
    for words in README:
        solves = any(each in words for each in ("--set", "--rules", *EXTRAS))
        if words[1] in LEFT_OUT or "--standing" in words or solves != live:
            continue
        if words[1] == "advise":  # by time, else
            words = [*words, "--iterations", "10"]
        if live:
            words = [*_without(words, *LARGE), *SMALL_DAY, "--iterations", "20"]
        found.append(words if "--help" in words or "--format" in words else [*words, "--format", "json"])
    return found


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


@pytest.mark.slow
def test_the_readmes_stored_answers(tmp_path: Path) -> None:
    commands = of_the_readme(live=False)
    assert len(commands) >= 5
    check_same(commands, tmp_path)


@pytest.mark.kernels
@pytest.mark.slow
def test_the_readmes_solves_for_a_small_day(tmp_path: Path) -> None:
    commands = of_the_readme(live=True)
    assert len(commands) >= 5
    check_same(commands, tmp_path)


GAME_FILES = sorted((ROOT / "tests" / "cli" / "game_files").iterdir())


@pytest.mark.parametrize("path", GAME_FILES, ids=lambda path: path.name)
def test_game_files_with_the_line_ends_of_windows(path: Path) -> None:
    text, other = (path.read_bytes().replace(b"\n", end) for end in (b"\n", b"\r\n"))
    assert text != other
    words = ["solve", "-", "--format", "json"]
    first, second = (CliRunner().invoke(program_of("arena"), words, input=each) for each in (text, other))
    assert (first.exit_code, first.stderr) == (second.exit_code, second.stderr)
    if first.exit_code == 0:
        assert steady(json.loads(first.stdout)) == steady(json.loads(second.stdout))


@pytest.mark.parametrize("name", ["rules.toml", "cards.csv"])
def test_rules_with_the_line_ends_of_windows(name: str, tmp_path: Path) -> None:
    path, found, ragers = tmp_path / name, [], program_of("ragers")
    if name == "cards.csv":
        made = CliRunner().invoke(
            program_of("ragers"), ["rules", "show", "-o", str(path), "--set", "cards.basher.gp=5"]
        )
        assert made.exit_code == 0, made.output
    else:
        path.write_bytes(b"[cards.basher]\ngp = 5\n")
    text = path.read_bytes()
    assert b"\r" not in text
    for each in (text, text.replace(b"\n", b"\r\n")):
        path.write_bytes(each)
        shown = CliRunner().invoke(
            program_of("ragers"), ["rules", "show", "--rules", str(path), "--format", "json"]
        )
        assert shown.exit_code == 0, shown.output
        found.append(steady(json.loads(shown.stdout)))
    assert found[0] == found[1]
    plain = CliRunner().invoke(ragers, ["rules", "show", "--format", "json"])
    assert found[0] != steady(json.loads(plain.stdout))


def words_of(game: str, verb: str) -> list[str]:
    """Return the command of a verb with its quick settings; values go to a file of the folder."""
    given = [
        "values.npz" if each == "/dev/null" or each.endswith(".npz") else each for each in QUICK[game][verb]
    ]
    return [game, *verb.split(), *given, "--format", "json", "-q"]


VERBS: dict[str, list[list[str]]] = {}
for _each in declared(asks=True):
    _game, _verb = map(str, _each.values)
    if _game != "bidding":
        VERBS.setdefault(_game if _each.marks else "quick", []).append(words_of(_game, _verb))


@pytest.mark.parametrize(
    "commands",
    [
        pytest.param(commands, id=name, marks=[] if name == "quick" else [pytest.mark.kernels])
        for name, commands in VERBS.items()
    ],
)
def test_each_verb_of_each_game(commands: list[list[str]], tmp_path: Path) -> None:
    check_same(commands, tmp_path)
