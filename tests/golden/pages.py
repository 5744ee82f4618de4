"""Golden pages: how some 200 kept answers look, and whether they still look so. Nothing is solved.

``python -m tests.golden.pages GAME...`` asks the examples of every question, its quick words and the lines of
`lines.txt`, and keeps each answer in ``pages/`` with its page as a terminal shows it, its rows and its
figures. What is kept already is only compared, and marked if it varies: so it is run twice, and answers to
be kept anew are taken out first. Where wording or layout changed, ``--again`` keeps it, and asks nothing.
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
import shutil
import tempfile
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

import msgspec

from analysis.front.question import Answer
from analysis.front.render import in_format
from analysis.front.render.html import shown_sections
from analysis.front.store import ANSWERS_VARIABLE
from analysis.front.verbs.report import read_answer
from arena_solver.folders import CACHE_VARIABLE, KERNELS_VARIABLE
from tests.front.games import FILES, QUICK, game
from tests.golden.compare import HERE, ROOT, flat, lines, same

PAGES = HERE / "pages"
MOST = 24_000
"""Characters of an answer that is kept."""
PLACES = {"SMALL": str(HERE / "small.toml"), "GAMES": str(ROOT / "tests" / "cli" / "game_files")}
ROUNDING = 1e-6
"""Processors add in another order."""
VOLATILE = ("timing", "seconds", "source", "from_library", "found_again", "peak_memory_mb")


def shown(name: str, answer: Answer) -> dict[str, Any]:
    """Return all that is said of an answer: lines at a terminal, rows of a file, figures."""
    question = game(name).question(answer.question)
    page = answer.page()
    compared = question.amounts is not None and isinstance(answer, question.answers)
    text = in_format(page, answer, "table", details=True) + in_format(page, answer, "table")[-400:]
    drawn = json.dumps(shown_sections(page.sections, lambda follow: follow.question))
    return {
        "text": text.splitlines(),
        "rows": in_format(page, answer, "csv").splitlines(),
        "figures": msgspec.to_builtins(question.amounts(answer)) if compared else [],
        "follow": msgspec.to_builtins(page.follow),
        "drawn": hashlib.sha256(drawn.encode()).hexdigest()[:16],
    }


def quick_line(name: str, verb: str) -> str:
    """Return how a question is asked with its quick settings, the verb first."""
    return shlex.join([*verb.split(), *QUICK[name][verb]])


def words_of(name: str) -> Iterator[str]:
    """Yield what is asked of a game, the verb first."""
    today = tomllib.loads((HERE / "renamed.toml").read_text(encoding="utf-8")).get("lines", {})
    for verb, question in game(name).questions.items():
        if verb in QUICK.get(name, {}):
            yield quick_line(name, verb)
        yield from question.examples
    for line in lines([name]).get(name, []):
        text = today.get(line, line)
        if "<<<" not in text:
            yield text.partition(" ")[2]


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
            words = [re.sub("SMALL|GAMES", lambda word: PLACES[word[0]], word) for word in shlex.split(line)]
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


def differences(name: str, line: str, answer: Any) -> list[str]:
    """Return where an answer differs from the kept one; of one that is not kept, or varies, nothing."""
    known = kept(name).get(line, {})
    if not known or known.get("varies"):
        return []
    here = json.loads(json.dumps(answer).replace(str(ROOT), "ROOT"))
    one, other = (dict(flat(steady(each))) for each in (known["answer"], here))
    rows = {path[: row.end()] for path in one for row in re.finditer(r"\.\d+", path)}
    # A field that is new changes nothing, a row does.
    new = [path for path in other if (row := re.match(r".*\.\d+", path)) and row[0] not in rows]
    return [
        f"{path}: {one[path]!r} is {other.get(path)!r}"
        for path in one
        if not path.endswith("sha256") and not _is_same(one[path], other.get(path))
    ] + [f"{path} is new" for path in new]


def steady(found: Any) -> Any:
    """Return an answer without what no two runs share, wherever it is."""
    if isinstance(found, list):
        return [steady(each) for each in found]
    if isinstance(found, dict):
        return {key: steady(value) for key, value in found.items() if key not in VOLATILE}
    return found


def _is_same(one: Any, other: Any) -> bool:
    numbers = all(isinstance(each, int | float) and not isinstance(each, bool) for each in (one, other))
    return math.isclose(one, other, rel_tol=ROUNDING, abs_tol=ROUNDING) if numbers else same(one, other)


def write(name: str, found: dict[str, Any]) -> None:
    """Keep what is shown of a game's answers, a line each."""
    pairs = [f"{json.dumps(line)}: {json.dumps(each, ensure_ascii=False)}" for line, each in found.items()]
    (PAGES / f"{name}.json").write_text("{\n" + ",\n".join(pairs) + "\n}\n", encoding="utf-8")


def now(name: str, answer: Any) -> dict[str, Any]:
    """Return how a kept answer looks now."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "answer.json"
        file.write_text(json.dumps(answer), encoding="utf-8")
        return shown(name, read_answer(game(name), file))


def main() -> None:
    """Keep pages."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=[*QUICK, "arena", "plays"])
    parser.add_argument("--again", action="store_true")
    given = parser.parse_args()
    PAGES.mkdir(exist_ok=True)
    os.environ[ANSWERS_VARIABLE] = "off"
    os.environ.setdefault(KERNELS_VARIABLE, str(ROOT / ".numba_cache"))
    for name in given.names:
        if name == "plays":
            from tests.front.test_playing import whole_game

            games = [each for each in QUICK if game(each).play is not None]
            write(name, {f"{each} {seat}": whole_game(each, seat) for each in games for seat in (1, 2)})
            continue
        before = kept(name)
        for line, answer in ask(name, [] if given.again else dict.fromkeys(words_of(name))):
            known = before.setdefault(line, {"answer": answer})
            if differences(name, line, answer):
                known["varies"] = True
            write(name, before)
            print(name, line, flush=True)
        write(name, {line: each | now(name, each["answer"]) for line, each in before.items()})


if __name__ == "__main__":
    main()
