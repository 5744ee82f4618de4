"""Playing in the app: moves, hints, undo, words, and a game that goes on after a restart."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("starlette", reason="the app needs the extra `app`")

import msgspec

from app.folder import PlayRecord
from tests.app.client import Reply, running
from tests.front.games import COMPILES, QUICK, game

if TYPE_CHECKING:
    from tests.app.client import Client

PLAYED = [
    pytest.param(name, marks=[pytest.mark.kernels] if name in COMPILES else [])
    for name in QUICK
    if game(name).play is not None
]


def begun(client: Client, name: str = "bidding", **fields: str) -> str:
    """Begin a game; return its address."""
    form = dict(client.get(f"/{name}/play").fields("/play"))
    reply = client.post(f"/{name}/play", form | fields)
    assert reply.status == 303, reply.seen
    return reply.where


def moves(reply: Reply) -> list[str]:
    return re.findall(r'class="move" name="number" value="\d+">([^<]*)<', reply.text)


@pytest.mark.parametrize(
    "name",
    [pytest.param("ragers", marks=pytest.mark.kernels), pytest.param("raverun", marks=pytest.mark.kernels)],
)
def test_a_game_that_is_over_is_reviewed_without_another_command(client: Client, name: str) -> None:
    end = to_the_end(client, begun(client, name, seed="5"))
    (review,) = re.findall(r'href="([^"]*)">What did I do wrong', end.text)
    reply = client.answered(html.unescape(review))
    assert reply.status == 200
    assert 'class="headline"' in reply.text


def test_only_games_that_were_played_here_are_reviewed(client: Client) -> None:
    assert "What did I do wrong" not in to_the_end(client, begun(client)).seen
    for name in ("play:nothing", "play:../../x", "play:", "/etc/passwd", "../x"):
        assert client.answered(f"/ragers/review?transcript={name}").status == 422, name
        assert client.answered(f"/ragers/advise?history={name}").status == 422, name


def step(reply: Reply) -> str:
    found = re.search(r'name="step" value="(\d+)"', reply.text)
    assert found
    return found[1]


def made(client: Client, where: str, number: int = 1) -> Reply:
    reply = client.answered(where)
    assert moves(reply), reply.seen
    sent = client.post(where, {"do": "move", "step": step(reply), "number": str(number)})
    assert (sent.status, sent.where) == (303, where)
    return client.answered(where)


def to_the_end(client: Client, where: str, most: int = 400) -> Reply:
    for _ in range(most):
        reply = client.answered(where)
        if not moves(reply):
            return reply
        made(client, where)
    raise AssertionError("the game does not end")


def test_a_game_is_played_to_its_end_with_hints_and_undo(client: Client) -> None:
    where = begun(client, seed="7")
    first = client.answered(where)
    assert "You hold One, Two, Three." in first.seen
    assert "Seed 7" in first.seen
    second = made(client, where, 2)
    assert step(second) == "1"
    assert "You hold One, Three." in second.seen
    client.post(where, {"do": "hint", "step": "1"})
    assert "The player rank would" in client.answered(where).seen
    client.post(where, {"do": "explain", "text": "three"})
    assert "a card of value 3" in client.answered(where).seen
    client.post(where, {"do": "explain", "text": "<nothing>"})
    assert "Nothing is called '<nothing>' here." in client.answered(where).seen
    client.post(where, {"do": "undo", "step": "1"})
    back = client.answered(where)
    assert moves(back) == moves(first)
    assert step(back) == "0"
    client.post(where, {"do": "undo", "step": "0"})
    assert "nothing to take back" in client.answered(where).seen
    end = to_the_end(client, where)
    assert re.search("You win|You lose|A draw", end.seen)
    assert re.search("You win|You lose|A draw", client.get("/bidding/play").seen)


def test_what_an_old_page_sends_is_left(client: Client) -> None:
    where = begun(client, seed="1")
    made(client, where)
    before = client.answered(where)
    for number, at in (("1", "0"), ("99", "1"), ("0", "1"), ("x", "1"), ("1", "-5"), ("1", "")):
        assert client.post(where, {"do": "move", "step": at, "number": number}).status == 303
        assert client.answered(where).text == before.text
    assert client.post(where, {"do": "nonsense"}).status == 303


def test_a_game_goes_on_after_a_restart(tmp_path: Path) -> None:
    with running(tmp_path) as client:
        where = begun(client, seed="3")
        made(client, where, 2)
        before = made(client, where, 1)
    with running(tmp_path) as client:
        after = client.answered(where)
        assert moves(after) == moves(before)
        assert "You hold" in after.seen
        # One that cannot be gone on with says so.
        path = tmp_path / "plays" / f"{where.rpartition('/')[2]}.json"
        record = msgspec.json.decode(path.read_bytes(), type=PlayRecord)
        record.words[0] = "bid something else"
        path.write_bytes(msgspec.json.encode(record))
    with running(tmp_path) as client:
        assert "cannot be gone on with" in client.answered(where).seen


def test_a_day_of_ragers_is_played_to_its_end_by_words_and_numbers(client: Client) -> None:
    day = {"patron": "solennos", "cheers": "two-bashers", "opponent": "greedy", "seed": "7"}
    where = begun(client, "ragers", **day)
    first = client.answered(where)
    assert "Day 1 of 1, Solennos: rows of 5, no Veteran" in first.seen
    assert "Discard a card, or keep all of them." in first.seen
    assert moves(first)[-1] == "keep all cards"
    client.post(where, {"do": "hint", "step": "0"})
    assert "stored solution (redraw), exchange" in client.answered(where).seen
    # A card that is not held says so; its letter and the words of a move are heard.
    client.post(where, {"do": "named", "step": "0", "text": "veteran"})
    assert "you hold no Veteran" in client.answered(where).seen
    client.post(where, {"do": "named", "step": "0", "text": "b"})
    second = client.answered(where)
    assert step(second) == "1"
    assert "discarded Basher today" in second.seen
    assert "Place a card." in second.seen
    client.post(where, {"do": "explain", "text": "chancer"})
    assert "It counts as the card placed against it" in client.answered(where).seen
    client.post(where, {"do": "undo", "step": "1"})
    assert moves(client.answered(where)) == moves(first)
    end = to_the_end(client, where)
    assert re.search(r"The day: \d+ GP for you, \d+ for your opponent\.", end.seen)
    assert re.search(r"The day is over, \d+ to \d+ GP\.", end.seen)
    assert "What your decisions cost:" in end.seen


@pytest.mark.parametrize("name", PLAYED)
def test_every_game_can_be_played(client: Client, name: str) -> None:
    where = begun(client, name, seed="7")
    reply = client.answered(where)
    for _ in range(4):
        if not moves(reply):
            break
        reply = made(client, where)
    assert 'role="alert"' not in reply.text, reply.seen
    assert reply.status == 200
