"""How wounded may a hero be before one attack with the great sword kills? Draws the attack over the HP left.

python examples/warage_wounded.py attack.html
"""

import sys
from pathlib import Path

from arena_solver import warage

answer = warage.attack(hero="orc/warrior:great-sword", other="human/paladin", vary="other_hp=5:40:5")
print(answer.page().headline)
if len(sys.argv) > 1:
    Path(sys.argv[1]).write_text(answer.as_html(), encoding="utf-8")
