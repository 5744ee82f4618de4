"""Declared questions answer what the commands answer that they are to replace, on the same seeds."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner

from tests.front.games import game

pytestmark = pytest.mark.kernels


def older(program: str, *words: str) -> dict[str, Any]:
    """Return the JSON of a command as it has been."""
    import importlib

    group = getattr(importlib.import_module(f"cli.{program}.main"), program)
    result = CliRunner().invoke(group, [*words, "--format", "json", "-q"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


@pytest.mark.parametrize(
    ("players", "decks", "deals"),
    [
        (("greedy", "random"), ("brood", "patron"), 40),
        (("greedy", "greedy"), ("iron", "storm"), 10),
        (("values", "greedy"), ("iron", "storm"), 2),
        (("search", "random"), ("iron", "storm"), 1),
    ],
)
def test_ophidians_match(players: tuple[str, str], decks: tuple[str, str], deals: int) -> None:
    known = older(
        "ophidian", "match", "--players", ",".join(players), "--decks", ",".join(decks),
        "--deals", str(deals), "--seed", "3", *(("--iterations", "5") if "search" in players else ()),
    )  # fmt: skip
    named = ["search:iterations=5" if player == "search" else player for player in players]
    found = (
        game("ophidian")
        .question("match")
        .python()(deck=decks[0], against=decks[1], player=named, deals=deals, seed=3)
    )
    first = found.sides[0]
    assert (found.plays, found.deals) == (known["matches"], known["deals"])
    assert first.won.mean == pytest.approx(known["won"], abs=1e-12)
    assert [seat.mean for seat in first.by_seat] == pytest.approx(known["by_seat"], abs=1e-12)
    assert found.draws * found.plays == pytest.approx(known["draws"])
    assert found.rules is not None
    assert found.rules.said == known["rules"]["illustrative"]


@pytest.mark.parametrize(
    ("program", "before", "words", "typed"),
    [
        (
            "ophidian",
            ("--opponent", "greedy", "--seed", "7"),
            ("--opponent", "greedy", "--seed", "7"),
            "any 1 u help_hex hint table" + 12 * " any" + " q",
        ),
    ],
)
def test_a_game_reads_as_it_did(
    program: str, before: tuple[str, ...], words: tuple[str, ...], typed: str
) -> None:
    import importlib

    from cli.front import group_of

    def told(group: Any, options: tuple[str, ...]) -> list[str]:
        lines = typed.replace(" ", "\n").replace("_", " ") + "\n"
        shown = CliRunner().invoke(group, ["play", *options], input=lines).stdout
        # Who sits where is said otherwise, a choice is a move now, and no line is too long: all are meant.
        return shown.partition("Type ? for help.")[2].replace("choice", "move").split()

    now = told(group_of(game(program)), words)
    assert now == told(getattr(importlib.import_module(f"cli.{program}.main"), program), before)
    assert len(now) > 200
