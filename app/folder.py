"""The app's own files: rules under names, answers, jobs and games, each written by renaming.

Several servers may use one folder. Each has a file that says which process it is, so that one knows what
another is at.
"""

from __future__ import annotations

import os
import secrets
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import psutil

from analysis.errors import RequestError
from analysis.files import write_atomically
from analysis.front.page import Page
from app import texts
from app.security import NAME
from arena_solver.folders import may_be_called

__all__ = ["BOX", "PLAYED", "Asked", "Folder", "JobRecord", "PlayRecord", "Result"]

PLAYED = "play:"
"""What the name of a game that was played here begins with, where a question wants a transcript."""
BOX = "box"
"""The name of the rules as they are in the box; nothing is kept under it."""
_Record = TypeVar("_Record")


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A question with what is given, in words.

    Attributes
    ----------
    given : parameters that are not as usual, each as it is typed.
    rules : the name of the kept rules; the box's if empty.
    set : single values laid over them.
    vary, goal : what varies, and what figures are to be then.
    diff : what it is compared with: rules by name, or KEY=VALUE; nothing if empty.
    """

    game: str
    question: str
    given: dict[str, str | list[str]] = {}
    rules: str = ""
    set: list[str] = []
    vary: list[str] = []
    goal: list[str] = []
    diff: str = ""


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """An answer as it is kept: its JSON as the command writes it, and its page."""

    asked: Asked
    answer: msgspec.Raw
    page: Page
    exactness: str
    complete: bool
    document: str = ""
    document_format: str = ""
    document_suffix: str = ""
    seconds: float = 0.0


class JobRecord(msgspec.Struct, kw_only=True):
    """A job as it is kept: the key of its answer, whose it is, and how far it has come.

    Attributes
    ----------
    told : how far, in the solver's own words, where it is a solve; `said` is what was foretold.
    curve : seconds and NashConv of each check of the solve that is under way.
    long : whether it was said that it may take long.
    first : what has to be asked first, where that is what it failed for.
    wrong : whether it failed because it cannot be asked so; else what it needs was not there.
    """

    id: str
    asked: Asked
    key: str
    server: str
    state: str = "waiting"
    begun: float = 0.0
    seconds: float = 0.0
    phase: str = ""
    done: int = 0
    total: int = 0
    error: str = ""
    option: str = ""
    told: str = ""
    said: list[str] = []
    curve: list[tuple[float, float]] = []
    long: bool = False
    first: Asked | None = None
    wrong: bool = False


class PlayRecord(msgspec.Struct, kw_only=True):
    """A game with a person in it: with its seed, and the moves, it can be played again up to here."""

    id: str
    asked: Asked
    seed: int
    begun: float
    moves: list[int] = []
    words: list[str] = []
    over: bool = False
    ending: list[str] = []


class _Server(msgspec.Struct, frozen=True):
    pid: int
    started: float


class Folder:
    """The app's folder; it is made if there is none."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self.server = secrets.token_hex(4)
        try:
            for name in ("rules", "answers", "jobs", "plays", "servers", "work"):
                (self.root / name).mkdir(parents=True, exist_ok=True, mode=0o700)
            # Who cannot write here is told at the start, not when an answer is to be kept.
            self._write(self._server_file(self.server), _Server(os.getpid(), _started(os.getpid())))
        except OSError as error:
            said = texts.NO_FOLDER.format(folder=str(root), why=(error.strerror or str(error)).lower())
            raise RequestError(said, "--folder") from None

    def close(self) -> None:
        """Say that this server is no longer there."""
        self._server_file(self.server).unlink(missing_ok=True)

    def secret(self) -> str:
        """Return what cookies hold; only who may read this folder knows it."""
        path = self.root / "cookie"
        if not path.is_file() or len(path.read_text("ascii").strip()) < 40:
            path.unlink(missing_ok=True)
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(secrets.token_urlsafe(32))
        return path.read_text("ascii").strip()

    def port(self, port: int = 0) -> int:
        """Return the port at which the app was last, 0 if that is not known; keep another one."""
        path = self.root / "port"
        if port:
            write_atomically(path, str(port).encode())
        found = path.read_text("ascii", "replace") if path.is_file() else ""
        return int(found) if found.isdecimal() and len(found) < 6 else 0

    def _server_file(self, server: str) -> Path:
        return self.root / "servers" / f"{server}.json"

    def others(self) -> int:
        """Return how many other servers use this folder."""
        names = (path.stem for path in (self.root / "servers").glob("*.json"))
        return sum(self.is_alive(name) for name in names if name != self.server)

    def is_alive(self, server: str) -> bool:
        """Tell whether a server is at work; what is left of one that is not is taken away."""
        if not NAME.fullmatch(server):
            return False
        found = _read(self._server_file(server), _Server)
        if found is None:
            return False
        if _started(found.pid) >= 0.0 and abs(_started(found.pid) - found.started) < 2.0:
            return True
        self._server_file(server).unlink(missing_ok=True)
        return False

    # ---- rules under names ---------------------------------------------------------------------------------

    def rules_path(self, game: str, name: str) -> Path:
        """Return where rules of a name are; RequestError if nothing can be called so."""
        fits = NAME.fullmatch(name) and name != BOX and may_be_called(name)
        if not fits or not NAME.fullmatch(game):
            raise RequestError(texts.BAD_NAME.format(name=name[:60]), "--rules")
        path = self.root / "rules" / game / f"{name}.toml"
        if path.is_symlink() or path.resolve().parent != self.root / "rules" / game:
            raise RequestError(texts.BAD_NAME.format(name=name), "--rules")
        return path

    def draft_path(self, game: str, id: str) -> Path:
        """Return where rules are that somebody has sent and not kept yet; RequestError for no such name."""
        if not NAME.fullmatch(id):
            raise RequestError(texts.NO_PAGE)
        return self.root / "work" / f"{_checked(game)}-{id}.toml"

    def rules_names(self, game: str) -> list[str]:
        """Return the names of a game's kept rules."""
        found = (self.root / "rules" / game).glob("*.toml") if NAME.fullmatch(game) else ()
        return sorted(path.stem for path in found if NAME.fullmatch(path.stem) and path.stem != BOX)

    def rules_title(self, game: str, name: str) -> str:
        """Return what kept rules call themselves; the name of their file if that says nothing."""
        try:
            return str(tomllib.loads(self.rules_path(game, name).read_text("utf-8"))["name"])
        except (OSError, ValueError, KeyError, RequestError):
            return name

    def write_rules(self, game: str, name: str, text: str) -> None:
        """Keep rules under a name."""
        path = self.rules_path(game, name)
        path.parent.mkdir(exist_ok=True)
        write_atomically(path, text.encode())

    def rules_files(self, game: str, name: str) -> tuple[Path, ...]:
        """Return the files of rules, none of the box; RequestError if there are none of that name."""
        if name in ("", BOX) or "=" in name:
            return ()
        path = self.rules_path(game, name)
        if not path.is_file():
            raise RequestError(texts.NO_RULES.format(name=name), "--rules")
        return (path,)

    # ---- answers, jobs, games ------------------------------------------------------------------------------

    def answer_path(self, key: str) -> Path:
        """Return where an answer is kept."""
        return self.root / "answers" / f"{_checked(key)}.json"

    def work_path(self, key: str) -> Path:
        """Return where unfinished work on an answer is kept."""
        return self.root / "work" / f"{_checked(key)}.jsonl"

    def so_far_path(self, key: str) -> Path:
        """Return where the best answer so far of a question at work is."""
        return self.root / "work" / f"{_checked(key)}.json"

    def result(self, key: str) -> Result | None:
        """Return a kept answer; None if there is none."""
        return _read(self.answer_path(key), Result)

    def so_far(self, key: str) -> Result | None:
        """Return the best answer so far of a question at work; None if there is none."""
        return _read(self.so_far_path(key), Result)

    def keep_so_far(self, key: str) -> None:
        """Let the best answer so far be the answer: what was at it has ended."""
        found = self.so_far(key)
        if found is not None:
            self._write(self.answer_path(key), msgspec.structs.replace(found, complete=False))
            self.so_far_path(key).unlink(missing_ok=True)

    def write_job(self, job: JobRecord) -> None:
        """Keep what a job is at."""
        self._write(self.root / "jobs" / f"{_checked(job.id)}.json", job)

    def job(self, id: str) -> JobRecord | None:
        """Return a kept job; None if there is none."""
        return _read(self.root / "jobs" / f"{id}.json", JobRecord) if NAME.fullmatch(id) else None

    def jobs(self) -> Iterator[JobRecord]:
        """Yield the kept jobs."""
        for path in (self.root / "jobs").glob("*.json"):
            found = _read(path, JobRecord)
            if found is not None and found.id == path.stem:
                yield found

    def forget_job(self, id: str) -> None:
        """Take a job away; its answer stays."""
        (self.root / "jobs" / f"{_checked(id)}.json").unlink(missing_ok=True)

    def write_play(self, play: PlayRecord) -> None:
        """Keep a game."""
        self._write(self.root / "plays" / f"{_checked(play.id)}.json", play)

    def play(self, id: str) -> PlayRecord | None:
        """Return a kept game; None if there is none."""
        return _read(self.root / "plays" / f"{id}.json", PlayRecord) if NAME.fullmatch(id) else None

    def transcript(self, id: str) -> Path:
        """Return where the transcript of a game is, once that is over."""
        return self.root / "plays" / f"{_checked(id)}.txt"

    def write_transcript(self, id: str, text: str) -> None:
        """Keep the transcript of a game."""
        write_atomically(self.transcript(id), text.encode())

    def given(self, given: Mapping[str, str | list[str]]) -> dict[str, Any]:
        """Return what is given to a question, with the file of each game that was played here."""
        found: dict[str, Any] = dict(given)
        for name, value in given.items():
            id = value.removeprefix(PLAYED) if isinstance(value, str) else ""
            if id != value and NAME.fullmatch(id) and self.transcript(id).is_file():
                found[name] = self.transcript(id)
        return found

    def plays(self, game: str) -> list[PlayRecord]:
        """Return the kept games of one game, the newest first."""
        found = (_read(path, PlayRecord) for path in (self.root / "plays").glob("*.json"))
        return sorted(
            (each for each in found if each is not None and each.asked.game == game),
            key=lambda each: -each.begun,
        )

    def _write(self, path: Path, record: object) -> None:
        write_atomically(path, msgspec.json.encode(record))


def _checked(name: str) -> str:
    if not NAME.fullmatch(name):
        raise ValueError(f"{name!r} is no name of a file here")
    return name


def _started(pid: int) -> float:
    with suppress(psutil.Error):
        return float(psutil.Process(pid).create_time())
    return -1.0


def _read(path: Path, kind: type[_Record]) -> _Record | None:
    """What a file of ours holds; None if it is not there, or somebody has changed it."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return None
