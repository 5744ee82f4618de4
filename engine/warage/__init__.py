"""Rules of Warage."""
