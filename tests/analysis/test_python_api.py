"""The Python API: its page and its docstrings run as written, and importing it stays cheap."""

from __future__ import annotations

import doctest
import subprocess
import sys
from pathlib import Path

import pytest

import analysis
from analysis.errors import RequestError

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_SOLVER_CACHE", str(tmp_path))


def test_page() -> None:
    page = ROOT / "docs" / "python-api.md"
    failed, tried = doctest.testfile(str(page), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert tried > 5
    assert not failed


def test_docstrings() -> None:
    failed, tried = doctest.testmod(analysis.ragers)
    assert tried > 3
    assert not failed


def test_importing_and_looking_up_needs_no_compiler() -> None:
    code = (
        "import sys, analysis\n"
        "light = {'numba', 'scipy', 'click', 'rich'}\n"
        "assert not light & set(sys.modules), light & set(sys.modules)\n"
        "assert 'numpy' not in sys.modules\n"
        "analysis.ragers.solve('Arianna', 'two-bashers')\n"
        "assert not light & set(sys.modules), light & set(sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("wrong", "option"),
    [
        ({"patron": "Nobody"}, "--patron"),
        ({"cheers": "nothing"}, "--cheers"),
        ({"player": "judges"}, "--player"),
        ({"hand": "B B B B B B"}, "--hand"),
    ],
)
def test_what_is_wrong_is_said_by_its_option(wrong: dict[str, str], option: str) -> None:
    asked = {"patron": "Arianna", "cheers": "two-bashers", **wrong}
    with pytest.raises(RequestError) as caught:
        analysis.ragers.solve(asked.pop("patron"), asked.pop("cheers"), **asked)  # type: ignore[arg-type]
    assert caught.value.option == option


@pytest.mark.parametrize("texts", [("a=1:2", "b=1:2", "c=1:2"), ("a=1:2", "a=2:3"), ("nonsense",)])
def test_axes_that_make_no_sense(texts: tuple[str, ...]) -> None:
    with pytest.raises(RequestError):
        analysis.ragers.sweep(*texts)
