"""Command lines of Ophidian Arena."""
