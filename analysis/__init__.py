"""Questions about games and their answers: knows rules and solvers, and shows nothing.

``analysis.ragers`` has a function for each question; see docs/python-api.md.
"""

from __future__ import annotations

from analysis import ragers, raverun
from analysis.version import __version__

__all__ = ["__version__", "ragers", "raverun"]
