"""Health of cards, patrons and cheers cards, as far as stored answers tell.

Stored are the openings hand by hand, with the worth of each, and what is placed in each step over all hands.
So everything about the first placement can be said exactly for the stored plans. Whole days (which card
brings what, how much a simple player loses in all) come from days that were sampled when the answer was
found, and are unknown where none were.

Letters: H hands, T types, A = T + 1 actions, K steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from analysis.front.question import Answer
from analysis.ragers.answers.answer import NOTHING
from analysis.ragers.answers.answered import Answered
from analysis.ragers.answers.brackets import Openings, opening_brackets
from analysis.ragers.answers.findings import MUST, NEVER_OPENS, Verdict, card_verdict
from analysis.ragers.answers.profiles import Profile
from analysis.ragers.answers.report import DayReport, OutcomeReport, day_report, ends_for
from analysis.ragers.answers.trust import Trust, trust_in
from analysis.ragers.naive import greedy_attack
from engine.ragers.rules import PLAYERS, TYPES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: 2: verdicts on cards are told apart further, and renamed days are marked.
SCHEMA = 2


class CardHealth(msgspec.Struct, frozen=True, kw_only=True):
    """A card type in one scenario.

    Attributes
    ----------
    opening : share of days that open with it.
    opening_bracket : interval that holds this share in every equilibrium; None where unknown.
    held : probability of holding one at the first placement.
    opened_when_held : probability of opening with it then; None if it is never held.
    placed : expected cards placed, for each step.
    worth_gp : what one more of it in the hand as dealt is worth, against the average card of the deck (least
        squares over all hands, weighted by how likely they are); None where no worth is known.
    with_it_gp : mean worth of hands as dealt that hold it, less that of all hands; None where no worth is
        known.
    gp : mean GP that cards of this type bring in a day; None where no days were sampled.
    verdict : see :func:`analysis.ragers.answers.findings.card_verdict`.
    certain : whether every equilibrium has it open as seldom, or as often, as the verdict says.
    """

    opening: float
    opening_bracket: tuple[float, float] | None
    held: float
    opened_when_held: float | None
    placed: list[float]
    worth_gp: float | None
    with_it_gp: float | None
    gp: float | None
    verdict: Verdict
    certain: bool


class SampledHealth(msgspec.Struct, frozen=True, kw_only=True):
    """What sampled days tell; see :class:`Profile`.

    Attributes
    ----------
    days : sampled days of both plans.
    nash_conv_gp : of the plans they were sampled from.
    steps : mean number of steps of a day.
    cheers_own, cheers_other, cheers_both, cheers_nobody : shares of days on which the player alone, the other
        one alone, both or nobody meets the cheers card.
    cheers_swing_gp : mean glory points that the cheers card gives to either player in a day.
    deviation_gp : standard deviation of what a day pays on balance.
    deal_share : share of its variance that the worth of both hands as dealt explains, hand by hand; what only
        both together explain is not counted. None where no worth is known.
    loss_gp, loss_error_gp : what players of :data:`NAIVE` lose in a whole day against the plan found,
        compared with the value found, and the standard error.
    """

    days: int
    nash_conv_gp: float
    steps: float
    cheers_own: float
    cheers_other: float
    cheers_both: float
    cheers_nobody: float
    cheers_swing_gp: float
    deviation_gp: float
    deal_share: float | None
    loss_gp: dict[str, float]
    loss_error_gp: dict[str, float]


class ScenarioHealth(msgspec.Struct, frozen=True, kw_only=True):
    """A scenario.

    Attributes
    ----------
    hand_luck_gp : standard deviation of the worth of the hand as dealt.
    explained : share of that variance which the number of cards of each type explains, one by one.
    plan_opening_gp, uniform_opening_gp, greedy_opening_gp : what it costs to open as the plan found, with any
        placeable card, or as :func:`greedy_attack`, over the hands held at the first placement and with best
        play afterwards; None where no worth is known.
    sampled : what sampled days tell; None where none were sampled.
    relabelled_from : cheers card whose day this is with the attacks renamed, or None.
    day : the day as the box names it.
    trust : how far to trust all this.
    """

    patron: str
    cheers: str
    preparation: str
    player: str
    relabelled_from: str | None
    nash_conv_gp: float
    source: str
    cards: dict[str, CardHealth]
    outcome: OutcomeReport
    mean_gp: tuple[float, float]
    hand_luck_gp: float | None
    explained: float | None
    plan_opening_gp: float | None
    uniform_opening_gp: float | None
    greedy_opening_gp: float | None
    sampled: SampledHealth | None
    day: DayReport | msgspec.UnsetType = msgspec.UNSET
    trust: Trust | msgspec.UnsetType = msgspec.UNSET

    @property
    def answers(self) -> bool:
        """Whether there is an answer to be shown."""
        return self.trust is msgspec.UNSET or self.trust.answers


class HandLine(msgspec.Struct, frozen=True):
    """A hand as dealt.

    Attributes
    ----------
    letters, names : its cards.
    dealt : probability of being dealt it.
    worth_gp : its worth by best play from then on against the plan found; None where it is not known.
    opens : how the plan opens if it is kept, the most frequent action first.
    exchanges : how often the plan exchanges a card of it; None where nothing can be exchanged.
    puts_away : the card that it exchanges most often; None where it exchanges none.
    """

    letters: str
    names: str
    dealt: float
    worth_gp: float | None
    opens: list[tuple[str, float]]
    exchanges: float | None
    puts_away: str | None


class MissingScenario(msgspec.Struct, frozen=True):
    """A scenario that no library answers."""

    patron: str
    cheers: str


class BalanceAnswer(Answer, frozen=True, kw_only=True):
    """The health of all days asked for.

    Attributes
    ----------
    metric : the figure of the heat-map.
    solving : the command that solves what is missing.
    """

    schema: int = SCHEMA
    metric: str = "opening.basher"
    scenarios: list[ScenarioHealth]
    missing: list[MissingScenario]
    solving: str = ""


def scenario_health(answered: Answered, player: int) -> ScenarioHealth:
    """Return the health of one scenario as `player` sees it.

    Parameters
    ----------
    answered : a certified answer with its strategy.
    """
    import numpy as np

    answer, strategy, day = answered.answer, answered.strategy, answered.scenario.day
    assert strategy is not None
    outcome, mean_gp = ends_for(answer, player)
    reach = strategy.reach[player]
    held = [float(reach[strategy.hands[:, t] > 0].sum()) for t in range(len(TYPES))]
    shares = answer.opening_mix[player]
    brackets = opening_brackets(answer, strategy, day, player)
    openings = worth = None
    if brackets is not None:
        openings = Openings(strategy, day, answer.preparation, player)
        worth = _Worth(openings)
    profile = answer.profile
    cards = {}
    for t, name in enumerate(TYPES):
        bracket = None if brackets is None else brackets[t]
        placed = [step[t] for step in answer.usage[player]]
        forbidden = name in answered.scenario.patron.forbidden
        verdict, certain = judge(shares[t], placed, bracket, forbidden=forbidden)
        cards[name] = CardHealth(
            opening=shares[t],
            opening_bracket=bracket,
            held=held[t],
            opened_when_held=shares[t] / held[t] if held[t] > 0 else None,
            placed=placed,
            worth_gp=None if worth is None else worth.per_card(t),
            with_it_gp=None if worth is None else worth.with_it(t),
            gp=None if profile is None else profile.card_gp[player][t],
            verdict=verdict,
            certain=certain,
        )
    costs: list[float | None] = [None, None, None]
    if openings is not None:
        greedy = np.zeros_like(openings.mix)
        for number, hand in enumerate(openings.hands.tolist()):
            placeable = np.flatnonzero(np.isfinite(openings.ev[number, :NOTHING])).tolist()
            chosen = greedy_attack(hand, placeable, answered.scenario.rules) or (NOTHING,)
            greedy[number, list(chosen)] = 1 / len(chosen)
        possible = np.isfinite(openings.ev)
        uniform = possible / np.maximum(possible.sum(axis=1, keepdims=True), 1)
        costs = [opening_cost(openings, mix) for mix in (openings.mix, uniform, greedy)]
    return ScenarioHealth(
        patron=answered.scenario.patron.id,
        cheers=answered.scenario.cheers.id,
        preparation=answer.preparation,
        player=PLAYERS[player],
        relabelled_from=answered.relabelled_from,
        nash_conv_gp=answer.nash_conv_gp,
        source=answered.source,
        cards=cards,
        outcome=outcome,
        mean_gp=mean_gp,
        hand_luck_gp=None if worth is None else worth.deviation,
        explained=None if worth is None else worth.explained,
        plan_opening_gp=costs[0],
        uniform_opening_gp=costs[1],
        greedy_opening_gp=costs[2],
        sampled=None if profile is None else _sampled(answered, profile, player, worth),
        day=day_report(answered.scenario),
        trust=trust_in(answer),
    )


def _sampled(answered: Answered, profile: Profile, player: int, worth: _Worth | None) -> SampledHealth:
    """Return what sampled days tell `player`; `worth`: of its hands as dealt, if it is known."""
    own, other, both, nobody = profile.cheers
    if player == 1:
        own, other = other, own
    variance = profile.deviation_gp**2
    share = None
    if worth is not None and variance > 0:
        strategy, answer = answered.strategy, answered.answer
        assert strategy is not None
        theirs = _Worth(Openings(strategy, answered.scenario.day, answer.preparation, 1 - player))
        share = (worth.deviation**2 + theirs.deviation**2) / variance
    value_gp = answered.answer.value_gp if player == 0 else -answered.answer.value_gp
    return SampledHealth(
        days=profile.days,
        nash_conv_gp=profile.nash_conv_gp,
        steps=profile.steps,
        cheers_own=own,
        cheers_other=other,
        cheers_both=both,
        cheers_nobody=nobody,
        cheers_swing_gp=(own + other) * answered.scenario.cheers.gp,
        deviation_gp=profile.deviation_gp,
        deal_share=share,
        loss_gp={name: value_gp - fares.gp[player] for name, fares in profile.naive.items()},
        loss_error_gp={name: fares.error_gp[player] for name, fares in profile.naive.items()},
    )


def judge(
    share: float, placed: Sequence[float], bracket: tuple[float, float] | None, *, forbidden: bool = False
) -> tuple[Verdict, bool]:
    """Return what a card is in a day, and whether every equilibrium opens with it so seldom, or so often.

    Parameters
    ----------
    placed : expected cards placed, for each step.
    bracket : interval that holds the share in every equilibrium; None where unknown.
    forbidden : whether the patron lets nobody place it.
    """
    verdict = card_verdict(share, placed, forbidden=forbidden)
    if verdict == "":
        return verdict, False
    if verdict == "must":
        return verdict, bracket is not None and bracket[0] > MUST
    return verdict, forbidden or (bracket is not None and bracket[1] < NEVER_OPENS)


def opening_cost(openings: Openings, mix: NDArray[np.float64]) -> float:
    """Return what opening by `mix` costs against the best, over the hands held at the first placement, in GP.

    Parameters
    ----------
    mix : [H, A] float64, positive only where an action is possible.
    """
    import numpy as np

    worth = (mix * np.where(mix > 0, openings.ev, 0.0)).sum(axis=1)
    # Worths of hands that nobody holds need not be known.
    held = openings.reach > 0
    return float(openings.reach[held] @ (openings.best - worth)[held])


class _Worth:
    """What the hand as dealt is worth, under best play from then on against the stored plan."""

    def __init__(self, openings: Openings) -> None:
        import numpy as np

        self._dealt = openings.deal > 0
        self._counts = openings.hands[self._dealt].astype(np.float64)
        self._deal = openings.deal[self._dealt] / openings.deal.sum()
        self._worth = openings.dealt_worth(openings.best)[self._dealt]
        self._mean = float(self._deal @ self._worth)
        variance = float(self._deal @ (self._worth - self._mean) ** 2)
        self.deviation = variance**0.5
        # The counts add up to the size of the hand, so the constant is among them already.
        self._types = np.flatnonzero(self._counts.any(axis=0))
        root = np.sqrt(self._deal)
        table = self._counts[:, self._types]
        slopes, _, rank, _ = np.linalg.lstsq(table * root[:, None], self._worth * root, rcond=None)
        self._slopes = slopes if rank == len(self._types) else None
        residual = float(self._deal @ (self._worth - table @ slopes) ** 2)
        self.explained = 1.0 - residual / variance if variance > 0 else None

    def per_card(self, card: int) -> float | None:
        if self._slopes is None or card not in self._types:
            return None
        per_hand = self._deal @ self._counts[:, self._types]
        average = float(per_hand @ self._slopes / per_hand.sum())
        return float(self._slopes[self._types.tolist().index(card)]) - average

    def with_it(self, card: int) -> float | None:
        holds = self._counts[:, card] > 0
        mass = float(self._deal[holds].sum())
        if mass == 0:
            return None
        return float(self._deal[holds] @ self._worth[holds]) / mass - self._mean
