"""The loop of games at the terminal, with a game of its own: count to three, by one or two."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence

import click
import pytest
from click.testing import CliRunner, Result

from cli.play import Table, play, say
from tests.cli.conftest import ROOT

if sys.platform != "win32":
    import pty


class Counting(Table):
    """The person counts by ``one`` or ``two``; whoever reaches three is done."""

    moves_help = "  one, two    count on\n"

    def __init__(self) -> None:
        self.counted: list[int] = []

    def advance(self) -> bool:
        return sum(self.counted) < 3

    def show(self) -> None:
        say(f"counted {sum(self.counted)}")

    def question(self) -> str:
        return "on >"

    def take(self, typed: str) -> bool:
        if typed not in ("one", "two"):
            say(f"{typed!r} is no number")
            return False
        self.counted.append(("one", "two").index(typed) + 1)
        return True

    def take_any(self) -> None:
        self.counted.append(1)

    def hint(self) -> None:
        say("two is quicker")

    def undo(self) -> bool:
        return bool(self.counted and self.counted.pop())

    def explain(self, name: str) -> str | None:
        return "One more." if name == "one" else None

    def words(self) -> Sequence[str]:
        return ["one", "two"]

    def close(self) -> None:
        say("three!")

    def leave(self) -> str:
        return f"left at {sum(self.counted)}"


@click.command()
@click.option("--hints", is_flag=True)
def counting(hints: bool) -> None:
    """Count."""
    play(Counting(), hints=hints)


def counted(typed: str | bytes, *words: str) -> Result:
    result = CliRunner().invoke(counting, words, input=typed, catch_exceptions=False)
    assert result.exit_code == 0
    return result


@pytest.mark.parametrize("typed", ["one\n", b"one\n\xff\xfe\n"])
def test_the_end_of_the_input_is_leaving_and_what_is_no_text_is_no_move(typed: str | bytes) -> None:
    assert counted(typed).output.endswith("left at 1\n")


def test_help_hint_table_any_and_undo() -> None:
    output = counted("u\n?\nHELP\nhelp one\nhelp zzz\n? one\nhint\ntable\nany\nundo\ntwo\nzzz\nany\n").output
    assert output.count("  one, two    count on\n  help NAME   what something does\n") == 2
    assert output.count("  One more.\n") == 2
    assert "nothing is called 'zzz' here" in output
    assert "there is nothing to take back" in output
    assert output.count("  taken back") == 1
    assert output.count("two is quicker") == 1
    assert "'zzz' is no number" in output
    assert output.endswith("three!\n")
    assert re.findall(r"counted (\d)", output) == ["0", "0", "1", "0", "2"]


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    found = Terminal()
    yield found
    found.process.kill()
    found.process.wait()


class Terminal:
    """The loop in a process of its own, at a terminal."""

    def __init__(self) -> None:
        self.master, slave = pty.openpty()
        code = "from cli.entry import run; from tests.cli.test_play_loop import counting; run(counting, '')"
        self.process = subprocess.Popen(
            [sys.executable, "-c", code],
            cwd=ROOT,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            env=os.environ | {"TERM": "xterm"},
            preexec_fn=_take_terminal,
        )
        os.close(slave)
        self.seen = ""

    def until(self, words: str, count: int = 1, again: str = "") -> None:
        """Wait for words on the screen; type `again` every other second, as people do who see nothing happen.

        Between two waits for input Ctrl-C is noted, but readline does not wake up from the next one.
        """
        begin = now = time.monotonic()
        while self.seen.count(words) < count:
            assert time.monotonic() < begin + 60, self.seen
            if again and time.monotonic() > now + 2:
                now = time.monotonic()
                self.type(again)
            if select.select([self.master], [], [], 0.5)[0]:
                try:
                    self.seen += os.read(self.master, 4096).decode()
                except OSError:  # the other side is gone
                    assert self.seen.count(words) >= count, self.seen
                    return

    def type(self, keys: str) -> None:
        """Type something."""
        os.write(self.master, keys.encode())


def _take_terminal() -> None:
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    # Whoever runs the tests may ignore Ctrl-C, and would hand that on.
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")
@pytest.mark.parametrize(("keys", "code", "words"), [("\x03", 130, "Interrupted."), ("\x04", 0, "left at 2")])
def test_lines_are_edited_and_completed_at_a_terminal(
    keys: str, code: int, words: str, terminal: Terminal
) -> None:
    """Tab completes, arrow up brings back the last answer; Ctrl-C and Ctrl-D keep the game and leave."""
    terminal.until("on > ")
    terminal.type("on\t\r")
    terminal.until("counted 1")
    terminal.until("on > ", 2)
    terminal.type("\x1b[A\r")
    terminal.until("counted 2")
    terminal.until("on > ", 3)
    terminal.type(keys)
    terminal.until("left at 2", again=keys)
    terminal.until(words)
    assert terminal.process.wait(60) == code
    os.close(terminal.master)
