"""Random positions, what is changed in them, and what is counted of what is proved."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from analysis.estimates import estimate
from analysis.ophidian import worth
from analysis.ophidian.fights import position
from analysis.ophidian.worth import (
    Drawn,
    _change,
    _gladiator,
    _pair,
    _prove,
    _Proved,
    _Task,
    _worths,
    random_position,
)
from engine.ophidian.reference import is_over
from engine.ophidian.rules import load_rules

RULES = load_rules()


def test_positions_are_drawn_from_all_that_may_be() -> None:
    drawn = [random_position(Drawn(RULES, 2, 3, 7), number) for number in range(400)]
    fighters = [fighter for state in drawn for team in state.teams for fighter in team]
    assert {fighter.level for fighter in fighters} == {0, 1, 2}
    assert {fighter.field for fighter in fighters} == {0, 1}
    assert {cheer for state in drawn for cheer in state.cheer} == set(range(6))
    assert {state.momentum for state in drawn} == {0, 1}
    assert all(state.turn == state.momentum and state.wave == 3 for state in drawn)
    starting = {number for number, rule in enumerate(RULES.gladiators) if not rule.reinforcement}
    assert {fighter.gladiator for fighter in fighters} == starting
    lives = [RULES.gladiators[each.gladiator].life[each.level] for each in fighters]
    left = {life - each.wounds for life, each in zip(lives, fighters, strict=True)}
    assert min(left) == 1
    assert 0 in {each.wounds for each in fighters}
    assert not any(is_over(state) for state in drawn)
    assert all(len({each.gladiator for each in team}) == 2 for state in drawn for team in state.teams)
    first = [random_position(Drawn(RULES, 2, wave, 7), number) for wave in (1, 6) for number in range(100)]
    assert {each.level for state in first[:100] for team in state.teams for each in team} == {0}
    assert {each.level for state in first[100:] for team in state.teams for each in team} == {0, 1, 2, 3}
    assert random_position(Drawn(RULES, 2, 3, 7), 5) == drawn[5]
    assert random_position(Drawn(RULES, 2, 3, 8), 5) != drawn[5]


def test_cheer_stays_below_a_riot() -> None:
    rules = load_rules(overrides=["match.riot=2"])
    drawn = [random_position(Drawn(rules, 1, 1, 0), number) for number in range(60)]
    assert {cheer for state in drawn for cheer in state.cheer} == {0, 1}


@pytest.mark.parametrize("player", [0, 1])
def test_a_change_gives_one_side_one_thing_more(player: int) -> None:
    state = position("Runt L2, Scrap L4", "Whisper L4, Acolyte L3", cheer="3:5")
    before, after = _pair(state, "momentum", player, Random(0)) or (state, state)
    assert (before.momentum, before.turn, after.momentum, after.turn) == (
        1 - player,
        1 - player,
        player,
        player,
    )
    assert before.teams == after.teams == state.teams
    before, after = _pair(state, "cheer", player, Random(0)) or (state, state)
    assert before == state
    assert after.cheer == ((4, 5) if player == 0 else (3, 6))
    grown: Counter[tuple[int, ...]] = Counter()
    for seed in range(20):
        before, after = _pair(state, "level", player, Random(seed)) or (state, state)
        assert before == state
        assert after.teams[1 - player] == state.teams[1 - player]
        grown[tuple(each.level for each in after.teams[player])] += 1
    # Who has the highest level rises no more.
    assert set(grown) == {((2, 3), (3, 3))[player]}
    both = position("Runt L2, Scrap L3", "Runt L2, Scrap L3")
    pairs = [_pair(both, "level", player, Random(seed)) for seed in range(20)]
    levels = {tuple(each.level for each in pair[1].teams[player]) for pair in pairs if pair is not None}
    assert levels == {(2, 2), (1, 3)}


@pytest.mark.parametrize("player", [0, 1])
def test_where_there_is_no_room_nothing_is_changed(player: int) -> None:
    cheer = ("14:13", "13:14")[player]
    state = position("Runt L4", "Runt L4", cheer=cheer)
    assert _pair(state, "cheer", player, Random(0)) is None
    assert _pair(state, "cheer", 1 - player, Random(0)) is not None
    assert _pair(state, "level", player, Random(0)) is None


def proved(number: int, teams: Any, worth: tuple[int, int], **gains: tuple[int, int]) -> _Proved:
    return _Proved(number, teams, worth, gains)


FOUND = [
    proved(0, ((1, 2), (3, 4)), (1, 6), momentum=(1, 2), cheer=(0, 0)),
    proved(1, ((3, 1), (2, 5)), (-1, -4), momentum=(0, 1), cheer=(2, 3)),
    proved(2, ((1, 2), (1, 6)), (0, 1), momentum=(-2, -3)),
]


def test_changes_are_worth_their_mean_where_there_was_room() -> None:
    momentum, cheer, level = (_change(name, FOUND) for name in ("momentum", "cheer", "level"))
    assert momentum.points == estimate([2, 1, -3])
    assert momentum.chance == estimate([0.5, 0.0, -1.0], (-1.0, 1.0))
    assert momentum.decides == pytest.approx(2 / 3)
    assert (cheer.points, cheer.decides) == (estimate([0, 3]), 0.5)
    assert cheer.chance == estimate([0.0, 1.0], (-1.0, 1.0))
    assert (level.points.mean, level.decides) == (None, 0.0)


def test_gladiators_are_counted_on_either_side_and_not_on_both() -> None:
    one, two, three = (_gladiator(RULES, number, _worths(number, FOUND)) for number in (1, 2, 3))
    assert one.points == estimate([6, -4])
    assert one.chance == estimate([1.0, 0.0], (0.0, 1.0))
    assert two.points == estimate([6, 4, 1])
    assert two.chance == estimate([1.0, 1.0, 0.5], (0.0, 1.0))
    assert three.points == estimate([-6, -4])
    assert (three.name, three.cost) == (RULES.gladiators[3].name, RULES.gladiators[3].points)


def test_what_is_proved_is_seen_from_the_side_that_is_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    proofs: list[Any] = []

    def begun(state: Any) -> Any:
        proofs.append(state.teams)
        return state.teams

    def value(fight: Any, state: Any, player: int) -> tuple[int, int]:
        # What is proved has to know the levels of the position.
        assert fight == state.teams
        levels = [sum(each.level for each in team) for team in state.teams]
        ahead = 100 * (levels[player] - levels[1 - player]) + state.cheer[player] - state.cheer[1 - player]
        return 2 * (state.turn == player), ahead

    monkeypatch.setattr(worth, "_fight", begun)
    monkeypatch.setattr(worth, "_value", value)
    drawn, sides = Drawn(RULES, 1, 4, 2), set()
    done = _prove(_Task(drawn, tuple(range(12))), None)
    assert not done.error
    for each in done.proved:
        state = random_position(drawn, each.number)
        player = Random(f"2 {each.number} change").randrange(2)
        sides.add(player)
        teams = tuple(tuple(one.gladiator for one in state.teams[side]) for side in (player, 1 - player))
        assert each.teams == teams
        assert each.worth == value(state.teams, state, player)
        assert each.gains["momentum"] == (2, 0)
        assert each.gains["cheer"] == (0, 1)
        assert each.gains.get("level", (0, 100)) == (0, 100)
        assert ("level" in each.gains) is (state.teams[player][0].level < 3)
    assert sides == {0, 1}
    assert len(proofs) == 12 + sum("level" in each.gains for each in done.proved)
    looks = iter((False, True))
    assert [each.number for each in _prove(_Task(drawn, (3, 4, 5)), lambda: next(looks)).proved] == [3]
