"""``ragers rules``: show the rules, check rules files, and compare two sets of rules."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click
import msgspec

from cli.ragers.output import write_output
from engine.ragers.rules import (
    PLAYERS,
    Problem,
    Rules,
    RulesError,
    as_tables,
    diff_rules,
    load_rules,
    to_toml,
)
from engine.rulefiles import MISSING, toml_value

SECTIONS = ("match", "cards", "patrons", "cheers")
_WIDTH = 80
_MARKS = {"rulebook": "", "assumed": "?", "changed": "*"}
_LEGEND = {
    "?": "? assumed: the rulebook's text does not state this value",
    "*": "* changed: differs from the game in the box",
}
_Command = TypeVar("_Command", bound=Callable[..., Any])
_Path = click.Path(path_type=Path)
_rules_option = click.option(
    "--rules",
    "rules_files",
    type=_Path,
    multiple=True,
    metavar="FILE",
    help="Rules file, holding only what differs; may be repeated, later ones win.",
)
_set_option = click.option(
    "--set",
    "overrides",
    multiple=True,
    metavar="KEY=VALUE",
    help="One value, laid over all files; may be repeated. For example cards.basher.gp=4.",
)


def _format_option(*formats: str) -> Callable[[_Command], _Command]:
    return click.option(
        "--format",
        "format_",
        type=click.Choice(formats),
        default=formats[0],
        show_default=True,
        help="How to print it.",
    )


@click.group("rules")
def rules_group() -> None:
    """Show, check and compare rules.

    A rules file is TOML and holds only what differs from the game in the box:

    \b
      name = "Strong Bashers"
      [cards.basher]
      gp = 4

    \b
    Examples:
      ragers rules show                          the game in the box
      ragers rules show cards --rules my.toml    your cards
      ragers rules check my.toml                 is this file sound?
      ragers rules diff my.toml                  what does it change?
    """


@rules_group.command(short_help="Print the rules.")
@click.argument("sections", nargs=-1, type=click.Choice(SECTIONS))
@_rules_option
@_set_option
@_format_option("table", "json", "toml")
def show(
    sections: tuple[str, ...], rules_files: tuple[Path, ...], overrides: tuple[str, ...], format_: str
) -> None:
    """Print the rules, or only some SECTIONS of them: match, cards, patrons, cheers.

    Values that the rulebook's text does not state are marked "?", values that differ from the box "*".

    \b
    Examples:
      ragers rules show
      ragers rules show cheers
      ragers rules show cards --set cards.basher.copies.accusers=5
      ragers rules show --format toml > my.toml     a complete file to edit
    """
    rules = _load(rules_files, overrides)
    chosen = [section for section in SECTIONS if section in sections] or list(SECTIONS)
    if format_ == "json":
        _write(_json(_as_json(rules, chosen)))
    elif format_ == "toml":
        _write(to_toml(rules, chosen))
    else:
        _write(_shown(rules, chosen))


@rules_group.command(short_help="Check rules files.")
@click.argument("files", nargs=-1, type=_Path)
@_rules_option
@_set_option
@_format_option("table", "json")
def check(
    files: tuple[Path, ...], rules_files: tuple[Path, ...], overrides: tuple[str, ...], format_: str
) -> None:
    """Check rules FILES, each on its own; exit code 2 if one cannot be used.

    Every mistake is named with its file, table, key and value, and with what is allowed there.
    With --rules and --set, each file is checked together with those.

    \b
    Examples:
      ragers rules check my.toml
      ragers rules check variants/*.toml
      ragers rules check --set cards.basher.gp=4
    """
    if not (files or rules_files or overrides):
        raise click.UsageError("name a file to check, for example: ragers rules check my.toml")
    results = []
    for file in files or (None,):
        layers = [*rules_files, *([] if file is None else [file])]
        label = " + ".join([*map(str, layers), *(f"--set {override}" for override in overrides)])
        results.append(_checked(label, layers, overrides))
    if format_ == "json":
        _write(_json(results))
    else:
        _write("".join(map(_verdict, results)))
    if not all(result["ok"] for result in results):
        click.get_current_context().exit(2)


@rules_group.command(short_help="Compare two sets of rules.")
@click.argument("files", nargs=-1, type=_Path)
@_rules_option
@_set_option
@_format_option("table", "json", "toml")
def diff(
    files: tuple[Path, ...], rules_files: tuple[Path, ...], overrides: tuple[str, ...], format_: str
) -> None:
    """Compare rules: one of FILES with the box, or two of them with each other.

    --rules and --set change the right-hand side. As TOML the differences are a rules file again,
    which makes a quick --set permanent. The exit code is 0 whether there are differences or not.

    \b
    Examples:
      ragers rules diff my.toml
      ragers rules diff old.toml new.toml
      ragers rules diff --set cards.basher.gp=4 --format toml > strong-bashers.toml
    """
    if len(files) > 2:
        raise click.UsageError("at most two files can be compared")
    left = _load(files[:-1], ())
    right = _load((*files[-1:], *rules_files), overrides)
    rows = diff_rules(left, right)
    if format_ == "json":
        changes = [{"key": key, "left": one, "right": other} for key, one, other in rows]
        _write(_json({"left": left.name, "right": right.name, "differences": changes}))
    elif format_ == "toml":
        _write(_diff_toml(left, right, rows))
    else:
        _write(_diff_table(left, right, rows))


class _UnusableRules(click.ClickException):
    """Wrong usage (exit code 2) rather than a failure: the rules that were asked for cannot be used."""

    exit_code = 2

    def __init__(self, error: RulesError) -> None:
        super().__init__(
            "\n".join(["these rules cannot be used:", *(f"  {line}" for line in error.problems)])
        )


def _load(files: Sequence[Path], overrides: Sequence[str]) -> Rules:
    try:
        return load_rules(files, overrides)
    except RulesError as error:
        raise _UnusableRules(error) from error


def _write(text: str) -> None:
    write_output(text, None)


def _json(value: Any) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode() + "\n"


# ---- show --------------------------------------------------------------------------------------------------


def _as_json(rules: Rules, sections: Sequence[str]) -> dict[str, Any]:
    values: dict[str, Any] = {section: {} for section in sections}
    for table, keys in as_tables(rules).items():
        section, _, entry = table.partition(".")
        if section in values:
            values[section] |= {entry: keys} if entry else keys
    provenance = {key: word for key, word in rules.provenance.items() if key.split(".")[0] in values}
    return {"name": rules.name, "sha256": rules.sha256, **values, "provenance": provenance}


def _shown(rules: Rules, sections: Sequence[str]) -> str:
    def mark(*keys: str) -> str:
        return "".join(dict.fromkeys(_MARKS[rules.provenance[key]] for key in keys))

    parts = [f"{rules.name}\n"]
    for section in sections:
        head, rows = _ROWS[section](rules, mark)
        parts.append(f"\n{section.upper()}\n{_grid(head, rows)}")
    text = "".join(parts)
    used = {_MARKS[word] for key, word in rules.provenance.items() if key.split(".")[0] in sections}
    legend = [line for symbol, line in _LEGEND.items() if symbol in used]
    return (
        text
        + "".join(["\n", *(f"{line}\n" for line in legend)] if legend else [])
        + f"\nsha256 {rules.sha256}\n"
    )


_Mark = Callable[..., str]
_Grid = tuple[list[str], list[list[str]]]


def _match_rows(rules: Rules, mark: _Mark) -> _Grid:
    values = as_tables(rules)["match"]
    return ["key", "value"], [[key, f"{value}{mark(f'match.{key}')}"] for key, value in values.items()]


def _card_rows(rules: Rules, mark: _Mark) -> _Grid:
    rows = []
    for card in rules.cards:
        key = f"cards.{card.id}"
        copies = [
            f"{count}{mark(f'{key}.copies.{player}')}"
            for player, count in zip(PLAYERS, card.copies, strict=True)
        ]
        beats = (", ".join(card.beats) or "-") + mark(f"{key}.beats")
        rows.append([card.id, card.kind, beats, *copies, f"{card.gp}{mark(f'{key}.gp')}"])
    totals = [str(sum(card.copies[player] for card in rules.cards)) for player in (0, 1)]
    return ["card", "kind", "beats", *PLAYERS, "GP"], [*rows, ["deck", "", "", *totals, ""]]


def _patron_rows(rules: Rules, mark: _Mark) -> _Grid:
    rows = []
    for patron in rules.patrons:
        key = f"patrons.{patron.id}"
        length = f"{rules.row_length(patron)}{mark(f'{key}.row_length')}"
        forbidden = (", ".join(patron.forbidden) or "-") + mark(f"{key}.forbidden")
        rows.append([patron.id, patron.name, length, forbidden])
    return ["id", "patron", "row length", "forbidden"], rows


def _cheers_rows(rules: Rules, mark: _Mark) -> _Grid:
    rows = []
    for cheers in rules.cheers:
        key = f"cheers.{cheers.id}"
        required = ", ".join(cheers.required) + mark(f"{key}.required")
        forbidden = (", ".join(cheers.forbidden) or "-") + mark(f"{key}.forbidden")
        rows.append([cheers.id, required, forbidden, f"{cheers.gp}{mark(f'{key}.gp')}"])
    return ["id", "required", "forbidden", "GP"], rows


_ROWS: dict[str, Callable[[Rules, _Mark], _Grid]] = {
    "match": _match_rows,
    "cards": _card_rows,
    "patrons": _patron_rows,
    "cheers": _cheers_rows,
}


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


def _checked(label: str, files: Sequence[Path], overrides: Sequence[str]) -> dict[str, Any]:
    try:
        rules = load_rules(files, overrides)
    except RulesError as error:
        return {"rules": label, "ok": False, "changed": [], "problems": list(map(_problem, error.problems))}
    return {"rules": label, "ok": True, "changed": rules.changed, "problems": []}


def _problem(problem: Problem) -> dict[str, Any]:
    value = None if problem.value is MISSING else toml_value(problem.value)
    return problem._asdict() | {"value": value, "message": str(problem)}


def _verdict(result: dict[str, Any]) -> str:
    if result["ok"]:
        count = len(result["changed"])
        return f"{result['rules']}: sound, {count or 'no'} value{'' if count == 1 else 's'} changed\n"
    return f"{result['rules']}: cannot be used\n" + "".join(
        f"  {problem['message']}\n" for problem in result["problems"]
    )


# ---- diff --------------------------------------------------------------------------------------------------


def _cell(value: Any) -> str:
    return "-" if value is None else toml_value(value)


def _diff_table(left: Rules, right: Rules, rows: Sequence[tuple[str, Any, Any]]) -> str:
    if not rows:
        return f"{left.name} and {right.name}: no difference\n"
    grid = _grid(["key", "left", "right"], [[key, _cell(one), _cell(other)] for key, one, other in rows])
    return f"left:  {left.name}\nright: {right.name}\n\n{grid}"


def _diff_toml(left: Rules, right: Rules, rows: Sequence[tuple[str, Any, Any]]) -> str:
    """The differences as a rules file that, laid over the left-hand rules, gives the right-hand ones."""
    lines = [f"name = {toml_value(right.name)}"]
    table = ""
    gone = sorted({".".join(key.split(".")[:2]) for key, _, other in rows if other is None})
    for key, _, other in rows:
        if other is None:
            continue
        parts = key.split(".")
        depth = 1 if parts[0] == "match" else 2
        if ".".join(parts[:depth]) != table:
            table = ".".join(parts[:depth])
            lines += ["", f"[{table}]"]
        lines.append(f"{'.'.join(parts[depth:])} = {toml_value(other)}")
    lines += [
        f"# only in {toml_value(left.name)}: [{entry}], which a file cannot take away" for entry in gone
    ]
    return "\n".join(lines) + "\n"
