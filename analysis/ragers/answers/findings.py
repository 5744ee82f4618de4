"""What stands out in solved days: a few sentences' worth of facts, each by a threshold stated here.

Days for which there is no answer yet (:mod:`analysis.ragers.answers.trust`) tell nothing. Equal findings of
several days under one patron are one finding, with the days that have it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import msgspec

from engine.ragers.rules import TYPES, CheersRule, PatronRule, Rules

if TYPE_CHECKING:
    from analysis.ragers.answers.answer import Answer
    from analysis.ragers.scenarios import Scenario

#: A type that opens a smaller share of days hardly opens; one that opens a larger share is a must.
NEVER_OPENS = 0.01
MUST = 0.60
#: A type of which fewer cards are placed in a day, over all steps, is dead.
DEAD_PLACED = 0.05
#: One that hardly opens is a late card if so many of it come in one of the later steps.
LATE_PLACED = 0.10
#: Its steps are those with at least this part of what the fullest of them has.
_LATE_STEPS = 2 / 3
#: A cheers card that is met in a smaller share of days is hardly met.
HARDLY_MET = 0.25

Verdict = Literal["", "dead", "hardly opens", "late card", "forbidden", "must"]
#: In words.
VERDICTS: dict[Verdict, str] = {
    "must": "mostly first",
    "dead": "hardly placed",
    "hardly opens": "hardly first",
    "late card": "late card",
    "forbidden": "forbidden",
}
MEANING = (
    f"Mostly first: opens over {100 * MUST:.0f} % of days. Of cards that open under {100 * NEVER_OPENS:.0f}"
    f" %: a late card is placed {100 * LATE_PLACED:.0f} times or more in 100 days in a later step; one hardly"
    f" placed less than {100 * DEAD_PLACED:.0f} times in all; the others are hardly first, but come later."
    " Proved: in every equilibrium, not only in the plans found."
)
#: What findings about cards there are, most telling first.
CARD_FINDINGS: tuple[Verdict, ...] = ("must", "dead", "late card", "hardly opens")


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """Something that stands out.

    Attributes
    ----------
    kind : ``never met`` or ``hardly met`` of a cheers card, else a verdict on a card.
    patron, cheers : where it is so: cheers cards by id.
    everywhere : whether it is so in every day under this patron that has an answer.
    card : the card type, or for a cheers card never met the one that cannot be shown; None elsewhere.
    share : of days that open with the card (``must``), of days that place it in one of `steps` (``late
        card``), cards placed in a day (``dead``), of days on which the cheers card is met; mean over the
        days.
    steps : steps in which a late card comes, counted from 1.
    """

    kind: str
    patron: str
    cheers: list[str]
    everywhere: bool
    card: str | None = None
    share: float | None = None
    steps: list[int] = []


def card_verdict(opening: float, placed: Sequence[float], *, forbidden: bool) -> Verdict:
    """Return what a card type is in a day, in a word.

    Parameters
    ----------
    placed : expected cards placed, for each step.
    forbidden : whether the patron lets nobody place it.
    """
    if forbidden:
        return "forbidden"
    if opening > MUST:
        return "must"
    if sum(placed) < DEAD_PLACED and opening < NEVER_OPENS:
        return "dead"
    if opening < NEVER_OPENS:
        return "late card" if max(placed[1:], default=0.0) >= LATE_PLACED else "hardly opens"
    return ""


def missing_for(rules: Rules, patron: PatronRule, cheers: CheersRule) -> str | None:
    """Return a card that `cheers` asks for and that nobody can show under `patron`, or None."""
    for name in cheers.required:
        if name in patron.forbidden or not any(rules.cards[TYPES.index(name)].copies):
            return name
    return None


def findings(days: Sequence[tuple[Scenario, Answer]], player: int) -> list[Finding]:
    """Return what stands out in some days as `player` sees them, patron by patron.

    Parameters
    ----------
    days : scenarios with answers that are whole and deserve the name.
    """
    found: list[Finding] = []
    for patron in dict.fromkeys(scenario.patron.id for scenario, _ in days):
        under = [(scenario, answer) for scenario, answer in days if scenario.patron.id == patron]
        found += _about_cheers(under)
        verdicts = {
            (name, scenario.cheers.id): _verdict(scenario, answer, player, t)
            for t, name in enumerate(TYPES)
            for scenario, answer in under
        }
        for verdict in CARD_FINDINGS:
            for t, name in enumerate(TYPES):
                where = [day for day in under if verdicts[name, day[0].cheers.id] == verdict]
                if where:
                    found.append(_about_card(verdict, t, where, player, everywhere=len(where) == len(under)))
    return found


def _verdict(scenario: Scenario, answer: Answer, player: int, t: int) -> Verdict:
    if not scenario.day.copies[player][t] and TYPES[t] not in scenario.patron.forbidden:
        return ""  # Nobody expects a card that is not in the deck.
    placed = [step[t] for step in answer.usage[player]]
    forbidden = TYPES[t] in scenario.patron.forbidden
    return card_verdict(answer.opening_mix[player][t], placed, forbidden=forbidden)


def _about_card(
    verdict: Verdict, t: int, where: Sequence[tuple[Scenario, Answer]], player: int, *, everywhere: bool
) -> Finding:
    """Return the finding that a type is what `verdict` says in the days `where`."""
    num_steps = max(len(answer.usage[player]) for _, answer in where)
    placed = [0.0] * num_steps
    for _, answer in where:
        for step, row in enumerate(answer.usage[player]):
            placed[step] += row[t] / len(where)
    steps: list[int] = []
    if verdict == "must":
        share = sum(answer.opening_mix[player][t] for _, answer in where) / len(where)
    elif verdict == "late card":
        steps = [k + 1 for k in range(1, num_steps) if placed[k] >= _LATE_STEPS * max(placed[1:])]
        share = sum(placed[k - 1] for k in steps) / len(steps)
    else:
        share = sum(placed)
    return Finding(
        kind=verdict,
        patron=where[0][0].patron.id,
        cheers=[scenario.cheers.id for scenario, _ in where],
        everywhere=everywhere,
        card=TYPES[t],
        share=share,
        steps=steps,
    )


def _about_cheers(under: Sequence[tuple[Scenario, Answer]]) -> list[Finding]:
    """Return the cheers cards that nobody can meet, and those that are hardly met."""
    found = []
    for scenario, answer in under:
        patron, cheers = scenario.patron.id, [scenario.cheers.id]
        lacking = missing_for(scenario.rules, scenario.patron, scenario.cheers)
        if lacking is not None:
            found.append(
                Finding(
                    kind="never met", patron=patron, cheers=cheers, everywhere=False, card=lacking, share=0.0
                )
            )
        elif answer.profile is not None and 1 - answer.profile.cheers[3] < HARDLY_MET:
            met = 1 - answer.profile.cheers[3]
            found.append(
                Finding(kind="hardly met", patron=patron, cheers=cheers, everywhere=False, share=met)
            )
    return found
