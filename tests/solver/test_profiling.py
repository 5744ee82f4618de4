"""`benchmarks.profile_kernels` names machine code: what perf reads has every kernel where it lies."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.profile_kernels import readable, symbols

ROOT = Path(__file__).resolve().parents[2]
SMALL = ("--set", "match.row_length=3", "--set", "match.hand_size=2", "--iterations", "2")


def test_names_are_those_of_the_source() -> None:
    assert readable("_ZN6solver12hidden_hands5sweep9push_downB4v110B66c8tJTI") == "push_down"
    assert readable("memset") == "memset"


def test_what_is_no_object_file_is_refused() -> None:
    with pytest.raises(ValueError, match="not a 64-bit little-endian ELF object"):
        list(symbols(b"\x7fELF\x01\x01 and so on"))


@pytest.mark.kernels
@pytest.mark.skipif(sys.platform != "linux", reason="ELF")
def test_a_run_leaves_a_map(tmp_path: Path) -> None:
    names = tmp_path / "perf.map"
    command = [sys.executable, "-m", "benchmarks.profile_kernels", *SMALL]
    command += ["--map", str(names), "--objects", str(tmp_path / "objects")]
    for _ in range(2):
        # What the first one had to compile the second one finds.
        done = subprocess.run(command, cwd=ROOT, env=os.environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = [line.split() for line in names.read_text().splitlines()]
    assert {"walk/walk", "hedge_batch/hedge_batch", "hedge_batch/push"} <= {name for _, _, name in found}
    assert all(int(begin, 16) > 0 and int(size, 16) > 0 for begin, size, _ in found)
    kept = {path.name.split(".")[-3] for path in (tmp_path / "objects").iterdir()}
    assert {"walk", "hedge_batch"} <= kept
