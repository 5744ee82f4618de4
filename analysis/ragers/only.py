"""What a card, a patron or a cheers card does to stored days, beside what it could be instead.

A patron is set against the other patrons with the same cheers cards, a cheers card against the others under
the same patron, a card against the other cards in the hand. Numbers are of the plans found; what holds in
every equilibrium is told by brackets.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import Literal

import msgspec

from analysis.errors import NotAskedYetError
from analysis.front.question import Answer
from analysis.ragers.answers.findings import Verdict
from analysis.ragers.answers.health import BalanceAnswer, MissingScenario, ScenarioHealth
from analysis.ragers.answers.trust import Trust
from analysis.ragers.wording.names import card, cheers_name, hand, listed, patron_name
from engine.ragers.rules import TYPES, Rules

Kind = Literal["card", "patron", "cheers card"]


class Means(msgspec.Struct, frozen=True, kw_only=True):
    """Means over days, as the player sees them.

    Attributes
    ----------
    days : how many.
    mean_gp, draw : GP of a day, and share of days drawn.
    steps, met : steps of a day, and share of days on which a player alone, or both, meet the cheers card;
        None where no days were sampled.
    opening, placed : by type: share of days opened with it, and cards placed in a day.
    card_gp : by type: GP that its cards bring in a day; None where none were sampled.
    """

    days: int
    mean_gp: float
    draw: float
    steps: float | None
    met: float | None
    opening: dict[str, float]
    placed: dict[str, float]
    card_gp: dict[str, float | None]


class Beside(msgspec.Struct, frozen=True, kw_only=True):
    """Days under a patron, or with a cheers card under it; and those they are set against, if there are any.

    Attributes
    ----------
    patron : by name.
    never_met : cheers cards that nobody can meet, by name, with the card that nobody can show.
    """

    patron: str
    here: Means
    others: Means | None
    never_met: list[tuple[str, str]] = []


class CardDay(msgspec.Struct, frozen=True, kw_only=True):
    """What a card is on one day.

    Attributes
    ----------
    opening, bracket : share of days opened with it, in the plan found and in every equilibrium.
    placed : cards placed, by step.
    worth_gp : of one more in the hand as dealt, against the average card; None where it is not known.
    certain : whether the verdict holds in every equilibrium.
    """

    patron: str
    cheers: str
    opening: float
    bracket: tuple[float, float] | None
    placed: list[float]
    gp: float | None
    worth_gp: float | None
    verdict: Verdict
    certain: bool


class CardWorth(msgspec.Struct, frozen=True, kw_only=True):
    """What one more of a card in the hand is worth, over the days on which it may be placed.

    Attributes
    ----------
    least, most : of these days.
    error_gp : the mean NashConv: what is closer together is not told apart.
    """

    card: str
    days: int
    mean: float
    least: float
    most: float
    error_gp: float


class DayTrust(msgspec.Struct, frozen=True, kw_only=True):
    """How far a day may be trusted."""

    day: str
    nash_conv_gp: float
    trust: Trust | msgspec.UnsetType


class OnlyAnswer(Answer, frozen=True, kw_only=True):
    """What one card, patron or cheers card does.

    Attributes
    ----------
    rule : what the rules say of it.
    beside : of a patron or a cheers card.
    cards, worths : of a card: what it is on each day, and what all cards are worth.
    trusts : days that were asked for and are stored; those without an answer yet count nowhere.
    missing : days that are not stored.
    """

    only: str
    kind: Kind
    name: str
    rule: str
    player: str
    beside: list[Beside] = msgspec.field(default_factory=list)
    cards: list[CardDay] = msgspec.field(default_factory=list)
    worths: list[CardWorth] = msgspec.field(default_factory=list)
    trusts: list[DayTrust]
    missing: list[MissingScenario]


def kind_of(rules: Rules, only: str) -> Kind:
    """Return what an entry is, by its id."""
    if only in TYPES:
        return "card"
    return "patron" if any(each.id == only for each in rules.patrons) else "cheers card"


def only_answer(found: BalanceAnswer, rules: Rules, only: str) -> OnlyAnswer:
    """Return what an entry does to the days that are found.

    Raises
    ------
    NotAskedYetError
        If no day with an answer tells.
    """
    kind = kind_of(rules, only)
    days = [each for each in found.scenarios if each.answers]
    about = {"card": days, "patron": [each for each in days if each.patron == only]}
    here = about.get(kind, [each for each in days if each.cheers == only])
    if not here:
        days_of = [each for each in found.missing if kind == "card" or only in (each.patron, each.cheers)]
        one = {"patron": [days_of[0].patron], "cheers": [days_of[0].cheers]} if days_of else {}
        said = f"no answer is stored that tells about {only}; solve some days first: {found.solving}"
        raise NotAskedYetError(said, "solve", one)
    beside = [] if kind == "card" else _beside(kind, here, days)
    cards = [_card_day(only, each) for each in here] if kind == "card" else []
    asked = [each for each in found.scenarios if kind == "card" or only in (each.patron, each.cheers)]
    return OnlyAnswer(
        only=only,
        kind=kind,
        name=_name(kind, only, here[0]),
        rule=_rule(kind, only, rules),
        player=here[0].player,
        beside=beside,
        cards=cards,
        worths=worths_of(days) if kind == "card" else [],
        trusts=[
            DayTrust(
                day=f"{patron_name(each)} / {cheers_name(each)}",
                nash_conv_gp=each.nash_conv_gp,
                trust=each.trust,
            )
            for each in asked
        ],
        missing=[each for each in found.missing if kind == "card" or only in (each.patron, each.cheers)],
    )


def _name(kind: Kind, only: str, day: ScenarioHealth) -> str:
    return {"card": card(only), "patron": patron_name(day), "cheers card": cheers_name(day)}[kind]


def _beside(kind: Kind, here: Sequence[ScenarioHealth], days: Sequence[ScenarioHealth]) -> list[Beside]:
    """A patron against the others with the same cheers cards; a cheers card, patron by patron."""
    found = []
    for patron in dict.fromkeys(each.patron for each in here):
        own = [each for each in here if each.patron == patron]
        crowds = {each.cheers for each in own}
        others = [
            each
            for each in days
            if (each.patron == patron) is (kind != "patron") and (each.cheers in crowds) is (kind == "patron")
        ]
        lacking = [(cheers_name(each), each.day.lacking) for each in own if each.day is not msgspec.UNSET]
        found.append(
            Beside(
                patron=patron_name(own[0]),
                here=means(own),
                others=means(others) if others else None,
                never_met=[(crowd, name) for crowd, name in lacking if name is not None],
            )
        )
    return found


def means(days: Sequence[ScenarioHealth]) -> Means:
    """Return means over days."""
    sampled = [each.sampled for each in days if each.sampled is not None]
    return Means(
        days=len(days),
        mean_gp=fmean(each.mean_gp[0] for each in days),
        draw=fmean(each.outcome.draw for each in days),
        steps=fmean(each.steps for each in sampled) if sampled else None,
        met=fmean(1 - each.cheers_nobody for each in sampled) if sampled else None,
        opening={name: fmean(each.cards[name].opening for each in days) for name in TYPES},
        placed={name: fmean(sum(each.cards[name].placed) for each in days) for name in TYPES},
        card_gp={
            name: fmean(gps) if (gps := _known(each.cards[name].gp for each in days)) else None
            for name in TYPES
        },
    )


def _known(numbers: Iterable[float | None]) -> list[float]:
    return [number for number in numbers if number is not None]


def _card_day(name: str, day: ScenarioHealth) -> CardDay:
    one = day.cards[name]
    return CardDay(
        patron=patron_name(day),
        cheers=cheers_name(day),
        opening=one.opening,
        bracket=one.opening_bracket,
        placed=one.placed,
        gp=one.gp,
        worth_gp=one.worth_gp,
        verdict=one.verdict,
        certain=one.certain,
    )


def worths_of(days: Sequence[ScenarioHealth]) -> list[CardWorth]:
    """Return what one more of each card in the hand is worth, the highest first."""
    found = []
    for name in TYPES:
        known = [
            (each.cards[name].worth_gp, each.nash_conv_gp)
            for each in days
            if each.cards[name].verdict != "forbidden"
        ]
        worths = _known(worth for worth, _ in known)
        if worths:
            found.append(
                CardWorth(
                    card=name,
                    days=len(worths),
                    mean=fmean(worths),
                    least=min(worths),
                    most=max(worths),
                    error_gp=fmean(gap for worth, gap in known if worth is not None),
                )
            )
    return sorted(found, key=lambda each: -each.mean)


def _rule(kind: Kind, only: str, rules: Rules) -> str:
    if kind == "patron":
        patron = rules.patron(only)
        forbids = listed([card(each) for each in patron.forbidden]) or "nothing"
        return f"rows of {rules.row_length(patron)}, {forbids} forbidden"
    if kind == "cheers card":
        wants = rules.cheers_card(only)
        without = f" without {listed([card(each) for each in wants.forbidden])}" if wants.forbidden else ""
        return f"{wants.gp} GP for {hand(wants.required)}{without}"
    one = next(each for each in rules.cards if each.id == only)
    decks = f"{one.copies[0]}" if len(set(one.copies)) == 1 else f"{one.copies[0]} and {one.copies[1]}"
    beats = f", beats {listed([card(each) for each in one.beats])}" if one.beats else ""
    return f"{one.kind}, {one.gp} GP, {decks} in each deck{beats}"
