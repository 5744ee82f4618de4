"""Command lines: options in, a picture of the answer out."""
