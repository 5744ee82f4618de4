"""What a match is worth between its days: a curve of the lead, with a price for each kind of card kept.

The curve and the prices are those of `ragers match`: logistic regressions over matches of a named player with
itself. So they belong to that way of playing. A day solved with them is exact given them, and nothing more;
plans put together from days solved so are not certified as plans for a match.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from analysis.errors import RequestError
from analysis.ragers.match.report import KnownFigures, read_report
from engine.ragers.rules import Rules

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_OPTION = "--worth"
CURVE_ERROR, READ_ERROR = 0.21, 0.05
"""How far chances read so are off on 100 solved last days, root mean square (`benchmarks/match_worth.py`)."""


@dataclass(frozen=True)
class Worth:
    """What a match is worth before a day, hands being what they may.

    Attributes
    ----------
    day : from 2.
    slope : of the logarithm of the odds of winning, for each GP of lead.
    prices : in GP, for each type: one card more left than the other side.
    words : where that comes from.
    """

    day: int
    slope: float
    prices: tuple[float, ...]
    words: str
    error: float = CURVE_ERROR

    @property
    def costs(self) -> tuple[int, ...]:
        """What placing a card costs, by type, in `COST_UNIT` parts of a GP."""
        return costs_of(self.prices)

    def lead_of_cards(self, left: tuple[tuple[int, ...], tuple[int, ...]]) -> float:
        """Return how many GP the Accusers' cards left are worth more than the Defenders'."""
        return sum(price * (a - b) for price, a, b in zip(self.prices, *left, strict=True))

    def value(self, lead: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what the match is worth to the Accusers, from -1 to 1, at leads that count cards, too."""
        import numpy as np

        worth: NDArray[np.float64] = np.tanh(self.slope * lead / 2.0)
        return worth


@dataclass(frozen=True)
class ReadWorth:
    """What a match is worth after a day, by the Accusers' lead, and what cards are worth then.

    Attributes
    ----------
    leads, values : the curve: worth from -1 to 1 at leads in GP.
    prices : in GP, for each type: one card more left than the other side.
    kept : what the cards that both place on the day cost in GP, the Accusers' less the Defenders', on average
        over the ends that the curve belongs to.
    words : where that comes from.
    """

    leads: tuple[float, ...]
    values: tuple[float, ...]
    prices: tuple[float, ...]
    kept: float
    words: str
    error: float = READ_ERROR

    @property
    def costs(self) -> tuple[int, ...]:
        """What placing a card costs, by type, in `COST_UNIT` parts of a GP."""
        return costs_of(self.prices)

    def lead_of_cards(self, left: tuple[tuple[int, ...], tuple[int, ...]]) -> float:
        """Return the GP that a lead has to be raised by: what cards are placed is told by costs."""
        return self.kept

    def value(self, lead: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what the match is worth to the Accusers, from -1 to 1."""
        import numpy as np

        worth: NDArray[np.float64] = np.interp(lead, self.leads, self.values)
        return worth


def costs_of(prices: Sequence[float]) -> tuple[int, ...]:
    """Return prices in GP as whole `COST_UNIT` parts of a GP; those below nothing count as nothing."""
    from engine.ragers.day_match import COST_UNIT

    return tuple(max(0, round(COST_UNIT * price)) for price in prices)


def read_worth(path: Path | None, rules: Rules, day: int) -> Worth:
    """Return what a match is worth before a day, of an answer of `ragers match`; None for the carried one.

    Raises
    ------
    RequestError
        If there is none for these rules, or it says nothing of that day.
    """
    where = path or carried_path()
    report = read_report(where, _OPTION)
    found = [each for each in report.figures if each.rules.sha256 == rules.sha256]
    if not found:
        raise RequestError(
            "for these rules nothing is known of what a lead is worth: write it with ragers match --player"
            " values --deals 100000 --format json -o FILE",
            _OPTION,
        )
    return worth_of(found[0], day)


def worth_of(figures: KnownFigures, day: int) -> Worth:
    """Return what matches say of the worth before a day; RequestError if too few matches came to it."""
    before = next((each for each in figures.days if each.day == day), None)
    gp_win = None if before is None else before.gp_win.mean
    if before is None or gp_win is None:
        raise RequestError(f"too few matches to know what a lead before day {day} is worth", _OPTION)
    # At a lead of nothing a quarter of the slope is won by a GP more.
    return Worth(
        day,
        4.0 * gp_win,
        tuple(card.gp.mean or 0.0 for card in before.cards),
        f"{figures.matches:,} matches of {figures.player.name} with itself",
    )


def carried_path() -> Path:
    """Return where the report for the box lies."""
    import results

    return Path(results.__file__).parent / "match" / "figures.json"
