"""Games given as matrices.

Zero-sum ones are solved by a simplex kernel; with two payoff matrices, by enumeration or nashpy.
"""
