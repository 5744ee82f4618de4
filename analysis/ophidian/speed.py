"""How fast fights are proved: a figure for `ragers bench`."""

from __future__ import annotations

import time

from analysis.ophidian.worth import Drawn, random_position
from engine.ophidian.rules import load_rules

NUM_WAVES = 300
"""Some tenths of a second."""
_TABLE_BYTES = 1 << 20


def waves_a_second(seed: int) -> float:
    """Prove random waves of two against two, each with a table of its own; processor time."""
    from analysis.ophidian.proving import Fight
    from engine.ophidian.wave_codec import Objective

    drawn = Drawn(load_rules(), 2, 1, seed)
    positions = [random_position(drawn, number) for number in range(NUM_WAVES)]
    begin = time.process_time()
    for position in positions:
        Fight(position, Objective.POINTS, _TABLE_BYTES).value(position)
    return NUM_WAVES / (time.process_time() - begin)
