"""Answers that were computed once are found again: by the question, the rules' values, and the program.

Kept is what took a second or more, is complete, and depends on nothing else: on no file of the user's, and on
no limit of seconds. So one point more of a ``--vary`` costs one point. Deals are kept by those values alone
that their setup rests on, so a changed card leaves those of all other decks as they are.
"""

from __future__ import annotations

import hashlib
import importlib
import math
import os
import time
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache, reduce
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from analysis import blobs
from analysis.front.bundles import RulesFiles, Work
from analysis.front.parameters import Parameter, parameters
from analysis.front.players import Player
from analysis.front.question import Question, Running
from arena_solver.folders import cache_root

__all__ = ["ANSWERS_VARIABLE", "KeptDeals", "answered", "fetched", "keep", "observed", "place_of"]

ANSWERS_VARIABLE = "ARENA_SOLVER_ANSWERS"
"""``off`` in the environment: no answer is kept, and none is found."""
LEAST_S = 1.0
MOST_BYTES = 200 * 2**20
_Kind = TypeVar("_Kind")
_PACKAGES = ("engine", "solver", "analysis", "results")


class _Passing(Exception):
    """The answer depends on more than its question."""


def answered(question: Question[Any, Any], asked: Any, running: Running | None = None) -> Any:
    """Return the answer to a question: the one that was kept, or a new one, which is kept."""
    running = running or Running()
    place = place_of(question, asked, question.rules_note(asked))
    found = None if place is None or running.fresh else fetched(question, place)
    if found is not None:
        return msgspec.structs.replace(found, found_again=True)
    answer = question.answer(asked, running)
    if place is not None:
        keep(question, place, answer)
    return answer


def observed(
    question: Question[Any, Any], asked: Any, running: Running
) -> tuple[Any, dict[str, list[float]]]:
    """Return the answer to a question and what each deal came to: those that were kept, or new ones."""
    place = place_of(question, asked, question.rules_note(asked))
    beside = None if place is None else place.with_suffix(".deals.json")
    if place is not None and beside is not None and not running.fresh:
        found, text = fetched(question, place), _found(beside)
        with suppress(ValueError, msgspec.MsgspecError):
            if found is not None and text is not None:
                seen = msgspec.json.decode(text, type=dict[str, list[float | None]])
                deals = {key: [math.nan if each is None else each for each in of] for key, of in seen.items()}
                return msgspec.structs.replace(found, found_again=True), deals
    answer, new = question.observe(asked, running)
    if place is not None and beside is not None and keep(question, place, answer):
        with suppress(OSError):
            _write(beside, msgspec.json.encode(new))
    return answer, new


def place_of(question: Any, asked: Any, rules: Any) -> Path | None:
    """Return where the answer to a question is kept; None if it is none to keep.

    Parameters
    ----------
    question : a `question.Question`; those without figures to compare are quick, or about files.
    rules : the `question.RulesNote` of the rules that are asked about.
    """
    if question.amounts is None or not question.kept or os.environ.get(ANSWERS_VARIABLE) == "off":
        return None
    try:
        _check(asked, question.parameters)
        given = _plain(asked)
    except _Passing:
        return None
    game = question.needs
    text = msgspec.json.encode([game.name, question.name, _program(game.place), rules, given])
    return cache_root() / "answers" / f"{hashlib.sha256(text).hexdigest()[:32]}.json"


def _plain(value: Any) -> Any:
    """Return a value as data without what changes no answer; `_Passing` if the answer is not to be kept."""
    if isinstance(value, RulesFiles):
        return None
    if isinstance(value, Work):
        return value.seed
    if isinstance(value, Path):
        raise _Passing
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if not isinstance(value, msgspec.Struct):
        return value
    if isinstance(value, Player):
        _check(value, parameters(type(value)))
    own = {name: _plain(getattr(value, name)) for name in value.__struct_fields__}
    return [type(value).__name__, own]


def _check(value: Any, declared: Sequence[Parameter]) -> None:
    for each in declared:
        if each.unit == "s" or each.name == "fresh":
            found = reduce(getattr, each.path, value)
            if found is not None and found is not False:
                raise _Passing


@lru_cache
def _program(place: str) -> str:
    """Return a hash of which files of the program, and of a game that another package brings, are there."""
    found = hashlib.sha256()
    for name in dict.fromkeys((*_PACKAGES, place.partition(".")[0])):
        folders = importlib.import_module(name).__path__
        for path in sorted(path for folder in folders for path in Path(folder).rglob("*") if path.is_file()):
            if "__pycache__" not in path.parts:
                stat = path.stat()
                found.update(f"{path} {stat.st_size} {stat.st_mtime_ns}\n".encode())
    return found.hexdigest()


def fetched(question: Any, path: Path) -> Any:
    """Return the answer that is kept there; None if there is none, or it is damaged."""
    text = _found(path)
    with suppress(KeyError, ValueError, msgspec.MsgspecError):
        return None if text is None else _read(question, text)
    return None


def _found(path: Path) -> bytes | None:
    """What is kept there, which counts as used now."""
    text = blobs.find(path)
    if text is not None:
        with suppress(OSError):
            os.utime(path)
    return text


def _write(path: Path, text: bytes) -> None:
    blobs.keep(path, text)
    _pruned(path.parent)


def _read(question: Any, text: bytes) -> Any:
    kinds = {each.__name__: each for each in (question.answers, *question.also)}
    name, found = msgspec.json.decode(text)
    return msgspec.convert(found, kinds[name])


def keep(question: Any, path: Path, answer: Any) -> bool:
    """Keep an answer, if it is one that is worth it, and return whether it was.

    A folder that cannot be written to is no fault. An answer without figures is none yet.
    """
    if not answer.complete or not answer.reached or answer.timing.work_s < LEAST_S:
        return False
    if not any(each.value is not None for each in question.amounts(answer)):
        return False
    text = msgspec.json.encode([type(answer).__name__, answer])
    with suppress(OSError, msgspec.MsgspecError):
        if _read(question, text) == answer:
            _write(path, text)
            return True
    return False


def _pruned(folder: Path) -> None:
    """Remove what was used longest ago as far as there is more than `MOST_BYTES`."""
    by_use = sorted(
        ((path.stat(), path) for path in folder.glob("*.json")), key=lambda each: -each[0].st_mtime
    )
    total = 0
    for stat, path in by_use:
        total += stat.st_size
        if total > MOST_BYTES:
            path.unlink(missing_ok=True)


# ---- deals -------------------------------------------------------------------------------------------------


class KeptDeals:
    """Deals that were played before, by other rules too, as long as they are the same to those who play.

    Parameters
    ----------
    game : a `game.Game`.
    what : what deals depend on beside rules and setup.
    """

    def __init__(self, game: Any, rules: Any, players: Sequence[Player], *what: object) -> None:
        self._game, self._rules = game, rules
        self._begun = time.monotonic()
        self._common: Any = None
        if game.rests_on is not None and os.environ.get(ANSWERS_VARIABLE) != "off":
            with suppress(_Passing):
                self._common = [game.name, _program(game.place), _plain(players), what]

    def _place(self, setup: Any) -> Path | None:
        if self._common is None:
            return None
        kept = self._game.rests_on(self._rules, setup)
        text = msgspec.json.encode([self._common, setup, _narrowed(self._rules.tables(), kept)], enc_hook=str)
        return cache_root() / "answers" / "deals" / f"{hashlib.sha256(text).hexdigest()[:32]}.json"

    def find(self, setup: Any, kind: type[_Kind]) -> _Kind | None:
        """Return what is kept of a setup; None if there is nothing."""
        path = self._place(setup)
        text = None if path is None else _found(path)
        with suppress(ValueError, msgspec.MsgspecError):
            return None if text is None else msgspec.json.decode(text, type=kind)
        return None

    def add(self, setup: Any, deals: Any) -> None:
        """Keep all deals of a setup, if playing took long enough."""
        path = self._place(setup)
        if path is not None and time.monotonic() - self._begun >= LEAST_S:
            with suppress(OSError):
                _write(path, msgspec.json.encode(deals))


def _narrowed(tables: Mapping[str, Any], kept: Mapping[str, Collection[str]]) -> dict[str, Any]:
    """Rules, without the numbers of entries that are not kept."""
    found = {}
    for key, entry in tables.items():
        section, _, rest = key.partition(".")
        rests = section not in kept or rest.partition(".")[0] in kept[section]
        found[key] = entry if rests else _wordy(entry)
    return found


def _wordy(value: Any) -> Any:
    """A value of the rules without its numbers."""
    if isinstance(value, dict):
        return {key: _wordy(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_wordy(each) for each in value]
    return None if isinstance(value, int | float) and not isinstance(value, bool) else value
