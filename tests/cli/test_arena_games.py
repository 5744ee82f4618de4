"""`arena games` and `arena GAME VERB`: the games that are in, and their commands."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner, Result

from analysis import games
from cli.arena.main import arena
from engine.games import GAMES
from tests.cli.schemas import struct_schema

SCHEMA = Path(games.__file__).parent / "arena" / "schema" / "games-1.schema.json"


def run(*words: str) -> Result:
    return CliRunner().invoke(arena, list(words), prog_name="arena", catch_exceptions=False)


def schema() -> dict[str, Any]:
    return struct_schema(games.GamesReport, SCHEMA.name, "Report of arena games")


def test_the_list_of_games() -> None:
    kept = json.loads(SCHEMA.read_text(encoding="utf-8"))
    assert kept == schema(), "write it again: python -m tests.cli.test_arena_games"
    result = run("games", "--format", "json")
    assert result.exit_code == 0
    report = json.loads(result.stdout)
    jsonschema.validate(report, kept, cls=jsonschema.Draft202012Validator)
    assert [game["name"] for game in report["games"]] == list(GAMES)
    for game in report["games"]:
        assert game["answers"]
        assert "rules" in game["commands"]
    table = run("games").stdout
    assert max(map(len, table.splitlines())) <= 80
    rows = list(csv.DictReader(io.StringIO(run("games", "--format", "csv").stdout)))
    markdown = run("games", "--format", "md").stdout
    for game in GAMES.values():
        assert game.title in table
        assert f"## {game.title}" in markdown
        assert game.name in {row["game"] for row in rows}


@pytest.mark.parametrize("game", [name for name in GAMES if find_spec(f"cli.{name}")])
def test_every_game_answers_under_its_name(game: str) -> None:
    group = getattr(import_module(f"cli.{game}.main"), game)
    own = CliRunner().invoke(group, ["rules", "show"], prog_name=game)
    assert run(game, "rules", "show").stdout == own.stdout != ""
    helped = run(game, "solve", "--help")
    assert helped.exit_code == 0
    assert helped.stdout.startswith(f"Usage: arena {game} solve")
    wrong = run(game, "solv")
    assert wrong.exit_code == 2
    assert "solve" in wrong.stderr


def test_what_no_game_is() -> None:
    wrong = run("rager", "solve")
    assert wrong.exit_code == 2
    assert "Did you mean ragers" in wrong.stderr


def test_help_needs_no_compiler() -> None:
    code = (
        "import sys; from click.testing import CliRunner; from cli.arena.main import arena;"
        "games = ('ragers', 'raverun', 'clash');"
        "runs = [['--help'], ['games'], *([name, 'solve', '--help'] for name in games)];"
        "assert not any(CliRunner().invoke(arena, words).exit_code for words in runs);"
        "print([m for m in ('numpy', 'numba', 'scipy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


if __name__ == "__main__":
    SCHEMA.write_text(json.dumps(schema(), indent=2) + "\n", encoding="utf-8")
