"""How far to trust an answer: one scale for all commands and pages.

NashConv by itself says little: 0.3 GP is nothing where a day pays ten, and half of the day where it pays
0.6. So it is put in proportion to what a day pays, which is the mean of both players' mean glory points: the
same from either side of the table, and each player's own mean where both decks are alike.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import msgspec

if TYPE_CHECKING:
    from analysis.ragers.answers.answer import Answer

Grade = Literal["exact", "good", "fair", "rough", "no answer yet"]
NO_ANSWER: Grade = "no answer yet"

#: The largest share of what a day pays that NashConv may be, by grade; above the last there is no answer yet.
GRADES: tuple[tuple[Grade, float], ...] = (("exact", 0.02), ("good", 0.05), ("fair", 0.10), ("rough", 0.20))
EXACT_SHARE, FAIR_SHARE = (dict(GRADES)[grade] for grade in ("exact", "fair"))

#: Rates at which NashConv usually falls, as a power of time, by method: days un-merged fall by half while
#: time grows by a half (measured on four days of the box); merging sets a limit that is felt early.
_USUAL_RATES = {"exact": 1.7, "merged": 1.0}
_SLOWEST_RATE, _FASTEST_RATE = 0.5, 2.0
#: Before so many iterations NashConv hardly falls, and tells nothing.
_SILENT = 10
#: A rate is read off a solve only from so many values of NashConv, over so long a part of it.
_FEWEST_POINTS, _LEAST_SPAN = 3, 1.5
#: Estimates are wrong; a limit that turns out too long costs less than one too short.
_MARGIN = 1.25
_LIMITS_MIN = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50)


class Trust(msgspec.Struct, frozen=True, kw_only=True):
    """How far to trust an answer.

    Attributes
    ----------
    grade : by `share`, see `GRADES`.
    share : NashConv in proportion to what a day pays; None where that is not known, or nothing.
    day_pays_gp : mean of both players' mean GP; None where it is not known.
    fair_after_s : seconds after which the answer should be fair, where it is rough or less and that can be
        told.
    fair_after_by : ``history``: by how NashConv fell in this solve; ``usual``: as it usually does.
    """

    grade: Grade
    share: float | None
    day_pays_gp: float | None
    fair_after_s: float | None = None
    fair_after_by: Literal["history", "usual"] | None = None

    @property
    def answers(self) -> bool:
        """Whether there is an answer to be shown at all."""
        return self.grade != NO_ANSWER


def day_pays(mean_gp: Sequence[float]) -> float | None:
    """Return what a day pays, given the mean GP of both players; None where they are not known."""
    pays = sum(mean_gp) / len(mean_gp)
    return pays if math.isfinite(pays) else None


def grade_of(nash_conv_gp: float, day_pays_gp: float | None) -> tuple[Grade, float | None]:
    """Return the grade of a NashConv where a day pays so much, and its share of that."""
    if nash_conv_gp == 0:
        return "exact", 0.0
    if day_pays_gp is None or day_pays_gp <= 0 or not math.isfinite(nash_conv_gp):
        return NO_ANSWER, None
    share = nash_conv_gp / day_pays_gp
    return next((grade for grade, most in GRADES if share <= most), NO_ANSWER), share


def trust_in(answer: Answer) -> Trust:
    """Return how far to trust a stored or solved answer."""
    pays = day_pays(answer.mean_gp)
    grade, share = grade_of(answer.nash_conv_gp, pays)
    after, by = None, None
    if share is not None and share > FAIR_SHARE and pays is not None:
        after, by = seconds_to(FAIR_SHARE * pays, answer)
    return Trust(grade=grade, share=share, day_pays_gp=pays, fair_after_s=after, fair_after_by=by)


def seconds_to(target_gp: float, answer: Answer) -> tuple[float, Literal["history", "usual"]]:
    """Return after how long a solve should reach a NashConv, at its speed so far, and what that rests on.

    NashConv is taken to fall as a power of time: the one that it followed in the solve, where it was seen
    often enough, within limits; the usual one elsewhere. It begins to fall after some iterations only.
    """
    history = [] if answer.history is msgspec.UNSET else answer.history
    rate = fall_rate(history)
    usual = _USUAL_RATES.get(answer.method, _USUAL_RATES["merged"])
    factor = (answer.nash_conv_gp / target_gp) ** (1 / (usual if rate is None else rate))
    factor *= max(1.0, _SILENT / max(answer.iterations, 1))
    return _MARGIN * factor * answer.seconds, "usual" if rate is None else "history"


def fall_rate(history: Sequence[tuple[float, float]]) -> float | None:
    """Return the power of time by which NashConv fell, from pairs of seconds and NashConv; None if too few.

    Counted are the last three quarters of the time: what comes before says more about building tables.
    """
    if not history:
        return None
    last = history[-1][0]
    points = [(math.log(s), math.log(gap)) for s, gap in history if s >= last / 4 and s > 0 and gap > 0]
    if len(points) < _FEWEST_POINTS or points[-1][0] - points[0][0] < math.log(_LEAST_SPAN):
        return None
    mean_s = sum(s for s, _ in points) / len(points)
    mean_gap = sum(gap for _, gap in points) / len(points)
    slope = sum((s - mean_s) * (gap - mean_gap) for s, gap in points) / sum(
        (s - mean_s) ** 2 for s, _ in points
    )
    return min(max(-slope, _SLOWEST_RATE), _FASTEST_RATE)


def time_limit(seconds: float) -> str:
    """Return a limit for `--time-limit` that is at least so long: whole minutes, or whole hours."""
    minutes = seconds / 60
    for each in _LIMITS_MIN:
        if minutes <= each:
            return f"{each}m"
    return f"{math.ceil(minutes / 60)}h"
