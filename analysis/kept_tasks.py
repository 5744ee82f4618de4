"""Finished tasks in a file, a line each: a kill leaves them, and the same question goes on from there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from zlib import crc32

from analysis.errors import RequestError
from analysis.files import check_output, read_file

__all__ = ["KeptTasks", "check_kept"]


def check_kept(path: Path) -> None:
    """Raise RequestError unless tasks can be kept at `path`, before anything is made ready for them."""
    check_output(path, "--keep")
    if path.exists() and not path.is_file():
        raise RequestError(f"{path} is no file", "--keep")


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
            check_kept(path)
            text = read_file(path).decode("utf-8") if path.exists() else ""
            if not text:
                self._write(header)
        except OSError as error:
            raise RequestError(f"cannot use {path}: {error.strerror or error}", "--keep") from None
        except UnicodeDecodeError:
            raise RequestError(f"{path} is something else than kept tasks", "--keep") from None
        lines = text.splitlines()
        if lines and _parsed(lines[0]) != header:
            raise RequestError(
                f"{path} was kept on other terms ({terms}), or is something else; name another file", "--keep"
            )
        if text and not text.endswith("\n"):
            # A line cut short by a kill: the task is done again.
            with path.open("r+b") as file:
                file.truncate(len(text.encode()) - len(lines[-1].encode()))
        self.done: dict[Any, list[Any]] = {}
        for number, line in enumerate(lines[1:], 2):
            found = _parsed(line)
            if isinstance(found, list) and len(found) > 1:
                self.done[found[0]] = found[1:]
            elif number < len(lines) or text.endswith("\n"):
                said = f"line {number} of {path} is not what was kept; name another file"
                raise RequestError(said, "--keep")

    def add(self, key: str | int, *values: object) -> None:
        """Keep what a task came to, as JSON, under a key that no other of these tasks has."""
        self._write([key, *values])

    def _write(self, content: object) -> None:
        with self._path.open("a", encoding="utf-8") as file:
            file.write(_summed(json.dumps(content)) + "\n")


def _summed(text: str) -> str:
    """A line with its check sum: a damaged one is noticed."""
    return f"{text}\t{crc32(text.encode()):08x}"


def _parsed(line: str) -> object:
    text = line.rpartition("\t")[0]
    if _summed(text) != line:
        return None
    try:
        return json.loads(text)
    except ValueError:
        return None
