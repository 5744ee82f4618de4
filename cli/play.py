"""The loop of a game at the terminal, the same for all games: it asks, helps, hints, takes back and leaves.

A game is a `Table`; the loop knows nothing else of it. `play` plays on until the game is over or the person
leaves:

- it asks with line editing, the last answers and Tab where the terminal has them; from a file or a pipe it
  takes one answer a line, and shows them, so that the output reads like a game
- ``?``, ``help``, ``help NAME``, ``hint``, ``table``, ``any``, ``u`` and ``q`` are the same in all games;
  what else is typed goes to `Table.take`
- the end of the input is leaving; so is Ctrl-C, which ends the command as everywhere
"""

from __future__ import annotations

import contextlib
import sys
import textwrap
from abc import ABC, abstractmethod
from collections.abc import Sequence

import click

WIDTH = 80
_COMMANDS = """\
  help NAME   {explains}
  hint        {hints}
  any         make a move by chance
  table       show the table again
  u, undo     take back your last decision
  q, quit     {leaves}
"""
_LEAVE = ("q", "quit", "exit")


class Table(ABC):
    """A game with a person at it. It says what happens by `say`; the loop asks.

    Attributes
    ----------
    moves_help : how moves are typed: indented lines, the words in twelve columns.
    explains, hints, leaves : what ``help NAME``, ``hint`` and ``q`` do in this game, for the help.
    """

    moves_help: str
    explains = "what something does"
    hints = "what your moves are worth"
    leaves = "stop here"

    @abstractmethod
    def advance(self) -> bool:
        """Play on to the person's next decision, and say what happens; False once the game is over."""

    @abstractmethod
    def show(self) -> None:
        """Show the table as the person sees it."""

    @abstractmethod
    def question(self) -> str:
        """Return what to ask at this decision, up to the blank after it."""

    @abstractmethod
    def take(self, typed: str) -> bool:
        """Make the move that was typed; False if it is none, once it has been said why.

        Blanks in `typed` are single; it is never empty, and not in small letters yet.
        """

    @abstractmethod
    def take_any(self) -> None:
        """Make a move by chance: the same one each time, and no other thing in the game depends on it."""

    @abstractmethod
    def hint(self) -> None:
        """Say what the moves are worth, as far as that is known; nothing in the game changes."""

    @abstractmethod
    def close(self) -> None:
        """The game is over: say how it ended, and what decisions cost."""

    def undo(self) -> bool:
        """Go back to the person's decision before this one; False if there is none."""
        return False

    def explain(self, name: str) -> str | None:
        """Return what a thing of the game does, in sentences; None if nothing is called so."""
        return None

    def words(self) -> Sequence[str]:
        """Return the words that Tab completes."""
        return ()

    def leave(self) -> str:
        """The person leaves before the end: keep the game if that can be, and return what to say."""
        return "Stopped; the game is not over."


def play(table: Table, *, hints: bool = False) -> None:
    """Play to the end, or until the person leaves.

    Parameters
    ----------
    hints : whether there is a hint before every decision.
    """
    with contextlib.suppress(AttributeError, ValueError):
        # What is no text is no move either: it need not end the game.
        sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
    say("Type ? for help.")
    try:
        while table.advance():
            if not _decided(table, hints=hints):
                say(f"\n{table.leave()}")
                return
    except BrokenPipeError:
        table.leave()
        raise
    except KeyboardInterrupt:
        click.echo(f"\n{table.leave()}", err=True)
        raise
    table.close()


def _decided(table: Table, *, hints: bool) -> bool:
    """Ask until something is decided, or taken back; False if the person leaves."""
    table.show()
    if hints:
        table.hint()
    while True:
        line = _read(table)
        typed = "" if line is None else " ".join(line.split())
        word, _, rest = typed.lower().partition(" ")
        if line is None or typed.lower() in _LEAVE:
            return False
        if word in ("?", "help"):
            say(_help(table, rest))
        elif typed.lower() == "hint":
            table.hint()
        elif typed.lower() == "table":
            table.show()
        elif typed.lower() == "any":
            table.take_any()
            return True
        elif typed.lower() in ("u", "undo"):
            if table.undo():
                say("  taken back")
                return True
            say("  there is nothing to take back")
        elif typed and table.take(typed):
            return True


def _help(table: Table, name: str) -> str:
    if not name:
        commands = _COMMANDS.format(explains=table.explains, hints=table.hints, leaves=table.leaves)
        return table.moves_help.rstrip() + "\n" + commands.rstrip()
    text = table.explain(name)
    return f"  nothing is called {name!r} here; ? helps" if text is None else wrapped(text)


def _read(table: Table) -> str | None:
    """Return what the person types; None at the end of the input."""
    question = f"{table.question()} "
    if sys.stdin is None:
        return None
    if sys.stdin.isatty() and sys.stdout.isatty():
        _edit_lines(table)
        try:
            return input(question)
        except EOFError:
            say("")
            return None
    click.echo(question, nl=False)
    sys.stdout.flush()
    line = sys.stdin.readline()
    if not sys.stdin.isatty():
        say(line.rstrip())
    return line or None


def _edit_lines(table: Table) -> None:
    """Have lines edited and completed, where this Python can."""
    try:
        import readline
    except ImportError:
        return

    def complete(begun: str, number: int) -> str | None:
        words = ["any", "help", "hint", "quit", "table", "undo", *table.words()]
        fitting = sorted({word for word in words if word.lower().startswith(begun.lower())})
        return fitting[number] if number < len(fitting) else None

    readline.set_completer(complete)
    bind = "bind ^I rl_complete" if "libedit" in (readline.__doc__ or "") else "tab: complete"
    readline.parse_and_bind(bind)


def say(text: str) -> None:
    """Print something at once."""
    click.echo(text)
    if sys.stdout is not None:
        sys.stdout.flush()


def wrapped(text: str, indent: int = 2, hanging: int = 0) -> str:
    """Return text in lines of 80 columns; `hanging` more blanks stand before all but the first."""
    first, rest = " " * indent, " " * (indent + hanging)
    # The path of a file stays whole, to be copied.
    return textwrap.fill(
        text,
        WIDTH,
        initial_indent=first,
        subsequent_indent=rest,
        break_on_hyphens=False,
        break_long_words=False,
    )
