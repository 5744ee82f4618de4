"""Command lines of a program, run in this process."""

from __future__ import annotations

from collections.abc import Callable

from click.testing import CliRunner, Result

from cli.programs import program_of


def runner(program: str, *first: str) -> Callable[..., Result]:
    """Return what runs a program with words after the first ones, and checks how it ends."""

    def run(*words: str, exit_code: int = 0, typed: str | None = None) -> Result:
        result = CliRunner().invoke(program_of(program), [*first, *words], input=typed, prog_name=program)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert result.exit_code == exit_code, result.output
        return result

    return run
