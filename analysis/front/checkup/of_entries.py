"""Entries and choices: which cards, units and the like are out of line, and which nobody uses.

An entry is out of line where it is worth more, or less, than the line through its kind at its price allows:
two and a half times as far as entries usually lie from it (by the median of distances, which a few odd ones
do not move), and not less than `LEAST`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import pi
from statistics import fmean, median

from analysis.estimates import Estimate, quantile, share
from analysis.front.checkup.answer import Finding, Part
from analysis.front.checkup.scene import LEAST, Scene, Suspect, beyond, plural, share_said, upper
from analysis.front.entries import EntryWorth, in_sentence
from analysis.front.page import Format
from analysis.front.render.numbers import number_text
from analysis.front.verdicts import doubt_said, listed

__all__ = [
    *("Line", "all_entries", "changed_entries", "choices", "entries", "furthest", "line_of"),
    *("of_choices", "of_entries"),
]

_SPREADS = 2.5
_NORMAL_MAD = 1.4826
"""Standard deviations of a normal distribution in its median absolute deviation."""
_RARE = 0.05
_FEWEST_PLAYS = 20
_LOOKED_AT = 4
"""Entries that are measured once more."""


@dataclass(frozen=True)
class Line:
    """What entries of a kind are worth by their price, and how far from that they may lie.

    Attributes
    ----------
    centre : mean price. `error`, `tilt`: standard errors of the line there, and of its slope.
    """

    at: float
    slope: float
    within: float
    centre: float = 0.0
    error: float = 0.0
    tilt: float = 0.0

    def expected(self, price: float | None) -> float:
        """Return what an entry of a price is worth in line."""
        return self.at + self.slope * (price or 0.0)

    def widened(self, worth: Estimate, price: float | None) -> Estimate:
        """Return what an entry is worth with the doubt of the line added to its own."""
        if worth.low is None or worth.mean is None:
            return worth
        doubt = quantile() * (self.error**2 + (self.tilt * ((price or 0.0) - self.centre)) ** 2) ** 0.5
        width = (worth.width**2 + doubt**2) ** 0.5
        return Estimate(worth.mean, worth.mean - width, worth.mean + width, worth.observations)


def line_of(entries: Sequence[EntryWorth], span: float) -> Line:
    """Return the line through entries: medians of slopes and of what is left (Theil 1950, Sen 1968)."""
    known = [each for each in entries if each.worth.mean is not None]
    points = [(each.price or 0.0, each.worth.mean or 0.0) for each in known]
    slopes = [(y - b) / (x - a) for (x, y), (a, b) in combinations(points, 2) if x != a]
    slope = median(slopes) if slopes and all(each.price is not None for each in known) else 0.0
    rest = [y - slope * x for x, y in points]
    at = median(rest) if rest else 0.0
    # What chance adds to how far entries lie apart is no spread of theirs.
    chance = median((each.worth.width / quantile()) ** 2 for each in known) if known else 0.0
    apart = (_NORMAL_MAD * median(abs(each - at) for each in rest)) ** 2 if rest else 0.0
    spread = max(apart - chance, 0.0) ** 0.5
    within = max(LEAST * span, _SPREADS * spread)
    centre = fmean(x for x, _ in points) if points else 0.0
    far = sum((x - centre) ** 2 for x, _ in points) if slope else 0.0
    # That of a median is larger than that of a mean by the root of half of pi.
    one = (pi / 2 * (chance + spread**2)) ** 0.5
    return Line(at, slope, within, centre, one / max(len(known), 1) ** 0.5, one / far**0.5 if far else 0.0)


def choices(scene: Scene) -> Part | None:
    used = [(word, each) for word, each in all_entries(scene) if each.usage and each.usage.plays]
    if not used:
        return None
    never = [in_sentence(each.name, word) for word, each in used if each.usage and not each.usage.in_plays]
    if not never:
        return Part("Choices", "fine", f"Each of {len(used)} is used now and then.")
    return Part("Choices", "told", f"Never used by {used[0][1].usage.player}: {listed(never)}.")  # type: ignore[union-attr]


def of_choices(scene: Scene) -> list[Suspect]:
    found = []
    for word, each in all_entries(scene):
        if each.usage is None or each.usage.plays < _FEWEST_PLAYS:
            continue
        usage = each.usage
        value = share(usage.in_plays, usage.plays)
        name = in_sentence(each.name, word)
        said = f"{upper(name)} is {usage.word} in {share_said(value)} of the plays in which it could be."
        finding = Finding(
            *(
                "Choices",
                scene.table_of(word, each.entry),
                "watch",
                said,
                "share",
                value,
                _RARE,
                None,
                False,
            ),
            size=1.5 if (value.mean or 0.0) < _RARE / 2 else 0.0,
            changed=scene.table_of(word, each.entry) in scene.changes,
        )
        found.append(Suspect(finding, beyond(value, _RARE, above=False), each.entry, word))
    return found


def entries(scene: Scene, findings: Sequence[Finding]) -> list[Part]:
    lines = []
    for word, (found, _) in scene.known.entries.items():
        name = upper(plural(word))
        about = [each.about for each in findings if each.part == name and each.certain]
        if about:
            names = [scene.name_of(each) for each in dict.fromkeys(about)]
            lines.append(Part(name, "fix", f"Out of line: {listed(names)}."))
            continue
        line = line_of(found.entries, scene.span)
        known = [each for each in found.entries if each.worth.mean is not None]
        inside = all(
            abs((each.worth.mean or 0.0) - line.expected(each.price)) + each.worth.width <= line.within
            for each in known
        )
        said = f"None of {len(known)} is out of line for certain."
        lines.append(Part(name, "fine" if inside and known else "open", said))
    return lines


def of_entries(scene: Scene) -> list[Suspect]:
    found = []
    for word, (answer, _) in scene.known.entries.items():
        line = line_of(answer.entries, scene.span)
        for first in answer.entries:
            each = scene.refined.get((word, first.entry), first)
            if each.worth.mean is None or len(answer.entries) < 4:
                continue
            if scene.refined and each is first:
                continue  # others were further out when all were looked at
            found.append(_of_entry(scene, word, answer.unit, each, line))
    return found


def _of_entry(scene: Scene, word: str, unit: str, each: EntryWorth, line: Line) -> Suspect:
    expected, mean = line.expected(each.price), each.worth.mean or 0.0
    rest, above = mean - expected, mean > expected
    kind: Format = "gain" if scene.game.measure == "share" else "signed"
    apart_ = _moved(each.worth, -expected)
    name = upper(in_sentence(each.name, word))
    amount = f"{number_text(abs(rest), 'number', 1 if kind == 'gain' else 2)}"
    if kind == "gain":
        amount = f"{number_text(abs(100 * rest), 'number', 1)} points"
    doubt = doubt_said(apart_, kind)
    if each.price is None:
        said = f"{name} is too {'strong' if above else 'weak'}: worth {amount} ({doubt})"
        said += f" {'more' if above else 'less'} than most {plural(word)}."
    else:
        said = f"{name} is too {'cheap' if above else 'dear'} at {each.price:g} {unit}: worth {amount}"
        said += f" ({doubt}) {'more' if above else 'less'} than {plural(word)} of its price."
    table = scene.table_of(word, each.entry)
    kind_of = scene.measures.kinds[word]
    bound = expected + (line.within if above else -line.within)
    finding = Finding(
        *(upper(plural(word)), table, "fix", said, kind, each.worth),
        *(expected - line.within, expected + line.within, False),
        size=abs(rest) / line.within,
        changed=table in scene.changes,
        asks=[scene.measures.worth(word, each.entry)],
    )
    price = f"{table}.{kind_of.price}" if kind_of.price else ""
    return Suspect(
        finding,
        beyond(line.widened(each.worth, each.price), bound, above=above),
        each.entry,
        word,
        price,
        line.slope,
    )


def all_entries(scene: Scene) -> list[tuple[str, EntryWorth]]:
    return [(word, each) for word, (found, _) in scene.known.entries.items() for each in found.entries]


def furthest(scene: Scene) -> list[tuple[str, str]]:
    """Return the entries that are furthest out of line, and those that differ from the box."""
    out = sorted(of_entries(scene), key=lambda each: -each.finding.size)
    some = [each for each in out if each.finding.size > 1 or each.finding.changed]
    some.sort(key=lambda each: -each.finding.changed)
    return [(each.word, each.entry) for each in some[:_LOOKED_AT]]


def changed_entries(scene: Scene) -> list[tuple[str, str]]:
    """Return the measured entries that differ from those that the box has under their ids."""
    box = scene.game.read().tables()
    return [
        (word, each.entry)
        for word, each in all_entries(scene)
        if scene.table_of(word, each.entry) in scene.changes.keys() & box.keys()
    ]


def _moved(value: Estimate, by: float) -> Estimate:
    mean, low, high = (None if end is None else end + by for end in (value.mean, value.low, value.high))
    return Estimate(mean, low, high, value.observations)
