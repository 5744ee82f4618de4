"""Version of this package."""

from __future__ import annotations

__version__ = "1.0.0"
