"""The form of answers about balance: fields of their JSON."""

from __future__ import annotations

from typing import Literal

import msgspec

from analysis.clash.reports import SwitchesReport
from analysis.front.question import Answer

WorthKind = Literal["icon", "card", "unit"]


class BalanceArmyReport(msgspec.Struct, frozen=True):
    """An army, and its mean chance to hold the territory as attacker and as defender; None if unfinished."""

    clan: str
    counts: list[int]
    attacks: float | None
    defends: float | None


class ClanCellReport(msgspec.Struct, frozen=True):
    """A clan against another.

    Attributes
    ----------
    mean : the attacker's chance, over all pairs of armies.
    chosen : its chance if both choose an army at once, as well as can be: the value of that matrix game.
    """

    attacker: str
    defender: str
    mean: float | None
    chosen: float | None


class WorthReport(msgspec.Struct, frozen=True):
    """What one more icon, card or figure gives an attacker.

    Attributes
    ----------
    battles : in which it was tried.
    gain : in the chance to hold the territory, on average, on the unit type where it gains the most; and its
        `deviation` between battles.
    price : gold of a card, points of a figure; None for an icon.
    """

    kind: WorthKind
    name: str
    battles: int
    gain: float
    deviation: float
    price: float | None
    gain_per_price: float | None


class ComparedReport(msgspec.Struct, frozen=True):
    """The same battles by other rules.

    Attributes
    ----------
    mean, mean_size : of the changes of the attacker's chance, and of their sizes.
    largest : the largest change, and where.
    """

    change: str
    cells: list[ClanCellReport]
    mean: float
    mean_size: float
    largest: float
    largest_attacker: str
    largest_defender: str


class BalanceAnswer(Answer, frozen=True, kw_only=True):
    """Battles of all armies that count the same.

    Attributes
    ----------
    points : what every army counts, by `weights` of its levels.
    wins : the attacker's chance, a row for each attacker; None within a clan, and where work was stopped.
    contested : worths are measured in battles with chances between these.
    battles : pairs of armies; `solves`: battles solved, of the same numbers one.
    """

    switches: SwitchesReport
    clans: list[str]
    points: float
    weights: dict[str, float]
    armies: list[BalanceArmyReport]
    wins: list[list[float | None]]
    cells: list[ClanCellReport]
    contested: list[float]
    worth: list[WorthReport]
    compared: list[ComparedReport]
    battles: int
    solves: int
    sha256: str
