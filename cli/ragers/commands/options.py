"""Options that the workbench commands share with `ragers solve`, and what they turn into."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from analysis.ragers.answers.solving import Effort
from analysis.ragers.scenarios import PREPARATIONS
from cli.parameters import duration, memory
from cli.ragers.commands.parameters import glory_points
from engine.ragers.rules import PLAYERS

FORMATS = ("table", "json", "csv", "md")
SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
_Command = TypeVar("_Command", bound=Callable[..., Any])

_RULES = (
    click.option(
        "--rules",
        "rules_files",
        multiple=True,
        metavar="FILE",
        type=click.Path(path_type=Path, exists=True, dir_okay=False),
        help="TOML file with the values that differ from the box; repeatable.",
    ),
    click.option(
        "--set", "overrides", multiple=True, metavar="KEY=VALUE", help="E.g. cards.basher.gp=4; repeatable."
    ),
)
_SCENARIOS = (
    click.option("--patron", "patrons", multiple=True, metavar="NAME", help="Repeatable. Default: all."),
    click.option("--cheers", multiple=True, metavar="NAME", help="Repeatable. Default: all."),
    click.option(
        "--preparation",
        type=click.Choice(PREPARATIONS),
        default="redraw",
        show_default=True,
        help="Model of the discard before the day.",
    ),
)
_EFFORT = (
    click.option("--target", type=glory_points, metavar="GP", help="Stop a solve at this NashConv."),
    click.option(
        "--time-limit", type=duration, metavar="TIME", help="Stop each solve after 300 (seconds), 30m, 1h."
    ),
    click.option("--iterations", type=click.IntRange(min=1), help="Stop each solve after so many."),
    click.option("--threads", type=click.IntRange(min=0), default=0, help="0: all cores.  [default: 0]"),
    click.option("--seed", type=click.IntRange(min=0, max=2**63 - 1), default=0, help="[default: 0]"),
    click.option("--memory", type=memory, metavar="SIZE", help="As for ragers solve."),
    click.option("--fresh", is_flag=True, help="Solve again, whatever is stored."),
)
_OUTPUT = (
    click.option(
        "--output", type=click.Path(path_type=Path, dir_okay=False), help="File to write instead of stdout."
    ),
    click.option("-q", "--quiet", is_flag=True, help="No progress."),
)


disk_option = click.option(
    "--disk",
    type=click.Path(path_type=Path, exists=True, file_okay=False, writable=True),
    metavar="DIRECTORY",
    help="Folder that takes, while it is solved, what does not fit in memory.",
)
view_option = click.option(
    "--player", type=click.Choice(PLAYERS), default=PLAYERS[0], show_default=True, help="Whose view."
)
details_option = click.option(
    "--details", is_flag=True, help="All tables and what they mean, not only the first screen."
)
scheduler_option = click.option(
    "--scheduler", metavar="ADDRESS", help="Solve on the Dask cluster there instead."
)
_WORKERS = (
    click.option(
        "--jobs",
        type=click.IntRange(min=0),
        default=0,
        help="Processes; 0: all that cores and memory allow.",
    ),
    scheduler_option,
)


@dataclass(frozen=True)
class Limits:
    """The options of :func:`effort_options`, as typed."""

    target: float | None
    time_limit: float | None
    iterations: int | None
    threads: int
    seed: int
    memory: int | None

    def effort(self) -> Effort:
        """Return them as the solver's caller wants them."""
        return Effort(
            "auto", self.target, self.time_limit, self.iterations, self.threads, self.seed, self.memory
        )


def take_limits(options: dict[str, Any]) -> Limits:
    """Take the options of :func:`effort_options`, except ``fresh``, out of a command's options."""
    return Limits(**{name: options.pop(name) for name in Limits.__dataclass_fields__})


def _all(decorators: Sequence[Callable[[Any], Any]]) -> Callable[[_Command], _Command]:
    def decorate(command: _Command) -> _Command:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return decorate


rules_options = _all(_RULES)
scenario_options = _all(_SCENARIOS)
effort_options = _all(_EFFORT)
workers_options = _all(_WORKERS)


def output_options(formats: Sequence[str] = FORMATS) -> Callable[[_Command], _Command]:
    """Add ``--format``, ``--output`` and ``-q``."""
    form = click.option("--format", "form", type=click.Choice(formats), default=formats[0], show_default=True)
    return _all((form, *_OUTPUT))


def rules_words(files: Sequence[Path], overrides: Sequence[str]) -> tuple[str, ...]:
    """Return the words of a command line that give these rules."""
    words = [word for file in files for word in ("--rules", str(file))]
    return (*words, *(word for override in overrides for word in ("--set", override)))


def solve_command(
    files: Sequence[Path],
    overrides: Sequence[str],
    patrons: Sequence[str],
    cheers: Sequence[str],
    preparation: str,
) -> str:
    """Return the command that solves what these options name, to be copied into a shell."""
    words = ["ragers", "solve", *rules_words(files, overrides)]
    words += [word for name in patrons for word in ("--patron", name)]
    words += [word for name in cheers for word in ("--cheers", name)]
    if preparation != "redraw":
        words += ["--preparation", preparation]
    return shlex.join(words)


def examples(*lines: str) -> str:
    """Return an epilogue that shows how a command is used, one line for each example."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)
