"""Games of other people's files: read, solved, reported."""
