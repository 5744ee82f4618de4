"""How fast duels are played: a figure for `ragers bench`."""

from __future__ import annotations

import time

NUM_DUELS = 1_000
"""Of each deck; some tenths of a second together."""


def duels_a_second(seed: int) -> float:
    """Let every deck of the set play itself, by rules; processor time."""
    from analysis.warage import rules
    from engine.warage.duels import matches
    from engine.warage.kernel_rules import kernel_rules
    from engine.warage.reference import setup_of
    from engine.warage.styles import RULE_BASED

    known = rules()
    compiled = [kernel_rules(known, setup_of(known, (deck.id, deck.id))) for deck in known.decks]
    begin = time.process_time()
    for each in compiled:
        matches(each, [RULE_BASED] * 2, NUM_DUELS, seed)
    return NUM_DUELS * len(compiled) / (time.process_time() - begin)
