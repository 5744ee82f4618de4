"""Finished tasks in a file, a line each: a kill leaves them, and the same question goes on from there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from analysis.errors import RequestError

__all__ = ["KeptTasks"]


class KeptTasks:
    """A file of finished tasks on the same terms.

    Parameters
    ----------
    path : Path
        Begun if it is not there or empty.
    kind : str
        Of the tasks, such as ``"clash-games"``.
    digest : str
        Of all that has to be the same for a result to count.
    terms : str
        The same in words, for whoever names the file of other tasks.

    Attributes
    ----------
    done : dict
        What was kept, by key: the values handed to `add`.

    Raises
    ------
    RequestError
        If the file cannot be read or written, or holds something else.
    """

    def __init__(self, path: Path, kind: str, digest: str, terms: str) -> None:
        self._path = path
        header = {kind: digest}
        try:
            text = path.read_text(encoding="utf-8") if path.exists() else ""
            if not text:
                self._write(header)
        except (OSError, UnicodeDecodeError) as error:
            raise RequestError(f"cannot use {path}: {error}", "--keep") from None
        lines = text.splitlines()
        if lines and _parsed(lines[0]) != header:
            raise RequestError(
                f"{path} was kept on other terms ({terms}), or is something else; name another file", "--keep"
            )
        if text and not text.endswith("\n"):
            # A line cut short by a kill: the task is done again.
            with path.open("a", encoding="utf-8") as file:
                file.write("\n")
        found = (_parsed(line) for line in lines[1:])
        self.done: dict[Any, list[Any]] = {
            each[0]: each[1:] for each in found if isinstance(each, list) and len(each) > 1
        }

    def add(self, key: str | int, *values: object) -> None:
        """Keep what a task came to, as JSON, under a key that no other of these tasks has."""
        self._write([key, *values])

    def _write(self, content: object) -> None:
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(content) + "\n")


def _parsed(line: str) -> object:
    try:
        return json.loads(line)
    except ValueError:
        return None
