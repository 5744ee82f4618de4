"""What commands of all games have in common: options, exit codes, refusals, and how reports are written."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner

from analysis.errors import MalformedFileError, RefusedError, RequestError, WorkError
from analysis.registry import GAMES
from cli import progress
from cli.entry import command
from cli.programs import program_of

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
            "nfg",
            "file",
        }
        # What a document is wanted for comes first.
        assert (
            "table"
            not in kind.choices[1 + (kind.choices[0] in ("toml", "efg", "nfg", "csv", "graph", "file")) :]
        )
    result = CliRunner().invoke(ALL[name], ["-h"])
    assert result.exit_code == 0
    assert result.stdout.startswith("Usage: ")


# ---- errors -----------------------------------------------------------------------------------------------


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
