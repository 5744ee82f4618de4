"""Matches of Ragers between simple players, for tests of play."""

from __future__ import annotations

from random import Random
from typing import Any

from analysis.ragers.play.opponents import Uniform
from analysis.ragers.play.transcript import Game, Header
from analysis.ragers.play.views import View
from engine.ragers.reference import NOTHING, deciders, is_over, legal_actions
from engine.ragers.rules import load_rules


def at_the_end(game: Game) -> bool:
    """Make all moves of chance; return whether the game is over."""
    game.chance()
    return is_over(game.state)


def games(opponent: Any, count: int) -> list[Game]:
    """Return matches against a uniform player, stopped somewhere in the middle, at a decision."""
    found = []
    for seed in range(count):
        game = Game.begin(Header(load_rules(), None, True, 0, "test", seed))
        stop = Random(seed).randrange(1, 25)
        while True:
            game.chance()
            if is_over(game.state) or (stop <= 0 and legal_actions(game.state, 1)):
                break
            stop -= 1
            move = [NOTHING, NOTHING]
            for player in deciders(game.state):
                move[player] = opponent.choose(View(game.state, player, game.buried), game.dice(str(player)))
            game.go((move[0], move[1]))
        if not is_over(game.state):
            found.append(game)
    assert len(found) > count // 2
    return found


def play_on(game: Game) -> None:
    """Play a game to its end, any card as likely."""
    while not at_the_end(game):
        move = [NOTHING, NOTHING]
        for player in deciders(game.state):
            move[player] = Uniform().choose(game.view(player), game.dice(str(player)))
        game.go((move[0], move[1]))
