"""The last day of a match: who wins it, solved exactly, from a standing or from the match as played."""
