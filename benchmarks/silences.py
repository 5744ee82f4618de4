"""How long does a terminal show nothing new? The longest silence of each question's first example.

    python -m benchmarks.silences [GAME [QUESTION]] [--seconds 60]

Each runs in a terminal of its own (Unix only) and is ended after so many seconds; once kernels are compiled
no silence should be above three seconds.
"""

from __future__ import annotations

import argparse
import os
import pty
import select
import shlex
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from analysis.registry import GAMES, game_named


def examples(chosen: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Programs, and the words of an example of each of their questions."""
    for name in GAMES:
        for verb, question in game_named(name).declared.items():
            asked = f"{name} {verb}".startswith(" ".join(chosen))
            if asked and verb != "play" and not verb.startswith("rules "):
                yield name, shlex.split(question.examples[0])


def silence(program: str, words: Sequence[str], most_s: float) -> tuple[float, float]:
    """Run a command in a terminal; return its longest silence, and how long it ran, in seconds."""
    code = f"from cli.programs import run_program; run_program({program!r})"
    child, terminal = pty.fork()
    if child == 0:
        environment = os.environ | {"PYTHONPATH": str(Path.cwd()), "TERM": "xterm"}
        os.chdir(tempfile.mkdtemp())
        os.execve(sys.executable, [sys.executable, "-c", code, *words], environment)
    begun = last = time.monotonic()
    longest = 0.0
    while True:
        ready, _, _ = select.select([terminal], [], [], 0.2)
        now = time.monotonic()
        if ready:
            longest, last = max(longest, now - last), now
            try:
                if not os.read(terminal, 1 << 16):
                    break
            except OSError:  # the other end is closed
                break
        if now - begun > most_s:
            os.kill(child, signal.SIGKILL)
            break
    os.waitpid(child, 0)
    os.close(terminal)
    return max(longest, time.monotonic() - last), time.monotonic() - begun


def main() -> None:
    """Print a line for each example."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("chosen", nargs="*", help="a game, and a question of it")
    parser.add_argument("--seconds", type=float, default=60.0)
    given = parser.parse_args()
    for program, words in examples(given.chosen):
        longest, ran = silence(program, words, given.seconds)
        print(f"{longest:5.1f} s of {ran:5.1f} s  {program} {shlex.join(words)}", flush=True)


if __name__ == "__main__":
    main()
