"""Checks of stored answers: against themselves, against the rules in force, and against a fresh solve."""

from __future__ import annotations

from math import comb, prod
from typing import TYPE_CHECKING

from analysis.amounts import counted
from analysis.ragers.answers.answer import Answer, HandStrategy
from analysis.ragers.answers.library import FORMAT, MODEL, Entry, Found, Library
from analysis.ragers.answers.recounting import check_first_step, check_seats
from analysis.ragers.answers.second_checks import check_second_step
from analysis.ragers.scenarios import Scenario
from engine.ragers.isomorphism import DayGame, relabelling
from engine.ragers.rules import Rules, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Sequence

#: The reach of a solve is kept in float32 and summed over some hundred hands.
_SUM_TOLERANCE = 1e-5
#: NashConv of a solve with the same settings, as a part of the stored one: only machines round differently.
#: Where histories are merged, time and memory decide which are refined and followed.
_SAME, _SAME_MERGED = 0.01, 1.0
#: NashConv falls about as one over iterations; from so many times as fast on it is not believed.
_TOO_GOOD = 4.0


def scenario_of(entry: Entry, rules: Rules) -> Scenario | None:
    """Return the scenario `entry` answers, or None where `rules` lack its patron or cheers card."""
    try:
        patron = rules.patron(entry.patron)
        cheers = rules.cheers_card(entry.cheers)
    except UnknownNameError:
        return None
    if (patron.id, cheers.id) != (entry.patron, entry.cheers):
        return None  # only the beginning of a name
    return Scenario(rules, patron, cheers, entry.answer.preparation)


def check_entry(found: Found, rules: Rules, library: Library) -> list[str]:
    """Return what is wrong with an entry, as far as that shows without solving.

    Checked are: format and model; that it is certified; that its day is the one these rules give; that its
    numbers fit together; that its strategy is the stored one, and all of the first step that can be counted
    again from it (see `recounting`); and, where it is another one under other names, that it really is.
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
    if library.by_names and entry.rules_sha256 != rules.sha256:
        problems.append("names other rules than those it was solved under")
    strategy = found.strategy()
    if strategy is None:
        return [*problems, "its strategy is missing or damaged"]
    if not problems:
        problems += check_seats(answer, scenario.day)
        problems += check_strategy(strategy, answer, scenario.day)
    problems += _check_second(found, strategy, None if problems else scenario.day)
    if entry.relabelled_from is not None:
        problems += _check_relabelling(entry, strategy, scenario, library)
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
    return problems + check_strategy(strategy, answer, None) + _check_second(found, strategy, None)


def _check_second(found: Found, strategy: HandStrategy, day: DayGame | None) -> list[str]:
    """Return what is wrong with an entry's second step, if it has one; by the rules of its day, if known."""
    second = found.second_step()
    if second is None:
        return [] if found.entry.second is None else ["its second step is missing or damaged"]
    return [] if day is None else check_second_step(strategy, second, day)


def check_strategy(strategy: HandStrategy, answer: Answer, day: DayGame | None) -> list[str]:
    """Return where a strategy contradicts the day it is for (if known), or the answer it belongs to."""
    import numpy as np

    hands = strategy.hands.tolist()
    if any(array.shape[:2] != (2, len(hands)) for array in (strategy.opening, strategy.opening_ev)):
        return ["its strategy has the wrong shape"]
    if len({tuple(hand) for hand in hands}) != len(hands):
        return ["its strategy lists a hand twice"]
    problems = []
    for player in (0, 1):
        if day is not None:
            copies = day.copies[player]
            size = min(day.hand_size, sum(copies))
            deals = [deal_probability(hand, copies) if sum(hand) == size else 0.0 for hand in hands]
            if not np.allclose(strategy.deal_probability[player], deals, rtol=1e-9, atol=1e-12):
                problems.append(f"deal probabilities of player {player} are wrong")
            elif abs(sum(deals) - 1.0) > _SUM_TOLERANCE:
                problems.append(f"hands that player {player} may be dealt are missing")
        reach = strategy.reach[player]
        if abs(reach.sum() - 1) > _SUM_TOLERANCE or reach.min() < 0:
            problems.append(f"the hands of player {player} at the first placement are no distribution")
    return problems if problems or day is None else check_first_step(strategy, answer, day)


def recertified(stored: Answer, again: Answer) -> str | None:
    """Return what a fresh certificate says against the stored one, or None.

    As many iterations of the same method must end at the same NashConv, but for rounding. Fewer of them end
    at a larger one, but not at one that so few more could not have brought down.
    """
    found = contradiction(stored, again)
    if found is not None or again.method != stored.method:
        return found
    mine, theirs = stored.nash_conv_gp, again.nash_conv_gp
    after = counted(again.iterations, "iteration")
    said = f"NashConv is {mine:.3g} GP as stored, but {theirs:.3g} GP after {after}"
    if again.iterations == stored.iterations:
        off = _SAME_MERGED if stored.method == "merged" else _SAME
        return said if abs(theirs - mine) > off * min(mine, theirs) + _SUM_TOLERANCE else None
    if again.iterations < stored.iterations:
        least = theirs * again.iterations / stored.iterations / _TOO_GOOD
        return f"{said} of {stored.iterations}" if mine < least else None
    return None


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


def _check_relabelling(
    entry: Entry, strategy: HandStrategy, scenario: Scenario, library: Library
) -> list[str]:
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
    theirs = original.strategy()
    if theirs is not None and not _are_equal(theirs.relabelled(types), strategy):
        return [f"its strategy differs from the one of {entry.relabelled_from} it comes from"]
    return []


def _are_equal(one: HandStrategy, other: HandStrategy) -> bool:
    """Whether two strategies say the same of every hand, in whatever order."""
    import numpy as np

    if one.hands.shape != other.hands.shape:
        return False
    first, second = (np.lexsort(each.hands.T) for each in (one, other))
    names = ("deal_probability", "reach", "opening", "opening_ev", "preparation_mix")
    pairs = [(getattr(one, name), getattr(other, name)) for name in names]
    if not np.array_equal(one.hands[first], other.hands[second]):
        return False
    for mine, theirs in pairs:
        if mine is None or theirs is None:
            if mine is not theirs:
                return False
        elif not np.array_equal(mine[:, first], theirs[:, second], equal_nan=True):
            return False
    return True
