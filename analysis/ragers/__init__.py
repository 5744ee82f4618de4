"""What can be asked about Ragers, and its answers; see `analysis.ragers.game`."""
