"""What can be asked about Raverun."""
