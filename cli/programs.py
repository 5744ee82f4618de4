"""The programs: ``arena``, one for each game, and ``GAME-solve`` for each game's first question."""

from __future__ import annotations

from typing import NoReturn

import click

from analysis import registry
from analysis.version import __version__
from cli.entry import Group, run
from cli.front import declared_command, group_of, sentence_of

__all__ = ["program_of", "run_program"]


class _Arena(Group):
    """Everything under one name: the games, those that other packages bring included, and games of files."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return what is asked of no single game, then the games."""
        own = registry.game_named("arena").declared
        return ["app", *own, *registry.places()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, or the group of a game; None if there is no such one."""
        if cmd_name == "app":
            from cli.app_command import app

            return app
        own = declared_command(registry.game_named("arena"), cmd_name)
        if own is not None:
            return own
        return program_of(cmd_name) if cmd_name in registry.places() else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Show each with what it is about; a game with what stands on its box."""
        with formatter.section("Commands"):
            rows = [("app", "Ask in a browser.")]
            rows += [
                (name, sentence_of(each.about))
                for name, each in registry.game_named("arena").declared.items()
            ]
            formatter.write_dl(rows)
        with formatter.section("Games"):
            formatter.write_dl([(name, f"{registry.game_named(name).title}.") for name in registry.places()])


def program_of(name: str) -> click.Command:
    """Return the command of a program: ``arena``, ``clash``, ``clash-solve``."""
    if name == "arena":
        about = """Ask about games: those that are in, by name, and what other programs have written.

        \b
        Examples:
          arena app                                    asks in a browser
          arena games                                  which are in, and what can be asked
          arena ragers solve --patron Arianna          the same as: ragers solve --patron Arianna
          arena solve poker.efg                        a file of Gambit's
        """
        return click.version_option(__version__, prog_name=name)(_Arena(name, help=about))
    game, _, verb = name.partition("-")
    group = group_of(registry.game_named(game))
    if not verb:
        return group
    command = group.get_command(click.Context(group), verb)
    assert command is not None
    return click.version_option(__version__, prog_name=name)(command)


def run_program(name: str) -> NoReturn:
    """Run a program with the process's arguments, and exit."""
    run(program_of(name), name)
