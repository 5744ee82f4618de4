"""Questions about games and their answers: knows rules and solvers, and shows nothing.

Programs and notebooks ask by ``from arena_solver import clash``; see docs/python-api.md.
"""

from __future__ import annotations

from analysis.version import __version__

__all__ = ["__version__"]
