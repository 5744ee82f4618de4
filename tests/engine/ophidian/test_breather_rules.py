"""One test for each rule of the deal, the breather and the end of a match with cards."""

from __future__ import annotations

import pytest

from engine.ophidian.reference import (
    ACTION,
    CHANCE,
    SUPPORT,
    Kind,
    Move,
    Phase,
    Seat,
    State,
    chance_outcomes,
    decider,
    is_over,
    legal_moves,
    points,
    seat_of,
    start_match,
    step,
    winner,
    wounds,
)
from engine.ophidian.reference_view import view
from engine.ophidian.rules import load_rules
from tests.engine.ophidian.tables import BOX, PASS, cards, counts, fighter, go, options, table

STOP = Move(Kind.STOP)
NO_PROMOTION = Move(Kind.PROMOTE)


def dealt(state: State) -> State:
    """The first outcome, and the first card under the deck, until something else is to be decided."""
    while state.phase in (Phase.DRAW, Phase.UNDER):
        outcomes = chance_outcomes(state)
        state = step(state, outcomes[0][0] if outcomes else legal_moves(state)[0])
    return state


def breather(state: State) -> State:
    """Both pass, and nobody discards."""
    state = go(state, PASS, PASS)
    if decider(state) == CHANCE and state.phase == Phase.DIE:
        state = go(state, 0)
    for _ in range(2):
        if state.phase == Phase.DISCARD:
            state = go(state, STOP)
        state = dealt(state)
    return state


def test_T4_nine_cards_and_two_under_the_deck_in_a_chosen_order() -> None:
    state = start_match(BOX, [seat_of(BOX, "iron"), seat_of(BOX, "storm")])
    for _ in range(9):
        assert (decider(state), state.turn, state.wave) == (CHANCE, 0, 0)
        state = step(state, chance_outcomes(state)[-1][0])
    assert (state.phase, len(state.holdings[0].hand)) == (Phase.UNDER, 9)
    first, second = legal_moves(state)[1], legal_moves(state)[0]
    state = go(state, first, second)
    assert state.holdings[0].bottom == (first.card, second.card)
    assert sum(state.holdings[0].deck) == 51 - 9
    assert (state.turn, state.phase) == (1, Phase.DRAW)
    state = dealt(state)
    assert (state.phase, state.wave, state.cheer) == (Phase.DIE, 1, (0, 0))
    assert [holding.resources for holding in state.holdings] == [11, 11]
    assert go(state, 1).phase == Phase.PLACE


def test_T3_decks_are_large_enough() -> None:
    seats = [Seat((0,), counts("hex hex")), seat_of(BOX, "storm")]
    with pytest.raises(ValueError, match="a deck of 2 cards"):
        start_match(BOX, seats)


def test_P1_resources_are_ten_and_the_wave_and_the_rest_is_lost() -> None:
    state = breather(table([fighter("runt", 1)], [fighter("scrap")], resources=(3, 30)))
    assert [holding.resources for holding in state.holdings] == [12, 12]


def test_B1_wounds_of_the_fallen_count_and_those_of_minions_do_not() -> None:
    own = [fighter("runt", 6), fighter("thorn"), fighter("guardian", 4)]
    state = table(own, [fighter("bastion", 7)], momentum=0)
    assert wounds(state, 0) == 6
    assert go(state, PASS, PASS).momentum == 1


def test_B2_discard_any_number_and_draw_to_nine() -> None:
    state = table([fighter("runt", 1, is_set=True)], [fighter("scrap")], hands=("hex hex veil", ""))
    state = go(state, PASS, PASS)
    assert (state.phase, decider(state), state.teams[0][0].is_set) == (Phase.DISCARD, 0, False)
    hex_, veil = BOX.card_numbers["hex"], BOX.card_numbers["veil"]
    state = go(state, Move(Kind.DISCARD, card=hex_))
    assert {move.card for move in options(state, Kind.DISCARD)} == {hex_, veil}
    after = go(state, Move(Kind.DISCARD, card=veil))  # nothing higher is left: it draws
    assert (after.phase, after.left) == (Phase.DRAW, 8)
    after = go(state, STOP)
    assert (after.phase, after.left) == (Phase.DRAW, 7)
    after = dealt(after)
    assert (len(after.holdings[0].hand), len(after.holdings[0].bottom)) == (7, 2)


def test_B2_more_than_nine_draw_nothing_and_go_down_to_seven() -> None:
    hand = "hex hex hex veil veil veil toxin toxin toxin plate"
    state = go(table([fighter("runt", 1)], [fighter("scrap")], hands=(hand, "")), PASS, PASS, STOP)
    assert state.phase == Phase.UNDER
    for _ in range(3):
        state = go(state, options(state, Kind.UNDER)[0])
    assert (len(state.holdings[0].hand), state.holdings[0].bottom[0]) == (7, cards(hand)[0])


def test_B2_who_cannot_draw_loses() -> None:
    state = go(table([fighter("runt", 1)], [fighter("scrap")], decks=("hex", "hex")), PASS, PASS)
    state = dealt(state)
    assert winner(state) == 1


def test_B3_pay_or_destroy_card_by_card() -> None:
    own = [fighter("runt", 1, pumps="spiked-fists"), fighter("drone"), fighter("imp")]
    other = [fighter("scrap", pumps="parasite overclock"), fighter("stand-in-brute")]
    state = breather(table(own, other))
    # First the pump, then the Drone; the Imp cannot be maintained; then the Parasite over there.
    assert (state.phase, len(state.teams[0])) == (Phase.MAINTAIN, 3)
    assert legal_moves(state) == (Move(Kind.MAINTAIN), Move(Kind.ABANDON))
    state = go(state, Move(Kind.ABANDON), Move(Kind.MAINTAIN))
    assert (state.teams[0][0].pumps, state.holdings[0].resources, len(state.teams[0])) == ((), 11, 2)
    state = go(state, Move(Kind.MAINTAIN))
    # The other one has its reinforcement to pay for; Overclock is player 0's and cannot be maintained.
    assert (decider(state), state.holdings[0].resources, len(state.teams[1][0].pumps)) == (1, 10, 1)
    before = points(state, 0)
    state = go(state, Move(Kind.ABANDON))
    assert points(state, 0) - before == 2  # R3


def test_B3_what_cannot_be_paid_is_destroyed() -> None:
    rules = load_rules(overrides=["match.base_resources=0", "cards.guardian.maintain=3"])
    state = breather(table([fighter("runt", 1), fighter("guardian")], [fighter("scrap")], rules=rules))
    assert legal_moves(state) == (Move(Kind.ABANDON),)


def test_B3_a_card_is_asked_for_after_who_died_of_a_pump_given_up() -> None:
    life = 'cards.plate.abilities=[{when="static",do=[{act="modify",stat="life",amount=2}]}]'
    own = [
        fighter("thorn"),
        fighter("runt", 6, pumps="spiked-fists plate"),
        fighter("drone"),
        fighter("hound"),
    ]
    state = breather(table(own, [fighter("scrap", 1)], rules=load_rules(overrides=[life])))
    # What was paid for on Runt goes with it; the Drone and the Hound have still to be paid for.
    state = go(state, Move(Kind.MAINTAIN), Move(Kind.ABANDON))
    assert (state.teams[0][1].pumps, state.phase, decider(state)) == ((), Phase.MAINTAIN, 0)
    state = go(state, Move(Kind.ABANDON), Move(Kind.ABANDON))
    assert [each.is_gladiator for each in state.teams[0]] == [True, True]


def test_B4_promotions_and_then_reinforcements_for_the_fallen() -> None:
    own = [fighter("runt", 6), fighter("thorn", 2)]
    stacks = ("understudy stand-in-brute", "understudy")
    state = breather(table(own, [fighter("scrap", 1)], stacks=stacks))
    assert [move.many for move in legal_moves(state)] == [(1,), ()]
    state = go(state, Move(Kind.PROMOTE, many=(1,)))
    assert (state.phase, decider(state)) == (Phase.REINFORCE, 0)
    assert len(legal_moves(state)) == 3
    entering = Move(Kind.REINFORCE, card=BOX.gladiator("understudy"))
    state = go(state, entering)
    # One has fallen, one has entered; the other player has lost nobody.
    assert (state.phase, decider(state)) == (Phase.PROMOTE, 1)
    entered = state.teams[0][2]
    assert (entered.level, entered.field, entered.is_set) == (-1, SUPPORT, False)
    state = go(state, NO_PROMOTION)
    assert state.phase == Phase.PLACE


def test_B4_a_reinforcement_is_promoted_later_and_never_above_level_four() -> None:
    own = [fighter("understudy", 1, level=-1), fighter("runt", level=3)]
    state = breather(table(own, [fighter("scrap")]))
    state = go(state, Move(Kind.MAINTAIN))
    assert [move.many for move in legal_moves(state)] == [(0,), ()]
    assert go(state, Move(Kind.PROMOTE, many=(0,))).teams[0][0].level == 0


def test_B5_minions_are_placed_too() -> None:
    state = breather(table([fighter("runt", 1), fighter("hound")], [fighter("scrap")]))
    state = go(state, Move(Kind.MAINTAIN), NO_PROMOTION, NO_PROMOTION)
    assert len(legal_moves(state)) == 4
    state = go(state, Move(Kind.PLACE, many=(SUPPORT, ACTION)), Move(Kind.PLACE, many=(ACTION,)))
    assert [each.field for each in state.teams[0]] == [SUPPORT, ACTION]
    assert (state.phase, state.wave) == (Phase.ACT, 2)


def test_breather_abilities_work_when_all_are_unset() -> None:
    state = table([fighter("thorn", 3, pumps="regrowth")], [fighter("scrap")])
    assert breather(state).teams[0][0].wounds == 2


def test_W1_minions_and_reinforcements_in_the_stack_do_not_help() -> None:
    own, other = [fighter("bastion")], [fighter("runt", 5), fighter("hound")]
    state = table(own, other, stacks=("", "understudy"))
    assert winner(go(state, Move(Kind.ATTACK, 0, 0))) == 0


def test_W3_after_the_last_wave_more_points_win() -> None:
    own, other = [fighter("runt"), fighter("thorn", 8)], [fighter("scrap")]
    assert winner(go(table(own, other, wave=4), PASS, PASS)) == 1
    tied = go(table([fighter("runt", 1)], other, wave=4), PASS, PASS)
    assert (is_over(tied), tied.wave, tied.phase) == (False, 5, Phase.DRAW)


def test_a_player_does_not_see_the_others_cards() -> None:
    state = table(
        [fighter("runt")], [fighter("scrap")], hands=("hex", "veil toxin"), bottoms=("plate", "imp")
    )
    seen = view(state, 0)
    assert seen.holdings[0] == state.holdings[0]
    assert seen.holdings[1].hand == (-1, -1)
    assert seen.holdings[1].bottom == (-1,)
    assert sum(seen.holdings[1].deck) == 20 + 3
    swapped = table(
        [fighter("runt")], [fighter("scrap")], hands=("hex", "imp toxin"), bottoms=("plate", "veil")
    )
    assert view(swapped, 0).holdings == seen.holdings
    assert view(swapped, 1).holdings != view(state, 1).holdings
