"""Workers that compile share what they make, and never wait for each other for good."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_HOLDS_ONE = (
    "import sys, time\n"
    "from pathlib import Path\n"
    "from tests.locks import locked\n"
    "own, other, ready = map(Path, sys.argv[1:])\n"
    "with locked(own):\n"
    "    own.with_suffix('.ready').touch()\n"
    "    while not ready.with_suffix('.ready').exists():\n"
    "        time.sleep(0.01)\n"
    "    with locked(other, 0.3):\n"
    "        print('done')\n"
)


def test_two_that_wait_for_each_other_go_on(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    both = [
        subprocess.Popen(
            [sys.executable, "-c", _HOLDS_ONE, mine, theirs, theirs],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )
        for mine, theirs in ((one, other), (other, one))
    ]
    assert [each.communicate(timeout=60)[0] for each in both] == ["done\n", "done\n"]
