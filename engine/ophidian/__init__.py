"""Ophidian Arena: teams and their fights without cards, as data and as a plain-Python reference."""
