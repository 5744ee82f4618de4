"""Which power of the Executioner makes this battle about even? Draws the chance to win over the power.

python examples/clash_even_battle.py battle.html
"""

import sys
from pathlib import Path

from arena_solver import clash

answer = clash.solve(
    attacker="bohorg: 2 Executioner, 1 Pummeler",
    defender="elves: 3 Templar",
    vary="clans.bohorg.units.executioner.power=3:8",
    goal="win=50:70",
)
print(answer.page().headline)
if len(sys.argv) > 1:
    Path(sys.argv[1]).write_text(answer.as_html(), encoding="utf-8")
