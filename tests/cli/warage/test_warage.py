"""`warage` and `warage-solve`: answers, formats, refusals; the schemas of all commands."""

from __future__ import annotations

import csv
import html
import io
import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest
from click.testing import CliRunner, Result

from analysis.warage import deck_reports, reports
from cli.warage.main import warage
from tests.cli.schemas import struct_schema

FOLDER = Path(reports.__file__).parent / "schema"
REPORTS: dict[str, type[msgspec.Struct]] = {
    "attack": reports.AttackReport,
    "race": reports.RaceReport,
    "choices": reports.ChoiceReport,
    "worth": reports.WorthReport,
    "queue": reports.QueueReport,
    "match": reports.MatchReport,
    "deck-balance": reports.BalanceReport,
    "deck": deck_reports.DeckReport,
    "deck-value": deck_reports.ValueReport,
    "deck-tune": deck_reports.TuneReport,
    "table": deck_reports.TableReport,
}
MAGE = ("elf/mage:scepter-of-the-lich,fireball 2", "human/paladin:lunar-shield")
DECKS = ("orc-warrior", "elf-mage", "human-paladin", "angel-paladin")
RACE = ("human/warrior:war-axe", "elf/warrior:war-axe", "--hp", "12,12", "--no-specials")


def run(*words: str, exit_code: int = 0) -> Result:
    result = CliRunner().invoke(warage, list(words), prog_name="warage")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == exit_code, result.output
    return result


def schema_of(name: str) -> dict[str, Any]:
    made = struct_schema(REPORTS[name], f"{name}-1.schema.json", f"Report of warage {name}")
    for part in made["$defs"].values():
        if "schema" in part.get("properties", {}):
            part["properties"]["schema"] = {"const": reports.SCHEMA_NUMBER}
    return made


def kept(name: str) -> Any:
    return json.loads((FOLDER / f"{name}-1.schema.json").read_text(encoding="utf-8"))


def checked(name: str, *words: str) -> Any:
    report = json.loads(run(*words, "--format", "json").stdout)
    jsonschema.validate(report, kept(name), cls=jsonschema.Draft202012Validator)
    return report


@pytest.mark.parametrize("name", REPORTS)
def test_the_published_schema_is_that_of_the_structs(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(kept(name))
    assert kept(name) == schema_of(name), "write it again: python -m tests.cli.warage.test_warage"


def first_screen(table: str) -> None:
    lines = table.splitlines()
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 24


def test_attacks_in_all_formats(tmp_path: Path) -> None:
    report = checked("attack", "attack", *MAGE, "--hp", "12")
    assert [row["attack"] for row in report["attacks"]] == [9, 25, 30]
    assert report["attacks"][1]["fractions"][2] == "1/36"
    assert report["rounds"][0]["attacks"] == ["melee", "fireball", "fireball"]
    assert sum(entry["without_six"] + entry["with_six"] for entry in report["law"]) == pytest.approx(1)
    table = run("attack", *MAGE, "--hp", "12").stdout
    first_screen(table)
    assert "Cards: Warage (illustrative)" in table
    assert "% of its values are assumed" in " ".join(table.split())
    assert "| attack |" in run("attack", *MAGE, "--format", "md").stdout
    file = tmp_path / "answer.csv"
    assert run("attack", *MAGE, "--format", "csv", "--output", str(file)).stdout == ""
    rows = list(csv.DictReader(io.StringIO(file.read_text())))
    assert [row["attack"] for row in rows] == ["melee", "fireball", "fireball x2 together"]


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
    assert checked("attack", *words)["attacker"] == "orc/warrior:big-club"
    assert "orc/warrior" in run("attack", "orc/warrior", "human/mage").stdout


def test_what_is_changed_is_said() -> None:
    table = run("attack", *MAGE, "--set", "match.season_unit=point", "--set", "cards.fireball.cost=6").stdout
    said = " ".join(table.split())
    assert "2 changed; season_unit = point." in said
    assert said.startswith("Warage (illustrative) with match.season_unit=point, cards.fireball.cost=6")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("attack", "elf/mage:firebill", "elf/mage"), "did you mean fireball?"),
        (("attack", "orc/warrior:fireball", "elf/mage"), "no blue slots"),
        (("attack", *MAGE, "--hp", "0"), "at least 1"),
        (("attack", *MAGE, "--season", "fall"), "autumn"),
        (("attack", *MAGE, "--set", "cards.fireball.sell=9"), "sells for 9 and costs 8"),
        (("race", *RACE, "--hp", "60"), "write two whole numbers, such as 60,45"),
        (("race", *RACE, "--hp", "0,5"), "at least 1 each"),
        (("race", "orc/warrior", "human/mage:raven-eye", "--hp", "5,5"), "draws cards"),
        (("worth", "orc/warrior", "human/mage", "--rounds-left", "0"), "no round is left"),
        (("queue", "orc/warrior", "elf/mage", "--attack", "fireball"), "spells in play: none"),
        (("queue", "orc/warrior", "elf/mage", "--hidden", "1,20"), "the pool has fewer"),
        (("queue", "orc/warrior", "elf/mage", "--pool-a", "squire 2"), "replies are flashes"),
        (("match", "orc-warrior", "elf-mag3"), "did you mean elf-mage?"),
        (("match", "orc-warrior", "elf-mage", "--player", "greedi"), "did you mean greedy?"),
        (("match", "orc-warrior", "elf-mage", "--player", "greedy:lif=3"), "there is no such setting"),
        (("match", "orc-warrior", "elf-mage", "--player", "greedy:gain=x"), "write gain=NUMBER"),
        (("solve", "orc-warrior", "orc/warrior"), "is no loadout"),
        (("solve", "orc-warrior", "elf-mage", "--hp", "5,5"), "decks begin at the beginning"),
        (("match", "orc-warrior", "elf-mage", "--player", "search:iterations=0"), "1 to"),
        (("match", "orc-warrior", "elf-mage", "--player", "random:gain=1"), "there are none"),
        (("deck", "value", "orc-warrior", "--cards", "fireball"), "holds no such card"),
        (("deck", "tune", "orc-warrior", "--player", "search"), "others take too long"),
        (("brawl", "orc-warrior", "elf-mage"), "two play a match"),
        (("guild", "orc-warrior", "elf-mage", "human-paladin"), "do not make 2 guilds"),
        (("rac", "orc/warrior", "elf/mage"), "Did you mean race?"),
        (("balance", "--decks", "orc-warrior,orc-warrior"), "name two decks at least"),
        (("queue", "orc/warrior", "elf/mage", "--pool-b", "turtle-stone 3"), "is an amulet"),
        (("queue", "orc/warrior", "elf/mage", "--pool-b", "war-axe"), "is a piece of equipment"),
    ],
)
def test_what_is_wrong_is_said_with_what_would_do(words: tuple[str, ...], said: str) -> None:
    assert said in " ".join(run(*words, exit_code=2).output.split())


@pytest.mark.parametrize("section", ["match", "races", "classes", "seasons", "cards", "decks"])
def test_rules_are_shown(section: str) -> None:
    shown = run("rules", "show", section).stdout
    assert max(map(len, shown.splitlines())) <= 80
    assert section in shown
    assert "{" not in shown, "effects stand in words"


def test_a_loop_is_shown() -> None:
    effects = 'cards.monk.effects=[{trigger="use",action="gain",amount=3,cost_hp=2,limit=0}]'
    assert "infinite HP: monk (+1 HP)" in run("rules", "check", "--set", effects, exit_code=2).output


def test_what_is_in_a_deck_is_shown() -> None:
    report = checked("deck", "deck", "check", "elf-mage")
    assert (report["size"], report["useless"]) == (48, 0)
    assert sum(report["kinds"].values()) == 48
    effects = ("--set", "classes.mage.slots.blue=2")
    table = run("deck", "check", "elf-mage", *effects).stdout
    assert "needs 3 blue slots of 2" in table
    assert "3 cards are of no use to this hero." in table
    assert max(map(len, table.splitlines())) <= 80
    rows = csv.DictReader(io.StringIO(run("deck", "check", "elf-mage", "--format", "csv").stdout))
    assert len(list(rows)) > 20


def test_small_games_are_exported(tmp_path: Path) -> None:
    queue, duel = tmp_path / "queue.efg", tmp_path / "duel.efg"
    pools = ("--pool-a", "battle-cry, other", "--pool-b", "parry, other")
    run("export", "queue", "orc/warrior:great-sword", "human/paladin", *pools, "-o", str(queue))
    decks = ("--deck-a", "war-axe", "--deck-b", "parry", "--hp", "6,6", "--turns", "2")
    run("export", "duel", "orc/warrior", "human/paladin", *decks, "-o", str(duel))
    assert all(file.read_text().startswith("EFG 2 R") for file in (queue, duel))
    small = ("export", "duel", "orc/warrior", "human/paladin", *decks, "--max-nodes", "3", "-o", str(duel))
    assert "more than 3 nodes" in run(*small, exit_code=1).output


@pytest.mark.kernels
def test_a_race_in_all_formats(tmp_path: Path) -> None:
    report = checked("race", "race", *RACE)
    assert report["by_seat"][0] == pytest.approx(report["win"] * 2 - report["by_seat"][1])
    assert report["certificate"]["difference"] < 1e-9
    assert [row["season"] for row in report["by_season"]] == ["spring", "summer", "autumn", "winter"]
    assert report["left_out"] == ["eclipse", "tempest", "harvest", "drought"]
    table = run("race", *RACE).stdout
    first_screen(table)
    assert f"{100 * report['win']:.2f} %" in table
    assert len(list(csv.DictReader(io.StringIO(run("race", *RACE, "--format", "csv").stdout)))) == 4
    one = checked("race", "solve", *RACE, "--season", "spring", "--first", "a", "--rounds-left", "9")
    assert one["by_seat"][1] is None
    assert one["rounds_left"] == [9]
    first_screen(run("solve", *RACE, "--season", "spring").stdout)
    if all(find_spec(name) for name in ("jinja2", "vl_convert")):
        kept_answer, page = tmp_path / "race.json", tmp_path / "page.html"
        kept_answer.write_text(json.dumps(report), encoding="utf-8")
        run("report", str(kept_answer), "-o", str(page))
        shown = html.unescape(page.read_text(encoding="utf-8"))
        assert f"<p>A wins  {100 * report['win']:.2f} %</p>" in shown


@pytest.mark.kernels
def test_a_race_with_decisions_in_all_formats() -> None:
    sales = ("--sell-a", "war-axe", "--decline", "--rounds-left", "6", "--first", "a")
    report = checked("choices", "race", *RACE, *sales)
    assert report["may_sell"] == [["war-axe"], []]
    assert report["certificate_without"] < report["slack"]
    first_screen(run("race", *RACE, *sales).stdout)
    assert "without" in run("race", *RACE, *sales, "--format", "csv").stdout
    assert "has in play war-axe" in run("race", *RACE, "--sell-b", "parry", exit_code=2).output


@pytest.mark.kernels
def test_a_race_with_too_little_memory_is_refused() -> None:
    result = run("race", *RACE, "--memory", "1KiB", exit_code=1)
    assert "more --memory would do" in result.output


@pytest.mark.kernels
def test_worth_in_all_formats() -> None:
    words = ("worth", "human/warrior:war-axe,wolf-fang", "human/paladin:war-axe", "--hp", "14,14")
    report = checked("worth", *words, "--rounds-left", "10", "--no-specials")
    names = [row["name"] for row in report["rows"]]
    assert names == ["+1 HP", "+1 A", "+1 D", "+1 die", "war-axe", "wolf-fang"]
    assert all(len(row["points"]) == 5 for row in report["rows"])
    assert all(point["win"] >= -1e-12 for row in report["rows"] for point in row["points"])
    assert report["rows"][4]["cost"] == 5
    first_screen(run(*words, "--rounds-left", "10").stdout)
    assert "even" in run(*words, "--rounds-left", "10", "--format", "csv").stdout


@pytest.mark.kernels
def test_a_queue_in_all_formats() -> None:
    words = ("queue", "orc/warrior:war-axe", "human/paladin:great-sword", "--hp", "16,16")
    report = checked("queue", *words, "--rounds-left", "8")
    assert report["value_in"] == "win"
    assert 0 < report["value"] <= 1
    assert report["decisions"][0]["queue"] == ["attack"]
    table = run(*words).stdout
    first_screen(table)
    assert "attacker: 1 hidden card of battle-cry 3, negate 2, other 11" in table
    assert "it kills" in table
    assert "battle-cry" in run(*words, "--format", "csv").stdout


@pytest.mark.kernels
def test_matches_and_balance() -> None:
    report = checked("match", "match", "orc-warrior", "elf-mage", "--duels", "200", "--seed", "3")
    assert report["duels"] == 200
    assert report["low"] < report["win"] < report["high"]
    again = checked("match", "solve", "orc-warrior", "elf-mage")
    assert again["duels"] == 20_000
    assert again["win"] > 0.5
    first_screen(run("match", "orc-warrior", "elf-mage", "--duels", "50", "--player-b", "greedy").stdout)
    table = checked("deck-balance", "balance", "--duels", "100", "--decks", "orc-warrior,elf-mage")
    assert [cell["against"] for cell in table["cells"]] == ["orc-warrior", "elf-mage", "elf-mage"]
    assert sum(table["mean"].values()) == pytest.approx(1)
    first_screen(run("balance", "--duels", "100").stdout)


@pytest.mark.kernels
@pytest.mark.parametrize("player", ["rules", "greedy", "random", "values", "search:iterations=16"])
def test_a_deck_against_itself_wins_half_by_design(player: str) -> None:
    words = ("match", "orc-warrior", "orc-warrior", "--player", player, "--duels", "4", "--seed", "3")
    report = checked("match", *words)
    assert report["win"] == 0.5
    assert sum(report["by_seat"]) == 1.0
    assert report["by_design"]
    assert report["low"] is report["high"] is None
    assert "50.00 % by design" in run(*words).stdout


@pytest.mark.kernels
def test_a_share_that_is_sampled_has_an_interval_in_each_seat() -> None:
    words = ("match", "orc-warrior", "orc-warrior", "--player-b", "greedy", "--duels", "9")
    report = checked("match", *words)
    assert not report["by_design"]
    assert report["low"] < report["win"] < report["high"]
    assert all(width > 0.1 for width in report["by_seat_width"])
    said = " ".join(run(*words).stdout.split())
    assert "Every deal is played twice, with either deck first: 10 duels" in said


@pytest.mark.kernels
def test_heroes_decks_and_tables(tmp_path: Path) -> None:
    heroes = tmp_path / "heroes.json"
    words = ("--heroes", "--duels", "4", "--decks", "orc-warrior,elf-mage")
    run("balance", *words, "--format", "json", "-o", str(heroes))
    report = json.loads(heroes.read_text())
    jsonschema.validate(report, kept("deck-balance"), cls=jsonschema.Draft202012Validator)
    assert report["decks"][:2] == ["human/warrior", "human/mage"]
    assert len(report["decks"]) == 8
    page = tmp_path / "page.html"
    if all(find_spec(name) for name in ("jinja2", "vl_convert")):
        run("report", str(heroes), "-o", str(page))
        assert page.read_text(encoding="utf-8").count("<svg") == 2
    few = ("--duels", "400", "--cards", "war-axe,parry")
    value = checked("deck-value", "deck", "value", "orc-warrior", *few)
    assert {row["card"] for row in value["rows"]} == {"war-axe", "parry"}
    tune = ("deck", "tune", "orc-warrior", "--duels", "16", "--swaps", "1", "--against", "elf-mage")
    assert checked("deck-tune", *tune)["before"] > 0
    first_screen(run("brawl", *DECKS[:3], "--matches", "60", "--watched", "1").stdout)
    table = checked("table", "guild", *DECKS, "--matches", "40", "--watched", "0")
    assert sum(row["share"] for row in table["seats"]) == pytest.approx(1)
    assert table["kings"] is None


@pytest.mark.kernels
def test_others_than_players_by_rules_and_a_game_at_the_table(tmp_path: Path) -> None:
    decks = ("orc-warrior", "elf-mage")
    players = ("--player", "search:iterations=16", "--player-b", "random")
    report = checked("match", "match", *decks, "--duels", "4", *players)
    assert report["players"][0]["settings"]["iterations"] == 16
    assert report["turns"] is None
    # Killed after the first of two deals, and half way through the line of the second.
    kept_file = tmp_path / "duels.jsonl"
    keep = ("--keep", str(kept_file), *players)
    run("match", *decks, "--duels", "4", *keep)
    lines = kept_file.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 3
    kept_file.write_text("\n".join(lines)[:-9], encoding="utf-8")
    again = checked("match", "match", *decks, "--duels", "4", *keep)
    assert [again[key] for key in ("win", "by_seat", "draws")] == [
        report[key] for key in ("win", "by_seat", "draws")
    ]
    assert "other terms" in run("match", *decks, "--seed", "9", *keep, exit_code=2).output
    typed = "?\nhint\nhelp parry\nnonsense\n0\nany\nu\nany\nq\n"
    words = ["play", *decks, "--seed", "1", "--playouts", "32", "--opponent", "rules"]
    played = CliRunner().invoke(warage, words, input=typed, prog_name="warage")
    assert played.exit_code == 1, played.output
    heard = ("Seed 1.", "Orc: 100 HP", "chances to win", "Parry: a flash, costs 2 HP.", "is none of")
    for said in (*heard, "draw a new hand, of 4 cards", "taken back"):
        assert said in played.output


@pytest.mark.slow
def test_values_are_learned_and_played_by(tmp_path: Path) -> None:
    path, decks = tmp_path / "values.npz", ("orc-warrior", "elf-mage")
    asked = ("train", str(path), "--decks", ",".join(decks), "--plays", "8", "-q")
    assert "learned by 8 plays, seed 0" in run(*asked).stdout
    learned = path.read_bytes()
    assert "--force writes over it" in run(*asked, exit_code=2).output
    run(*asked, "--force")
    assert path.read_bytes() == learned
    player = f"values:{path}"
    report = checked("match", "match", *decks, "--player", player, "--player-b", "rules", "--duels", "4")
    learned_by = {"plays": 8, "seed": 0}
    assert report["players"][0] == {"deck": "orc-warrior", "player": "values", "settings": learned_by}
    guided = ("--player", f"guided:{path},iterations=5", "--player-b", "random", "--duels", "2")
    assert checked("match", "match", *decks, *guided)["players"][0]["settings"]["iterations"] == 5
    assert report["duels"] == 4
    played = CliRunner().invoke(
        warage, ["play", *decks, "--opponent", player, "--seed", "1", "--no-costs"], "0\n0\nq\n"
    )
    assert played.exit_code == 1, played.output
    other = ("match", *decks, "--player", player, "--set", "cards.fireball.cost=6")
    assert "learned by other rules" in run(*other, exit_code=2).output
    assert "played by rules" in run("brawl", *DECKS[:3], "--player", player, exit_code=2).output


def test_files_of_values_that_are_none_are_named(tmp_path: Path) -> None:
    path = tmp_path / "values.npz"
    decks = ("orc-warrior", "elf-mage")
    assert "cannot read" in run("match", *decks, "--player", f"values:{path}", exit_code=2).output
    other = ("--player", "guided", "--set", "cards.fireball.cost=6")
    assert "warage train" in run("match", *decks, *other, exit_code=2).output
    never = f"guided:{path},iterations=0"
    assert "iterations=NUMBER" in run("match", *decks, "--player", never, exit_code=2).output
    path.write_text("nothing", encoding="utf-8")
    for words in (
        ("match", *decks, "--player-b", f"values:{path}"),
        ("balance", "--player", f"values:{path}"),
        ("play", *decks, "--opponent", f"values:{path}"),
    ):
        assert "is no file of values" in run(*words, exit_code=2).output


def test_the_carried_values_are_those_of_the_illustrative_cards() -> None:
    from analysis.warage.learned import check_learned, network_of
    from analysis.warage.players import carried_path, parse_player
    from engine.warage.rules import load_rules

    player = parse_player("guided:iterations=50")
    check_learned(player, load_rules())
    assert player.settings == {"iterations": 50}
    assert network_of(player).provenance.about == ", ".join(deck.id for deck in load_rules().decks)
    assert carried_path().stat().st_size < 300_000


WRONG = (
    "train x.npz --decks nobody",
    "train x.npz --decks ,",
    "train no/such/folder/x.npz",
    "queue orc/warrior elf/mage --pool-a squire",
    "attack orc/warrior:fireball elf/mage",
    "race orc elf/mage",
    "worth orc/warrior elf/wizard",
    "match orc-warrior nobody",
    "balance --decks nobody",
    "solve orc-warrior orc/warrior",
    "deck value orc-warrior --cards fireball",
    "deck tune orc-warrior --player search",
    "brawl orc-warrior elf-mage",
    "guild orc-warrior elf-mage human-paladin",
    "play orc-warrior nobody",
    "export duel orc human --deck-a parry --deck-b parry --hp 0,5 -o x.efg",
    "report pyproject.toml",
)


def test_help_and_wrong_usage_need_no_compiler() -> None:
    code = (
        "import sys; from click.testing import CliRunner; from cli.warage.main import warage;"
        "calls = [f'{name} --help' for name in warage.list_commands(None)] + sys.argv[1:];"
        "codes = [CliRunner().invoke(warage, call.split()).exit_code for call in calls];"
        "assert codes == [0] * (len(codes) - len(sys.argv) + 1) + [2] * (len(sys.argv) - 1), codes;"
        "assert 'numba' not in sys.modules and 'scipy' not in sys.modules and 'numpy' not in sys.modules"
    )
    folder = Path(__file__).resolve().parents[3]
    subprocess.run([sys.executable, "-c", code, *WRONG], check=True, cwd=folder)


if __name__ == "__main__":
    for each in REPORTS:
        text = json.dumps(schema_of(each), indent=2, ensure_ascii=False)
        (FOLDER / f"{each}-1.schema.json").write_text(f"{text}\n", encoding="utf-8")
