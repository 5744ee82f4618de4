"""Games of other people's files: read, solved, reported; and which games are in."""
