"""The commands ``ragers`` and ``ragers-solve``."""
