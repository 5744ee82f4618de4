"""``solve``: how days are played, what they are worth, and how exact that is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from analysis.errors import RequestError
from analysis.files import STDOUT
from analysis.front.bundles import RulesFiles, Seeded
from analysis.front.page import Page
from analysis.front.parameters import Bundle, param
from analysis.front.question import Amount, Question, Running
from analysis.ragers.answers import asking, report
from analysis.ragers.answers.answered import Answered
from analysis.ragers.answers.ended import SolvedAnswer, Unanswered, endings
from analysis.ragers.answers.estimating import DryRunAnswer, dry_run
from analysis.ragers.answers.report import SolveAnswer
from analysis.ragers.answers.solving import Keeping, identity
from analysis.ragers.bundles import CheersCards, DryRun, Hand, Patrons, Seat, Solving, dealt_hand
from analysis.ragers.pages import estimates, solved
from analysis.ragers.scenarios import Scenario, scenarios
from analysis.ragers.wording.names import answers, card, day_name
from engine.ragers.rules import PLAYERS, TYPES

__all__ = ["QUESTION", "Solve"]


class Saved(Bundle, frozen=True, kw_only=True):
    """Where a running solve is saved, and which one is taken up."""

    checkpoint: (
        Annotated[
            Path,
            param(
                "Save the running solve there now and then, at the end, and on Ctrl-C. What is no saved solve"
                " of this scenario is not written over.",
                more=True,
            ),
        ]
        | None
    ) = None
    checkpoint_every: Annotated[
        float, param("Time between two saves.", ge=0.001, le=864_000, unit="s", metavar="TIME", more=True)
    ] = 600.0
    resume: (
        Annotated[
            Path, param("Go on with a saved solve; it is saved there again, or at --checkpoint.", more=True)
        ]
        | None
    ) = None
    force: Annotated[
        bool, param("Write over whatever is in the file. It is the one that --checkpoint names.", more=True)
    ] = False

    def keeping(self, todo: Sequence[Scenario]) -> Keeping | None:
        """Return where the one solve is saved; None where none is. RequestError for what is none."""
        if self.checkpoint is None and self.resume is None:
            if self.force:
                raise RequestError("--force is about what lies at --checkpoint, and none was given")
            return None
        if len(todo) > 1:
            raise RequestError(
                f"--checkpoint and --resume are for one solve, and {len(todo)} scenarios were asked for;"
                " name one with --patron and --cheers"
            )
        from solver.hidden_hands import CheckpointError, check_checkpoint, check_checkpoint_place

        mine, save_to = identity(todo[0]), self.checkpoint or self.resume
        if self.resume is not None:
            try:
                check_checkpoint(self.resume, mine)
            except CheckpointError as error:
                raise asking.no_resume(error) from None
        if save_to == STDOUT:
            raise RequestError("the answer goes to stdout; name a file", "--checkpoint")
        if save_to is not None and not self.force:
            try:
                check_checkpoint_place(save_to, mine)
            except CheckpointError as error:
                reason = f"{error}. It is not written over (--force would, and it would be lost)"
                raise RequestError(reason, "--checkpoint") from None
        return Keeping(save_to, self.resume, self.checkpoint_every, self.force)


class Solve(msgspec.Struct, frozen=True, kw_only=True):
    """Which days, how far to solve those that are not stored, and where solves are saved."""

    patron: Patrons = ()
    cheers: CheersCards = ()
    preparation: (
        Annotated[
            Literal["none", "redraw", "seen"],
            param(
                "How each player may exchange a card before the day: not at all, unseen, or with a discard"
                " seen.  [default: redraw]"
            ),
        ]
        | None
    ) = None
    side: Seat = "accusers"
    hand: Hand = msgspec.field(default_factory=dict)
    dry_run: DryRun = False
    effort: Solving = Solving()
    chance: Seeded = Seeded()
    saved: Saved = Saved()
    rules: RulesFiles = RulesFiles()


def answer(asked: Solve, running: Running) -> SolvedAnswer:
    """Look days up, and solve what is not stored; or say what that would take."""
    from analysis.ragers.game import GAME

    rules = GAME.rules_of(asked.rules)
    if rules.match.discards == 0 and asked.preparation not in (None, "none"):
        raise RequestError(f"these rules allow no discard, so there is no preparation {asked.preparation!r}")
    todo = scenarios(rules, asked.patron, asked.cheers, asked.preparation or "redraw")
    player, effort = PLAYERS.index(asked.side), asked.effort.solving(asked.chance.seed)
    hand = dealt_hand(asked.hand, rules, player) if asked.hand else None
    keeping = asked.saved.keeping(todo)
    if asked.dry_run:
        running.reporter.total = len(todo)
        return dry_run(todo, effort, running.reporter.reading)
    fresh = asked.effort.fresh

    def told(answered: Sequence[Answered], **ended: Any) -> SolveAnswer:
        return SolveAnswer(
            scenarios=[report.scenario_report(each, player, hand) for each in answered],
            findings=report.outstanding([(each.scenario, each.answer) for each in answered], player),
            assumed=list(rules.assumed),
            **ended,
        )

    show = running.shows(lambda so_far: told(so_far, complete=False))
    question = asking.Question(player, hand, effort, fresh, keeping=keeping, parts=True, show=show)
    answered, code = asking.answer_all(todo, question, running.reporter)
    if not answered:
        raise Unanswered("The solve", code)
    return told(answered, **endings(code))


def page(found: SolvedAnswer) -> Page:
    """Return how either answer looks."""
    if isinstance(found, DryRunAnswer):
        return estimates.page(found)
    assert isinstance(found, SolveAnswer)
    return solved.page(found)


def amounts(found: SolvedAnswer) -> list[Amount]:
    """Return the figures of each day that can be compared."""
    if not isinstance(found, SolveAnswer):
        return []
    return [
        amount
        for day in found.scenarios
        if answers(day)
        for amount in (
            Amount(f"{day.patron}/{day.cheers}/gp", f"{day_name(day)}: GP", day.mean_gp[0]),
            Amount(f"{day.patron}/{day.cheers}/draw", f"{day_name(day)}: drawn", day.outcome.draw, "share"),
            *(
                Amount(
                    f"{day.patron}/{day.cheers}/opening.{name}",
                    f"{day_name(day)}: {card(name)} opens",
                    day.opening_mix[name],
                    "share",
                )
                for name in TYPES
            ),
        )
    ]


QUESTION = Question(
    name="solve",
    about="Find how to play a day of Ragers, what it is worth, and how exact that is. Answers come from the"
    " solution library where it has them, and are solved on the spot where not: in five minutes each, unless"
    " limits are given. Before a day each player may exchange a card, unseen by default (redraw); the"
    " rulebook's discard is seen (--preparation seen).",
    asked=Solve,
    answers=SolveAnswer,
    also=(DryRunAnswer,),
    function=answer,
    page=page,
    exactness="bounded",
    what_if="diff",
    beforehand="warmup",
    amounts=amounts,
    kept=False,
    leaves=True,
    examples=(
        "solve --patron Arianna",
        'solve --patron Arianna --cheers two-bashers --hand "B B S C V"',
        "solve --patron Arianna --set match.hand_size=4 --set patrons.arianna.row_length=3 --dry-run",
    ),
)
