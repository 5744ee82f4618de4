"""Options that nothing would heed in a call are refused by name; what is not given is never missed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from cli.programs import program_of

GAMES = Path(__file__).with_name("game_files")
ARENA = ("arena", "solve", str(GAMES / "bets.efg"))


def _run(words: tuple[str, ...]) -> Any:
    program, *rest = words
    return CliRunner().invoke(program_of(program), rest)


@pytest.mark.parametrize(
    ("call", "option", "value"),
    [
        ((*ARENA, "--method", "exact"), "--variant", "cfr"),
        ((*ARENA, "--method", "exact"), "--iterations", "5"),
        ((*ARENA, "--method", "lp"), "--target", "0.1"),
    ],
)
def test_what_nothing_heeds_is_refused(call: tuple[str, ...], option: str, value: str) -> None:
    refused = _run((*call, option, value))
    assert refused.exit_code == 2, refused.output
    assert option in refused.stderr
    assert "does nothing here" in refused.stderr


@pytest.mark.parametrize("method", ["exact", "lp"])
def test_defaults_are_nobodys_wish(method: str) -> None:
    assert _run((*ARENA, "--method", method)).exit_code == 0
