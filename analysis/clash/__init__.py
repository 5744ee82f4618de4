"""What can be asked about Clash of Rage, and the answers."""
