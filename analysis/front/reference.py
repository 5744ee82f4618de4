"""The reference of a game, out of its declarations: every question with its parameters and examples."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from analysis.front.parameters import Parameter, Shape, text_of
from analysis.front.players import players_of
from analysis.front.question import Declared

__all__ = ["command_line", "default_text", "metavar", "option_lines", "reference"]


SHARED = ("rules", "set", "seed", "jobs", "scheduler", "keep")
"""Options that mean the same in every question that takes them: told once."""


def reference(game: Any) -> str:
    """Return the reference page of a game, in Markdown."""
    lines = [f"## {game.name}", "", f"{game.title}. Changes of the rules: `--set {game.rules_example}`.", ""]
    known = _shared(game)
    lines += ["### Shared options", "", *_table(list(known.values())), ""]
    for each in game.declared.values():
        lines += _declared(game, each, known)
    lines += ["### Players", "", *_players(game)]
    return "\n".join(lines).rstrip("\n") + "\n"


def _shared(game: Any) -> dict[str, Parameter]:
    found: dict[str, Parameter] = {}
    for declared in game.declared.values():
        found |= {
            each.name: each for each in declared.parameters if each.name in SHARED and each.name not in found
        }
    return {name: found[name] for name in SHARED if name in found}


def _declared(game: Any, each: Declared[Any], known: dict[str, Parameter]) -> Iterator[str]:
    yield from (f"### {game.name} {each.name}", "", each.about, "")
    shared = [parameter for parameter in each.parameters if _same(parameter, known.get(parameter.name))]
    own = [parameter for parameter in each.parameters if parameter not in shared]
    named = ", ".join(f"`{parameter.option}`" for parameter in shared)
    if own:
        yield from (*_table(own), "")
    if shared:
        yield from (f"{'Also' if own else 'It takes'} {named}.", "")
    yield from ("```", *(f"{game.name} {example}" for example in each.examples), "```", "")


def _same(one: Parameter, other: Parameter | None) -> bool:
    return other is not None and one.help == other.help


def _table(parameters: Sequence[Parameter]) -> Iterator[str]:
    yield "| option | value | default | |"
    yield "|---|---|---|---|"
    for parameter in parameters:
        cells = [f"`{parameter.option}`", _value(parameter), default_text(parameter), parameter.help]
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _value(parameter: Parameter) -> str:
    if parameter.shape in (Shape.WHOLE, Shape.NUMBER, Shape.CHOICE):
        return parameter.allowed
    return "" if parameter.shape is Shape.FLAG else f"`{metavar(parameter)}`"


def metavar(parameter: Parameter) -> str:
    """Return what stands for a value in help."""
    if parameter.metavar:
        return parameter.metavar
    return {Shape.FILE: "FILE", Shape.NUMBER: "NUMBER", Shape.WHOLE: "NUMBER"}.get(parameter.shape, "TEXT")


def default_text(parameter: Parameter) -> str:
    """Return a parameter's default as it would be typed; empty without one."""
    value = parameter.default
    if value is None or value == () or isinstance(value, bool):
        return ""
    return ", ".join(map(text_of, value)) if isinstance(value, tuple) else text_of(value)


def _players(game: Any) -> Iterator[str]:
    for line in option_lines(game.player):
        yield f"- {line}"


def option_lines(player: Any) -> Iterator[str]:
    """Yield a line for each player of a union: its name, what it does, and its settings."""
    from analysis.front.parameters import parameters

    for name, struct in players_of(player).items():
        about = (struct.__doc__ or "").strip().split("\n")[0]
        settings = [
            f"{each.name}={default_text(each) or '...'} ({each.help.rstrip('.')}; {each.allowed})"
            for each in parameters(struct)
        ]
        yield f"`{name}`: {about}" + (f" Settings: {'; '.join(settings)}." if settings else "")


def command_line(declared: Declared[Any], given: Mapping[str, Any]) -> str:
    """Return the line that asks a question at a terminal.

    Parameters
    ----------
    given : values or texts by parameter name; a sequence of them where a parameter is repeatable. What is
        called like no parameter, such as ``vary``, is an option all the same.
    """
    words = [declared.needs.name, *declared.name.split()]
    arguments = [each for each in declared.parameters if each.argument]
    last = max((place for place, each in enumerate(arguments) if each.name in given), default=-1)
    for each in arguments[: last + 1]:
        words += _words_of(given.get(each.name, default_text(each)))
    known = {each.name: each for each in declared.parameters}
    for name, value in given.items():
        if name in known and known[name].argument:
            continue
        option = f"--{name.replace('_', '-')}"
        for word in _words_of(value):
            if name == "diff" or (name in known and known[name].shape is Shape.FLAG):
                words += [option] if word == "true" else []
            else:
                words += [f"{option}={word}"] if word.startswith("-") else [option, word]
    return shlex.join(words)


def _words_of(value: Any) -> list[str]:
    return [text_of(one) for one in (value if isinstance(value, list | tuple) else [value])]
