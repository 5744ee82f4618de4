"""Games at the table, reviewed: dear decisions are named, and what is not known is said to be so."""

from __future__ import annotations

import random

import pytest

from analysis.warage.game import Advice, Decks
from analysis.warage.players import ByRules
from analysis.warage.session import DuelSession, begin
from engine.warage.reference import setup_of
from engine.warage.rules import load_rules

pytestmark = pytest.mark.kernels
RULES = load_rules()


def game_of(playouts: int, seed: int, seat: int = 0, *, judged: bool = True) -> DuelSession:
    decks = ["orc-warrior", "elf-mage"]
    return DuelSession(setup_of(RULES, decks), seat, ByRules(), playouts, seed, judged=judged)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_person_plays_the_first_deck_in_either_seat(seat: int) -> None:
    session = begin(RULES, Decks(deck="orc-warrior", against="elf-mage"), seat, ByRules(), 0, Advice())
    assert session.seat == seat
    races = [session.setup.race(place).id for place in (0, 1)]
    assert (races[seat], races[1 - seat]) == ("orc", "elf")


def test_every_choice_is_judged_also_of_moves_that_searches_leave_out() -> None:
    game = game_of(16, 3)
    rng = random.Random(7)
    judged_moves: set[str] = set()
    game.play_on()
    while not game.over and len(judged_moves) < 5:
        moves = game.choices()
        place = next((place for place, move in enumerate(moves) if move.kind in ("sell", "unready")), None)
        index = rng.randrange(len(moves)) if place is None else place
        before = len(game.decisions)
        game.make(index)
        if moves[index].kind != "pass":
            assert len(game.decisions) == before + 1
            judged_moves.add(moves[index].kind)
        game.play_on()
    assert "sell" in judged_moves or "unready" in judged_moves


def test_hints_have_errors_and_more_playouts_make_them_smaller() -> None:
    hints = []
    for playouts in (100, 1000):
        game = game_of(playouts, 5, judged=False)
        game.play_on()
        for _ in range(2):
            game.make(0)
            game.play_on()
        hints.append(game.tried())
    few, many = (options for options, _ in hints)
    assert sum(option.playouts for option in many) > 5 * sum(option.playouts for option in few)
    assert 0.0 < many[0].error < few[0].error
    assert few[0].behind == 0.0
    assert not few[0].told
