"""Finite, acyclic games of perfect information with chance, solved in one pass over their positions.

`game` is the contract, `solving` solves (backward induction, with a bracket where the state space is cut),
`forward` follows the policies found, `decisions` prices the alternatives of one decision.
"""
