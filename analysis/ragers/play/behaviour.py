"""Behaviour strategies as rows: of openings, and of single decisions in mid-day."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from analysis.ragers.answers.answer import HandStrategy
from analysis.ragers.answers.report import action_name
from analysis.ragers.answers.solving import Effort
from analysis.ragers.hands import hand_names
from analysis.ragers.play.histories import HistoryError, Step, history_text
from analysis.ragers.play.stored_steps import StoredDecision, stored_decision
from analysis.ragers.scenarios import Scenario
from engine.ragers.reference import NOTHING
from engine.ragers.rules import NUM_TYPES, PLAYERS

if TYPE_CHECKING:
    from analysis.progress import Reporter

Rows = Iterator[dict[str, Any]]

_KINDS = {"PREPARE": "discard", "PLACE": "place", "VETERAN": "further", "DEADEYE": "hide"}


def decision_rows(
    scenario: Scenario,
    opening: tuple[HandStrategy, str, float] | None,
    steps: Sequence[Step],
    effort: Effort,
    reporter: Reporter,
    *,
    fresh: bool,
) -> list[dict[str, Any]]:
    """Return a row for each player, private state and action of the decision after some steps.

    Parameters
    ----------
    opening : the stored strategy, its source and its NashConv; None if the exchange is seen.
    steps : accusers first.

    Raises
    ------
    HistoryError
        If no day can go like this.
    MemoryRefused
        If a position on the way cannot be solved within the memory allowed.
    """
    failure: HistoryError | None = None
    for player in range(2):
        seen = [_from(player, step) for step in steps]
        stored = None
        if opening is not None and effort.unlimited and not fresh:
            stored = stored_decision(scenario, player, seen, opening[0], opening[2])
        if stored is not None:
            reporter.say(f"{scenario.title}: stored second step, NashConv {stored.nash_conv_gp:.4g} GP")
            return list(_stored_rows(scenario, stored, steps))
        from analysis.ragers.play.advising import Adviser

        adviser = Adviser(
            scenario,
            player,
            effort,
            opening,
            fresh=fresh,
            begin=lambda title, limit: reporter.begin(title, 1, limit),
            progress=reporter,
            note=reporter.note,
        )
        try:
            decision = adviser.follow(seen)
        except HistoryError as error:
            # The decision may be the other player's alone.
            failure = failure or error
            continue
        solution, source = adviser.solve(decision.position)
        reporter.say(f"{scenario.title}: {source}, NashConv {solution.nash_conv:.4g} GP")
        return list(_decision_rows(adviser, decision, solution, steps))
    assert failure is not None
    raise failure


def _stored_rows(scenario: Scenario, stored: StoredDecision, steps: Sequence[Step]) -> Rows:
    later = stored.here.later
    for player, name in enumerate(PLAYERS):
        if not later.acts[player]:
            continue
        for state, mix, worth, reach in zip(
            *(later.states[player].tolist(), later.mix[player].tolist(), later.worth[player].tolist()),
            stored.ranges[player].tolist(),
            strict=True,
        ):
            for action in range(NOTHING + 1):
                if math.isnan(worth[action]):
                    continue
                yield {
                    **_of_day(scenario, steps, later.kind, name),
                    "hand": " ".join(hand_names(tuple(state[:NUM_TYPES]))),
                    "hidden": " ".join(hand_names(tuple(state[NUM_TYPES:]))),
                    "reach": reach,
                    "action": action_name(action),
                    "probability": mix[action],
                    "worth_gp": worth[action],
                }


def _of_day(scenario: Scenario, steps: Sequence[Step], kind: str, player: str) -> dict[str, Any]:
    return {
        "patron": scenario.patron.id,
        "cheers": scenario.cheers.id,
        "preparation": scenario.preparation,
        "history": "; ".join(history_text(list(steps))),
        "decision": kind,
        "player": player,
    }


def _from(player: int, step: Step) -> Step:
    """A step as a player sees it; what its own Deadeye hides may be any card, and changes nothing public."""
    own, opp = step if player == 0 else (step[1], step[0])
    return (
        tuple(replace(word, card=0) if word.hidden else word for word in own),
        tuple(replace(word, card=None) if word.hidden else word for word in opp),
    )


def _decision_rows(adviser: Any, decision: Any, solution: Any, steps: Sequence[Step]) -> Rows:
    scenario, start = adviser.scenario, decision.position.start
    kind = adviser.kind(decision)
    for player, name in enumerate(PLAYERS):
        states, cards, _ = adviser.course.pairs(start, player)
        if not (start.acts >> player) & 1:
            continue
        held, hidden = adviser.course.states(start, player)
        for j, (state, card) in enumerate(zip(states.tolist(), cards.tolist(), strict=True)):
            yield {
                **_of_day(scenario, steps, kind, name),
                "hand": " ".join(hand_names(tuple(held[state]))),
                "hidden": " ".join(hand_names(tuple(hidden[state]))),
                "reach": float(decision.position.ranges[player][state]),
                "action": action_name(NUM_TYPES if card < 0 else card),
                "probability": float(solution.mixes[player][j]),
                "worth_gp": float(solution.values[player][j]),
            }


def strategy_rows(scenario: Scenario, strategy: HandStrategy) -> Iterator[dict[str, Any]]:
    """Yield a row per player, hand and possible action."""
    for player, name in enumerate(PLAYERS):
        for row, counts in enumerate(strategy.hands.tolist()):
            reach = float(strategy.reach[player, row])
            dealt = float(strategy.deal_probability[player, row])
            if reach == 0 and dealt == 0:
                continue
            for action in range(NOTHING + 1):
                share = float(strategy.opening[player, row, action])
                worth = float(strategy.opening_ev[player, row, action])
                if math.isnan(worth) and share == 0:
                    continue
                discard = None
                if strategy.preparation_mix is not None and (action == NOTHING or counts[action]):
                    discard = float(strategy.preparation_mix[player, row, action])
                yield {
                    "patron": scenario.patron.id,
                    "cheers": scenario.cheers.id,
                    "preparation": scenario.preparation,
                    "player": name,
                    "hand": " ".join(hand_names(tuple(counts))),
                    "dealt": dealt,
                    "reach": reach,
                    "action": action_name(action),
                    "opening": share,
                    "worth_gp": None if math.isnan(worth) else worth,
                    "discard": discard,
                }
