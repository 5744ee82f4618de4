"""Rules that the page is about, with the answers to their scenarios, and what is missing."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from analysis.progress import Reporter
from analysis.ragers.answers.asking import Answered, Question, answer_all, stored_answer
from analysis.ragers.answers.solving import Effort
from analysis.ragers.scenarios import Scenario
from engine.ragers.rules import Rules

#: Patron and cheers card, by id.
Key = tuple[str, str]


@dataclass(frozen=True)
class Variant:
    """One set of rules.

    Attributes
    ----------
    word
        What the page calls it: ``base`` or ``variant``.
    rules
        The rules.
    words
        The command line's words that give them, for commands to be copied.
    scenarios
        Those asked for, patron by patron.
    answered
        The answers there are, each with its strategy.
    """

    word: str
    rules: Rules
    words: tuple[str, ...]
    scenarios: tuple[Scenario, ...]
    answered: Mapping[Key, Answered]

    @property
    def missing(self) -> list[Missing]:
        """The scenarios without an answer."""
        found: list[Missing] = []
        for scenario in self.scenarios:
            if key_of(scenario) in self.answered:
                continue
            twins = (other for other in found if other.same_as is None)
            same_as = next((other for other in twins if other.scenario.is_same_game(scenario)), None)
            twin = None if same_as is None else same_as.scenario.cheers.id
            found.append(Missing(scenario, self._command(scenario), twin))
        return found

    def _command(self, scenario: Scenario) -> str:
        words = ["ragers", "solve", "--patron", scenario.patron.id, "--cheers", scenario.cheers.id]
        if scenario.preparation != "redraw":
            words += ["--preparation", scenario.preparation]
        return shlex.join([*words, *self.words, "--time-limit", "30m"])


@dataclass(frozen=True)
class Missing:
    """A scenario without an answer.

    Attributes
    ----------
    command
        What would solve it, and keep the answer.
    same_as
        Cheers card of another missing scenario that is the same game under other names, or None.
    """

    scenario: Scenario
    command: str
    same_as: str | None


def key_of(scenario: Scenario) -> Key:
    """Return what a scenario is found by."""
    return scenario.patron.id, scenario.cheers.id


def stored(todo: Sequence[Scenario], player: int) -> dict[Key, Answered]:
    """Return the answers that are stored, however short their solves were."""
    question = Question(player, None, Effort(iterations=1), False, strategy=True)
    found = {key_of(scenario): stored_answer(scenario, question) for scenario in todo}
    return {key: answered for key, answered in found.items() if answered is not None}


def solved(
    todo: Sequence[Scenario], player: int, effort: Effort, reporter: Reporter, *, fresh: bool
) -> tuple[dict[Key, Answered], int]:
    """Return the stored answers, and solve what is missing; with `fresh`, solve everything.

    Returns
    -------
    tuple
        The answers, and the exit code of the solves.
    """
    found = {} if fresh else stored(todo, player)
    missing = [scenario for scenario in todo if key_of(scenario) not in found]
    if not missing:
        return found, 0
    question = Question(player, None, effort, fresh, strategy=True)
    answered, code = answer_all(missing, question, reporter)
    return found | {key_of(each.scenario): each for each in answered if each.answer.certified}, code
