"""Who gets how much against whom, as a table for other programs: CSV, or Gambit's `.nfg`."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Context, Decimal

from solver.gambit_labels import distinct_labels, quoted

FORMS = (".csv", ".nfg")
_EXACTLY = Context(prec=400)


@dataclass(frozen=True)
class PayoffMatrix:
    """What choices pay against each other.

    Attributes
    ----------
    title : what is compared.
    players : who chooses a row, and who a column.
    rows, columns : names of what can be chosen.
    payoffs : [row][column] what the first player gets; None where that is not known.
    total : what both get together.
    """

    title: str
    players: tuple[str, str]
    rows: Sequence[str]
    columns: Sequence[str]
    payoffs: Sequence[Sequence[float | None]]
    total: float = 1.0

    @property
    def complete(self) -> bool:
        """Whether everything is known."""
        return all(payoff is not None for row in self.payoffs for payoff in row)


def against_each(
    title: str, player: str, found: Sequence[tuple[str, float | None]], total: float = 1.0
) -> PayoffMatrix:
    """Return a matrix of players, one of whom has played all others: who plays itself gets half by design.

    Parameters
    ----------
    found : opponents, and what `player` gets against each; None if that is not known.
    """
    others = [(name, payoff) for name, payoff in found if name != player]
    names = [player, *(name for name, _ in others)]
    payoffs: list[list[float | None]] = [[None] * len(names) for _ in names]
    for place, (_, payoff) in enumerate(others, 1):
        if payoff is not None:
            payoffs[0][place], payoffs[place][0] = payoff, total - payoff
    for place in range(len(names)):
        payoffs[place][place] = total / 2
    return PayoffMatrix(title, ("row", "column"), names, names, payoffs, total)


def csv_text(matrix: PayoffMatrix) -> str:
    """Return a line of names, then a line for each row: its name and what it pays; empty where unknown."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["", *matrix.columns])
    writer.writerows([name, *row] for name, row in zip(matrix.rows, matrix.payoffs, strict=True))
    return text.getvalue()


def nfg_text(matrix: PayoffMatrix) -> str:
    """Return a complete matrix in Gambit's `.nfg`: decimals, of which both players' sum to the total exactly.

    Not checked: that it is complete.
    """

    def braced(texts: Sequence[str]) -> str:
        return "{ " + " ".join(map(quoted, distinct_labels(texts))) + " }"

    total = Decimal(repr(matrix.total))
    lines = [f"NFG 1 R {quoted(matrix.title)} {braced(matrix.players)}", ""]
    lines += [f"{{ {braced(matrix.rows)} {braced(matrix.columns)} }}", '""', ""]
    for column in range(len(matrix.columns)):
        first = [Decimal(repr(row[column])) for row in matrix.payoffs]
        lines.append(" ".join(f"{each:f} {_EXACTLY.subtract(total, each):f}" for each in first))
    return "\n".join(lines) + "\n"
