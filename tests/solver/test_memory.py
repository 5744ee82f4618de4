"""Arrays that lie on disk."""

from __future__ import annotations

import mmap
import os
from pathlib import Path

import numpy as np
import pytest

from solver.hidden_hands import DiskRefused
from solver.hidden_hands.machine import zeros_on_disk


@pytest.mark.parametrize("reserves", [True, False])
def test_zeros_on_disk(reserves: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not reserves:
        # As on systems that lack both.
        monkeypatch.delattr(os, "posix_fallocate", raising=False)
        monkeypatch.delattr(mmap, "MADV_HUGEPAGE", raising=False)
    numbers = zeros_on_disk(tmp_path, 10_000_001, np.uint16)
    assert type(numbers) is np.ndarray
    assert (numbers.shape, numbers.dtype) == ((10_000_001,), np.uint16)
    assert not numbers.any()
    numbers[-1] = 7
    assert numbers[-1] == 7
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("reserves", [True, False])
def test_a_full_disk_is_noticed_at_once(
    reserves: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not reserves:
        monkeypatch.delattr(os, "posix_fallocate", raising=False)
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, hard))
    try:
        with pytest.raises(DiskRefused, match=r"cannot keep 0\.1 GiB in .*: File too large"):
            zeros_on_disk(tmp_path, 1 << 26, np.uint16)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert not list(tmp_path.iterdir())
