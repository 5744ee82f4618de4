"""Any words for any question are answered or refused in words: no traceback, and no raw text."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from cli.front import group_of
from tests.front.games import QUICK, game

NASTY = (
    *("", " ", "-", "--", "nan", "inf", "-inf", "1e400", "0", "-1", "2", "0x10", "1_000", "½", "9" * 40),
    *("x" * 5000, "\x1b[31mred", "\x9b31m", "\u202egnp.exe", "a\nb", "a\tb", "é" * 50, "\ud800", "\u0000"),
    *(":", "=", ",", ";", "a:b:c", "a=b=c", "{", "[1,", "[]", "{}", '"', "'", "//", "/", "a/b/c", "1/0"),
    *("../../etc/passwd", "/dev/full", "/dev/null", "/", "nowhere/x.toml", "x.xlsx", "x.csv", "match.csv"),
    *("rules", "random", "search", "search:", "search:iterations=-1", "search:iterations=nan", "rules:x=1"),
    *("match=1", "match.days=1", "cards.fireball.cost=6", "name=\x1b[2J", "alone=true", "a.b.c.d.e.f=1"),
    *("1:3", "3:1", "1:3:0", "deals=1:2", "jobs=1:2", "set=1", "all", "none", "true", "any", "losses>=3"),
)
CODES = (0, 1, 2, 3, 4)
RAW = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def _call(chance: random.Random, games: dict[str, list[str]]) -> tuple[str, list[str]]:
    name = chance.choice(list(games))
    verb = chance.choice(games[name])
    question = game(name).question(verb)
    words = [*verb.split(), *QUICK[name][verb]]
    for each in chance.sample(question.parameters, min(len(question.parameters), chance.randint(1, 3))):
        if each.name in ("jobs", "scheduler", "keep"):
            continue
        value = chance.choice(NASTY)
        words += [value] if each.argument else [each.option, value]
    if chance.random() < 0.1:
        words.append(chance.choice(["--vary", "--matrix", "--format", "-o", "--zzz", "--diff"]))
        words += [chance.choice(NASTY)] if words[-1] != "--diff" else []
    return name, words


def _check(number: int, seed: int, games: dict[str, list[str]]) -> None:
    chance = random.Random(seed)
    for _ in range(number):
        name, words = _call(chance, games)
        done: Any = CliRunner().invoke(group_of(game(name)), [*words, "-q"], prog_name=name)
        told = f"{name} {words}: {done.exception!r}"
        assert done.exception is None or isinstance(done.exception, SystemExit), told
        assert done.exit_code in CODES, told
        assert "Traceback" not in done.output, told
        assert not RAW.search(done.stderr), told


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_any_words_are_answered_or_refused_in_words() -> None:
    quick = {name: [verb for verb in verbs if verb.startswith("rules ")] for name, verbs in QUICK.items()}
    _check(100, 1, quick | {"bidding": list(QUICK["bidding"])})


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_any_words_to_any_question(seed: int) -> None:
    _check(300, 100 + seed, {name: list(verbs) for name, verbs in QUICK.items()})
