"""The five sentences that the page opens with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from analysis.amounts import percent
from analysis.ragers.answers.findings import HARDLY_MET, MUST, Finding, findings
from analysis.ragers.answers.trust import GRADES, NO_ANSWER
from analysis.ragers.wording import trust
from analysis.ragers.wording.names import card, cheers_name, day_name, listed, patron_name
from cli.ragers.page.sheets import Sheet

#: Cards, or cheers cards, that a sentence names at most.
_MOST = 4


def sentences(sheets: Sequence[Sheet], player: int) -> list[str]:
    """Return what the answers to some days come to, in five sentences.

    They are about first cards, late cards, cheers cards, the points of a day, and how far to trust all that.

    Parameters
    ----------
    sheets
        Of different days: those with the attacks renamed would count twice.
    """
    answered = [each for each in sheets if each.health.answers]
    if not answered:
        return [_trust(sheets)]
    found = findings([(each.scenario, each.answer) for each in answered], player)
    first, late = _musts(found, len(answered)), _late(found, len(answered))
    return [first, late, _cheers(found, answered), _points(answered), _trust(sheets)]


def _musts(found: Sequence[Finding], num_days: int) -> str:
    musts = _cards(found, "must", num_days)
    if not musts:
        return f"No card is hard to do without as a first card: none opens over {percent(MUST)} % of days."
    return f"Hard to do without as a first card: {musts}."


def _late(found: Sequence[Finding], num_days: int) -> str:
    dead, late = _cards(found, "dead", num_days), _cards(found, "late card", num_days)
    first = f"Dead, hardly ever placed at all: {dead}" if dead else "No card is dead"
    return (
        f"{first}; late cards, hardly ever first: {late}." if late else f"{first}, and none comes only late."
    )


def _cards(found: Sequence[Finding], kind: str, num_days: int) -> str:
    """Return the cards of which something is found, those of most days first, with how many days that are."""
    days: Counter[str] = Counter()
    for each in found:
        if each.kind == kind:
            days[each.card or ""] += len(each.cheers)
    ranked = days.most_common()
    words = [
        f"{card(name)} ({number} of {num_days} days)" if not position else f"{card(name)} ({number})"
        for position, (name, number) in enumerate(ranked)
    ]
    return _shortened(words)


def _cheers(found: Sequence[Finding], sheets: Sequence[Sheet]) -> str:
    names = {(each.health.patron, each.health.cheers): each.health for each in sheets}

    def words(kind: str) -> str:
        days = [(each, names[each.patron, each.cheers[0]]) for each in found if each.kind == kind]
        shares = [f", {percent(each.share or 0.0)} % of days" * (kind == "hardly met") for each, _ in days]
        return _shortened(
            [
                f"{cheers_name(day)} ({patron_name(day)}{share})"
                for (_, day), share in zip(days, shares, strict=True)
            ],
            "or" if kind == "never met" else "and",
        )

    never, hardly = words("never met"), words("hardly met")
    if never:
        more = f"; hardly met: {hardly}" if hardly else ""
        return f"Nobody can meet {never}{more}."
    if hardly:
        return f"Hardly met: {hardly}."
    return f"Every cheers card is met in {percent(HARDLY_MET)} % of days or more, where that was sampled."


def _points(sheets: Sequence[Sheet]) -> str:
    days = [each.health for each in sheets]
    least, most = (pick(days, key=lambda each: each.mean_gp[0]) for pick in (min, max))
    mean = sum(each.mean_gp[0] for each in days) / len(days)
    draws = sorted(each.outcome.draw for each in days)
    drawn = _span(percent(draws[0]), percent(draws[-1]))
    if len(days) == 1:
        return f"A player scores {mean:.1f} GP in this day on average; {drawn} % of days are drawn."
    return (
        f"A player scores {mean:.1f} GP a day on average, from {least.mean_gp[0]:.1f} ({day_name(least)}) to"
        f" {most.mean_gp[0]:.1f} ({day_name(most)}); {drawn} % of days are drawn."
    )


def _trust(sheets: Sequence[Sheet]) -> str:
    grades = Counter(trust.words(each.health.trust) for each in sheets)
    named = [f"{grades[grade]} {grade}" for grade, _ in GRADES if grades[grade]]
    total = f"{len(sheets)} different day{'s' if len(sheets) > 1 else ''}"
    none = f"no answer yet to {grades[NO_ANSWER]}" if grades[NO_ANSWER] else ""
    if not named:
        return f"Of {total} there is no answer yet to any."
    return f"How far to trust it: {listed(named)}, of {total}{f'; {none}' if none else ''}."


def _span(low: str, high: str) -> str:
    return low if low == high else f"{low} to {high}"


def _shortened(words: Sequence[str], last: str = "and") -> str:
    """Return words as in a sentence, and how many more there would be."""
    if len(words) <= _MOST:
        return listed(words, last)
    return f"{', '.join(words[:_MOST])} {last} {len(words) - _MOST} more"
