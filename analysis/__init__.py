"""Questions about games and their answers: knows rules and solvers, and shows nothing.

``analysis.ragers`` has a function for each question; see docs/python-api.md.
"""

from __future__ import annotations

__version__ = "0.1.0"

from analysis import ragers, raverun

__all__ = ["__version__", "ragers", "raverun"]
