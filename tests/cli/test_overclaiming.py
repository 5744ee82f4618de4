"""Nothing is called best that is not: answers that were cut short, at random positions of small days."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from analysis.ragers.answers.solving import Effort
from analysis.ragers.play.equilibrium import DaySolver
from analysis.ragers.play.opponents import Rollouts, Uniform
from analysis.ragers.play.transcript import Game, Header
from analysis.ragers.played_game import PlayedGame
from engine.ragers.reference import NOTHING, deciders, legal_actions
from tests.cli.played_games import at_the_end
from tests.cli.test_advise import GAMES, game_words

pytestmark = pytest.mark.kernels

NAMES = ["veterans", "deadeyes", "stoppers", "veteran-tops", "attacks-redraw", "uneven-attacks"]


def headline(text: str) -> str:
    """Return the first sentence of a page, however its lines break."""
    return " ".join(text.split("\n\n", 1)[0].split())


def walked(run: Any, words: list[str], luck: random.Random) -> list[str]:
    """Return the history of a random course of play, as far as advice can follow it."""
    steps: list[str] = []
    for _ in range(luck.randrange(3)):
        asked = [*words, "--iterations", "1", "--history", "; ".join(steps), "-q", "--format", "json"]
        found = json.loads(run("advise", *asked).stdout)
        if found["decision"] != "place":
            break
        theirs = [row["type"] for row in found["opponent_types"] if row["plays_now"]]
        own = luck.choice(list(found["range_mix"]))
        steps.append(f"{own if own != 'nothing' else '-'}/{luck.choice(theirs) if theirs else '-'}")
        if run("advise", *words, "--iterations", "1", "--history", "; ".join(steps), "-q").exit_code:
            return steps[:-1]
    return steps


@pytest.mark.parametrize("name", NAMES)
def test_advice_that_was_cut_short_calls_nothing_best(name: str, run: Any) -> None:
    luck = random.Random(name)
    for _ in range(3):
        words = game_words(GAMES[name])
        words += ["--history", "; ".join(walked(run, words, luck)), "--iterations", str(luck.randint(1, 5))]
        found = json.loads(run("advise", *words, "-q", "--format", "json").stdout)
        said = headline(run("advise", *words, "-q").stdout)
        known = sorted((row["ev_gp"] for row in found["actions"]), reverse=True)
        told = known[0] - known[1] if len(known) > 1 else float("inf")
        between = known[0] - known[-1] if len(known) > 1 else float("inf")
        gap = found["nash_conv_gp"]
        assert ("the best action is" in said) <= (told > gap), said
        assert ("best" in said) <= (between >= gap), said
        if gap > 0.01 and "solved now (exact" in found["source"]:
            assert "not finished" in found["source"] or (found["certified"] and gap < 0.5)


@pytest.mark.parametrize("name", NAMES[:2])
def test_hints_that_were_cut_short_say_so(name: str) -> None:
    game = GAMES[name]
    solver, said = DaySolver(Effort(iterations=2, threads=1)), 0
    for seed in range(4):
        played = Game.begin(Header(game.rules(), (game.patron, game.cheers[0]), False, 0, "test", seed))
        person = PlayedGame(played, Uniform(), Rollouts(2), solver)
        luck = random.Random(seed)
        while not at_the_end(played):
            who = deciders(played.state)
            if 0 in who and len(legal_actions(played.state, 0)) > 1:
                solved = solver.solve(played.view(0))
                first = person.hint()[0]
                if solved is not None:
                    worth = [solved.worth_gp[action] for action in legal_actions(played.state, 0)]
                    apart = max(worth) - min(worth) >= solved.nash_conv_gp
                    assert ("nothing tells its actions apart" in first) != apart
                    said += 1
            moves = [luck.choice(legal_actions(played.state, player) or (NOTHING,)) for player in (0, 1)]
            played.go((moves[0], moves[1]))
    assert said > 0
