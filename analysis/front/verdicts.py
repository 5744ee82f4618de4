"""Sentences that judge: figures with their doubt go in, and only what these carry comes out.

Every word such as best, most, strong, certain or unchanged in an answer is said by this module, in all games:

- `best` and `Best.said`: which of several figures is the highest, or which are among the highest;
- `change_said`: what a change does to figures, the largest first, with its doubt, which `compared` and `holm`
  of `analysis.front.chance` find;
- `side_of`: on which side of a number a figure lies, if that is known;
- `doubt_said` and `cut`: an interval in words ("error not known" without one), within what is possible.

A deal is one observation. Figures that were measured on the same deals are compared deal by deal
(`Figure.deals`), which takes out the luck that they share. What is named by itself, or called certain, is
wrong in at most 5 % of answers, all figures of an answer together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import msgspec

from analysis.estimates import CONFIDENCE, Estimate
from analysis.front.chance import ROUNDING, is_exact, middle_of, pairs_of
from analysis.front.page import Format
from analysis.front.render.numbers import cell_text, number_text

__all__ = [
    "Best",
    "Changed",
    "Figure",
    "best",
    "change_said",
    "cut",
    "doubt_said",
    "listed",
    "side_of",
]

_NAMED = 3
"""So many that may be the best are named."""
_SHOWN = 5
"""So many names stand in a sentence; the others are counted."""
_UNITS = {"share": " %", "gain": " points"}


# ---- the best of several -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Figure:
    """One of several that are compared.

    Attributes
    ----------
    name : as it stands in a sentence, never an id.
    value : a number, which then is exact; or with its interval; None without an answer.
    deals : what it was in each deal, where all of them were measured on the same deals; not a number (nan) in
        a deal that says nothing of it.
    """

    name: str
    value: Estimate | float | None
    deals: Sequence[float] = ()


class Best(msgspec.Struct, frozen=True):
    """Which are the best, as far as figures tell; a part of answers, so that their pages can say it.

    Attributes
    ----------
    kind : "one" that is above all others for certain; "tied", several that are exactly equal, and above all
        others; "among", several of which none is known to be above another; "open", if that holds for all of
        them; "none" without an answer, and where there is only one.
    names : of these, the highest first.
    among : of how many.
    alike : how many of the first names came out equal; ties are ties, whatever their errors.
    """

    kind: Literal["one", "tied", "among", "open", "none"] = "none"
    names: tuple[str, ...] = ()
    among: int = 0
    alike: int = 1

    def said(
        self,
        verb: str = "is best",
        verbs: str = "are best",
        nothing: str = "",
        figures: Mapping[str, Estimate] | None = None,
        kind: Format = "share",
    ) -> str:
        """Return the sentence: ``Basher is best.``, ``Among the best …``; `nothing` without an answer.

        Parameters
        ----------
        verb, verbs : what is said of one that is above all others, and of several.
        figures, kind : name -> its figure, which stands behind it; how that is written.
        """
        known = {name: each for name, each in (figures or {}).items() if each.mean is not None}
        unit = _UNITS.get(kind, "")
        much = {name: f"{number_text(each.mean or 0.0, kind)}{unit}" for name, each in known.items()}
        names = [f"{name} ({much[name]})" if name in much else name for name in self.names]
        if self.kind == "none":
            return nothing
        if self.kind == "one":
            [name] = self.names
            return (
                f"{name} {verb}: {much[name]} ({doubt_said(known[name], kind)})."
                if much
                else f"{name} {verb}."
            )
        if self.kind == "tied":
            return f"{listed(names)} {verbs}: they are equal."
        if len(self.names) > _NAMED:
            may = f"{len(self.names)} of {self.among} may be" if self.kind == "among" else "any may be"
            highest = "all measured the same"
            if self.alike < len(names):
                highest = f"{listed(names[: self.alike])} measured highest"
            return f"Which {verb} is not known: {may}; {highest}."
        return f"Which {verb} is not known: it is {listed(names, 'or')}."


def best(
    figures: Sequence[Figure], *, least: bool = False, proved: bool = False, finished: bool = True
) -> Best:
    """Return which of several figures are the highest.

    Exact numbers are compared as they are. Deals that all have in common are compared one by one by Student's
    t, each pair at a level that allows for the choice among all (Bonferroni over the rivals of the best one;
    Hsu 1996, *Multiple comparisons*, on why the pairs with the best one are enough). Other figures differ if
    their intervals do not overlap.

    Parameters
    ----------
    least : the lowest are meant.
    proved : intervals are proved bounds, such as a bracket, or a value with its NashConv to either side.
    finished : whether the answer is; what was cut short names nobody, nor does one figure without an answer.
    """
    known = [each for each in figures if middle_of(each.value) is not None]
    if len(known) < max(len(figures), 2) or not finished:
        return Best("none")
    sign = -1.0 if least else 1.0
    above = _above_by_deals(known, sign) if _same_deals(known) else _above_by_bounds(known, sign, proved)
    order = sorted(range(len(known)), key=lambda place: -sign * (middle_of(known[place].value) or 0.0))
    left = [place for place in order if not any(rival[place] for rival in above)]
    names = tuple(known[place].name for place in left)
    if len(left) == 1:
        return Best("one", names, len(known))
    middles = [middle_of(known[place].value) or 0.0 for place in left]
    alike = sum(abs(middle - middles[0]) <= ROUNDING for middle in middles)
    if all(is_exact(known[place].value) for place in left):
        return Best("tied", names, len(known), alike)
    return Best("open" if len(left) == len(known) else "among", names, len(known), alike)


def _same_deals(figures: Sequence[Figure]) -> bool:
    number = len(figures[0].deals)
    return number > 1 and all(len(each.deals) == number for each in figures)


def _above_by_deals(figures: Sequence[Figure], sign: float) -> list[list[bool]]:
    """For each figure, which others it is certainly above, deal by deal."""
    import numpy as np
    from scipy.special import stdtrit

    pairs = pairs_of([each.deals for each in figures], sign)
    with np.errstate(invalid="ignore"):
        far = stdtrit(pairs.freedom, 1 - (1 - CONFIDENCE) / 2 / (len(figures) - 1))
        found: list[list[bool]] = (pairs.shrunk > far * pairs.careful + ROUNDING).tolist()
    return found


def _above_by_bounds(figures: Sequence[Figure], sign: float, proved: bool) -> list[list[bool]]:
    """For each figure, which others it is certainly above, as their intervals do not overlap."""
    from analysis.estimates import quantile

    wider = 1.0
    if not proved:
        # Two intervals that do not overlap differ by more than they need to; many of them use that up.
        share = (1 - CONFIDENCE) / max(len(figures) - 1, 1)
        wider = max(1.0, quantile(1 - share) / quantile() / 2**0.5)

    def ends(value: Estimate | float | None) -> tuple[float, float]:
        if not isinstance(value, Estimate):
            number = sign * float(value or 0.0)
            return number, number
        if value.mean is None or value.low is None or value.high is None:
            return -float("inf"), float("inf")
        bounds = (value.mean + wider * (end - value.mean) for end in (value.low, value.high))
        low, high = sorted(sign * end for end in bounds)
        return low, high

    known = [ends(each.value) for each in figures]
    return [[low > other[1] + ROUNDING for other in known] for low, _ in known]


def listed(names: Sequence[str], word: str = "and") -> str:
    """Return names as a sentence has them: ``A``, ``A and B``, ``A, B and 7 others``."""
    shown = list(names)
    if len(shown) > _SHOWN + 1:
        shown = [*shown[:_SHOWN], f"{len(names) - _SHOWN} others"]
    return f" {word} ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)


# ---- one figure, and several at once -----------------------------------------------------------------------


def side_of(value: Estimate, middle: float = 0.0) -> Literal["above", "below", "open", "unknown"]:
    """Return on which side of a number a figure lies, by its interval; "unknown" if it has none."""
    if value.low is None or value.high is None:
        return "unknown"
    return "above" if value.low > middle else "below" if value.high < middle else "open"


def cut(value: Estimate, low: float | None, high: float | None) -> Estimate:
    """Return a figure whose interval leaves out what is not possible."""
    if value.low is None or value.high is None:
        return value
    least, most = value.low, value.high
    if low is not None:
        least, most = max(least, low), max(most, low)
    if high is not None:
        least, most = min(least, high), min(most, high)
    return msgspec.structs.replace(value, low=least, high=most)


def doubt_said(value: Estimate, kind: Format, digits: int | None = None) -> str:
    """Return an interval in words, ``-0.620 to +0.830``; "error not known" where nothing tells it."""
    if value.low is None or value.high is None:
        return "error not known"
    return f"{number_text(value.low, kind, digits)} to {number_text(value.high, kind, digits)}"


# ---- changes in words --------------------------------------------------------------------------------------


class Changed(Protocol):
    """A figure on two sides, such as `analysis.front.difference.Difference`."""

    @property
    def head(self) -> str:
        """What the figure is called."""

    @property
    def kind(self) -> Format:
        """How it is written."""

    @property
    def before(self) -> Estimate | float | None:
        """What it is on the first side."""

    @property
    def after(self) -> Estimate | float | None:
        """What it is on the other side."""

    @property
    def change(self) -> Estimate:
        """The second less the first, with its interval where one is known."""

    @property
    def certain(self) -> bool | None:
        """Whether they differ for certain (`holm`); None if nothing tells."""


def change_said(
    changes: Sequence[Changed],
    one: str,
    other: str,
    *,
    finished: bool = True,
    untested: str = "It is not tested against chance.",
) -> str:
    """Return the sentences about what a change does: the largest first, with its doubt.

    A certain change comes before one that is not, and that before one that nothing tests; among these the
    first figure's kind counts, so that shares are not compared with lengths.

    Parameters
    ----------
    one, other : what both sides are called.
    finished : whether both answers are; what was cut short is not judged.
    untested : what is said of a change that nothing tests.
    """
    known = [each for each in changes if each.change.mean is not None]
    if not known:
        return f"There is nothing to compare between {one} and {other}."
    if not finished:
        return f"Stopped early: what differs between {one} and {other} is not judged."
    moved = [each for each in known if abs(each.change.mean or 0.0) > ROUNDING]
    if not moved:
        open_ = [each for each in known if not _settled(each)]
        same = f"All figures are the same by {one} and by {other}"
        return f"{same}, as far as was measured." if open_ else f"{same}."
    first = _largest(moved)
    sure = sum(each.certain is True for each in known)
    said = f"The largest change from {one} to {other}: {_moved(first)}."
    if first.certain:
        sure_of = "It is certain." if sure == 1 else f"{sure} of {len(known)} figures change for certain."
        return f"{said} {sure_of}"
    if first.certain is None:
        return f"{said} {untested}"
    tested = sum(each.certain is not None for each in known)
    if tested > 1 and side_of(first.change) in ("above", "below"):
        return f"{said} Among {tested} figures one may differ so much by chance."
    return f"{said} It may be nothing."


def _settled(each: Changed) -> bool:
    return each.change.low is not None and each.change.low == each.change.high


def _largest(moved: Sequence[Changed]) -> Changed:
    for wanted in (True, False, None):
        if fit := [each for each in moved if each.certain is wanted]:
            kind = fit[0].kind
            return max(
                (each for each in fit if each.kind == kind), key=lambda each: abs(each.change.mean or 0.0)
            )
    raise AssertionError("nothing has moved")


def _moved(each: Changed) -> str:
    """A figure that has changed, in its own words: ``draws, from 3.0 to 5.0 % (+1.2 to +2.8 points)``."""
    ends = [cell_text(middle_of(value), each.kind) for value in (each.before, each.after)]
    kind: Format = "gain" if each.kind in ("share", "gain") else "signed"
    unit = _UNITS.get(each.kind, "")
    if each.change.low is None or _settled(each):
        doubt = ""
    else:
        doubt = f" ({doubt_said(each.change, kind, 2 if kind == 'signed' else 1)}{_UNITS.get(kind, '')})"
    return f"{each.head}, from {ends[0]} to {ends[1]}{unit}{doubt}"
