"""Options that commands of all games share, each declared once, and what becomes of them.

Options that belong together make a bundle: the command's function gets one object for all of them.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, NoReturn, TypeVar

import click
from click.core import ParameterSource

from analysis.errors import RequestError
from analysis.exit_codes import (
    EXIT_FAILURE,
    EXIT_INTERRUPTED,
    EXIT_USAGE,
)
from analysis.files import STDOUT, check_output
from analysis.rules_reports import read, set_aside
from cli.grid import View, in_format
from cli.output import write_output
from cli.parameters import duration, memory

FORMATS = ("table", "json", "csv", "md")
MOST_COUNT = 10_000_000
"""Of whatever is counted on a command line: more would be asked for by mistake."""
LARGEST_SEED = 2**63 - 1

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
_Rules = TypeVar("_Rules")
_Report = TypeVar("_Report")


def together(*decorators: Decorator) -> Decorator:
    """Return one decorator for several, which `--help` shows in this order."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return decorate


def bundle(name: str, make: Callable[..., Any], *options: Decorator) -> Decorator:
    """Return a decorator that adds options and hands what they say to the function as one argument.

    Parameters
    ----------
    name
        Of that argument.
    make
        Takes the options by their names, and returns it.
    options
        Of click, and what `together` makes of such; no bundles.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        known = len(getattr(function, "__click_params__", ()))

        @functools.wraps(function)
        def bundled(*args: Any, **given: Any) -> Any:
            taken = {option: given.pop(option) for option in names}
            return function(*args, **given, **{name: make(**taken)})

        decorated = together(*options)(bundled)
        names = [option.name for option in decorated.__click_params__[known:]]  # type: ignore[attr-defined]
        return decorated

    return decorate


# ---- rules -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class GivenRules(Generic[_Rules]):
    """The rules that a command line names.

    Attributes
    ----------
    files, overrides
        Of ``--rules`` and ``--set``.
    loader
        The game's, of files and overrides.
    """

    files: tuple[Path, ...]
    overrides: tuple[str, ...]
    loader: Callable[[Sequence[Path], Sequence[str]], _Rules]

    def load(self, *further: str) -> _Rules:
        """Return the rules, with `further` overrides.

        Raises
        ------
        RequestError
            If they cannot be used.
        """
        rules = read(self.loader, self.files, (*self.overrides, *further))
        if self.files or self.overrides or further:
            for line in set_aside(self.loader((), ()), rules):
                click.echo(line, err=True)
        return rules

    @property
    def words(self) -> tuple[str, ...]:
        """The words of a command line that name these rules."""
        return rules_words(self.files, self.overrides)


def rules_words(files: Sequence[Path], overrides: Sequence[str]) -> tuple[str, ...]:
    """Return the words of a command line that give these rules."""
    words = [word for file in files for word in ("--rules", str(file))]
    return (*words, *(word for override in overrides for word in ("--set", override)))


def rules_file_option(
    name: str = "rules_files", text: str = "", *, exists: bool = True, flag: str = "--rules"
) -> Decorator:
    """Return the option ``--rules``, or one like it, a `flag` for other rules.

    Without `exists`, whoever reads the files says which are missing.
    """
    return click.option(
        flag,
        name,
        multiple=True,
        metavar="FILE",
        type=click.Path(path_type=Path, exists=exists, dir_okay=not exists),
        help=text or "TOML file with the values that differ from the box; repeatable, later ones win.",
    )


def set_option(example: str) -> Decorator:
    """Return the option ``--set``."""
    return click.option(
        "--set",
        "overrides",
        multiple=True,
        metavar="KEY=VALUE",
        help=f"One value, laid over all files, such as {example}; repeatable.",
    )


def with_rules(loader: Callable[..., Any], example: str) -> Decorator:
    """Add ``--rules`` and ``--set``; the function gets `rules`, a `GivenRules`."""

    def given(rules_files: tuple[Path, ...], overrides: tuple[str, ...]) -> GivenRules[Any]:
        return GivenRules(rules_files, overrides, loader)

    return bundle("rules", given, rules_file_option(), set_option(example))


# ---- effort ------------------------------------------------------------------------------------------------


def seed_option(text: str = "", *, most: int = LARGEST_SEED) -> Decorator:
    """Return the option ``--seed``."""
    return click.option("--seed", type=click.IntRange(0, most), default=0, show_default=True, help=text)


def time_limit_option(text: str) -> Decorator:
    """Return the option ``--time-limit``."""
    return click.option("--time-limit", type=duration, metavar="TIME", help=text)


def iterations_option(text: str, *, least: int = 1, default: int | None = None) -> Decorator:
    """Return the option ``--iterations``."""
    return click.option(
        "--iterations", type=click.IntRange(least, MOST_COUNT), default=default, show_default=True, help=text
    )


def memory_option(text: str, *, default: str | None = None) -> Decorator:
    """Return the option ``--memory``."""
    return click.option(
        "--memory", type=memory, metavar="SIZE", default=default, show_default=True, help=text
    )


def choice(name: str, values: Sequence[str], text: str = "") -> Decorator:
    """Return an option for one of some words; the first one is the default."""
    return click.option(name, type=click.Choice(values), default=values[0], show_default=True, help=text)


def at_least(least: float, name: str, text: str, default: float | None = None) -> Decorator:
    """Return an option for a number, whole if `least` is."""
    kind = click.IntRange(least, MOST_COUNT) if isinstance(least, int) else click.FloatRange(min=least)
    return click.option(name, type=kind, default=default, show_default=True, help=text)


threads_option = click.option(
    "--threads", type=click.IntRange(0, MOST_COUNT), default=0, help="0: all cores.  [default: 0]"
)


@dataclass(frozen=True)
class Workers:
    """How many work side by side: `jobs` processes here, or the cluster that `scheduler` names."""

    jobs: int
    scheduler: str | None


def jobs_option(
    default: int = 0, text: str = "Processes", every: str = "all that cores and memory allow"
) -> Decorator:
    """Return the option ``--jobs``; `every` says how many 0 stands for."""
    return click.option(
        "--jobs",
        type=click.IntRange(0, MOST_COUNT),
        default=default,
        show_default=True,
        help=f"{text}; 0: {every}.",
    )


scheduler_option = click.option(
    "--scheduler", metavar="ADDRESS", help="Work on the Dask cluster there instead."
)


def with_workers(*jobs: Any) -> Decorator:
    """Add ``--jobs``, as `jobs_option` takes it, and ``--scheduler``; the function gets `workers`."""
    return bundle("workers", Workers, jobs_option(*jobs), scheduler_option)


def _writable(ctx: click.Context, option: click.Parameter, path: Path | None) -> Path | None:
    if path is not None:
        check_output(path, option.opts[0])
    return path


keep_option = click.option(
    "--keep",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    callback=_writable,
    help="Keeps what is finished as it comes; asked again, it goes on from there.",
)


def refuse_if_given(option: str, why: str) -> None:
    """Raise if an option stands on the command line in force that nothing would heed.

    Parameters
    ----------
    option
        Its name, as the command's function has it.
    why
        Who heeds it, and that nobody does here.

    Raises
    ------
    RequestError
        If it was given; a default is nobody's wish.
    """
    context = click.get_current_context()
    if context.get_parameter_source(option) is ParameterSource.COMMANDLINE:
        (name,) = (each.opts[0] for each in context.command.params if each.name == option)
        raise RequestError(f"it does nothing here: {why}", name)


# ---- answers -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Output:
    """Where an answer goes, and how it looks.

    Attributes
    ----------
    form
        ``table``, ``json``, ``csv`` or ``md``.
    path
        A file that can be written; None for stdout.
    quiet
        Whether no progress is wanted.
    details
        Whether a terminal shows everything, not the first screen alone.
    """

    form: str = FORMATS[0]
    path: Path | None = None
    quiet: bool = False
    details: bool = True

    def note(self, text: str) -> None:
        """Print a line on stderr for those who want progress."""
        if not self.quiet:
            click.echo(text, err=True)

    def finish(self, text: str, code: int = 0) -> NoReturn:
        """Write an answer, and leave with `code`; if it could not be written, not with 0."""
        written = write_output(text, self.path)
        raise click.exceptions.Exit(code if written else code or EXIT_FAILURE)

    def show(self, report: _Report, view: View[_Report], code: int = 0) -> NoReturn:
        """Write a report in the format asked for, and leave with `code`.

        A `view` that has a `brief`, too, shows it first on a terminal, and the rest with ``--details``.
        """
        brief = None if self.details else getattr(view, "brief", None)
        self.finish(in_format(report, self.form, view.csv_rows, view.sections, view.notes, brief), code)


def format_option(*formats: str) -> Decorator:
    """Return the option ``--format``, by default for all formats; the first one is its default."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(formats or FORMATS),
        default=(formats or FORMATS)[0],
        show_default=True,
    )


output_option = click.option(
    "--output", "-o", type=click.Path(path_type=Path), metavar="FILE", help="Instead of stdout."
)
quiet_option = click.option("-q", "--quiet", is_flag=True, help="No progress.")
details_option = click.option("--details", is_flag=True, help="Everything that is known, too.")


def with_output(*formats: str, quiet: bool = True, details: bool = False) -> Decorator:
    """Add ``--format``, ``--output``; for long work ``-q``, and for long answers ``--details``.

    The function gets `out`, an `Output`.
    """

    def output(form: str, output: Path | None, quiet: bool = False, details: bool = True) -> Output:
        path = None if output == STDOUT else output
        if path is not None:
            check_output(path)
        return Output(form, path, quiet, details)

    wanted: list[Decorator] = [details_option] if details else []
    wanted += [format_option(*formats), output_option]
    wanted += [quiet_option] if quiet else []
    return bundle("out", output, *wanted)


# ---- help --------------------------------------------------------------------------------------------------


def examples(*lines: str) -> str:
    """Return an epilogue that shows how a command is used, one line for each example."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


def exit_codes(said: Mapping[int, str] | None = None) -> str:
    """Return the sentence about exit codes; `said` adds codes, or says them otherwise."""
    words = _USUAL_CODES | dict(said or {})
    return f"Exit codes: {'; '.join(f'{code} {words[code]}' for code in sorted(words))}."


_USUAL_CODES = {
    0: "answered",
    EXIT_FAILURE: "failure",
    EXIT_USAGE: "wrong usage",
    EXIT_INTERRUPTED: "interrupted",
}
