"""Tactic cards by the values of a file, which need no kernels."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from engine.clash.rules import load_rules
from tests.cli.test_clash import TACTIC, checked, one_line, rows_of, run

PLAYED = "--played 1 --played-against 4"


def values_file(folder: Path, left_out: int = 0) -> Path:
    rules = load_rules()
    pairs = [
        (one.order, two.order) for one in rules.clan("bohorg").tactics for two in rules.clan("tomb").tactics
    ]
    lines = [f"{one},{two},{((one * two) % 11 - 5) / 10},0.05" for one, two in pairs[left_out:]]
    path = folder / "values.csv"
    path.write_text("\n".join(["card,other,value,error", *lines]) + "\n", encoding="utf-8")
    return path


def test_tactic_cards_by_values_of_a_file(tmp_path: Path) -> None:
    path, kept = values_file(tmp_path), tmp_path / "kept.csv"
    report = checked(f"{TACTIC} --values {path} --hand 11,16,27 --save-values {kept}")
    assert report["low"] < report["value"] < report["high"]
    assert len(report["hands"][0]) == len(report["hands"][1]) == 35
    assert sum(each["probability"] for each in report["options"]) == pytest.approx(1)
    assert checked(f"{TACTIC} --values {kept}")["value"] == report["value"]
    assert len(rows_of(f"{TACTIC} --values {path}")) == 2 * 35 * 3
    path.write_text("\n".join(line.rpartition(",")[0] for line in path.read_text().splitlines()) + "\n")
    exact = checked(f"{TACTIC} --values {path}")
    assert exact["low"] == exact["value"] == exact["high"] == report["value"]


def test_values_of_another_round_are_named(tmp_path: Path) -> None:
    """Values that are kept say of which round they are; the same round needs no word."""
    path, kept = values_file(tmp_path), tmp_path / "kept.csv"
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0] + ",round", *(line + ",1" for line in lines[1:])]) + "\n")
    for line, rounds, said in (
        (f"{TACTIC} --values {path} --save-values {kept}", (1, 1), False),
        (f"{TACTIC} --values {kept} {PLAYED}", (2, 1), True),
    ):
        report = checked(line)
        assert (report["round"], report["values_round"]) == rounds
        assert ("used for round 2" in one_line(run(*shlex.split(line)).stdout)) == said
    kept.write_text(kept.read_text().replace(",1\n", ",2\n", 1))
    assert "several rounds" in one_line(run(*shlex.split(f"{TACTIC} --values {kept}"), exit_code=2).stderr)


def test_values_that_are_wrong(tmp_path: Path) -> None:
    path = values_file(tmp_path, 2)
    words = shlex.split(f"{TACTIC} --values {path}")
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
