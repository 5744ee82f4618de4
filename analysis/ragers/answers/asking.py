"""Scenarios answered one after another: looked up, taken over from a renamed one, or solved and kept."""

from __future__ import annotations

import textwrap
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import msgspec

from analysis.amounts import clock, counted, size
from analysis.errors import NothingYetError, RequestError, TooShortError
from analysis.exit_codes import EXIT_FAILURE, EXIT_INTERRUPTED, EXIT_MEMORY, EXIT_TARGET_NOT_REACHED, worst
from analysis.interrupt import LEAVING, STOPPING, Interrupt
from analysis.progress import Reporter
from analysis.ragers.answers import library
from analysis.ragers.answers.answer import Answer, HandStrategy
from analysis.ragers.answers.answered import Answered
from analysis.ragers.answers.solving import ENOUGH, Effort, Keeping
from analysis.ragers.answers.starts import are_missing
from analysis.ragers.answers.trust import trust_in
from analysis.ragers.scenarios import Scenario
from engine.ragers.isomorphism import relabelling

if TYPE_CHECKING:
    from solver.hidden_hands import LockedFrequency


_FIRST = "The first what-if of such a day begins from nothing; those after it begin from its tables."


@dataclass(frozen=True)
class Question:
    """What is to be found out about each scenario.

    Attributes
    ----------
    player : whose point of view.
    hand : cards of each type in the hand asked about, or None.
    effort : how to solve.
    fresh : whether stored answers do not count.
    strategy : whether the openings hand by hand are wanted, even if no hand is asked about.
    habits : frequencies that are fixed; answers with any are neither looked up nor kept.
    keeping : where the solve is saved, and which one is taken up; None for neither.
    parts : whether an answer is wanted, too, of which only the openings are known: of a solve that somebody
        left.
    show : told what is answered so far, the scenario at work by its latest check; None where nobody looks.
    """

    player: int
    hand: tuple[int, ...] | None
    effort: Effort
    fresh: bool
    strategy: bool = False
    habits: tuple[LockedFrequency, ...] = ()
    keeping: Keeping | None = None
    parts: bool = False
    show: Callable[[Sequence[Answered]], None] | None = None

    @property
    def by_hand(self) -> bool:
        """Whether an answer without its strategy is of no use."""
        return self.strategy or self.hand is not None


def answer_all(
    todo: Sequence[Scenario], question: Question, reporter: Reporter
) -> tuple[list[Answered], int]:
    """Return the answers to scenario after scenario, until done or interrupted, and the exit code."""
    answered: list[Answered] = []
    codes = {0}
    interrupt = Interrupt(STOPPING, LEAVING)
    reporter.total = len(todo)
    say = once(reporter.say)
    told: set[Scenario] = set()
    with interrupt.installed():
        for number, scenario in enumerate(todo, 1):
            try:
                result = stored_answer(scenario, question)
                if result is not None and question.keeping is not None:
                    reporter.say("This is stored already: nothing to save (--fresh solves again).")
                result = result or _renamed(scenario, answered, question)
                if result is None:
                    foretell(todo[number - 1 :], question, reporter, told)
                    reporter.begin(scenario.title, number, question.effort.granted_s)
                    result = _solved(scenario, _shown_after(question, answered), reporter, interrupt, say)
            except KeyboardInterrupt:
                interrupt.requested = True
                break
            except TooShortError as error:
                reporter.say(f"{scenario.title}: {error}.")
                codes.add(error.exit_code)
                continue
            except NothingYetError as error:
                reporter.say(f"{scenario.title}: {error}.")
                break
            except RequestError:
                raise
            except _Refused as refusal:
                reporter.say(f"Refused {scenario.title}: {refusal}")
                codes.add(EXIT_MEMORY)
                continue
            except Exception:
                # What was answered before is still worth printing; the traceback is for the bug report.
                traceback.print_exc()
                reporter.say(f"Error: {scenario.title} failed; see above.")
                codes.add(EXIT_FAILURE)
                continue
            answered.append(result)
            if interrupt.requested:
                break
            if not _reached(result.answer, question.effort):
                codes.add(EXIT_TARGET_NOT_REACHED)
    if interrupt.requested:
        codes.add(EXIT_INTERRUPTED)
    return answered, worst(codes)


def foretell(
    todo: Sequence[Scenario], question: Question, reporter: Reporter, told: set[Scenario] | None = None
) -> None:
    """Say once, before the first solve of a run, what all of them take; those `told` of are left out."""
    if reporter.quiet or told:
        return
    from analysis.ragers.answers.estimating import estimated, in_words

    waiting = [each for each in todo if stored_answer(each, question) is None]
    days = {each.day: each for each in waiting}
    if told is not None:
        told.update(waiting)
    if not days:
        return
    try:
        taken = estimated([*days.values()], question.effort, reporter.reading)
    except ValueError:
        return  # What cannot be solved is refused by the solve, in better words.
    text = textwrap.fill(in_words(taken), 80, subsequent_indent="  ")
    reporter.foretell(text, sum(each.fair_after_s for each in taken))


def _shown_after(question: Question, before: Sequence[Answered]) -> Question:
    """Return a question that shows what was answered before beside what it is at."""
    show, done = question.show, tuple(before)
    return question if show is None else replace(question, show=lambda found: show((*done, *found)))


class _Refused(Exception):
    """Too much memory or disk needed; the message says how much and what to do."""


def _reached(answer: Answer, effort: Effort) -> bool:
    """Return whether the target asked for, if any, is certified."""
    return effort.target_gp is None or (answer.certified and answer.nash_conv_gp <= effort.target_gp)


def stored_answer(scenario: Scenario, question: Question) -> Answered | None:
    """Return a stored answer that is good enough, or None."""
    if question.fresh or question.habits:
        return None
    if question.keeping is not None and question.keeping.resume_from is not None:
        return None
    candidates = [scenario]
    candidates += [
        Scenario(scenario.rules, scenario.patron, card, scenario.preparation)
        for card in scenario.rules.cheers
        if card.id != scenario.cheers.id
    ]
    for candidate in candidates:
        types = relabelling(candidate.day, scenario.day)
        found = None if types is None else library.find(candidate)
        if found is None or types is None or not _reached(found.entry.answer, question.effort):
            continue
        carried = library.carried().find(candidate) is not None
        if not trust_in(found.entry.answer).answers and not (carried and question.effort.unlimited):
            continue  # A carried one has had more time than a solve without limits takes.
        if not carried and not question.effort.is_met_by(found.entry.answer):
            continue  # A short try of yesterday is no answer to who is ready to wait longer today.
        strategy = None
        if question.by_hand:
            strategy = found.strategy()
            if strategy is None:
                continue  # A damaged file: better to solve again than to answer half.
            strategy = strategy.relabelled(types)
        entry = found.entry
        renamed = candidate is not scenario
        return Answered(
            scenario,
            entry.answer.relabelled(types, scenario.day.sha256) if renamed else entry.answer,
            strategy,
            True,
            _source(f"solution {found.library}", entry.answer),
            entry.relabelled_from or (candidate.cheers.id if renamed else None),
        )
    return None


def _renamed(scenario: Scenario, answered: Sequence[Answered], question: Question) -> Answered | None:
    """Return the answer this run found to the same game under other names of the attacks, or None."""
    some = [] if question.habits else [each for each in answered if each.strategy or not question.by_hand]
    return next((found for each in some if (found := each.renamed(scenario)) is not None), None)


def _solved(
    scenario: Scenario,
    question: Question,
    reporter: Reporter,
    interrupt: Interrupt,
    say: Callable[[str], None],
) -> Answered:
    """Solve `scenario`, and keep the answer for next time, or `say` why that cannot be."""
    from analysis.ragers.answers import solving
    from solver.hidden_hands import CannotMerge, CheckpointError, DiskRefused, MemoryRefused

    keeping, effort = question.keeping, replace(question.effort, warm=True)
    checkpoint = None if keeping is None else keeping.checkpoint(scenario, reporter.say)
    if not reporter.quiet and effort.method != "merged" and not question.habits and are_missing(scenario):
        reporter.note(_FIRST)

    def shown(answer: Answer, strategy: HandStrategy) -> None:
        assert question.show is not None
        question.show([Answered(scenario, answer, strategy, False, _source("at work", answer))])

    try:
        answer, strategy = solving.solve(
            scenario,
            effort,
            progress=reporter,
            stop=interrupt,
            leave=interrupt.leaves,
            habits=question.habits,
            checkpoint=checkpoint,
            note=say,
            show=None if question.show is None else shown,
        )
    except CheckpointError as error:
        raise no_resume(error) from None
    except CannotMerge as error:
        raise RequestError(
            f"--method merged: {error}; try --preparation redraw, or --method exact."
        ) from None
    except MemoryRefused as refused:
        if refused.threads is not None:
            remedy = f"Each thread takes its share: try --threads {refused.threads}."
        else:
            remedy = (
                "Keep part of it on disk (ragers-solve --disk DIRECTORY), or try a smaller variant"
                " (--set match.hand_size=4, or fewer slots) or a machine with more."
            )
        raise _Refused(
            f"solving it needs {size(refused.needed_bytes)}, and only {size(refused.limit_bytes)} may be used"
            f" (--memory). {remedy}"
        ) from None
    except DiskRefused as refused:
        raise _Refused(f"{refused} (--disk). Make room, or name another folder.") from None
    if not (answer.is_whole or question.parts):
        raise NothingYetError("left before it was proved")
    if not question.habits:
        keep(scenario, answer, strategy, say)
    return Answered(scenario, answer, strategy, False, _source("solved now", answer))


def keep(scenario: Scenario, answer: Answer, strategy: HandStrategy, say: Callable[[str], None]) -> None:
    """Store a certified answer, if it is one, in the user's library, unless a better one is there and whole.

    That it cannot be written is said, and costs nothing else.
    """
    own = library.own()
    if not (answer.certified and trust_in(answer).answers):
        return
    try:
        known = own.find(scenario)
        better = known is None or answer.nash_conv_gp < known.entry.answer.nash_conv_gp
        if better or known is None or known.strategy() is None:
            own.store(scenario, answer, strategy)
    except OSError as error:
        say(f"Could not keep the answer in {own.root}: {error.strerror or error}")


def once(say: Callable[[str], None]) -> Callable[[str], None]:
    """Return `say` for what a run over many scenarios would repeat: each line is said once."""
    said: set[str] = set()

    def say_once(text: str) -> None:
        if text not in said:
            said.add(text)
            say(text)

    return say_once


def _source(what: str, answer: Answer) -> str:
    text = f"{what} ({answer.method}, {counted(answer.iterations, 'iteration')} in {clock(answer.seconds)}"
    text += "" if trust_in(answer).grade in ENOUGH else ", not finished"
    if answer.started_from is not msgspec.UNSET:
        text += f", begun from {answer.started_from}"
    return text + (")" if what == "solved now" else f", version {answer.version})")


def no_resume(error: Exception) -> RequestError:
    """Return the error of a checkpoint that cannot be taken up."""
    return RequestError(str(error), "--resume")
