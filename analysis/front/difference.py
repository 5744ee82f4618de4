"""A question on two sides: what a change of the rules, or of an option, does to its figures.

Both sides have the same seed and the same luck, so where a question plays, deals are compared one by one.
What is certain is so of all figures together (`front.chance`); `front.verdicts` says what a change does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from analysis.errors import RequestError
from analysis.estimates import Estimate
from analysis.front.axes import Axis, files_of, laid_over, parameter_of
from analysis.front.chance import compared, holm, middle_of
from analysis.front.kinds import Names, Pick
from analysis.front.page import Cell, Column, Format, Page, Sides
from analysis.front.parameters import EFFORT, Parameter, text_of
from analysis.front.question import Amount, Answer, Question, RulesNote, Running
from analysis.front.render.tables import shared_head, unit_of
from analysis.front.verdicts import change_said, listed

__all__ = ["BOX", "Difference", "DifferenceAnswer", "beside"]

BOX = "box"
"""The word for the rules of the box, where a file could stand."""


class Difference(msgspec.Struct, frozen=True):
    """A figure on both sides, and what the second makes of it.

    Attributes
    ----------
    change : the second less the first, with its interval where one is known.
    certain : whether the two differ for certain, all figures together; None if nothing tells.
    """

    key: str
    head: str
    kind: Format
    before: float | Estimate | None
    after: float | Estimate | None
    change: Estimate
    certain: bool | None


class DifferenceAnswer(Answer, frozen=True, kw_only=True):
    """A question's figures on two sides.

    Attributes
    ----------
    before, after : what the sides are called.
    before_rules : the rules of the first side; `rules` are those of the second.
    paired : whether deals are compared one by one.
    missing : the sides that have no answer, as they are called; `more` is the option that allows more effort.
    """

    before: str
    after: str
    before_rules: RulesNote | None
    differences: list[Difference]
    paired: bool
    missing: Sequence[str] = ()
    more: str = ""

    def page(self) -> Page:
        """Return how they look."""
        return self.with_said(difference_page(self))


@dataclass(frozen=True)
class _Sides:
    """What is asked on both sides, and options that differ: their parameters, and both values."""

    before: Mapping[str, Any]
    after: Mapping[str, Any]
    names: tuple[str, str]
    options: Sequence[tuple[Parameter, str, str]] = ()


def beside(
    question: Question[Any, Any],
    given: Mapping[str, Any],
    against: Sequence[str | Path],
    running: Running | None = None,
) -> DifferenceAnswer:
    """Ask a question as it is given, and otherwise.

    Parameters
    ----------
    given : values or texts of the question's parameters, by name.
    against : what is otherwise: ``KEY=VALUE``, an option or a value of the rules; a file of rules; or `BOX`.
        The rules of a file or of the box come first, as what the given ones change; all else comes second.

    Raises
    ------
    RequestError
        If the question has no figures to compare, or both sides are the same.
    """
    if question.amounts is None:
        raise RequestError(f"{question.name} has no figures that can be compared", "--diff")
    if given.get("keep") is not None:
        raise RequestError("a file keeps the work of one answer; leave it out beside --diff", "--keep")
    running = running or Running()
    sides = _sides(question, given, against)
    built = [question.build(**side) for side in (sides.before, sides.after)]
    if built[0] == built[1]:
        said = "both sides are the same; name a change of the rules by --set or --rules, or another side"
        raise RequestError(f"{said}, such as --diff {_example(question)}", "--diff")
    (first, seen_first), (second, seen_second) = (question.observe(each, running) for each in built)
    renamed = _renamed(sides, question.names(dict(given)))
    figures = [question.amounts(each) for each in (first, second)]
    before = {renamed(each.key, False): each for each in figures[0]}
    pairs = [
        (before[key], msgspec.structs.replace(each, head=renamed(each.head, True)), seen_second.get(each.key))
        for each in figures[1]
        if (key := renamed(each.key, False)) in before
    ]
    exactness = max((first.exactness, second.exactness), key=_SURE.index)
    found = [_compared(one, other, seen_first.get(one.key), deals, exactness) for one, other, deals in pairs]
    differences = [
        Difference(other.key, other.head, other.kind, one.value, other.value, change, certain)
        for (one, other, _), (change, _), certain in zip(
            pairs, found, holm([chance for _, chance in found]), strict=True
        )
    ]
    return DifferenceAnswer(
        game=question.needs.name,
        question=question.name,
        version=second.version,
        rules=second.rules,
        before=sides.names[0],
        after=sides.names[1],
        before_rules=first.rules,
        exactness=exactness,
        seed=second.seed,
        complete=first.complete and second.complete,
        differences=differences,
        paired=bool(seen_first and seen_second),
        missing=[
            name
            for name, side in zip(sides.names, figures, strict=True)
            if all(middle_of(each.value) is None for each in side)
        ],
        more=next((each.option for each in question.parameters if each.name in EFFORT), ""),
    )


_SURE = ("exact", "bounded", "measured")


def _compared(
    one: Amount,
    other: Amount,
    first: Sequence[float] | None,
    second: Sequence[float] | None,
    exactness: str,
) -> tuple[Estimate, float | None]:
    """The change of a figure, and how likely it is by chance alone."""
    values = (one.value, other.value)
    # A proved bound rests on no observations; a number beside bounds is that of one plan of several.
    bounds = all(isinstance(each, Estimate) and not each.observations for each in values)
    proved = exactness == "exact" or (exactness == "bounded" and bounds)
    deals = (first, second) if first and second else None
    return compared(*values, deals, proved=proved)


# ---- sides -------------------------------------------------------------------------------------------------


def _sides(question: Question[Any, Any], given: Mapping[str, Any], against: Sequence[str | Path]) -> _Sides:
    """Return what both sides ask, and what they are called."""
    rules = [each for each in against if not _is_value(question, each)]
    values = [str(each) for each in against if _is_value(question, each)]
    if rules and not question.has_rules:
        raise RequestError(f"{rules[0]!s}: write KEY=VALUE, such as {_example(question)}", "--diff")
    other = {key: value for key, value in given.items() if not rules or key not in ("rules", "set")}
    if files := tuple(Path(each) for each in rules if str(each) != BOX):
        other["rules"] = files
        try:
            question.needs.read(files, ())
        except RequestError as error:
            raise RequestError(str(error), "--diff") from None
    axes = [Axis(key.strip(), (value.strip(),)) for key, _, value in (each.partition("=") for each in values)]
    options = [axis for axis in axes if parameter_of(question, axis.key)]
    rules_differ = bool(rules) or len(options) < len(axes)
    if not all(axis.key and axis.values[0] for axis in axes):
        raise RequestError(f"{values[-1]!r}: write KEY=VALUE", "--diff")
    there = laid_over(question, other, axes, [axis.values[0] for axis in axes], "--diff")
    names = question.names(dict(given))
    changed = [_both(question, given, axis, names) for axis in options]
    here, across = [one for _, one, _ in changed], [other for _, _, other in changed]
    if rules_differ:
        here.append(_rules_name(question, given))
        across.append(_rules_name(question, there))
    words = [", ".join(here), ", ".join(across)]
    if values:
        return _Sides(given, there, (words[0], words[1]), [each for each in changed if each[0].kind])
    return _Sides(there, given, (words[1], words[0]))


def _is_value(question: Question[Any, Any], word: str | Path) -> bool:
    """Whether a word gives a value to an option or to the rules; else it names a file."""
    return "=" in str(word) and not (isinstance(word, Path) or Path(word).is_file())


def _example(question: Question[Any, Any]) -> str:
    return str(question.needs.rules_example) if question.has_rules else "seed=1"


def _both(
    question: Question[Any, Any], given: Mapping[str, Any], axis: Axis, names: Names
) -> tuple[Parameter, str, str]:
    """An option that differs, and its value on both sides in words."""
    parameter = parameter_of(question, axis.key)
    assert parameter is not None
    value = given.get(parameter.name, parameter.default)
    if parameter.repeatable:
        value = next(iter(value if isinstance(value, list | tuple) else (value,)), None)

    def said(one: Any) -> str:
        if isinstance(parameter.kind, Pick):
            return next((each.name for each in names.get(parameter.kind.names, ()) if _is_it(each, one)), one)
        word = text_of(one)
        return word if parameter.choices else f"{parameter.name.replace('_', ' ')} {word}"

    return parameter, "what is usual" if value is None else said(value), said(axis.values[0])


def _is_it(named: Any, text: Any) -> bool:
    """Whether a text is an entry's id, or the beginning of its name."""
    plain = str(text).casefold()
    return bool(plain) and (named.id == plain or str(named.name).casefold().startswith(plain))


def _rules_name(question: Question[Any, Any], given: Mapping[str, Any]) -> str:
    """What rules are called in a sentence: the box, the name of a file, or what differs from them."""
    files, overrides = files_of(given)
    name = question.needs.read(files, ()).name if files else ""
    if not overrides:
        return str(name or "the box")
    rules = question.needs.read(files, overrides)
    changes = ", ".join(_change_name(rules, *each.partition("=")[::2]) for each in overrides)
    return f"{name} with {changes}" if name else changes


def _change_name(rules: Any, key: str, value: str) -> str:
    """A changed value in words: ``Basher 4 GP``, ``Fireball cost 6``."""
    tables = rules.tables()
    table = next((each for each in _beginnings(key.strip()) if each in tables), "")
    words = key.strip()[len(table) :].strip(".").replace("_", " ").replace(".", " ")
    value = value.strip().strip('"')
    name = tables.get(table, {}).get("name")
    if not name and table and table not in rules.schema.tables:
        entry = table.rpartition(".")[2].replace("-", " ").capitalize()
        kind = rules.schema.entry_table(table)
        name = f"{kind.word} {entry}" if kind is not None and entry.isdecimal() else entry
    short = f"{value} {words.upper()}" if len(words) == 2 else f"{words} {value}"
    return f"{name} {short}" if name else short


def _beginnings(key: str) -> list[str]:
    parts = key.split(".")
    return [".".join(parts[:number]) for number in range(len(parts) - 1, 0, -1)]


def _renamed(sides: _Sides, names: Names) -> Any:
    """Return what makes keys and heads of both sides alike: without what the sides differ in."""
    ids, heads = set(), []
    for parameter, one, other in sides.options:
        for said in (one, other):
            ids |= {each.id for each in _entries(parameter, names) if each.name == said}
            heads += [f"{said} / ", f" / {said}", f"{said}: ", f"{said}, ", f", {said}"]

    def renamed(text: str, is_head: bool) -> str:
        if not is_head:
            return "/".join("" if part in ids else part for part in text.split("/"))
        for head in heads:
            text = text.replace(head, "")
        return text

    return renamed


def _entries(parameter: Parameter, names: Names) -> Sequence[Any]:
    return list(names.get(parameter.kind.names, ())) if isinstance(parameter.kind, Pick) else []


# ---- page --------------------------------------------------------------------------------------------------


_OF_PLANS = "That is so of the plans found; others that are as good may differ."


def difference_page(found: DifferenceAnswer) -> Page:
    """Return the largest change in words, and the figures of both sides."""
    columns = [Column("figure", "figure"), Column("before", found.before, "row")]
    columns += [Column("after", found.after, "row"), Column("change", "change", "row")]
    columns.append(Column("certain", "certain"))
    about = shared_head([each.head for each in found.differences])
    shown = [
        msgspec.structs.replace(each, head=each.head.removeprefix(f"{about}: ")) for each in found.differences
    ]
    rows: list[list[Cell]] = [
        [f"{each.head}{unit_of(each.kind)}", each.before, each.after, each.change, _yes(each.certain)]
        for each in shown
    ]
    kinds = [each.kind for each in shown]
    notes = []
    if found.paired:
        notes.append("Both sides play the same deals with the same luck; deals are compared one by one.")
    elif found.exactness == "measured":
        notes.append("A change is certain if chance explains it in fewer than 5 % of answers.")
    if found.exactness == "bounded":
        notes.append("A change is certain if it holds whatever equilibria are played, as far as is proved.")
    if not found.complete:
        notes.append("Stopped early: not everything that was asked for is in.")
    further = {"untested": _OF_PLANS} if found.exactness == "bounded" else {}
    if found.missing:
        more = f" Allow more ({found.more})." if found.more else ""
        said = f"No answer yet by {listed(found.missing)}: nothing can be compared.{more}"
    else:
        said = change_said(shown, found.before, found.after, finished=found.complete, **further)
    said = f"{about}: {said[0].lower()}{said[1:]}" if about else said
    return Page(headline=said, sections=[Sides(columns, rows, kinds=kinds)], notes=notes)


def _yes(certain: bool | None) -> str:
    return "-" if certain is None else "yes" if certain else "no"
