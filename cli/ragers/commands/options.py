"""Options that commands of Ragers share, and what they turn into."""

from __future__ import annotations

import functools
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from analysis.ragers.answers.solving import Effort
from analysis.ragers.scenarios import PREPARATIONS, Scenario, scenarios
from cli import options
from cli.options import (
    Decorator,
    GivenRules,
    bundle,
    iterations_option,
    memory_option,
    seed_option,
    threads_option,
    time_limit_option,
    together,
)
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


with_scenarios = bundle("asked", GivenScenarios, patron_option, cheers_option, preparation_option())
seat_option = click.option(
    "--player",
    "seat",
    type=click.Choice(PLAYERS),
    default=PLAYERS[0],
    show_default=True,
    callback=lambda _context, _option, name: PLAYERS.index(name),
    help="Whose view.",
)

# ---- how to solve them -------------------------------------------------------------------------------------


target_option = click.option(
    "--target", type=glory_points, metavar="GP", help="Stop a solve at this NashConv."
)
fresh_option = click.option("--fresh", is_flag=True, help="Solve again and from nothing, whatever is stored.")


def _effort(target: float | None, time_limit: float | None, memory: int | None, **given: Any) -> Effort:
    return Effort(target_gp=target, time_limit_s=time_limit, memory_bytes=memory, **given)


def effort_bundle(
    *further: Decorator,
    limit: str = "Stop each solve after 300 (seconds), 30m, 1h.",
    memory: str = "As for ragers solve.",
    profile: bool = False,
) -> Decorator:
    """Add how long and by how much to solve; the function gets `effort`, an `Effort`.

    Parameters
    ----------
    further
        Options more, called as the fields of `Effort`.
    limit, memory
        What the options say of themselves.
    profile
        Of `Effort`.
    """
    return bundle(
        "effort",
        functools.partial(_effort, profile=profile),
        *further,
        target_option,
        time_limit_option(limit),
        iterations_option("Stop each solve after so many."),
        threads_option,
        seed_option("Recorded with the answer."),
        memory_option(memory),
    )


with_effort = together(effort_bundle(), fresh_option)
method_option = options.choice(
    "--method",
    ["auto", "exact", "merged"],
    "The whole public tree, or histories with equal rows merged; auto merges if memory or time is short.",
)
disk_option = click.option(
    "--disk",
    type=click.Path(path_type=Path, exists=True, file_okay=False, writable=True),
    metavar="DIRECTORY",
    help="Folder that takes, while it is solved, what does not fit in memory.",
)


def solve_command(rules: GivenRules[Rules], asked: GivenScenarios, patrons: Sequence[str]) -> str:
    """Return the command that solves days under `patrons`, else as asked for, to be copied into a shell."""
    words = ["ragers", "solve", *rules.words]
    words += [word for name in patrons for word in ("--patron", name)]
    words += [word for name in asked.cheers for word in ("--cheers", name)]
    if asked.preparation != "redraw":
        words += ["--preparation", asked.preparation]
    return shlex.join(words)
