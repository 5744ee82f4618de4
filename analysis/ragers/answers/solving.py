"""From a scenario to an answer: the one place where the solver is called."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from analysis.amounts import clock
from analysis.errors import NothingYetError, TooShortError, WorkError
from analysis.ragers.answers import profiles
from analysis.ragers.answers.answer import Answer, HandStrategy, from_solution
from analysis.ragers.answers.library import MODEL
from analysis.ragers.answers.merged_sizes import merged_size
from analysis.ragers.answers.second_step import from_follows
from analysis.ragers.answers.starts import decisions, warm_start
from analysis.ragers.answers.trust import EXACT_SHARE, trust_in
from analysis.ragers.scenarios import Scenario
from analysis.version import __version__

if TYPE_CHECKING:
    from engine.ragers.day import DayTables
    from solver.hidden_hands import (
        Checkpoint,
        Estimate,
        LockedFrequency,
        Position,
        PositionSolution,
        Progress,
        Settings,
        Solution,
    )
    from solver.hidden_hands.course import Course
    from solver.hidden_hands.following import Follows

#: With no limit given a solve ends at the first of: the grade "exact", a share of what a day pays;
#: `FINE_TARGET_GP`, where a day pays nothing; `DEFAULT_TIME_LIMIT_S`.
FINE_TARGET_GP = 1e-6
DEFAULT_TIME_LIMIT_S = 300.0
#: An answer so good is finished; a stored one is used where nothing says how long to wait.
ENOUGH = ("exact", "good")
#: Solvers stop in time for the certificate, so a little before the limit.
_TIME_SPENT = 0.8
#: Values of NashConv on the way that are kept with an answer.
_HISTORY = 12


@dataclass(frozen=True)
class Effort:
    """How a scenario is to be solved, as asked for on the command line; None where nothing was asked.

    Attributes
    ----------
    method : ``auto``, ``exact`` or ``merged``; see ``solver.hidden_hands.Settings``.
    target_gp : NashConv to stop at.
    time_limit_s, iterations : limits for each scenario.
    threads : 0 for all cores.
    seed : seed of whatever is random.
    memory_bytes : what may be used; None for three quarters of what is free.
    disk : folder for what does not fit in that, or None.
    profile : whether to sample days of the solution, too: :mod:`analysis.ragers.answers.profiles`.
    warm : whether tables of similar days may be begun from, and are kept:
        :mod:`analysis.ragers.answers.starts`.
    second_step : whether the strategy goes on to the second step, where that is known:
        :mod:`analysis.ragers.answers.second_step`.
    """

    method: str = "auto"
    target_gp: float | None = None
    time_limit_s: float | None = None
    iterations: int | None = None
    threads: int = 0
    seed: int = 0
    memory_bytes: int | None = None
    disk: Path | None = None
    profile: bool = False
    warm: bool = False
    second_step: bool = False

    @property
    def unlimited(self) -> bool:
        """Whether nothing says when to stop, so that the defaults do."""
        return self.target_gp is None and self.time_limit_s is None and self.iterations is None

    @property
    def granted_s(self) -> float | None:
        """Seconds a solve may take: the limit, or the default one where nothing else says when to stop."""
        return DEFAULT_TIME_LIMIT_S if self.unlimited else self.time_limit_s

    def settings(
        self, preparation: str, target: float | None, time_limit_s: float | None, **further: Any
    ) -> Settings:
        """Return what is asked for as the solver takes it."""
        from solver.hidden_hands import Settings

        return Settings(
            preparation=preparation,
            target=target,
            time_limit_s=time_limit_s,
            iterations=self.iterations,
            threads=self.threads,
            seed=self.seed,
            memory_bytes=self.memory_bytes,
            **further,
        )

    def is_met_by(self, answer: Answer) -> bool:
        """Return whether `answer` has reached the target, or has had the time or the iterations, granted."""
        time_limit_s = self.granted_s
        return (
            (self.target_gp is not None and answer.nash_conv_gp <= self.target_gp)
            or (self.unlimited and trust_in(answer).grade in ENOUGH)
            or (time_limit_s is not None and answer.seconds >= _TIME_SPENT * time_limit_s)
            or (self.iterations is not None and answer.iterations >= self.iterations)
        )


@dataclass(frozen=True)
class Keeping:
    """Where a running solve is saved, every `interval_s` seconds, and which one is taken up.

    With `overwrite` whatever lies where it is saved is lost.
    """

    save_to: Path | None = None
    resume_from: Path | None = None
    interval_s: float = 600.0
    overwrite: bool = False

    def checkpoint(self, scenario: Scenario, note: Callable[[str], None]) -> Checkpoint:
        """Return this as the solver wants it; `note` is called with what people should know."""
        from solver.hidden_hands import Checkpoint

        return Checkpoint(
            identity(scenario),
            scenario.title,
            self.save_to,
            self.resume_from,
            self.interval_s,
            note,
            self.overwrite,
        )


def identity(scenario: Scenario) -> dict[str, str]:
    """Return what a saved solve and the one that takes it up must agree in."""
    return {
        "game": "ragers",
        "day": scenario.day.sha256,
        "preparation": scenario.preparation,
        "model": str(MODEL),
        "version": __version__,
    }


def tables(scenario: Scenario) -> DayTables:
    """Return the day of `scenario` as arrays."""
    from engine.ragers.day import day_tables

    return day_tables(scenario.rules, scenario.patron.id, [scenario.cheers.id])


def estimate(scenario: Scenario, effort: Effort) -> Estimate:
    """Return what solving `scenario` would take, in a second or so."""
    from solver.hidden_hands import estimate_quickly

    limits = (scenario.preparation, effort.target_gp, effort.granted_s)
    settings = effort.settings(*limits, method=effort.method, disk=effort.disk)
    # How many there are depends on what may be placed, not on what it is worth.
    return estimate_quickly(
        decisions(scenario),
        settings,
        lambda quotient: merged_size(scenario.day, quotient=quotient),
    )


def solve(
    scenario: Scenario,
    effort: Effort,
    *,
    progress: Callable[[Progress], None] | None = None,
    stop: Callable[[], bool] | None = None,
    habits: tuple[LockedFrequency, ...] = (),
    checkpoint: Checkpoint | None = None,
    leave: Callable[[], bool] | None = None,
    note: Callable[[str], None] = lambda _: None,
    show: Callable[[Answer, HandStrategy], None] | None = None,
) -> tuple[Answer, HandStrategy]:
    """Solve `scenario`.

    Parameters
    ----------
    habits : frequencies that are fixed.
    stop : polled; once it returns true, the solve ends with the best it has.
    checkpoint : where to save the running solve, and which one to take up.
    leave : polled; once it returns true, the solve ends within seconds, and the answer is not whole
        (`Answer.is_whole`).
    note : called with what a solve begins from, and what could not be read or kept.
    show : called with what each check on the way has proved.

    Raises
    ------
    NothingYetError
        If somebody left before there was anything to show.
    TooShortError
        If the time limit was over before.
    solver.hidden_hands.CheckpointError
        If that is another solve, or spoilt.
    solver.hidden_hands.MemoryRefused
        If it would need more memory than allowed.
    solver.hidden_hands.DiskRefused
        If there is no room on disk.
    ValueError
        If the game and the settings do not go together.
    """
    from solver.hidden_hands import Left, solve

    history: list[tuple[float, float]] = []

    def watch(state: Progress) -> None:
        news = state.nash_conv is not None and (not history or history[-1][1] != state.nash_conv)
        if news and state.nash_conv is not None and state.phase == "solve":
            history.append((state.elapsed_s, state.nash_conv))
        if progress is not None:
            progress(state)

    target = FINE_TARGET_GP if effort.unlimited else effort.target_gp
    settings = effort.settings(
        scenario.preparation,
        target,
        effort.granted_s,
        method=effort.method,
        target_share=EXACT_SHARE if effort.unlimited else None,
        disk=effort.disk,
        locked=habits,
        sampling=profiles.sampling(scenario.rules) if effort.profile else None,
    )
    game = tables(scenario)
    warm = effort.warm and effort.method != "merged" and not habits
    start = warm_start(scenario, note) if warm else None

    def shown(proved: Solution) -> None:
        if show is not None:
            show(*from_solution(proved, game.type_ids, scenario.day.sha256, __version__))

    later: list[tuple[Follows, ...]] = []
    try:
        solution = solve(
            game,
            settings,
            progress=watch,
            stop=stop,
            checkpoint=checkpoint,
            leave=leave,
            warm=start,
            show=None if show is None else shown,
            **({"second": later.append} if effort.second_step else {}),
        )
    except Left:
        raise _nothing_to_show(leave, effort.granted_s) from None
    found = None
    if solution.samples is not None:
        found = profiles.profile(solution.samples, scenario, float(solution.nash_conv))
    answer, strategy = from_solution(solution, game.type_ids, scenario.day.sha256, __version__, found)
    if later:
        strategy = replace(strategy, second=from_follows(later[0], game.type_ids, scenario.day))
    if history:
        answer = msgspec.structs.replace(answer, history=history[-_HISTORY:])
    return answer, strategy


def solve_rest(
    course: Course,
    position: Position,
    settings: Settings,
    progress: Callable[[Progress], None] | None = None,
    stop: Callable[[], bool] | None = None,
) -> PositionSolution:
    """Solve the rest of a day; TooShortError if the limit is over before anything is proved."""
    from solver.hidden_hands import Left, solve_position

    leave: Callable[[], bool] | None = getattr(stop, "leaves", None)
    try:
        return solve_position(course, position, settings, progress, stop, leave)
    except Left:
        raise _nothing_to_show(leave, settings.time_limit_s) from None


def _nothing_to_show(leave: Callable[[], bool] | None, limit_s: float | None) -> WorkError:
    if leave is not None and leave():
        return NothingYetError("left before there was anything to show")
    return TooShortError(f"the limit of {clock(limit_s or 0.0)} was over before there was anything to show")
