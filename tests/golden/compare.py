"""Golden answers: what some 130 command lines answered once, and whether they still do.

``python -m tests.golden.compare --write`` asks all lines of `lines.txt` twice and keeps the answers in
``answers/``; what differs between the two runs, such as times, is kept as ``<varies>``. Without ``--write``
the lines are asked once, and every difference from what is kept is printed that is neither renamed
(`renamed.toml`) nor meant (`meant.toml`). Programs may be named: ``... compare warage clash``.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import math
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from cli.programs import program_of

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
ANSWERS = HERE / "answers"
VERSION = re.compile(r"(?<![\d.])\d+\.\d+\.\d+(?![\d.])")
TIMES = re.compile(r"(?<= in )\d+:\d\d")
VARIES = "<varies>"
TOLERANCE = 1e-9
"""Relative: the order of additions may change."""
_TEXTS = (".csv", ".efg", ".nfg", ".json", ".txt")


def lines(programs: Sequence[str] = ()) -> dict[str, list[str]]:
    """Return the lines of each program, as they stand in `lines.txt`."""
    found: dict[str, list[str]] = {}
    for line in (HERE / "lines.txt").read_text(encoding="utf-8").splitlines():
        program = line.partition(" ")[0]
        if line and not line.startswith("#") and (not programs or program in programs):
            found.setdefault(program, []).append(line)
    return found


def renamed() -> dict[str, Any]:
    """Return what is called otherwise today."""
    return tomllib.loads((HERE / "renamed.toml").read_text(encoding="utf-8"))


def ask(program: str, asked: Sequence[str]) -> dict[str, Any]:
    """Ask lines in a process of their own; return what each answered."""
    with tempfile.TemporaryDirectory(prefix="golden-") as folder:
        done = subprocess.run(
            [sys.executable, "-m", "tests.golden.compare", "--ask", program, "--folder", folder],
            cwd=ROOT,
            input="\n".join(asked),
            env=os.environ | {"ARENA_SOLVER_CACHE": f"{folder}/cache", "COLUMNS": "80"},
            stdout=subprocess.PIPE,
            text=True,
            check=False,
        )
    if done.returncode:
        raise RuntimeError(f"{program}: the lines could not be asked; see above")
    answers: dict[str, Any] = json.loads(done.stdout)
    return answers


def _ask_here(program: str, folder: Path, asked: Sequence[str]) -> dict[str, Any]:
    """Ask lines in this process, one after another, in a folder that they share."""
    from click.testing import CliRunner

    group = program_of(program)
    places = {"SMALL": str(HERE / "small.toml"), "GAMES": str(ROOT / "tests" / "cli" / "game_files")}
    os.chdir(folder)
    found = {}
    for line in asked:
        text, _, typed = line.partition(" <<< ")
        words = [re.sub("SMALL|GAMES", lambda name: places[name[0]], word) for word in shlex.split(text)[1:]]
        before, began = _files(folder), time.monotonic()
        with contextlib.redirect_stderr(open(os.devnull, "w")):  # noqa: PTH123
            result = CliRunner().invoke(
                group, _in_json(group, words), input=typed.replace(" ", "\n"), prog_name=program
            )
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            shown: Any = f"{type(result.exception).__name__}: {result.exception}"
        else:
            shown = _read(result.stdout)
        files = {name: what for name, what in _files(folder).items() if before.get(name) != what}
        errors = result.stderr if result.exit_code == 2 else ""
        print(f"{time.monotonic() - began:6.1f} s  {line}", file=sys.stderr, flush=True)
        found[line] = {"exit": result.exit_code, "answer": shown, "files": files, "errors": _read(errors)}
    return found


def _in_json(group: Any, words: list[str]) -> list[str]:
    """Ask for JSON wherever a command has it and the line does not say otherwise."""
    import click

    command, rest = group, list(words)
    while isinstance(command, click.Group) and rest:
        command = command.get_command(click.Context(command), rest.pop(0))
    options = {option: each for each in getattr(command, "params", ()) for option in each.opts}
    choices = getattr(getattr(options.get("--format"), "type", None), "choices", ())
    return words if "--format" in words or "json" not in choices else [*words, "--format", "json"]


def _read(text: str) -> Any:
    """An answer without places of this machine, as JSON if it is that."""
    text = text.replace(str(Path.cwd()), "FOLDER").replace(str(ROOT), "ROOT")
    try:
        return json.loads(text)
    except ValueError:
        return text.splitlines()


def _files(folder: Path) -> dict[str, Any]:
    """What lies in the folder; of what is no text, only that it is there."""
    found: dict[str, Any] = {}
    for path in sorted(folder.glob("*.*")):
        if path.suffix not in _TEXTS:
            found[path.name] = "there"
            continue
        text = path.read_text(encoding="utf-8")
        found[path.name] = _read(text) if len(text) < 20_000 else hashlib.sha256(text.encode()).hexdigest()
    return found


def flat(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every leaf of an answer with its path."""
    if isinstance(value, Mapping):
        for key, each in value.items():
            yield from flat(each, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list):
        for place, each in enumerate(value):
            yield from flat(each, f"{path}.{place}")
    else:
        yield path, value


def same(one: Any, other: Any) -> bool:
    """Return whether two leaves are equal, up to rounding, the version and times."""
    if VARIES in (one, other):
        return True
    if isinstance(one, str) and isinstance(other, str):
        return TIMES.sub("", VERSION.sub("", one)) == TIMES.sub("", VERSION.sub("", other))
    numbers = all(isinstance(each, int | float) and not isinstance(each, bool) for each in (one, other))
    return math.isclose(one, other, rel_tol=TOLERANCE, abs_tol=1e-12) if numbers else bool(one == other)


def merged(one: Any, other: Any) -> Any:
    """Return an answer in which what differs between two runs is marked."""
    if isinstance(one, dict) and isinstance(other, dict) and set(one) == set(other):
        return {key: merged(one[key], other[key]) for key in one}
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return [merged(*pair) for pair in zip(one, other, strict=True)]
    return one if same(one, other) else VARIES


def differences(
    line: str, kept: Any, now: Any, keys: Mapping[str, Mapping[str, str]]
) -> Iterator[tuple[str, str]]:
    """Yield the paths at which an answer differs from the kept one, and how."""
    names = {
        old: new for begin, pairs in keys.items() if line.startswith(begin) for old, new in pairs.items()
    }
    today = dict(flat(now))
    known = {path for path, value in flat(kept) if value == VARIES}
    heard = set()
    for path, value in flat(kept):
        general = re.sub(r"\.\d+", ".*", path)
        new = names.get(general, path)
        for number in re.findall(r"\.(\d+)", path) if general in names else ():
            new = new.replace("*", number, 1)
        heard.add(new)
        if value == VARIES:
            continue
        if new not in today:
            yield path, f"{value!r} is gone"
        elif not same(value, today[new]):
            yield path, f"{value!r} is {today[new]!r}"
    old = dict(flat(kept))
    for path, value in today.items():
        below = any(path == each or path.startswith(f"{each}.") for each in known)
        if path not in old and not below and path not in heard:
            yield path, f"{value!r} is new"


def compare(programs: Sequence[str] = ()) -> list[str]:
    """Ask all lines, and return every difference that is not meant, and what is meant without need."""
    names, found = renamed(), []
    meant = tomllib.loads((HERE / "meant.toml").read_text(encoding="utf-8")).get("difference", [])
    used = set()
    asked = lines(programs)
    for program, known in asked.items():
        file = ANSWERS / f"{program}.json"
        if not file.exists():
            found.append(f"{program}: nothing is kept yet; --write keeps what is answered today")
            continue
        kept = json.loads(file.read_text(encoding="utf-8"))
        today = {line: names.get("lines", {}).get(line, line) for line in known}
        now = ask(program, list(today.values()))
        for line in known:
            if line not in kept:
                found.append(f"{line}: is not kept yet")
                continue
            for path, how in differences(line, kept[line], now[today[line]], names.get("keys", {})):
                reasons = [
                    place
                    for place, each in enumerate(meant)
                    if line.startswith(each["lines"]) and re.search(each["paths"], path)
                ]
                used |= set(reasons)
                if not reasons:
                    found.append(f"{line}: {path}: {how}")
    for place, each in enumerate(meant):
        if place not in used and (not programs or each["lines"].partition(" ")[0] in asked):
            found.append(f"meant, and nowhere to be seen: {each['lines']}, {each['paths']}")
    return found


def write(programs: Sequence[str] = ()) -> None:
    """Ask all lines twice, and keep what both runs answer."""
    ANSWERS.mkdir(exist_ok=True)
    for program, asked in lines(programs).items():
        kept = merged(ask(program, asked), ask(program, asked))
        text = json.dumps(kept, indent=1, ensure_ascii=False) + "\n"
        (ANSWERS / f"{program}.json").write_text(text, encoding="utf-8")
        failed = [
            line for line, each in kept.items() if each["exit"] not in (0, 1, 3) and "SMALL" not in line
        ]
        print(f"{program}: {len(kept)} lines kept" + "".join(f"\n  not answered: {line}" for line in failed))


def main() -> None:
    """Compare, or with ``--write`` keep."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs", nargs="*")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--ask")
    parser.add_argument("--folder", type=Path)
    given = parser.parse_args()
    if given.ask:
        print(json.dumps(_ask_here(given.ask, given.folder, sys.stdin.read().splitlines())))
    elif given.write:
        write(given.programs)
    else:
        found = compare(given.programs)
        print("\n".join(found) or "all as kept")
        sys.exit(bool(found))


if __name__ == "__main__":
    main()
