"""The bundles that questions of all games share; a question takes those of which it heeds every field."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from analysis.front.parameters import Bundle, param

__all__ = ["LARGEST_SEED", "Kept", "RulesFiles", "Seeded", "Work"]

LARGEST_SEED = 2**62 - 1


class RulesFiles(Bundle, frozen=True, kw_only=True):
    """The rules that are asked about: those of the box, with files and single values laid over them."""

    rules: Annotated[
        tuple[Path, ...],
        param(
            "File with what differs from the box, TOML or a spreadsheet; repeatable, later win.", more=True
        ),
    ] = ()
    set: Annotated[
        tuple[str, ...],
        param("One value, laid over all files; repeatable.", metavar="KEY=VALUE", more=True),
    ] = ()


class Seeded(Bundle, frozen=True, kw_only=True):
    """Chance."""

    seed: Annotated[
        int, param("Random seed; the same seed gives the same answer.", ge=0, le=LARGEST_SEED, more=True)
    ] = 0


class Work(Seeded, frozen=True, kw_only=True):
    """Chance, and how many processes work."""

    jobs: Annotated[
        int,
        param("Processes at work; 0 is one for each processor.", ge=0, le=1024, unit="processes", more=True),
    ] = 1
    scheduler: (
        Annotated[str, param("Work on the Dask cluster there instead.", metavar="ADDRESS", more=True)] | None
    ) = None


class Kept(Bundle, frozen=True, kw_only=True):
    """Where finished work is kept."""

    keep: (
        Annotated[
            Path,
            param("File that keeps what is finished; asked again, the question goes on there.", more=True),
        ]
        | None
    ) = None
