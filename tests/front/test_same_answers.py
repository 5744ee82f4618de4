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
    ("decks", "players", "deals"),
    [
        (("orc-warrior", "elf-mage"), ("rules", "rules"), 2500),
        (("elf-mage", "human-paladin"), ("rules:life_below=50", "greedy"), 300),
        (("orc-warrior", "orc-warrior"), ("rules", "rules"), 300),
        (("orc-warrior", "elf-mage"), ("random", "rules"), 60),
        (("orc-warrior", "elf-mage"), ("search:iterations=10", "rules"), 2),
    ],
)
def test_warages_match(decks: tuple[str, str], players: tuple[str, str], deals: int) -> None:
    known = older(
        "warage", "match", *decks, "--player", players[0], "--player-b", players[1],
        "--duels", str(2 * deals), "--seed", "3", "--set", "cards.fireball.cost=6",
    )  # fmt: skip
    match = game("warage").question("match").python()
    found = match(
        deck=decks[0], against=decks[1], player=players, deals=deals, seed=3, set=["cards.fireball.cost=6"]
    )
    first = found.sides[0]
    assert (found.plays, found.complete, found.by_design) == (known["duels"], True, known["by_design"])
    assert first.won.mean == pytest.approx(known["win"], abs=1e-12)
    assert [seat.mean for seat in first.by_seat] == pytest.approx(known["by_seat"], abs=1e-12)
    assert found.draws == pytest.approx(known["draws"], abs=1e-12)
    assert {each.name: pytest.approx(each.won) for each in found.groups} == known["by_season"]
    assert (None if found.length is None else pytest.approx(found.length.mean)) == known["turns"]
    assert (None if found.length is None else found.length.ninetieth) == known["ninetieth"]
    if not found.by_design:
        # One interval for all games, over deals instead of duels; it is about as wide.
        assert first.won.low is not None
        assert first.won.low <= known["win"] <= (first.won.high or 0.0)


@pytest.mark.parametrize(
    ("program", "before", "words", "typed"),
    [
        (
            "warage",
            ("orc-warrior", "elf-mage", "--opponent", "rules", "--seed", "7", "--playouts", "20"),
            ("orc-warrior", "elf-mage", "--opponent", "rules", "--seed", "7", "--playouts", "20"),
            "any 1 u help_fireball table" + 8 * " any" + " q",
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
