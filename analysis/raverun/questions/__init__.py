"""Questions about Raverun, each declared with what it answers."""
