"""The option ``--matrix``: pay-offs as a table for nashpy, Gambit and spreadsheets."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click

from analysis.errors import RequestError
from analysis.files import check_output, write_atomically
from analysis.payoff_matrices import FORMS, PayoffMatrix, csv_text, nfg_text

OPTION = "--matrix"


@dataclass(frozen=True)
class MatrixFile:
    """Where a matrix goes; its form is told by the name's end. No path, no matrix."""

    path: Path | None

    def __bool__(self) -> bool:
        return self.path is not None

    @property
    def needs_all(self) -> bool:
        """Whether its form has no place for what is not known."""
        return self.path is not None and self.path.suffix == ".nfg"

    def write(self, matrix: PayoffMatrix) -> None:
        """Write a matrix, if one was asked for, and say so on stderr, or what is in the way."""
        if self.path is None:
            return
        if self.needs_all and not matrix.complete:
            click.echo(f"{self.path}: not written: not everything was played, and .nfg needs all", err=True)
            return
        text = nfg_text(matrix) if self.needs_all else csv_text(matrix)
        try:
            write_atomically(self.path, text.encode())
        except OSError as error:
            click.echo(f"Error: cannot write {str(self.path)!r}: {error.strerror}.", err=True)
            return
        click.echo(f"{self.path}: {len(matrix.rows)} rows, {len(matrix.columns)} columns", err=True)


def matrix_file(matrix: Path | None) -> MatrixFile:
    """Return where a matrix goes; RequestError if its name does not end in one of the forms."""
    if matrix is not None:
        if matrix.suffix not in FORMS:
            raise RequestError(f"{matrix.name!r} ends neither in .csv nor in .nfg, which is its form", OPTION)
        check_output(matrix, OPTION)
    return MatrixFile(matrix)
