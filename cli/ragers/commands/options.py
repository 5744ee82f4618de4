"""Options that commands of Ragers share, and what they turn into."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from analysis.ragers.answers.solving import Effort
from analysis.ragers.scenarios import PREPARATIONS, Scenario, scenarios
from cli import options
from cli.entry import SETTINGS as SETTINGS
from cli.options import FORMATS as FORMATS
from cli.options import (
    Decorator,
    bundle,
    format_option,
    iterations_option,
    jobs_option,
    memory_option,
    output_option,
    quiet_option,
    rules_file_option,
    scheduler_option,
    seed_option,
    set_option,
    threads_option,
    time_limit_option,
    together,
)
from cli.options import examples as examples
from cli.options import rules_words as rules_words
from cli.ragers.commands.parameters import glory_points
from engine.ragers.rules import PLAYERS, Rules, load_rules
from engine.ragers.rules_schema import SCHEMA

with_rules = options.with_rules(load_rules, SCHEMA.example)

# ---- which days --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class GivenScenarios:
    """The scenarios that a command line names; empty lists mean all."""

    patrons: tuple[str, ...]
    cheers: tuple[str, ...]
    preparation: str

    def under(self, rules: Rules) -> list[Scenario]:
        """Return them under some rules."""
        return scenarios(rules, self.patrons, self.cheers, self.preparation)


patron_option = click.option(
    "--patron", "patrons", multiple=True, metavar="NAME", help="Repeatable. Default: all."
)
cheers_option = click.option("--cheers", multiple=True, metavar="NAME", help="Repeatable. Default: all.")


def preparation_option(default: str = "redraw", text: str = "") -> Decorator:
    """Return the option ``--preparation``."""
    return click.option(
        "--preparation",
        type=click.Choice(PREPARATIONS),
        default=default,
        show_default=True,
        help=f"Model of the discard before the day{text}.",
    )


scenario_options = together(patron_option, cheers_option, preparation_option())
with_scenarios = bundle("asked", GivenScenarios, scenario_options)
view_option = click.option(
    "--player", type=click.Choice(PLAYERS), default=PLAYERS[0], show_default=True, help="Whose view."
)

# ---- how to solve them -------------------------------------------------------------------------------------


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


def take_limits(given: dict[str, Any]) -> Limits:
    """Take the options of :func:`effort_options`, except ``fresh``, out of a command's options."""
    return Limits(**{name: given.pop(name) for name in Limits.__dataclass_fields__})


target_option = click.option(
    "--target", type=glory_points, metavar="GP", help="Stop a solve at this NashConv."
)
fresh_option = click.option("--fresh", is_flag=True, help="Solve again, whatever is stored.")
_LIMITS = (
    target_option,
    time_limit_option("Stop each solve after 300 (seconds), 30m, 1h."),
    iterations_option("Stop each solve after so many."),
    threads_option,
    seed_option("Recorded with the answer."),
    memory_option("As for ragers solve."),
)
effort_options = together(*_LIMITS, fresh_option)
with_effort = together(bundle("effort", lambda **given: Limits(**given).effort(), *_LIMITS), fresh_option)
disk_option = click.option(
    "--disk",
    type=click.Path(path_type=Path, exists=True, file_okay=False, writable=True),
    metavar="DIRECTORY",
    help="Folder that takes, while it is solved, what does not fit in memory.",
)


workers_options = together(jobs_option(), scheduler_option)

# ---- one by one, for commands that take no bundles ---------------------------------------------------------

rules_options = together(rules_file_option(), set_option(SCHEMA.example))


def output_options(formats: Sequence[str] = FORMATS) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add ``--format``, ``--output`` and ``-q``."""
    return together(format_option(*formats), output_option, quiet_option)


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
