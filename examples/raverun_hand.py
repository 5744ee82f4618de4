"""Do larger hands help whoever thinks? Draws how often greedy play beats random play over the hand size.

python examples/raverun_hand.py hands.html
"""

import sys
from pathlib import Path

from arena_solver import raverun

answer = raverun.match(player=("greedy", "random"), deals=100, vary="match.hand_size=4:7")
print(answer.page().headline)
if len(sys.argv) > 1:
    Path(sys.argv[1]).write_text(answer.as_html(), encoding="utf-8")
