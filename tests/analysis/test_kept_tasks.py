"""A file of finished tasks: what a kill leaves is read again, and what it cut short is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.errors import RequestError
from analysis.kept_tasks import KeptTasks

TERMS = "rules, players"


def kept(path: Path, digest: str = "abc") -> KeptTasks:
    return KeptTasks(path, "some-games", digest, TERMS)


def test_what_was_added_is_there_again(tmp_path: Path) -> None:
    path = tmp_path / "kept.jsonl"
    first = kept(path)
    assert first.done == {}
    first.add(3, [1.0, 0.5], [7])
    first.add("four", {"draws": 2})
    assert kept(path).done == {3: [[1.0, 0.5], [7]], "four": [{"draws": 2}]}


@pytest.mark.parametrize("cut", range(1, 13))
def test_a_line_cut_short_is_done_again(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "kept.jsonl"
    first = kept(path)
    first.add(1, [1.0])
    first.add(2, [0.25])
    path.write_bytes(path.read_bytes()[:-cut])
    again = kept(path)
    assert again.done[1] == [[1.0]]
    assert again.done.get(2, [[0.25]]) == [[0.25]]
    again.add(2, [0.25])
    again.add(3, [0.75])
    assert kept(path).done == {1: [[1.0]], 2: [[0.25]], 3: [[0.75]]}


@pytest.mark.parametrize(
    "content", [b'{"some-games": "xyz"}\n', b"something else\n", b"[1, [2.0]]\n", b"\xff\xfe"]
)
def test_files_of_other_tasks_are_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "kept.jsonl"
    path.write_bytes(content)
    with pytest.raises(RequestError, match=r"something else than kept tasks|other terms \(rules, players\)"):
        kept(path)
    assert path.read_bytes() == content
