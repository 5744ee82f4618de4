"""Playing the last day by solves of the rest of it: what it knows, what it plays, what it tells."""

from __future__ import annotations

from random import Random

import pytest

from analysis.ragers.last_day.playing import LastDayPlayer
from analysis.ragers.play.opponents import deal_unseen
from analysis.ragers.play.transcript import Game, Header
from analysis.ragers.play.views import Played, View
from engine.ragers.reference import NOTHING, deciders, is_over, legal_actions
from engine.ragers.rules import Rules, load_rules
from tests.oracles.games import decks

MEMORY_BYTES = 2**30
THINK_S = 300.0
"""Longer than any of these solves takes to its target, so that two of them do the same."""


def tiny(first: str, second: str) -> Rules:
    """A match of one day without discards, so that its only day is the last."""
    overrides = ("match.hand_size=2", "match.row_length=2", "match.days=1", "match.discards=0")
    return load_rules(overrides=(*decks(first, second), *overrides))


def dealt(view: View, random: Random) -> View:
    """The same view with all dealt anew that its player cannot see, in every move so far."""
    played = [
        Played(
            deal_unseen(View(each.state, view.player, each.buried), random), each.move, each.buried, each.past
        )
        for each in view.played
    ]
    return View(deal_unseen(view, random), view.player, view.buried, view.past, played)


@pytest.mark.kernels
@pytest.mark.parametrize("seed", range(3))
def test_I1_solves_of_the_last_day_use_nothing_hidden(seed: int) -> None:
    game, other = Game.begin(Header(tiny("BSPDS", "BSPXB"), None, True, 0, "test", seed)), Random(seed)
    player = LastDayPlayer(THINK_S, MEMORY_BYTES)
    solved = 0
    while True:
        game.chance()
        if is_over(game.state):
            break
        move = [NOTHING, NOTHING]
        for who in deciders(game.state):
            legal = legal_actions(game.state, who)
            move[who] = other.choice(legal)
            if who != 1 or len(legal) == 1:
                continue
            view = game.view(1)
            mix = player.mix(view)
            assert mix is not None
            assert sum(mix) == pytest.approx(1.0)
            assert {action for action, share in enumerate(mix) if share} <= set(legal)
            assert LastDayPlayer(THINK_S, MEMORY_BYTES).mix(dealt(view, other)) == pytest.approx(mix)
            solved += 1
        game.go((move[0], move[1]))
    assert solved
    assert len(player.news) == 1
    assert "is solved" in player.news[0]


@pytest.mark.kernels
def test_what_does_not_fit_is_told_once_and_left_to_the_search() -> None:
    game = Game.begin(Header(tiny("BSPDS", "BSPXB"), None, True, 0, "test", 1))
    game.chance()
    player = LastDayPlayer(10.0, memory_bytes=1)
    assert player.mix(game.view(1)) is None
    assert player.mix(game.view(1)) is None
    assert len(player.news) == 1
    assert "is not solved: it takes" in player.news[0]
