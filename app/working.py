"""What a process of its own does: it answers one question after the other, or holds a game with a person.

The server writes a line of JSON for each thing it wants; lines come back with progress, and with the end.
Where the server is gone, its end of the pipe is closed: then the process stops with what it has.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
import time
from pathlib import Path
from typing import Any, TextIO

from analysis.errors import RequestError, WorkError
from analysis.interrupt import Interrupt

_NOTE_S = 0.2
_GRACE_S = 20.0
"""What is under way has as long to stop when the server is gone."""


class _Channel:
    """Lines to and from the server."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._lock = threading.Lock()
        self.requests: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._stopped: set[str | None] = set()
        self._current: tuple[str, Interrupt] | None = None

    def say(self, **what: Any) -> None:
        """Send a line."""
        with self._lock:
            try:
                print(json.dumps(what), file=self._out, flush=True)
            except OSError:
                os._exit(0)

    def begin(self, id: str) -> Interrupt:
        """Return what tells a question to stop; it may have been told so already."""
        interrupt = Interrupt()
        self._current = (id, interrupt)
        interrupt.requested = bool({id, None} & self._stopped)
        return interrupt

    def _stop(self, id: str | None) -> None:
        """Stop a question; all of them if the server is gone."""
        self._stopped.add(id)
        current = self._current
        if current is not None and id in (None, current[0]) and not current[1].requested:
            current[1].requested = True
            if current[1].then is not None:
                current[1].then()

    def listen(self) -> None:
        """Take lines until there are no more."""
        for line in sys.stdin:
            request = json.loads(line)
            if request.get("do") == "stop":
                self._stop(request["id"])
            else:
                self.requests.put(request)
        self.requests.put(None)
        self._stop(None)
        time.sleep(_GRACE_S)
        os._exit(0)


def main() -> None:
    """Work for the server that started this process."""
    # What libraries print goes to the log; lines for the server have a descriptor of their own.
    channel = _Channel(os.fdopen(os.dup(1), "w", encoding="utf-8"))
    os.dup2(2, 1)
    hello = json.loads(sys.stdin.readline())
    from analysis import registry

    registry.GAMES.update(hello["games"])
    threading.Thread(target=channel.listen, daemon=True).start()
    playing: _Playing | None = None
    while (request := channel.requests.get()) is not None:
        try:
            if request["do"] == "warm":
                _warm()
            elif request["do"] == "answer":
                _answer(channel, request)
            elif request["do"] == "begin":
                playing = _Playing(request)
                channel.say(state=playing.begun(request), **playing.head())
            else:
                assert playing is not None
                channel.say(state=playing.done(request))
        except BaseException as error:
            channel.say(error=_said(error), option=getattr(error, "option", None) or "")


def _said(error: BaseException) -> str:
    from app import texts

    if isinstance(error, RequestError | WorkError):
        return str(error)
    if isinstance(error, MemoryError):
        return texts.NO_MEMORY
    import traceback

    traceback.print_exception(error)
    return texts.WENT_WRONG.format(kind=type(error).__name__, why=error)


def _warm() -> None:
    """Import what most questions need, so that the first one need not wait for it."""
    import numba  # noqa: F401

    import analysis.estimates  # noqa: F401


def _answer(channel: _Channel, request: dict[str, Any]) -> None:
    import msgspec

    from analysis.files import write_atomically
    from analysis.front.difference import with_and_without
    from analysis.front.goals import read_goal
    from analysis.front.grid import over, read_axis
    from analysis.front.question import Running
    from analysis.registry import game_named
    from app.folder import Asked, Result
    from arena_solver.compiling import counted

    asked = msgspec.convert(request["asked"], Asked)
    question = game_named(asked.game).question(asked.question)
    given: dict[str, Any] = dict(asked.given)
    if question.has_rules:
        given |= {"rules": tuple(map(Path, request["files"])), "set": tuple(asked.set)}
    interrupt = channel.begin(request["id"])
    said = 0.0

    def note(phase: str, done: int, total: int) -> None:
        nonlocal said
        now = time.monotonic()
        if now - said > _NOTE_S or done >= total:
            said = now
            channel.say(phase=phase, done=int(done), total=int(total))

    running = Running(note=note, interrupt=interrupt, limit_bytes=request["memory"])
    begun = time.monotonic()
    with counted(lambda _name: channel.say(phase="compiling", done=0, total=0)):
        if asked.vary:
            axes, goals = list(map(read_axis, asked.vary)), list(map(read_goal, asked.goal))
            answer: Any = over(question, given, axes, running, goals)
        elif asked.diff:
            answer = with_and_without(question, given, running)
        else:
            if any(each.name == "keep" for each in question.parameters):
                given["keep"] = request["keep"]
            answer = question.answer(question.build(**given), running)
    several = bool(asked.vary) or asked.diff
    page = answer.page() if several else question.page_of(answer)
    document = "" if several or question.document is None else question.document(answer)
    result = Result(
        asked=asked,
        answer=msgspec.Raw(msgspec.json.encode(answer)),
        page=page,
        exactness=answer.exactness,
        complete=answer.complete,
        document=document,
        document_format=question.document_format if document else "",
        seconds=time.monotonic() - begun,
    )
    write_atomically(Path(request["to"]), msgspec.json.encode(result))
    if answer.complete:
        Path(request["keep"]).unlink(missing_ok=True)
    channel.say(finished=True, complete=answer.complete)


class _Playing:
    """A game with a person in it."""

    def __init__(self, request: dict[str, Any]) -> None:
        import msgspec

        from analysis.front.verbs.play import session_of
        from analysis.registry import game_named
        from app.folder import Asked

        asked = msgspec.convert(request["asked"], Asked)
        game = game_named(asked.game)
        given: dict[str, Any] = {**asked.given, "seed": str(request["seed"])}
        given |= {"rules": tuple(map(Path, request["files"])), "set": tuple(asked.set)}
        self._asked = game.play.build(**given)
        self._session, _ = session_of(game, self._asked)
        self._said = game.rules_note(game.rules_of(self._asked.rules)).said
        self._board: list[str] = []

    def head(self) -> dict[str, Any]:
        return {"said": self._said, "seat": self._asked.seat, "hints": self._asked.hints}

    def begun(self, request: dict[str, Any]) -> dict[str, Any]:
        """Play up to where the game was left; stop before a move that is not there any more."""
        log: list[list[str]] = []
        for number, words in zip(request["moves"], request["words"], strict=True):
            log.append(list(self._session.advance()))
            options = self._session.options()
            if options is None or number >= len(options) or options[number] != words:
                return self._state([]) | {"log": log, "lost": True}
            self._session.make(number)
        return self._advanced() | {"log": log}

    def _advanced(self) -> dict[str, Any]:
        return self._state(list(self._session.advance()))

    def _state(self, events: list[str]) -> dict[str, Any]:
        options = self._session.options()
        board, before = list(self._session.board()), self._board
        self._board = board
        return {
            "events": events,
            "options": options,
            "board": board,
            "changed": [bool(before) and line not in before for line in board],
            "task": self._session.task() if options is not None else "",
            "ending": list(self._session.ending()) if options is None else [],
        }

    def done(self, request: dict[str, Any]) -> dict[str, Any]:
        """Do what the person wants; only a move or its taking back changes the game."""
        session, do = self._session, request["do"]
        if do == "move":
            session.make(request["number"])
            return self._advanced() | {"made": request["number"]}
        if do == "undo":
            undone = session.undo()
            return (self._advanced() if undone else {}) | {"undone": undone}
        if do == "named":
            try:
                return {"named": session.named(request["text"])}
            except RequestError as error:
                return {"named": None, "why": str(error)}
        if do == "hint":
            return {"lines": list(session.hints())}
        found = session.explain(request["text"])
        return {"lines": [found] if found else [], "nothing": not found}


if __name__ == "__main__":
    main()
