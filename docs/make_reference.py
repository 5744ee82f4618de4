"""Write the reference pages of the games out of their declarations: ``python docs/make_reference.py``.

A test compares the pages with what is declared. With ``--check`` nothing is written, and the exit code is 1
if a page is not what the declarations say.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HEAD = """# {title}: reference

Written by `docs/make_reference.py`; do not edit. What all programs share is in
[command reference](reference.md).

"""


def page(name: str) -> str:
    """Return the reference page of a game."""
    from analysis.front.reference import reference
    from analysis.registry import game_named

    game = game_named(name)
    return HEAD.format(title=game.title) + reference(game)


def path_of(name: str) -> Path:
    """Return where the reference page of a game lies."""
    return ROOT / "docs" / f"reference-{name}.md"


def main() -> int:
    """Write all pages, or check them."""
    from analysis.registry import GAMES

    wrong = [
        name
        for name in GAMES
        if not path_of(name).is_file() or path_of(name).read_text("utf-8") != page(name)
    ]
    for name in wrong:
        print(
            f"{path_of(name).name} is not what is declared" if "--check" in sys.argv else path_of(name).name
        )
        if "--check" not in sys.argv:
            path_of(name).write_text(page(name), encoding="utf-8")
    return 1 if wrong and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    raise SystemExit(main())
