"""The HTML page about Clash of Rage."""
