"""Games kept while they are played, and gone on with: what is refused, and what no failure ends."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from analysis.errors import RequestError
from analysis.front import recording
from analysis.front.recording import LAST, STOPPED, recorder_of
from analysis.front.verbs.play import session_of
from analysis.transcripts import TranscriptError, first_line
from tests.front.games import game


class Kept:
    """A session of which only the transcript is asked."""

    seat = 0

    def __init__(self, text: str) -> None:
        self.text = text

    def record(self) -> str:
        return self.text

    def options(self) -> list[str] | None:
        return None if "finished" in self.text else ["pass"]


def go_on(text: str, files: Any, seed: int, advice: Any) -> Kept:
    if not text.startswith(first_line("bidding")):
        raise TranscriptError("does not begin as one")
    return Kept(text)


@pytest.fixture
def bidding(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    monkeypatch.setattr(recording, "left_last", lambda asked: tmp_path / "left" / "last.txt")
    return dataclasses.replace(game("bidding"), resume=go_on)


def asked(bidding: Any, **given: Any) -> Any:
    return bidding.play.build(**given)


def test_a_game_that_is_left_is_the_last_one_until_it_ends(bidding: Any, tmp_path: Path) -> None:
    with pytest.raises(RequestError, match="no game was left"):
        session_of(bidding, asked(bidding, resume=LAST))
    session = Kept(first_line("bidding"))
    recorder = recorder_of(bidding, asked(bidding), session)  # type: ignore[arg-type]
    assert recorder is not None
    assert recorder.left() == STOPPED, "nothing was decided yet"
    session.text += "\nmore"
    assert recorder.left() == f"{STOPPED} To go on: bidding play --resume"
    again, _ = session_of(bidding, asked(bidding, resume=LAST))
    on = recorder_of(bidding, asked(bidding, resume=LAST), again)
    assert on is not None
    assert on.ended() == []
    with pytest.raises(RequestError, match="no game was left"):
        session_of(bidding, asked(bidding, resume=LAST))


def test_a_transcript_is_kept_and_never_lost(bidding: Any, tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    session = Kept(first_line("bidding"))
    recorder = recorder_of(bidding, asked(bidding, transcript=path), session)  # type: ignore[arg-type]
    assert recorder is not None
    assert recorder.keep() is None
    assert path.read_text(encoding="utf-8") == session.text
    assert recorder.left() == f"{STOPPED} To go on: bidding play --resume {path}"
    assert str(path) in recorder.ended()[0]
    with pytest.raises(RequestError, match="a game lies at"):
        recorder_of(bidding, asked(bidding, transcript=path), session)  # type: ignore[arg-type]
    assert recorder_of(bidding, asked(bidding, transcript=path, force=True), session)  # type: ignore[arg-type]
    path.write_text("my notes", encoding="utf-8")
    with pytest.raises(RequestError, match="is no transcript of"):
        recorder_of(bidding, asked(bidding, transcript=path), session)  # type: ignore[arg-type]
    with pytest.raises(RequestError, match="--force is about"):
        recorder_of(bidding, asked(bidding, force=True), session)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("data", "given", "said"),
    [
        (b"\xff", {}, "is no text"),
        (b"my notes", {}, "does not begin as one"),
        (b"# bidding transcript 1\nfinished", {}, "is finished; look at it with: bidding review"),
        (b"# bidding transcript 1", {"seed": 3}, "--seed is for a new one"),
        (b"# bidding transcript 1", {"seat": 2}, "--seat is for a new one"),
        (b"# bidding transcript 1", {"transcript": "other.txt"}, "--transcript is for a new one"),
        (None, {}, "there is no file"),
    ],
)
def test_what_cannot_be_gone_on_with_says_why(
    data: bytes | None, given: dict[str, Any], said: str, bidding: Any, tmp_path: Path
) -> None:
    path = tmp_path / "game.txt"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(RequestError, match=said):
        session_of(bidding, asked(bidding, resume=path, **given))
