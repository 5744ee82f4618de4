"""A scenario with its answer, wherever that comes from."""

from __future__ import annotations

from dataclasses import dataclass

from analysis.ragers.answers.answer import Answer, HandStrategy
from analysis.ragers.scenarios import Scenario
from engine.ragers.isomorphism import relabelling


@dataclass(frozen=True)
class Answered:
    """A scenario with its answer.

    Attributes
    ----------
    scenario, answer : question and numbers.
    strategy : hand by hand; None where it was not read.
    from_library : whether it was stored before this run.
    source : where it comes from, in words.
    relabelled_from : id of the cheers card whose solve this is under other names, or None.
    """

    scenario: Scenario
    answer: Answer
    strategy: HandStrategy | None
    from_library: bool
    source: str
    relabelled_from: str | None = None

    def renamed(self, scenario: Scenario) -> Answered | None:
        """Return this as the answer to the same game under other names of the attacks; None if it is none."""
        types = relabelling(self.scenario.day, scenario.day)
        if types is None or self.scenario.preparation != scenario.preparation:
            return None
        return Answered(
            scenario,
            self.answer.relabelled(types, scenario.day.sha256),
            None if self.strategy is None else self.strategy.relabelled(types),
            self.from_library,
            self.source,
            self.relabelled_from or self.scenario.cheers.id,
        )
