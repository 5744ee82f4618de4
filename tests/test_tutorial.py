"""The tutorial is what its commands print: all of them run as written, in its order, and are compared."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from arena_solver.folders import CACHE_VARIABLE

SCRIPT = Path(__file__).resolve().parents[1] / "docs" / "make_tutorial.py"
_found = importlib.util.spec_from_file_location("make_tutorial", SCRIPT)
assert _found is not None
assert _found.loader is not None
make_tutorial = importlib.util.module_from_spec(_found)
_found.loader.exec_module(make_tutorial)

TEXT = make_tutorial.PAGE.read_text(encoding="utf-8")
COMMANDS = make_tutorial.commands(TEXT)
#: They solve on the spot.
LIVE = ("sweep", "diff", "match")
RENEW = "write it again: python docs/make_tutorial.py"
NUMBER = re.compile(r"\d+(?:\.\d+)?")


def outputs(commands: Sequence[object], folder: Path, patch: pytest.MonkeyPatch) -> list[str]:
    """Return what commands print, one after the other in a folder of their own."""
    patch.chdir(folder)
    patch.setenv(CACHE_VARIABLE, str(folder / "cache"))
    make_tutorial.write_files(TEXT, folder)
    return [make_tutorial.run(command) for command in commands]


def normalised(output: str) -> str:
    """Return an output without what another release, or another machine, prints otherwise."""
    return re.sub(r"version [\w.]+", "version", output)


def alike(first: str, second: str) -> bool:
    """Return whether two outputs agree but for the last digit of their numbers, and the width of columns."""
    shapes, numbers = [], []
    for output in (first, second):
        text = re.sub("[▁▂▃▄▅▆▇█]+", "▁", normalised(output))
        shapes.append(NUMBER.sub("0", " ".join(text.split())))
        numbers.append(NUMBER.findall(text))
    if shapes[0] != shapes[1]:
        return False
    for one, other in zip(*numbers, strict=True):
        decimals = len(one.partition(".")[2])
        if abs(float(one) - float(other)) > 1.01 * 10**-decimals:
            return False
    return True


def test_every_example_of_the_page_is_run() -> None:
    assert TEXT.count("\n$ ") == len(COMMANDS)
    run = {command.words.split()[0] for command in COMMANDS}
    assert run >= {"solve", "advise", "balance", "rules", "sweep", "diff", "play", "review"}


def test_outputs_are_compared_digit_by_digit() -> None:
    assert alike("a  0.12 ▁█  5\nb", "a 0.13 █▁ 6 b")
    assert not alike("a 0.12", "a 0.14")
    assert not alike("a 0.12", "b 0.12")


def test_what_is_quick(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    quick = [command for command in COMMANDS if not command.words.startswith(LIVE)]
    for command, output in zip(quick, outputs(quick, tmp_path, monkeypatch), strict=True):
        assert normalised(output) == normalised(command.output), RENEW


@pytest.mark.kernels
def test_what_is_solved_on_the_spot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    live = [command for command in COMMANDS if command.words.startswith(LIVE)]
    for command, output in zip(live, outputs(live, tmp_path, monkeypatch), strict=True):
        assert alike(output, command.output), f"{RENEW}\n{output}"
