"""Days and matches of Ragers, and games of Raverun, split into luck and decisions."""

from __future__ import annotations

import math
import statistics
from typing import Any

import pytest

from analysis.ragers.answers.solving import Effort
from analysis.ragers.play.equilibrium import DaySolver
from analysis.ragers.play.judging import judge_move
from analysis.ragers.play.opponents import Uniform
from analysis.ragers.play.splitting import split_day
from analysis.ragers.play.transcript import Game, Header, replay
from arena_solver import raverun
from engine.ragers.reference import NOTHING, deciders, is_over
from engine.ragers.rules import Rules, load_rules
from tests.front.games import FILES
from tests.oracles.games import decks

TINY = load_rules(overrides=[*decks("BBSSPPT", "BSSPPPTT"), "match.hand_size=2", "match.row_length=2"])


def played(rules: Rules, seed: int, player: int, both: Any, *, discard: bool) -> Game:
    """Return a day that one player plays on both sides."""
    game = Game.begin(Header(rules, ("solennos", "two-bashers"), discard, player, "test", seed))
    while True:
        game.chance()
        if is_over(game.state):
            return game
        move = [NOTHING, NOTHING]
        for seat in deciders(game.state):
            move[seat] = both.choose(game.view(seat), game.dice(str(seat)))
        game.go((move[0], move[1]))


class BySolver:
    """Plays the mix of a solver, and any card where that knows none."""

    def __init__(self, solver: DaySolver) -> None:
        self.solver = solver

    def choose(self, view: Any, random: Any) -> int:
        solved = self.solver.solve(view)
        if solved is None:
            return Uniform().choose(view, random)
        return int(random.choices(range(len(solved.mix)), [max(0.0, each) for each in solved.mix])[0])


@pytest.mark.kernels
def test_luck_is_nothing_on_average_where_values_are_exact_and_both_play_by_them() -> None:
    """The first of two steps is played by any card, as the solver believes; the second one is solved."""
    solver = DaySolver(Effort(iterations=60, threads=1))
    lucks: list[float] = []
    costs: list[float] = []
    for seed in range(120):
        game = played(TINY, seed, seed % 2, BySolver(solver), discard=False)
        judged = []
        for each in game.steps():
            found = {seat: judge_move(each, seat, solver) for seat in deciders(each.state) if seat >= 0}
            judged.append((each, {seat: one for seat, one in found.items() if one is not None}))
        split = split_day(replay(game.text()), [pair for pair in judged if not isinstance(pair[0].move, int)])
        if split is not None:
            assert len(split.parts) == 1
            lucks.append(split.luck)
            costs.append(split.other - split.own)
    assert len(lucks) > 80
    error = statistics.stdev(lucks) / math.sqrt(len(lucks))
    assert abs(statistics.mean(lucks)) < 4 * error
    assert statistics.stdev(lucks) > 1.0
    # A mix that was found in so many iterations takes a move that costs a little now and then.
    assert statistics.mean(costs) < 0.05


@pytest.mark.kernels
def test_a_game_of_raverun_is_split_and_both_sides_tell_the_same() -> None:
    file = FILES / "raverun" / "game.txt"
    found = raverun.review(transcript=str(file))
    split = found.split
    assert split is not None
    assert found.payoffs is not None
    assert split.start + split.luck + split.own + split.other == pytest.approx(found.payoffs[found.seat - 1])
    costs = sum(each.cost for each in found.costs)
    assert -split.own == pytest.approx(costs)
    assert split.other > 0.0
    assert "Luck " in found.page().headline
