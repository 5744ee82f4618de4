"""`clash split`, `clash equip`, `clash tactic`: answers in all formats, refusals."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from engine.clash.rules import ILLUSTRATIVE, load_rules
from tests.cli.test_clash import checked, one_line, run

SPLIT = ("--attacker", "bohorg: 2 I, 1 III", "--defender", "elves: 1 Elder", "--defender", "tomb: 1 I")
TACTIC = ("--clan", "bohorg", "--clan", "tomb")


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


def test_a_split_that_is_cut_says_so() -> None:
    words = ("split", *SPLIT, "--bracket", "1")
    assert checked(*words)["bracket"]
    assert "lower bounds" in run(*words).stdout


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


@pytest.mark.kernels
def test_tactic_by_playouts() -> None:
    words = ("tactic", *TACTIC, "--playouts", "4", "-q")
    report = checked(*words)
    assert (report["source"], report["policy"], report["playouts"]) == ("playouts", "rule", 4)
    assert "a guess" in in_words(*words)


# -- what cannot be asked -------------------------------------------------------------------------------


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
