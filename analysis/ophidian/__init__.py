"""Ophidian Arena: fights proved, matches played. What can be asked is declared in `game`."""
