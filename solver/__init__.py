"""Equilibria of two-player games: matrix games, explicit game trees and hand-range games.

The solver layer knows payoffs, infosets and chance, and nothing of any particular game. Importing this
package is free: numba and scipy are only loaded by the modules that need them.
"""
