"""Questions about Ophidian Arena alone, a file each."""
