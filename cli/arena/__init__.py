"""The command line for games of other people: files of Gambit's formats."""
