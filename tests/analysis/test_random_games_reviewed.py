"""Games played at random, reviewed: who lost is told why, and a longer search names no dearer decisions."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from typing import Any, NamedTuple

import pytest

from analysis.front.bundles import RulesFiles
from analysis.front.verbs.play import session_of
from analysis.ragers.play.judging import judge_move
from analysis.ragers.play.transcript import replayed
from analysis.raverun.narration import LEAST_COST
from analysis.raverun.played_game import judged_game
from analysis.reviewed import Decision, dearest, review
from engine.ophidian.sampling import HORIZON
from engine.ragers.reference import legal_actions
from engine.raverun.reference import payoffs
from tests.front.games import FILES, game

pytestmark = pytest.mark.kernels

DEAREST = 10


class Reviewed(NamedTuple):
    """A game at random, whether it was won, and its decisions as two searches see them."""

    won: bool
    few: list[Decision]
    many: list[Decision]


def begun(name: str, seed: int, **advice: Any) -> Any:
    """Begin a game against a player who does not play at random."""
    asked = game(name)
    opponent = {"clash": "rule", "warage": "rules"}.get(name, "greedy")
    session, _ = session_of(asked, asked.play.build(seat=1, seed=seed, opponent=opponent, **advice))
    return session


def played(name: str, seed: int, **advice: Any) -> Any:
    """Play a game at random; return the session."""
    session = begun(name, seed, **advice)
    chance = random.Random(seed)
    session.advance()
    while (options := session.options()) is not None:
        session.make(chance.randrange(len(options)))
        session.advance()
    return session


def reviewed(name: str, seeds: Iterable[int], playouts: int, **given: Any) -> list[Reviewed]:
    """Play games at random, and judge each twice."""
    found = []
    for seed in seeds:
        few, many = (played(name, seed, playouts=number, **given) for number in (playouts, 10 * playouts))
        (end, *_), (same, *_) = few.ending(), many.ending()
        assert end == same
        own = few.game.scenario.clans[few.seat] if name == "clash" else "You win"
        found.append(Reviewed(end.startswith(own), few.decisions, many.decisions))
    return found


def check_raverun(seeds: Iterable[int]) -> int:
    """Check that who lost is told of decisions that cost something; return how many games were lost."""
    lost = 0
    for seed in seeds:
        session = played("raverun", seed)
        assert any("raverun review judges them" in line for line in session.ending())
        if payoffs(session.game.state)[session.seat] < 0:
            lost += 1
            found = judged_game(session.game.header, session.game.ways, None)
            assert found.num_made == len(found.decisions)
            assert any(each.cost >= LEAST_COST for each in found.decisions)
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


@pytest.mark.parametrize(("name", "number", "playouts"), [("clash", 1, 30), ("ophidian", 1, 10)])
def test_a_few_random_games(name: str, number: int, playouts: int) -> None:
    short = {"set": ("match.waves=1",)} if name == "ophidian" else {}
    games = reviewed(name, range(number), playouts, **short)
    assert not without_a_cause(games)
    for few, many in ((each.few, each.many) for each in games):
        assert len(few) == len(many)
        # So few playouts leave much open, but call nothing cheap that is among the dearest.
        most = sorted(range(len(many)), key=lambda place: -many[place].cost)[:5]
        assert not any(few[place].cheap and many[place].dear for place in most)


def test_a_few_random_games_by_learned_values() -> None:
    assert check_raverun(range(4))


def test_what_is_taken_back_costs_nothing_and_nothing_is_judged_unasked() -> None:
    session = begun("ophidian", 3, playouts=1, set=("match.waves=1",))
    session.advance()
    while not session.decisions:
        session.make(0)
        session.advance()
    # What comes before the first wave is judged to the end of that one.
    assert session._to_the_end_of_the_wave()[HORIZON] == 1
    costs = session.decisions
    assert session.undo()
    assert session.decisions == costs[:-1]
    unasked = played("ophidian", 3, no_costs=True, set=("match.waves=1",))
    assert unasked.decisions == []
    assert len(unasked.ending()) == 1


@pytest.mark.parametrize("name", ["ophidian", "warage"])
def test_every_decision_that_has_an_alternative_is_judged(name: str) -> None:
    session = begun(name, 4, playouts=1, **({"set": ("match.waves=1",)} if name == "ophidian" else {}))
    session.advance()
    alternatives = []
    while len(alternatives) < 16 and (options := session.options()) is not None:
        alternatives += [len(options)] if len(options) > 1 else []
        session.make(0)
        session.advance()
    assert len(session.decisions) == len(alternatives)
    assert 2 in alternatives


@pytest.mark.parametrize("day", [{}, {"patron": "Solennos", "cheers": "two-bashers"}], ids=["match", "day"])
def test_of_a_game_of_ragers_every_decision_is_judged_or_counted(day: dict[str, str]) -> None:
    session = played("ragers", 1, **day)
    choices = sum(len(legal_actions(each.state, session.seat)) > 1 for each in session.game.game.steps())
    lines = session.ending()
    judged = sum(line.startswith(("  Before the day", "  Step")) for line in lines)
    counted = re.search(r"Of your decisions (\d+) were not judged; .*(--think|--for-match)", lines[-1])
    assert counted
    assert judged + int(counted[1]) == choices


def test_a_review_of_ragers_counts_decisions_that_had_a_choice() -> None:
    file = FILES / "ragers" / "match.txt"
    question = game("ragers").question("review")
    found = question.answer(question.build(transcript=file))
    played = replayed(file, RulesFiles(), "TRANSCRIPT")
    me = played.header.player
    choices = [each for each in played.steps if len(legal_actions(each.state, me)) > 1]
    assert found.unjudged == sum(judge_move(each, me, None) is None for each in choices)
    assert found.unjudged > 0
    [said] = [note for note in found.page().notes if "not judged" in note]
    assert said.startswith(f"{found.unjudged} of ")
    assert "--think" in said
    assert "--for-match" in said


@pytest.mark.slow
@pytest.mark.parametrize("name", ["clash", "ophidian", "raverun", "warage"])
def test_a_hundred_random_games(name: str) -> None:
    if name == "raverun":
        assert check_raverun(range(100))
    else:
        # As many playouts as a game has if nothing is said; fewer where games take long.
        number = {"clash": (30, 1000), "ophidian": (30, 100), "warage": (100, 1000)}[name]
        check(name, range(number[0]), number[1])
