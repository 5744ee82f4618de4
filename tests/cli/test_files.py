"""What commands write over, what they refuse to, and what they do where nothing can be written."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import results
from analysis.ragers.answers import library
from analysis.raverun.policies import check_place
from cli.programs import program_of
from engine.raverun.rules import load_rules as raverun_rules
from tests.cli.conftest import SMALL

raverun = program_of("raverun")

DAY = ("--patron", "arianna", "--cheers", "two-bashers", *SMALL)
NOTES = "work of many years\n"


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    path = tmp_path / "notes.txt"
    path.write_text(NOTES)
    return path


def one_line(text: str) -> str:
    return " ".join(text.replace("│", " ").split())


# ---- saved solves ------------------------------------------------------------------------------------------


def test_a_checkpoint_writes_over_no_other_file(fake_solver: Any, run: Any, notes: Path) -> None:
    words = ("solve", *DAY, "--iterations", "3", "--checkpoint", str(notes))
    refused = run(*words)
    assert refused.exit_code == 2
    assert "is no saved solve, or it is cut off. It is not written over" in one_line(refused.stderr)
    assert fake_solver.solved == []
    assert run(*words, "--force").exit_code == 0
    assert fake_solver.kept[-1].overwrite
    assert run("solve", *DAY, "--force").exit_code == 2
    refused = run("solve", *DAY, "--checkpoint", "-")
    assert refused.exit_code == 2
    assert "the answer goes to stdout" in one_line(refused.stderr)
    assert notes.read_text() == NOTES


def test_the_checkpoint_of_another_day_is_not_written_over(
    fake_solver: Any, run: Any, tmp_path: Path
) -> None:
    from solver.hidden_hands.checkpoint import save
    from tests.solver.test_checkpoint_files import WORDS, Small

    path = tmp_path / "other.solve"
    save(path, Small(), WORDS)
    whole = path.read_bytes()
    refused = run("solve", *DAY, "--iterations", "3", "--checkpoint", str(path))
    assert refused.exit_code == 2
    assert "holds another solve (a day)" in one_line(refused.stderr)
    assert path.read_bytes() == whole


# ---- what was learned --------------------------------------------------------------------------------------


def test_what_was_learned_writes_over_no_other_file(notes: Path) -> None:
    def refused(*more: str) -> str:
        result = CliRunner().invoke(raverun, ["train", str(notes), "--plays", "3", *more])
        assert result.exit_code == 2, result.output
        return one_line(result.stderr)

    assert "is no file of values" in refused()
    assert "--force" in refused()
    assert notes.read_text() == NOTES
    carried = Path(results.__file__).parent
    shutil.copy(carried / "raverun" / "values-3.npz", notes)
    assert "was trained for 3 players" in refused()
    assert "was trained by other rules" in refused("--players", "3", "--set", "match.hand_size=5")
    check_place(notes, raverun_rules(), 3)
    shutil.copy(carried / "ophidian" / "values.npz", notes)
    assert "it is not written over" in refused()


# ---- outputs -----------------------------------------------------------------------------------------------


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize(
    "words",
    [
        ("export", "--to", "strategies", "--patron", "Solennos", "--cheers", "two-bashers"),
        ("export", "--to", "nfg", "--patron", "solennos", "--cheers", "two-bashers", "--hands", "B | S"),
        ("advise", "--patron", "Solennos", "--cheers", "two-bashers", "--hand", "B B S C T"),
    ],
    ids=" ".join,
)
def test_answers_go_through_devices_links_and_stdout(
    words: tuple[str, ...], tmp_path: Path, run: Any
) -> None:
    plain, target, link = (tmp_path / name for name in ("plain", "target", "link"))
    assert run(*words, "--output", str(plain)).exit_code == 0
    target.write_text(NOTES)
    link.symlink_to(target)
    assert run(*words, "--output", str(link)).exit_code == 0
    assert link.is_symlink()
    assert target.read_bytes() == plain.read_bytes()
    assert run(*words, "--output", "-").stdout == plain.read_text()
    assert run(*words, "--output", "/dev/null").exit_code == 0
    full = run(*words, "--output", "/dev/full")
    assert full.exit_code == 1
    assert full.stdout == plain.read_text()
    for name in ("/dev/null", "/dev/full"):
        assert Path(name).is_char_device()
    assert not Path("-").exists()


# ---- damaged entries of one's own --------------------------------------------------------------------------


def damages(report: Path) -> dict[str, tuple[Path, bytes]]:
    """Return each kind of damage: the file, and what it holds then."""
    (strategy,) = report.parent.glob("strategy-*.npz")
    entry = json.loads(report.read_bytes())
    wrong = entry | {"answer": entry["answer"] | {"value_gp": 99.0}}
    return {
        "report cut off": (report, report.read_bytes()[:-40]),
        "report empty": (report, b""),
        "report wrong": (report, json.dumps(wrong).encode()),
        "strategy cut off": (strategy, strategy.read_bytes()[:-40]),
        "strategy gone": (strategy, b""),
    }


@pytest.mark.parametrize(
    "damage", ["report cut off", "report empty", "report wrong", "strategy cut off", "strategy gone"]
)
def test_a_damaged_entry_is_found_and_heals(
    damage: str, fake_solver: Any, run: Any, own_library: Path
) -> None:
    """What-ifs, too: no rules at hand vouch for them."""
    words = ("solve", *DAY, "--iterations", "5", "--hand", "B S")
    assert run(*words).exit_code == 0
    assert run("library", "list", "--verify", "--own").exit_code == 0
    (report,) = own_library.rglob(library.REPORT)
    whole = {path.name: path.read_bytes() for path in report.parent.iterdir()}
    path, data = damages(report)[damage]
    path.write_bytes(data)
    if damage.endswith("gone"):
        path.unlink()
    found = run("library", "list", "--verify", "--own")
    assert found.exit_code == 1
    assert report.parent.name in found.stdout
    solved = len(fake_solver.solved)
    assert run(*words).exit_code == 0
    assert len(fake_solver.solved) == solved + 1
    assert {each.name for each in report.parent.iterdir()} == whole.keys()
    assert run("library", "list", "--verify", "--own").exit_code == 0


def position(own_library: Path) -> Path:
    """Keep the solve of a position in mid-day."""
    path = own_library / "ragers" / ("0" * 24) / "positions" / "abc.npz"
    path.parent.mkdir(parents=True)
    numbers = dict.fromkeys(("nash_conv", "iterations", "seconds", "peak_memory_bytes", "seed"), np.array(1))
    arrays = {name: np.zeros((2, 2)) for name in ("mix0", "mix1", "value0", "value1")}
    np.savez_compressed(path, best_response_values=np.zeros(2), **numbers, **arrays)  # type: ignore[arg-type]
    return path


def test_every_file_of_ones_own_is_opened(fake_solver: Any, run: Any, own_library: Path) -> None:
    path = position(own_library)
    run("solve", *DAY, "--iterations", "5")
    sound = run("library", "list", "--verify", "--own")
    assert sound.exit_code == 0
    said = "0 entries fit this version, 2 of other rules and of positions in mid-day are sound"
    assert said in one_line(sound.stdout)
    path.write_bytes(path.read_bytes()[:-30])
    damaged = run("library", "list", "--verify", "--own")
    assert damaged.exit_code == 1
    assert "a position in mid-day, abc: is damaged" in damaged.stdout
    (report,) = own_library.rglob(library.REPORT)
    report.unlink()
    assert "has no report: its writer was killed" in run("library", "list", "--verify", "--own").stdout


# ---- one's own library, listed and cleared -----------------------------------------------------------------


def test_prune(
    fake_solver: Any, run: Any, own_library: Path, carried_library: library.Library, tmp_path: Path
) -> None:
    box = ("--patron", "solennos", "--cheers", "two-bashers", "--iterations")
    run("solve", *DAY, "--iterations", "5")  # stays
    run("solve", *box, "5")  # known as well to the carried library
    run("library", "build", *box, "9", "-q")
    run("solve", *DAY, "--iterations", "5", "--set", "cards.basher.gp=4")  # damaged
    damaged = next(
        each for each in own_library.rglob("strategy-*.npz") if b"basher.gp=4" in read_report(each)
    )
    damaged.write_bytes(b"")
    path = position(own_library)
    left = path.with_name(".abc.npz.0123abcd")
    left.write_bytes(b"half")
    os.utime(left, (1, 1))
    elsewhere = own_library / "ragers" / "notes.txt"
    elsewhere.write_text(NOTES)
    before = sorted(own_library.rglob("*"))
    assert run("library", "prune").exit_code == 2
    dry = run("library", "prune", "--useless", "--dry-run")
    assert re.search(r"3 of \d+ would be removed", dry.stdout)
    assert sorted(own_library.rglob("*")) == before
    real = run("library", "prune", "--useless")
    assert real.exit_code == 0
    for words in (
        "Solennos / Two Bashers, redraw (current): is known as well",
        "its strategy is missing or damaged",
        "was left by a killed process",
    ):
        assert words in one_line(real.stdout), real.stdout
    assert run("library", "list", "--verify", "--own").exit_code == 0
    assert len(list(own_library.rglob(library.REPORT))) == 1
    # By age: the position is old, the entry is not.
    os.utime(path, (1, 1))
    assert re.search(r"1 of \d+ removed", run("library", "prune", "--older-than", "30d").stdout)
    assert re.search(r"0 of \d+ removed", run("library", "prune", "--older-than", "12h", "--useless").stdout)
    assert elsewhere.read_text() == NOTES
    assert len(list(carried_library.entries())) == 1
    assert run("library", "prune", "--older-than", "soon").exit_code == 2


def read_report(strategy: Path) -> bytes:
    return (strategy.parent / library.REPORT).read_bytes()
