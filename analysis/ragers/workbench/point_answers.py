"""The answers to many points at once: stored ones, each game solved once, on processes or a cluster."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace

from analysis.amounts import bound, clock
from analysis.errors import RequestError
from analysis.exit_codes import EXIT_FAILURE, EXIT_INTERRUPTED, EXIT_MEMORY, EXIT_TARGET_NOT_REACHED, worst
from analysis.interrupt import STOPPING_ALL, Interrupt
from analysis.progress import Reporter
from analysis.ragers.answers.answered import Answered
from analysis.ragers.answers.asking import Question, answer_all, foretell, keep, once, stored_answer
from analysis.ragers.scenarios import Scenario
from analysis.ragers.workbench import workers
from analysis.ragers.workbench.sweeping import Point
from analysis.ragers.workbench.workers import Task
from analysis.workers import WorkersError, WorkersLost


def answer_points(
    points: Sequence[Point], question: Question, jobs: int, scheduler: str | None, reporter: Reporter
) -> tuple[list[Answered | None], int]:
    """Return the answer to each point, in order, and the exit code.

    Parameters
    ----------
    points, question : what is asked, and how it is to be solved where nothing is stored.
    jobs : processes; 0 for all that cores and memory allow.
    scheduler : address of a Dask cluster to solve on instead, or None.
    """
    found = [stored_answer(point.scenario, question) for point in points]
    # Points that are one game, if need be under other names of the attacks, are solved once.
    leaders: list[int] = []
    for number, point in enumerate(points):
        if found[number] is None and not any(
            points[leader].scenario.is_same_game(point.scenario) for leader in leaders
        ):
            leaders.append(number)
    if not reporter.quiet:
        stored = sum(answer is not None for answer in found)
        reporter.note(
            f"{len(points)} points: {stored} stored, {len(leaders)} to solve,"
            f" {len(points) - stored - len(leaders)} the same game as one of these."
        )
    codes = {0}
    if leaders:
        effort = replace(question.effort, warm=True, anew=question.fresh)
        tasks = [Task(number, points[number].scenario, effort) for number in leaders]
        if scheduler is None and jobs == 0:
            jobs = workers.num_processes(tasks)
        if scheduler is None and min(jobs, len(tasks)) == 1:
            todo = [task.scenario for task in tasks]
            answers, code = answer_all(todo, question, reporter)
            codes.add(code)
            for number in leaders:
                mine = [each for each in answers if each.scenario is points[number].scenario]
                found[number] = mine[0] if mine else None
        else:
            foretell([task.scenario for task in tasks], question, reporter)
            codes.add(_collect(points, tasks, found, question, jobs, scheduler, reporter))
    for number, point in enumerate(points):
        if found[number] is None:
            found[number] = _from_leader(point.scenario, [found[leader] for leader in leaders])
    return found, worst(codes)


def _from_leader(scenario: Scenario, leaders: Sequence[Answered | None]) -> Answered | None:
    for leader in leaders:
        found = None if leader is None else leader.renamed(scenario)
        if leader is not None and found is not None:
            return replace(leader, scenario=scenario) if leader.scenario.day == scenario.day else found
    return None


def _collect(
    points: Sequence[Point],
    tasks: Sequence[Task],
    found: list[Answered | None],
    question: Question,
    jobs: int,
    scheduler: str | None,
    reporter: Reporter,
) -> int:
    """Put what workers bring into `found` and into the user's library; return the exit code."""
    codes = {0}
    finished, total = 0, len(tasks)
    interrupt = Interrupt(STOPPING_ALL if scheduler is None else "Stopping with what is finished.")
    results = workers.on_workers(tasks, jobs, scheduler, interrupt)
    reporter.total = total
    with interrupt.installed(), closing(results):
        say = once(reporter.say)
        try:
            for done in results:
                if done.stopped:
                    continue
                finished += 1
                point = points[done.number]
                head = f"[{finished}/{total}] {point.title}"
                if done.answer is None or done.strategy is None:
                    codes.add(EXIT_MEMORY if done.refused else EXIT_FAILURE)
                    reporter.note(f"{head}: {done.refused or done.error}")
                    continue
                answer = done.answer
                keep(point.scenario, answer, done.strategy, say)
                reporter.note(f"{head}: NashConv {bound(answer.nash_conv_gp)} in {clock(answer.seconds)}")
                source = f"solved now ({answer.method}, {answer.iterations} iterations)"
                found[done.number] = Answered(point.scenario, answer, done.strategy, False, source)
                target = question.effort.target_gp
                if target is not None and not (answer.certified and answer.nash_conv_gp <= target):
                    codes.add(EXIT_TARGET_NOT_REACHED)
        except WorkersError as error:
            raise RequestError(str(error)) from None
        except WorkersLost as error:
            codes.add(EXIT_FAILURE)
            reporter.say(f"Error: {error}. {finished} of {total} points are finished.")
        except KeyboardInterrupt:
            interrupt.requested = True
        if interrupt.requested:
            codes.add(EXIT_INTERRUPTED)
            reporter.note(f"Interrupted; {finished} of {total} points are finished.")
    return worst(codes)
