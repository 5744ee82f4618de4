"""Answers on their way out: to stdout, or to a file."""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import click

from analysis.exit_codes import EXIT_FAILURE
from analysis.files import STDOUT, write_atomically


@dataclass(frozen=True)
class Output:
    """Where an answer goes, and how it looks.

    Attributes
    ----------
    form : its format.
    path : a file that can be written; None for stdout.
    quiet : whether no progress is wanted.
    details : whether a terminal shows everything, not the first screen alone.
    """

    form: str
    path: Path | None = None
    quiet: bool = False
    details: bool = True

    def finish(self, text: str, code: int = 0) -> NoReturn:
        """Write an answer, and leave with `code`; if it could not be written, not with 0."""
        written = write_output(text, self.path, headline=self.form == "table")
        raise click.exceptions.Exit(code if written else code or EXIT_FAILURE)


def visible(text: str) -> str:
    """Return text with whatever steers a terminal written as an escape, `\\u001b`; lines and tabs stay.

    Titles and names come from other people's files. Such an escape is good JSON as well.
    """
    steers = {
        ord(each): f"\\u{ord(each):04x}"
        for each in set(text) - set("\n\t")
        if unicodedata.category(each) in ("Cc", "Cf", "Cs", "Zl", "Zp")
    }
    return text.translate(steers)


def write_output(text: str, path: Path | None, *, headline: bool = False) -> bool:
    """Write `text` to `path` or stdout; should `path` fail after all, to stdout, so that nothing is lost.

    Parameters
    ----------
    headline : whether the text up to the first empty line is bold where a terminal shows it.

    Returns
    -------
    bool
        Whether the text got where it was to go. A reader who closes the pipe has had what was wanted.
    """
    text = visible(text)
    if path is None or path == STDOUT:
        first, gap, rest = text.partition("\n\n")
        bold = headline and sys.stdout.isatty() and not os.environ.get("NO_COLOR")
        _print(f"{click.style(first, bold=True)}{gap}{rest}" if bold else text)
        return True
    try:
        write_atomically(path, text.encode())
    except BrokenPipeError:
        return True
    except OSError as error:
        click.echo(f"Error: cannot write {str(path)!r} ({error.strerror}); here it is instead.", err=True)
        _print(text)
        return False
    return True


def silence_stdout() -> None:
    """Send what is still to be flushed at exit nowhere: stdout takes nothing any more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _print(text: str) -> None:
    try:
        with contextlib.suppress(AttributeError, ValueError):
            # A terminal that cannot show a character gets a question mark, not a traceback.
            sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
            if text.startswith("{") and not sys.stdout.encoding.lower().startswith("utf"):
                # JSON is read as UTF-8, whatever is written by default here.
                text = re.sub(r"[^\x00-\x7f]", lambda found: json.dumps(found[0])[1:-1], text)
        click.echo(text, nl=False)
    except BrokenPipeError:
        silence_stdout()
