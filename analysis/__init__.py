"""Questions about games and their answers: knows rules and solvers, and shows nothing.

``analysis.ragers`` and ``analysis.clash`` have a function for each question; see docs/python-api.md.
"""

from __future__ import annotations

from analysis import arena, clash, ragers, raverun
from analysis.version import __version__

__all__ = ["__version__", "arena", "clash", "ragers", "raverun"]
