"""Clash of Rage: what can be asked (`game`), and what answers it. Nothing here is printed."""
