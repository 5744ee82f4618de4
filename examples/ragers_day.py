"""Which cards open a day of Ragers, and which are hardly ever worth playing? Draws a solved day.

python examples/ragers_day.py day.html
"""

import sys
from pathlib import Path

from arena_solver import ragers

answer = ragers.solve(patron="Arianna", cheers="two-bashers")
print(answer.page().headline)
if len(sys.argv) > 1:
    Path(sys.argv[1]).write_text(answer.as_html(), encoding="utf-8")
