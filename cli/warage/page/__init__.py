"""The HTML page about Warage."""
