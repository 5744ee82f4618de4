"""Options under the names that they had a version ago, and declared questions among a program's commands."""

from __future__ import annotations

import dataclasses

import pytest
from click.testing import CliRunner, Result

from cli.front import declared_command, group_of
from tests.front.games import game

FORMER = {"match": {"--games": "--deals", "--players": "--player,", "--both": "--seed,--deals"}}


def ask(*words: str) -> Result:
    bidding = dataclasses.replace(game("bidding"), former=FORMER)
    command = declared_command(bidding, "match")
    assert command is not None
    return CliRunner().invoke(command, [*words, "--format", "json", "-q"])


@pytest.mark.parametrize(
    ("before", "now", "said"),
    [
        (("--games", "4"), ("--deals", "4"), "--games is called --deals now."),
        (("--games=4",), ("--deals=4",), "--games is called --deals now."),
        (
            ("--players", "rank,high", "--deals", "4"),
            ("--player", "rank", "--player", "high", "--deals", "4"),
            "--players is called --player now.",
        ),
        (("--both", "3,4"), ("--seed", "3", "--deals", "4"), "--both is called --seed and --deals now."),
    ],
)
def test_an_old_name_asks_the_same_and_says_the_new_one(
    before: tuple[str, ...], now: tuple[str, ...], said: str
) -> None:
    old, new = ask(*before), ask(*now)
    assert old.exit_code == new.exit_code == 0, old.output
    assert said in old.stderr
    assert not new.stderr
    assert old.stdout.partition('"timing"')[0] == new.stdout.partition('"timing"')[0]


def test_old_names_are_not_shown_and_errors_name_the_new_one() -> None:
    assert "--games" not in ask("--help").stdout
    wrong = ask("--games", "x")
    assert wrong.exit_code == 2
    assert "--deals" in wrong.stderr.splitlines()[-1]


def test_whole_lines_of_a_version_ago_are_heard_and_written_as_they_are_now() -> None:
    def today(words: list[str]) -> list[str]:
        return ["match", *words[1:]] if words[0] == "meet" else words

    bidding = dataclasses.replace(game("bidding"), former_words=today)
    words = ("--deals", "3", "--format", "json", "-q")
    old = CliRunner().invoke(group_of(bidding), ["meet", *words])
    now = CliRunner().invoke(group_of(bidding), ["match", *words])
    assert old.exit_code == now.exit_code == 0, old.output
    assert old.stderr == f"This is written now: bidding match {' '.join(words)}\n"
    assert not now.stderr
    assert old.stdout.partition('"timing"')[0] == now.stdout.partition('"timing"')[0]


def test_what_is_said_of_old_words_steers_no_terminal() -> None:
    bidding = dataclasses.replace(game("bidding"), former_words=lambda words: [*words, "--deals", "\x1b[31m"])
    shown = CliRunner().invoke(group_of(bidding), ["match", "-q"])
    assert shown.exit_code == 2
    assert "\x1b" not in shown.stderr


def test_where_players_of_ragers_have_their_settings_today() -> None:
    from analysis.ragers.former import words_today

    today = {
        "play --opponent uniform --player defenders": "play --opponent random --seat 2",
        "play --opponent stored --playouts 20": "play --opponent stored:playouts=20 --playouts 20",
        "play --opponent equilibrium --think 1m": "play --opponent equilibrium:seconds=60",
        "play --opponent match:seconds=2": "play --opponent match:seconds=2",
        "match --games 20 --player greedy": "study --player greedy --deals 20",
        "match --compare --set a=1": "study --player values --diff --set a=1",
        "match --against greedy --player guided --iterations 5": "match --player guided:iterations=5"
        " --player greedy",
        "match --player greedy": "match --player greedy",
        "solve --match x --player defenders --hand BB": "last-day x --side defenders --hand BB",
        "solve --hand BB": "solve --hand BB",
    }
    assert {old: " ".join(words_today(old.split())) for old in today} == today
