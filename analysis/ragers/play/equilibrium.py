"""Equilibrium play of a whole day: the stored opening and second step, then the rest solved on the spot."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING

from analysis.errors import TooShortError
from analysis.ragers.answers.solving import Effort
from analysis.ragers.answers.trust import trust_in
from analysis.ragers.play.histories import HistoryError, Step, Word
from analysis.ragers.play.opponents import Opponent, stored_day, stored_mix
from analysis.ragers.play.stored_steps import stored_decision
from analysis.ragers.play.views import View
from analysis.ragers.scenarios import Scenario
from engine.ragers.reference import NOTHING, Phase, deciders
from engine.ragers.rules import NUM_TYPES, TYPES

if TYPE_CHECKING:
    from analysis.ragers.answers.answer import Answer, HandStrategy
    from solver.hidden_hands import PositionSolution

#: What solving on from a decision in play may take. Larger positions are left to other players.
MEMORY_BYTES = 2 * 2**30
#: NashConv at which it is good enough.
TARGET_GP = 0.01


@dataclass(frozen=True)
class Solved:
    """A decision with its rest of the day solved.

    Attributes
    ----------
    mix, worth_gp : [T + 1] how often the hand takes each action, and what that is worth on balance with best
        play afterwards; 0 and NaN where it cannot.
    nash_conv_gp : of the solve, given what is believed of both hands.
    on_the_spot : whether it was solved now, or else is stored.
    """

    mix: list[float]
    worth_gp: list[float]
    nash_conv_gp: float
    on_the_spot: bool = True


class StoredDays:
    """Decisions of the second step of first days, as they are stored, without a solver."""

    def __init__(self) -> None:
        self._days: dict[str, tuple[HandStrategy, Answer] | None] = {}

    def solve(self, view: View) -> Solved | None:
        """Return how to play on, or None where that is not stored.

        A discard that somebody has seen leaves another deck than the stored day's, so none may have been put
        away.
        """
        at = _day_of(view)
        if at is None:
            return None
        scenario, steps = at
        if scenario.preparation == "seen":
            if any(word.card is not None for side in steps[0] for word in side):
                return None
            steps = steps[1:]
        known = self.day(scenario)
        if known is None or not trust_in(known[1]).answers:
            return None
        found = stored_decision(scenario, view.player, steps, known[0], known[1].nash_conv_gp)
        if found is None:
            return None
        later, me = found.here.later, view.player
        try:
            row = found.state(view.state.players[me].hand)
        except HistoryError:
            return None
        mix, worth = later.mix[me][row].tolist(), later.worth[me][row].tolist()
        return Solved(mix, worth, found.nash_conv_gp, on_the_spot=False)

    def day(self, scenario: Scenario) -> tuple[HandStrategy, Answer] | None:
        """The stored day; the exchange it knows is unseen, and stands in for one that is seen."""
        key = f"{scenario.day.sha256} {scenario.preparation}"
        if key not in self._days:
            preparation = "redraw" if scenario.preparation == "seen" else scenario.preparation
            self._days[key] = stored_day(replace(scenario, preparation=preparation))
        return self._days[key]


def _day_of(view: View) -> tuple[Scenario, list[Step]] | None:
    """The first day that a decision after its opening is part of, and what was shown before; or None."""
    state = view.state
    if state.day or len(state.cheers_table) != 1 or state.patron is None:
        return None
    if not any(before.phase == Phase.PLACE for before, _ in view.past):
        return None
    seen = any(before.phase == Phase.PREPARE for before, _ in view.past)
    patron, cheers = state.rules.patrons[state.patron], state.rules.cheers[state.cheers_table[0]]
    return Scenario(state.rules, patron, cheers, "seen" if seen else "none"), past_steps(view)


class DaySolver:
    """Solves on from decisions of a first day.

    What was placed before is read by the stored opening and by the solves of the decisions before this one;
    where no opening is stored, or one of these would take too much memory, as if any card had been as likely.

    Parameters
    ----------
    effort : limits for all solves together that a decision needs, except the memory, which is for each.
    """

    def __init__(self, effort: Effort) -> None:
        self.effort = effort
        self._days = StoredDays()

    def solve(self, view: View) -> Solved | None:
        """Return how to play on, or None where that cannot be told.

        That is so on later days (what is left in hands and decks is known too little), with other numbers of
        cheers cards than one, before anything has been placed, and where it would take too much memory.
        """
        at = _day_of(view)
        if at is None:
            return None
        if (stored := self._days.solve(view)) is not None:
            return stored
        from analysis.ragers.play.advising import Adviser, state_of
        from solver.hidden_hands import MemoryRefused

        scenario, steps = at
        known = self._days.day(scenario)
        strategy = None if known is None else known[0]
        for uniform in (False, True) if strategy is not None else (True,):
            opening = None if strategy is None or uniform else (strategy, "stored opening", None)
            adviser = Adviser(scenario, view.player, self.effort, opening, uniform=uniform)
            try:
                decision = adviser.follow(steps)
                number = state_of(adviser, decision, view.state.players[view.player].hand)
                solution, _ = adviser.solve(decision.position)
            except HistoryError:
                return None
            except (MemoryRefused, TooShortError):
                continue
            states, cards, _ = adviser.course.pairs(decision.position.start, view.player)
            return _of_hand(states.tolist(), cards.tolist(), number, view, solution)
        return None


def thinker(think_s: float) -> DaySolver:
    """Return a solver that takes about so many seconds for a decision, and the memory usual for play."""
    return DaySolver(Effort(target_gp=TARGET_GP, time_limit_s=think_s, memory_bytes=MEMORY_BYTES))


def _of_hand(
    states: list[int], cards: list[int], number: int, view: View, solution: PositionSolution
) -> Solved:
    """Return what a solution says about one private state."""
    mix, worth = [0.0] * (NUM_TYPES + 1), [float("nan")] * (NUM_TYPES + 1)
    for j, (owner, card) in enumerate(zip(states, cards, strict=True)):
        if owner == number:
            action = NOTHING if card < 0 else card
            mix[action] = float(solution.mixes[view.player][j])
            worth[action] = float(solution.values[view.player][j])
    return Solved(mix, worth, solution.nash_conv)


def past_steps(view: View) -> list[Step]:
    """Return what both players have shown in this day, as `advising` takes it: own cards first."""
    steps: list[tuple[list[Word], list[Word]]] = []
    for before, move in view.past:
        if before.phase in (Phase.PREPARE, Phase.PLACE):
            steps.append(([], []))
        for player in deciders(before):
            own = player == view.player
            steps[-1][0 if own else 1].append(_word(before.phase, move[player], own))
    return [(tuple(own), tuple(opponent)) for own, opponent in steps]


def _word(phase: Phase, action: int, own: bool) -> Word:
    if action == NOTHING:
        return Word("-")
    if phase == Phase.DEADEYE:
        return Word(f"?{TYPES[action]}", action, hidden=True) if own else Word("?", hidden=True)
    if phase == Phase.PREPARE:
        return Word(f"-{TYPES[action]}", action, away=True)
    return Word(TYPES[action], action)


class Equilibrium:
    """Plays a first day by equilibrium as far as it is stored or can be solved in time, and then another way.

    Parameters
    ----------
    solver : solves on from later decisions.
    otherwise : who plays where nothing is known.
    """

    def __init__(self, solver: DaySolver, otherwise: Opponent) -> None:
        self.solver = solver
        self.otherwise = otherwise
        self.name = (
            "equilibrium: the first day by the stored opening, then by solving the rest of the day"
            f" ({solver.effort.time_limit_s:g} s a decision); where that cannot be had {otherwise.name}"
        )

    def choose(self, view: View, random: Random) -> int:
        """Return an action by the equilibrium's mix, or the other opponent's."""
        mix = stored_mix(view)
        if mix is None:
            solved = self.solver.solve(view)
            mix = None if solved is None else solved.mix
        if mix is None:
            return self.otherwise.choose(view, random)
        return random.choices(range(len(mix)), [max(0.0, share) for share in mix])[0]
