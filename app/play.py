"""Games with a person in them: kept as a seed and moves, so that they go on after a restart."""

from __future__ import annotations

import asyncio
import random
import secrets
import time
from contextlib import suppress
from typing import Any

import msgspec

from analysis import registry
from analysis.errors import RequestError
from app import texts
from app.folder import Asked, Folder, PlayRecord
from app.forms import keywords
from app.jobs import names_file
from app.workers import Worker

__all__ = ["Live", "Plays"]

MOST_LIVE = 3
WAIT_S = 1.5
"""A page waits as long for the other players; then it says that they think."""


class Live:
    """A game in its process."""

    def __init__(self, record: PlayRecord, worker: Worker) -> None:
        self.record = record
        self.worker = worker
        self.state: dict[str, Any] | None = None
        self.head: dict[str, Any] = {"said": "", "seat": 1, "hints": False}
        self.log: list[list[str]] = []
        self.lines: list[str] = []
        self.error = ""
        self.task: asyncio.Task[None] | None = None
        self.used = time.monotonic()

    @property
    def busy(self) -> bool:
        """Whether something is under way."""
        return self.task is not None and not self.task.done()


class Plays:
    """All games with a person in them."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self.live: dict[str, Live] = {}

    async def close(self) -> None:
        """End the processes; the games are kept."""
        for each in self.live.values():
            each.worker.leave()
            each.worker.kill()
            with suppress(TimeoutError):
                await asyncio.wait_for(each.worker.process.wait(), 3.0)
        self.live.clear()

    def begin(self, asked: Asked) -> PlayRecord:
        """Keep a new game; RequestError if it cannot be played so."""
        game = registry.game_named(asked.game)
        built = game.play.build(**keywords(game.play, asked, self.folder))
        if names_file(built):
            raise RequestError(texts.NO_FILES)
        if built.seat > max(game.seats):
            raise RequestError(texts.NO_SEAT.format(seat=built.seat, seats=max(game.seats)), "--seat")
        seed = random.randrange(2**31) if built.seed is None else built.seed
        given = {name: value for name, value in asked.given.items() if name != "seed"}
        record = PlayRecord(
            id=secrets.token_hex(6),
            asked=msgspec.structs.replace(asked, given=given),
            seed=seed,
            begun=time.time(),
        )
        self.folder.write_play(record)
        return record

    async def at(self, record: PlayRecord) -> Live:
        """Return a game in its process; that is started, and the game played up to here, if need be."""
        live = self.live.get(record.id)
        if live is not None and live.worker.alive:
            live.used = time.monotonic()
            return live
        await self._make_room()
        worker = await Worker.started(self.folder)
        live = self.live[record.id] = Live(record, worker)
        game = registry.game_named(record.asked.game)
        files = self.folder.rules_files(game.name, record.asked.rules) if game.play.has_rules else ()
        request = {
            "do": "begin",
            "asked": msgspec.to_builtins(record.asked),
            "files": list(map(str, files)),
            "seed": record.seed,
            "moves": record.moves,
            "words": record.words,
        }
        live.task = asyncio.create_task(self._done(live, request))
        return live

    async def _make_room(self) -> None:
        quiet = sorted((each for each in self.live.values() if not each.busy), key=lambda each: each.used)
        while len(self.live) >= MOST_LIVE:
            if not quiet:
                raise RequestError(texts.MANY_GAMES)
            old = quiet.pop(0)
            old.worker.leave()
            del self.live[old.record.id]

    async def waited(self, live: Live) -> None:
        """Wait for what is under way, but not for long."""
        if live.task is not None:
            await asyncio.wait([live.task], timeout=WAIT_S)

    async def do(self, live: Live, step: int, do: str, number: int, text: str) -> None:
        """Do what the person wants; what was sent from a page that is older than the game is left."""
        if (
            live.busy
            or live.state is None
            or (step != len(live.record.moves) and do in ("move", "undo", "named"))
        ):
            return
        options = live.state.get("options")
        if do in ("move", "named", "hint") and options is None:
            return
        if do == "move" and not 0 <= number < len(options or ()):
            return
        live.lines, live.error = [], ""
        live.task = asyncio.create_task(self._done(live, {"do": do, "number": number, "text": text}))

    async def _done(self, live: Live, request: dict[str, Any]) -> None:
        await live.worker.send(**request)
        line = await live.worker.line()
        if line is None or "error" in line:
            live.error = texts.LOST if line is None else line["error"]
            return
        state, record = line["state"], live.record
        if request["do"] == "begin":
            live.head = {key: line[key] for key in ("said", "seat", "hints")}
            live.log = state.get("log", [])
            live.error = texts.LOST_GAME if state.get("lost") else ""
        elif request["do"] == "named":
            if state["named"] is None:
                live.error = state.get("why") or texts.NO_MOVE.format(text=request["text"])
                return
            await self._done(live, {"do": "move", "number": state["named"], "text": ""})
            return
        elif "lines" in state:
            live.lines = state["lines"]
            if state.get("nothing"):
                live.error = texts.NO_EXPLANATION.format(text=request["text"])
            return
        elif request["do"] == "undo":
            if not state["undone"]:
                live.error = texts.NOTHING_UNDONE
                return
            record.moves, record.words = record.moves[:-1], record.words[:-1]
            live.log = live.log[:-1]
        elif request["do"] == "move":
            assert live.state is not None
            record.moves.append(state["made"])
            record.words.append(live.state["options"][state["made"]])
            live.log.append(live.state["events"])
        live.state = state
        if state["record"]:
            self.folder.write_transcript(record.id, state["record"])
        record.over, record.ending = state["options"] is None and not live.error, state["ending"]
        self.folder.write_play(record)
        if live.head["hints"] and state["options"] is not None and not live.error:
            await self._done(live, {"do": "hint", "number": 0, "text": ""})
