"""Sentences that judge: figures with their doubt go in, and only what these carry comes out.

Every word such as best, most, strong, certain or unchanged in an answer is said by this module, in all games:

- `best` and `Best.said`: which of several figures is the highest, or which are among the highest;
- `compared`, `holm` and `change_said`: what a change does to figures, the largest first, with its doubt;
- `side_of`: on which side of a number a figure lies, if that is known;
- `doubt_said` and `cut`: an interval in words ("not known" where nothing tells it), within what is possible.

A deal is one observation. Figures that were measured on the same deals are compared deal by deal
(`Figure.deals`), which takes out the luck that they share. What is named by itself, or called certain, is
wrong in at most 5 % of answers, all figures of an answer together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from analysis.estimates import CONFIDENCE, Estimate
from analysis.front.page import Format
from analysis.front.render.numbers import cell_text, number_text

__all__ = [
    "ROUNDING",
    "Best",
    "Changed",
    "Figure",
    "best",
    "chance_of",
    "change_said",
    "compared",
    "cut",
    "doubt_said",
    "holm",
    "listed",
    "side_of",
]

ROUNDING = 1e-9
"""Exact figures that differ by less are equal."""
_SHOWN = 5
"""So many names stand in a sentence; the others are counted."""
_ADDED = 2
"""Observations added at either bound, as `analysis.estimates.estimate` does."""
_UNITS = {"share": " %", "gain": " points"}


# ---- the best of several -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Figure:
    """One of several that are compared.

    Attributes
    ----------
    name : as it stands in a sentence, never an id.
    value : a number, which then is exact; or with its interval; None without an answer.
    deals : what it was in each deal, where all of them were measured on the same deals.
    """

    name: str
    value: Estimate | float | None
    deals: Sequence[float] = ()


@dataclass(frozen=True)
class Best:
    """Which are the best, as far as figures tell.

    Attributes
    ----------
    kind : "one" that is above all others for certain; "tied", several that are exactly equal, and above all
        others; "among", several of which none is known to be above another; "open", if that holds for all of
        them; "none" without an answer, and where there is only one.
    names : of these, the highest first.
    among : of how many.
    """

    kind: Literal["one", "tied", "among", "open", "none"]
    names: tuple[str, ...] = ()
    among: int = 0

    def said(self, verb: str = "is best", verbs: str = "are best", nothing: str = "") -> str:
        """Return the sentence: ``Basher is best.``, ``Among the best …``; `nothing` without an answer.

        Parameters
        ----------
        verb, verbs : what is said of one that is above all others, and of several.
        """
        if self.kind == "none":
            return nothing
        if self.kind == "one":
            return f"{self.names[0]} {verb}."
        if self.kind == "tied":
            return f"{listed(self.names)} {verbs}: they are equal."
        if self.kind == "open" and self.among > _SHOWN:
            return f"Which of these {self.among} {verb} is not known; {self.names[0]} measured highest."
        return f"Which {verb} is not known; it is one of {listed(self.names, 'or')}."


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
    known = [each for each in figures if _middle(each.value) is not None]
    if len(known) < max(len(figures), 2) or not finished:
        return Best("none")
    sign = -1.0 if least else 1.0
    above = _above_by_deals(known, sign) if _same_deals(known) else _above_by_bounds(known, sign, proved)
    order = sorted(range(len(known)), key=lambda place: -sign * (_middle(known[place].value) or 0.0))
    left = [place for place in order if not any(rival[place] for rival in above)]
    names = tuple(known[place].name for place in left)
    if len(left) == 1:
        return Best("one", names, len(known))
    if all(_exact(known[place].value) for place in left):
        return Best("tied", names, len(known))
    return Best("open" if len(left) == len(known) else "among", names, len(known))


def _same_deals(figures: Sequence[Figure]) -> bool:
    number = len(figures[0].deals)
    return number > 1 and all(len(each.deals) == number for each in figures)


def _above_by_deals(figures: Sequence[Figure], sign: float) -> list[list[bool]]:
    """For each figure, which others it is certainly above, deal by deal."""
    import numpy as np
    from scipy.special import stdtrit

    deals = sign * np.array([each.deals for each in figures], dtype=np.float64)
    deals -= deals.mean(axis=0)
    count = deals.shape[1]
    sums, products = deals.sum(axis=1), deals @ deals.T
    squares = np.diag(products)
    # Differences as large as the largest seen are added to either side: a few like ones do not say that all
    # are.
    farthest = float((deals.max(axis=0) - deals.min(axis=0)).max())
    whole = count + 2 * _ADDED
    mean = (sums[:, None] - sums[None, :]) / whole
    total = squares[:, None] + squares[None, :] - 2 * products + 2 * _ADDED * farthest**2
    error = np.sqrt(np.maximum(total / whole - mean**2, 0.0) / (whole - 1))
    far = stdtrit(count - 1, 1 - (1 - CONFIDENCE) / 2 / (len(figures) - 1))
    found: list[list[bool]] = (mean > far * error + ROUNDING).tolist()
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


def _exact(value: Estimate | float | None) -> bool:
    return not isinstance(value, Estimate) or (value.low is not None and value.low == value.high)


def _middle(value: Estimate | float | None) -> float | None:
    return value.mean if isinstance(value, Estimate) else value


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
    from msgspec.structs import replace

    if value.low is None or value.high is None:
        return value
    least, most = value.low, value.high
    if low is not None:
        least, most = max(least, low), max(most, low)
    if high is not None:
        least, most = min(least, high), min(most, high)
    return replace(value, low=least, high=most)


def doubt_said(value: Estimate, kind: Format, digits: int | None = None) -> str:
    """Return an interval in words, ``-0.620 to +0.830``; "not known" where nothing tells it."""
    if value.low is None or value.high is None:
        return "not known"
    return f"{number_text(value.low, kind, digits)} to {number_text(value.high, kind, digits)}"


def chance_of(deals: Sequence[float], bound: float | None = None) -> float | None:
    """Return how likely a mean as far from 0 as that of these deals is by chance alone.

    By Student's t, with differences of the largest size added to either side; None if nothing tells.

    Parameters
    ----------
    deals : differences, one a deal.
    bound : none can be larger; the largest that was seen if it is not known.
    """
    import numpy as np
    from scipy.special import stdtr

    sample = np.asarray(deals, dtype=np.float64)
    count = len(sample)
    if count < 2:
        return None
    far = float(np.abs(sample).max()) if bound is None else bound
    if not np.abs(sample).max() > ROUNDING:
        return 1.0
    whole = count + 2 * _ADDED
    mean = float(sample.sum()) / whole
    square = (float(sample @ sample) + 2 * _ADDED * far**2) / whole - mean**2
    return float(2 * stdtr(count - 1, -abs(mean) / (square / (whole - 1)) ** 0.5))


def compared(
    before: Estimate | float | None,
    after: Estimate | float | None,
    deals: tuple[Sequence[float], Sequence[float]] | None = None,
    *,
    proved: bool = False,
    bound: float | None = None,
) -> tuple[Estimate, float | None]:
    """Return what `after` is more than `before`, and how likely such a change is by chance alone.

    That chance goes through `holm` with those of all figures of the answer. It is 0 or 1 where both are exact
    or proved, and None where nothing tells.

    Parameters
    ----------
    deals : what both were in each deal, where they were played with the same luck.
    proved : numbers are exact, and intervals proved bounds; else a number without an interval is not tested.
    bound : no difference of a deal is larger, such as 1 for shares.
    """
    from analysis.estimates import estimate

    one, other = _middle(before), _middle(after)
    if deals is not None and deals[0] and deals[1]:
        pairs = [with_ - without for without, with_ in zip(*deals, strict=False)]
        change = estimate(pairs, None if bound is None else (-bound, bound))
        return change, chance_of(pairs, bound)
    if one is None or other is None:
        return Estimate(None, None, None, 0), None
    change = Estimate(other - one, None, None, 0)
    (low, high), (low_after, high_after) = _ends(before, proved), _ends(after, proved)
    if low is None or high is None or low_after is None or high_after is None:
        return change, None
    change = Estimate(other - one, low_after - high, high_after - low, 0)
    if proved or (_exact(before) and _exact(after)):
        apart = low_after > high + ROUNDING or high_after < low - ROUNDING
        return change, 0.0 if apart else 1.0
    return change, _chance_of_ends(before, after, change)


def _ends(value: Estimate | float | None, proved: bool) -> tuple[float | None, float | None]:
    if isinstance(value, Estimate):
        return value.low, value.high
    return (value, value) if proved else (None, None)


def _chance_of_ends(
    before: Estimate | float | None, after: Estimate | float | None, change: Estimate
) -> float:
    """The chance of a difference of two samples, whose errors may be related at worst."""
    from scipy.special import stdtr, stdtrit

    assert change.mean is not None
    assert change.low is not None
    assert change.high is not None
    width = change.mean - change.low if change.mean > 0 else change.high - change.mean
    if abs(change.mean) <= ROUNDING:
        return 1.0
    if width <= 0:
        return 0.0
    samples = [
        each.observations for each in (before, after) if isinstance(each, Estimate) and each.observations
    ]
    freedom = max(min(samples) - 1, 1) if samples else 1e9
    return float(2 * stdtr(freedom, -stdtrit(freedom, 0.5 + CONFIDENCE / 2) * abs(change.mean) / width))


def holm(chances: Sequence[float | None]) -> list[bool | None]:
    """Return which differences are certain, all of them together; None where nothing tells.

    Holm 1979, *A simple sequentially rejective multiple test procedure*: any of them is called certain
    wrongly in at most 5 % of answers, however many are tested.
    """
    found: list[bool | None] = [None if chance is None else False for chance in chances]
    tested = sorted((chance, place) for place, chance in enumerate(chances) if chance is not None)
    for done, (chance, place) in enumerate(tested):
        if chance > (1 - CONFIDENCE) / (len(tested) - done):
            break
        found[place] = True
    return found


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
    def without(self) -> Estimate | float | None:
        """What it is on the first side."""

    @property
    def changed(self) -> Estimate | float | None:
        """What it is on the other side."""

    @property
    def change(self) -> Estimate:
        """The second less the first, with its interval where one is known."""

    @property
    def certain(self) -> bool | None:
        """Whether they differ for certain (`holm`); None if nothing tells."""


def change_said(changes: Sequence[Changed], one: str, other: str, *, finished: bool = True) -> str:
    """Return the sentences about what a change does: the largest first, with its doubt.

    A certain change comes before one that is not, and that before one that nothing tests; among these the
    first figure's kind counts, so that shares are not compared with lengths.

    Parameters
    ----------
    one, other : what both sides are called.
    finished : whether both answers are; what was cut short is not judged.
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
        return f"{said} It is not tested against chance."
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
    ends = [cell_text(_middle(value), each.kind) for value in (each.without, each.changed)]
    kind: Format = "gain" if each.kind in ("share", "gain") else "signed"
    unit = _UNITS.get(each.kind, "")
    if each.change.low is None or _settled(each):
        doubt = ""
    else:
        doubt = f" ({doubt_said(each.change, kind, 2 if kind == 'signed' else 1)}{_UNITS.get(kind, '')})"
    return f"{each.head}, from {ends[0]} to {ends[1]}{unit}{doubt}"
