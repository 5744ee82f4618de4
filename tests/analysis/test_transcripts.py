"""What transcripts of all games share: a head of comments, and numbered moves."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from analysis.transcripts import TranscriptError, first_line, head, played_by, taken_apart
from analysis.version import __version__
from engine.rulefiles import Problem, RulesError


class Rules(NamedTuple):
    name: str
    sha256: str


HASH = "0123456789abcdef" * 4
TEXT = f"""# chess transcript 1
# version 9
# rules {HASH} My chess
# set a.b=1
# set c.d="x"
#no field
  e4

# player one
 # not a comment
 e5 """


def test_a_transcript_is_taken_apart() -> None:
    lines = taken_apart(TEXT, "chess")
    assert lines.fields == {
        "version": ["9"],
        "rules": [f"{HASH} My chess"],
        "set": ["a.b=1", 'c.d="x"'],
        "player": ["one"],
    }
    assert lines.moves == [(7, "e4"), (10, "# not a comment"), (11, "e5")]
    assert lines.one("set") == 'c.d="x"'
    with pytest.raises(TranscriptError, match=r"has no line '# seed \.\.\.'"):
        lines.one("seed")


def test_a_head_is_read_back(tmp_path: Path) -> None:
    lines = head("chess", Rules("My chess", HASH), [("a.b", 0, 1), ("c.d", 1, None), ("e.f", "x", "y")])
    assert lines == [
        "# chess transcript 1",
        f"# version {__version__}",
        f"# rules {HASH} My chess",
        "# set a.b=1",
        '# set e.f="y"',
    ]
    assert lines[0] == first_line("chess")
    apart = taken_apart("\n".join(lines), "chess")
    given: list[tuple[Sequence[Path], Sequence[str]]] = []

    def load(files: Sequence[Path], overrides: Sequence[str]) -> Rules:
        given.append((files, overrides))
        return Rules("other", HASH if len(given) < 3 else "f" * 64)

    assert played_by(apart, (), load).name == "other"
    assert played_by(apart, (tmp_path,), load).name == "other"
    assert given == [((), ["a.b=1", 'e.f="y"']), ((tmp_path,), ())]
    with pytest.raises(TranscriptError) as refused:
        played_by(apart, (), load)
    assert str(refused.value) == (
        "was played by other rules, 'My chess' (0123456789ab, not ffffffffffff); name their file with --rules"
    )

    def failing(files: Sequence[Path], overrides: Sequence[str]) -> Rules:
        raise RulesError([Problem("", "a", "b", 1, "it is gone", "")])

    with pytest.raises(TranscriptError, match=r"its rules cannot be used: .*it is gone"):
        played_by(apart, (), failing)
