"""The questions of Raverun alone, a file each."""
