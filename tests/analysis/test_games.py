"""What the package says can be asked about each game."""

from __future__ import annotations

import shlex
from importlib import import_module

import pytest

from analysis.games import ANSWERS, Answerable, answers_about
from engine.games import GAMES, Game
from tests.engine.contract.games import GAMES as UNDER_CONTRACT


def test_all_games_are_under_the_contract() -> None:
    assert list(UNDER_CONTRACT) == list(GAMES) == list(ANSWERS)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_layer_has_a_room_for_it(game: Game) -> None:
    for layer in ("engine", "analysis", "cli") if answers_about(game) else ("engine",):
        import_module(f"{layer}.{game.name}")


@pytest.mark.parametrize(
    ("game", "answer"),
    [pytest.param(game, each, id=each.command) for game in GAMES.values() for each in answers_about(game)],
)
def test_commands_are_there(game: Game, answer: Answerable) -> None:
    assert answer.kind in ("exact", "bounded", "measured")
    program, *words = shlex.split(answer.command)
    main = import_module(f"cli.{game.name}.main")
    group = getattr(main, game.name)
    if program == game.name:
        assert words[0] in group.list_commands(None)
    else:
        assert program == f"{game.name}-solve"
        assert words == [] or words[0] not in group.list_commands(None)
