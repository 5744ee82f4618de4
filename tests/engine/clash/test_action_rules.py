"""The rules of actions (A, E, M) and of battles in the game (B), one test or more for each rule id.

The board of most tests: tiles 1a and 2a, territories 0-6 and 7-13. Cities lie in 0 and 7, forges in 2 and 11,
stones of level I and II in 5 and 8; mountains part 0-1, 3-4, 7-10 and 12-13. The Bastion is place 14, next to
3 and 4 for player 0, to 8 and 9 for player 1.
"""

from __future__ import annotations

import pytest

from engine.clash.reference import Phase, State, chance_outcomes, decider
from engine.clash.reference_march import reachable
from engine.clash.reference_state import controls, points, reserve
from engine.protocol import CHANCE
from tests.engine.clash.notation import card, options, play, table
from tests.engine.clash.plays import BOX

CLANS = ("bohorg", "steamfield", "godleif", "tomb")
BASTION = 14


# -- actions (A, E) -------------------------------------------------------------------------------------


def test_A1_in_turn_order_equip_or_march_or_nothing_twice() -> None:
    state = table(order=(1, 0))
    assert (decider(state), options(state)) == (1, ["equip", "march", "pass"])
    state = play(state, "pass")
    assert (decider(state), state.action) == (0, 1)
    state = play(state, "pass")
    assert (decider(state), state.action) == (1, 2)
    state = play(state, "pass", "pass")
    assert (state.phase, state.round) == (Phase.TACTIC, 3)


def test_E1_buying_in_any_number_until_done() -> None:
    state = play(table(sides=[{"gold": 9}]), "equip")
    assert options(state) == ["buy 0", "buy 1", "buy 2", "buy 3", "buy 4", "buy 5", "done"]
    state = play(state, "buy 5", "6", "buy 0", "7")
    assert state.players[0].gold == 9 - 7 - 2
    assert options(state) == ["done"]
    assert play(state, "done").phase == Phase.ATTACH


def test_E2_the_market_is_refilled_after_each_purchase() -> None:
    state = play(table(sides=[{"gold": 9}]), "equip", "buy 0")
    assert decider(state) == CHANCE
    assert dict(chance_outcomes(state))[0] == BOX.equipment[0].copies - 1
    again = play(state, "1")
    # A card of a kind that lies there is stacked, and another one is drawn.
    assert (decider(again), again.market[1]) == (CHANCE, 2)
    assert decider(play(again, "9")) == 0


def test_E2_a_stack_with_copies_left_needs_no_refill() -> None:
    state = table(sides=[{"gold": 9}], market=(2, 1, 1, 1, 1, 1, *[0] * 14))
    state = play(state, "equip", "buy 0")
    assert decider(state) == 0
    assert state.market[0] == 1


def test_E2_with_an_empty_deck_the_market_stays_smaller() -> None:
    state = table(sides=[{"gold": 9}], deck=(0,) * 20)
    state = play(state, "equip", "buy 0")
    assert decider(state) == 0
    assert options(state) == ["buy 1", "buy 2", "buy 3", "buy 4", "buy 5", "done"]


@pytest.mark.parametrize(
    ("forges", "crystals", "can"), [(0, 9, False), (1, 5, False), (1, 6, True), (2, 3, True)]
)
def test_E3_forging_costs_six_crystals_or_three(forges: int, crystals: int, can: bool) -> None:
    units = [dict.fromkeys((2, 11)[:forges], (1, 0, 0))]
    state = play(table(units=units, sides=[{"crystals": crystals}]), "equip")
    assert ("forge" in options(state)) == can
    if can:
        state = play(state, "forge")
        assert (state.draws, decider(state)) == (1 + forges, CHANCE)
        assert state.players[0].crystals == crystals - (6 if forges == 1 else 3)


def test_E3_one_card_is_kept_and_the_rest_shuffled_back() -> None:
    state = play(table(units=[{2: (1, 0, 0), 11: (1, 0, 0)}], sides=[{"crystals": 9}]), "equip", "forge")
    assert len(chance_outcomes(state)) == 14
    state = play(state, "25", "20", "33")
    assert options(state) == ["keep 20", "keep 25", "keep 33"]
    state = play(state, "keep 25")
    assert state.players[0].cards == (25,)
    assert state.legendary == tuple(number for number in range(20, 34) if number != 25)
    assert points(state, 0) == 1
    # Only once in an action.
    assert "forge" not in options(state)
    later = play(state, "done", "attach 25", "pass", "equip")
    assert (later.action, "forge" in options(later)) == (2, True)


def test_E3_fewer_cards_left_are_all_drawn() -> None:
    state = play(
        table(units=[{2: (1, 0, 0)}], sides=[{"crystals": 9}], legendary=(22,)), "equip", "forge", "22"
    )
    assert options(state) == ["keep 22"]
    none_left = play(table(units=[{2: (1, 0, 0)}], sides=[{"crystals": 9}], legendary=()), "equip")
    assert "forge" not in options(none_left)


def test_E4_one_weapon_and_one_armor_for_each_type() -> None:
    axe, plate = card("axe"), card("plate-armor")
    state = play(table(sides=[{"cards": (axe, axe, plate)}]), "equip", "done")
    assert options(state) == [f"attach {axe}", "attach -1"]
    state = play(state, f"attach {axe}")
    assert options(state) == [f"attach {plate}", "attach -1"]
    state = play(state, "attach -1", "attach -1", f"attach {plate}", f"attach {axe}")
    assert state.players[0].attached == (axe, None, None, plate, axe, None)
    assert state.active == 1


def test_E4_everything_may_be_moved_and_removed() -> None:
    axe = card("axe")
    sides = [{"cards": (axe,), "attached": (axe, None, None, None, None, None)}]
    moved = play(table(sides=sides), "equip", "done", "attach -1", f"attach {axe}")
    assert moved.players[0].attached == (None, None, axe, None, None, None)
    removed = play(table(sides=sides), "equip", "done", "attach -1", "attach -1", "attach -1")
    assert removed.players[0].attached == (None,) * 6
    assert removed.players[0].cards == (axe,)


# -- moving (M) -----------------------------------------------------------------------------------------


def reach(state: State, kind: int, origin: int) -> list[int]:
    return reachable(play(state, "march") if state.phase == Phase.ACTION else state, kind, origin)


def test_M1_each_unit_has_its_own_points_and_mountains_stop_it() -> None:
    state = table(units=[{0: (1, 1, 0), 4: (1, 0, 0)}])
    assert reach(state, 0, 0) == [2, 3, 4, 5, 6]
    assert reach(state, 1, 0) == [1, 2, 3, 4, 5, 6, 11, BASTION]
    assert reach(state, 0, 4) == [0, 5, BASTION]


def test_M1_any_or_all_units_move_each_once() -> None:
    state = play(table(units=[{0: (2, 1, 0)}]), "march", "move 0 0 2", "move 1 0 11")
    assert options(state) == [*(f"move 0 0 {place}" for place in (2, 3, 4, 5, 6)), "halt"]
    state = play(state, "move 0 0 2")
    assert options(state) == ["halt"]
    state = play(state, "halt")
    assert state.active == 1
    assert state.players[0].units[2] == (2, 0, 0)


def test_M2_a_unit_stops_where_enemies_are() -> None:
    beside = table(units=[{4: (0, 1, 0)}], elves={0: (1, 0, 0)})
    # Through 5 to 6, but not through the city to 1, 2 or 3.
    assert reach(beside, 1, 4) == [0, 3, 5, 6, BASTION]
    player = table(units=[{4: (0, 1, 0)}, {0: (1, 0, 0)}])
    assert reach(player, 1, 4) == [0, 3, 5, 6, BASTION]


def test_M2_own_bastion_may_be_entered_and_nobody_elses() -> None:
    state = table(units=[{3: (1, 0, 0), 9: (1, 0, 0)}])
    assert BASTION in reach(state, 0, 3)
    # The Bastion of player 1 is next to 9.
    assert reach(state, 0, 9) == [7, 8, 10]
    assert reach(table(units=[{BASTION: (1, 0, 0)}]), 0, BASTION) == [3, 4]


def test_M3_overrun_once_as_many_own_units_are_there() -> None:
    state = table(units=[{4: (2, 2, 0)}], elves={0: (1, 0, 1)})
    blocked = play(state, "march", "move 0 4 0")
    assert 2 not in reach(blocked, 1, 4)
    state = play(blocked, "move 1 4 0")
    assert 2 in reach(state, 1, 4)
    assert 1 not in reach(state, 1, 4)


def test_M3_example_of_the_rulebook() -> None:
    """Three elves in the city are overrun, and a Berserker behind it attacked as well; the order is free."""
    state = table(units=[{4: (3, 1, 0)}, {2: (1, 0, 0)}], elves={0: (3, 0, 0)})
    state = play(state, "march", "move 0 4 0", "move 0 4 0", "move 0 4 0", "move 1 4 2", "halt")
    assert state.phase == Phase.BATTLES
    assert options(state) == ["battle 0", "battle 2"]


def test_M4_speed_and_flight_of_equipment() -> None:
    boots, whip = card("swift-boots"), card("griffin-whip")
    fast = table(
        units=[{0: (1, 0, 0)}], sides=[{"cards": (boots,), "attached": (None, boots, None, None, None, None)}]
    )
    assert reach(fast, 0, 0) == [1, 2, 3, 4, 5, 6, 11, BASTION]
    flying = table(
        units=[{0: (1, 1, 0)}],
        elves={6: (1, 0, 0)},
        sides=[{"cards": (whip,), "attached": (whip, None, None, None, None, None)}],
    )
    # Flight crosses the mountain to 1. The Kragrider has two points, and no wings: neither is shared.
    assert reach(flying, 0, 0) == [1, 2, 3, 4, 5, 6]
    assert reach(flying, 1, 0) == [1, 2, 3, 4, 5, 6, 11, BASTION]
    wings = table(
        units=[{0: (0, 1, 0)}],
        elves={2: (1, 0, 0), 1: (1, 0, 0)},
        sides=[{"cards": (whip,), "attached": (None, None, whip, None, None, None)}],
    )
    assert reach(wings, 1, 0) == [1, 2, 3, 4, 5, 6, 11, 12, BASTION]


def test_M5_battles_one_after_the_other_in_any_order() -> None:
    state = table(units=[{0: (1, 0, 0), 4: (1, 0, 0)}, {2: (1, 0, 0), 5: (1, 0, 0)}])
    state = play(state, "march", "move 0 0 2", "move 0 4 5", "halt", "battle 5")
    assert (state.battlefield, decider(state)) == (5, 1)
    state = play(state, "flee")
    # One battle is left: it begins by itself.
    assert (state.phase, state.battlefield) == (Phase.BATTLE, 2)
    state = play(state, "flee")
    assert (state.phase, state.active) == (Phase.ACTION, 1)


def test_M6_control_is_having_the_only_units_there() -> None:
    state = table(units=[{0: (1, 0, 0), 2: (1, 0, 0)}, {2: (1, 0, 0), 3: (1, 0, 0)}], elves={0: (1, 0, 0)})
    assert [controls(state, 0, place) for place in (0, 2, 3, 4)] == [False] * 4
    assert controls(state, 1, 3)
    left = play(table(units=[{0: (1, 0, 0)}]), "march", "move 0 0 2", "halt")
    assert points(left, 0) == 0


# -- battles in the game (B1, B11, B13) -----------------------------------------------------------------


@pytest.mark.parametrize(("order", "neighbour"), [((0, 1, 2), 2), ((1, 0, 2), 0), ((2, 1, 0), 1)])
def test_B1_elves_are_played_by_the_right_hand_neighbour(order: tuple[int, ...], neighbour: int) -> None:
    units = [{1: (0, 0, 1)}] * 3
    state = table(
        CLANS[:3],
        units=[units[0] if seat == order[0] else {} for seat in range(3)],
        order=order,
        elves={2: (1, 0, 0)},
    )
    state = play(state, "march", "move 2 1 2", "halt", "1")
    assert options(state) == ["eliminate 0 0 0"]
    assert decider(state) == neighbour


def test_B1_the_active_player_attacks() -> None:
    state = table(units=[{3: (1, 0, 0)}, {2: (1, 0, 0)}], order=(1, 0))
    state = play(state, "march", "move 0 2 3", "halt")
    assert state.battle is not None
    # The attacker is Godleif: its Berserker has power 5. On a tie of slowness the defender decides first.
    assert state.battle.fighters[0][0].power == 5
    assert decider(state) == 0


def test_B4_equipment_serves_all_units_of_the_type() -> None:
    axe = card("axe")
    sides = [{"cards": (axe,), "attached": (axe, None, None, None, None, None)}]
    state = play(table(units=[{3: (2, 0, 0)}, {2: (1, 0, 0)}], sides=sides), "march", "move 0 3 2", "halt")
    assert state.battle is not None
    assert state.battle.fighters[0][0].power == 6


@pytest.mark.parametrize("fleeing", [0, 1])
def test_B11_survivors_flee_to_their_bastion(fleeing: int) -> None:
    state = table(units=[{3: (2, 0, 0), BASTION: (0, 1, 0)}, {2: (1, 1, 0)}])
    state = play(state, "march", "move 0 3 2", "move 0 3 2", "halt")
    # Pummelers are not slow, Godleif's level II is: the attacker begins.
    assert decider(state) == 0
    state = (
        play(state, "flee")
        if fleeing == 0
        else play(state, "roll", "1", "reroll", "0", "eliminate 0 0 0", "flee")
    )
    assert state.players[0].units[BASTION] == ((2, 1, 0) if fleeing == 0 else (0, 1, 0))
    assert state.players[0].units[2] == ((0, 0, 0) if fleeing == 0 else (2, 0, 0))
    assert state.players[1].units[BASTION] == ((0, 0, 0) if fleeing == 0 else (1, 1, 0))
    assert state.players[1].units[2] == ((1, 1, 0) if fleeing == 0 else (0, 0, 0))


def test_B13_eliminated_units_return_to_the_reserve() -> None:
    state = table(units=[{3: (2, 0, 0)}, {2: (1, 0, 0)}])
    assert reserve(state, 1) == (6, 5, 3)
    state = play(
        state,
        "march",
        "move 0 3 2",
        "move 0 3 2",
        "halt",
        "roll",
        "2",
        "eliminate 1 0 0",
        "roll",
        "3",
        "keep",
    )
    state = play(state, "eliminate 1 0 0")
    assert reserve(state, 1) == (7, 5, 3)
    assert reserve(state, 0) == (6, 5, 3)
    assert controls(state, 0, 2)


def test_B13_eliminated_elves_are_crystals_of_the_attacker() -> None:
    state = table(units=[{3: (3, 0, 0)}], elves={2: (1, 1, 0)})
    bag = state.bag
    state = play(state, "march", *["move 0 3 2"] * 3, "halt", "roll", "4", "eliminate 1 0 0")
    assert state.players[0].crystals == 0
    state = play(state, "3", "0", "eliminate 1 0 0", "roll", "4", "eliminate 0 1 0")
    assert state.players[0].crystals == 2
    assert (state.elves[2], state.bag) == ((0, 0, 0), bag)
    assert state.players[0].units[2] == (2, 0, 0)
