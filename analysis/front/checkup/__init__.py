"""The check-up of a game: what works in it, what breaks, and what to try; for every game alike."""
