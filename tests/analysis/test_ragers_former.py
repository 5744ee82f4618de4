"""Command lines of Ragers as a version ago had them, word for word as they are written now."""

from __future__ import annotations

import pytest

from analysis.ragers.former import words_today

TODAY = {
    # Matches: of a player with itself a study, of two a match.
    "match --games 20 --games 30": "study --player values --deals 30",
    "match --player greedy --player guided --games 5": "study --player guided --deals 5",
    "match --values a.npz --values b.npz": "study --player values:file=b.npz",
    "match --values a,b.npz": 'study --player values:file="a,b.npz"',
    "match --train 10 --train 20 --seed 3": "study --player values:plays=20 --seed 3",
    "match --player guided --train 10 --iterations 5 --iterations 6": "study --player"
    " guided:plays=10,iterations=6",
    "match --player values --iterations 5 --games 2": "study --player values --deals 2",
    "match --player greedy --train 10": "study --player greedy",
    "match --no-giving": "study --player values --no-giving",
    "match --compare --quiet": "study --player values --diff --quiet",
    "match --against random --against greedy": "match --player values --player random",
    "match --against guided --iterations 9 --games=4 --quiet": "match --player values --player"
    " guided:iterations=9 --deals 4 --quiet",
    "match --player random --player greedy --deals 4": "match --player random --player greedy --deals 4",
    # Play.
    "play": "play",
    "play --opponent greedy --seed 2": "play --opponent greedy --seed 2",
    "play --opponent random": "play --opponent random",
    "play --opponent uniform": "play --opponent random",
    "play --player accusers": "play --opponent rollouts --seat 1",
    "play --player defenders --player accusers --seed 2": "play --seed 2 --opponent rollouts --seat 2"
    " --seat 1",
    "play --player 2": "play --opponent rollouts --seat 2",
    "play --playouts 5 --playouts 7": "play --opponent rollouts:playouts=7 --playouts 7",
    "play --opponent greedy --playouts 5": "play --opponent greedy --playouts 5",
    "play --opponent match --think 2m --think 3m": "play --opponent match:seconds=180",
    "play --opponent equilibrium --playouts 5 --think 2": "play --opponent"
    " equilibrium:playouts=5,seconds=2 --playouts 5",
    "play --opponent rollouts --think 2": "play --opponent rollouts --think 2",
    "play --opponent greedy --opponent uniform": "play --opponent random",
    # A day of a match.
    "solve --match x --match y --player accusers --player defenders": "last-day y --side accusers --side"
    " defenders",
    "solve --player accusers": "solve --player accusers",
    # Pages.
    "report": "report",
    "report file.json": "report file.json",
    "report --patron Solennos": "balance --patron Solennos --format html",
    "report --player accusers --format table": "balance --format table --side accusers",
    "report --solve --cheers two-bashers": "solve --cheers two-bashers --format html",
    "report --match match.txt --player accusers": "report match.txt --side accusers",
    "report --compare a.toml --solve": "diff a.toml --format html",
    "report --compare-set a=1 --compare-set b=2 --patron X": "diff --set a=1 --set b=2 --patron X"
    " --format html",
    "report --compare a.toml --compare-set b=2 --match z": "diff a.toml --set b=2 --format html",
    # Rows.
    "export strategies --output a.parquet": "export strategies --parquet a.parquet --format table",
    "export behaviour -o a.parquet": "export behaviour --parquet a.parquet --format table",
    "export behaviour --output a.parquet --format csv": "export behaviour --output a.parquet --format csv",
    "export behaviour --output a --format parquet": "export behaviour --parquet a --format table",
    "export behaviour --format parquet --format csv": "export behaviour --format parquet --format csv",
    "export behaviour --output a.csv": "export behaviour --output a.csv",
    "export behaviour --output a.csv --output b.parquet": "export behaviour --parquet b.parquet"
    " --format table",
    "export strategies": "export strategies",
    "export efg --output a.parquet": "export efg --output a.parquet",
    "day --match x": "day --match x",
}


@pytest.mark.parametrize("old", TODAY)
def test_old_lines_in_words_of_today(old: str) -> None:
    assert " ".join(words_today(old.split())) == TODAY[old]
