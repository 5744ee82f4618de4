"""What ``ragers bench`` reports, laid out as in ``schema/bench-1.schema.json``; tables, and comparisons."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from pathlib import Path

import msgspec

from analysis.version import __version__

#: Changes below this are never called one: what two runs of the same code differ by beyond the spread within
#: each, on machines that do other things besides.
NOISE_FLOOR = 0.05
#: Few repetitions show less than the whole spread.
NOISE_FACTOR = 2.0
HIGHER = "higher"
LOWER = "lower"
UNCALIBRATED = "none"


class MalformedReportError(ValueError):
    """A file is no report of ``ragers bench``, or one that cannot be compared; the message says why."""


class Machine(msgspec.Struct, frozen=True):
    """Where a run took place."""

    processor: str
    cores: int
    system: str
    python: str
    numba: str
    numpy: str


class Calibration(msgspec.Struct, frozen=True):
    """A loop that every figure is divided by: median rate over the run, and its spread."""

    name: str
    what: str
    unit: str
    rate: float
    noise: float


class Measurement(msgspec.Struct, frozen=True):
    """One figure.

    Attributes
    ----------
    name, what
        A name that stays the same from version to version, and words for people.
    unit, value
        The figure as measured on this machine: the median.
    better
        ``higher`` or ``lower``.
    calibration
        Which loop `relative` refers to, or ``none``.
    relative
        The figure as a ratio: a rate divided by the loop's rate, a time multiplied with it, each repetition
        by the loop as timed right before it; median of the repetitions. This is what is compared.
    noise
        Half the spread of the repetitions' ratios, as a share of their median.
    repetitions
        How many.
    """

    name: str
    what: str
    unit: str
    value: float
    better: str
    calibration: str
    relative: float
    noise: float
    repetitions: int


class BenchReport(msgspec.Struct, frozen=True, kw_only=True):
    """Everything one run measured."""

    schema: int = 1
    benchmark: str = "ragers bench"
    version: str = __version__
    date: str
    quick: bool
    seed: int
    machine: Machine
    calibrations: list[Calibration]
    measurements: list[Measurement]


class Change(msgspec.Struct, frozen=True):
    """What became of one figure.

    Attributes
    ----------
    change
        By what share it got better, below 0 worse; None where one of the runs lacks it.
    allowed
        What noise accounts for.
    verdict
        ``better``, ``same``, ``worse``, ``new`` or ``gone``.
    """

    name: str
    old: float | None
    new: float | None
    change: float | None
    allowed: float
    verdict: str


def spread(values: Sequence[float]) -> float:
    """Return half the spread of positive values as a share of their median."""
    return (max(values) - min(values)) / 2 / statistics.median(values)


def read_report(path: Path) -> BenchReport:
    """Return the report in a file.

    Raises
    ------
    MalformedReportError
        If it cannot be read, or is none.
    """
    try:
        report = msgspec.json.decode(path.read_bytes(), type=BenchReport)
    except OSError as error:
        raise MalformedReportError(f"cannot read {str(path)!r}: {error.strerror}") from None
    except msgspec.MsgspecError as error:
        raise MalformedReportError(
            f"{str(path)!r} is no report of ragers bench --format json: {error}"
        ) from None
    if report.schema != 1 or report.benchmark != "ragers bench":
        raise MalformedReportError(f"{str(path)!r} is of another program or a later version")
    if any(not (m.relative > 0.0 and m.noise >= 0.0) for m in report.measurements):
        raise MalformedReportError(f"{str(path)!r} has figures that are not positive")
    return report


def check_comparable(old: BenchReport, quick: bool) -> None:
    """Raise `MalformedReportError` unless a run of this kind does the same work as an earlier one."""
    if old.quick != quick:
        kinds = {True: "a --quick run", False: "a full run"}
        raise MalformedReportError(
            f"the old report is of {kinds[old.quick]}, this is {kinds[quick]}; compare like with like"
        )


def compare(old: BenchReport, new: BenchReport) -> list[Change]:
    """Return the changes from one run to another, in the order of the new one.

    Raises
    ------
    MalformedReportError
        If one is a quick run and the other is not: they measure different work.
    """
    check_comparable(old, new.quick)
    before = {measurement.name: measurement for measurement in old.measurements}
    changes = []
    for after in new.measurements:
        earlier = before.pop(after.name, None)
        if earlier is None:
            changes.append(Change(after.name, None, after.relative, None, 0.0, "new"))
            continue
        gain = (
            after.relative / earlier.relative if after.better == HIGHER else earlier.relative / after.relative
        )
        allowed = max(NOISE_FLOOR, NOISE_FACTOR * (earlier.noise + after.noise))
        # As factors, so that a loss weighs as much as the gain that undoes it.
        if gain < 1.0 / (1.0 + allowed):
            verdict = "worse"
        else:
            verdict = "better" if gain > 1.0 + allowed else "same"
        changes.append(Change(after.name, earlier.relative, after.relative, gain - 1.0, allowed, verdict))
    changes += [Change(name, gone.relative, None, None, 0.0, "gone") for name, gone in before.items()]
    return changes
