"""`warage`: what the suite of all games does not ask."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from cli.programs import program_of
from tests.cli.running import runner

warage = program_of("warage")

MAGE = ("elf/mage:scepter-of-the-lich,fireball 2", "human/paladin:lunar-shield")
DECKS = ("orc-warrior", "elf-mage", "human-paladin", "angel-paladin")
HEROES = ("human/warrior:war-axe", "elf/warrior:war-axe")
SMALL = ("--hp", "12", "--other-hp", "12", "--special-seasons", "without")


run = runner("warage")


def answer(*words: str) -> Any:
    return json.loads(run(*words, "--format", "json", "-q").stdout)


def first_screen(table: str) -> None:
    lines = table.splitlines()
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 31


def test_attacks_have_fractions_and_laws() -> None:
    found = answer("attack", *MAGE, "--other-hp", "12")
    assert [row["attack"] for row in found["attacks"]] == [9, 25, 30]
    assert found["attacks"][1]["fractions"][2] == "1/36"
    assert found["rounds"][0]["attacks"] == ["melee", "fireball", "fireball"]
    assert sum(entry["without_six"] + entry["with_six"] for entry in found["law"]) == pytest.approx(1)
    table = run("attack", *MAGE, "--other-hp", "12").stdout
    first_screen(table)
    assert "% of its values are assumed" in " ".join(table.split())


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
    assert "orc/warrior" in run("attack", "orc/warrior", "human/mage").stdout


def test_what_is_changed_is_said() -> None:
    table = run("attack", *MAGE, "--set", "match.season_unit=point", "--set", "cards.fireball.cost=6").stdout
    said = " ".join(table.split())
    assert "2 changed; season_unit = point." in said
    assert "Warage (illustrative) with match.season_unit=point, cards.fireball.cost=6" in said


WRONG = [
    ("attack elf/mage:firebill elf/mage", "did you mean fireball?"),
    ("attack orc/warrior:fireball elf/mage", "no blue slots"),
    ("attack orc/warrior elf/mage --set cards.fireball.sell=9", "sells for 9 and costs 8"),
    ("solve orc elf/mage", "write RACE/HERO_CLASS: CARDS"),
    ("solve orc-warrior orc/warrior", "write RACE/HERO_CLASS: CARDS"),
    ("solve orc/warrior elf/warrior --hp 0,5", "from 1 to"),
    ("solve orc/warrior human/mage:raven-eye", "draws cards"),
    ("solve orc/warrior elf/warrior --decline --special-seasons with", "leaves special season cards out"),
    ("worth orc/warrior human/mage --rounds-left 0", "no round is left"),
    ("worth orc/warrior elf/wizard", "no class is called 'wizard'"),
    ("queue orc/warrior elf/mage --attack fireball", "spells in play: none"),
    ("queue orc/warrior elf/mage --hidden 1,10 --other-pool parry", "the pool has fewer"),
    ("queue orc/warrior elf/mage --pool-a 'squire 2'", "no reply card is called 'squire'"),
    ("match orc-warrior elf-mag3", "did you mean elf-mage?"),
    ("match orc-warrior elf-mage --player greedi", "did you mean greedy"),
    ("match orc-warrior elf-mage --player greedy:lif=3", "lif"),
    ("match orc-warrior elf-mage --player search:iterations=0", "from 1 to"),
    ("deck value orc-warrior --cards fireball", "holds no such card"),
    ("deck tune orc-warrior --player search", "'search'"),
    ("brawl orc-warrior elf-mage", "two play a match"),
    ("guild orc-warrior elf-mage human-paladin", "do not make 2 guilds"),
    ("balance --decks orc-warrior,orc-warrior", "name two decks at least"),
    ("play orc-warrior nobody", "nobody"),
    ("rac orc/warrior elf/mage", "No such command 'rac'."),
    ("report pyproject.toml", "is no JSON"),
]


@pytest.mark.parametrize(("line", "said"), WRONG, ids=[line for line, _ in WRONG])
@pytest.mark.kernels
def test_what_is_wrong_is_said_with_what_would_do(line: str, said: str) -> None:
    assert said in " ".join(run(*shlex.split(line), exit_code=2).output.split())


@pytest.mark.parametrize("section", ["match", "races", "classes", "seasons", "cards", "decks"])
def test_rules_are_shown(section: str) -> None:
    shown = run("rules", "show", section).stdout
    assert max(map(len, shown.splitlines())) <= 80


def test_what_is_in_a_deck_is_shown() -> None:
    found = answer("deck", "check", "elf-mage")
    assert (found["size"], found["useless"]) == (48, 0)
    assert sum(found["kinds"].values()) == 48
    table = " ".join(run("deck", "check", "elf-mage", "--set", "classes.mage.slots.blue=2").stdout.split())
    assert "3 of the 48 cards of elf-mage are of no use to its hero." in table
    assert "needs 3 blue slots of 2" in table


def test_small_games_are_exported(tmp_path: Path) -> None:
    queue, duel = tmp_path / "queue.efg", tmp_path / "duel.efg"
    pools = ("--pool", "battle-cry, other", "--other-pool", "parry, other")
    run("export", "queue", "orc/warrior:great-sword", "human/paladin", *pools, "-o", str(queue))
    small = ("orc/warrior: war-axe", "human/paladin: parry", "--start-hp", "6", "--turns", "2")
    run("export", "duel", *small, "-o", str(duel))
    assert all(file.read_text().startswith("EFG 2 R") for file in (queue, duel))
    assert "more than 3 nodes" in run("export", "duel", *small, "--max-nodes", "3", exit_code=4).output


@pytest.mark.kernels
def test_a_race_is_checked_by_a_second_computation() -> None:
    found = answer("solve", *HEROES, *SMALL)
    assert found["by_seat"][0] == pytest.approx(found["win"] * 2 - found["by_seat"][1])
    assert found["certificate"]["difference"] < 1e-9
    assert [row["season"] for row in found["by_season"]] == ["spring", "summer", "autumn", "winter"]
    assert found["left_out"] == ["eclipse", "tempest", "harvest", "drought"]
    assert found["truce"] is False
    first_screen(run("solve", *HEROES, *SMALL).stdout)
    one = answer("solve", *HEROES, *SMALL, "--season", "spring", "--first", "hero", "--rounds-left", "9")
    assert one["by_seat"][1] is None
    assert one["rounds_left"] == [9]
    truce = answer("solve", *HEROES, *SMALL, "--start", "truce")
    assert truce["truce"] is True
    # Two rounds more, in which nothing happens.
    assert truce["rounds"]["mean"] == pytest.approx(found["rounds"]["mean"] + 2, abs=1e-6)


@pytest.mark.kernels
def test_a_race_with_decisions() -> None:
    sales = ("--sell", "war-axe", "--decline", "--rounds-left", "6", "--first", "hero")
    found = answer("solve", *HEROES, *SMALL, *sales)
    assert found["decisions"]["may_sell"] == [["war-axe"], []]
    assert found["win"] != found["decisions"]["without"]
    assert found["certificate"]["difference"] < found["certificate"]["slack"]
    assert "decisions bring it" in run("solve", *HEROES, *SMALL, *sales).stdout
    assert "has in play war-axe" in run("solve", *HEROES, "--other-sell", "parry", exit_code=2).output


@pytest.mark.kernels
def test_a_race_with_too_little_memory_is_refused() -> None:
    assert "more --memory would do" in run("solve", *HEROES, *SMALL, "--memory", "1KiB", exit_code=1).output


@pytest.mark.kernels
def test_prices_of_points_and_cards() -> None:
    words = (
        "worth",
        "human/warrior:war-axe,wolf-fang",
        "human/paladin:war-axe",
        *SMALL,
        "--rounds-left",
        "10",
    )
    found = answer(*words)
    names = [row["name"] for row in found["prices"]]
    assert names == ["+1 HP", "+1 A", "+1 D", "+1 die", "war-axe", "wolf-fang"]
    assert all(len(row["points"]) == 5 for row in found["prices"])
    assert all(point["win"] >= -1e-12 for row in found["prices"] for point in row["points"])
    assert found["prices"][4]["cost"] == 5
    # Without a change it is the race that `solve` solves, begun by the first hero.
    for number, point in enumerate(found["base"]):
        raced = answer("solve", *words[1:-1], str(10 - 2 * number))
        assert point["win"] == pytest.approx(raced["by_seat"][0], abs=1e-12)
    # One HP more is worth one HP.
    worth = [point["hp"] for point in found["prices"][0]["points"] if point["win"] > 1e-9]
    assert worth == pytest.approx([1.0] * len(worth))
    # CSV has every point and card with every number of rounds left.
    assert len(run(*words, "--format", "csv").stdout.splitlines()) == 1 + 6 * 5


@pytest.mark.kernels
def test_an_attack_with_hidden_replies() -> None:
    heroes = ("orc/warrior:war-axe", "human/paladin:great-sword", "--hp", "16", "--other-hp", "16")
    words = ("attack", "--replies", *heroes, "--rounds-left", "8")
    found = answer(*words)
    assert found["value_in"] == "win"
    assert 0 < found["value"] <= 1
    assert found["decisions"][0]["queue"] == ["attack"]
    table = run(*words).stdout
    assert "1 hidden card of battle-cry 3, negate 2, other 11" in " ".join(table.split())
    swept = answer(*words, "--vary", "other_hp=15:16")
    values = {each["key"]: each["value"] for each in swept["points"][1]["amounts"]}
    alone = answer(*words)
    assert values["value"] == pytest.approx(alone["value"] - alone["before"])
    assert values["hiding"] == pytest.approx(alone["value"] - alone["open_value"])


@pytest.mark.kernels
def test_decks_against_each_other(tmp_path: Path) -> None:
    decks = ("--deck", "orc-warrior", "--deck", "elf-mage")
    found = answer("balance", "--deals", "50", *decks)
    assert [cell["against"] for cell in found["cells"]] == ["orc-warrior", "elf-mage", "elf-mage"]
    assert sum(found["mean"].values()) == pytest.approx(1)
    mirror, met, _ = found["cells"]
    assert (mirror["win"]["mean"], mirror["win"]["low"]) == (0.5, None)
    match = answer("match", "orc-warrior", "elf-mage", "--deals", "50", "--player", "rules")
    assert met["win"] == match["sides"][0]["won"]
    assert met["by_seat"] == match["sides"][0]["by_seat"]
    assert met["turns"] == match["length"]["mean"]
    seasons = {each["name"]: each["won"] for each in match["groups"] if each["group"] == "season"}
    assert found["by_season"]["orc-warrior"] == pytest.approx(seasons)
    kept = tmp_path / "kept.jsonl"
    assert answer("balance", "--deals", "50", *decks, "--keep", str(kept))["cells"] == found["cells"]
    assert (
        answer("balance", "--deals", "50", *decks, "--keep", str(kept), "--jobs", "2")["cells"]
        == found["cells"]
    )
    assert len(kept.read_text(encoding="utf-8").splitlines()) == 4


@pytest.mark.kernels
def test_heroes_decks_and_tables(tmp_path: Path) -> None:
    heroes, value = tmp_path / "heroes.json", tmp_path / "value.json"
    few = ("--heroes", "--deals", "2", "--deck", "orc-warrior", "--deck", "elf-mage")
    run("balance", *few, "--format", "json", "-o", str(heroes))
    found = json.loads(heroes.read_text())
    assert found["decks"][:2] == ["human/warrior", "human/mage"]
    assert len(found["decks"]) == 8
    cards = ("--duels", "400", "--card", "war-axe", "--card", "parry")
    run("deck", "value", "orc-warrior", *cards, "--format", "json", "-o", str(value))
    assert {row["card"] for row in json.loads(value.read_text())["cards"]} == {"war-axe", "parry"}
    table = answer("brawl", *DECKS, "--guilds", "2", "--plays", "40", "--watched", "0")
    assert sum(row["share"]["mean"] for row in table["seats"]) == pytest.approx(1)
    assert (table["guilds"], table["kings"]) == (2, None)


@pytest.mark.kernels
def test_a_game_at_the_table() -> None:
    typed = "?\nhint\nhelp parry\nnonsense\n0\nany\nu\nany\nq\n"
    words = ["play", *DECKS[:2], "--seed", "1", "--playouts", "32", "--opponent", "rules"]
    played = CliRunner().invoke(warage, words, input=typed, prog_name="warage")
    assert played.exit_code == 1, played.output
    heard = ("Seed 1.", "Orc: 100 HP", "chances to win", "Parry: a flash, costs 2 HP.", "is none of")
    for said in (*heard, "draw a new hand, of 4 cards", "taken back"):
        assert said in played.output
