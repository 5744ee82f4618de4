"""Golden answers: what some 250 lines answered once, and the numbers that their pages show.

``python -m tests.golden.pages GAME...`` asks the lines that are kept, and what `tests.front.games.QUICK` and
the examples of questions add to them, and keeps what is new in ``pages/``. A kept answer that comes out
otherwise is printed and stays; who means the change takes the line out of the file first. With ``--again``
nothing is asked: the numbers that kept answers show are kept anew. Sentences are not kept: they may change.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import os
import re
import shlex
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

import msgspec

from analysis.arena.questions.report import read_answer
from analysis.front.question import Answer
from analysis.front.render import in_format
from analysis.front.store import ANSWERS_VARIABLE
from arena_solver.folders import CACHE_VARIABLE, KERNELS_VARIABLE
from tests.front.games import FILES, QUICK, game

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PAGES = HERE / "pages"
MOST = 32_000
"""Characters of an answer that is kept."""
PLACES = {
    "SMALL": str(HERE / "small.toml"),
    "GAMES": str(ROOT / "tests" / "cli" / "game_files"),
    "ROOT": str(ROOT),
}
ROUNDING = 1e-6
"""Processors add in another order."""
VOLATILE = ("timing", "seconds", "source", "from_library", "found_again", "peak_memory_mb")
VERSION = re.compile(r"(?<![\d.])\d+\.\d+\.\d+(?![\d.])")
TIMES = re.compile(r"(?<= in )\d+:\d\d")
NUMBER = re.compile(r"(?<![\w.])[+−-]?(?:\d[\d,]*)?\.?\d+(?:e[+-]?\d+)?")


def shown(name: str, answer: Answer) -> dict[str, Any]:
    """Return the numbers that an answer's page shows at a terminal, sentences left out, and its figures."""
    question = game(name).question(answer.question)
    page = msgspec.structs.replace(answer.page(), headline="", notes=[], method=[])
    compared = question.amounts is not None and isinstance(answer, (question.answers, *question.also))
    return {
        "numbers": " ".join(NUMBER.findall(in_format(page, answer, "table", details=True))),
        "figures": msgspec.to_builtins(question.amounts(answer)) if compared else [],
    }


def quick_line(name: str, verb: str) -> str:
    """Return how a question is asked with its quick settings, the verb first."""
    return shlex.join([*verb.split(), *QUICK[name][verb]]).replace(str(ROOT), "ROOT")


def words_of(name: str) -> Iterator[str]:
    """Yield what is asked of a game, the verb first."""
    for verb, question in game(name).questions.items():
        if verb in QUICK.get(name, {}):
            yield quick_line(name, verb)
        yield from question.examples
    yield from kept(name)


def is_asked(words: Sequence[str]) -> bool:
    """Return whether an answer to a line is kept: it says nothing of files, and is an answer."""
    return not {"--format", "-o", "--output", "warmup", "train", "report"} & set(words)


def ask(name: str, asked: Iterable[str]) -> Iterator[tuple[str, Any]]:
    """Yield each line with its answer, if it has one that is short enough."""
    from click.testing import CliRunner

    from cli.front import group_of

    whole = tempfile.TemporaryDirectory(prefix="pages-")
    with whole as folder, contextlib.chdir(folder), mock.patch.dict(os.environ):
        if (FILES / name).is_dir():
            shutil.copytree(FILES / name, folder, dirs_exist_ok=True)
        for line in asked:
            words = [
                re.sub("SMALL|GAMES|ROOT", lambda word: PLACES[word[0]], word) for word in shlex.split(line)
            ]
            if is_asked(words):
                # What was solved before is no beginning of what is solved next.
                os.environ[CACHE_VARIABLE] = tempfile.mkdtemp(dir=folder)
                result = CliRunner().invoke(group_of(game(name)), [*words, "--format", "json", "-q"])
                told = result.stdout.replace(folder, "FOLDER").replace(str(ROOT), "ROOT")
                if result.exit_code == 0 and len(told) < MOST and told.startswith("{"):
                    yield line, json.loads(told)


@cache
def kept(name: str) -> dict[str, Any]:
    """Return what is kept of a game, by line."""
    file = PAGES / f"{name}.json"
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return found


def plays() -> dict[str, list[str]]:
    """Return what was told of whole games, by game and seat."""
    found: dict[str, list[str]] = json.loads((PAGES / "plays.json").read_text(encoding="utf-8"))
    return found


def flat(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every leaf of an answer with its path."""
    if isinstance(value, Mapping):
        for key, each in value.items():
            yield from flat(each, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list):
        yield f"{path}.rows", None
        for place, each in enumerate(value):
            yield from flat(each, f"{path}.{place}")
    else:
        yield path, value


def same(one: Any, other: Any) -> bool:
    """Return whether two leaves are equal: numbers up to rounding; of sentences, words may differ."""
    if isinstance(one, str) and isinstance(other, str):
        sentence = one.count(" ") > 2
        return _numbers_in(one) == _numbers_in(other) if sentence else _bare(one) == _bare(other)
    numbers = all(isinstance(each, int | float) and not isinstance(each, bool) for each in (one, other))
    return math.isclose(one, other, rel_tol=ROUNDING, abs_tol=ROUNDING) if numbers else bool(one == other)


def _numbers_in(text: str) -> list[str]:
    return NUMBER.findall(_bare(text))


def _bare(text: str) -> str:
    return TIMES.sub("", VERSION.sub("", text))


def differences(name: str, line: str, answer: Any) -> list[str]:
    """Return where an answer differs from the kept one; of one that is not kept, or varies, nothing."""
    known = kept(name).get(line, {})
    if not known or known.get("varies"):
        return []
    here = json.loads(json.dumps(answer).replace(str(ROOT), "ROOT"))
    one, other = (dict(flat(steady(each))) for each in (known["answer"], here))
    rows = {path[: row.end()] for path in one for row in re.finditer(r"\.\d+", path)}
    # A field that is new changes nothing, a row of a list that was there does.
    new = [
        path
        for path in other
        if (row := re.match(r"(.*)\.\d+", path)) and row[0] not in rows and f"{row[1]}.rows" in one
    ]
    return [
        f"{path}: {one[path]!r} is {other.get(path)!r}"
        for path in one
        if not path.endswith("sha256") and not same(one[path], other.get(path))
    ] + [f"{path} is new" for path in new]


def steady(found: Any) -> Any:
    """Return an answer without what no two runs share, wherever it is."""
    if isinstance(found, list):
        return [steady(each) for each in found]
    if isinstance(found, dict):
        return {key: steady(value) for key, value in found.items() if key not in VOLATILE}
    return found


def write(name: str, found: dict[str, Any]) -> None:
    """Keep what is shown of a game's answers, a line each."""
    pairs = [f"{json.dumps(line)}: {json.dumps(each, ensure_ascii=False)}" for line, each in found.items()]
    (PAGES / f"{name}.json").write_text("{\n" + ",\n".join(pairs) + "\n}\n", encoding="utf-8")


def now(name: str, answer: Any) -> dict[str, Any]:
    """Return what a kept answer shows now."""
    return shown(name, read(answer))


def read(answer: Any) -> Answer:
    """Return a kept answer as a struct."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "answer.json"
        file.write_text(json.dumps(answer), encoding="utf-8")
        return read_answer(file)


def main() -> None:
    """Keep answers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=[*QUICK, "arena", "plays"])
    parser.add_argument("--again", action="store_true")
    given = parser.parse_args()
    os.environ[ANSWERS_VARIABLE] = "off"
    os.environ.setdefault(KERNELS_VARIABLE, str(ROOT / ".numba_cache"))
    for name in given.names:
        if name == "plays":
            from tests.front.test_playing import whole_game

            games = [each for each in QUICK if game(each).play is not None]
            write(name, {f"{each} {seat}": whole_game(each, seat) for each in games for seat in (1, 2)})
            continue
        before = dict(kept(name))
        for line, answer in ask(name, [] if given.again else dict.fromkeys(words_of(name))):
            found = differences(name, line, answer)
            print(*[f"{name} {line}", *found], sep="\n  ", flush=True)
            before.setdefault(line, {"answer": answer})
        fields = ("answer", "varies")
        write(
            name,
            {
                line: {key: each[key] for key in fields if key in each} | now(name, each["answer"])
                for line, each in before.items()
            },
        )


if __name__ == "__main__":
    main()
