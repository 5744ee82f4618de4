"""Checks of stored answers: against themselves, against the rules in force, and against a fresh solve."""

from __future__ import annotations

from math import comb, prod
from typing import TYPE_CHECKING

from analysis.ragers.answers.answer import Answer, HandStrategy
from analysis.ragers.answers.library import FORMAT, MODEL, Entry, Found, Library
from analysis.ragers.scenarios import Scenario
from engine.ragers.isomorphism import DayGame, relabelling
from engine.ragers.rules import Rules, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Probabilities are kept in float32 and summed over some hundred hands.
_MIX_TOLERANCE = 1e-4


def scenario_of(entry: Entry, rules: Rules) -> Scenario | None:
    """Return the scenario `entry` answers, or None where `rules` lack its patron or cheers card."""
    try:
        patron = rules.patron(entry.patron)
        cheers = rules.cheers_card(entry.cheers)
    except UnknownNameError:
        return None
    return Scenario(rules, patron, cheers, entry.answer.preparation)


def check_entry(found: Found, rules: Rules, library: Library) -> list[str]:
    """Return what is wrong with an entry, as far as that shows without solving.

    Checked are: format and model; that it is certified; that its day is the one these rules give; that its
    numbers fit together; that its strategy is the stored one, its deal probabilities the exact ones, its
    hands' openings add up to the opening mix; and, where it is another one under other names, that it really
    is.

    Parameters
    ----------
    found
        The entry.
    rules
        The rules in force.
    library
        The library it is part of.
    """
    entry, answer = found.entry, found.entry.answer
    if (entry.format, entry.model) != (FORMAT, MODEL):
        return [f"is of format {entry.format}, model {entry.model}; this version reads {FORMAT}, {MODEL}"]
    problems = answer.problems()
    if not answer.certified:
        problems.append("is not certified")
    scenario = scenario_of(entry, rules)
    if scenario is None:
        return [*problems, f"the rules have no {entry.patron} or no {entry.cheers}"]
    if scenario.day.sha256 != answer.day_sha256:
        return [*problems, "was solved under other rules"]
    if library.folder(scenario) != found.folder:
        problems.append(f"should lie in {library.folder(scenario)}")
    strategy = found.strategy()
    if strategy is None:
        return [*problems, "its strategy is missing or damaged"]
    problems += check_strategy(strategy, answer, scenario.day)
    if entry.relabelled_from is not None:
        problems += _check_relabelling(entry, scenario, library)
    return problems


def check_alone(found: Found) -> list[str]:
    """Return what is wrong with an entry for other rules, which nobody has at hand: its files must agree."""
    entry, answer = found.entry, found.entry.answer
    if (entry.format, entry.model) != (FORMAT, MODEL):
        return [f"is of format {entry.format}, model {entry.model}; this version reads {FORMAT}, {MODEL}"]
    problems = answer.problems()
    if not answer.certified:
        problems.append("is not certified")
    if (found.folder.parent.name, found.folder.name) != (answer.day_sha256[:24], answer.preparation):
        problems.append(f"should lie in {answer.day_sha256[:24]}/{answer.preparation}")
    strategy = found.strategy()
    if strategy is None:
        return [*problems, "its strategy is missing or damaged"]
    return problems + check_strategy(strategy, answer, None)


def check_strategy(strategy: HandStrategy, answer: Answer, day: DayGame | None) -> list[str]:
    """Return where a strategy contradicts the day it is for (if known), or the answer it belongs to."""
    import numpy as np

    problems = []
    for player in (0, 1):
        if day is not None:
            deals = [deal_probability(counts, day.copies[player]) for counts in strategy.hands.tolist()]
            if not np.allclose(strategy.deal_probability[player], deals, rtol=1e-9, atol=1e-12):
                problems.append(f"deal probabilities of player {player} are wrong")
        reach = strategy.reach[player]
        if abs(reach.sum() - 1) > _MIX_TOLERANCE or reach.min() < 0:
            problems.append(f"the hands of player {player} at the first placement are no distribution")
        mix = reach @ strategy.opening[player].astype(np.float64)
        if not np.allclose(mix, answer.opening_mix[player], rtol=0, atol=_MIX_TOLERANCE):
            problems.append(f"the openings of player {player}'s hands do not add up to his opening mix")
    return problems


def deal_probability(counts: Sequence[int], copies: Sequence[int]) -> float:
    """Return the probability of being dealt the hand with these `counts` from a deck with these `copies`."""
    ways = prod(comb(available, held) for available, held in zip(copies, counts, strict=True))
    return ways / comb(sum(copies), sum(counts))


def contradiction(stored: Answer, again: Answer) -> str | None:
    """Return how two certified answers to the same day contradict each other, or None.

    A best response bounds what the other player can be held to, so each answer encloses the value of the
    game; two enclosures that do not meet cannot both be right.
    """
    low = max(-stored.best_response_gp[1], -again.best_response_gp[1])
    high = min(stored.best_response_gp[0], again.best_response_gp[0])
    slack = 1e-6
    if low > high + slack:
        return f"the value is at least {low:.6f} by one solve and at most {high:.6f} by the other"
    return None


def _check_relabelling(entry: Entry, scenario: Scenario, library: Library) -> list[str]:
    """Return how an entry differs from the one it says it is under other names."""
    assert entry.relabelled_from is not None
    rules = scenario.rules
    try:
        source = Scenario(
            rules, scenario.patron, rules.cheers_card(entry.relabelled_from), scenario.preparation
        )
    except UnknownNameError:
        return [f"the rules have no {entry.relabelled_from} it could come from"]
    types = relabelling(source.day, scenario.day)
    if types is None:
        return [f"is not the same game as {entry.relabelled_from}"]
    original = library.find(source)
    if original is None:
        return [f"the entry of {entry.relabelled_from} it comes from is missing"]
    if original.entry.answer.relabelled(types, scenario.day.sha256) != entry.answer:
        return [f"differs from the entry of {entry.relabelled_from} it comes from"]
    return []
