"""What can be asked about Warage; the questions are declared in `game`."""
