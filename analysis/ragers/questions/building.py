"""``library verify`` and ``library build``: whether what is stored is right, and solving what is missing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import msgspec

from analysis.errors import RequestError
from analysis.exit_codes import EXIT_FAILURE
from analysis.front.bundles import Seeded, Work
from analysis.front.page import Cell, Column, Fact, Facts, Page, Section, Table
from analysis.front.parameters import param
from analysis.front.question import Answer, Question, Running
from analysis.front.sizes import read_memory
from analysis.interrupt import STOPPING_ALL, Interrupt
from analysis.ragers.answers import library, listing
from analysis.ragers.answers.recounting import RECOUNTED, SOLVED
from analysis.ragers.bundles import CheersCards, Patrons, Preparation, Solving
from analysis.ragers.questions.stored import Own
from analysis.ragers.scenarios import scenarios
from analysis.workers import WorkersError

__all__ = ["BUILD", "VERIFY"]


class Verify(msgspec.Struct, frozen=True, kw_only=True):
    """Which library is checked, and how many of its entries are solved again."""

    own: Own = False
    resolve: Annotated[
        int, param("Solve this many entries again and compare.", ge=0, le=10_000, unit="entries")
    ] = 0
    recertify: Annotated[
        int,
        param(
            "Solve this many again with as many iterations as they had, and compare NashConv, too.",
            ge=0,
            le=10_000,
            unit="entries",
        ),
    ] = 0
    time_limit: Annotated[
        float,
        param("Stop each solve after 300 (seconds), 30m, 1h.", ge=0.001, le=31_536_000, unit="s", more=True),
    ] = 300.0
    memory: (
        Annotated[str, param("Memory that a solve may use, such as 8GiB.", metavar="SIZE", more=True)] | None
    ) = None
    chance: Seeded = Seeded()


class VerifyAnswer(Answer, frozen=True, kw_only=True):
    """What a check of a library has found.

    Attributes
    ----------
    fit : entries that are sound, and for the rules of this version.
    bad : entries with problems.
    others : of your own: sound files of other rules, and of positions in mid-day.
    solved_again : how many were.
    problems, compared : what is wrong; and both certificates of what was solved again, in words.
    """

    library: str
    own: bool
    fit: int
    bad: int
    others: int
    solved_again: int
    problems: list[str]
    compared: list[str]

    @property
    def exit_code(self) -> int:
        """What a command ends with."""
        return super().exit_code or (EXIT_FAILURE if self.bad else 0)


def verify(asked: Verify, running: Running) -> VerifyAnswer:
    """Check every entry, and solve some again."""
    from analysis.ragers.game import GAME
    from analysis.ragers.play import kept_positions

    checked = listing.check_all(own=asked.own, is_sound=lambda file: kept_positions.read(file) is not None)
    memory = None if asked.memory is None else read_memory(asked.memory)
    again = listing.Again(asked.resolve, asked.recertify, asked.time_limit, memory, asked.chance.seed)
    number = len(again.sample(checked))
    running.reporter.total = number
    again.compare(checked, running.reporter, running.interrupt)
    return VerifyAnswer(
        rules=GAME.rules_note(GAME.read()),
        library=str(checked.root),
        own=asked.own,
        fit=len(checked.good),
        bad=checked.num_bad,
        others=checked.num_other,
        solved_again=number,
        problems=checked.problems,
        compared=checked.compared,
        complete=not running.interrupt(),
    )


def verify_page(found: VerifyAnswer) -> Page:
    """Return how many entries are sound, and what is wrong with the others."""
    solved = f", {found.solved_again} of them solved again" if found.solved_again else ""
    mine = f", {found.others} of other rules and of positions in mid-day are sound" if found.own else ""
    facts = [
        Fact("fit", "fit this version", found.fit, "count"),
        Fact("bad", "with problems", found.bad, "count"),
        Fact("others", "of other rules, and of positions", found.others, "count"),
        Fact("solved_again", "solved again", found.solved_again, "count"),
    ]
    sections: list[Section] = []
    for key, head, lines in (
        ("problem", "What is wrong", found.problems),
        ("compared", "Certificates of what was solved again", found.compared),
    ):
        rows: list[list[Cell]] = [[line] for line in lines]
        sections += [Table([Column(key, head)], rows)] if rows else []
    brief = len(sections)
    data = Table([Column(each.key, each.head, each.kind) for each in facts], [[each.value for each in facts]])
    rests = [f"Counted again from what is stored: {RECOUNTED}.", f"Resting on the solve alone: {SOLVED}."]
    return Page(
        headline=f"{found.fit} entries fit this version{solved}{mine}; {found.bad} problems.",
        sections=[*sections, Facts(facts)],
        notes=rests if found.fit else [],
        details=brief,
        data=data,
    )


VERIFY = Question(
    name="library verify",
    about="Check every entry; exit 1 if one is wrong. Nothing is solved by default: hashes and sums are"
    " checked, and all of the first step is counted again from the stored strategy. What openings are worth"
    " in the end, and later steps, rest on the solve alone. Of your own library every file is opened, those"
    " of other rules and of positions in mid-day, too. With --resolve a sample is solved anew, and the two"
    " certificates must leave a common value. With --recertify so are as many iterations as the entry had (or"
    " the time allows), and NashConv must be the same, or as much larger as fewer iterations make it.",
    asked=Verify,
    answers=VerifyAnswer,
    function=verify,
    page=verify_page,
    exactness="exact",
    examples=("library verify",),
)


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
    work: Work = Work()
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
    from analysis.ragers.game import GAME
    from analysis.ragers.workbench.building import Builder, Plan

    effort = asked.effort.solving(asked.work.seed)
    if effort.target_gp is effort.time_limit_s is effort.iterations is None:
        raise RequestError("say when an entry is finished: --target, --time-limit or --iterations")
    if asked.checkpoints is not None:
        if asked.work.scheduler is not None:
            raise RequestError("--checkpoints names a folder of this machine; without --scheduler")
        _make(asked.checkpoints, "--checkpoints")
    if asked.into is not None:
        _make(asked.into, "--into")
    shelf = library.carried() if asked.into is None else replace(library.carried(), root=asked.into)
    rules = GAME.read()
    todo = scenarios(rules, asked.patron, asked.cheers, asked.preparation)
    running.reporter.total = len(todo)
    interrupt = Interrupt(STOPPING_ALL if asked.work.scheduler is None else "Stopping with what is finished.")
    builder = Builder(Plan(shelf, effort, asked.effort.fresh, asked.checkpoints), running.reporter)
    with interrupt.installed():
        try:
            if asked.work.jobs == 1 and asked.work.scheduler is None:
                builder.in_turn(todo, interrupt)
            else:
                builder.side_by_side(todo, asked.work.jobs, asked.work.scheduler, interrupt)
        except WorkersError as error:
            raise RequestError(str(error)) from None
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
    missing = f"{found.failed} are still missing" if found.failed else "all are stored"
    facts = [Fact("days", "days", found.days, "count"), Fact("failed", "missing", found.failed, "count")]
    done = missing if found.complete else "interrupted, and finished entries are kept"
    return Page(headline=f"{found.days} days asked for; {done} in {found.library}.", sections=[Facts(facts)])


BUILD = Question(
    name="library build",
    about="Solve what is missing, and write it to the library. It may be stopped and started at will."
    " An entry is finished once it has reached the target, or has had the time or the iterations of this"
    " command line. Finished ones are left alone (but for --fresh), and a better one is never replaced."
    " A saved solve (--checkpoints) goes on where it stopped. With --jobs scenarios are solved side by side.",
    asked=Build,
    answers=BuildAnswer,
    function=build,
    page=build_page,
    exactness="bounded",
    leaves=True,
    local=True,
    examples=("library build --patron Solennos --target 0.3 --time-limit 1h",),
)
