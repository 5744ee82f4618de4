"""Whole matches: how they go, what leads and cards are worth in them, and who plays."""
