"""`clash split`, `clash equip`, `clash tactic`: answers in all formats, refusals."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from engine.clash.rules import ILLUSTRATIVE, load_rules
from tests.cli.test_clash import checked, one_line, run

SPLIT = ("--attacker", "bohorg: 2 I, 1 III", "--defender", "elves: 1 Elder", "--defender", "tomb: 1 I")
EQUIP = (
    *("--attacker", "bohorg: 1 I, 1 III", "--defender", "elves: 2 Templar"),
    *("--market", "axe 2, plate-armor", "--gold", "11"),
)
TACTIC = ("--clan", "bohorg", "--clan", "tomb")
PLAYED = ("--played", "1", "--played-against", "4")


def values_file(folder: Path, left_out: int = 0) -> Path:
    rules = load_rules()
    pairs = [
        (one.order, two.order) for one in rules.clan("bohorg").tactics for two in rules.clan("tomb").tactics
    ]
    lines = [f"{one},{two},{((one * two) % 11 - 5) / 10},0.05" for one, two in pairs[left_out:]]
    path = folder / "values.csv"
    path.write_text("\n".join(["card,other,value,error", *lines]) + "\n", encoding="utf-8")
    return path


def in_words(*words: str) -> str:
    """The table of a command, checked as all tables are; its Markdown has to be made of the same."""
    table = run(*words).stdout
    assert max(map(len, table.splitlines())) <= 80
    assert ILLUSTRATIVE in one_line(table)
    assert "| ---" in run(*words, "--format", "md").stdout
    return table


@pytest.mark.parametrize("objective", ["both", "either", "material"])
def test_split(objective: str) -> None:
    words = ("split", *SPLIT, "--objective", objective)
    report = checked(*words)
    assert report["targets"] == ["elves: 1 High Elder", "tomb: 1 Tomb I"]
    assert report["best"][0]["value"] == max(each["value"] for each in report["best"])
    table = in_words(*words)
    assert ("Weights: territory 3" in table) == (objective == "material")
    rows = list(csv.DictReader(io.StringIO(run(*words, "--format", "csv").stdout)))
    assert float(rows[0]["value"]) == report["best"][0]["value"]
    assert {row["list"] for row in rows} == {"best", "front"}


def test_a_split_that_is_cut_says_so() -> None:
    words = ("split", *SPLIT, "--bracket", "1")
    assert checked(*words)["bracket"]
    assert "lower bounds" in run(*words).stdout


def test_equip() -> None:
    words = ("equip", *EQUIP)
    report = checked(*words)
    assert report["front"][-1]["value"] == max(each["value"] for each in report["front"])
    assert [stack["card"] for stack in report["market"]] == ["axe", "plate-armor"]
    assert "Proved" in in_words(*words)
    rows = list(csv.DictReader(io.StringIO(run(*words, "--format", "csv").stdout)))
    assert [int(row["gold"]) for row in rows] == [each["gold"] for each in report["front"]]
    two = (*words, "--defender", "tomb: 1 I", "--share", "2", "--share", "1", "--objective", "material")
    axe = ("--equip", "Pummeler: axe")
    both = checked(*two, *axe)
    assert both["shares"] == [2, 1]
    assert both["now"]["attached"] == [{"unit": "pummeler", "cards": ["axe"]}]
    assert "counts 67%" in in_words(*two, *axe)


def test_tactic(tmp_path: Path) -> None:
    path = values_file(tmp_path)
    kept = tmp_path / "kept.csv"
    words = ("tactic", *TACTIC, "--values", str(path))
    report = checked(*words, "--hand", "11,16,27", "--save-values", str(kept))
    assert report["low"] < report["value"] < report["high"]
    assert len(report["hands"][0]) == len(report["hands"][1]) == 35
    again = checked("tactic", *TACTIC, "--values", str(kept))
    assert again["value"] == report["value"]
    table = in_words(*words, "--hand", "11,16,27", "--played", "1", "--played-against", "4")
    assert "bohorg has 11, 16, 27" in table
    assert "does not say of which round: taken to be of round 2" in table
    rows = list(csv.DictReader(io.StringIO(run(*words, "--format", "csv").stdout)))
    assert len(rows) == 2 * 35 * 3


def test_tactic_without_errors_has_no_interval(tmp_path: Path) -> None:
    path = values_file(tmp_path)
    path.write_text("\n".join(line.rpartition(",")[0] for line in path.read_text().splitlines()) + "\n")
    words = ("tactic", *TACTIC, "--values", str(path))
    report = checked(*words)
    assert report["low"] == report["value"] == report["high"]
    assert "between" not in in_words(*words)


def test_values_of_another_round_are_named(tmp_path: Path) -> None:
    """Values that are kept say of which round they are; the same round needs no word."""
    path = values_file(tmp_path)
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0] + ",round", *(line + ",1" for line in lines[1:])]) + "\n")
    kept = tmp_path / "kept.csv"
    words = ("tactic", *TACTIC, "--values", str(kept))
    first = checked("tactic", *TACTIC, "--values", str(path), "--save-values", str(kept))
    assert (first["round"], first["values_round"]) == (1, 1)
    assert "of round" not in in_words(*words)
    later = (*words, "--played", "1", "--played-against", "4")
    second = checked(*later)
    assert (second["round"], second["values_round"]) == (2, 1)
    assert "The values are those of round 1 and used for round 2" in in_words(*later)
    kept.write_text(kept.read_text().replace(",1\n", ",2\n", 1))
    assert "several rounds" in one_line(run(*words, exit_code=2).stderr)


@pytest.mark.kernels
def test_tactic_by_playouts() -> None:
    words = ("tactic", *TACTIC, "--playouts", "4", "-q")
    report = checked(*words)
    assert (report["source"], report["policy"], report["playouts"]) == ("playouts", "rule", 4)
    assert "a guess" in in_words(*words)


@pytest.mark.parametrize("words", [("split", *SPLIT), ("equip", *EQUIP), ("balance", "--points", "6", "-q")])
def test_what_takes_too_much_memory_is_refused(words: tuple[str, ...]) -> None:
    said = one_line(run(*words, "--memory", "150MiB", exit_code=4).stderr)
    assert said.startswith("Refused: ")


# -- what cannot be asked -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("split", *SPLIT[:4]), "two targets, not 1"),
        (("split", *SPLIT, "--defender", "tomb: 1 I"), "two targets, not 3"),
        (("split", *SPLIT, "--weights", "I=2"), "material only"),
        (("split", *SPLIT, "--objective", "material", "--weights", "I=x"), "from 0 to"),
        (("split", *SPLIT, "--solo"), "against elves"),
        (("split", *SPLIT, "--equip", "Templar: axe"), "there are: pummeler"),
        (("split", "--attacker", "elves: 1 Elder", *SPLIT[2:]), "never attack"),
        (("split", "--attacker", "bohorg: 9 I", *SPLIT[2:]), "at most 7"),
        (("equip", *EQUIP, "--market", "axee"), "did you mean axe?"),
        (("equip", *EQUIP, "--market", "sunblade"), "no equipment is called 'sunblade'"),
        (("equip", *EQUIP, "--market", "axe 9"), "9 of Axe: there are at most 4"),
        (("equip", *EQUIP, "--market", f"axe {10**20}"), f"{10**20} of Axe: there are at most 4"),
        (("equip", *EQUIP, "--gold", str(10**20)), "from 0 to 10,000"),
        (("equip", *EQUIP, "--market", "axe 0"), "at least 1"),
        (("equip", *EQUIP, "--market", "2 axe 2"), "no equipment is called"),
        (("equip", *EQUIP, "--market", ", "), "at least 1"),
        (
            ("equip", *EQUIP, "--market", "axe,club,lance,buckler,musket,crossbow,war-drum"),
            "the market has 6",
        ),
        (("equip", *EQUIP, "--gold", "-1"), "from 0 to 10,000"),
        (("equip", *EQUIP, "--buyer", "defender"), "elves buy nothing"),
        (("equip", *EQUIP, "--attacker", "tomb: 1 I"), "one army, not 2"),
        (("equip", *EQUIP, "--share", "1", "--share", "2"), "each battle has a share: 1 in all, not 2"),
        (("equip", *EQUIP, "--share", "0"), "not all 0"),
        (("equip", *EQUIP, "--share", "nan"), "a number from 0 to 1e+09"),
        (("equip", *EQUIP, "--share", "a"), "a number from 0"),
        (("equip", *EQUIP, "--weights", "I=2"), "material only"),
        (("equip", *EQUIP, "--bracket", "2"), "No such option"),
        (("tactic", "--clan", "tomb"), "two play"),
        (("tactic", "--clan", "bohorq", "--clan", "tomb", "--playouts", "1"), "did you mean bohorg?"),
        (("tactic", "--clan", "tomb", "--clan", "tomb", "--playouts", "1"), "played once"),
        (("tactic", "--clan", "elves", "--clan", "tomb", "--playouts", "1"), "no clan is called 'elves'"),
        (("tactic", *TACTIC, "--playouts", "1", "--hand", "1,2,6"), "no card of bohorg"),
        (("tactic", *TACTIC, "--playouts", "1", "--hand", "1,6"), "a hand has 3"),
        (("tactic", *TACTIC, "--playouts", "1", "--hand", "1,6,6"), "named twice"),
        (("tactic", *TACTIC, "--playouts", "1", "--hand", "1,6,11", *PLAYED), "discard pile"),
        (("tactic", *TACTIC, "--playouts", "1", "--played", "1,6,11,16,17"), "2 cards are left"),
        (("tactic", *TACTIC, "--playouts", "1", *PLAYED), "begin with the game"),
        (("tactic", *TACTIC, "--playouts", "1", "--played", "1"), "equally many cards by now (T1)"),
        (("tactic", *TACTIC, "--playouts", "1", *PLAYED[:3], "4,26"), "not 1 and 2"),
        (("tactic", *TACTIC, "--playouts", "1", "--save-values", "no/such/x"), "'--save-values'"),
        (("tactic", *TACTIC, "--playouts", "0"), "from 1 to 10,000,000"),
    ],
)
def test_what_is_wrong_is_said_with_what_would_do(words: tuple[str, ...], said: str) -> None:
    error = one_line(run(*words, exit_code=2).stderr)
    assert said in error
    assert "Traceback" not in error


def test_values_that_are_wrong(tmp_path: Path) -> None:
    path = values_file(tmp_path, 2)
    words = ("tactic", *TACTIC, "--values", str(path))
    text = path.read_text()
    for change, said in (
        (text, "2 of 49 pairs have no value, the first is 1 against 4"),
        (text + text.splitlines()[1] + "\n", "again"),
        (text + "1,4,x,0\n", "line 49: columns are card,other,value,error"),
        (text + "1,4,0.5,-1\n", "0 or more"),
        (text + "1,4,inf,0\n", "up to a billion"),
        ("", "49 of 49"),
        ("a,b\n1,2\n", "columns are"),
    ):
        path.write_text(change)
        assert said in one_line(run(*words, exit_code=2).stderr)
    path.write_bytes(b"\xff\xfe\x00")
    assert "cannot read" in one_line(run(*words, exit_code=2).stderr)


# -- balance --------------------------------------------------------------------------------------------

BALANCE = ("balance", "--clan", "bohorg", "--clan", "tomb", "--points", "2", "--battles", "3", "-q")


def test_balance() -> None:
    words = (*BALANCE, "--compare", "battle.sparing=false")
    report = checked(*words)
    assert report["complete"]
    assert [each["change"] for each in report["compared"]] == ["battle.sparing=false"]
    table = in_words(*words)
    assert "bohorg 0 1 0" in table
    assert "per gold" in table
    rows = list(csv.DictReader(io.StringIO(run(*words, "--format", "csv").stdout)))
    assert sum(row["list"] == "battle" for row in rows) == report["battles"]
    assert {row["list"] for row in rows} == {"battle", "icon", "card", "unit", "compared"}


def test_balance_interrupted_shows_what_is_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    import signal

    from analysis.clash import balancing, solving

    calls = 0
    before = solving.exact_value

    def interrupted(*words: object, **settings: object) -> float:
        nonlocal calls
        calls += 1
        if calls == 5:
            signal.raise_signal(signal.SIGINT)
        return before(*words, **settings)  # type: ignore[arg-type]

    monkeypatch.setattr(solving, "exact_value", interrupted)
    monkeypatch.setattr(balancing, "_known", {})
    result = run(*BALANCE, exit_code=130)
    assert "Stopped early: what was finished is shown" in one_line(result.stdout)
    assert calls == 5


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--clan", "bohorg"), "two clans or more"),
        (("--clan", "bohorg", "--clan", "bohorg"), "each once"),
        (("--clan", "bohorg", "--clan", "tombs"), "did you mean tomb?"),
        (("--points", "0"), "from 0.01 to 1e+06"),
        (("--points", "2.5"), "no army of bohorg counts 2.5; the nearest is 2"),
        (("--points", "99"), "no army of bohorg counts 99"),
        (("--weights", "II=0"), "above 0"),
        (("--compare", "battle.sparring=true"), "Invalid value for '--compare': [battle] sparring"),
    ],
)
def test_what_is_wrong_with_a_balance(words: tuple[str, ...], said: str) -> None:
    error = one_line(run("balance", *words, exit_code=2).stderr)
    assert said in error
    assert "Traceback" not in error
