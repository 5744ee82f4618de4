"""What all entry points share: commands imported only when they are called, and how a process ends."""

from __future__ import annotations

import atexit
import contextlib
import errno
import os
import signal
import sys
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

import click

from analysis.errors import RequestError, WorkError
from analysis.exit_codes import EXIT_MEMORY
from arena_solver.compiling import EXIT_INTERRUPTED, heed_signals, was_interrupted
from cli.output import silence_stdout, visible

SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
"""Of all commands and groups."""

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""What the system says where there is no more room to write."""


class Command(click.Command):
    """A command whose callback may raise `RequestError`: shown as click shows wrong usage."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **{"context_settings": SETTINGS} | settings)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words of a command line; what an option's own check refuses is wrong usage, too."""
        with _in_words(ctx):
            return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Call the command's function."""
        try:
            with _in_words(ctx):
                return super().invoke(ctx)
        except WorkError as error:
            click.echo(visible(f"{error.said}: {error}"), err=True)
            ctx.exit(error.exit_code)
        except MemoryError:
            click.echo("Error: there is not enough memory for that; ask for less of it.", err=True)
            ctx.exit(EXIT_MEMORY)


@contextlib.contextmanager
def _in_words(ctx: click.Context) -> Iterator[None]:
    """What is refused is wrong usage; words that click repeats of it are as visible as our own."""
    try:
        yield
    except RequestError as error:
        raise _wrong_usage(error, ctx) from None
    except click.UsageError as error:
        text = error.format_message()
        if visible(text) == text:
            raise
        raise click.UsageError(visible(text), error.ctx) from None


def _wrong_usage(error: RequestError, ctx: click.Context) -> click.UsageError:
    text = visible(str(error))
    if error.option is None:
        return click.UsageError(text, ctx)
    return click.BadParameter(text, ctx, param_hint=f"'{error.option}'")


class Group(click.Group):
    """A group of such commands; it says which are spelt like one that does not exist."""

    command_class = Command

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **{"context_settings": SETTINGS} | settings)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words before a command."""
        with _in_words(ctx):
            return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the first word names, and the other words."""
        word = args[0]
        if not word.startswith("-") and self.get_command(ctx, word) is None:
            from engine.rulefiles import close_matches  # here, since only errors need it

            matches = close_matches(word, self.list_commands(ctx))
            hint = f" Did you mean {' or '.join(matches)}?" if matches else ""
            ctx.fail(f"No such command {word!r}.{hint}")
        return super().resolve_command(ctx, args)


def command(name: str | None = None, **settings: Any) -> Callable[[Callable[..., Any]], Command]:
    """Make a function a `Command`; the parameters are those of :func:`click.command`."""
    return click.command(name, cls=Command, **settings)


def _leave(code: int) -> NoReturn:
    if code != EXIT_INTERRUPTED and not was_interrupted():
        sys.exit(code)
    # One press more, while this cleans up, is no other end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if not was_interrupted():
        atexit._run_exitfuncs()
    sys.stderr.flush()
    # To take the compiler apart takes longer than anybody who has pressed Ctrl-C likes to wait.
    os._exit(code)


def run(command: click.Command, prog_name: str) -> NoReturn:
    """Run `command` with the process's arguments, and exit: 130 after Ctrl-C, quietly when a pipe closes."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the shell
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w"))
    heed_signals()  # by a pipe, which must not take the place of these
    try:
        code = command.main(prog_name=prog_name, standalone_mode=False)
        sys.stdout.flush()
        _leave(code if isinstance(code, int) else 0)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.exceptions.Abort, KeyboardInterrupt):
        if not was_interrupted():  # that has been said
            click.echo("Interrupted.", err=True)
        _leave(EXIT_INTERRUPTED)
    except OSError as error:
        if error.errno == errno.EPIPE:
            # The reader has had what was wanted.
            silence_stdout()
            sys.exit(0)
        if error.errno not in _FULL:
            raise
        silence_stdout()
        click.echo(f"Error: {error.strerror}: {error.filename or 'the output'} is not whole.", err=True)
        sys.exit(1)
