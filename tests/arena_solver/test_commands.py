"""Console commands find our packages where somebody else's of the same names come first."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from arena_solver import commands
from tests.engine.contract.games import GAMES

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
SCRIPTS = PROJECT["project"]["scripts"]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Somebody's project with packages, and a module, of our names, in the current folder."""
    for name in ("engine", "cli", "solver"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise RuntimeError('not ours')\n")
    (tmp_path / "results.py").write_text("raise RuntimeError('not ours')\n")
    return tmp_path


def python(project: Path, code: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code, *words],
        cwd=project,
        # As if this package lay where others are installed.
        env=os.environ | {"PYTHONPATH": os.pathsep.join([".", str(ROOT)])},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_every_script_goes_by_the_package_with_a_name_of_its_own() -> None:
    assert set(SCRIPTS) == {"arena", *GAMES, *(f"{game}-solve" for game in GAMES)}
    for target in SCRIPTS.values():
        module, _, function = target.partition(":")
        assert module == commands.__name__
        assert callable(getattr(commands, function))
    packages = PROJECT["tool"]["uv"]["build-backend"]["module-name"]
    assert set(packages) == {"arena_solver", *commands.PACKAGES}


@pytest.mark.parametrize("name", SCRIPTS)
def test_commands_start_beside_other_peoples_packages(name: str, project: Path) -> None:
    module, _, function = SCRIPTS[name].partition(":")
    result = python(project, f"from {module} import {function}; {function}()", "--version")
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith(f"{name}, version ")


def test_what_has_been_loaded_already_is_named(project: Path) -> None:
    (project / "engine" / "__init__.py").write_text("")
    result = python(project, "import engine; from arena_solver.commands import ragers; ragers()", "--version")
    assert result.returncode == 1
    (line,) = result.stderr.splitlines()
    assert str(project / "engine") in line


def test_worker_processes_find_our_packages(project: Path) -> None:
    code = (
        "from arena_solver.commands import call, packed, prefer_ours; prefer_ours()\n"
        "import joblib\nfrom analysis.workers import worker_version\n"
        "work = packed(worker_version)\n"
        "print(*joblib.Parallel(n_jobs=2)(joblib.delayed(call)(work) for _ in range(2)))"
    )
    result = python(project, code)
    assert result.returncode == 0, result.stderr
    assert result.stdout == f"{PROJECT['project']['version']} {PROJECT['project']['version']}\n"
