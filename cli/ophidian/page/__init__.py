"""The HTML page about Ophidian Arena."""
