"""`arena games` and `arena GAME VERB`: the games that are in, and their commands."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator

import click
from click.testing import CliRunner, Result

from analysis import registry
from cli.programs import program_of
from tests.engine.contract.games import GAMES
from tests.front.games import game


def run(*words: str) -> Result:
    return CliRunner().invoke(program_of("arena"), list(words), prog_name="arena", catch_exceptions=False)


def test_every_game_is_declared_and_under_the_contract() -> None:
    assert set(GAMES) == set(registry.GAMES) - {"bidding"}


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


def test_every_game_answers_under_its_name() -> None:
    for name in GAMES:
        own = CliRunner().invoke(program_of(name), ["rules", "show"], prog_name=name)
        assert run(name, "rules", "show").stdout == own.stdout != ""
        assert run(name, "solve", "--help").stdout.startswith(f"Usage: arena {name} solve")


def commands(group: click.Group, name: str) -> Iterator[tuple[str, click.Command]]:
    context = click.Context(group)
    for verb in group.list_commands(context):
        found = group.get_command(context, verb)
        assert found is not None
        if isinstance(found, click.Group):
            yield from commands(found, f"{name} {verb}")
        else:
            yield f"{name} {verb}", found


def test_options_of_one_name_are_written_alike_in_all_commands() -> None:
    every = dict(commands(program_of("arena"), "arena"))
    for name in registry.GAMES:
        assert {f"arena {verb}" for verb, _ in commands(program_of(name), name)} <= set(every)
    for name, found in every.items():
        options = {
            long: option
            for option in found.params
            if isinstance(option, click.Option)
            for long in option.opts
            if long.startswith("--")
        }
        for long, letter in {"--output": "-o", "--quiet": "-q"}.items():
            assert long not in options or set(options[long].opts) == {long, letter}, name
        for long, metavar in {"--rules": "FILE", "--set": "KEY=VALUE"}.items():
            assert long not in options or (options[long].multiple, options[long].metavar) == (True, metavar)
        assert "--rules" in options or "--set" not in options, name
        if "--format" in options:
            kind = options["--format"].type
            assert isinstance(kind, click.Choice)
            # A table comes first, but where a document is what is wanted.
            assert "table" not in kind.choices[1:] or kind.choices[1] == "table", name
        result = CliRunner().invoke(found, ["-h"])
        assert (result.exit_code, result.stdout[:7]) == (0, "Usage: "), name
