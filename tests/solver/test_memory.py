"""Arrays that lie on disk."""

from __future__ import annotations

import mmap
import os
import resource
from pathlib import Path

import numpy as np
import pytest

from solver.hidden_hands import DiskRefused
from solver.hidden_hands.memory import zeros_on_disk


@pytest.mark.parametrize("reserves", [True, False])
def test_zeros_on_disk(reserves: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not reserves:
        # As on systems that lack both.
        monkeypatch.delattr(os, "posix_fallocate", raising=False)
        monkeypatch.delattr(mmap, "MADV_RANDOM", raising=False)
    numbers = zeros_on_disk(tmp_path, 10_000_001, np.uint16)
    assert type(numbers) is np.ndarray
    assert (numbers.shape, numbers.dtype) == ((10_000_001,), np.uint16)
    assert not numbers.any()
    numbers[-1] = 7
    assert numbers[-1] == 7
    assert not list(tmp_path.iterdir())


def changed_bytes() -> int:
    """Bytes of this process's nameless files that still have to be written to the disk."""
    total, ours = 0, False
    for line in Path("/proc/self/smaps").read_text(encoding="utf-8", errors="replace").splitlines():
        words = line.split()
        if not words[0].endswith(":"):
            ours = line.endswith("(deleted)")
        elif ours and words[0] in ("Private_Dirty:", "Shared_Dirty:"):
            total += int(words[1]) * 1024
    return total


@pytest.mark.skipif(not Path("/proc/self/smaps").exists(), reason="asks Linux what is to be written")
def test_a_changed_number_has_its_page_written_and_no_more(tmp_path: Path) -> None:
    before = changed_bytes()
    numbers = zeros_on_disk(tmp_path, 1 << 25, np.uint16)
    if changed_bytes() > before:
        pytest.skip("files lie in memory here")
    numbers[:: 1 << 19] = 1
    assert 64 * mmap.PAGESIZE <= changed_bytes() - before < 16 * 2**20


def test_nothing_takes_no_file(tmp_path: Path) -> None:
    assert zeros_on_disk(tmp_path / "nowhere", 0, np.uint16).shape == (0,)


@pytest.mark.parametrize("reserves", [True, False])
def test_a_full_disk_is_noticed_at_once(
    reserves: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not reserves:
        monkeypatch.delattr(os, "posix_fallocate", raising=False)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, hard))
    try:
        with pytest.raises(DiskRefused, match=r"cannot keep 0\.1 GiB in .*: File too large"):
            zeros_on_disk(tmp_path, 1 << 26, np.uint16)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert not list(tmp_path.iterdir())
