"""The Python functions: their page runs as written, and importing them stays cheap."""

from __future__ import annotations

import doctest
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_SOLVER_CACHE", str(tmp_path))


@pytest.mark.kernels
def test_page() -> None:
    page = ROOT / "docs" / "python-api.md"
    failed, tried = doctest.testfile(str(page), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert tried > 5
    assert not failed


def test_importing_and_looking_up_needs_no_compiler() -> None:
    code = (
        "import sys\n"
        "from arena_solver import ragers\n"
        "light = {'numba', 'scipy', 'click', 'rich'}\n"
        "assert not light & set(sys.modules), light & set(sys.modules)\n"
        "assert 'numpy' not in sys.modules\n"
        "ragers.solve(patron='Arianna', cheers='two-bashers')\n"
        "assert not light & set(sys.modules), light & set(sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
