"""The command line of Warage."""
