"""What a process of its own does: it answers one question after the other, or holds a game with a person.

The server writes a line of JSON for each thing it wants; lines come back with progress, and with the end.
Where the server is gone, its end of the pipe is closed: then the process stops with what it has.
"""

from __future__ import annotations

import _thread
import json
import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from analysis.errors import NotAskedYetError, RequestError, WorkError
from analysis.interrupt import Interrupt
from analysis.progress import Passing

_NOTE_S = 0.2
_LONG_S = 1800.0
"""What takes longer until it is of use, by the estimate, is not begun without a word; shorter work shows what
it has meanwhile."""
_GRACE_S = 20.0
"""What is under way has as long to stop when the server is gone."""


class _TooLong(BaseException):
    """What was asked takes longer than anybody may have meant; not an `Exception`, so nobody goes on."""


class _Channel:
    """Lines to and from the server; to stop a question is to interrupt it, as Ctrl-C does at a terminal."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._lock = threading.Lock()
        self.requests: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._stopped: set[str | None] = set()
        self._current: str | None = None

    def say(self, **what: Any) -> None:
        """Send a line."""
        with self._lock:
            try:
                print(json.dumps(what), file=self._out, flush=True)
            except OSError:
                os._exit(0)

    @contextmanager
    def interruptible(self, id: str, interrupt: Interrupt) -> Iterator[None]:
        """Let a question be stopped inside the block; it may have been told so already."""
        with interrupt.installed():
            interrupt.requested = bool({id, None} & self._stopped)
            self._current = id
            try:
                yield
            finally:
                self._current = None

    def _stop(self, id: str | None) -> None:
        """Stop a question; all of them if the server is gone."""
        self._stopped.add(id)
        if self._current is not None and id in (None, self._current):
            _thread.interrupt_main()

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
    # Between two questions nothing is there to be interrupted.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=channel.listen, daemon=True).start()
    playing: Any = None
    while (request := channel.requests.get()) is not None:
        try:
            if request["do"] == "warm":
                _warm()
            elif request["do"] == "answer":
                _answer(channel, request)
            elif request["do"] == "begin":
                playing, head = _begun(request)
                channel.say(state=playing.begun(request["moves"], request["words"]), **head)
            else:
                assert playing is not None
                channel.say(state=playing.done(request["do"], request["number"], request["text"]))
        except KeyboardInterrupt:
            channel.say(left=True)
        except _TooLong:
            channel.say(asks=True)
        except BaseException as error:
            first = (error.question, error.given) if isinstance(error, NotAskedYetError) else None
            option, wrong = getattr(error, "option", None) or "", isinstance(error, RequestError)
            channel.say(error=_said(error), option=option, wrong=wrong, first=first)


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
    from analysis.front.asking import ask
    from analysis.front.question import Running
    from analysis.registry import game_named
    from app.folder import Asked, Result
    from arena_solver.compiling import counted

    asked = msgspec.convert(request["asked"], Asked)
    question = game_named(asked.game).question(asked.question)
    given: dict[str, Any] = dict(request["given"])
    if question.has_rules:
        given |= {"rules": tuple(map(Path, request["files"])), "set": tuple(asked.set)}
    interrupt, said = Interrupt(), 0.0

    def note(phase: str, done: int, total: int) -> None:
        nonlocal said
        now = time.monotonic()
        if now - said > _NOTE_S or done >= total:
            said = now
            channel.say(phase=phase, done=int(done), total=int(total))

    def kept(answer: Any, path: str) -> None:
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
            document_suffix=question.document_suffix(answer) if document and question.document_suffix else "",
            seconds=time.monotonic() - begun,
        )
        write_atomically(Path(path), msgspec.json.encode(result))

    own: dict[str, Any] = {}
    begun, several = time.monotonic(), bool(asked.vary or asked.diff)

    def passed(**what: Any) -> None:
        channel.say(**what)
        if what.get("takes_s", 0.0) > _LONG_S and not request["long"]:
            raise _TooLong

    running = Running(note, interrupt, request["memory"], Passing(passed))
    if not several:
        running.show = lambda answer: kept(answer, request["so_far"])
    compiles = counted(lambda _name: channel.say(phase="compiling", done=0, total=0))
    with compiles, channel.interruptible(request["id"], interrupt):
        if several:
            diff = request["diff"] or ([asked.diff] if asked.diff else [])
            own = {"vary": asked.vary, "goal": asked.goal, "diff": diff}
        elif any(each.name == "keep" for each in question.parameters):
            given["keep"] = request["keep"]
        answer: Any = ask(question, given, running, **own)
    kept(answer, request["to"])
    Path(request["so_far"]).unlink(missing_ok=True)
    if answer.complete:
        Path(request["keep"]).unlink(missing_ok=True)
    channel.say(finished=True, complete=answer.complete)


def _begun(request: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """A game with a person in it, and what is said of it at first."""
    import msgspec

    from analysis.front.moves import Moves
    from analysis.front.verbs.play import session_of
    from analysis.registry import game_named
    from app.folder import Asked

    asked = msgspec.convert(request["asked"], Asked)
    game = game_named(asked.game)
    given: dict[str, Any] = {**asked.given, "seed": str(request["seed"])}
    given |= {"rules": tuple(map(Path, request["files"])), "set": tuple(asked.set)}
    built = game.play.build(**given)
    said = game.rules_note(game.rules_of(built.rules)).said
    return Moves(session_of(game, built)[0]), {"said": said, "seat": built.seat, "hints": built.hints}


if __name__ == "__main__":
    main()
