"""Where answers go: stdout, or a file that is known to be writable before anything is solved; and as JSON."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from pathlib import Path

import click
import msgspec


def to_json(value: object) -> str:
    """Return a report, or anything else msgspec can encode, as indented JSON."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode() + "\n"


def check_output(path: Path) -> None:
    """Raise unless a file can be written at `path`; whatever lies there is left as it is.

    Raises
    ------
    click.BadParameter
        With the reason.
    """

    def refuse(reason: str) -> click.BadParameter:
        return click.BadParameter(f"cannot write {str(path)!r}: {reason}", param_hint="'--output'")

    if path.is_dir():
        raise refuse("it is a folder")
    if not path.parent.is_dir():
        raise refuse(f"there is no folder {str(path.parent)!r}")
    if path.exists() and not os.access(path, os.W_OK):
        raise refuse("permission denied")
    if _is_special(path):
        return
    probe = path.parent / f".{path.name}.{os.getpid()}.probe"
    try:
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise refuse(error.strerror or str(error)) from None


def write_output(text: str, path: Path | None) -> bool:
    """Write `text` to `path` or stdout; should `path` fail after all, to stdout, so that nothing is lost.

    Returns
    -------
    bool
        Whether the text got where it was to go. A reader who closes the pipe has had what he wanted.
    """
    if path is None:
        _print(text)
        return True
    try:
        if _is_special(path):
            path.write_text(text, encoding="utf-8")
        else:
            write_atomically(path, text.encode())
    except OSError as error:
        click.echo(f"Error: cannot write {str(path)!r} ({error.strerror}); here it is instead.", err=True)
        _print(text)
        return False
    return True


def _is_special(path: Path) -> bool:
    """Return whether `path` is a pipe or device, which cannot be replaced by a finished file."""
    return path.exists() and not path.is_file()


def silence_stdout() -> None:
    """Send what is still to be flushed at exit nowhere: stdout takes nothing any more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _print(text: str) -> None:
    try:
        with contextlib.suppress(AttributeError, ValueError):
            # A terminal that cannot show a character gets a question mark, not a traceback.
            sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        silence_stdout()


def write_atomically(path: Path, data: bytes) -> None:
    """Write `data` to `path` so that at any time the old file is there, or the new one, whole.

    Raises
    ------
    OSError
        If that fails; nothing is left behind.
    """
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
