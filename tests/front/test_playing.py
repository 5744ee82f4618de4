"""A person at a game of each kind: moves, undo, hints, the end, and the same game from the same seed."""

from __future__ import annotations

import math
import random
import shlex
from typing import Any

import pytest
from click.testing import CliRunner

from analysis.front.verbs.play import session_of
from cli.front import group_of
from tests.front.games import COMPILES, QUICK, game
from tests.golden import pages

PLAYABLE = [
    pytest.param(name, marks=[pytest.mark.kernels] if name in COMPILES else [])
    for name in QUICK
    if game(name).play is not None
]


def begun(name: str, seat: int, seed: int) -> Any:
    """Begin a game against chance, or whoever is quickest."""
    asked = game(name)
    # To judge a decision takes playouts, which are not what is tested here.
    quick = {each.name: True for each in asked.play.parameters if each.name == "no_costs"}
    session, _ = session_of(asked, asked.play.build(seat=seat, seed=seed, opponent="random", **quick))
    return session


def whole_game(name: str, seat: int) -> list[str]:
    """Play a game to its end, taking back what is done; return what its player is told, and some boards."""
    chance = random.Random(seat)
    session = begun(name, seat, 5)
    assert session.seat == seat - 1
    told = list(session.advance())
    taken_back = decisions = 0
    while (options := session.options()) is not None:
        decisions += 1
        assert len(set(options)) == len(options) > 0
        assert session.board()
        told += session.board() if math.isqrt(decisions) ** 2 == decisions else []
        before = (session.fingerprint(), list(session.board()))
        number = chance.randrange(len(options))
        session.make(number)
        happened = list(session.advance())
        if decisions <= 12:
            assert session.undo()
            taken_back += 1
            assert session.options() == options
            assert (session.fingerprint(), list(session.board())) == before
            session.make(number)
            assert list(session.advance()) == happened, "chance is the same after what was taken back"
        told += [f"> {options[number]} ({number + 1} of {len(options)})", *happened]
    assert taken_back
    assert session.ending()
    told += session.ending()
    while session.undo():
        decisions -= 1
    assert decisions == 0
    assert not session.undo()
    return told


@pytest.mark.parametrize("name", PLAYABLE)
@pytest.mark.parametrize("seat", [1, 2])
def test_games_end_as_they_did_and_every_decision_can_be_taken_back(name: str, seat: int) -> None:
    assert whole_game(name, seat) == pages.plays()[f"{name} {seat}"]


@pytest.mark.parametrize("name", PLAYABLE)
def test_the_same_seed_gives_the_same_game(name: str) -> None:
    def told(seed: int) -> list[str]:
        session = begun(name, 1, seed)
        lines = list(session.advance())
        for _ in range(4):
            if session.options() is None:
                break
            session.make(0)
            lines += [*session.advance(), *session.board()]
        return lines

    assert told(3) == told(3)
    assert len({tuple(told(seed)) for seed in range(8)}) > 1


@pytest.mark.parametrize("name", PLAYABLE)
def test_the_command_plays_what_is_typed(name: str) -> None:
    asked = game(name)
    program = group_of(asked)
    words = shlex.split(asked.play.examples[0])
    result = CliRunner().invoke(program, words, input="?\nu\nhint\nany\nu\nany\nq\n", prog_name=name)
    assert result.exit_code == 0
    assert "there is nothing to take back" in result.output
    assert result.output.count("taken back") == 1
    assert "Stopped" in result.output
    quick = ["--no-costs"] if any(each.name == "no_costs" for each in asked.play.parameters) else []
    words = ["play", "--seed", "1", "--opponent", "random", *quick]
    over = CliRunner().invoke(program, words, input="any\n" * 5_000)
    assert over.exit_code == 0, over.output
    seat = CliRunner().invoke(program, ["play", "--seat", str(max(asked.seats) + 1)])
    assert seat.exit_code == 2
    assert "'--seat'" in seat.output
