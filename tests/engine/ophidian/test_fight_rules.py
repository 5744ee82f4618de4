"""One test for each rule of a fight without cards; rule ids as in the reference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from engine.ophidian.reference import (
    ACTION,
    CHANCE,
    OVER,
    SUPPORT,
    Fighter,
    Kind,
    Move,
    Phase,
    State,
    chance_outcomes,
    decider,
    is_over,
    is_raging,
    legal_moves,
    payoffs,
    points,
    start,
    start_wave,
    step,
    winner,
    wounds,
)
from engine.ophidian.rules import load_rules

RULES = load_rules()
PASS = Move(Kind.PASS)
TAKE = Move(Kind.TAKE)
QUIET = Move(Kind.QUIET)


def fighter(name: str, wounded: int = 0, **more: Any) -> Fighter:
    return Fighter(RULES.gladiator(name), wounds=wounded, **more)


def fight(own: Sequence[Fighter], other: Sequence[Fighter], **more: Any) -> State:
    return start_wave(RULES, (own, other), **more)


def go(state: State, *moves: Move) -> State:
    for move in moves:
        state = step(state, move)
    return state


def kinds(state: State) -> set[Kind]:
    return {move.kind for move in legal_moves(state)}


def test_T5_a_die_and_then_placements_the_starter_first() -> None:
    state = start(RULES, [[RULES.gladiator("runt")], [RULES.gladiator("scrap"), RULES.gladiator("thorn")]])
    assert decider(state) == CHANCE
    assert chance_outcomes(state) == [(0, 1), (1, 1)]
    state = step(state, 1)
    assert (decider(state), len(legal_moves(state))) == (1, 4)
    state = step(state, Move(Kind.PLACE, many=(SUPPORT, ACTION)))
    assert decider(state) == 0
    state = step(state, Move(Kind.PLACE, many=(ACTION,)))
    assert (state.phase, decider(state), state.wave) == (Phase.ACT, 1, 1)
    assert [each.field for each in state.teams[1]] == [SUPPORT, ACTION]


def test_M1_positive_keeps_momentum_and_negative_hands_it_on() -> None:
    state = fight([fighter("runt", field=SUPPORT), fighter("thorn")], [fighter("scrap")])
    assert decider(go(state, Move(Kind.ADVANCE, 0))) == 0
    assert decider(go(state, Move(Kind.RETREAT, 1))) == 1


def test_A1_who_retreats_is_set_and_a_set_one_may_but_not_advance() -> None:
    own = [fighter("runt", is_set=True), fighter("thorn", field=SUPPORT, is_set=True)]
    state = fight(own, [fighter("scrap")])
    assert legal_moves(state) == (Move(Kind.RETREAT, 0), PASS)
    after = go(state, Move(Kind.RETREAT, 0))
    assert after.teams[0][0] == fighter("runt", field=SUPPORT, is_set=True)


def test_A2_only_the_unset_in_the_action_field_attack_and_anybody() -> None:
    own = [fighter("runt"), fighter("thorn", field=SUPPORT), fighter("saw-hand", is_set=True)]
    state = fight(own, [fighter("scrap"), fighter("acolyte", field=SUPPORT), fighter("whisper", 7)])
    attacks = [move for move in legal_moves(state) if move.kind == Kind.ATTACK]
    assert attacks == [Move(Kind.ATTACK, 0, 0), Move(Kind.ATTACK, 0, 1)]


def test_A3_who_may_stand_in() -> None:
    other = [fighter("scrap", field=SUPPORT), fighter("acolyte", field=SUPPORT), fighter("whisper")]
    other.append(fighter("thorn", is_set=True))
    behind = go(fight([fighter("runt")], other), Move(Kind.ATTACK, 0, 0))
    assert legal_moves(behind) == (Move(Kind.INTERCEPT, 1), Move(Kind.PROTECT, 2), TAKE)
    before = go(fight([fighter("runt")], other), Move(Kind.ATTACK, 0, 3))
    assert legal_moves(before) == (Move(Kind.INTERCEPT, 2), TAKE)
    intercepted, protected = go(behind, Move(Kind.INTERCEPT, 1)), go(behind, Move(Kind.PROTECT, 2))
    assert intercepted.teams[1][1].is_set
    assert not protected.teams[1][2].is_set


def test_A4_both_are_hurt_at_once_and_a_shield_stops_attack_damage_only() -> None:
    state = go(fight([fighter("bastion")], [fighter("thorn")]), Move(Kind.ATTACK, 0, 0))
    assert (state.teams[0][0].wounds, state.teams[1][0].wounds) == (2, 3)
    weak = go(fight([fighter("runt")], [fighter("bastion")]), Move(Kind.ATTACK, 0, 0))
    assert (weak.teams[0][0].wounds, weak.teams[1][0].wounds) == (2, 0)


@pytest.mark.parametrize(("defends", "hurt"), [("true", 1), ("false", 0)])
def test_A5_a_stand_in_deals_its_own_defence_damage_or_none(defends: str, hurt: int) -> None:
    rules = load_rules(overrides=[f"combat.stand_in_defends={defends}"])
    teams = ([fighter("bastion")], [fighter("thorn"), fighter("runt")])
    state = go(start_wave(rules, teams), Move(Kind.ATTACK, 0, 0), Move(Kind.INTERCEPT, 1))
    assert state.teams[0][0].wounds == hurt
    assert [each.wounds for each in state.teams[1]] == [0, 3]


def test_A6_the_interceptors_player_gets_the_cheer_a_protectors_does_not() -> None:
    other = [fighter("scrap", field=SUPPORT), fighter("acolyte", field=SUPPORT), fighter("whisper")]
    announced = go(fight([fighter("runt")], other), Move(Kind.ATTACK, 0, 0))
    cheer = [go(announced, move).cheer for move in legal_moves(announced)]
    assert cheer == [(0, 1), (1, 0), (1, 0)]


def test_M4_a_roar_costs_a_cheer_and_makes_positive_negative() -> None:
    state = fight([fighter("runt"), fighter("thorn", field=SUPPORT)], [fighter("scrap")], cheer=(3, 1))
    asked = go(state, Move(Kind.ADVANCE, 1))
    assert (decider(asked), kinds(asked)) == (1, {Kind.ROAR, Kind.QUIET})
    assert (decider(go(asked, Move(Kind.ROAR))), go(asked, Move(Kind.ROAR)).cheer) == (1, (3, 0))
    assert (decider(go(asked, QUIET)), go(asked, QUIET).cheer) == (0, (3, 1))
    negative = go(state, Move(Kind.RETREAT, 0))
    assert negative.phase == Phase.ACT  # nothing to roar at
    without_cheer = fight([fighter("runt", field=SUPPORT)], [fighter("scrap")])
    assert go(without_cheer, Move(Kind.ADVANCE, 0)).phase == Phase.ACT


def test_M5_passes_in_a_row_end_the_wave_and_actions_between_do_not_count() -> None:
    state = fight([fighter("runt")], [fighter("scrap", field=SUPPORT)])
    state = go(state, PASS, Move(Kind.ADVANCE, 0), PASS)
    assert (state.passes, state.wave, decider(state)) == (1, 1, 0)
    assert go(state, PASS).wave == 2


def test_R1_rage_begins_at_the_value_and_0_rages_from_the_start() -> None:
    assert not is_raging(RULES, fighter("runt", 2))
    assert is_raging(RULES, fighter("runt", 3))
    assert is_raging(RULES, fighter("gfrhtru"))
    assert not is_raging(RULES, fighter("runt", 6))  # destroyed


def test_R2_attacking_the_raging() -> None:
    other = [fighter("thorn", 5), fighter("runt")]
    unset = go(fight([fighter("bastion")], other), Move(Kind.ATTACK, 0, 0))
    assert go(unset, TAKE).teams[0][0].wounds == 3  # defence 2, rage 1
    assert go(unset, Move(Kind.INTERCEPT, 1)).teams[0][0].wounds == 1  # no rage effects
    other[0] = fighter("thorn", 4, is_set=True)
    becoming = go(fight([fighter("runt")], other), Move(Kind.ATTACK, 0, 0), TAKE)
    assert becoming.teams[1][0].is_set  # raging only since this action
    other[0] = fighter("thorn", 5, is_set=True)
    roused = go(fight([fighter("runt")], other), Move(Kind.ATTACK, 0, 0), TAKE)
    assert not roused.teams[1][0].is_set
    assert roused.teams[0][0].wounds == 2
    other[0] = fighter("thorn", 7, is_set=True)
    assert go(fight([fighter("runt")], other), Move(Kind.ATTACK, 0, 0), TAKE).teams[1][0].is_set  # destroyed


def test_R3_the_destroyed_score_their_points_and_count_with_their_life() -> None:
    state = fight([fighter("bastion")], [fighter("thorn", 7), fighter("runt")])
    state = go(state, Move(Kind.ATTACK, 0, 0), TAKE)
    assert (points(state, 0), points(state, 1)) == (2, 0)
    assert (wounds(state, 1), wounds(state, 0)) == (8, 3)


def test_T2_a_discounted_gladiator_scores_its_printed_points() -> None:
    state = fight([fighter("bastion")], [fighter("pathogenesis", 12), fighter("runt")])
    assert points(state, 0) == 4


def test_W1_annihilation_comes_before_points_and_both_without_compare_them() -> None:
    state = go(fight([fighter("bastion")], [fighter("runt", 5)]), Move(Kind.ATTACK, 0, 0))
    assert is_over(state)
    assert payoffs(state) == (1.0, -1.0)
    both = go(fight([fighter("runt", 5)], [fighter("runt", 5)]), Move(Kind.ATTACK, 0, 0))
    assert winner(both) is None
    more = go(fight([fighter("runt", 5)], [fighter("thorn", 7)]), Move(Kind.ATTACK, 0, 0))
    assert (winner(more), decider(more)) == (0, OVER)


def test_W2_enough_cheer_wins_at_once() -> None:
    state = fight([fighter("runt")], [fighter("scrap"), fighter("thorn")], cheer=(14, 14))
    attacked = go(state, Move(Kind.ATTACK, 0, 0))
    assert winner(go(attacked, TAKE)) == 0
    assert winner(go(attacked, Move(Kind.INTERCEPT, 1))) == 1


def test_W3_enough_points_win_at_once() -> None:
    fallen = [fighter("bastion", 11), fighter("pathogenesis", 12), fighter("gfrhtru", 9), fighter("runt")]
    before = fight([fighter("tempest")], fallen)
    assert points(before, 0) == 8
    assert not is_over(go(before, Move(Kind.ATTACK, 0, 2), TAKE))  # 11
    rules = load_rules(overrides=["match.winning_points=11"])
    state = go(start_wave(rules, ([fighter("tempest")], fallen)), Move(Kind.ATTACK, 0, 2), TAKE)
    assert winner(state) == 0


def test_W3_ties_go_on_for_two_waves_and_then_draw() -> None:
    ahead = fight([fighter("runt")], [fighter("scrap"), fighter("acolyte", 5)], wave=4)
    assert winner(go(ahead, PASS, PASS)) == 0
    tied = go(fight([fighter("runt")], [fighter("scrap")], wave=4), PASS, PASS)
    assert (tied.wave, is_over(tied)) == (5, False)
    assert winner(go(fight([fighter("runt")], [fighter("scrap")], wave=6), PASS, PASS)) is None


def test_B1_most_wounds_then_most_cheer_then_a_die() -> None:
    one, other = [fighter("runt", 2)], [fighter("scrap")]
    assert go(fight(one, other, momentum=1), PASS, PASS).momentum == 0
    assert go(fight([fighter("runt")], other, cheer=(0, 1)), PASS, PASS).momentum == 1
    assert decider(go(fight([fighter("runt")], other), PASS, PASS)) == CHANCE
    fallen = fight([fighter("runt", 6), fighter("thorn")], [fighter("scrap", 5)], momentum=1)
    assert go(fallen, PASS, PASS).momentum == 0  # with its life, no overkill


def test_B2_B4_B5_all_unset_promotions_heal_and_placements_follow() -> None:
    own = [fighter("runt", 2, is_set=True), fighter("thorn", 1), fighter("scrap", level=3)]
    own.append(fighter("whisper", 7))
    state = go(fight(own, [fighter("acolyte")]), PASS, PASS)
    assert (state.phase, decider(state)) == (Phase.PROMOTE, 0)
    assert {move.many for move in legal_moves(state)} == {(0, 1), (0,), (1,), ()}
    state = go(state, Move(Kind.PROMOTE, many=(0, 1)), Move(Kind.PROMOTE, many=()))
    assert state.teams[0][0] == fighter("runt", 1, level=1)
    assert state.teams[0][1] == fighter("thorn", 0, level=1)
    assert (state.phase, decider(state), len(legal_moves(state))) == (Phase.PLACE, 0, 8)
    state = go(state, Move(Kind.PLACE, many=(SUPPORT, ACTION, SUPPORT, SUPPORT)))
    state = go(state, Move(Kind.PLACE, many=(ACTION,)))
    assert (state.phase, decider(state), state.wave) == (Phase.ACT, 0, 2)
