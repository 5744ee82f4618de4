"""``solve``: how days are played, what they are worth, and how exact that is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from analysis.errors import RequestError
from analysis.estimates import Estimate
from analysis.files import STDOUT
from analysis.front.bundles import RulesFiles, Seeded
from analysis.front.page import Page
from analysis.front.parameters import Bundle, param
from analysis.front.question import Amount, Answer, Question, Running
from analysis.ragers.answers import asking, report
from analysis.ragers.answers.answered import Answered
from analysis.ragers.answers.brackets import opening_brackets
from analysis.ragers.answers.ended import Unanswered, endings
from analysis.ragers.answers.estimating import DryRunAnswer, dry_run
from analysis.ragers.answers.habits import HabitAnswer, HabitDay, with_habits
from analysis.ragers.answers.kept_health import health_of, stored_in_full
from analysis.ragers.answers.report import ScenarioReport
from analysis.ragers.answers.solved import CloseLook, SolveAnswer, outstanding
from analysis.ragers.answers.solving import Keeping, identity
from analysis.ragers.answers.trust import trust_in
from analysis.ragers.bundles import (
    CheersCards,
    DryRun,
    Effort,
    Hand,
    History,
    Limits,
    Patrons,
    Position,
    Seat,
    Solving,
    Top,
    dealt_hand,
)
from analysis.ragers.last_day.advice import LastDayReport
from analysis.ragers.pages import estimates, habits, solved, standing
from analysis.ragers.play.advice import AdviceAnswer
from analysis.ragers.questions import advise
from analysis.ragers.scenarios import Scenario, scenarios
from analysis.ragers.wording.names import answers, card, day_name
from engine.ragers.rules import PLAYERS, TYPES, Rules

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
    history: History = ""
    top: Top = 8
    habit: Annotated[
        tuple[str, ...],
        param(
            "Fix how often a type is placed by hands that hold it and something else, and compare with free"
            " play. Steps count from 1, the opening, which is meant if none is given. WHO is accusers,"
            " defenders or both, if not the side that is shown; repeatable.",
            metavar="[WHO:]TYPE[@STEP[-STEP]]=FREQUENCY",
            more=True,
        ),
    ] = ()
    standing: (
        Annotated[
            str,
            param(
                "A day of a match, solved for the chance of winning the match. Say where the match stands,"
                ' Accusers first, such as "day 3, score 4:6, cheers 1:0, left B2S3P1:B1S2T2". It may be a'
                " transcript of ragers play, which tells patron, cheers cards and hand itself.",
                more=True,
            ),
        ]
        | None
    ) = None
    worth: (
        Annotated[
            Path,
            param(
                "With a --standing before the last day: what ragers match --format json wrote for these"
                " rules.  [default: read from where play of the day leads]",
                more=True,
            ),
        ]
        | None
    ) = None
    dry_run: DryRun = False
    effort: Solving = Solving()
    chance: Seeded = Seeded()
    saved: Saved = Saved()
    rules: RulesFiles = RulesFiles()


_MOST_BRACKETS = 4
"""Days of which it is computed what every equilibrium must open like: that takes seconds each."""
_IDLE = {
    "history": ("habit", "standing", "worth", "dry_run", "disk", "checkpoint", "resume", "force"),
    "standing": ("habit", "dry_run", "fresh", "disk", "checkpoint", "resume", "force"),
    "habit": ("hand", "standing", "worth", "dry_run", "checkpoint", "resume", "force"),
    "": ("worth",),
}
"""What nothing would heed beside another option; without any of these, last."""


def _check_heeded(asked: Solve) -> None:
    """Refuse an option that nothing would heed beside another one."""
    flat = {
        name: value
        for part in (asked, asked.effort, asked.saved)
        for name, value in msgspec.structs.asdict(part).items()
    }
    beside = next((name for name in _IDLE if name and flat[name]), "")
    for name in _IDLE[beside]:
        if flat[name]:
            said = f"does nothing beside --{beside}" if beside else "is about a --standing"
            raise RequestError(said, f"--{name.replace('_', '-')}")


def answer(asked: Solve, running: Running) -> Answer:
    """Look days up, and solve what is not stored; or say what that would take."""
    from analysis.ragers.game import GAME

    _check_heeded(asked)
    rules = GAME.rules_of(asked.rules)
    if asked.standing is not None:
        return _standing(asked, rules, running)
    if asked.history:
        return _later(asked, running)
    if rules.match.discards == 0 and asked.preparation not in (None, "none"):
        raise RequestError(f"these rules allow no discard, so there is no preparation {asked.preparation!r}")
    todo = scenarios(rules, asked.patron, asked.cheers, asked.preparation or "redraw")
    player, effort = PLAYERS.index(asked.side), asked.effort.solving(asked.chance.seed)
    running.reporter.total = len(todo)
    if asked.habit:
        question = asking.Question(player, None, effort, asked.effort.fresh)
        compared, code = with_habits(todo, asked.habit, question, running.reporter)
        if not compared.scenarios:
            raise Unanswered("The comparison", code)
        return msgspec.structs.replace(compared, **endings(code))
    hand = dealt_hand(asked.hand, rules, player) if asked.hand else None
    keeping = asked.saved.keeping(todo)
    if asked.dry_run:
        return dry_run(todo, effort, running.reporter.reading)

    def told(answered: Sequence[Answered], **further: Any) -> SolveAnswer:
        return SolveAnswer(
            scenarios=[report.scenario_report(each, player, hand) for each in answered],
            findings=outstanding([(each.scenario, each.answer) for each in answered], player),
            assumed=list(rules.assumed),
            **further,
        )

    show = running.shows(lambda so_far: told(so_far, complete=False))
    question = asking.Question(
        player, hand, effort, asked.effort.fresh, keeping=keeping, parts=True, show=show
    )
    answered, code = asking.answer_all(todo, question, running.reporter)
    if not answered:
        raise Unanswered("The solve", code)
    close = _close(answered[0], player, asked.top) if len(todo) == 1 else None
    found = told(answered, close=close, **endings(code))
    if len(todo) > _MOST_BRACKETS:
        return found
    days = zip(found.scenarios, answered, strict=True)
    bracketed = [_bracketed(day, each, player, close) for day, each in days]
    return msgspec.structs.replace(found, scenarios=bracketed)


def _bracketed(
    day: ScenarioReport, answered: Answered, player: int, close: CloseLook | None
) -> ScenarioReport:
    """Return a day with what every equilibrium of it must open like, where that is known."""
    if close is not None:
        known = {name: each.opening_bracket for name, each in close.health.cards.items()}
        found = {name: bracket for name, bracket in known.items() if bracket is not None}
    else:
        whole = answered if answered.strategy is not None else stored_in_full(answered.scenario, player)
        if whole is None or whole.strategy is None or not trust_in(answered.answer).answers:
            return day
        brackets = opening_brackets(whole.answer, whole.strategy, answered.scenario.day, player)
        found = dict(zip(TYPES, brackets or (), strict=False))
    return msgspec.structs.replace(day, opening_bracket=found) if found else day


def _close(answered: Answered, player: int, top: int) -> CloseLook | None:
    """Return a closer look at a day; None where it has no answer, or its strategy cannot be read."""
    if not trust_in(answered.answer).answers or not answered.answer.is_whole:
        return None
    found = answered if answered.strategy is not None else stored_in_full(answered.scenario, player)
    if found is None:
        return None
    from analysis.ragers.answers.hand_table import extremes, likeliest

    health = health_of(found, player)
    return CloseLook(health=health, hands=likeliest(found, player, top), extremes=extremes(found, player))


def _later(asked: Solve, running: Running) -> Answer:
    """Answer for a decision later in a day, as `advise` does."""
    if len(asked.patron) != 1:
        raise RequestError("--history is of one day: name its patron and its cheers card")
    if asked.effort.method != "auto":
        raise RequestError("what is left of a day is solved on the un-merged tree", "--method")
    common = {name: getattr(asked.effort, name) for name in Limits.__struct_fields__}
    position = Position(
        patron=asked.patron[0],
        cheers=asked.cheers,
        preparation=asked.preparation or "redraw",
        side=asked.side,
        hand=asked.hand,
        history=asked.history,
    )
    effort = Effort(**common, seed=asked.chance.seed)
    return advise.answer(
        advise.Advise(position=position, top=asked.top, effort=effort, rules=asked.rules), running
    )


def _standing(asked: Solve, rules: Rules, running: Running) -> LastDayReport:
    from analysis.ragers.last_day.asked import Asked, solve_standing

    assert asked.standing is not None
    given = Asked(
        rules=rules,
        standing=asked.standing,
        patrons=asked.patron,
        cheers=asked.cheers,
        preparation=asked.preparation,
        side=asked.side,
        hand=asked.hand,
        worth=asked.worth,
        effort=asked.effort.limits(asked.chance.seed, method=asked.effort.method),
    )
    return solve_standing(given, running)


def page(found: Answer) -> Page:
    """Return how an answer looks, whichever it is."""
    if isinstance(found, DryRunAnswer):
        return estimates.page(found)
    if isinstance(found, HabitAnswer):
        return habits.page(found)
    if isinstance(found, LastDayReport):
        return standing.page(found)
    if isinstance(found, AdviceAnswer):
        return advise.page(found)
    assert isinstance(found, SolveAnswer)
    return solved.page(found)


def amounts(found: Answer) -> list[Amount]:
    """Return the figures of each day that can be compared."""
    if isinstance(found, HabitAnswer):
        return [amount for day in found.scenarios if day.answers for amount in _habit_amounts(day)]
    if isinstance(found, LastDayReport):
        first = found.answers[0]
        win = Estimate(first.win.mean, first.win.low, first.win.high, 0)
        return [Amount("win", f"the {found.player.capitalize()} win", win, "share")]
    if not isinstance(found, SolveAnswer):
        return []
    return [amount for day in found.scenarios if answers(day) for amount in _day_amounts(day)]


def _day_amounts(day: ScenarioReport) -> list[Amount]:
    key, title = f"{day.patron}/{day.cheers}", day_name(day)
    openings: dict[str, float | Estimate] = dict(day.opening_mix)
    for name, ends in (day.opening_bracket or {}).items():
        openings[name] = Estimate(day.opening_mix[name], *ends, 0)
    found = [
        Amount(f"{key}/opening.{name}", f"{title}: {card(name)} opens", openings[name], "share")
        for name in TYPES
    ]
    bracket = day.value_bracket_gp
    value = Estimate(day.value_gp, *bracket, 0) if isinstance(bracket, tuple) else day.value_gp
    return [
        *found,
        Amount(f"{key}/value", f"{title}: value, GP", value, "signed"),
        Amount(f"{key}/gp", f"{title}: GP", day.mean_gp[0]),
        Amount(f"{key}/draw", f"{title}: drawn", day.outcome.draw, "share"),
    ]


def _habit_amounts(day: HabitDay) -> list[Amount]:
    key, name = f"{day.patron}/{day.cheers}", day_name(day)
    return [
        Amount(f"{key}/cost", f"{name}: the habits cost, GP", Estimate(None, *day.cost_gp, 0)),
        Amount(f"{key}/gp", f"{name}: GP", day.locked.mean_gp[0]),
    ]


QUESTION = Question(
    name="solve",
    about="Find how to play a day of Ragers, and how exact that is. Answers come from the solution library"
    " where it has them, and are solved on the spot where not: in five minutes each, unless limits"
    " are given. Before a day each player may exchange a card, unseen by default (redraw); the rulebook's"
    " discard is seen (--preparation seen). One day alone is shown card by card and hand by hand (--details)."
    " With --habit it is compared with a day in which somebody plays a card at a fixed rate. With --standing"
    " a day of a match is solved for the chance of winning the match, the last one exactly. With --history a"
    " later decision of one day is answered, as by advise.",
    asked=Solve,
    answers=SolveAnswer,
    also=(DryRunAnswer, HabitAnswer, LastDayReport, AdviceAnswer),
    function=answer,
    page=page,
    exactness="bounded",
    beforehand="warmup",
    amounts=amounts,
    kept=False,
    leaves=True,
    examples=(
        "solve --patron Arianna",
        'solve --patron Arianna --cheers two-bashers --hand "B B S C V"',
        "solve --patron Arianna --set match.hand_size=4 --set patrons.arianna.row_length=3 --dry-run",
        "solve --patron Arianna --cheers two-bashers --diff patron=Solennos",
        "solve --vary cheers.two-bashers.gp=2:3 --patron the-nameless --cheers two-bashers --set"
        " match.row_length=2 --set match.hand_size=2 --iterations 40",
        "solve --habit chancer=0 --patron the-nameless --cheers two-bashers --set match.row_length=2 --set"
        " match.hand_size=2 --iterations 40",
        'solve --standing "day 3, score 4:6, left B4S2:S3T2" --patron Solennos --cheers two-bashers',
    ),
)
