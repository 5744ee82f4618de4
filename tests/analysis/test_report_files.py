"""Which kind of report a file holds: told by its keys, with or without what may be left out."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from analysis.errors import RequestError
from analysis.report_files import read


class Answer(msgspec.Struct, frozen=True):
    schema: int
    value: float
    compile_s: float | msgspec.UnsetType = msgspec.UNSET


@pytest.mark.parametrize("compile_s", [msgspec.UNSET, 2.5])
def test_a_report_is_read_whether_or_not_something_was_compiled(
    tmp_path: Path, compile_s: float | msgspec.UnsetType
) -> None:
    file = tmp_path / "answer.json"
    file.write_bytes(msgspec.json.encode(Answer(1, 0.5, compile_s)))
    assert read(file, {Answer: "game ask"}, "game", {}, 1).report == Answer(1, 0.5, compile_s)


@pytest.mark.parametrize("text", ['{"schema": 1}', '{"schema": 1, "value": 2, "other": 3}'])
def test_other_keys_are_no_such_report(tmp_path: Path, text: str) -> None:
    file = tmp_path / "answer.json"
    file.write_text(text)
    with pytest.raises(RequestError, match="none of the reports"):
        read(file, {Answer: "game ask"}, "game", {}, 1)
