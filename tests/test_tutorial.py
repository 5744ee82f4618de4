"""The tutorials are what their commands print: all run as written, in their order, and are compared."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from arena_solver.folders import CACHE_VARIABLE
from tests.test_three_systems import FOLDER

SCRIPT = Path(__file__).resolve().parents[1] / "docs" / "make_tutorial.py"
_found = importlib.util.spec_from_file_location("make_tutorial", SCRIPT)
assert _found is not None
assert _found.loader is not None
make_tutorial = importlib.util.module_from_spec(_found)
_found.loader.exec_module(make_tutorial)

TEXTS = {path.name: path.read_text(encoding="utf-8") for path in make_tutorial.PAGES}
#: Stored answers of Ragers, and what all games say of their rules; the rest solves on the spot.
QUICK = re.compile(r"arena|\w+ (?:rules|report)|ragers (?!.*--(?:vary|diff|set|goal)|match|train)")
RENEW = "write it again: python docs/make_tutorial.py"
NUMBER = re.compile(r"\d+(?:\.\d+)?")


def outputs(commands: Sequence[object], text: str, folder: Path, patch: pytest.MonkeyPatch) -> list[str]:
    """Return what commands of a page print, one after the other in a folder of their own.

    It is called as a folder may be: long, with spaces and letters that are no ASCII.
    """
    folder /= FOLDER
    folder.mkdir()
    patch.chdir(folder)
    patch.setenv(CACHE_VARIABLE, str(folder / "cache"))
    make_tutorial.write_files(text, folder)
    return [make_tutorial.run(command) for command in commands]


def alike(first: str, second: str) -> bool:
    """Return whether two outputs agree but for the last digit of their numbers, and the width of columns."""
    shapes, numbers = [], []
    for output in (first, second):
        text = re.sub("[▁▂▃▄▅▆▇█]+", "▁", make_tutorial.normalised(output))
        shapes.append(NUMBER.sub("0", text))
        numbers.append(NUMBER.findall(text))
    if shapes[0] != shapes[1]:
        return False
    for one, other in zip(*numbers, strict=True):
        decimals = len(one.partition(".")[2])
        if abs(float(one) - float(other)) > 1.01 * 10**-decimals:
            return False
    return True


def test_every_example_of_the_pages_is_run() -> None:
    words = [command.words for text in TEXTS.values() for command in make_tutorial.commands(text)]
    assert len(words) == sum(text.count("\n$ ") for text in TEXTS.values())
    verbs = ("solve", "balance", "rules", "play")
    assert {each.split()[1] for each in words if each.startswith("ragers ")} >= set(verbs)


def test_outputs_are_compared_digit_by_digit() -> None:
    assert alike("a  0.12 ▁█  5\nb", "a 0.13 █▁ 6 b")
    assert not alike("a 0.12", "a 0.14")
    assert not alike("a 0.12", "b 0.12")


@pytest.mark.kernels
@pytest.mark.parametrize("name", TEXTS)
def test_what_is_quick(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commands = make_tutorial.commands(TEXTS[name])
    quick = [command for command in commands if QUICK.match(command.words)]
    for command, output in zip(quick, outputs(quick, TEXTS[name], tmp_path, monkeypatch), strict=True):
        assert make_tutorial.normalised(output) == make_tutorial.normalised(command.output), RENEW


@pytest.mark.kernels
@pytest.mark.parametrize("name", TEXTS)
def test_what_is_solved_on_the_spot(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = TEXTS[name]
    live = [command for command in make_tutorial.commands(text) if not QUICK.match(command.words)]
    for command, output in zip(live, outputs(live, text, tmp_path, monkeypatch), strict=True):
        assert alike(output, command.output), f"{RENEW}\n{output}"
