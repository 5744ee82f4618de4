"""Combat (K1-K9), a test or more for every rule id, on reference and kernel at once (see `notation.Day`)."""

from __future__ import annotations

import pytest

from engine.ragers.reference import CHANCE, IllegalMove, Phase, legal_actions, scores
from engine.ragers.reference_row import Outcome
from engine.ragers.rules import CHEATER, TYPES, load_rules
from tests.engine.ragers.notation import Day

# -- K1, K2, K3: placing --------------------------------------------------------------------------------


def test_K1_both_place_at_once_and_refill_before_anything_else() -> None:
    five = "basher basher slasher prodder stopper"
    day = Day(five, five, decks=("prodder", "cheater veteran"))
    assert day.who == (0, 1)
    day.play("basher slasher")
    assert day.who == (CHANCE,)
    day.draw("prodder", "veteran")
    assert day.who == (0, 1)
    assert [sum(player.hand) for player in day.state.players] == [5, 5]
    assert sum(day.state.players[0].deck) == 0


def test_K1_refills_after_the_further_cards_of_a_veteran_and_a_deadeye() -> None:
    five = "basher basher slasher deadeye veteran"
    day = Day(five, five, decks=("prodder prodder prodder", "prodder prodder"))
    day.play("veteran basher").draw("prodder", "prodder")
    assert (day.state.phase, day.who) == (Phase.VETERAN, (0,))
    day.play("deadeye -")
    assert day.who == (CHANCE,)
    day.draw("prodder")
    assert (day.state.phase, day.who) == (Phase.DEADEYE, (0,))
    day.play("prodder -").draw("prodder")
    assert (day.state.phase, day.who) == (Phase.PLACE, (0, 1))


def test_K2_five_slots_end_the_combat() -> None:
    day = Day("basher basher basher basher slasher", "basher basher basher basher prodder")
    day.play("basher basher", "basher basher", "basher basher", "basher basher")
    assert day.who == (0, 1)
    day.play("slasher prodder")
    assert day.result.outcome == Outcome.WIN_0


def test_K2_four_slots_under_arianna() -> None:
    five = "basher basher basher basher slasher"
    day = Day(five, five, patron="arianna")
    day.play("basher basher", "basher basher", "basher basher", "basher basher")
    assert day.result.outcome == Outcome.DRAW


def test_K2_face_down_cards_fill_the_row_too() -> None:
    day = Day("basher basher deadeye basher basher", "basher cheater basher basher basher", patron="arianna")
    day.play("basher cheater", "deadeye basher", "basher -")
    assert day.row(0) == "(basher) deadeye ?basher"
    day.play("basher basher")
    assert day.result.combat_gp == (3 + 1, 6 + 1)  # the negated and the hidden card are worth nothing


@pytest.mark.parametrize(
    ("patron", "banned"), [("gharan-zul", "deadeye"), ("greybeard", "cheater"), ("solennos", "veteran")]
)
def test_K3_a_forbidden_type_cannot_be_placed_in_any_way(patron: str, banned: str) -> None:
    other = "deadeye" if banned == "veteran" else "veteran"
    day = Day(f"{banned} {other} basher", "basher basher basher", patron=patron)
    assert TYPES.index(banned) not in legal_actions(day.state, 0)
    day.play(f"{other} basher")  # asks for a further card, on top or face-down
    assert legal_actions(day.state, 0) == (TYPES.index("basher"),)
    with pytest.raises(IllegalMove):
        day.play(f"{banned} -")


def test_K3_the_discard_of_the_preparation_is_free() -> None:
    day = Day("cheater basher", "basher", patron="greybeard", preparation=True)
    assert CHEATER in legal_actions(day.state, 0)


def test_K3_nothing_placeable_places_nothing_that_step() -> None:
    day = Day("deadeye deadeye", "cheater basher", patron="gharan-zul")
    assert day.who == (1,)
    day.play("- cheater", "- basher")
    assert (day.row(0), day.result.outcome) == ("", Outcome.WIN_1)
    assert day.gp == (0, 4)


def test_K3_combat_ends_when_neither_holds_anything_placeable() -> None:
    day = Day("deadeye", "basher deadeye", patron="gharan-zul")
    assert day.play("- basher").result.outcome == Outcome.WIN_1
    assert Day("deadeye", "deadeye", patron="gharan-zul").result.outcome == Outcome.TWO_LOSERS


def test_K3_a_card_drawn_later_can_be_placed_again() -> None:
    rules = load_rules(overrides=["match.hand_size=2"])
    day = Day(
        "deadeye deadeye", "basher slasher", patron="gharan-zul", rules=rules, decks=("", "prodder basher")
    )
    day.play("- basher").draw("prodder")
    assert day.who == (1,)


# -- K4: the Cheater ------------------------------------------------------------------------------------


@pytest.mark.parametrize("other", ["basher", "slasher", "prodder", "deadeye", "stopper", "veteran"])
def test_K4_cheater_negates_the_opposing_card(other: str) -> None:
    day = Day("cheater basher", f"{other} prodder", decks=("", "")).play(f"cheater {other}")
    assert (day.row(0), day.row(1)) == ("cheater", f"({other})")
    assert (day.state.phase, day.who) == (Phase.PLACE, (0, 1))  # no effect asks for a card
    day.play("basher prodder")
    assert day.row(1) == ""  # cleared: the day is over
    assert day.gp == (0, 3)  # the negated card brings nothing, and a negated Stopper does not double


def test_K4_cheater_against_cheater_both_are_negated() -> None:
    day = Day("cheater basher", "cheater slasher").play("cheater cheater")
    assert (day.row(0), day.row(1)) == ("(cheater)", "(cheater)")
    assert day.play("basher slasher").gp == (3, 0)


@pytest.mark.parametrize("pair", ["cheater chancer", "chancer cheater"])
def test_K4_cheater_against_chancer_both_are_negated(pair: str) -> None:
    first, second = pair.split()
    day = Day(f"{first} basher", f"{second} slasher").play(pair)
    assert (day.row(0), day.row(1)) == (f"({first})", f"({second})")


def test_K4_K7_protected_cheater_against_cheater() -> None:
    day = Day("stopper cheater basher", "prodder cheater slasher").play("stopper prodder", "cheater cheater")
    assert (day.row(0), day.row(1)) == ("stopper cheater*", "prodder (cheater)")
    assert day.play("basher slasher").gp == (1 + 2 + 3, 0)


def test_K4_K7_protected_cheater_against_protected_cheater() -> None:
    day = Day("stopper cheater basher", "stopper cheater basher").play("stopper stopper", "cheater cheater")
    assert (day.row(0), day.row(1)) == ("stopper cheater*", "stopper cheater*")
    assert day.play("basher basher").gp == (6, 6)


def test_K4_K7_protected_cheater_against_chancer() -> None:
    day = Day("stopper cheater basher", "prodder chancer slasher").play("stopper prodder", "cheater chancer")
    assert (day.row(0), day.row(1)) == ("stopper cheater*", "prodder (chancer)")


def test_K4_K5_K7_protected_chancer_against_cheater_becomes_a_cheater_worth_nothing() -> None:
    day = Day("stopper chancer basher", "prodder cheater slasher", cheers=["slasher-veteran"])
    day.play("stopper prodder", "chancer cheater")
    assert (day.row(0), day.row(1)) == ("stopper chancer=cheater*", "prodder (cheater)")
    assert day.play("basher slasher").gp == (1 + 0 + 3, 0)


def test_K4_K5_K7_protected_chancer_against_protected_cheater_both_stay() -> None:
    day = Day("stopper chancer", "stopper cheater").play("stopper stopper", "chancer cheater")
    assert day.result.outcome == Outcome.TWO_LOSERS
    assert scores(day.state) == (0, 0)
    day = Day("stopper chancer basher", "stopper cheater basher").play("stopper stopper", "chancer cheater")
    assert (day.row(0), day.row(1)) == ("stopper chancer=cheater*", "stopper cheater*")


# -- K5: the Chancer ------------------------------------------------------------------------------------


@pytest.mark.parametrize("other", ["basher", "slasher", "prodder"])
def test_K5_chancer_copies_an_attack_but_no_gp(other: str) -> None:
    day = Day("chancer", other).play(f"chancer {other}")
    assert (day.result.outcome, day.gp) == (Outcome.DRAW, (0, 3))


def test_K5_chancer_copies_a_stopper_and_its_mark() -> None:
    day = Day("chancer basher basher", "stopper basher basher").play("chancer stopper", "basher basher")
    assert (day.row(0), day.row(1)) == ("chancer=stopper basher*", "stopper basher*")
    assert day.play("basher basher").gp == (9, 10)


def test_K5_chancer_copies_a_deadeye_and_its_further_card() -> None:
    day = Day("chancer basher basher", "deadeye basher basher").play("chancer deadeye")
    assert (day.state.phase, day.who) == (Phase.DEADEYE, (0, 1))
    day.play("basher basher")
    assert (day.row(0), day.row(1)) == ("chancer=deadeye ?basher", "deadeye ?basher")


def test_K5_chancer_copies_a_veteran_and_its_further_card() -> None:
    day = Day("chancer basher basher", "veteran basher basher").play("chancer veteran")
    assert (day.state.phase, day.who) == (Phase.VETERAN, (0, 1))
    day.play("basher basher")
    assert (day.row(0), day.row(1)) == ("chancer=veteran/basher", "veteran/basher")
    assert day.play("basher basher").gp == (6, 7)


def test_K5_chancer_against_chancer_both_stay_blank() -> None:
    day = Day("chancer basher", "chancer basher").play("chancer chancer")
    assert (day.row(0), day.row(1)) == ("chancer=", "chancer=")
    assert day.play("basher basher").gp == (3, 3)


def test_K5_K7_chancer_against_chancer_is_blank_even_if_protected() -> None:
    day = Day("stopper chancer basher", "prodder chancer basher").play("stopper prodder", "chancer chancer")
    assert (day.row(0), day.row(1)) == ("stopper chancer=*", "prodder chancer=")


def test_K5_a_copy_counts_as_the_copied_icon_for_cheers() -> None:
    day = Day("basher chancer", "slasher basher", cheers=["two-bashers"])
    day.play("basher slasher", "chancer basher")
    assert (day.result.cheers_gp, day.result.combat_gp) == ((2, 0), (3, 3))
    day = Day(
        "basher deadeye chancer basher", "slasher basher veteran basher basher", cheers=["basher-deadeye"]
    )
    day.play("basher slasher", "deadeye basher", "chancer -", "basher veteran", "- basher", "- basher")
    assert day.result.cheers_gp == (3, 0)
    day = Day("basher deadeye basher chancer", "slasher basher veteran basher", cheers=["basher-deadeye"])
    day.play("basher slasher", "deadeye basher", "basher -", "chancer veteran")
    assert day.row(0) == "basher deadeye ?basher chancer=veteran"
    assert day.play("- basher").result.cheers_gp == (0, 0)  # the copied Veteran is forbidden there


def test_K5_a_copied_attack_is_the_last_attack() -> None:
    day = Day("slasher chancer", "basher prodder").play("slasher basher", "chancer prodder")
    assert (day.result.outcome, day.gp) == (Outcome.DRAW, (0, 3))


def test_K5_chancer_facing_nothing_is_blank() -> None:
    day = Day("chancer basher", "deadeye", patron="gharan-zul").play("chancer -")
    assert day.row(0) == "chancer="


# -- K6: the Deadeye ------------------------------------------------------------------------------------


def test_K6_the_further_card_is_hidden_and_takes_a_slot() -> None:
    day = Day("deadeye prodder basher", "slasher slasher slasher").play("deadeye slasher")
    assert (day.state.phase, day.who) == (Phase.DEADEYE, (0,))
    day.play("prodder -")
    assert day.row(0) == "deadeye ?prodder"
    day.play("basher slasher")
    day.play("- slasher")
    assert day.gp == (1 + 3, 0)


def test_K6_filling_the_row_ends_combat_once_both_cards_are_resolved() -> None:
    rules = load_rules(overrides=["match.row_length=2"])
    day = Day("deadeye basher basher", "veteran stopper basher", rules=rules).play("deadeye veteran")
    assert (day.state.phase, day.who) == (Phase.VETERAN, (1,))  # the Veteran is resolved before
    day.play("- basher", "basher -")
    assert (day.result.outcome, day.gp) == (Outcome.WIN_1, (0, 1 + 3))


def test_K6_no_further_card_once_the_row_is_full() -> None:
    rules = load_rules(overrides=["match.row_length=2"])
    day = Day("basher deadeye basher", "basher slasher basher", rules=rules)
    day.play("basher basher", "deadeye slasher")
    assert (day.result.outcome, sum(day.state.players[0].hand)) == (Outcome.WIN_0, 1)
    # Only the owner's row counts: the other player's may be full already.
    day = Day("basher slasher", "deadeye basher basher", rules=load_rules(overrides=["match.row_length=3"]))
    day.play("basher deadeye", "- basher", "slasher basher")
    assert day.result.outcome == Outcome.WIN_1


def test_K6_both_deadeyes_are_served_at_once() -> None:
    day = Day("deadeye basher slasher", "deadeye slasher basher").play("deadeye deadeye")
    assert (day.state.phase, day.who) == (Phase.DEADEYE, (0, 1))
    day.play("basher slasher")
    assert (day.row(0), day.row(1)) == ("deadeye ?basher", "deadeye ?slasher")


def test_K6_a_deadeye_whose_owner_holds_nothing_placeable_places_nothing() -> None:
    day = Day("deadeye", "basher basher").play("deadeye basher")
    assert (day.row(0), day.who) == ("deadeye", (1,))


def test_K6_the_break_is_skipped_the_next_cards_face_each_other() -> None:
    day = Day("deadeye prodder cheater", "basher slasher").play(
        "deadeye basher", "prodder -", "cheater slasher"
    )
    assert day.result.outcome == Outcome.WIN_1
    assert day.gp == (0, 3)  # the Slasher was negated, the Basher lies last


# -- K7: the Stopper ------------------------------------------------------------------------------------


def test_K7_the_next_card_is_doubled_and_cannot_be_negated() -> None:
    day = Day("stopper basher", "prodder cheater").play("stopper prodder", "basher cheater")
    assert day.result.outcome == Outcome.WIN_1
    day = Day("stopper prodder", "basher cheater").play("stopper basher", "prodder cheater")
    assert (day.result.outcome, day.gp) == (Outcome.WIN_0, (1 + 6, 0))


def test_K7_only_the_next_step_and_the_mark_lapses_if_nothing_is_placed() -> None:
    day = Day("stopper deadeye", "basher basher basher", patron="gharan-zul").play("stopper basher")
    assert day.state.players[0].mark
    day.play("- basher")
    assert not day.state.players[0].mark


def test_K7_a_card_on_top_of_a_marked_veteran_is_neither_doubled_nor_protected() -> None:
    day = Day("stopper veteran basher", "slasher veteran cheater basher")
    day.play("stopper slasher", "veteran veteran", "basher cheater")
    assert (day.row(0), day.row(1)) == ("stopper veteran*/(basher)", "slasher veteran/cheater")
    day.play("- basher")
    assert day.gp == (0, 3 + 1 + 1)
    day = Day("stopper veteran prodder", "basher basher").play(
        "stopper basher", "veteran basher", "prodder -"
    )
    assert day.gp == (1 + 2 + 3, 0)


def test_K7_the_hidden_card_does_not_use_up_a_mark() -> None:
    day = Day("veteran stopper basher", "deadeye basher prodder").play(
        "veteran deadeye", "stopper -", "- prodder"
    )
    assert [player.mark for player in day.state.players] == [True, False]
    assert day.play("basher basher").gp == (1 + 1 + 6, 1 + 3)


def test_K7_a_stopper_of_the_last_step_does_nothing_more() -> None:
    day = Day("basher stopper", "basher prodder", rules=load_rules(overrides=["match.row_length=2"]))
    day.play("basher basher", "stopper prodder")
    assert not day.state.players[0].mark
    assert day.gp == (0, 3)


def test_K7_two_stoppers_in_a_row_each_mark_the_next() -> None:
    day = Day("stopper stopper prodder", "basher basher basher")
    assert day.play("stopper basher", "stopper basher", "prodder basher").gp == (1 + 2 + 6, 0)


# -- K8: the Veteran ------------------------------------------------------------------------------------


def test_K8_a_sole_veteran_chooses_after_seeing_the_opposing_card() -> None:
    day = Day("veteran basher slasher", "prodder prodder").play("veteran prodder")
    assert (day.state.phase, day.who) == (Phase.VETERAN, (0,))
    assert day.row(1) == "prodder"
    day.play("slasher -", "basher prodder")
    assert day.gp == (0, 6)


def test_K8_both_veterans_place_and_reveal_together() -> None:
    day = Day("veteran cheater", "veteran basher").play("veteran veteran")
    assert day.who == (0, 1)
    day.play("cheater basher")
    assert day.result.outcome == Outcome.TWO_LOSERS


def test_K8_chains() -> None:
    day = Day("veteran veteran veteran prodder", "basher basher").play(
        "veteran basher", "veteran -", "veteran -"
    )
    assert day.row(0) == "veteran/veteran/veteran"
    day.play("prodder -")
    assert day.row(0) == "veteran/veteran/veteran/prodder"
    assert day.play("- basher").gp == (3 + 3, 0)


def test_K8_both_chain_then_one_goes_on_alone() -> None:
    day = Day("veteran veteran cheater", "veteran basher basher").play("veteran veteran", "veteran basher")
    assert day.who == (0,)
    day.play("cheater -")
    assert (day.row(0), day.row(1)) == ("veteran/veteran/cheater", "veteran/(basher)")


def test_K8_chancers_chain_with_veterans() -> None:
    day = Day("chancer chancer basher", "veteran veteran slasher").play("chancer veteran", "chancer veteran")
    assert (day.row(0), day.who) == ("chancer=veteran/chancer=veteran", (0, 1))
    assert day.play("basher slasher").gp == (3, 0)


def test_K8_cheater_on_top_negates_a_stopper_already_on_the_table() -> None:
    day = Day("veteran cheater basher", "stopper basher basher").play("veteran stopper", "cheater -")
    assert (day.row(0), day.row(1)) == ("veteran/cheater", "(stopper)")
    assert not day.state.players[1].mark
    assert day.play("basher basher").who == (1,)
    assert day.play("- basher").gp == (1 + 1 + 3, 6)


def test_K8_cheater_on_top_negates_a_deadeye_which_no_longer_places() -> None:
    day = Day("veteran cheater basher", "deadeye basher basher").play("veteran deadeye", "cheater -")
    assert day.row(1) == "(deadeye)"
    assert (day.state.phase, day.who) == (Phase.PLACE, (0, 1))


def test_K8_cheater_on_top_negates_an_attack_but_not_a_protected_one() -> None:
    day = Day("veteran cheater basher", "slasher basher basher").play("veteran slasher", "cheater -")
    assert day.row(1) == "(slasher)"
    day = Day("basher veteran cheater basher", "stopper slasher basher")
    day.play("basher stopper", "veteran slasher", "cheater -")
    assert day.row(1) == "stopper slasher*"


@pytest.mark.parametrize("other", ["basher", "slasher", "prodder", "stopper"])
def test_K8_chancer_on_top_copies_the_card_on_the_table(other: str) -> None:
    day = Day("veteran chancer basher", f"{other} basher").play(f"veteran {other}", "chancer -")
    assert day.row(0) == f"veteran/chancer={other}"
    assert day.state.players[0].mark == (other == "stopper")


def test_K8_chancer_on_top_copies_a_deadeye_before_either_is_served() -> None:
    day = Day("veteran chancer basher", "deadeye basher").play("veteran deadeye", "chancer -")
    assert (day.state.phase, day.who) == (Phase.DEADEYE, (0, 1))


def test_K8_chancer_on_top_facing_a_face_up_cheater_negates_it() -> None:
    hands = ("stopper veteran chancer basher", "basher cheater slasher")
    day = Day(*hands).play("stopper basher", "veteran cheater", "chancer -")
    assert (day.row(0), day.row(1)) == ("stopper veteran*/chancer=cheater", "basher (cheater)")
    hands = ("stopper veteran chancer basher", "stopper cheater slasher")
    day = Day(*hands).play("stopper stopper", "veteran cheater", "chancer -")
    assert (day.row(0), day.row(1)) == ("stopper veteran*/chancer=cheater", "stopper cheater*")


def test_K8_a_cheater_already_on_the_table_does_nothing_to_a_card_placed_later() -> None:
    day = Day("stopper veteran prodder", "basher cheater").play(
        "stopper basher", "veteran cheater", "prodder -"
    )
    assert day.gp == (1 + 2 + 3, 0)


def test_K8_cheater_on_top_facing_a_face_up_cheater_negates_it_and_stays() -> None:
    day = Day("stopper veteran cheater basher", "basher cheater slasher")
    day.play("stopper basher", "veteran cheater", "cheater -")
    assert (day.row(0), day.row(1)) == ("stopper veteran*/cheater", "basher (cheater)")


def test_K8_the_veteran_beneath_stays_when_the_top_is_negated() -> None:
    day = Day("veteran basher prodder", "veteran cheater prodder").play("veteran veteran", "basher cheater")
    assert (day.row(0), day.row(1)) == ("veteran/(basher)", "veteran/cheater")
    assert day.play("prodder prodder").gp == (4, 5)


def test_K8_a_veteran_whose_owner_holds_nothing_placeable_stays_alone() -> None:
    day = Day("veteran", "basher basher").play("veteran basher")
    assert (day.row(0), day.who) == ("veteran", (1,))


def test_K8_of_two_veterans_one_may_have_nothing_to_place() -> None:
    day = Day("veteran deadeye", "veteran cheater basher", patron="gharan-zul").play("veteran veteran")
    assert (day.state.phase, day.who) == (Phase.VETERAN, (1,))
    day.play("- cheater")
    assert (day.row(0), day.row(1)) == ("(veteran)", "veteran/cheater")


def test_K8_chancer_on_top_of_a_lone_veteran_copies_it_and_goes_on() -> None:
    day = Day("veteran", "veteran chancer prodder").play("veteran veteran", "- chancer")
    assert (day.row(1), day.who) == ("veteran/chancer=veteran", (1,))
    assert day.play("- prodder").gp == (0, 4)


# -- K9: the order inside one step ----------------------------------------------------------------------


def test_K9_veterans_are_served_before_deadeyes() -> None:
    day = Day("veteran basher prodder", "deadeye slasher prodder").play("veteran deadeye")
    assert (day.state.phase, day.who) == (Phase.VETERAN, (0,))
    day.play("basher -")
    assert (day.state.phase, day.who) == (Phase.DEADEYE, (1,))


def test_K9_negation_comes_before_the_mark() -> None:
    day = Day("stopper basher", "cheater basher").play("stopper cheater")
    assert not day.state.players[0].mark
