"""Entry points. Commands are imported only when they are called: starting up must stay quick."""

from __future__ import annotations

import errno
import importlib
import os
import sys
from typing import NoReturn

import click

from cli import __version__

_COMMANDS = {
    "solve": "cli.ragers.solve_command:solve",
    "rules": "cli.ragers.rules_commands:rules_group",
    "library": "cli.ragers.library_commands:library_group",
    "warmup": "cli.ragers.warmup_command:warmup",
    "bench": "cli.ragers.bench_command:bench",
}


class _LazyGroup(click.Group):
    """A group that imports a command when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, or None if there is no such one."""
        if cmd_name not in _COMMANDS:
            return None
        module, _, attribute = _COMMANDS[cmd_name].partition(":")
        command: click.Command = getattr(importlib.import_module(module), attribute)
        return command


@click.group("ragers", cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="ragers")
def ragers() -> None:
    """Solve days of Ragers: Champions of the Arena, and look after rules and solutions."""


def run(command: click.Command, prog_name: str) -> NoReturn:
    """Run `command` with the process's arguments, and exit: 130 after Ctrl-C, quietly when a pipe closes."""
    try:
        code = command.main(prog_name=prog_name, standalone_mode=False)
        sys.stdout.flush()
        sys.exit(code if isinstance(code, int) else 0)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.exceptions.Abort, KeyboardInterrupt):
        click.echo("Interrupted.", err=True)
        sys.exit(130)
    except OSError as error:
        if error.errno != errno.EPIPE:
            raise
        # The reader has had what he wanted; the flush at exit needs somewhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)


def ragers_main() -> NoReturn:
    """Entry point ``ragers``."""
    run(ragers, "ragers")


def solve_main() -> NoReturn:
    """Entry point ``ragers-solve``."""
    from cli.ragers.solve_command import solve

    run(solve, "ragers-solve")
