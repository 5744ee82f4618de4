"""``rules new``: a rules file to begin an own card or unit with, each value with what may stand there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Annotated, Any, NamedTuple

import msgspec

from analysis.errors import RequestError
from analysis.front.bundles import RulesFiles
from analysis.front.kinds import Named, Pick
from analysis.front.page import Cell, Column, Page, Table
from analysis.front.parameters import param
from analysis.front.question import Answer, Question, Running, imported
from engine.rulefiles import (
    RulesError,
    Schema,
    UnknownNameError,
    canonical_id,
    find_name,
    is_kebab,
    toml_value,
)

__all__ = ["NewEntry", "kinds_of", "new_question", "one_more"]


_MOST_NAME = 40


class New(msgspec.Struct, frozen=True, kw_only=True):
    """What is begun."""

    entry: Annotated[str, param("What to begin, such as a card.", kind=Pick("kinds"), argument=True)]
    like: Annotated[str, param("Entry of that kind whose values it begins with.  [default: the first]")] = ""
    called: Annotated[str, param("Name of the new entry.")] = ""
    rules: RulesFiles = RulesFiles()


class NewValue(msgspec.Struct, frozen=True):
    """A value of the file, as the file has it, and what may stand there."""

    table: str
    key: str
    value: str
    allowed: str


class NewEntry(Answer, frozen=True, kw_only=True):
    """A rules file with one new entry.

    Attributes
    ----------
    table : of the entry, ``cards.my-card``.
    like : of the entry that it begins as.
    is_new : whether it stands beside the box's entries; otherwise these rules have no room for one more, and
        the file changes the entry that it is like.
    why : what the check said of one more entry; empty if there is room.
    toml : the file.
    """

    table: str
    like: str
    is_new: bool
    why: str
    values: list[NewValue]
    toml: str


def new_question(game: Any) -> Question[Any, NewEntry]:
    """Return the question of a game."""
    kinds = list(kinds_of(game.schema))
    said = ", ".join(kind.replace("-", " ") for kind in kinds)
    return Question(
        name="rules new",
        about=f"Write a rules file to begin something of your own with. That may be: {said}. Each value"
        " stands with what may stand there; the file passes the check as it is.",
        asked=New,
        answers=NewEntry,
        function=partial(new_entry, game),
        page=new_page,
        exactness="exact",
        shows_ids=True,
        document=lambda found: found.toml,
        document_format="toml",
        examples=(f"rules new {kinds[0]}", f"rules new {kinds[0]} -o my.toml"),
    )


def kinds_of(schema: Schema) -> dict[str, str]:
    """Return what a rules file may hold entries of: a word of one's own for each -> its table."""
    return {canonical_id(kind.word.replace("'", "")): path for path, kind in schema.kinds().items()}


def kind_names(schema: Schema) -> list[Named]:
    """Return the kinds as a list to choose from."""
    return [Named(word, word.replace("-", " ")) for word in kinds_of(schema)]


def new_entry(game: Any, asked: New, running: Running) -> NewEntry:
    """Return the file: of a new entry, or of a changed one where there is no room."""
    rules = game.rules_of(asked.rules)
    tables: Mapping[str, Mapping[str, Any]] = rules.tables()
    place = kinds_of(game.schema)[asked.entry]
    model = _model(tables, place, asked)
    word = asked.called or f"my-{asked.entry}".replace("-", " ").capitalize()
    one = one_more(game, asked.rules, model, word)
    found = one if not one.why else written(game, asked.rules, model, model, asked.called)
    if found.why:
        raise RequestError(f"{model} cannot be written again as it is: {found.why}")
    return NewEntry(
        rules=game.rules_note(rules),
        table=found.table,
        like=model.rpartition(".")[2],
        is_new=not one.why,
        why=one.why,
        values=found.values,
        toml=found.text,
    )


class Written(NamedTuple):
    """An entry's table, its values, the file with it, and why that cannot be used; empty if it can."""

    table: str
    values: list[NewValue]
    text: str
    why: str


def one_more(game: Any, under: RulesFiles, model: str, called: str) -> Written:
    """Return the file that adds an entry like another one under a name, and an id, of its own.

    Raises
    ------
    RequestError
        If nothing can be called so.
    """
    entry = canonical_id(called)
    if not is_kebab(entry):
        raise RequestError(f'{called!r} begins with no letter; a name such as "Frost Bolt" does', "--called")
    return written(game, under, model, f"{model.rpartition('.')[0]}.{entry}", called)


def written(game: Any, under: RulesFiles, model: str, made: str, name: str) -> Written:
    """Return the file in which an entry stands as another one does, or again as it is."""
    values = list(_values(game, game.rules_of(under).tables(), model, made, name))
    text = _toml(game, name or made.rpartition(".")[2], values)
    return Written(made, values, text, _problems(game, under, text))


def _model(tables: Mapping[str, Any], place: str, asked: New) -> str:
    """The table of the entry that the new one is like."""
    known = [table for table in tables if Schema.is_entry(table, place)]
    if not asked.like:
        return known[0]
    names = {table: [table.rpartition(".")[2], tables[table].get("name", "")] for table in known}
    try:
        return find_name(asked.entry, asked.like, names)
    except UnknownNameError as error:
        ids = ", ".join(table.rpartition(".")[2] for table in known)
        said = f"no {asked.entry} is called {error.query!r}; there are: {ids}"
        raise RequestError(said, "--like") from None


def _values(
    game: Any, tables: Mapping[str, Mapping[str, Any]], model: str, made: str, name: str
) -> Iterator[NewValue]:
    """Yield the values of an entry, of what is inside it, and of what other tables have under the same id."""
    like = model.rpartition(".")[2]
    top = "." not in model.partition(".")[2]
    for table, values in tables.items():
        parts = table.split(".")
        if table == model or table.startswith(f"{model}."):
            target = made + _inner(table[len(model) :], "" if made == model else made.rpartition(".")[2])
        elif top and made != model and len(parts) == 2 and parts[1] == like:
            target = f"{parts[0]}.{made.rpartition('.')[2]}"
        else:
            continue
        fields = game.schema.fields(table)
        own = (
            values if game.copied is None or made == model else imported(game.copied)(target, values, tables)
        )
        inner = table.startswith(f"{model}.")
        for key, value in own.items():
            said = value
            if key == "name" and name and (made != model or not inner):
                said = f"{value} of {name}"[:_MOST_NAME].strip() if inner else name
            allowed = fields[key].by_parts if fields[key].parts else fields[key].allowed
            yield NewValue(target, key, toml_value(said), allowed)


def _inner(path: str, owner: str) -> str:
    """The path of what is inside an entry: with ids of its own, so that lists of all tell them apart."""
    parts = path.split(".")
    return ".".join(
        f"{owner}-{part}" if owner and place and not place % 2 else part for place, part in enumerate(parts)
    )


def _toml(game: Any, name: str, values: Iterable[NewValue]) -> str:
    lines = [
        f"# A rules file of {game.title}: it holds only what differs from the box.",
        f"# {game.name} rules check my.toml checks it; --rules my.toml lays it over the box in any question.",
        f"name = {toml_value(f'{game.title} with {name}')}",
    ]
    table = ""
    for each in values:
        if each.table != table:
            table = each.table
            lines += ["", f"[{table}]"]
        lines += [f"# {each.key}: {each.allowed}", f"{each.key} = {each.value}"]
    return "\n".join(lines) + "\n"


def _problems(game: Any, under: RulesFiles, text: str) -> str:
    """What the check says of a file; empty if it can be used."""
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "new.toml"
        file.write_text(text, encoding="utf-8")
        try:
            imported(game.load)([*under.rules, file], list(under.set))
        except RulesError as error:
            return "; ".join(str(each).partition(": ")[2] or str(each) for each in error.problems)
    return ""


def new_page(found: NewEntry) -> Page:
    """Return the file, and whether it adds or changes an entry."""
    if found.is_new:
        headline = f"This file adds {found.table}, which begins as a copy of {found.like}."
        notes = []
    else:
        headline = f"This file changes {found.table}: these rules have no room for one more."
        notes = [f"What the check says of one more: {found.why}."]
    columns = [Column(key, key) for key in ("table", "key", "value", "allowed")]
    rows: list[list[Cell]] = [[each.table, each.key, each.value, each.allowed] for each in found.values]
    return Page(headline=headline, sections=[Table(columns, rows)], notes=notes)
