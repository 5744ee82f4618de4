"""Command lines of Clash of Rage."""
