"""Games of other packages, quick starts, and who is imported by whom."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.front.games import BIDDING, ROOT

OWN_MODULES = 80
"""Modules of ours that the help of one command may load: each costs half a millisecond to a millisecond."""


@pytest.fixture
def installed(tmp_path: Path) -> dict[str, str]:
    """Lay the game of the examples where packages lie, with the metadata that an installer writes."""
    site = tmp_path / "site"
    info = site / "arena_bidding-0.1.0.dist-info"
    info.mkdir(parents=True)
    (site / "bidding").symlink_to(BIDDING / "bidding")
    project = tomllib.loads((BIDDING / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    )
    groups = {"console_scripts": project["scripts"], **project["entry-points"]}
    lines = [
        f"[{group}]\n" + "".join(f"{k} = {v}\n" for k, v in points.items())
        for group, points in groups.items()
    ]
    (info / "entry_points.txt").write_text("\n".join(lines))
    return os.environ | {"PYTHONPATH": os.pathsep.join((str(site), str(ROOT)))}


def python(code: str, environment: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code, *words],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        cwd="/",
    )


def test_an_installed_package_brings_its_game(installed: dict[str, str]) -> None:
    code = "import sys; sys.argv[0] = 'bidding'; from bidding import main; main()"
    done = python(code, installed, "match", "--deals", "5", "--format", "json", "-q")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["game"] == "bidding"
    code = (
        "from arena_solver import bidding\n"
        "found = bidding.match(player=['rank', 'high'], deals=5)\n"
        "assert found.rows()[0]['name'] == 'rank'\n"
        "assert bidding.rules(overrides=['match.ties=shared']).ties == 'shared'\n"
        "rules = ['rules', 'rules_check', 'rules_new', 'rules_show']\n"
        "assert dir(bidding) == ['checkup', 'export', 'match', *rules, 'solve'], dir(bidding)\n"
        "import arena_solver\n"
        "try:\n    arena_solver.chess\nexcept AttributeError as error:\n    print(error)\n"
    )
    done = python(code, installed)
    assert done.returncode == 0, done.stderr
    assert "no game is called so" in done.stdout
    done = python(
        "from cli.front import main; main()", installed, "bidding", "export", "--prize", "gold", "-q"
    )
    assert done.stdout.startswith("EFG 2 R")
    done = python("from cli.front import main; main()", installed, "chess")
    assert done.returncode == 2
    assert "bidding" in done.stderr


def test_a_games_program_loads_no_other_game_and_little_of_ours() -> None:
    games = {"clash", "ophidian", "ragers", "raverun", "warage"}
    ours = {"analysis", "arena_solver", "cli", "engine", "solver"}
    for name in ("ragers", "clash"):
        code = (
            "import sys\n"
            f"from cli.programs import program_of\n"
            f"program_of({name!r}).main(['match', '--help'], standalone_mode=False)\n"
            "print(*sys.modules)\n"
        )
        done = python(code, os.environ | {"PYTHONPATH": str(ROOT)})
        assert done.returncode == 0, done.stderr
        loaded = [each.split(".") for each in done.stdout.splitlines()[-1].split()]
        assert not [
            each for each in loaded if each[0] == "analysis" and each[1:2] and each[1] in games - {name}
        ]
        own = [each for each in loaded if each[0] in ours]
        assert len(own) <= OWN_MODULES, own
