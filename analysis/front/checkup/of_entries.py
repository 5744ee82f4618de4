"""Entries and choices: which cards, units and the like are out of line, and which nobody uses.

An entry is out of line where it is worth more, or less, than the line through its kind at its price allows:
two and a half times as far as entries usually lie from it (by the median of distances, which a few odd ones
do not move), and not less than `LEAST`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import pi
from statistics import median
from typing import NamedTuple

from analysis.estimates import Estimate, quantile, share
from analysis.front.checkup.answer import Finding, Part
from analysis.front.checkup.scene import LEAST, Scene, Suspect, beyond, plural, share_said, upper
from analysis.front.entries import EntryWorth, in_sentence
from analysis.front.render.numbers import number_text
from analysis.front.verdicts import doubt_said, listed

__all__ = ["Line", "changed_entries", "choices", "entries", "furthest", "line_of", "of_choices", "of_entries"]

_SPREADS = 2.5
_NORMAL_MAD = 1.4826
"""Standard deviations of a normal distribution in its median absolute deviation."""
_RARE, _NEARLY = 0.05, 0.95
_FEWEST_PLAYS, _FEWEST_ENTRIES = 20, 4
_LOOKED_AT = 4
"""Entries that are measured once more."""


class Line(NamedTuple):
    """What entries of a kind are worth by their price, how far from that they may lie, and its error."""

    at: float
    slope: float
    within: float
    error: float

    def expected(self, price: float | None) -> float:
        """Return what an entry of a price is worth in line."""
        return self.at + self.slope * (price or 0.0)


def line_of(entries: Sequence[EntryWorth], span: float) -> Line:
    """Return the line through entries: medians of slopes and of what is left (Theil 1950, Sen 1968)."""
    known = [each for each in entries if each.worth.mean is not None]
    points = [(each.price or 0.0, each.worth.mean or 0.0) for each in known] or [(0.0, 0.0)]
    slopes = [(y - b) / (x - a) for (x, y), (a, b) in combinations(points, 2) if x != a]
    slope = median(slopes) if slopes else 0.0
    rest = [y - slope * x for x, y in points]
    at = median(rest)
    # What chance adds to how far entries lie apart is no spread of theirs.
    chance = median((each.worth.width / quantile()) ** 2 for each in known) if known else 0.0
    apart = (_NORMAL_MAD * median(abs(each - at) for each in rest)) ** 2
    spread = max(apart - chance, 0.0)
    # The variance of a median is half of pi times that of a mean; as much again for the slope.
    error = (pi / 2 * (chance + spread) * (1 + bool(slope)) / len(points)) ** 0.5
    return Line(at, slope, max(LEAST * span, _SPREADS * spread**0.5), error)


def entries(scene: Scene, findings: Sequence[Finding]) -> list[Part]:
    """Return for each kind which are out of line."""
    lines = []
    for word, (found, _) in scene.known.entries.items():
        judged = scene.judged(word)
        name, line = upper(plural(word)), line_of(judged, scene.span)
        about = dict.fromkeys(each.about for each in findings if each.part == name and each.certain)
        known = [each for each in judged if each.worth.mean is not None]
        inside = known and all(
            abs((each.worth.mean or 0.0) - line.expected(each.price)) + each.worth.width <= line.within
            for each in known
        )
        said = f"None of {len(known)} is out of line for certain."
        if about:
            said = f"Out of line: {listed([scene.name_of(each) for each in about])}."
        if less := len(found.entries) - len(judged):
            said += f" {less} more do what is not measured here."
        lines.append(Part(name, "fine" if inside else "open", said))
    return lines


def of_entries(scene: Scene) -> list[Suspect]:
    """Return that an entry is out of line; once some were measured anew, only of these."""
    found = []
    for word, (answer, _) in scene.known.entries.items():
        judged = scene.judged(word)
        line = line_of(judged, scene.span)
        for first in judged if len(judged) >= _FEWEST_ENTRIES else ():
            each = scene.refined.get((word, first.entry), first)
            if each.worth.mean is not None and (not scene.refined or each is not first):
                found.append(_of_entry(scene, word, answer.unit, each, line))
    return found


def _of_entry(scene: Scene, word: str, unit: str, each: EntryWorth, line: Line) -> Suspect:
    expected, worth = line.expected(each.price), each.worth
    mean, low, high = (None if end is None else end - expected for end in (worth.mean, worth.low, worth.high))
    rest = Estimate(mean, low, high, worth.observations)
    far, above, several = abs(mean or 0.0), (mean or 0.0) > 0, plural(word)
    amount = f"{number_text(100 * far, 'number', 1)} points"
    if scene.gain == "signed":
        amount = number_text(far, "number")
    amount += f" ({doubt_said(rest, scene.gain)}) {'more' if above else 'less'} than"
    name, table = upper(in_sentence(each.name, word)), scene.table_of(word, each.entry)
    if each.price is None:
        said = f"{name} is too {'strong' if above else 'weak'}: worth {amount} most {several}."
    else:
        cheap = "cheap" if above else "dear"
        said = f"{name} is too {cheap} at {each.price:g} {unit}: worth {amount} {several} of its price."
    finding = Finding(
        part=upper(several),
        about=table,
        verdict="fix",
        said=said,
        kind=scene.gain,
        value=worth,
        low=expected - line.within,
        high=expected + line.within,
        size=far / line.within,
        changed=table in scene.changes,
        asks=[scene.measures.worth(word, each.entry)],
    )
    width = (rest.width**2 + (quantile() * line.error) ** 2) ** 0.5
    with_line = Estimate(mean, (mean or 0.0) - width, (mean or 0.0) + width, worth.observations)
    chance = beyond(with_line if low is not None else rest, line.within * (1 if above else -1), above=above)
    price = f"{table}.{scene.measures.kinds[word].price}" if each.price is not None else ""
    return Suspect(finding, chance, each.entry, word, price, line.slope)


def furthest(scene: Scene) -> list[tuple[str, str]]:
    """Return the entries that are furthest out of line, after those that differ from the box."""
    out = [each for each in of_entries(scene) if each.finding.size > 1 or each.finding.changed]
    out.sort(key=lambda each: (-each.finding.changed, -each.finding.size))
    return [(each.word, each.entry) for each in out[:_LOOKED_AT]]


def changed_entries(scene: Scene) -> list[tuple[str, str]]:
    """Return the measured entries that differ from those that the box has under their ids."""
    both = scene.changes.keys() & scene.game.read().tables().keys()
    known = [(word, each.entry) for word, each in scene.entries()]
    return [each for each in known if scene.table_of(*each) in both]


def choices(scene: Scene) -> Part | None:
    """Return what is never used."""
    used = [(word, each, each.usage) for word, each in scene.entries() if each.usage and each.usage.plays]
    if not used:
        return None
    never = [in_sentence(each.name, word) for word, each, usage in used if not usage.in_plays]
    always = [
        in_sentence(each.name, word)
        for word, each, usage in used
        if usage.in_plays >= _NEARLY * usage.plays and usage.plays >= _FEWEST_PLAYS
    ]
    who, said = used[0][2].player, f"Each of {len(used)} is used now and then."
    if never:
        said = f"Never used by {who}: {listed(never)}."
    # Where most are, that is how the game is.
    if always and len(always) <= len(used) / 4:
        said += f" Nearly always used{'' if never else f' by {who}'}: {listed(always)}."
    return Part("Choices", "told" if never else "fine", said)


def of_choices(scene: Scene) -> list[Suspect]:
    """Return that an entry is hardly ever used where it could be."""
    found = []
    for word, each in scene.entries():
        if each.usage is None or each.usage.plays < _FEWEST_PLAYS:
            continue
        value, table = share(each.usage.in_plays, each.usage.plays), scene.table_of(word, each.entry)
        name = upper(in_sentence(each.name, word))
        finding = Finding(
            part="Choices",
            about=table,
            verdict="watch",
            said=f"{name} is {each.usage.word} in {share_said(value)} of the plays in which it could be.",
            kind="share",
            value=value,
            low=_RARE,
            size=1.5 if (value.mean or 0.0) < _RARE / 2 else 0.0,
            changed=table in scene.changes,
        )
        found.append(Suspect(finding, beyond(value, _RARE, above=False), each.entry, word))
    return found
