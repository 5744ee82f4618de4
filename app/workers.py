"""Processes that work for this server, each told by lines of JSON what is wanted."""

from __future__ import annotations

import asyncio
import json
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil

from analysis import registry
from app.folder import Folder
from arena_solver.machine import own_session

__all__ = ["Worker"]

_LINE = 64 * 2**20


class Worker:
    """A process that works for this server."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process

    @classmethod
    async def started(cls, folder: Folder) -> Worker:
        """Start one."""
        log = (folder.root / "work" / "log.txt").open("ab")
        paths = [each or str(Path.cwd()) for each in sys.path]
        # In a session of its own: Ctrl-C at the terminal is for the server, which tells its processes.
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            # Our packages come first, whatever folder this is started from.
            f"import sys; sys.path[:0] = {paths!r}; from app.working import main; main()",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=log,
            limit=_LINE,
            **own_session(),
        )
        log.close()
        made = cls(process)
        await made.send(games=dict(registry.GAMES))
        return made

    async def send(self, **what: Any) -> None:
        """Say what is wanted."""
        assert self.process.stdin is not None
        with suppress(ConnectionError):
            self.process.stdin.write(json.dumps(what).encode() + b"\n")
            await self.process.stdin.drain()

    async def line(self) -> dict[str, Any] | None:
        """Return the next line; None if the process is gone."""
        assert self.process.stdout is not None
        try:
            line = await self.process.stdout.readline()
            return json.loads(line) if line else None
        except (ConnectionError, ValueError):
            return None

    @property
    def alive(self) -> bool:
        """Whether it is still there; one that has just ended may not have been waited for yet."""
        with suppress(psutil.Error):
            ended = psutil.Process(self.process.pid).status() == psutil.STATUS_ZOMBIE
            return self.process.returncode is None and not ended
        return False

    def _family(self) -> list[psutil.Process]:
        with suppress(psutil.Error):
            own = psutil.Process(self.process.pid)
            return [own, *own.children(recursive=True)]
        return []

    def memory(self) -> int:
        """Return how many bytes it uses, with the processes that it has started."""
        total = 0
        for each in self._family():
            with suppress(psutil.Error):
                total += each.memory_info().rss
        return total

    def rest(self, *, still: bool) -> None:
        """Let it stand still, or go on."""
        for each in self._family():
            with suppress(psutil.Error):
                each.suspend() if still else each.resume()

    def kill(self) -> None:
        """End it at once."""
        for each in reversed(self._family()):
            with suppress(psutil.Error):
                each.kill()

    def leave(self) -> None:
        """Let it end by itself."""
        if self.process.stdin is not None:
            self.process.stdin.close()
