"""Building the library: from scenarios to entries, one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from analysis.amounts import bound, clock
from analysis.errors import NothingYetError, TooShortError
from analysis.interrupt import Interrupt
from analysis.progress import Reporter
from analysis.ragers.answers.answer import Answer, HandStrategy
from analysis.ragers.answers.library import Found, Library
from analysis.ragers.answers.solving import Effort, Keeping, identity
from analysis.ragers.scenarios import Scenario
from engine.ragers.isomorphism import relabelling


@dataclass(frozen=True)
class Plan:
    """What is to be built.

    Attributes
    ----------
    shelf : where entries go.
    effort : how each is solved, and when it is finished.
    fresh : whether finished ones are solved once more.
    checkpoints : folder in which running solves are saved, and taken up from; or None.
    """

    shelf: Library
    effort: Effort
    fresh: bool = False
    checkpoints: Path | None = None


class Builder:
    """Brings entries up to a plan; `num_failed` counts those that are still missing.

    An entry that is there already is never replaced by a worse one, and does not count as missing when its
    solve is refused.
    """

    def __init__(self, plan: Plan, reporter: Reporter) -> None:
        self._plan = plan
        self._reporter = reporter
        self._solved: set[str] = set()  # hashes of the days solved in this run
        self.num_failed = 0

    def build(self, todo: Sequence[Scenario], interrupt: Interrupt) -> None:
        """Solve one scenario after the other, with all that the plan allows."""
        try:
            for number, scenario in enumerate(todo, 1):
                if interrupt.requested:
                    return
                if self._is_finished(scenario):
                    continue
                self._reporter.begin(scenario.title, number, self._plan.effort.time_limit_s)
                self._solve(scenario, interrupt)
        except OSError as error:
            # Whatever came next could not be kept either.
            self.num_failed += 1
            self._reporter.say(
                f"Error: cannot write to {self._plan.shelf.root}: {error.strerror or error}. What was there"
                " before is untouched; make room, then start again: finished entries are kept."
            )

    def _known(self, scenario: Scenario) -> Found | None:
        """Return the entry of `scenario`; None if there is none, or its strategy is damaged."""
        known = self._plan.shelf.find(scenario)
        return None if known is None or known.strategy() is None else known

    def _is_finished(self, scenario: Scenario) -> bool:
        """Whether nothing has to be solved; stores what is another finished entry under other names."""
        plan = self._plan
        known = self._known(scenario)
        if known is not None and not plan.fresh and plan.effort.is_met_by(known.entry.answer):
            nash_conv = bound(known.entry.answer.nash_conv_gp)
            self._reporter.note(f"{scenario.title}: finished before (NashConv {nash_conv})")
            return True
        derived = self._derived(scenario)
        if derived is not None:
            self._reporter.note(f"{scenario.title}: the same game as {derived.entry.relabelled_from}")
        return derived is not None

    def _derived(self, scenario: Scenario) -> Found | None:
        """Store and return the entry of `scenario` as another finished one with the attacks renamed, or None.

        Finished are entries that the plan would leave alone, and those solved in this run.
        """
        plan = self._plan
        for card in scenario.rules.cheers:
            source = Scenario(scenario.rules, scenario.patron, card, scenario.preparation)
            types = None if card.id == scenario.cheers.id else relabelling(source.day, scenario.day)
            found = None if types is None else plan.shelf.find(source)
            if found is None or types is None or found.entry.relabelled_from is not None:
                continue
            strategy = found.strategy()
            finished = not plan.fresh and plan.effort.is_met_by(found.entry.answer)
            finished |= source.day.sha256 in self._solved
            if strategy is None or not finished:
                continue
            answer = found.entry.answer.relabelled(types, scenario.day.sha256)
            return plan.shelf.store(scenario, answer, strategy.relabelled(types), relabelled_from=card.id)
        return None

    def _saved(self, scenario: Scenario) -> Keeping | None:
        """Return where the solve of `scenario` is to be saved, and taken up if it was before.

        Raises
        ------
        CheckpointError
            If what is there is something else.
        """
        from solver.hidden_hands import check_checkpoint

        folder = self._plan.checkpoints
        if folder is None:
            return None
        path = folder / f"{scenario.patron.id}-{scenario.cheers.id}-{scenario.preparation}.solve"
        if not path.exists():
            return Keeping(path)
        check_checkpoint(path, identity(scenario))
        return Keeping(path, path)

    def _solve(self, scenario: Scenario, interrupt: Interrupt) -> None:
        """Solve, and store what that brought."""
        from analysis.ragers.answers import solving
        from solver.hidden_hands import CheckpointError, DiskRefused, MemoryRefused

        try:
            keeping = self._saved(scenario)
            answer, strategy = solving.solve(
                scenario,
                replace(self._plan.effort, second_step=True),
                progress=self._reporter,
                stop=interrupt,
                checkpoint=None if keeping is None else keeping.checkpoint(scenario, self._reporter.note),
                leave=interrupt.leaves,
            )
        except (NothingYetError, TooShortError) as error:
            self._failed(scenario, str(error))
        except (DiskRefused, MemoryRefused) as refused:
            # What is there already counts.
            self._failed(scenario, f"refused, {refused}", missing=self._known(scenario) is None)
        except CheckpointError as error:
            self._failed(scenario, f"not begun, {error}; remove it to begin anew")
        else:
            self._keep(scenario, answer, strategy)

    def _failed(self, scenario: Scenario, reason: str, *, missing: bool = True) -> None:
        self.num_failed += missing
        self._reporter.say(f"{scenario.title}: {reason}")

    def _keep(self, scenario: Scenario, answer: Answer, strategy: HandStrategy) -> None:
        """Store what a solve brought, if it is better than what is there."""
        known = self._known(scenario)
        if not answer.certified:
            self._failed(scenario, "not certified, so not stored", missing=known is None)
            return
        self._solved.add(scenario.day.sha256)
        if known is None or answer.nash_conv_gp < known.entry.answer.nash_conv_gp:
            # Where it was stopped, days sampled before are better than none.
            if known is not None and answer.profile is None:
                answer = msgspec.structs.replace(answer, profile=known.entry.answer.profile)
            self._plan.shelf.store(scenario, answer, strategy)
        elif (better := known.strategy()) is not None and _adds_a_profile(known.entry.answer, answer):
            sampled = msgspec.structs.replace(known.entry.answer, profile=answer.profile)
            better = replace(better, second=known.second_step())
            self._plan.shelf.store(scenario, sampled, better, known.entry.relabelled_from)
        self._reporter.note(
            f"{scenario.title}: NashConv {bound(answer.nash_conv_gp)} in {clock(answer.seconds)}"
        )


def _adds_a_profile(known: Answer, other: Answer) -> bool:
    """Whether days sampled from a worse answer are better than those that a better one comes with, or any."""
    if other.profile is None:
        return False
    return known.profile is None or other.profile.nash_conv_gp < known.profile.nash_conv_gp
