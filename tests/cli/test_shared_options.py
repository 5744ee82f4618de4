"""What commands of all games have in common: options, exit codes, refusals, and how reports are written."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from analysis.errors import MalformedFileError, RefusedError, RequestError, WorkError
from analysis.registry import GAMES
from cli import progress
from cli.entry import command
from cli.grid import Section, to_markdown, to_text
from cli.options import GivenRules, Output, bundle, exit_codes, seed_option, with_output, with_rules
from cli.programs import program_of
from engine.rulefiles import MISSING, Problem, RulesError

arena = program_of("arena")


def commands(group: click.Group, name: str) -> Iterator[tuple[str, click.Command]]:
    context = click.Context(group)
    for verb in group.list_commands(context):
        found = group.get_command(context, verb)
        assert found is not None
        if isinstance(found, click.Group):
            yield from commands(found, f"{name} {verb}")
        else:
            yield f"{name} {verb}", found


ALL = dict(commands(arena, "arena"))


def test_all_programs_are_walked() -> None:
    for name in GAMES:
        assert {f"arena {verb}" for verb, _ in commands(program_of(name), name)} <= set(ALL)


@pytest.mark.parametrize("name", ALL)
def test_options_of_one_name_are_written_alike(name: str) -> None:
    options = {
        long: option
        for option in ALL[name].params
        if isinstance(option, click.Option)
        for long in option.opts
        if long.startswith("--")
    }
    for long, letter in {"--output": "-o", "--quiet": "-q"}.items():
        if long in options:
            assert set(options[long].opts) == {long, letter}
    for long in ("--rules", "--set"):
        if long in options:
            assert options[long].multiple
            assert options[long].metavar == ("FILE" if long == "--rules" else "KEY=VALUE")
    if "--set" in options:
        assert "--rules" in options
    if "--format" in options:
        kind = options["--format"].type
        assert isinstance(kind, click.Choice)
        assert set(kind.choices) <= {
            "table",
            "json",
            "csv",
            "md",
            "html",
            "graph",
            "page",
            "toml",
            "efg",
            "file",
            "nfg",
            "parquet",
        }
        # What a document is wanted for comes first.
        assert (
            "table"
            not in kind.choices[1 + (kind.choices[0] in ("toml", "efg", "nfg", "csv", "graph", "file")) :]
        )
    result = CliRunner().invoke(ALL[name], ["-h"])
    assert result.exit_code == 0
    assert result.stdout.startswith("Usage: ")


# ---- bundles -----------------------------------------------------------------------------------------------


def load(files: Any, overrides: Any) -> Any:
    if "bad" in overrides:
        raise RulesError([Problem("", "", "bad", MISSING, "is bad", "")])
    return [*files, *overrides]


@dataclass
class Pair:
    left: int
    right: int


def _pairs(report: dict[str, int]) -> list[tuple[str, str]]:
    return [(name, str(number)) for name, number in report.items()]


@command("ask")
@bundle("pair", Pair, click.option("--left", type=int), click.option("--right", type=int, default=2))
@with_rules(load, "a=b")
@seed_option()
@with_output()
def ask(pair: Pair, rules: GivenRules[Any], seed: int, out: Output) -> None:
    """Answer."""
    words = rules.load()
    out.note("working")
    view = SimpleNamespace(
        csv_rows=lambda report: [report],
        sections=lambda report: [
            Section("Sum", ("what", "much"), [(key, str(report[key])) for key in report])
        ],
        notes=lambda report: [f"{len(words)} rules"],
    )
    out.show({"sum": pair.left + pair.right, "seed": seed}, view, 3 if seed else 0)


def run(*words: str) -> Result:
    return CliRunner().invoke(ask, list(words))


def test_a_bundle_is_one_argument() -> None:
    result = run("--left", "1", "--set", "x=1", "--set", "y=2")
    assert result.exit_code == 0
    assert result.stdout == "Sum\n\nwhat  much\nsum      3\nseed     0\n\n2 rules\n"
    assert result.stderr == "working\n"
    help_text = run("--help").stdout
    places = [
        help_text.index(each) for each in ("--left", "--right", "--rules", "--set", "--seed", "--output")
    ]
    assert places == sorted(places)


def test_answers_in_all_formats_and_files(tmp_path: Path) -> None:
    path = tmp_path / "answer"
    for form, text in (
        ("json", None),
        ("csv", "sum,seed\n3,0\n"),
        ("md", "## Sum\n\n| what | much |\n| --- | ---: |\n| sum | 3 |\n| seed | 0 |\n\n- 0 rules\n"),
    ):
        result = run("--left", "1", "--format", form, "-o", str(path), "-q")
        assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")
        assert (
            json.loads(path.read_text()) == {"sum": 3, "seed": 0}
            if text is None
            else path.read_text() == text
        )
    assert run("--left", "1", "-o", "-", "-q").stdout.startswith("Sum")


def test_exit_codes(tmp_path: Path) -> None:
    assert run("--left", "1", "--seed", "1").exit_code == 3
    wrong = run("--left", "1", "--set", "bad")
    assert wrong.exit_code == 2
    assert "bad" in wrong.stderr
    nowhere = run("--left", "1", "-o", str(tmp_path / "no" / "file"))
    assert nowhere.exit_code == 2
    assert "no folder" in nowhere.stderr
    assert exit_codes({3: "missed", 0: "done"}).startswith(
        "Exit codes: 0 done; 1 failure; 2 wrong usage; 3 missed;"
    )


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (RequestError("what?", "--left"), 2, "Invalid value for '--left': what?"),
        (RequestError("what?"), 2, "Error: what?"),
        (WorkError("no way"), 1, "Error: no way"),
        (RefusedError("too large"), 4, "Refused: too large"),
        (MalformedFileError("line 1"), 2, "Error: line 1"),
    ],
)
def test_errors_end_as_they_say(error: Exception, code: int, said: str) -> None:
    @command("fail")
    def fail() -> None:
        raise error

    result = CliRunner().invoke(fail)
    assert result.exit_code == code
    assert said in result.stderr
    assert result.stdout == ""


# ---- progress ----------------------------------------------------------------------------------------------


def test_what_is_counted_is_said_now_and_then(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = iter([0.0, 5.0, progress.PLAIN_INTERVAL_S, progress.PLAIN_INTERVAL_S + 1])
    monkeypatch.setattr("cli.progress.time.monotonic", lambda: next(now))
    with progress.Reporter(quiet=False, total=1) as reporter:
        for done in range(4):
            reporter.counted("battles", done, 4000)
    with progress.Reporter(quiet=True, total=1) as reporter:
        reporter.counted("battles", 4, 4)
    assert capsys.readouterr().err == "battles: 2 of 4,000\n"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_shows_a_clock_before_anything_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("sys.stderr", terminal := Terminal())
    with progress.Reporter(quiet=False, total=1) as reporter:
        reporter._live.refresh()
    assert re.search(r"at work.*0:00:0\d", terminal.getvalue())


# ---- tables ------------------------------------------------------------------------------------------------


def test_facts_hang_and_tables_are_safe_in_markdown() -> None:
    part = Section(
        "Odd",
        ("name", "n"),
        [("a|b\nc", "1")],
        facts=[("short", "word " * 30), ("longer one", "x")],
        level=3,
    )
    lines = to_text([part], []).splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[2].startswith("short       word")
    assert lines[3].startswith(" " * 12 + "word")
    text = to_markdown([part], [])
    assert text.startswith("### Odd\n\n- short: word")
    assert "| a\\|b c | 1 |" in text


def test_a_head_without_words_is_not_shown() -> None:
    assert to_text([Section("", ("", ""), [("a", "b")], left=2)], []) == "a  b\n"


def test_columns_of_words_may_stand_anywhere() -> None:
    part = Section("", ("w", "n", "w"), [("aa", "1", "b"), ("a", "22", "bb")], left=(0, 2))
    assert to_text([part], []) == "w    n  w\naa   1  b\na   22  bb\n"
    assert "| --- | ---: | --- |" in to_markdown([part], [])
