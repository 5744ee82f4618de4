"""What can be asked about Ragers."""
