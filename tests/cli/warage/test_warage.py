"""`warage`: parts of answers against each other, and what is refused by its rules."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import runner

HEROES = ("human/warrior:war-axe", "elf/warrior:war-axe")
SMALL = ("--hp", "12", "--other-hp", "12", "--special-seasons", "without")

run = runner("warage")


def answer(*words: str) -> Any:
    return json.loads(run(*words, "--format", "json", "-q").stdout)


def test_names_are_shown_as_a_rules_file_gives_them(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text(
        '[cards.big-club]\nname = "Old Club"\nkind = "equipment"\ncost = 6\nslots = { red = 1, blue = 0 }\n'
        'effects = [{ trigger = "ready", action = "modify", stat = "A", amount = 9 }]\n'
    )
    words = ("attack", "orc/warrior:big-club", "human/mage", "--rules", str(file))
    table = run(*words).stdout
    assert "Orc/Warrior:Old Club" in table
    assert "big-club" not in table
    assert answer(*words)["attacker"] == "orc/warrior:big-club"


def test_small_games_are_exported(tmp_path: Path) -> None:
    queue, duel = tmp_path / "queue.efg", tmp_path / "duel.efg"
    pools = ("--pool", "battle-cry, other", "--other-pool", "parry, other")
    run("export", "--to", "queue", "orc/warrior:great-sword", "human/paladin", *pools, "-o", str(queue))
    small = ("orc/warrior: war-axe", "human/paladin: parry", "--start-hp", "6", "--turns", "2")
    run("export", "--to", "duel", *small, "-o", str(duel))
    assert all(file.read_text().startswith("EFG 2 R") for file in (queue, duel))
    few = ("export", "--to", "duel", *small, "--max-nodes", "3")
    assert "more than 3 nodes" in run(*few, exit_code=4).output


@pytest.mark.kernels
def test_a_race_is_checked_by_a_second_computation() -> None:
    found = answer("solve", *HEROES, *SMALL)
    assert found["by_seat"][0] == pytest.approx(found["win"] * 2 - found["by_seat"][1])
    assert found["certificate"]["difference"] < 1e-9
    one = answer("solve", *HEROES, *SMALL, "--season", "spring", "--first", "hero", "--rounds-left", "9")
    assert (one["by_seat"][1], one["rounds_left"]) == (None, [9])
    # Two rounds more, in which nothing happens.
    truce = answer("solve", *HEROES, *SMALL, "--start", "truce")
    assert (found["truce"], truce["truce"]) == (False, True)
    assert truce["rounds"]["mean"] == pytest.approx(found["rounds"]["mean"] + 2, abs=1e-6)
    sales = ("--sell", "war-axe", "--decline", "--rounds-left", "6", "--first", "hero")
    decided = answer("solve", *HEROES, *SMALL, *sales)
    assert decided["win"] != decided["decisions"]["without"]
    assert decided["certificate"]["difference"] < decided["certificate"]["slack"]


@pytest.mark.kernels
def test_prices_of_points_and_cards_are_differences_of_races() -> None:
    heroes = "human/warrior:war-axe,wolf-fang", "human/paladin:war-axe"
    found = answer("worth", *heroes, *SMALL, "--rounds-left", "10")
    names = [row["name"] for row in found["prices"]]
    assert names == ["+1 HP", "+1 A", "+1 D", "+1 die", "war-axe", "wolf-fang"]
    assert all(point["win"] >= -1e-12 for row in found["prices"] for point in row["points"])
    # Without a change it is the race that `solve` solves, begun by the first hero.
    for number, point in enumerate(found["base"]):
        raced = answer("solve", *heroes, *SMALL, "--rounds-left", str(10 - 2 * number))
        assert point["win"] == pytest.approx(raced["by_seat"][0], abs=1e-12)
    worth = [point["hp"] for point in found["prices"][0]["points"] if point["win"] > 1e-9]
    assert worth == pytest.approx([1.0] * len(worth)), "one HP more is worth one HP"


@pytest.mark.kernels
def test_figures_that_are_varied_are_those_of_the_answer() -> None:
    heroes = ("orc/warrior:war-axe", "human/paladin:great-sword", "--hp", "16", "--other-hp", "16")
    words = ("attack", "--replies", *heroes, "--rounds-left", "8")
    alone = answer(*words)
    assert (alone["value_in"], alone["decisions"][0]["queue"]) == ("win", ["attack"])
    swept = answer(*words, "--vary", "other_hp=15:16")
    values = {each["key"]: each["value"] for each in swept["points"][1]["amounts"]}
    assert values["value"] == pytest.approx(alone["value"] - (alone["before"] or 0))
    assert values["hiding"] == pytest.approx(alone["value"] - alone["open_value"])


@pytest.mark.kernels
def test_decks_against_each_other_are_their_matches(tmp_path: Path) -> None:
    decks = ("--deck", "orc-warrior", "--deck", "elf-mage")
    found = answer("balance", "--deals", "50", *decks)
    assert sum(found["mean"].values()) == pytest.approx(1)
    mirror, met, _ = found["cells"]
    assert (mirror["win"]["mean"], mirror["win"]["low"]) == (0.5, None)
    match = answer("match", "orc-warrior", "elf-mage", "--deals", "50", "--player", "rules")
    assert met["win"] == match["sides"][0]["won"]
    assert met["by_seat"] == match["sides"][0]["by_seat"]
    assert met["turns"] == match["length"]["mean"]
    seasons = {each["name"]: each["won"] for each in match["groups"] if each["group"] == "season"}
    assert found["by_season"]["orc-warrior"] == pytest.approx(seasons)
    kept = ("--keep", str(tmp_path / "kept.jsonl"))
    for jobs in ("1", "2"):
        again = answer("balance", "--deals", "50", *decks, *kept, "--jobs", jobs)
        assert again["cells"] == found["cells"]
    heroes = answer("balance", "--heroes", "--deals", "2", *decks)
    assert heroes["decks"][:2] == ["human/warrior", "human/mage"]
    assert len(heroes["decks"]) == 8
