"""``rules check``: rules files checked, and compared with the box and with each other."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Generic, TypeVar

import msgspec

from analysis import rules_reports
from analysis.errors import RequestError
from analysis.exit_codes import EXIT_FAILURE, EXIT_USAGE
from analysis.front.bundles import RulesFiles
from analysis.front.page import Cell, Column, Fact, Facts, Page, Section, Table
from analysis.front.parameters import param
from analysis.front.question import Amount, Answer, Question, Running, imported
from engine.rulefiles import toml_value

__all__ = ["Check", "Finding", "RulesChecked", "check_of"]

S = TypeVar("S")


class Check(msgspec.Struct, Generic[S], frozen=True, kw_only=True):
    """Which rules files are checked, and what of a game by each of them."""

    files: tuple[Annotated[Path, param("Rules file; repeatable.", argument=True)], ...] = ()
    rules: RulesFiles = RulesFiles()
    own: S


class Wrong(msgspec.Struct, frozen=True):
    """One thing that is wrong with rules: where it stands, what stands there, and what may."""

    file: str
    table: str
    key: str
    value: str | None
    reason: str
    allowed: str
    message: str


class Finding(msgspec.Struct, frozen=True):
    """What a game says of something that was checked by its rules, such as a deck.

    Attributes
    ----------
    about : a sentence, such as that the deck iron may not be played.
    ok : whether it is as it should be.
    lines : what is wrong or odd about it, a sentence each.
    facts : what it comes to, by what that is called.
    rows : what it is made of, each by the heads of a table.
    """

    about: str
    ok: bool = True
    lines: list[str] = []
    facts: dict[str, str | int | float | None] = {}
    rows: list[dict[str, str | int | float | None]] = []


class Checked(msgspec.Struct, frozen=True):
    """Whether some rules can be used, which values they change, and what else is worth knowing."""

    rules: str
    ok: bool
    changed: list[str]
    problems: list[Wrong]
    notes: list[str] = []
    findings: list[Finding] = []


class Difference(msgspec.Struct, frozen=True):
    """A value that is not the same in all rules: in the box, and in each that can be used; None for none."""

    key: str
    box: Any
    here: list[Any]


class RulesChecked(Answer, frozen=True, kw_only=True):
    """What is wrong with rules files, and what differs between them and the box.

    Attributes
    ----------
    names : what the rules that can be used are called, in the order of the values of `differences`.
    toml : what the last rules change as a rules file: of those before them, or of the box.
    """

    files: list[Checked]
    names: Sequence[str] = ()
    differences: Sequence[Difference] = ()
    toml: str = ""

    @property
    def exit_code(self) -> int:
        """Wrong usage if a file cannot be used; a failure if something else is not as it should be."""
        if not all(each.ok for each in self.files):
            return EXIT_USAGE
        found = all(finding.ok for each in self.files for finding in each.findings)
        return 0 if found else EXIT_FAILURE


def check_of(game: Any) -> Question[Any, RulesChecked]:
    """Return the question that checks and compares rules files of a game."""
    change = f"rules check --set {game.rules_example}"
    return Question(
        name="rules check",
        about="Check rules files, and show what differs from the box. Every mistake is named with"
        " its file, table, key and value, and with what is allowed there; the exit code is 2 then. As TOML"
        " what the last file changes is a rules file again.",
        asked=Check[game.checks],
        answers=RulesChecked,
        function=partial(check, game),
        page=check_page,
        amounts=None if game.findings is None else check_amounts,
        kept=False,
        by_example=True,
        examples=(change, f"{change} --format toml -o my.toml"),
        exactness="exact",
        shows_ids=True,
        document=changes_toml,
        document_format="toml",
        document_first=False,
    )


def check(game: Any, asked: Check[Any], running: Running) -> RulesChecked:
    """Check files, each with what lies over it, and compare them."""
    layers, overrides = asked.rules.rules, asked.rules.set
    if not (asked.files or layers or overrides or asked.own != type(asked.own)()):
        raise RequestError(f"name a file to check, for example: {game.name} rules check my.toml")
    found, usable, names = [], [], []
    for file in asked.files or (None,):
        files = [*layers, *([] if file is None else [file])]
        label = " + ".join([*map(str, files), *(f"--set {override}" for override in overrides)])
        report = rules_reports.checked(imported(game.load), label or "the box", files, overrides)
        checked = msgspec.convert(report, Checked)
        if checked.ok:
            usable.append(game.read(files, overrides))
            names.append("changed" if file is None else file.stem)
            remarks = [] if game.remarks is None else imported(game.remarks)(usable[-1])
            findings = [] if game.findings is None else imported(game.findings)(usable[-1], asked.own)
            checked = msgspec.structs.replace(checked, notes=[*checked.notes, *remarks], findings=findings)
        found.append(checked)
    box = game.read()
    return RulesChecked(
        rules=game.rules_note(box),
        files=found,
        names=names,
        differences=differences(box, usable),
        toml=_changes(game, [box, *usable]) if len(usable) == len(found) else "",
    )


def differences(box: Any, rules: Sequence[Any]) -> list[Difference]:
    """Return the values that are not the same in the box and in all rules."""
    from engine.rulelayers import diff_rules

    rows = [{key: (one, other) for key, one, other in diff_rules(box, each)} for each in rules]
    keys = dict.fromkeys(key for each in rows for key in each)
    known = {key: next(each[key][0] for each in rows if key in each) for key in keys}
    return [
        Difference(key, known[key], [each[key][1] if key in each else known[key] for each in rows])
        for key in keys
    ]


def _changes(game: Any, rules: Sequence[Any]) -> str:
    from engine.rulelayers import diff_rules

    before, last = rules[-2:]
    return rules_reports.as_rules_file(game.schema, before, last, diff_rules(before, last))


def changes_toml(found: RulesChecked) -> str:
    """Return what the last rules change as a rules file; RequestError if some cannot be used."""
    wrong = [problem.message for each in found.files for problem in each.problems]
    if wrong:
        raise RequestError("; ".join(wrong))
    return found.toml


def check_amounts(found: RulesChecked) -> list[Amount]:
    """Return what numbers of findings can be compared, by rules: of the first file."""
    facts = {key: each for finding in found.files[0].findings for key, each in finding.facts.items()}
    kinds = {key: "count" if isinstance(value, int) else "number" for key, value in facts.items()}
    return [
        Amount(key.replace(" ", "_"), key, value, kinds[key])  # type: ignore[arg-type]
        for key, value in facts.items()
        if isinstance(value, int | float)
    ]


def check_page(found: RulesChecked) -> Page:
    """Return a verdict on each file, what differs, and what a game says."""
    sections: list[Section] = []
    headline = _verdict(found)
    for each in found.files:
        count = f"sound; {len(each.changed) or 'no'} value{'' if len(each.changed) == 1 else 's'} changed"
        facts = [Fact("rules", "rules", each.rules)]
        facts.append(Fact("verdict", "verdict", count if each.ok else "cannot be used"))
        facts += [Fact(f"problem_{n}", "problem", wrong.message) for n, wrong in enumerate(each.problems, 1)]
        facts += [Fact(f"note_{n}", "note", note) for n, note in enumerate(each.notes, 1)]
        sections.append(Facts(facts))
        sections += [part for finding in each.findings for part in _finding(finding, headline)]
    if found.differences:
        heads = (
            found.names if len(set(found.names)) == len(found.names) else [each.rules for each in found.files]
        )
        columns = [Column("key", "value"), Column("box", "the box")]
        columns += [Column(f"here_{n}", head) for n, head in enumerate(heads, 1)]
        rows: list[list[Cell]] = [
            [each.key, *("-" if value is None else toml_value(value) for value in (each.box, *each.here))]
            for each in found.differences
        ]
        sections.append(Table(columns, rows, "What differs"))
    return Page(headline=headline, sections=sections)


def _finding(found: Finding, headline: str) -> list[Section]:
    said = "note" if found.ok else "problem"
    facts = [
        Fact(key.replace(" ", "_"), key, value, "number" if isinstance(value, float) else "word", 1)
        for key, value in found.facts.items()
    ]
    facts += [Fact(f"{said}_{n}", said, line) for n, line in enumerate(found.lines, 1)]
    title = "" if found.about == headline else found.about
    sections: list[Section] = [Facts(facts, title)] if facts or not found.rows else []
    if found.rows:
        heads = list(found.rows[0])
        rows: list[list[Cell]] = [[row[head] for head in heads] for row in found.rows]
        counts = [any(isinstance(each, int) for each in column) for column in zip(*rows, strict=True)]
        columns = [
            Column(head.replace(" ", "_"), head, "count" if count else "word")
            for head, count in zip(heads, counts, strict=True)
        ]
        sections.append(Table(columns, rows, "" if facts else title))
    return sections


def _verdict(found: RulesChecked) -> str:
    """Whether all can be used; then what is wrong about what a game checks, or how many values differ."""
    number, good = len(found.files), sum(each.ok for each in found.files)
    if good < number:
        return "These rules cannot be used." if number == 1 else f"{good} of {number} files can be used."
    said = [finding.about for each in found.files for finding in each.findings if not finding.ok]
    said = said or [finding.about for each in found.files for finding in each.findings]
    if said:
        return said[0]
    if number == 1:
        return f"These rules can be used: {_values(len(found.differences))} from the box."
    among = sum(any(value != each.here[0] for value in each.here) for each in found.differences)
    all_of_them = "Both" if number == 2 else f"All {number}"
    return f"{all_of_them} files can be used; {_values(among)} between them."


def _values(number: int) -> str:
    return f"{number or 'no'} value{' differs' if number == 1 else 's differ'}"
