"""`arena games` and `arena GAME VERB`: the games that are in, and their commands."""

from __future__ import annotations

import csv
import io
import json

import pytest
from click.testing import CliRunner, Result

from analysis import registry
from cli.programs import program_of
from engine.games import GAMES
from tests.engine.contract.games import GAMES as UNDER_CONTRACT
from tests.front.games import game


def run(*words: str) -> Result:
    return CliRunner().invoke(program_of("arena"), list(words), prog_name="arena", catch_exceptions=False)


def test_every_game_is_declared_and_under_the_contract() -> None:
    assert set(GAMES) == set(UNDER_CONTRACT) == set(registry.GAMES) - {"bidding"}
    for each in GAMES.values():
        declared = registry.game_named(each.name)
        assert declared.title == each.title
        assert set(declared.seats) <= set(each.players)


def test_the_list_of_games_says_who_answers_what_and_how_exactly() -> None:
    report = json.loads(run("games", "--format", "json").stdout)
    assert {each["name"] for each in report["games"]} >= set(GAMES)
    table = run("games").stdout
    assert max(map(len, table.splitlines())) <= 80
    rows = list(csv.DictReader(io.StringIO(run("games", "--format", "csv").stdout)))
    for each in report["games"]:
        assert each["title"] in table
        own = {row["verb"]: row for row in rows if row["game"] == each["name"]}
        declared = registry.game_named(each["name"]).declared
        assert set(own) == set(declared)
        for verb in each["verbs"]:
            assert own[verb["name"]]["command"] == verb["command"]
            assert verb["exactness"] == getattr(declared[verb["name"]], "exactness", None)


def test_a_game_that_another_package_brings_is_in() -> None:
    bidding = game("bidding")
    assert bidding.title in run("games").stdout
    assert bidding.title in " ".join(run("--help").stdout.split())
    assert run("bidding", "match", "--deals", "2", "-q").exit_code == 0


@pytest.mark.parametrize("name", GAMES)
def test_every_game_answers_under_its_name(name: str) -> None:
    own = CliRunner().invoke(program_of(name), ["rules", "show"], prog_name=name)
    assert run(name, "rules", "show").stdout == own.stdout != ""
    helped = run(name, "solve", "--help")
    assert helped.exit_code == 0
    assert helped.stdout.startswith(f"Usage: arena {name} solve")
    wrong = run(name, "solv")
    assert wrong.exit_code == 2
    assert "solve" in wrong.stderr


def test_what_no_game_is() -> None:
    wrong = run("rager", "solve")
    assert wrong.exit_code == 2
    assert "Did you mean ragers" in wrong.stderr
