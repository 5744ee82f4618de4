"""Test set-up that has to happen before anything imports numba: where compiled kernels are kept."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from arena_solver.folders import KERNELS_VARIABLE, tidy

if "numba" in sys.modules:
    raise RuntimeError("numba was imported before its cache directory could be set; import it later")
_CACHES = Path(__file__).resolve().parent / ".numba_cache"
tidy(_CACHES, kept_s=7 * 24 * 3600.0)
# The environment, not numba.config: command-line tests start processes that must find the same cache.
os.environ[KERNELS_VARIABLE] = str(_CACHES)
