"""What `ragers-solve` answers."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import msgspec

from analysis.front.question import OrNan
from analysis.ragers.answers.answer import NOTHING, Answer, HandStrategy
from analysis.ragers.answers.brackets import value_bracket
from analysis.ragers.answers.findings import missing_for
from analysis.ragers.answers.trust import Trust, trust_in
from analysis.ragers.hands import hand_names
from analysis.ragers.scenarios import Scenario
from engine.ragers.rules import PLAYERS, TYPES

if TYPE_CHECKING:
    from analysis.ragers.answers.answered import Answered


class OutcomeReport(msgspec.Struct, frozen=True):
    """How often a day ends which way for the player (S1); not known where somebody left a solve at once."""

    win: OrNan
    draw: OrNan
    loss: OrNan
    two_losers: OrNan


class DrawnReport(msgspec.Struct, frozen=True):
    """A hand after the exchange: what was put away and drawn (None: kept all), how likely, what to open with.

    `probability` is that of drawing the card, given what was put away.
    """

    put_away: str | None
    drawn: str | None
    probability: float
    cards: list[str]
    mix: dict[str, float]


class HandReport(msgspec.Struct, frozen=True):
    """What to do with one hand, by action it allows; `discard` is None where the model has no discard.

    `mix` and `ev_gp` are of who holds these cards at the first placement, that is, after the exchange;
    `then` says what to open with after the exchanges that the strategy makes with them.
    """

    cards: list[str]
    mix: dict[str, float]
    ev_gp: dict[str, float]
    reach: float
    dealt: float
    discard: dict[str, float] | None
    then: list[DrawnReport] = []


class DayReport(msgspec.Struct, frozen=True):
    """A day as the box names it; `lacking`: a card of the cheers card that nobody can show, or None."""

    patron: str
    cheers: str
    row_length: int
    forbidden: list[str]
    lacking: str | None


class ScenarioReport(msgspec.Struct, frozen=True):
    """The answer to one scenario, from the point of view of `player`.

    Attributes
    ----------
    value_bracket_gp : the value of the day lies in it; unset where that is not proved.
    opening_bracket : per type the interval that holds its opening share in every equilibrium; unset where
        none is known, and for many days.
    """

    patron: str
    cheers: str
    preparation: str
    player: str
    value_gp: float
    nash_conv_gp: float
    certified: bool
    certificate: str
    method: str
    told_apart: float | None
    opening_mix: dict[str, float]
    usage: list[list[OrNan]]
    outcome: OutcomeReport
    mean_gp: tuple[OrNan, OrNan]
    iterations: int
    seconds: float
    peak_memory_mb: float
    seed: int
    from_library: bool
    source: str
    relabelled_from: str | None
    solver_version: str
    hand: HandReport | msgspec.UnsetType = msgspec.UNSET
    trust: Trust | msgspec.UnsetType = msgspec.UNSET
    day: DayReport | msgspec.UnsetType = msgspec.UNSET
    value_bracket_gp: tuple[float, float] | msgspec.UnsetType = msgspec.UNSET
    opening_bracket: dict[str, tuple[float, float]] | msgspec.UnsetType = msgspec.UNSET


def action_name(action: int) -> str:
    """Return the name of a type, or ``nothing``."""
    return "nothing" if action == NOTHING else TYPES[action]


def ends_for(answer: Answer, player: int) -> tuple[OutcomeReport, tuple[float, float]]:
    """Return how days end, and the mean GP of `player` and of the other one."""
    win, draw, loss, two_losers = answer.outcome
    own, opp = answer.mean_gp
    if player == 1:
        win, loss, own, opp = loss, win, opp, own
    return OutcomeReport(win, draw, loss, two_losers), (own, opp)


def scenario_report(answered: Answered, player: int, hand: tuple[int, ...] | None = None) -> ScenarioReport:
    """Return an answer as player 0 or 1 sees it, and what to do with a hand, if one is asked about."""
    scenario, answer = answered.scenario, answered.answer
    outcome, mean_gp = ends_for(answer, player)
    return ScenarioReport(
        patron=scenario.patron.id,
        cheers=scenario.cheers.id,
        preparation=answer.preparation,
        player=PLAYERS[player],
        value_gp=answer.value_gp if player == 0 else -answer.value_gp,
        nash_conv_gp=answer.nash_conv_gp,
        certified=answer.certified,
        certificate=answer.certificate,
        method=answer.method,
        told_apart=answer.told_apart,
        opening_mix=_mix(answer.opening_mix[player]),
        usage=[row[:NOTHING] for row in answer.usage[player]],
        outcome=outcome,
        mean_gp=mean_gp,
        iterations=answer.iterations,
        seconds=answer.seconds,
        peak_memory_mb=answer.peak_memory_mb,
        seed=answer.seed,
        from_library=answered.from_library,
        source=answered.source,
        relabelled_from=answered.relabelled_from,
        solver_version=answer.version,
        hand=msgspec.UNSET if hand is None else hand_report(answered, hand, player),
        trust=trust_in(answer),
        day=day_report(scenario),
        value_bracket_gp=value_bracket(answer, scenario.day, player) if answer.certified else msgspec.UNSET,
    )


def day_report(scenario: Scenario) -> DayReport:
    """Return a day as the box names it."""
    return DayReport(
        scenario.patron.name,
        scenario.cheers.name,
        scenario.rules.row_length(scenario.patron),
        list(scenario.patron.forbidden),
        missing_for(scenario.rules, scenario.patron, scenario.cheers),
    )


def hand_report(answered: Answered, counts: tuple[int, ...], player: int) -> HandReport:
    """Return what the strategy of an answer does with a hand that can be dealt.

    Raises
    ------
    ValueError
        If the strategy does not know the hand.
    """
    strategy = answered.strategy
    assert strategy is not None
    row = strategy.index(counts)
    if row is None:
        raise ValueError(f"the stored strategy does not know the hand {' '.join(hand_names(counts))}")
    values = strategy.opening_ev[player, row].tolist()
    mix = strategy.opening[player, row].tolist()
    # Worths are not known of a solve that was left before the first check.
    playable = [action for action, value in enumerate(values) if not math.isnan(value) or mix[action] > 0]
    discard = None
    if strategy.preparation_mix is not None:
        discarded = strategy.preparation_mix[player, row].tolist()
        discard = {"keep": discarded[NOTHING]}
        discard |= {name: discarded[t] for t, name in enumerate(TYPES) if counts[t]}
    deck = [each.copies[player] for each in answered.scenario.rules.cards]
    left = [have - held for have, held in zip(deck, counts, strict=True)]
    then = [] if discard is None else _after_exchange(strategy, counts, player, left, discard)
    return HandReport(
        cards=hand_names(counts),
        mix={action_name(action): mix[action] for action in playable},
        ev_gp={action_name(action): values[action] for action in playable if not math.isnan(values[action])},
        reach=float(strategy.reach[player, row]),
        dealt=float(strategy.deal_probability[player, row]),
        discard=discard,
        then=then,
    )


#: Exchanges that the strategy makes more seldom with a hand are not followed further.
SELDOM = 0.01


def _after_exchange(
    strategy: HandStrategy, counts: tuple[int, ...], player: int, left: list[int], discard: dict[str, float]
) -> list[DrawnReport]:
    """Return the hands after the exchanges made with a hand, the likeliest exchange first.

    The replacement is drawn before the discard is shuffled back, so from what the hand leaves in the deck.
    """
    rows = []
    for name, share in sorted(discard.items(), key=lambda each: -each[1]):
        if share < SELDOM:
            continue
        if name == "keep" or not sum(left):
            rows.append(_holding(strategy, counts, player, (None, None, 1.0)))
            continue
        for t, number in enumerate(left):
            hand = [n - (TYPES[k] == name) + (k == t) for k, n in enumerate(counts)]
            if number:
                drawn = (name, TYPES[t], number / sum(left))
                rows.append(_holding(strategy, tuple(hand), player, drawn))
    return [row for row in rows if row is not None]


def _holding(
    strategy: HandStrategy, counts: tuple[int, ...], player: int, drawn: tuple[str | None, str | None, float]
) -> DrawnReport | None:
    """Return what to open with holding a hand at the first placement; None if the strategy lacks it."""
    row = strategy.index(counts)
    if row is None:
        return None
    mix = {
        action_name(action): share
        for action, share in enumerate(strategy.opening[player, row].tolist())
        if share > 0
    }
    return DrawnReport(*drawn, hand_names(counts), mix)


def _mix(row: list[float]) -> dict[str, float]:
    """Return a mix by name; placing nothing is named only where it happens."""
    mix = dict(zip(TYPES, row[:NOTHING], strict=True))
    if row[NOTHING] > 0:
        mix["nothing"] = row[NOTHING]
    return mix
