"""What `ragers advise` answers, and how that is read off strategies and solves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec

from analysis.amounts import bound
from analysis.ragers.answers.answer import NOTHING, HandStrategy
from analysis.ragers.answers.answer import Answer as DayAnswer
from analysis.ragers.answers.ended import SolvedAnswer
from analysis.ragers.answers.report import DayReport, action_name
from analysis.ragers.answers.trust import Trust, trust_in
from analysis.ragers.hands import hand_names
from engine.ragers.rules import NUM_TYPES, TYPES

if TYPE_CHECKING:
    from analysis.ragers.play.advising import Adviser, Decision
    from solver.hidden_hands import PositionSolution

#: Private states and shares below this are left out of lists.
NEGLIGIBLE = 1e-9
#: A mix that takes an action at least so often although it costs so much is none.
MIX_SHARE, MIX_COST_GP = 0.01, 0.1
#: A strategy with a larger NashConv reads the past only roughly.
ROUGH_GP = 0.5

Probability = Annotated[float, msgspec.Meta(ge=-1e-6, le=1.000001)]


class ActionReport(msgspec.Struct, frozen=True):
    """An action of the hand: how often equilibrium takes it, what it is worth, and what it costs.

    `ev_gp` is own GP less the opponent's over the whole day, with best play of one's own afterwards against
    the opponent's strategy; `cost_gp` is what it falls short of the best action.
    """

    action: str
    mix: Probability
    ev_gp: float
    cost_gp: float


class HeldReport(msgspec.Struct, frozen=True):
    """What the opponent may hold: its hand, the cards it has hidden, and how likely that is."""

    cards: list[str]
    hidden: list[str]
    probability: Probability


class TypeReport(msgspec.Struct, frozen=True):
    """A card type in the opponent's hand: the mean number, how likely one at least, how likely it comes now.

    `plays_now` is None where it does not decide, or hides a card.
    """

    type: str
    held_mean: float
    held: Probability
    plays_now: Probability | None


class ReadingReport(msgspec.Struct, frozen=True):
    """How a decision of the past was read.

    By which strategy, how likely what was seen was by it (own, opponent; None for who did not decide), and
    whether that was so unlikely that uniform play was mixed in. Step 0 is the exchange before the day.
    """

    step: int
    strategy: str
    nash_conv_gp: float | None
    probability: tuple[Probability | None, Probability | None]
    trembled: tuple[bool, bool]


class AdviceAnswer(SolvedAnswer, frozen=True, kw_only=True):
    """Advice on one decision, from the point of view of `player`.

    `reach`: how likely this hand (and these hidden cards) are by the strategies, which is what the opponent
    believes. `best_response_gp`: what a best reply is worth to each side on average over its range, own side
    first; `nash_conv_gp` is their sum with rounding: what both together could gain in the game that begins
    here. `mix_shown`: whether the mix is worth showing, see `mix_holds`. Actions are sorted by cost.
    `range_mix`: how often each action is taken over all hands that the player may hold here.
    `trust`: how far to trust it; unset where what the day pays is not known.
    """

    patron: str
    cheers: str
    preparation: Literal["none", "redraw", "seen"]
    player: Literal["accusers", "defenders"]
    beliefs: Literal["strategy", "uniform"]
    history: list[str]
    step: int
    decision: Literal["place", "further", "hide", "exchange"]
    hand: list[str]
    hidden: list[str]
    reach: Probability
    ev_gp: float
    best_ev_gp: float
    actions: list[ActionReport]
    opponent_types: list[TypeReport]
    opponent_hands: list[HeldReport]
    opponent_hands_left_out: Probability
    readings: list[ReadingReport]
    best_response_gp: tuple[float, float]
    nash_conv_gp: float
    certified: bool
    certificate: str
    from_library: bool
    source: str
    iterations: int
    seconds: float
    range_mix: dict[str, float]
    mix_shown: bool = True
    trust: Trust | msgspec.UnsetType = msgspec.UNSET
    day: DayReport | msgspec.UnsetType = msgspec.UNSET


def mix_holds(actions: Sequence[ActionReport], nash_conv_gp: float) -> bool:
    """Return whether the mix of a hand is worth showing.

    It is not where NashConv is more than what lies between any two of the actions, for then nothing tells
    them apart; nor where the mix takes an action at a notable cost, which no equilibrium does.
    """
    most = max(row.cost_gp for row in actions)
    if len(actions) > 1 and nash_conv_gp > most:
        return False
    return not any(row.mix >= MIX_SHARE and row.cost_gp > MIX_COST_GP for row in actions)


def not_told_apart(worths_gp: Sequence[float], nash_conv_gp: float) -> str:
    """Return that nothing tells actions of such worths apart, in words; nothing where something does."""
    known = [worth for worth in worths_gp if not math.isnan(worth)]
    if len(known) < 2 or nash_conv_gp <= max(known) - min(known):
        return ""
    return (
        f"nothing tells its actions apart: NashConv, {bound(nash_conv_gp)} GP, is more than lies between them"
    )


def actions_report(actions: Sequence[tuple[str, float, float]]) -> tuple[list[ActionReport], float, float]:
    """Return named actions with their costs, the worth of the mix, and that of the best action.

    Parameters
    ----------
    actions : name, probability and worth (GP) of each.
    """
    best = max(ev for _, _, ev in actions)
    mixed = sum(mix * ev for _, mix, ev in actions)
    rows = [ActionReport(name, mix, ev, best - ev) for name, mix, ev in actions]
    return sorted(rows, key=lambda row: (row.cost_gp, -row.mix)), mixed, best


def opening_actions(
    strategy: HandStrategy, player: int, hand: Sequence[int]
) -> list[tuple[str, float, float]]:
    """Return the first placements of a hand: name, probability, worth."""
    row = strategy.index(hand)
    assert row is not None, "every hand that can be dealt is stored"
    values = strategy.opening_ev[player, row].tolist()
    mix = strategy.opening[player, row].tolist()
    return [(action_name(a), mix[a], ev) for a, ev in enumerate(values) if not math.isnan(ev)]


def exchange_worths(
    strategy: HandStrategy, player: int, hand: tuple[int, ...], copies: Sequence[int]
) -> list[float]:
    """Return what each action of the unseen exchange is worth: ``[T + 1]`` GP on balance, NaN where none is.

    The worth of putting a card back is the mean, over the card drawn for it, of the best first placement of
    the hand that makes; the card put back cannot be its own replacement.
    """
    best: dict[tuple[int, ...], float] = {}
    for counts, values in zip(strategy.hands.tolist(), strategy.opening_ev[player].tolist(), strict=True):
        known = [value for value in values if not math.isnan(value)]
        if known:
            best[tuple(counts)] = max(known)
    worths = [math.nan] * (NUM_TYPES + 1)
    worths[NOTHING] = best.get(hand, math.nan)
    deck = [have - held for have, held in zip(copies, hand, strict=True)]
    for card in range(NUM_TYPES):
        if not hand[card] or not sum(deck):
            continue
        worths[card] = 0.0
        for drawn, number in enumerate(deck):
            if number:
                after = list(hand)
                after[card] -= 1
                after[drawn] += 1
                worths[card] += number / sum(deck) * best.get(tuple(after), math.nan)
    return worths


def exchange_actions(
    strategy: HandStrategy, player: int, hand: tuple[int, ...], copies: Sequence[int]
) -> list[tuple[str, float, float]]:
    """Return what may be done with a hand as dealt before the unseen exchange: name, probability, worth."""
    assert strategy.preparation_mix is not None
    row = strategy.index(hand)
    assert row is not None, "every hand that can be dealt is stored"
    mix = strategy.preparation_mix[player, row].tolist()
    worths = exchange_worths(strategy, player, hand, copies)
    named = [("keep", NOTHING), *((TYPES[card], card) for card in range(NUM_TYPES) if hand[card])]
    return [(name, mix[a], worths[a]) for name, a in named if a == NOTHING or not math.isnan(worths[a])]


def opponent_report(
    held: Sequence[tuple[tuple[int, ...], tuple[int, ...], float]], plays: Sequence[float] | None, top: int
) -> tuple[list[TypeReport], list[HeldReport], float]:
    """Return what the opponent holds by type, its likeliest hands, and the share of all others.

    Parameters
    ----------
    held : hand, hidden cards, probability of each of its private states.
    plays : probability of each type as its next placement, or None.
    top : how many hands to list.
    """
    types = [
        TypeReport(
            name,
            sum(p * hand[t] for hand, _, p in held),
            sum(p for hand, _, p in held if hand[t]),
            None if plays is None else plays[t],
        )
        for t, name in enumerate(TYPES)
    ]
    likely = sorted((each for each in held if each[2] > NEGLIGIBLE), key=lambda each: (-each[2], each[0]))
    hands = [HeldReport(hand_names(hand), hand_names(hidden), p) for hand, hidden, p in likely[:top]]
    return types, hands, max(0.0, 1.0 - sum(each.probability for each in hands))


def opening_range(strategy: HandStrategy, player: int, *, exchange: bool) -> dict[str, float]:
    """Return how often each action is taken over all hands, at the exchange or at the first placement."""
    table = strategy.preparation_mix if exchange else strategy.opening
    assert table is not None
    reach = strategy.deal_probability[player] if exchange else strategy.reach[player]
    shares = (reach @ table[player].astype(float) / reach.sum()).tolist()
    return named_shares(shares, "keep" if exchange else "nothing")


def named_shares(shares: Sequence[float], last: str) -> dict[str, float]:
    """Return shares of actions by name, those that are taken at all; `last`: what the last one is called."""
    names = [*TYPES, last]
    return {name: share for name, share in zip(names, shares, strict=True) if share > NEGLIGIBLE}


def opening_opponent(
    strategy: HandStrategy, opponent: int, *, exchanged: bool
) -> tuple[list[tuple[tuple[int, ...], tuple[int, ...], float]], list[float] | None]:
    """Return the opponent's hands with their probabilities, and how often it opens with each type.

    ``exchanged``: at the first placement, rather than as dealt.
    """
    none = (0,) * NUM_TYPES
    reach = strategy.reach[opponent] if exchanged else strategy.deal_probability[opponent]
    total = float(reach.sum())
    held = [
        (tuple(hand), none, float(p) / total)
        for hand, p in zip(strategy.hands.tolist(), reach.tolist(), strict=True)
        if p > 0
    ]
    plays = (reach @ strategy.opening[opponent].astype(float) / total).tolist() if exchanged else None
    return held, plays


def position_actions(
    adviser: Adviser, decision: Decision, state: int, solution: PositionSolution
) -> list[tuple[str, float, float]]:
    """Return what a private state may do at a solved decision: name, probability, worth."""
    player = adviser.player
    states, cards, _ = adviser.course.pairs(decision.position.start, player)
    names = {-1: "keep" if adviser.kind(decision) == "exchange" else "nothing"}
    return [
        (
            names.get(int(cards[j])) or TYPES[int(cards[j])],
            float(solution.mixes[player][j]),
            float(solution.values[player][j]),
        )
        for j in (states == state).nonzero()[0]
    ]


def position_opponent(
    adviser: Adviser, decision: Decision, solution: PositionSolution
) -> tuple[list[tuple[tuple[int, ...], tuple[int, ...], float]], list[float] | None]:
    """Return the opponent's private states with their probabilities, and how often it places each type."""
    opponent = 1 - adviser.player
    start, reach = decision.position.start, decision.position.ranges[opponent]
    hands, hidden = adviser.course.states(start, opponent)
    held = [
        (tuple(hand), tuple(away), float(p))
        for hand, away, p in zip(hands.tolist(), hidden.tolist(), reach.tolist(), strict=True)
        if p > 0
    ]
    if not (start.acts >> opponent) & 1 or adviser.kind(decision) == "hide":
        return held, None
    return held, _shares(adviser, decision, solution, opponent)


def position_range(adviser: Adviser, decision: Decision, solution: PositionSolution) -> dict[str, float]:
    """Return how often each action is taken over all hands that the player may hold."""
    shares = _shares(adviser, decision, solution, adviser.player)
    kind = adviser.kind(decision)
    return named_shares(shares, "keep" if kind == "exchange" else "nothing")


def _shares(adviser: Adviser, decision: Decision, solution: PositionSolution, player: int) -> list[float]:
    """Return how often a player takes each type, and the last action, over its range."""
    import numpy as np

    start, reach = decision.position.start, decision.position.ranges[player]
    states, cards, _ = adviser.course.pairs(start, player)
    weights = reach[states] * solution.mixes[player]
    shares: list[float] = np.bincount(
        np.where(cards < 0, NUM_TYPES, cards), weights=weights, minlength=NUM_TYPES + 1
    ).tolist()
    return shares


def opening_certificate(answer: DayAnswer) -> dict[str, object]:
    """Return the fields of a report that a stored or solved day fills."""
    return {
        "nash_conv_gp": answer.nash_conv_gp,
        "trust": trust_in(answer),
        "certified": answer.certified,
        "certificate": answer.certificate,
        "iterations": answer.iterations,
        "seconds": answer.seconds,
        "seed": answer.seed,
    }
