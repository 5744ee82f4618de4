"""Games of other packages, quick starts, and who is imported by whom."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.front.games import BIDDING, ROOT, declared

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
        "rules = ['rules', 'rules_check', 'rules_diff', 'rules_new', 'rules_show']\n"
        "assert dir(bidding) == ['export', 'match', *rules, 'solve'], dir(bidding)\n"
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


@pytest.mark.parametrize(("name", "verb"), [*declared(), ("bidding", "play")])
def test_help_is_quick_and_compiles_nothing(name: str, verb: str, installed: dict[str, str]) -> None:
    code = (
        "import sys\n"
        "from cli.front import group_of\n"
        "from analysis.registry import game_named\n"
        f"group_of(game_named({name!r})).main([*{verb!r}.split(), '--help'], standalone_mode=False)\n"
        "import json\n"
        "heavy = sorted({'numba', 'numpy', 'scipy', 'jinja2', 'rich'} & set(sys.modules))\n"
        "ours = {'analysis', 'arena_solver', 'cli', 'engine', 'solver'}\n"
        "print(json.dumps([heavy, sorted(each for each in sys.modules if each.split('.')[0] in ours)]))\n"
    )
    done = python(code, installed)
    assert done.returncode == 0, done.stderr
    heavy, own = json.loads(done.stdout.splitlines()[-1])
    assert heavy == []
    assert len(own) <= OWN_MODULES, own


def test_a_games_program_loads_no_other_game() -> None:
    games = {"clash", "ophidian", "ragers", "raverun", "warage"}
    for name in sorted(games):
        code = (
            "import sys\n"
            f"from cli.programs import program_of\n"
            f"program_of({name!r}).main(['match', '--help'], standalone_mode=False)\n"
            "print(*sys.modules)\n"
        )
        done = python(code, os.environ | {"PYTHONPATH": str(ROOT)})
        assert done.returncode == 0, done.stderr
        loaded = done.stdout.splitlines()[-1].split()
        others = [
            each for each in loaded if each.startswith("analysis.") and each.split(".")[1] in games - {name}
        ]
        assert others == []
