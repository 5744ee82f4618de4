"""Command lines: the only layer that knows both the games and the solvers."""

from __future__ import annotations

__version__ = "0.1.0"
