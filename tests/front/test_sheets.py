"""Rules as spreadsheets: what is written reads as the same rules, in any kind of file, however messy."""

from __future__ import annotations

import csv
import io
import random
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import pytest

from analysis.errors import RequestError
from analysis.front.sheets import SheetRows, csv_of, sheets_of, workbook_of
from tests.front.games import QUICK, game
from tests.front.test_questions import run

pytest.importorskip("python_calamine", reason="workbooks need the extra `sheets`")


def ods(sheets: Sequence[SheetRows]) -> bytes:
    """Return sheets as an OpenDocument file, as small as can be; what is written as XML stays so."""

    def cell(value: object) -> str:
        if isinstance(value, str) and value.startswith("<"):
            return value
        if isinstance(value, str):
            text = f"<text:p>{escape(value)}</text:p>"
            return (
                f'<table:table-cell office:value-type="string">{text}</table:table-cell>'
                if value
                else "<table:table-cell/>"
            )
        return f'<table:table-cell office:value-type="float" office:value="{value}"/>'

    tables = "".join(
        f'<table:table table:name="{escape(sheet.name)}">'
        + "".join(
            f"<table:table-row>{''.join(map(cell, row))}</table:table-row>"
            for row in [sheet.heads, *sheet.rows]
        )
        + "</table:table>"
        for sheet in sheets
    )
    names = " ".join(
        f'xmlns:{short}="urn:oasis:names:tc:opendocument:xmlns:{short}:1.0"'
        for short in ("office", "table", "text")
    )
    content = (
        f'<?xml version="1.0"?><office:document-content {names}><office:body><office:spreadsheet>{tables}'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as packed:
        packed.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        packed.writestr("META-INF/manifest.xml", '<?xml version="1.0"?><manifest/>')
        packed.writestr("content.xml", content)
    return stream.getvalue()


def changed(name: str) -> Any:
    """Rules that differ from the box."""
    return game(name).read(overrides=[game(name).rules_example])


@pytest.mark.parametrize("name", QUICK)
@pytest.mark.parametrize("form", ["xlsx", "ods", "csv"])
def test_what_is_written_reads_as_the_same_rules(name: str, form: str, tmp_path: Path) -> None:
    rules = changed(name)
    sheets = sheets_of(rules)
    files = []
    if form == "csv":
        for sheet in sheets:
            files.append(tmp_path / f"{sheet.name}.csv")
            files[-1].write_text(csv_of(sheets, sheet.name), encoding="utf-8")
    else:
        files = [tmp_path / f"my.{form}"]
        files[0].write_bytes(workbook_of(sheets) if form == "xlsx" else ods(sheets))
    assert game(name).read(files).sha256 == rules.sha256 != game(name).read().sha256


def messy(sheet: SheetRows, chance: random.Random) -> bytes:
    """Return a sheet as somebody's CSV: other heads, marks, columns and code pages; values unchanged."""
    heads = [_head(head, chance) for head in sheet.heads]
    rows = [[_text(cell, chance) for cell in row] for row in sheet.rows]
    order = list(range(len(heads)))
    chance.shuffle(order)
    table = [[row[place] for place in order] for row in [heads, *rows]]
    if chance.random() < 0.5:
        place = chance.randint(0, len(order))
        for number, row in enumerate(table):
            row.insert(place, "Art" if number == 0 else chance.choice(["", "a dragon", "ünder wraps"]))
    if chance.random() < 0.3:
        table.insert(chance.randint(1, len(table)), [""] * len(table[0]))
    stream = io.StringIO()
    csv.writer(
        stream, delimiter=chance.choice(",;\t"), lineterminator=chance.choice(["\n", "\r\n"])
    ).writerows(table)
    return stream.getvalue().encode(chance.choice(["utf-8", "utf-8-sig", "cp1252", "utf-16"]))


def _head(head: str, chance: random.Random) -> str:
    also = {"copies": ["Qty", "Count", "Copies "], "cost": ["Price", "COST"], "hp": ["HP ", "Hit points"]}
    plain = chance.choice(also.get(head, [head]))
    return chance.choice([plain, plain.upper(), plain.title(), f" {plain} ", plain.replace(" ", "_")])


def _text(cell: object, chance: random.Random) -> str:
    if isinstance(cell, int) and chance.random() < 0.3:
        return chance.choice([f"{cell}.0", f"{cell},0", f" {cell} "])
    return chance.choice(["YES", "true", "yes"]) if cell == "yes" else str(cell)


@pytest.mark.parametrize(("number", "seed"), [(40, 5), pytest.param(200, 6, marks=pytest.mark.slow)])
def test_messy_sheets_are_read_right(number: int, seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    box = {name: game(name).read() for name in QUICK}
    for _ in range(number):
        name = chance.choice(list(QUICK))
        rules = changed(name)
        sheet = chance.choice([each for each in sheets_of(rules) if each.heads[0] != "key"])
        file = tmp_path / f"{sheet.name}.csv"
        file.write_bytes(messy(sheet, chance))
        key = rules.changed[0]
        # The change is in one of the sheets; the others say what the box says.
        there = key.split(".")[0] == sheet.name.split(".")[0] and (key.count(".") > 2) == ("." in sheet.name)
        assert game(name).read([file]).sha256 == (rules if there else box[name]).sha256, (name, sheet.name)


def test_what_is_empty_or_left_out_keeps_the_value_and_what_is_new_is_added(tmp_path: Path) -> None:
    file = tmp_path / "cards.csv"
    effect = '[{ trigger = "play", action = "modify", stat = "M", amount = 3 }]'
    text = f"Name;Cost;Kind;Effect\nFireball;9;;\nLightning;;;\nIce Lance;3;flash;{effect}\n"
    file.write_text(text, encoding="utf-8")
    cards = {card.id: card for card in game("warage").read([file]).cards}
    box = {card.id: card for card in game("warage").read().cards}
    assert (cards["fireball"].cost, cards["ice-lance"].cost) == (9, 3)
    assert cards["lightning"] == box["lightning"]


def test_the_commands_write_and_read_and_name_what_means_nothing(tmp_path: Path) -> None:
    book = tmp_path / "my.xlsx"
    run("warage", "rules show", "-o", str(book), "--set", "cards.fireball.cost=6", "-q")
    assert "cards.fireball.cost" in run("warage", "rules check", str(book)).stdout
    file = tmp_path / "cards.csv"
    run("warage", "rules show", "-o", str(file), "-q")
    text = file.read_text(encoding="utf-8")
    file.write_text(
        "\n".join(f"{line},x" for line in text.splitlines()).replace(",x", ",Art", 1), encoding="utf-8"
    )
    shown = " ".join(run("warage", "rules check", str(file)).stdout.split())
    assert "sound; no values changed" in shown
    assert "the column Art means nothing here" in shown
    with pytest.raises(RequestError, match=r"cards\.csv"):
        csv_of(sheets_of(game("warage").read()), "heroes")


def test_a_workbook_that_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "bomb.xlsx"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("xl/worksheets/sheet1.xml", b"0" * (65 << 20))
    with pytest.raises(RequestError, match="unpacks to more than 64 MiB"):
        game("warage").read([file])
