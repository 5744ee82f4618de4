"""Run the tutorials' commands and put what they print into their pages: `python docs/make_tutorial.py`.

Blocks marked ``toml NAME`` are files that the commands find. A block marked ``console`` is a command and what
it prints; a comment before it holds what is typed meanwhile, one answer between two commas. Commands run in
the order of the page, in one empty folder with an empty library of its own. Times are left as they stand
where nothing else changes.
"""

from __future__ import annotations

import os
import re
import shlex
import tempfile
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from pathlib import Path
from typing import NamedTuple

from click.testing import CliRunner

from arena_solver.folders import CACHE_VARIABLE, KERNELS_VARIABLE, kernels_root
from cli.programs import program_of

_NAMES = ("tutorial.md", "tutorial-clash.md", "tutorial-warage.md", "tutorial-ophidian.md")
PAGES = tuple(Path(__file__).with_name(name) for name in _NAMES)
#: What another release, machine or run prints otherwise: versions, times, hashes, rounding.
_PASSING = re.compile(r"\bversion [\w.]+|\b[\d.]+ s\b|\b[0-9a-f]{16}\b|\b\d(?:\.\d)?e[+-]\d\d\b")
_BLOCK = re.compile(
    r"(?:<!-- typed: (?P<typed>.*?) -->\n)?```console\n\$ (?P<words>.*)\n(?P<output>(?:.*\n)*?)```\n"
)
_FILE = re.compile(r"^```toml (\S+)\n(.*?)^```", flags=re.MULTILINE | re.DOTALL)


class Command(NamedTuple):
    """A command of a page: its words, what is typed meanwhile, and what stands beneath it."""

    words: str
    typed: str
    output: str


def commands(page: str) -> list[Command]:
    """Return the commands of a page, in its order."""
    return [_command(block) for block in _BLOCK.finditer(page)]


def _command(block: re.Match[str]) -> Command:
    typed = "".join(f"{each.strip()}\n" for each in (block["typed"] or "").split(",") if each.strip())
    return Command(block["words"], typed, block["output"])


def write_files(page: str, folder: Path) -> None:
    """Write the files that the commands find."""
    for name, text in _FILE.findall(page):
        (folder / name).write_text(text, encoding="utf-8")


def run(command: Command) -> str:
    """Run a command in the current folder and return what it prints."""
    words, _, file = command.words.partition(" > ")
    program, *rest = shlex.split(words)
    result = CliRunner().invoke(
        program_of(program), rest, prog_name=program, input=command.typed, catch_exceptions=False
    )
    left = command.typed.endswith("\nq\n")  # a game that is left is not over
    if result.exit_code and not (left and result.exit_code == 1):
        raise RuntimeError(f"{words}: exit code {result.exit_code}\n{result.output}")
    if file:
        Path(file).write_text(result.stdout, encoding="utf-8")
    return "" if file else result.stdout


def normalised(output: str) -> str:
    """Return an output without versions, times and hashes, and without how lines are broken."""
    return _PASSING.sub("-", " ".join(output.split()))


def renewed(page: str) -> str:
    """Return the page with what its commands print now; they run in the current folder."""

    def block(found: re.Match[str]) -> str:
        output = run(_command(found))
        if normalised(output) == normalised(found["output"]):
            output = found["output"]
        return found[0].replace(f"\n{found['output']}```\n", f"\n{output}```\n")

    return _BLOCK.sub(block, page)


@contextmanager
def workplace() -> Iterator[Path]:
    """Go to an empty folder with an empty library; kernels stay where they are."""
    with tempfile.TemporaryDirectory() as name, chdir(name):
        os.environ[KERNELS_VARIABLE] = str(kernels_root())
        os.environ[CACHE_VARIABLE] = str(Path(name) / "cache")
        yield Path(name)


def main() -> None:
    """Renew the pages."""
    for path in PAGES:
        page = path.read_text(encoding="utf-8")
        with workplace() as folder:
            write_files(page, folder)
            page = renewed(page)
        path.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
