"""Played games as text: kept while they are played, and gone on with."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from analysis.errors import RequestError
from analysis.files import read_file
from analysis.front.parameters import Bundle, param
from analysis.front.question import imported
from analysis.front.session import Session

__all__ = ["LAST", "NoRecording", "Recorder", "Recording", "recorder_of", "resumed"]

LAST = "last"
"""What stands for the game that was left last."""
STOPPED = "Stopped; the game is not over."


class NoRecording(Bundle, frozen=True, kw_only=True):
    """A game that cannot be kept."""


class Recording(Bundle, frozen=True, kw_only=True):
    """Where a game is kept, and which one is gone on with."""

    transcript: (
        Annotated[
            Path,
            param(
                "File to keep the game in, written before each of your decisions and at the end.", more=True
            ),
        ]
        | None
    ) = None
    force: Annotated[bool, param("Overwrite whatever lies at --transcript.", more=True)] = False
    resume: (
        Annotated[
            Path,
            param(
                "Go on with the game of this transcript; without a file, with the one left last.", bare=LAST
            ),
        ]
        | None
    ) = None


def left_last(game: Any) -> Path:
    """Return where the game is kept that was left last without a transcript."""
    from arena_solver.folders import cache_root

    return cache_root() / f"left-game-{game.name}.txt"


def resumed(game: Any, asked: Any, seed: int) -> Session:
    """Return the game of a transcript, to go on with.

    Raises
    ------
    RequestError
        If there is none, it is damaged or finished, or something is asked that is for a new game.
    """
    from analysis.transcripts import TranscriptError

    for each in game.play.parameters:
        given = asked
        for name in each.path:
            given = getattr(given, name)
        new = each.path[0] not in ("advice", "hints", "rules") and each.name != "resume"
        if new and given != each.default:
            said = f"--resume goes on with the game as it was begun; {each.option} is for a new one"
            raise RequestError(said)
    path = _resumed_path(game, asked.recording)
    try:
        text = read_file(path).decode()
    except FileNotFoundError:
        said = "no game was left" if path == left_last(game) else f"there is no file {str(path)!r}"
        raise RequestError(said, "--resume") from None
    except OSError as error:
        raise RequestError(f"cannot read {str(path)!r}: {error.strerror}", "--resume") from None
    except UnicodeDecodeError:
        raise RequestError(f"{path} is no transcript: it is no text (UTF-8)", "--resume") from None
    try:
        session: Session = imported(game.resume)(text, asked.rules.rules, seed, asked.advice)
    except TranscriptError as error:
        raise RequestError(f"{path}: {error}", "--resume") from None
    if session.options() is None:
        said = f"the game in {path} is finished; look at it with: {game.name} review {path}"
        raise RequestError(said, "--resume")
    return session


def _resumed_path(game: Any, recording: Recording) -> Path:
    assert recording.resume is not None
    return left_last(game) if recording.resume == Path(LAST) else recording.resume


class Recorder:
    """Keeps a game while it is played; no failure ends the game.

    Parameters
    ----------
    path : where; None for nowhere until the game is left.
    last : where it is kept then.
    """

    def __init__(self, game: Any, session: Any, path: Path | None, last: Path) -> None:
        self._name, self._session, self._path, self._last = game.name, session, path, last
        self._begun = session.record()

    def keep(self, *, ends: bool = False) -> str | None:
        """Keep the game so far; devices and pipes take it as it ends. Return what went wrong."""
        from analysis.files import is_stream

        path = self._path
        if path is None or (is_stream(path) and not ends):
            return None
        error = self._write(path)
        if error is not None:
            self._path = None
        return error

    def _write(self, path: Path) -> str | None:
        from analysis.files import write_atomically

        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, self._session.record().encode())
        except OSError as error:
            return f"Error: cannot write {str(path)!r}: {error.strerror}."
        return None

    def left(self) -> str:
        """Keep a game that is left before its end; return what to say."""
        from analysis.files import is_stream

        if self._session.record() == self._begun and self._path is None:
            return STOPPED
        error = self.keep(ends=True)
        if self._path is None or is_stream(self._path):
            error = self._write(self._last)
            where = ""
        else:
            where = "" if self._path == self._last else f" {self._path}"
        if error is not None:
            return f"{STOPPED} {error}"
        return f"{STOPPED} To go on: {self._name} play --resume{where}"

    def ended(self) -> list[str]:
        """The game is over; return what to say."""
        from analysis.files import is_stream

        if self._path == self._last:
            self._last.unlink(missing_ok=True)
        elif self._path is not None and not is_stream(self._path):
            return [f"Kept in {self._path}; look at it with: {self._name} review {self._path}"]
        return []


def recorder_of(game: Any, asked: Any, session: Session) -> Recorder | None:
    """Return what keeps a game, None if it cannot be kept.

    Raises
    ------
    RequestError
        If it may not be kept where it was to be.
    """
    if game.resume is None:
        return None
    recording, last = asked.recording, left_last(game)
    path = recording.transcript
    if recording.resume is not None:
        path = _resumed_path(game, recording)
    elif path is not None:
        check_place(game, path, force=recording.force)
    elif recording.force:
        raise RequestError("--force is about what lies at --transcript, and none was given")
    return Recorder(game, session, path, last)


def check_place(game: Any, path: Path, *, force: bool) -> None:
    """Raise RequestError unless a transcript may be written at `path`: nothing else there is lost."""
    from analysis.files import check_output, is_stream
    from analysis.transcripts import is_transcript

    check_output(path, "--transcript")
    if force or is_stream(path) or not path.exists() or path.stat().st_size == 0:
        return
    try:
        ours = is_transcript(path, game.name)
    except OSError as error:
        raise RequestError(f"cannot read {str(path)!r}: {error.strerror}", "--transcript") from None
    what = "a game lies" if ours else f"what is no transcript of {game.title} lies"
    raise RequestError(f"{what} at {str(path)!r}; it is written over with --force only", "--transcript")
