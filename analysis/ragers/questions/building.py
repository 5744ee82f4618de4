"""``library build``: solving what is missing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import msgspec

from analysis.amounts import counted
from analysis.errors import RequestError
from analysis.exit_codes import EXIT_FAILURE
from analysis.front.bundles import Seeded
from analysis.front.page import Fact, Facts, Page
from analysis.front.parameters import param
from analysis.front.question import Answer, Question, Running
from analysis.interrupt import STOPPING_ALL, Interrupt
from analysis.ragers.answers import library
from analysis.ragers.bundles import CheersCards, Patrons, Preparation, Solving
from analysis.ragers.scenarios import scenarios

__all__ = ["BUILD"]


class Build(msgspec.Struct, frozen=True, kw_only=True):
    """Which days, when each is finished, and where entries go."""

    patron: Patrons = ()
    cheers: CheersCards = ()
    preparation: Preparation = "redraw"
    effort: Solving = Solving()
    checkpoints: (
        Annotated[
            Path,
            param(
                "Save each running solve in this folder, and go on with the ones found there.",
                metavar="DIRECTORY",
                more=True,
            ),
        ]
        | None
    ) = None
    chance: Seeded = Seeded()
    into: (
        Annotated[
            Path,
            param("Folder of the entries.  [default: the carried library]", metavar="DIRECTORY", more=True),
        ]
        | None
    ) = None


class BuildAnswer(Answer, frozen=True, kw_only=True):
    """What was asked for, and how many entries of it are still missing."""

    library: str
    days: int
    failed: int

    @property
    def exit_code(self) -> int:
        """What a command ends with."""
        return super().exit_code or (EXIT_FAILURE if self.failed else 0)


def _make(folder: Path, option: str) -> None:
    """Make a folder before anything is solved for it; RequestError if that cannot be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RequestError(f"cannot make {folder}: {error.strerror or error}", option) from None


def build(asked: Build, running: Running) -> BuildAnswer:
    """Solve what is missing, and write it to the library."""
    from analysis.ragers.answers.building import Builder, Plan
    from analysis.ragers.game import GAME

    effort = asked.effort.solving(asked.chance.seed)
    if effort.target_gp is effort.time_limit_s is effort.iterations is None:
        raise RequestError("say when an entry is finished: --target, --time-limit or --iterations")
    if asked.checkpoints is not None:
        _make(asked.checkpoints, "--checkpoints")
    if asked.into is not None:
        _make(asked.into, "--into")
    shelf = library.carried() if asked.into is None else replace(library.carried(), root=asked.into)
    rules = GAME.read()
    todo = scenarios(rules, asked.patron, asked.cheers, asked.preparation)
    running.reporter.total = len(todo)
    interrupt = Interrupt(STOPPING_ALL)
    builder = Builder(Plan(shelf, effort, asked.effort.fresh, asked.checkpoints), running.reporter)
    with interrupt.installed():
        try:
            builder.build(todo, interrupt)
        except KeyboardInterrupt:
            interrupt.requested = True
    if interrupt.requested:
        running.reporter.note("Interrupted; finished entries are kept.")
    return BuildAnswer(
        rules=GAME.rules_note(rules),
        library=str(shelf.root),
        days=len(todo),
        failed=builder.num_failed,
        complete=not interrupt.requested,
    )


def build_page(found: BuildAnswer) -> Page:
    """Return how many days are stored now."""
    missing = f"{found.failed} still missing" if found.failed else "all are stored"
    facts = [Fact("days", "days", found.days, "count"), Fact("failed", "missing", found.failed, "count")]
    done = missing if found.complete else "interrupted, and finished entries are kept"
    return Page(
        headline=f"{counted(found.days, 'day')} asked for; {done} in {found.library}.",
        sections=[Facts(facts)],
    )


BUILD = Question(
    name="library build",
    about="Solve what is missing, and write it to the library. It may be stopped and started at will."
    " An entry is finished once it has reached the target, or has had the time or the iterations of this"
    " command line. Finished ones are left alone (but for --fresh), and a better one is never replaced."
    " A saved solve (--checkpoints) goes on where it stopped.",
    asked=Build,
    answers=BuildAnswer,
    function=build,
    page=build_page,
    exactness="bounded",
    leaves=True,
    local=True,
    examples=("library build --patron Solennos --target 0.3 --time-limit 1h",),
)
