"""A file of finished tasks: what a kill leaves is read again, and what it cut short is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.errors import RequestError
from analysis.kept_tasks import KeptTasks

TERMS = "rules, players"


def kept(path: Path, digest: str = "abc") -> KeptTasks:
    return KeptTasks(path, "some-games", digest, TERMS)


def test_a_file_ends_with_whole_lines_whatever_a_kill_left(tmp_path: Path) -> None:
    """Only the last line may be cut; one in between that is not what was written is somebody else's."""
    path = tmp_path / "kept"
    kept = KeptTasks(path, "games", "d1", "rules")
    for key in ("one", "two", "drei und ß"):
        kept.add(key, 1, [2.5, None])
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)
    path.write_bytes(whole[:-3])
    assert set(KeptTasks(path, "games", "d1", "rules").done) == {"one", "two"}
    assert path.read_bytes() == b"".join(lines[:3])
    # A line that is whole but for its end is kept no less.
    path.write_bytes(whole[:-1])
    found = KeptTasks(path, "games", "d1", "rules")
    assert found.done["drei und ß"] == [1, [2.5, None]]
    for place, said in ((1, "line 2"), (3, "line 4")):
        harmed = [*lines]
        harmed[place] = harmed[place].replace(b"2.5", b"3.5")
        path.write_bytes(b"".join(harmed))
        with pytest.raises(RequestError, match=said):
            KeptTasks(path, "games", "d1", "rules")
    path.write_bytes(whole)
    with pytest.raises(RequestError, match=r"other terms \(deck and seed\)"):
        KeptTasks(path, "games", "d2", "deck and seed")
    with pytest.raises(RequestError, match="other terms"):
        KeptTasks(path, "duels", "d1", "rules")
    with pytest.raises(RequestError, match=r"folder|directory|no file"):
        KeptTasks(tmp_path, "games", "d1", "rules")
