"""The questions about Ragers, one module each."""
