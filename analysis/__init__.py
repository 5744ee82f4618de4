"""Questions about games and their answers: knows rules and solvers, and shows nothing."""

from __future__ import annotations

__version__ = "0.1.0"
