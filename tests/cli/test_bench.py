"""``ragers bench``: reports, comparisons and exit codes with made-up figures; one real run among the slow."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import jsonschema
import msgspec
import pytest
from click.testing import Result

from analysis.ragers.bench import report as bench_report
from analysis.ragers.bench.report import BenchReport, Calibration, Machine, Measurement

SCHEMA = json.loads(
    (Path(bench_report.__file__).parents[1] / "schema" / "bench-1.schema.json").read_text(encoding="utf-8")
)
ROOT = Path(__file__).resolve().parents[2]

Run = Callable[..., Result]


def figure(name: str, relative: float, *, better: str = "higher", noise: float = 0.01) -> Measurement:
    return Measurement(name, f"the {name}", "units/s", 1000 * relative, better, "scalar", relative, noise, 3)


def report(*figures: Measurement, quick: bool = True) -> BenchReport:
    return BenchReport(
        date="2026-01-01T00:00:00Z",
        quick=quick,
        seed=0,
        machine=Machine("a processor", 2, "Linux", "3.11.0", "0.60", "2.0"),
        calibrations=[Calibration("scalar", "steps", "steps/s", 1e9, 0.02)],
        measurements=list(figures),
    )


@pytest.fixture
def measures(monkeypatch: pytest.MonkeyPatch) -> Callable[[BenchReport | None], None]:
    """Make the command "measure" a given report."""

    def install(result: BenchReport | None) -> None:
        module = ModuleType("analysis.ragers.bench.measuring")
        module.measure = lambda quick, seed, say, stop, others: result  # type: ignore[attr-defined]
        module.Rate = lambda *parts: parts  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "analysis.ragers.bench.measuring", module)

    return install


def stored(folder: Path, earlier: BenchReport) -> str:
    path = folder / "old.json"
    path.write_bytes(msgspec.json.encode(earlier))
    return str(path)


def test_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_json_follows_the_schema_and_reads_back(
    run: Run, measures: Callable[..., None], tmp_path: Path
) -> None:
    measured = report(figure("speed", 2.0))
    measures(measured)
    target = tmp_path / "now.json"
    assert run("bench", "--quick", "--format", "json", "--output", str(target)).exit_code == 0
    jsonschema.validate(json.loads(target.read_text(encoding="utf-8")), SCHEMA)
    assert bench_report.read_report(target) == measured
    compared = run("bench", "--quick", "--format", "json", "--compare", str(target), "-q")
    document = json.loads(compared.stdout)
    jsonschema.validate(document, SCHEMA)
    assert [change["verdict"] for change in document["changes"]] == ["same"]


@pytest.mark.parametrize("form", ["table", "csv", "md"])
def test_other_formats_name_every_figure(run: Run, measures: Callable[..., None], form: str) -> None:
    measures(report(figure("speed", 2.0), figure("time", 3.0, better="lower")))
    result = run("bench", "--quick", "--format", form)
    assert result.exit_code == 0
    assert "the speed" in result.stdout
    assert "the time" in result.stdout


@pytest.mark.parametrize(
    ("better", "old", "new", "noise", "verdict"),
    [
        ("higher", 1.0, 0.8, 0.01, "worse"),
        ("higher", 0.8, 1.0, 0.01, "better"),
        ("lower", 1.0, 0.8, 0.01, "better"),
        ("lower", 0.8, 1.0, 0.01, "worse"),
        # Within the floor, and within the noise of both runs together.
        ("higher", 1.0, 0.96, 0.0, "same"),
        ("higher", 1.0, 0.8, 0.15, "same"),
        ("lower", 0.8, 1.0, 0.15, "same"),
        ("higher", 1.0, 0.7, 0.15, "same"),
        ("higher", 1.0, 0.6, 0.15, "worse"),
    ],
)
def test_a_change_counts_beyond_the_noise(
    run: Run,
    measures: Callable[..., None],
    tmp_path: Path,
    better: str,
    old: float,
    new: float,
    noise: float,
    verdict: str,
) -> None:
    before = stored(tmp_path, report(figure("it", old, better=better, noise=noise)))
    measures(report(figure("it", new, better=better, noise=noise)))
    result = run("bench", "--quick", "--compare", before)
    assert result.exit_code == (3 if verdict == "worse" else 0)
    assert verdict in result.stdout
    assert ("Worse beyond the noise: it." in result.stderr) == (verdict == "worse")


def test_figures_that_come_and_go_are_told(run: Run, measures: Callable[..., None], tmp_path: Path) -> None:
    before = stored(tmp_path, report(figure("first", 1.0), figure("both", 1.0)))
    measures(report(figure("both", 1.0), figure("second", 1.0)))
    result = run("bench", "--quick", "--compare", before, "--format", "csv")
    assert result.exit_code == 0
    verdicts = dict(line.split(",")[:: len(line.split(",")) - 1] for line in result.stdout.splitlines()[1:])
    assert verdicts == {"both": "same", "second": "new", "first": "gone"}


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"schema": 1}'])
def test_a_file_that_is_no_report_is_refused(
    run: Run, measures: Callable[..., None], tmp_path: Path, text: str
) -> None:
    measures(None)
    path = tmp_path / "old.json"
    path.write_text(text, encoding="utf-8")
    result = run("bench", "--compare", str(path))
    assert result.exit_code == 2
    assert "no report of ragers bench" in result.stderr


def test_quick_and_full_runs_do_not_compare(run: Run, measures: Callable[..., None], tmp_path: Path) -> None:
    measures(None)
    result = run("bench", "--compare", stored(tmp_path, report(quick=True)))
    assert result.exit_code == 2
    assert "compare like with like" in result.stderr


def test_an_interrupted_run_reports_nothing(run: Run, measures: Callable[..., None]) -> None:
    measures(None)
    result = run("bench", "--quick")
    assert result.exit_code == 130
    assert result.stdout == ""


def test_noise_is_half_the_spread() -> None:
    assert bench_report.spread([9.0, 10.0, 12.0]) == pytest.approx(0.15)
    assert bench_report.spread([2.0]) == 0.0


@pytest.mark.slow
def test_a_real_quick_run(tmp_path: Path) -> None:
    target = tmp_path / "now.json"
    code = "from cli.ragers.main import ragers_main; ragers_main()"
    command = [sys.executable, "-c", code, "bench", "--quick", "--format", "json", "--output", str(target)]
    subprocess.run(command, cwd=ROOT, env=os.environ, check=True)
    document = json.loads(target.read_text(encoding="utf-8"))
    jsonschema.validate(document, SCHEMA)
    names = {measurement["name"] for measurement in document["measurements"]}
    games = {"battles", "duels", "waves"}
    assert {"playouts", "matrix-batch", *games, "solennos-3-slots/iterations"} <= names
    assert all(m["repetitions"] == 3 for m in document["measurements"])
