"""What stands out, in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from analysis.ragers.answers.findings import Finding
from analysis.ragers.answers.solved import SolveAnswer
from analysis.ragers.wording.names import answers, card, cheers_name, listed, named, patron_name, same_days


def sentences(report: SolveAnswer) -> list[str]:
    """Return the findings in words, a sentence for each kind under a patron, most telling first.

    Of cards that are dead, late or hardly open only those are named that are so in at least half of the days.
    """
    several = len({each.patron for each in report.scenarios}) > 1
    texts = []
    for patron, group in groupby(report.scenarios, key=lambda each: each.patron):
        days = [each for each in group if answers(each)]
        names = {each.cheers: cheers_name(each) for each in days}
        renamed = {each.cheers for alike in same_days(days) for each in alike[1:]}
        found = [each for each in report.findings if each.patron == patron]
        for kind, some in groupby(found, key=lambda each: each.kind):
            told = [each for each in some if not set(each.cheers) <= renamed]
            if kind in ("dead", "late card", "hardly opens"):
                told = [each for each in told if 2 * len(each.cheers) >= len(days)]
            if told:
                text = in_words(kind, told, patron_name(days[0]), names)
                texts.append(f"{patron_name(days[0])}: {text}" if several else text)
    return texts


def in_words(kind: str, found: Sequence[Finding], patron: str, cheers: dict[str, str]) -> str:
    """Return findings of one kind as a sentence.

    Parameters
    ----------
    patron : name of their patron.
    cheers : names of cheers cards by id.
    """

    def crowd(each: Finding) -> str:
        return listed([cheers[name] for name in each.cheers])

    if kind == "never met":
        return " ".join(f"{never_met(crowd(each), patron, each.card or '')}." for each in found)
    if kind == "hardly met":
        shares = [f"{crowd(each)} in only {100 * (each.share or 0.0):.0f} %" for each in found]
        return f"Hardly met: {listed(shares)} of days."
    parts = []
    for each in sorted(found, key=lambda each: -(each.share or 0.0)):
        share = 100 * (each.share or 0.0)
        if kind == "late card":
            word = "step" if len(each.steps) == 1 else "steps"
            steps = listed([str(step) for step in each.steps])
            told = f"about {_about(share)} in 100 days in {word} {steps}"
        elif kind == "must":
            told = f"{share:.0f} % of days" + ("" if each.everywhere else f" with {crowd(each)}")
        else:
            told = f"{share:.0f} placed in 100 days"
        if not each.everywhere and kind != "must":
            told += f"; so in {len(each.cheers)} of {len(cheers)} days"
        parts.append(f"{card(each.card or '')} ({told})")
    return f"{_LEADS[kind]}: {', '.join(parts)}."


_LEADS = {
    "must": "Opens most days in the plans found",
    "dead": "Hardly ever placed at all",
    "late card": "Hardly ever first, but placed later",
    "hardly opens": "Hardly ever first",
}


def never_met(cheers: str, patron: str, lacking: str) -> str:
    """Return that nobody can meet a cheers card, by name, for want of a card."""
    return f"Nobody can meet {cheers}: {patron} lets nobody place {named(lacking)}"


def _about(share: float) -> int:
    """Return a share in per cent, in fives where it is large enough."""
    return 5 * round(share / 5) or round(share)
