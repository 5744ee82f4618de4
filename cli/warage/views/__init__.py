"""How the answer of each command looks."""
