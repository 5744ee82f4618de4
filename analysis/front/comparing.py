"""Two answers to one question, figure by figure, and which differences are certain."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.estimates import Estimate
from analysis.front.grid import middle
from analysis.front.page import Cell, Column, Format, Table
from analysis.front.question import Amount
from analysis.front.render.numbers import cell_text
from analysis.front.render.tables import unit_of

__all__ = ["compared"]


def compared(
    left: Sequence[Amount], right: Sequence[Amount], names: tuple[str, str], *, exact: bool
) -> tuple[Table | None, list[bool | None]]:
    """Return the figures side by side, and which differences are certain; None without any.

    A difference is certain where both figures are exact, or where their intervals do not meet; None where
    they do not differ.

    Parameters
    ----------
    names : of the two answers.
    exact : whether both are exact and complete.
    """
    others = {each.key: each for each in right}
    pairs = [(each, others[each.key]) for each in left if each.key in others]
    if not pairs:
        return None, []
    rows: list[list[Cell]] = []
    certain: list[bool | None] = []
    for one, other in pairs:
        before, after = middle(one.value), middle(other.value)
        difference = None if before is None or after is None else after - before
        kind: Format = "gain" if one.kind in ("share", "gain") else "signed"
        cells = [(one.value, one.kind), (other.value, other.kind), (difference, kind)]
        texts = [cell_text(value, of) + (unit_of(of) if value is not None else "") for value, of in cells]
        rows.append([one.head, *texts])
        same = difference is None or abs(difference) < 1e-9
        certain.append(None if same else _certain(one, other, exact=exact))
    heads = ("figure", *names, "difference")
    return Table([Column(f"c{place}", head) for place, head in enumerate(heads)], rows), certain


def _certain(one: Amount, other: Amount, *, exact: bool) -> bool:
    ends = []
    for value in (one.value, other.value):
        if isinstance(value, Estimate):
            if value.low is None or value.high is None:
                return False
            ends.append((value.low, value.high))
        elif exact and value is not None:
            ends.append((value, value))
        else:
            return False
    return ends[0][1] < ends[1][0] or ends[1][1] < ends[0][0]
