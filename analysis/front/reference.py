"""The reference of games, out of their declarations: every question with its parameters and examples.

What is the same in several games is told once, in `common_reference`; a game's page tells the rest.
"""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from analysis.front.doors import by_door
from analysis.front.parameters import Parameter, Shape, parameters, text_of
from analysis.front.players import players_of
from analysis.front.question import Declared

__all__ = [
    "Common",
    "command_line",
    "common_of",
    "common_reference",
    "default_text",
    "metavar",
    "option_line",
    "option_lines",
    "reference",
]

EVERYWHERE = ("--rules", "--set")
"""Options of every question that rests on rules: not named again in each."""
_SENTENCE = re.compile(r"(?<=\.) ")
_DEFAULT = re.compile(r" \(default: [^)]*\)|; default: [^)]*(?=\))")


@dataclass(frozen=True)
class Common:
    """What several games share, so that it is told once.

    Attributes
    ----------
    options : option -> its line, where questions of several names have it in several games.
    verbs : question -> lines of its options that it alone has, in all games that have it.
    sentences : question -> sentences that say the same about it in all games.
    whole : questions of which the games have nothing of their own to tell, with examples.
    """

    options: Mapping[str, str]
    verbs: Mapping[str, Sequence[str]]
    sentences: Mapping[str, Sequence[str]]
    whole: Mapping[str, Sequence[str]]


NOTHING = Common({}, {}, {}, {})


def common_of(games: Sequence[Any]) -> Common:
    """Return what several of the games share."""
    asked: dict[str, list[tuple[Any, Declared[Any]]]] = {}
    for game in games:
        for name, each in game.declared.items():
            asked.setdefault(name, []).append((game, each))
    several = {name: found for name, found in asked.items() if len(found) > 1}
    uses: dict[str, set[tuple[str, str]]] = {}
    for name, found in asked.items():
        for game, each in found:
            for parameter in each.parameters:
                if not parameter.argument:
                    uses.setdefault(option_line(parameter), set()).add((game.name, name))
    options = _most_used(
        {
            line: len(where)
            for line, where in uses.items()
            if all(len(set(each)) > 1 for each in zip(*where, strict=True))
        }
    )
    verbs = {name: _lines_of(found, set(options.values())) for name, found in several.items()}
    sentences = {
        name: _in_all([_SENTENCE.split(each.about) for _, each in found]) for name, found in several.items()
    }
    whole = {
        name: [f"{found[0][0].name} {example}" for example in found[0][1].examples]
        for name, found in several.items()
        if len({_told(game, each) for game, each in found}) == 1
    }
    return Common(options, verbs, sentences, whole)


def _lines_of(found: Sequence[tuple[Any, Declared[Any]]], known: set[str]) -> list[str]:
    lines = _in_all([[option_line(parameter) for parameter in each.parameters] for _, each in found])
    return [line for line in lines if line not in known]


def _in_all(several: Sequence[Sequence[str]]) -> list[str]:
    return [each for each in several[0] if all(each in other for other in several)]


def _told(game: Any, each: Declared[Any]) -> tuple[str, ...]:
    examples = [example.replace(game.rules_example, "KEY=VALUE") for example in each.examples]
    return (each.about, *map(option_line, each.parameters), *examples)


def _most_used(uses: Mapping[str, int]) -> dict[str, str]:
    """Return for each option its line that is used most."""
    found: dict[str, str] = {}
    for line in uses:
        option = _option_of(line)
        if option not in found or uses[line] > uses[found[option]]:
            found[option] = line
    return found


def _option_of(line: str) -> str:
    return line.split("`")[1].split(" ")[0]


def common_reference(common: Common) -> str:
    """Return what several games share, in Markdown."""
    lines = ["### Options of many questions", "", *_items(common.options.values()), ""]
    for name, own in common.verbs.items():
        told = common.sentences[name]
        if not told and not own:
            continue
        lines += [f"### GAME {name}", ""]
        lines += [" ".join(told), ""] if told else []
        lines += [*_items(own), ""] if own else []
        lines += ["```", *common.whole[name], "```", ""] if name in common.whole else []
    return "\n".join(lines).rstrip("\n") + "\n"


def reference(game: Any, common: Common = NOTHING) -> str:
    """Return the reference page of a game without what it has in common with others, in Markdown."""
    lines = [f"Changes of the rules: `--set {game.rules_example}`.", ""]
    declared = {name: each for name, each in game.declared.items() if name not in common.whole}
    uses = Counter(
        option_line(parameter)
        for each in declared.values()
        for parameter in each.parameters
        if option_line(parameter) not in common.options.values()
        and option_line(parameter) not in common.verbs.get(each.name, ())
    )
    known = _most_used({line: count for line, count in uses.items() if count > 1})
    if known:
        lines += ["## Options of several questions", "", "`--help` says which of them a question takes.", ""]
        lines += [*_items(known.values()), ""]
    for door, several in by_door(declared.items()):
        lines += [f"## {door}", ""]
        for _, each in several:
            lines += _declared(game, each, known, common)
    lines += ["## Players", "", *_players(game)]
    return "\n".join(lines).rstrip("\n") + "\n"


def _declared(game: Any, each: Declared[Any], known: Mapping[str, str], common: Common) -> Iterator[str]:
    told = {**known, **common.options}
    shared = common.verbs.get(each.name, ())
    own = []
    for parameter in each.parameters:
        line = option_line(parameter)
        if line not in told.values() and line not in shared:
            other = _differs_by_default(parameter, told.get(parameter.option, ""))
            own.append(_like(parameter) if other else line)
    said = common.sentences.get(each.name, ())
    about = [sentence for sentence in _SENTENCE.split(each.about) if sentence not in said]
    yield from (f"### {game.name} {each.name}", "")
    if about:
        yield from (" ".join(about), "")
    if said or shared:
        yield from (f"See [all games](reference.md#game-{each.name.replace(' ', '-')}).", "")
    if own:
        yield from (*_items(own), "")
    yield from ("```", f"{game.name} {each.examples[0]}", "```", "")


def _differs_by_default(parameter: Parameter, line: str) -> bool:
    """Whether an option is as a line says, but for its default."""
    return bool(default_text(parameter)) and option_line(replace(parameter, default=None)) in (
        line,
        _DEFAULT.sub("", line),
    )


def _like(parameter: Parameter) -> str:
    return f"`{parameter.option}` as elsewhere (default: {default_text(parameter)})."


def _items(lines: Iterable[str]) -> Iterator[str]:
    return (f"- {line}" for line in lines)


def option_line(parameter: Parameter) -> str:
    """Return an option with what may stand there, its default and its help."""
    placed = "" if parameter.argument or _speaks(parameter) else f" {metavar(parameter)}"
    told = [_range(parameter)] if _speaks(parameter) and parameter.shape is not Shape.FLAG else []
    told += [f"`{metavar(parameter)}`"] if parameter.argument and not _speaks(parameter) else []
    told += [f"default: {default}"] if (default := default_text(parameter)) else []
    told += ["required"] if parameter.required else []
    inside = f" ({'; '.join(told)})" if told else ""
    return f"`{parameter.option}{placed}`{inside}: {parameter.help}"


def _speaks(parameter: Parameter) -> bool:
    """Whether what may stand there can be listed."""
    return parameter.shape in (Shape.WHOLE, Shape.NUMBER, Shape.CHOICE, Shape.FLAG)


def _range(parameter: Parameter) -> str:
    """Return what may stand there; a range is of whole numbers unless it says otherwise."""
    told = re.sub(r"^(?:one of|a whole number from) ", "", parameter.allowed)
    return re.sub(r"^(?:a (number) from )?([\d.,e+-]+) to ([\d.,e+-]+)$", _short_range, told)


def _short_range(found: re.Match[str]) -> str:
    kind, least, most = found.groups()
    return f"{kind} {least}–{most}" if kind else f"{least}–{most}"


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
    """Yield who can play, then their settings, each once."""
    owners: dict[str, list[str]] = {}
    for name, struct in players_of(game.player).items():
        yield f"- `{name}`: {_about(struct)}"
        for each in parameters(struct):
            line = option_line(each).replace("`--", "`", 1)
            owners.setdefault(line, []).append(f"`{name}`")
    for names in dict.fromkeys(map(tuple, owners.values())):
        several = " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
        yield from ("", f"Settings of {several} (`--player NAME:KEY=VALUE`):", "")
        yield from _items(line for line, having in owners.items() if tuple(having) == names)


def _about(struct: Any) -> str:
    return (struct.__doc__ or "").strip().split("\n")[0]


def option_lines(player: Any) -> Iterator[str]:
    """Yield a line for each player of a union: its name, what it does, and its settings."""
    for name, struct in players_of(player).items():
        settings = [
            f"{each.name}={default_text(each) or '...'} ({each.help.rstrip('.')}; {each.allowed})"
            for each in parameters(struct)
        ]
        yield f"`{name}`: {_about(struct)}" + (f" Settings: {'; '.join(settings)}." if settings else "")


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
            if name == "diff":
                words += [option] if word == "box" else [option, word]
            elif name in known and known[name].shape is Shape.FLAG:
                words += [option] if word == "true" else []
            else:
                words += [f"{option}={word}"] if word.startswith("-") else [option, word]
    return shlex.join(words)


def _words_of(value: Any) -> list[str]:
    return [text_of(one) for one in (value if isinstance(value, list | tuple) else [value])]
