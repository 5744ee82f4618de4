"""Games played at random, reviewed: who lost is told why, and a longer search names no dearer decisions."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any, NamedTuple

import pytest

from analysis.front.verbs.play import session_of
from analysis.raverun.narration import LEAST_COST
from analysis.raverun.played_game import decisions_of
from analysis.reviewed import Decision, dearest, review
from engine.raverun.reference import payoffs
from tests.front.games import game

pytestmark = pytest.mark.kernels

DEAREST = 10


class Reviewed(NamedTuple):
    """A game at random, whether it was won, and its decisions as two searches see them."""

    won: bool
    few: list[Decision]
    many: list[Decision]


def played(name: str, seed: int, **advice: int) -> Any:
    """Play a game at random against a player who does not; return the session."""
    asked = game(name)
    opponent = {"clash": "rule", "raverun": "greedy", "warage": "rules"}[name]
    session, _ = session_of(asked, asked.play.build(seat=1, seed=seed, opponent=opponent, **advice))
    chance = random.Random(seed)
    session.advance()
    while (options := session.options()) is not None:
        session.make(chance.randrange(len(options)))
        session.advance()
    return session


def reviewed(name: str, seeds: Iterable[int], playouts: int) -> list[Reviewed]:
    """Play games at random, and judge each twice."""
    found = []
    for seed in seeds:
        few, many = (played(name, seed, playouts=number) for number in (playouts, 10 * playouts))
        (end, *_), (same, *_) = few.ending(), many.ending()
        assert end == same
        own = few.game.game.scenario.clans[few.seat] if name == "clash" else "You win"
        found.append(Reviewed(end.startswith(own), few.game.decisions, many.game.decisions))
    return found


def check_raverun(seeds: Iterable[int]) -> int:
    """Check that who lost is told of decisions that cost something; return how many games were lost."""
    lost = 0
    for seed in seeds:
        session = played("raverun", seed)
        assert any("were not judged" in line for line in session.ending())
        if payoffs(session.game.state)[session.seat] < 0:
            lost += 1
            found = decisions_of(session.game.header, session.game.ways, None)
            assert any(each.cost >= LEAST_COST for each in found)
    return lost


def without_a_cause(games: list[Reviewed]) -> list[Reviewed]:
    """Return lost games of which a review names nothing, and leaves nothing open."""
    lost = [each for each in games if not each.won]
    return [each for each in lost if all(one.cheap and not one.dear for one in each.few)]


def named_of_the_dearest(games: list[Reviewed]) -> tuple[int, int]:
    """Return how many of the dearest decisions of the longer search are named, and of how many."""
    every = [(one, place) for place, each in enumerate(games) for one in dearest(each.many)]
    most = sorted(every, key=lambda each: -each[0].cost)[:DEAREST]
    named = [[(one.when, one.made) for one in review(each.few, "--playouts").named] for each in games]
    return sum((one.when, one.made) in named[place] for one, place in most), len(most)


def check(name: str, seeds: Iterable[int], playouts: int) -> None:
    games = reviewed(name, seeds, playouts)
    assert not without_a_cause(games)
    named, most = named_of_the_dearest(games)
    assert most == DEAREST
    assert named >= 9


@pytest.mark.parametrize(("name", "number", "playouts"), [("clash", 1, 100), ("warage", 2, 100)])
def test_a_few_random_games(name: str, number: int, playouts: int) -> None:
    games = reviewed(name, range(number), playouts)
    assert not without_a_cause(games)
    for few, many in ((each.few, each.many) for each in games):
        assert len(few) == len(many)
        # So few playouts leave much open, but call nothing cheap that is among the dearest.
        most = sorted(range(len(many)), key=lambda place: -many[place].cost)[:5]
        assert not any(few[place].cheap and many[place].dear for place in most)


def test_a_few_random_games_by_learned_values() -> None:
    assert check_raverun(range(4))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["clash", "raverun", "warage"])
def test_a_hundred_random_games(name: str) -> None:
    if name == "raverun":
        assert check_raverun(range(100))
    else:
        # As many playouts as a game has if nothing is said; fewer for Clash, whose playouts take long.
        check(name, range(30 if name == "clash" else 100), 1000)
