"""Clash of Rage: the rules as data, a plain-Python reference, and compiled transition kernels."""
