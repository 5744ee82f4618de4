"""Would a stronger Runt turn this wave? Draws the proved result over its attack and its shield.

python examples/ophidian_wave.py wave.html
"""

import sys
from pathlib import Path

from arena_solver import ophidian

answer = ophidian.solve(
    team="Runt, Scrap",
    against="Thorn",
    wave=4,
    vary=("gladiators.runt.attack.one=2:8:2", "gladiators.runt.shield=0:2"),
)
print(answer.page().headline)
if len(sys.argv) > 1:
    Path(sys.argv[1]).write_text(answer.as_html(), encoding="utf-8")
