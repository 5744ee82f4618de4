"""Write the reference of the games out of their declarations: ``python docs/make_reference.py``.

Each game has a page; what several games share stands once, in the middle of ``reference.md``. A test compares
all that with what is declared. With ``--check`` nothing is written, and the exit code is 1 if a page is not
what the declarations say.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HEAD = """# {title}: reference

Written by `docs/make_reference.py`; do not edit. What games share is in the
[command reference](reference.md).

"""
BEGIN = "<!-- Written by docs/make_reference.py from here on; do not edit. -->\n\n"
END = "\n<!-- Written by hand from here on. -->\n"


def pages() -> dict[Path, str]:
    """Return the pages by where they lie."""
    from analysis.front.reference import common_of, common_reference, reference
    from analysis.registry import GAMES, game_named

    games = [game_named(name) for name in GAMES]
    common = common_of(games)
    shared = ROOT / "docs" / "reference.md"
    before, begin, rest = shared.read_text("utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    found = {shared: before + begin + common_reference(common) + end + after}
    for game in games:
        page = HEAD.format(title=game.title) + reference(game, common)
        found[ROOT / "docs" / f"reference-{game.name}.md"] = page
    return found


def main() -> int:
    """Write all pages, or check them."""
    check = "--check" in sys.argv
    wrong = {
        path: page for path, page in pages().items() if not path.is_file() or path.read_text("utf-8") != page
    }
    for path, page in wrong.items():
        print(f"{path.name} is not what is declared" if check else path.name)
        if not check:
            path.write_text(page, encoding="utf-8")
    return 1 if wrong and check else 0


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    raise SystemExit(main())
