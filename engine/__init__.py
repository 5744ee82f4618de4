"""Games as rules: what may be done, what follows from it, what it is worth. Nothing here solves anything."""
