"""The windows of an action: when the crowd may roar (M4), and responses to what has resolved (M2)."""

from __future__ import annotations

import pytest

from engine.ophidian.reference import (
    SUPPORT,
    Kind,
    Move,
    Phase,
    decider,
    legal_moves,
    start_wave,
)
from engine.ophidian.rules import Rules, load_rules
from tests.engine.ophidian.tables import DECLINE, QUIET, fighter, go, play, reply, table, titles

ATTACK, ROAR = Move(Kind.ATTACK, 0, 0), Move(Kind.ROAR)


def with_window(window: str, *more: str) -> Rules:
    return load_rules(overrides=[f"combat.roar_window={window}", *more])


LATE, EARLY, BOTH = (with_window(window) for window in ("resolved", "announced", "both"))


def _wounds_after(rules: Rules, *moves: Move) -> int:
    """Of the Scrap that a Whisper attacks; without the roar nobody is crowd favourite."""
    state = table([fighter("whisper")], [fighter("scrap")], rules=rules, cheer=(1, 1))
    return go(state, ATTACK, *moves).teams[1][0].wounds


def test_M4_an_early_roar_comes_before_the_action_resolves() -> None:
    # A cheer less, and the Whisper is crowd favourite while it attacks: 2 + 1 less a shield of 1.
    assert _wounds_after(LATE, ROAR) == 1
    assert _wounds_after(EARLY, ROAR) == 2
    assert _wounds_after(BOTH, ROAR) == 2
    assert _wounds_after(BOTH, QUIET, ROAR) == 1


@pytest.mark.parametrize("rules", [EARLY, BOTH], ids=["announced", "both"])
def test_M4_a_roar_comes_once_and_momentum_passes(rules: Rules) -> None:
    state = table([fighter("runt", field=SUPPORT)], [fighter("scrap")], rules=rules, cheer=(0, 2))
    asked = go(state, Move(Kind.ADVANCE, 0))
    assert (asked.phase, decider(asked), asked.teams[0][0].field) == (Phase.ROAR, 1, SUPPORT)
    roared = go(asked, ROAR)
    assert (roared.phase, decider(roared), roared.cheer) == (Phase.ACT, 1, (0, 1))
    assert roared.teams[0][0].field != SUPPORT
    quiet = go(asked, QUIET)
    assert quiet.phase == (Phase.ROAR if rules is BOTH else Phase.ACT)
    assert decider(quiet) == (1 if rules is BOTH else 0)


def test_M4_only_positive_actions_are_roared_at_early() -> None:
    hand = ("crowd-pleaser", "")
    own = [fighter("runt"), fighter("thorn")]
    state = table(own, [fighter("scrap")], rules=EARLY, cheer=(0, 2), hands=hand)
    assert go(state, Move(Kind.RETREAT, 0)).phase == Phase.ACT
    assert go(state, play("crowd-pleaser")).phase == Phase.ROLL  # variable
    without_cheer = table([fighter("runt")], [fighter("scrap")], rules=EARLY)
    assert go(without_cheer, ATTACK).phase == Phase.ACT


def test_M4_a_response_sees_the_sign_that_an_early_roar_has_made() -> None:
    rules = with_window(
        "announced",
        'cards.dread.abilities=[{when="announced",to="negative",do=[{act="cheer",amount=2}]}]',
    )
    hand = ("", "dread")
    own = [fighter("runt", field=SUPPORT)]
    state = table(own, [fighter("whisper")], rules=rules, cheer=(0, 1), hands=hand)
    asked = go(state, Move(Kind.ADVANCE, 0))
    assert titles(go(asked, ROAR), Kind.REPLY) == ["dread"]
    assert go(asked, QUIET).phase == Phase.ACT


def test_M4_fights_without_cards_have_the_late_window_alone() -> None:
    moves = []
    for rules in (LATE, EARLY, BOTH):
        team, other = [fighter("runt", field=SUPPORT)], [fighter("scrap")]
        state = go(start_wave(rules, (team, other), cheer=(0, 1)), Move(Kind.ADVANCE, 0))
        moves.append((state.phase, state.action, legal_moves(state)))
    assert moves[0] == moves[1] == moves[2]


NURSE = 'cards.sidestep.abilities=[{when="resolved",to="attacked",do=[{act="heal",amount=2}]}]'


def test_M2_what_has_resolved_may_be_responded_to_before_the_roar() -> None:
    rules = load_rules(overrides=[NURSE])
    hand = ("sidestep", "sidestep hex")
    team, other = [fighter("runt")], [fighter("mirror-witch", 4)]
    state = go(table(team, other, rules=rules, hands=hand, cheer=(0, 1)), ATTACK)
    # Before it resolves, only what answers the announcement.
    assert titles(state, Kind.REPLY) == ["hex"]
    struck = go(state, DECLINE)
    assert (struck.phase, decider(struck), struck.teams[1][0].wounds) == (Phase.RESPOND, 1, 5)
    assert titles(struck, Kind.REPLY) == ["sidestep"]  # the attacker's answers no own attack
    healed = go(struck, reply("sidestep", rules))
    assert healed.teams[1][0].wounds == 3
    assert (healed.phase, healed.action) == (Phase.ROAR, None)
    assert go(struck, DECLINE).phase == Phase.ROAR


def test_M3_a_response_to_what_has_resolved_works_once() -> None:
    rules = load_rules(overrides=[NURSE])
    hand = ("", "sidestep sidestep")
    state = table([fighter("runt")], [fighter("mirror-witch", 4)], rules=rules, hands=hand)
    after = go(state, ATTACK, reply("sidestep", rules))
    assert (after.phase, len(after.holdings[1].hand)) == (Phase.ACT, 1)


def test_A7_the_destroyed_are_not_responded_for_and_what_ends_the_match_ends_it() -> None:
    rules = load_rules(overrides=[NURSE])
    two = [fighter("mirror-witch", 7), fighter("acolyte", field=SUPPORT)]
    state = table([fighter("runt"), fighter("thorn")], two, rules=rules, hands=("", "sidestep"))
    fallen = go(state, ATTACK)
    assert (fallen.phase, decider(fallen)) == (Phase.ACT, 0)
    alone = table([fighter("runt")], two[:1], rules=rules, hands=("", "sidestep"))
    assert go(alone, ATTACK).phase == Phase.OVER


def test_M1_a_response_to_what_has_resolved_can_make_it_negative() -> None:
    rules = load_rules(
        overrides=['cards.dread.abilities=[{when="resolved",to="positive",do=[{act="become",sign="-"}]}]']
    )
    hand = ("", "dread")
    own = [fighter("runt", field=SUPPORT)]
    state = table(own, [fighter("whisper")], rules=rules, hands=hand, cheer=(0, 3))
    moved = go(state, Move(Kind.ADVANCE, 0))
    assert (moved.phase, moved.teams[0][0].field == SUPPORT) == (Phase.RESPOND, False)
    assert decider(go(moved, reply("dread", rules))) == 1  # no roar was needed
    assert go(moved, DECLINE).phase == Phase.ROAR
