"""The game of the examples is found in every test of this folder."""

from __future__ import annotations

from tests.front.games import brought

brought()
