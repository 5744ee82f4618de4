"""Test set-up that has to happen before anything imports numba.

numba keys its on-disk cache to each kernel's own file, so an edited callee in another file leaves its cached
callers stale without a word. Keying the cache directory to all sources rules that out.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import time
from pathlib import Path

_ROOT = Path(__file__).resolve().parent


def _sources_key() -> str:
    """Return a short hash over every Python source a kernel may be compiled from."""
    digest = hashlib.sha256(f"{sys.version}".encode())
    for package in ("engine", "solver"):
        for source in sorted((_ROOT / package).rglob("*.py")):
            digest.update(source.relative_to(_ROOT).as_posix().encode())
            digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


if "numba" in sys.modules:
    raise RuntimeError("numba was imported before its cache directory could be set; import it later")
_CACHES = _ROOT / ".numba_cache"
_KEPT_S = 7 * 24 * 3600.0
for _old in _CACHES.glob("*"):
    if time.time() - _old.stat().st_mtime > _KEPT_S:
        shutil.rmtree(_old, ignore_errors=True)
# The environment, not numba.config: command-line tests start processes that must find the same cache.
os.environ["NUMBA_CACHE_DIR"] = str(_CACHES / _sources_key())
