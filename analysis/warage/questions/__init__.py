"""Questions about Warage alone, a file each."""
