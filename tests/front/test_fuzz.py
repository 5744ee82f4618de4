"""Any words, counts and files for any question are answered, or refused in words that steer no terminal."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from analysis.errors import RequestError
from analysis.front.parameters import Parameter, Shape, read, text_of
from cli.front import group_of
from tests.front.games import QUICK, game, random_value

NASTY = (
    *("", " ", "-", "--", "nan", "inf", "-inf", "1e400", "0", "-1", "2", "0x10", "1_000", "½", "9" * 40),
    *("x" * 5000, "\x1b[31mred", "\x9b31m", "\u202egnp.exe", "a\nb", "a\tb", "é" * 50, "\ud800", "\u0000"),
    *(":", "=", ",", ";", "a:b:c", "a=b=c", "{", "[1,", "[]", "{}", '"', "'", "//", "/", "a/b/c", "1/0"),
    *("../../etc/passwd", "/dev/full", "/dev/null", "/", "nowhere/x.toml", "x.xlsx", "x.csv", "match.csv"),
    *("rules", "random", "search", "search:", "search:iterations=-1", "search:iterations=nan", "rules:x=1"),
    *("match=1", "match.days=1", "cards.fireball.cost=6", "name=\x1b[2J", "alone=true", "a.b.c.d.e.f=1"),
    *("1:3", "3:1", "1:3:0", "deals=1:2", "jobs=1:2", "set=1", "all", "none", "true", "any", "losses>=3"),
)
COUNTS = ("0", "1", "2", "3", "-1", "1e3", "1.5", "½", "nan", "inf", "", "9" * 20, "1_0", "٣", " 2", "2;3")
FILES = {
    "empty": b"",
    "text.txt": b"Dear diary,\n",
    "zeros.npz": bytes(4096),
    "archive.npz": b"PK\x03\x04" + bytes(200),
    "sheet.xlsx": b"PK\x05\x06" + bytes(18),
    "rules.toml": b"name = 'Mine'\n",
    "wrong.toml": b"[match\n",
    "control.toml": b'name = "a\\u001b[2Jb\\u202e"\n[nothing]\nx = 1\n',
    "latin.toml": b"name = 'caf\xe9'\n",
    "answer.json": b'{"schema": 1, "game": "clash", "question": "solve"}',
    "deep.json": b"[" * 100_000,
    "deep.toml": b"a = " + b"[" * 100_000,
    "lines.jsonl": b'{"task": 1}\n{"task": NaN}\n',
    "table.csv": b"a,b\n1\n2,3,4\n",
}
TYPED = (
    *(
        "1",
        "2",
        "0",
        "99999999999999999999",
        "undo",
        "hint",
        "help",
        "help 1",
        "?",
        "-1",
        "é\x1b[2J",
        "",
        "x",
    ),
)
CODES = (0, 1, 2, 3, 4)
RAW = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def questions_of(names: Any) -> list[tuple[str, Any]]:
    """All that the games have a command for, in turns: the first of each game, the second of each, and on."""
    found = [[(name, each) for each in game(name).declared.values()] for name in names]
    return [each[turn] for turn in range(max(map(len, found))) for each in found if turn < len(each)]


def calls(number: int, seed: int, asked: list[tuple[str, Any]]) -> Iterator[tuple[str, list[str], str]]:
    """Make up calls: a game, words, and what is typed there; every question gets as many."""
    chance = random.Random(seed)
    for turn in range(number):
        name, declared = asked[turn % len(asked)]
        words = [*declared.name.split(), *QUICK[name].get(declared.name, ())]
        nearly = chance.random() < 0.5
        if nearly and len(words) > (own := len(declared.name.split())):
            place = chance.randrange(own, len(words))
            words[place] = _near(words[place], chance)
        known = [each for each in declared.parameters if each.name != "scheduler"]
        # Who a person plays against, and how long that one may think, is not what is tested here.
        words += ["--opponent", "random"] if declared.name == "play" else []
        for each in chance.sample(known, 0 if nearly else min(len(known), chance.randint(0, 3))):
            value = _value(name, each, chance)
            words += [value] if each.argument else [each.option, value]
        if chance.random() < 0.1:
            words.append(chance.choice(["--vary", "--matrix", "--format", "-o", "--zzz", "--diff"]))
            # No command line has words with these characters, and such files are click's own to refuse.
            possible = [each for each in NASTY if each not in ("\ud800", "\0")]
            words += [chance.choice(possible)] if words[-1] != "--diff" else []
        typed = "\n".join(chance.choice(TYPED) for _ in range(30)) if declared.name == "play" else ""
        yield name, words if declared.name == "play" else [*words, "-q"], typed


def _value(name: str, parameter: Parameter, chance: random.Random) -> str:
    if parameter.name == "jobs":  # processes are started by tests of their own
        return chance.choice(["-1", "nan", "9" * 20, ""])
    if parameter.shape in (Shape.WHOLE, Shape.NUMBER):
        least, most = parameter.least or 0, parameter.largest or 10**9
        return chance.choice([*COUNTS, f"{least}", f"{least - 1}", f"{most + 1}"])
    if parameter.shape is Shape.FILE and chance.random() < 0.8:
        return chance.choice([*FILES, ".", "no/such/file", "/dev/full", "/dev/zero", "/dev/null", "empty/x"])
    if parameter.shape is Shape.KIND and chance.random() < 0.5:
        value = text_of(random_value(parameter, game(name).lists(game(name).read()), chance))
        return value if chance.random() < 0.5 else _mutated(value, chance)
    return chance.choice(NASTY)


def _near(word: str, chance: random.Random) -> str:
    """A value that is nearly the same, and often as sound."""
    if re.fullmatch(r"\d+(\.\d+)?", word):
        return str(chance.choice([-1, 0, 1, int(float(word)) - 1, int(float(word)) + 1, float(word) / 2]))
    others = re.sub(r"\d+", lambda digits: str(int(digits[0]) + chance.choice([-1, 1, 9])), word)
    changed = (word.upper(), f" {word} ", word.replace(",", ";"), f"{word}, {word}", word.partition(",")[0])
    return chance.choice([*changed, others, "", _mutated(word, chance)])


def _mutated(text: str, chance: random.Random) -> str:
    """A text with a few characters lost, doubled or put in."""
    letters = list(text)
    for _ in range(chance.randint(1, 3)):
        place = chance.randrange(len(letters) + 1)
        letters[place : place + chance.randint(0, 2)] = chance.choice(
            ["", "9", ",", ":", "-", "é", " ", "\x1b"]
        )
    return "".join(letters)


def check(name: str, words: list[str], typed: str, *, refused: bool = False) -> None:
    """Make a call; whatever it says, it says in words."""
    done: Any = CliRunner().invoke(group_of(game(name)), words, input=typed, prog_name=name)
    told = f"{name} {words}: {done.exception!r}"
    assert done.exception is None or isinstance(done.exception, SystemExit), told
    assert done.exit_code in ((2,) if refused else CODES), told
    assert "Traceback" not in done.output, told
    assert not RAW.search(done.stderr), told


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content)


def test_any_words_are_answered_or_refused_in_words() -> None:
    every = questions_of(QUICK)
    quick = [each for each in every if each[0] == "bidding" or each[1].name.startswith("rules ")]
    for call in calls(100, 1, quick):
        check(*call)


@pytest.mark.kernels
@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="devices")
def test_a_file_that_never_ends_takes_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    def whole(path: Path, *_: object, **__: object) -> bytes:
        raise AssertionError(f"{path} is read whole")

    for each in ("read_bytes", "read_text"):
        read = getattr(Path, each)

        def some(path: Path, *words: Any, read: Any = read, **more: Any) -> Any:
            return (whole if path == Path("/dev/zero") else read)(path, *words, **more)

        monkeypatch.setattr(Path, each, some)
    written = ("save_values", "transcript", "profile")
    for name, declared in questions_of(QUICK):
        for parameter in declared.parameters:
            if parameter.shape is not Shape.FILE or parameter.name in written:
                continue
            if not declared.name.endswith("train"):
                words = ["/dev/zero"] if parameter.argument else [parameter.option, "/dev/zero"]
                needed = () if parameter.argument else QUICK[name].get(declared.name, ())
                check(name, [*declared.name.split(), *needed, *words], "", refused=True)


@pytest.mark.parametrize(
    "words", [("--\x1b[2J",), ("teams", "--no\u202esuch"), ("rules", "new", "a", "\x9b2J", "b")]
)
def test_words_that_steer_a_terminal_are_repeated_as_they_are_written(words: tuple[str, ...]) -> None:
    check("ophidian", list(words), "", refused=True)


@pytest.mark.parametrize("name", ["a\0b", "x" * 5000, "\ud800", ""])
def test_a_name_that_no_file_can_have_is_refused(name: str) -> None:
    check("arena", ["report", name], "", refused=True)
    check("bidding", ["solve", "--rules", name], "", refused=True)


def test_half_a_character_is_no_value_of_any_parameter() -> None:
    names = {name: game(name).lists(game(name).read()) for name in QUICK}
    for name, declared in questions_of(QUICK):
        for each in declared.parameters:
            for value in ("\ud800", "1\udc80"):
                # One that the system wrote for a byte may be in the name of a file.
                if each.shape is Shape.FILE and value != "\ud800":
                    continue
                with pytest.raises(RequestError) as refused:
                    read(each, value, names[name])
                assert refused.value.option == each.option


def test_what_is_nested_too_deep_is_refused() -> None:
    check("arena", ["report", "deep.json"], "", refused=True)
    for name in ("deep.json", "deep.toml"):
        check("bidding", ["rules", "check", name], "", refused=True)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_any_words_to_any_question(seed: int) -> None:
    for call in calls(300, 100 + seed, questions_of(QUICK)):
        check(*call)
