"""The command ``rules`` of every game: show the rules, check rules files, compare two sets of rules."""

from __future__ import annotations

import importlib
import io
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from analysis import rules_reports
from cli.entry import Group
from cli.options import format_option, rules_file_option, set_option, together
from cli.output import to_json, write_output
from engine.rulefiles import RulesError, Schema, toml_value

Mark = Callable[..., str]
Grid = tuple[list[str], list[list[str]]]
Rows = Callable[[Any, Mark], Grid]
Entry = tuple[list[str], str, Any]
Column = tuple[str, Callable[[Any, Any], object]]

_WIDTH = 80
_MARKS = {"rulebook": "", "public": "+", "assumed": "?", "changed": "*"}
_LEGEND = {
    "+": "+ public: not in the rulebook's text; stated by the publisher or by owners",
    "?": "? assumed: the rulebook's text does not state this value",
    "*": "* changed: differs from the game in the box",
}

_GROUP_HELP = """Show, check and compare rules.

A rules file is TOML and holds only what differs from the game in the box:

\b
FILE_LINES

\b
Examples:
  PROGRAM rules show                          the game in the box
  PROGRAM rules show SECTION --rules my.toml    your cards
  PROGRAM rules check my.toml                 is this file sound?
  PROGRAM rules diff my.toml                  what does it change?"""
_SHOW_HELP = """Print the rules, or only some SECTIONS of them: ALL_SECTIONS.

Values that the rulebook's text does not state are marked "?", values that differ from the box "*".

\b
Examples:
  PROGRAM rules show
  PROGRAM rules show SECTION
  PROGRAM rules show SECTION --set EXAMPLE
  PROGRAM rules show --format toml > my.toml     a complete file to edit"""
_CHECK_HELP = """Check rules FILES, each on its own; exit code 2 if one cannot be used.

Every mistake is named with its file, table, key and value, and with what is allowed there.
With --rules and --set, each file is checked together with those.

\b
Examples:
  PROGRAM rules check my.toml
  PROGRAM rules check variants/*.toml
  PROGRAM rules check --set EXAMPLE"""
_DIFF_HELP = """Compare rules: one of FILES with the box, or two of them with each other.

--rules and --set change the right-hand side. As TOML the differences are a rules file again,
which makes a quick --set permanent. The exit code is 0 whether there are differences or not.

\b
Examples:
  PROGRAM rules diff my.toml
  PROGRAM rules diff old.toml new.toml
  PROGRAM rules diff --set EXAMPLE --format toml > my.toml"""


@dataclass(frozen=True)
class RulesOf:
    """A game's rules as these commands need them; :func:`rules_of` finds them by the game's name.

    Attributes
    ----------
    program : the game's command, for examples.
    schema : what its files hold.
    load_rules, as_tables, diff_rules, to_toml : of its `rules` module.
    rows : section -> how it is shown; others are shown value by value.
    section, file_lines : for examples: a section, and a small file.
    """

    program: str
    schema: Schema
    load_rules: Callable[..., Any]
    as_tables: Callable[..., Any]
    diff_rules: Callable[..., Any]
    to_toml: Callable[..., str]
    rows: Mapping[str, Rows]
    section: str
    file_lines: tuple[str, ...]


def rules_of(name: str, rows: Mapping[str, Rows], section: str, file_lines: Sequence[str]) -> RulesOf:
    """Return what :func:`make_rules_group` needs of the game in the folder of that name."""
    rules = importlib.import_module(f"engine.{name}.rules")
    return RulesOf(
        program=name,
        schema=importlib.import_module(f"engine.{name}.rules_schema").SCHEMA,
        load_rules=rules.load_rules,
        as_tables=rules.as_tables,
        diff_rules=rules.diff_rules,
        to_toml=rules.to_toml,
        rows=rows,
        section=section,
        file_lines=tuple(file_lines),
    )


def entry_rows(
    names: Sequence[str],
    found: str | Callable[[Any], Iterable[Entry]],
    columns: Mapping[str, Column],
    *,
    whole: bool = False,
) -> Rows:
    """Return how a section of entries is shown, a row for each.

    Parameters
    ----------
    names
        Heads of the columns that name an entry.
    found
        Rules -> the names, the table and the struct of each entry; or the section, if its entries have an id.
    columns
        Head -> key in the entry, and what to show of the entry under some rules.
    whole
        Whether the last name carries the marks of all values, instead of each value its own.
    """

    def entries(rules: Any) -> Iterable[Entry]:
        if callable(found):
            return found(rules)
        return [([entry.id], f"{found}.{entry.id}", entry) for entry in getattr(rules, found)]

    def rows(rules: Any, mark: Mark) -> Grid:
        grid = []
        for words, table, entry in entries(rules):
            marks = mark(*(key for key in _below(rules, table) if not key.endswith(".name"))) if whole else ""
            cells = [*words[:-1], f"{words[-1]}{marks}"]
            for key, value in columns.values():
                own = "" if whole or not key else mark(*_below(rules, f"{table}.{key}"))
                shown = value(entry, rules)
                cells.append(f"{'-' if shown in ('', None) else shown}{own}")
            grid.append(cells)
        return [*names, *columns], grid

    return rows


def values_of(*keys: str, **named: str) -> dict[str, Column]:
    """Return columns for :func:`entry_rows` that show values as they are; `named`: heads for other keys."""

    def column(key: str) -> Column:
        return key, lambda entry, _rules: _said(getattr(entry, key))

    return {head: column(key) for head, key in [*zip(keys, keys, strict=True), *named.items()]}


def _said(value: object) -> object:
    return ", ".join(value) if isinstance(value, tuple) else value


def _below(rules: Any, table: str) -> list[str]:
    """Return the keys of a table, or of the parts of a value."""
    return [key for key in rules.provenance if f"{key}.".startswith(f"{table}.")]


def _plain_rows(game: RulesOf, section: str) -> Rows:
    """Return a table of single values, parts of a value on lines of their own."""

    def rows(rules: Any, mark: Mark) -> Grid:
        grid = []
        for key, value in game.as_tables(rules)[section].items():
            for part, one in value.items() if isinstance(value, dict) else [("", value)]:
                dotted = f"{key}.{part}" if part else key
                said = str(one).lower() if isinstance(one, bool) else str(one)
                grid.append([dotted, f"{said}{mark(*_below(rules, f'{section}.{dotted}'))}"])
        return ["key", "value"], grid

    return rows


def _help(game: RulesOf, text: str) -> str:
    """Fill a help text with a game's own examples."""
    file = "\n".join(f"  {line}" for line in game.file_lines)
    words = {
        "PROGRAM": game.program,
        "EXAMPLE": game.schema.example,
        "ALL_SECTIONS": ", ".join(game.schema.sections),
        "SECTION": game.section,
        "FILE_LINES": file,
    }
    # Whole words only: SECTIONS is none of these.
    return re.sub(rf"\b({'|'.join(words)})\b", lambda match: words[match[0]], text)


def make_rules_group(game: RulesOf) -> click.Group:
    """Return the group ``rules`` of a game."""
    sections_of_game = game.schema.sections
    rules_options = together(rules_file_option(exists=False), set_option(game.schema.example))

    @click.group("rules", cls=Group, help=_help(game, _GROUP_HELP))
    def rules_group() -> None:
        pass

    @rules_group.command(short_help="Print the rules.", help=_help(game, _SHOW_HELP))
    @click.argument("sections", nargs=-1, type=click.Choice(sections_of_game))
    @rules_options
    @format_option("table", "json", "toml")
    def show(
        sections: tuple[str, ...], rules_files: tuple[Path, ...], overrides: tuple[str, ...], form: str
    ) -> None:
        rules = _load(game, rules_files, overrides)
        chosen = [section for section in sections_of_game if section in sections] or list(sections_of_game)
        if form == "json":
            _write(to_json(rules_reports.as_json(game.as_tables(rules), rules, chosen)))
        elif form == "toml":
            _write(game.to_toml(rules, chosen))
        else:
            _write(_shown(game, rules, chosen))

    @rules_group.command(short_help="Check rules files.", help=_help(game, _CHECK_HELP))
    @click.argument("files", nargs=-1, type=click.Path(path_type=Path))
    @rules_options
    @format_option("table", "json")
    def check(
        files: tuple[Path, ...], rules_files: tuple[Path, ...], overrides: tuple[str, ...], form: str
    ) -> None:
        if not (files or rules_files or overrides):
            raise click.UsageError(f"name a file to check, for example: {game.program} rules check my.toml")
        results = []
        for file in files or (None,):
            layers = [*rules_files, *([] if file is None else [file])]
            label = " + ".join([*map(str, layers), *(f"--set {override}" for override in overrides)])
            results.append(rules_reports.checked(game.load_rules, label, layers, overrides))
        if form == "json":
            _write(to_json(results))
        else:
            _write("".join(map(_verdict, results)))
        if not all(result["ok"] for result in results):
            click.get_current_context().exit(2)

    @rules_group.command(short_help="Compare two sets of rules.", help=_help(game, _DIFF_HELP))
    @click.argument("files", nargs=-1, type=click.Path(path_type=Path))
    @rules_options
    @format_option("table", "json", "toml")
    def diff(
        files: tuple[Path, ...], rules_files: tuple[Path, ...], overrides: tuple[str, ...], form: str
    ) -> None:
        if len(files) > 2:
            raise click.UsageError("at most two files can be compared")
        left = _load(game, files[:-1], ())
        right = _load(game, (*files[-1:], *rules_files), overrides)
        rows = game.diff_rules(left, right)
        if form == "json":
            changes = [{"key": key, "left": one, "right": other} for key, one, other in rows]
            _write(to_json({"left": left.name, "right": right.name, "differences": changes}))
        elif form == "toml":
            _write(rules_reports.as_rules_file(game.schema, left, right, rows))
        else:
            _write(_diff_table(left, right, rows))

    return rules_group


class _UnusableRules(click.ClickException):
    """Wrong usage (exit code 2) rather than a failure: the rules that were asked for cannot be used."""

    exit_code = 2

    def __init__(self, error: RulesError) -> None:
        super().__init__(
            "\n".join(["these rules cannot be used:", *(f"  {line}" for line in error.problems)])
        )


def _load(game: RulesOf, files: Sequence[Path], overrides: Sequence[str]) -> Any:
    try:
        return game.load_rules(files, overrides)
    except RulesError as error:
        raise _UnusableRules(error) from error


def _write(text: str) -> None:
    write_output(text, None)


# ---- show --------------------------------------------------------------------------------------------------


def _shown(game: RulesOf, rules: Any, sections: Sequence[str]) -> str:
    def mark(*keys: str) -> str:
        return "".join(dict.fromkeys(_MARKS[rules.provenance[key]] for key in keys))

    parts = [f"{rules.name}\n"]
    for section in sections:
        shown = game.rows.get(section) or _plain_rows(game, section)
        head, rows = shown(rules, mark)
        parts.append(f"\n{section.upper()}\n{_grid(head, rows)}")
    text = "".join(parts)
    used = {_MARKS[word] for key, word in rules.provenance.items() if key.split(".")[0] in sections}
    legend = [line for symbol, line in _LEGEND.items() if symbol in used]
    return (
        text
        + "".join(["\n", *(f"{line}\n" for line in legend)] if legend else [])
        + f"\nsha256 {rules.sha256}\n"
    )


def _grid(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A plain table of at most 80 columns; long cells wrap."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_edge=False)
    for title in head:  # names and keys stay on one line, to be found and copied
        table.add_column(title, overflow="fold", no_wrap=title == head[0])
    for row in rows:
        table.add_row(*map(Text, row))
    stream = io.StringIO()
    Console(file=stream, width=_WIDTH, color_system=None, highlight=False).print(table)
    return "".join(f"{line.rstrip()}\n" for line in stream.getvalue().splitlines())


# ---- check -------------------------------------------------------------------------------------------------


def _verdict(result: dict[str, Any]) -> str:
    if result["ok"]:
        count = len(result["changed"])
        verdict = f"{result['rules']}: sound, {count or 'no'} value{'' if count == 1 else 's'} changed\n"
        return verdict + "".join(f"  {note}\n" for note in result.get("notes", []))
    return f"{result['rules']}: cannot be used\n" + "".join(
        f"  {problem['message']}\n" for problem in result["problems"]
    )


# ---- diff --------------------------------------------------------------------------------------------------


def _cell(value: Any) -> str:
    return "-" if value is None else toml_value(value)


def _diff_table(left: Any, right: Any, rows: Sequence[tuple[str, Any, Any]]) -> str:
    if not rows:
        return f"{left.name} and {right.name}: no difference\n"
    grid = _grid(["key", "left", "right"], [[key, _cell(one), _cell(other)] for key, one, other in rows])
    return f"left:  {left.name}\nright: {right.name}\n\n{grid}"
