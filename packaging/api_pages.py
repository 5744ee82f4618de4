"""Pages of all that Python can call, for `packaging/site`: from declarations and docstrings, by mkdocstrings.

The functions of games are made when they are imported, so their signatures and docstrings are written into
modules that mkdocstrings can read, in `build/api`.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import griffe
import msgspec

from analysis.front.asking import function_of

MODULES = {
    "answers": (
        "Answers of all games",
        (
            "analysis.front.question",
            "analysis.front.grid",
            "analysis.front.difference",
            "analysis.front.goals",
        ),
        (
            "analysis.front.page",
            "analysis.estimates",
            "analysis.errors",
            "analysis.interrupt",
            "analysis.progress",
        ),
    ),
    "declaring": (
        "Games of one's own",
        (
            "analysis.front.game",
            "analysis.front.parameters",
            "analysis.front.kinds",
            "analysis.front.players",
        ),
        ("analysis.front.contest", "analysis.front.session", "analysis.front.tree", "engine.protocol"),
    ),
    "solvers": (
        "Solvers",
        ("solver.extensive", "solver.sequence_form", "solver.exact_sequence_form", "solver.tree_cfr"),
        ("solver.tree_best_response", "solver.normal_form", "solver.bimatrix", "solver.extreme_equilibria"),
        ("solver.bayesian", "solver.gambit", "solver.efg_reader", "solver.nfg_reader"),
        ("solver.hidden_hands.game", "solver.hidden_hands.solving", "solver.alternating.game"),
        ("solver.alternating.solving", "solver.stochastic.game", "solver.sampling.game"),
    ),
}
"""Page -> its title, and the modules on it."""
PLAIN = (bool, int, float, str, type(None))


class Sentences(griffe.Extension):
    """Reads ``name : a sentence.`` in sections of docstrings as what is said of it: types are in the code."""

    section = re.compile(
        r"(?<=^Attributes\n----------\n)(?:.+(?:\n|\Z))+|(?<=^Parameters\n----------\n)(?:.+(?:\n|\Z))+", re.M
    )
    entry = re.compile(r"^(\w[\w, ]*?) : (.*\n?(?:(?:    .*)(?:\n|\Z))*)", re.M)

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Rewrite its docstring."""
        if obj.docstring is not None:
            obj.docstring.value = self.section.sub(
                lambda found: self.entry.sub(self._told, found[0]), inspect.cleandoc(obj.docstring.value)
            )

    @staticmethod
    def _told(found: re.Match[str]) -> str:
        first, _, rest = found[2].partition("\n")
        words = " ".join(found[2].split())
        is_type = bool(rest) and not rest.lstrip()[:1].islower() and not first.endswith((".", ";", ","))
        return found[0] if is_type or not words.endswith(".") else f"{found[1]}\n    {words}\n"


def write(pages: Path, modules: Path) -> list[tuple[str, str]]:
    """Write the pages into a folder and what they are made of into another; return titles and names."""
    from analysis.registry import GAMES, game_named

    games = [game_named(name) for name in GAMES]
    pages.mkdir(parents=True)
    (modules / "arena_solver").mkdir(parents=True)
    (modules / "arena_solver" / "__init__.py").touch()
    written: list[tuple[str, str, list[str], list[str]]] = []
    shared: dict[str, None] = {}
    for game in games:
        (modules / "arena_solver" / f"{game.name}.py").write_text("\n".join(_module(game)), encoding="utf-8")
        structs = [(each, f"{each.__module__}.{each.__qualname__}") for each in _structs(game)]
        own = [name for each, name in structs if each.__module__.split(".")[1] == game.name]
        shared |= dict.fromkeys(name for _, name in structs if name not in own)
        written.append((game.title, game.name, [f"arena_solver.{game.name}"], own))
    for page, (title, *groups) in MODULES.items():
        modules_of = [each for group in groups for each in group]
        structs_of = [name for name in shared if name.rpartition(".")[0] not in modules_of]
        written.append((title, page, modules_of, structs_of if page == "answers" else []))
    for title, page, whole, answers in written:
        lines = [f"# {title}: Python", "", *(f"::: {each}\n" for each in whole)]
        if answers:
            lines += [
                "## Answers",
                "",
                *(f"::: {each}\n    options:\n      heading_level: 3\n" for each in answers),
            ]
        (pages / f"{page}.md").write_text("\n".join(lines), encoding="utf-8")
    return [(title, f"{page}.md") for title, page, *_ in written]


def _module(game: Any) -> Iterator[str]:
    """Yield the lines of a module with the signatures and docstrings of a game's functions."""
    yield f'"""`from arena_solver import {game.name}`: the questions about {game.title} as functions."""\n'
    for question in game.questions.values():
        function = function_of(question)
        returned = f"{question.answers.__module__}.{question.answers.__qualname__}"
        parameters = ", ".join(map(_parameter, inspect.signature(function).parameters.values()))
        yield f"def {question.function_name}(*, {parameters}) -> {returned}:"
        yield f"    {inspect.cleandoc(function.__doc__)!r}\n"


def _parameter(each: inspect.Parameter) -> str:
    if each.default is inspect.Parameter.empty:
        return each.name
    value = each.default
    plain = isinstance(value, PLAIN) or value in ((), {})
    return f"{each.name}={value!r}" if plain else f"{each.name}=..."


def _structs(game: Any) -> list[type[Any]]:
    """Return the structs that the answers to a game's questions are made of."""
    asked = [each for question in game.questions.values() for each in (question.answers, *question.also)]
    found: dict[type[Any], None] = {}
    waiting: list[Any] = [msgspec.inspect.type_info(each) for each in asked]
    while waiting:
        kind = waiting.pop(0)
        if isinstance(kind, msgspec.inspect.StructType | msgspec.inspect.DataclassType):
            if kind.cls in found:
                continue
            found[kind.cls] = None
            waiting += [each.type for each in kind.fields]
        else:
            waiting += _parts(kind)
    return list(found)


def _parts(kind: Any) -> Iterable[Any]:
    for name in ("item_type", "item_types", "types", "key_type", "value_type", "type"):
        part = getattr(kind, name, ())
        yield from part if isinstance(part, tuple) else (part,)
