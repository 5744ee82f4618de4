"""Rules under names: every value of every game is seen and changed, with the same checks as at a terminal."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

import pytest

pytest.importorskip("starlette", reason="the app needs the extra `app`")

from analysis.errors import RequestError
from analysis.front.sheets import sheets_of, workbook_of
from app.words import changed_words
from engine.rulefiles import Schema
from tests.front.games import QUICK, game

if TYPE_CHECKING:
    from tests.app.client import Client


def text_of(client: Client, name: str, rules: str) -> str:
    return client.get(f"/{name}/rules/{rules}.toml").text


def test_values_are_changed_kept_and_asked_about(client: Client) -> None:
    fields = dict(client.get("/bidding/rules/box/cards.three").fields("/cards.three"))
    assert fields["value"] == "3"
    reply = client.post("/bidding/rules/box/cards.three", fields | {"value": "4", "new": "strong-three"})
    assert (reply.status, reply.where) == (303, "/bidding/rules/strong-three")
    page = client.get(reply.where)
    assert "Three value 3 → 4" in page.seen
    assert text_of(client, "bidding", "strong-three") == 'name = "strong-three"\n\n[cards.three]\nvalue = 4\n'
    entry = client.get("/bidding/rules/strong-three/cards.three")
    assert "in the box: 3" in entry.seen
    assert "changed" in entry.seen
    form = client.get("/bidding/solve")
    assert "strong-three" in form.text
    answer = client.answered("/bidding/solve?rules=strong-three")
    assert "strong-three" in answer.seen
    assert "--rules" in answer.text
    back = dict(entry.fields("/cards.three")) | {"value": "3"}
    client.post("/bidding/rules/strong-three/cards.three", back)
    assert "→" not in client.get("/bidding/rules/strong-three").seen


def test_wrong_values_are_said_beside_their_fields_and_nothing_is_kept(client: Client) -> None:
    fields = dict(client.get("/bidding/rules/box/cards.three").fields("/cards.three"))
    for value in ("1000", "x", "-1", "1.5", "[1]", '"'):
        reply = client.post("/bidding/rules/box/cards.three", fields | {"value": value, "new": "wrong"})
        assert reply.status == 422
        assert re.search(r'id="f-value-error">[^<]*allowed: a whole number from 1 to 99', reply.text)
        assert not (client.folder / "rules" / "bidding" / "wrong.toml").exists()
    unnamed = client.post("/bidding/rules/box/cards.three", fields | {"value": "4", "new": "../x"})
    assert unnamed.status == 422
    assert client.get("/bidding/rules/box/cards.nothing").status == 400
    assert client.get("/bidding/rules/nothing").status == 400
    assert client.get("/bidding/rules/box.toml").status == 400


def test_an_own_card_is_a_copy_of_another(client: Client) -> None:
    assert (
        client.post("/bidding/rules", {"name": "Own card", "like": "box"}).where == "/bidding/rules/own-card"
    )
    copy = {"do": "copy", "copy": "Number Four"}
    reply = client.post("/bidding/rules/own-card/cards.three", copy)
    assert (reply.status, reply.where) == (303, "/bidding/rules/own-card/cards.number-four")
    fields = dict(client.get(reply.where).fields("/cards.number-four"))
    assert fields["name"] == "Number Four"
    client.post(reply.where, fields | {"value": "4", "do": "keep"})
    assert 'name = "Number Four"\nvalue = 4' in text_of(client, "bidding", "own-card")
    # It is in every list at once.
    assert "Number Four" in client.post("/bidding/match", {"rules": "own-card", "deals": "x"}).text
    assert client.post("/bidding/rules/own-card/cards.three", copy).status == 422
    assert client.post("/bidding/rules/own-card/cards.three", copy | {"copy": "../../x"}).status == 422
    assert client.post("/bidding/rules/own-card/match", copy).status == 422


@pytest.mark.parametrize("name", QUICK)
def test_what_may_grow_does_by_a_name_alone_and_is_taken_out_again(client: Client, name: str) -> None:
    """Of each kind of entry: one more where the game has room; where not, the page says why."""
    client.post(f"/{name}/rules", {"name": "Grown", "like": "box"})
    tables, before = game(name).read().tables(), text_of(client, name, "grown")
    for path in game(name).schema.kinds():
        table = next(each for each in tables if Schema.is_entry(each, path))
        page = client.get(f"/{name}/rules/grown/{table}")
        reply = client.post(f"/{name}/rules/grown/{table}", {"do": "copy", "copy": "Zorro the Great"})
        if reply.status != 303:
            assert reply.status == 422
            assert "There is no room for one more" in page.seen
            assert text_of(client, name, "grown") == before
            continue
        assert "There is no room" not in page.seen
        assert reply.where.endswith(".zorro-the-great")
        made = client.get(reply.where)
        names = [value for field, value in made.fields(reply.where) if field == "name"]
        assert names in ([], ["Zorro the Great"])
        assert "Take it out" in made.seen
        assert "Take it out" not in page.seen
        assert client.post(reply.where, {"do": "out"}).where == f"/{name}/rules/grown"
        assert text_of(client, name, "grown") == before
        # What is made of the box's own rules has rules of that name.
        of_box = client.post(f"/{name}/rules/box/{table}", {"do": "copy", "copy": "Zorro the Great"})
        assert of_box.where == f"/{name}/rules/zorro-the-great/{reply.where.rpartition('/')[2]}"
        client.post(f"/{name}/rules/zorro-the-great", {"do": "delete"})


@pytest.mark.parametrize("name", QUICK)
def test_values_are_changed_where_they_stand_and_asked_about(client: Client, name: str) -> None:
    key, _, value = game(name).rules_example.partition("=")
    table = game(name).schema.table_of(key)
    page = client.get(f"/{name}/rules/box")
    fields = [(field, was) for field, was in page.fields("/rules/box") if "|" in field]
    changed = f"{table}|{key[len(table) + 1 :]}"
    assert changed in dict(fields)
    assert client.post(f"/{name}/rules/box", {"do": "ask", "question": "match"}).status == 422
    now = [(field, value if field == changed else was) for field, was in fields]
    asked = client.post(f"/{name}/rules/box", [*now, ("do", "ask"), ("question", "match")])
    query = dict(parse_qsl(urlsplit(asked.where).query))
    read = game(name).read
    assert read((), [query["set"]]).values() == read((), [game(name).rules_example]).values()
    assert query["diff"] == "box"
    kept = client.post(f"/{name}/rules/box", [*now, ("do", "keep"), ("new", "As It Stands Now")])
    assert kept.where == f"/{name}/rules/as-it-stands-now"
    assert "As It Stands Now" in client.get(kept.where).seen
    assert f'"{name}/rules/as-it-stands-now"' not in text_of(client, name, "as-it-stands-now")
    # As they are now they are compared with the box; changed further, with themselves.
    own = client.post(kept.where, {"do": "ask", "question": "match"})
    assert (
        dict(parse_qsl(urlsplit(own.where).query)).items()
        >= {"rules": "as-it-stands-now", "diff": "box"}.items()
    )


def test_rules_are_brought_and_taken_away(client: Client) -> None:
    sent = client.upload("/bidding/rules", "../../r.toml", b"name = 'x'\n[match]\nties = 'shared'\n")
    assert sent.status == 200
    assert re.search("Ties [a-z]+ → shared", sent.seen)
    assert not (client.folder / "rules" / "bidding" / "r.toml").exists()
    fields = dict(sent.fields("/rules"))
    assert fields["name"] == "r"
    taken = client.post("/bidding/rules", fields | {"name": "../x"})
    assert taken.status == 422
    assert re.search("Ties [a-z]+ → shared", taken.seen)
    assert client.post("/bidding/rules", fields | {"name": "brought"}).status == 303
    assert client.post("/bidding/rules", fields | {"name": "twice"}).status == 422
    assert 'ties = "shared"' in text_of(client, "bidding", "brought")
    assert client.post("/bidding/rules", {"name": "brought", "like": "box"}).status == 422
    like = client.post("/bidding/rules", {"name": "like-brought", "like": "brought"})
    assert 'ties = "shared"' in client.get(like.where + ".toml").text
    client.post("/bidding/rules/brought", {"do": "delete"})
    assert client.get("/bidding/rules/brought").status == 400
    assert client.answered("/bidding/solve?rules=brought").status == 422


@pytest.mark.parametrize("name", QUICK)
def test_a_spreadsheet_is_taken_out_changed_and_dropped_in(client: Client, name: str) -> None:
    pytest.importorskip("python_calamine", reason="spreadsheets need the extra `sheets`")
    pytest.importorskip("xlsxwriter", reason="spreadsheets need the extra `sheets`")
    box = game(name).read()
    found = client.get(f"/{name}/rules/box.xlsx")
    assert found.status == 200
    assert found.headers["content-disposition"].endswith('box.xlsx"')
    same = client.upload(f"/{name}/rules", "same.xlsx", workbook_of(sheets_of(box)))
    assert "changes nothing" in same.seen
    key = game(name).rules_example.partition("=")[0]
    changed = game(name).read((), [game(name).rules_example])
    sent = client.upload(f"/{name}/rules", "My new rules!.xlsx", workbook_of(sheets_of(changed)))
    assert f" {changed_words(key, game(name).said_names)} " in sent.seen
    fields = dict(sent.fields("/rules"))
    assert fields["name"] == "My new rules!"
    assert client.post(f"/{name}/rules", fields | {"name": "dropped-in"}).status == 303
    kept = game(name).read([client.folder / "rules" / name / "dropped-in.toml"])
    assert kept.values() == changed.values()
    assert not list((client.folder / "work").glob("draft-*"))


@pytest.mark.parametrize("name", QUICK)
def test_a_mistake_in_a_spreadsheet_is_named_with_its_cell_and_value(client: Client, name: str) -> None:
    pytest.importorskip("python_calamine", reason="spreadsheets need the extra `sheets`")
    pytest.importorskip("xlsxwriter", reason="spreadsheets need the extra `sheets`")
    for sheet in sheets_of(game(name).read()):
        numbers = [place for place, cell in enumerate(sheet.rows[0]) if type(cell) is int]
        if len(sheet.rows) > 1 and numbers:
            sheet.rows[0][numbers[0]] = "seventeen!"
            sent = client.upload(f"/{name}/rules", "mine.xlsx", workbook_of([sheet]))
            assert sent.status == 422
            cell = f"{chr(ord('A') + numbers[0])}2"
            assert "seventeen!" in sent.seen
            assert re.search(rf"\b{cell}\b", sent.seen), sent.seen[:600]
            return
    raise AssertionError("there is no number in any sheet")


@pytest.mark.parametrize(
    ("file", "data"),
    [
        ("cards.csv", b"card,value\nthree,many\n"),
        ("cards.exe", b"x"),
        ("", b"x"),
        ("broken.xlsx", b"PK no workbook"),
        ("broken.toml", b"[cards"),
        ("what.csv", b"a,b\n1,2\n"),
    ],
)
def test_what_is_no_file_of_rules_is_said_as_at_a_terminal(
    client: Client, file: str, data: bytes, tmp_path: Path
) -> None:
    sent = client.upload("/bidding/rules", file, data)
    if file.endswith(("csv", "toml", "xlsx")):
        (tmp_path / file).write_bytes(data)
        with pytest.raises(RequestError) as error:
            game("bidding").read([tmp_path / file])
        assert " ".join(str(error.value).replace(f"{tmp_path}/", "").split()) in sent.seen
    assert sent.status == 422
    assert "<li>" in sent.text.partition('role="alert"')[2][:400]
    assert "/work" not in sent.seen
    assert client.post("/bidding/rules", {"name": "lost", "draft": "../../x"}).status == 400


@pytest.mark.parametrize("name", QUICK)
def test_every_value_of_every_game_is_in_a_form_that_changes_nothing_as_it_stands(
    client: Client, name: str
) -> None:
    rules = game(name).read()
    page = client.get(f"/{name}/rules/box")
    assert page.status == 200
    tables = [table for table, keys in rules.tables().items() if keys]
    made = client.post(f"/{name}/rules", {"name": "as-it-stands", "like": "box"})
    assert made.status == 303
    empty = text_of(client, name, "as-it-stands")
    for table in [*tables[:5], *tables[-5:]]:
        where = f"/{name}/rules/as-it-stands/{table}"
        assert f"/{name}/rules/box/{table}" in page.text
        entry = client.get(where)
        assert entry.status == 200
        fields = entry.fields(f"/{table}")
        assert len(fields) <= 200
        reply = client.post(where, fields)
        assert reply.status == 303, reply.seen
    assert text_of(client, name, "as-it-stands") == empty
