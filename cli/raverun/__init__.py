"""The command line of Raverun."""
