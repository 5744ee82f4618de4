"""The rules around battles, one test or more for each rule id: set-up, rounds, equipment, moves, victory,
solo play.

The board of most tests: tiles 1a and 2a, territories 0-6 and 7-13. Cities lie in 0 and 7, forges in 2 and 11,
stones of level I and II in 5 and 8; mountains part 0-1, 3-4, 7-10 and 12-13. The Bastion is place 14, next to
3 and 4 for player 0, to 8 and 9 for player 1.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

from engine.clash import reference
from engine.clash.board import board_of, scenario
from engine.clash.reference import Phase, State, chance_outcomes, decider, legal_moves, payoffs, start, step
from engine.clash.reference_state import points, reserve
from engine.clash.rules import load_rules
from engine.protocol import CHANCE, OVER
from tests.engine.clash.notation import card, options, play, table
from tests.engine.clash.plays import BOX

CLANS = ("bohorg", "steamfield", "godleif", "tomb")
BASTION = 14


def set_up(num_players: int = 2, seed: int = 1, until: Phase = Phase.TACTIC, **options: str) -> State:
    """A game from its start to the first decision."""
    if num_players == 1:
        options = {"difficulty": "medium"} | options
    state = start(BOX, scenario(BOX, CLANS[:num_players], **options))  # type: ignore[arg-type]
    rng = random.Random(seed)
    while state.phase != until:
        outcomes = chance_outcomes(state)
        state = step(
            state, rng.choices(*zip(*outcomes, strict=True))[0] if outcomes else legal_moves(state)[0]
        )
    return state


# -- set-up (C, U) --------------------------------------------------------------------------------------


def test_U1_as_many_tiles_as_players_and_seven_territories_each() -> None:
    for num_players, num_tiles in ((1, 2), (2, 2), (3, 3), (4, 4)):
        difficulty = "easy" if num_players == 1 else None
        board = board_of(BOX, scenario(BOX, CLANS[:num_players], difficulty=difficulty))
        assert board.num_territories == len(set(board.hexes)) == 7 * num_tiles
        assert (len(board.cities), len(board.forges), len(board.stones)) == (num_tiles,) * 3


def test_U1_tiles_join_without_gaps() -> None:
    board = board_of(BOX, scenario(BOX, CLANS[:2]))
    assert board.neighbours[1] == (0, 2, 6, 11, 12)
    assert 11 in board.open[1]
    assert 0 not in board.open[1]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"clans": []}, "1 to 4 players, not 0"),
        ({"clans": ["bohorg", "Bohorg Tribe"]}, "each clan can be played once"),
        (
            {"clans": ["bohorg"]},
            "solo play needs a difficulty: easy, medium, difficult, impossible, not None",
        ),
        ({"difficulty": "easy"}, "a difficulty is for solo play only"),
        ({"tiles": ["1a", "1b"]}, "2 players need 2 different tiles, not 1a, 1b"),
        ({"tiles": ["1a", "2a", "3a"]}, "2 players need 2 different tiles"),
        ({"centres": [(0, 0), (1, 1)]}, "tiles overlap"),
        ({"centres": [(0, 0)]}, "1 places"),
    ],
)
def test_U1_U4_what_cannot_be_played_is_named(changes: dict[str, object], message: str) -> None:
    chosen = {"clans": ["bohorg", "tomb"]} | changes
    with pytest.raises(ValueError, match=message):
        scenario(BOX, **chosen)  # type: ignore[arg-type]


def test_U2_elves_are_drawn_onto_cities_and_forges() -> None:
    state = set_up()
    standing = {place: sum(counts) for place, counts in enumerate(state.elves) if any(counts)}
    assert standing == {0: 4, 2: 2, 7: 4, 11: 2}
    assert sum(state.bag) == 45 - 12
    assert decider(start(BOX, scenario(BOX, CLANS[:2]))) == CHANCE
    assert chance_outcomes(start(BOX, scenario(BOX, CLANS[:2]))) == [(0, 15), (1, 15), (2, 15)]


def test_U3_six_different_cards_lie_on_the_market_and_equal_ones_are_stacked() -> None:
    stacked = 0
    for seed in range(10):
        state = set_up(seed=seed)
        assert sum(map(bool, state.market)) == 6
        assert sum(state.market) + sum(state.deck) == 43 + 25
        stacked += sum(state.market) > 6
    assert stacked


def test_U4_three_tactic_cards_are_drawn_of_seven() -> None:
    state = set_up(4)
    assert [len(player.hand) for player in state.players] == [3] * 4
    drawing = set_up(2, until=Phase.HANDS)
    assert [weight for _, weight in chance_outcomes(drawing)] == [1] * 7


def test_U5_bastions_stand_next_to_two_territories_and_not_next_to_each_other() -> None:
    state = set_up()
    while state.phase == Phase.TACTIC:
        state = step(state, legal_moves(state)[0])
    board = state.board
    assert len(options(state)) == len(board.spots) == 10
    assert all(len(territories) >= 2 for territories in board.spot_neighbours)
    after = play(state, "bastion 0")
    assert after.players[state.active].bastion == 0
    gone = set(options(state)) - set(options(after))
    assert gone == {
        f"bastion {index}"
        for index, (q, r) in enumerate(board.spots)
        if (q + 2, r - 1) in {(0, 0), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)}
    }


# -- tactic cards (T) -----------------------------------------------------------------------------------


def choosing(**changes: object) -> State:
    """Two players choose tactic cards; in the first round their Bastions do not stand yet."""
    bastion = {"bastion": None} if changes.get("round") == 1 else {}
    sides = [
        {"hand": (0, 1, 2), "discard": (), "chosen": None} | bastion,
        {"hand": (0, 1, 2), "discard": (), "chosen": None} | bastion,
    ]
    return table(phase=Phase.TACTIC, action=0, order=(), sides=sides, **changes)  # type: ignore[arg-type]


def test_T1_cards_are_chosen_at_once_and_the_lowest_number_acts_first() -> None:
    state = choosing()
    assert (decider(state), options(state)) == (0, ["card 0", "card 1", "card 2"])
    state = play(state, "card 1")
    assert (decider(state), options(state)) == (1, ["card 0", "card 1", "card 2"])
    assert not state.players[0].discard
    state = play(state, "card 0")
    # Bohorg played 6, Godleif 3.
    assert state.order == (1, 0)
    assert [player.discard for player in state.players] == [(1,), (0,)]


def test_T2_revenue_is_gold_and_three_crystals_for_each_city() -> None:
    state = play(choosing(units=[{0: (1, 0, 0)}, {7: (0, 1, 0)}], elves={}), "card 1", "card 0")
    assert [(player.gold, player.crystals) for player in state.players] == [(6, 3), (3, 3)]
    assert [
        player.crystals
        for player in play(choosing(units=[{3: (1, 0, 0)}], elves={0: (1, 0, 0)}), "card 1", "card 0").players
    ] == [0, 0]


def test_T3_reinforcements_go_to_the_bastion_and_beside_own_units() -> None:
    state = play(choosing(units=[{3: (1, 0, 0)}, {9: (1, 0, 0), 10: (0, 0, 1)}]), "card 1", "card 0")
    # Godleif's first card brings two of level I and one of level II.
    assert (state.active, state.arriving) == (1, (2, 1, 0))
    assert options(state) == ["place 9", "place 10", f"place {BASTION}"]
    state = play(state, "place 10", f"place {BASTION}", "place 9")
    assert state.players[1].units[9:11] == ((1, 1, 0), (1, 0, 1))
    assert state.players[1].units[BASTION] == (1, 0, 0)
    assert state.active == 0


def test_T3_units_of_a_type_are_placed_in_ascending_order() -> None:
    """Not a rule: without it, placements that differ in nothing would be told apart."""
    state = play(choosing(units=[{}, {9: (1, 0, 0), 10: (0, 0, 1)}]), "card 1", "card 0", "place 10")
    assert options(state) == ["place 10", f"place {BASTION}"]


def test_T3_what_the_reserve_lacks_is_lost() -> None:
    state = play(choosing(units=[{}, {9: (6, 5, 3)}]), "card 1", "card 0")
    assert reserve(state, 1) == (1, 0, 0)
    assert state.arriving == (1, 0, 0)


def test_T3_first_round_bastion_only() -> None:
    state = choosing(units=[{3: (1, 0, 0)}], round=1)
    state = play(state, "card 1", "card 0")
    assert state.phase == Phase.BASTION
    state = play(state, options(state)[0], options(state)[-1])
    assert state.phase == Phase.REINFORCE
    assert options(state) == [f"place {BASTION}"]


def test_T4_revenue_then_bastions_then_reinforcements() -> None:
    state = play(choosing(round=1), "card 1", "card 0")
    assert [player.gold for player in state.players] == [6, 3]
    assert (state.phase, state.active) == (Phase.BASTION, 1)
    state = play(state, "bastion 0")
    assert (state.phase, state.active) == (Phase.BASTION, 0)
    state = play(state, "bastion 8")
    assert (state.phase, state.active) == (Phase.REINFORCE, 1)


# -- stones, elves, cards (S, I, D) ---------------------------------------------------------------------


def test_S1_a_controlled_stone_gives_a_unit_of_its_level() -> None:
    state = play(table(units=[{5: (1, 0, 0), 8: (1, 0, 0)}], order=(1, 0)), "pass", "pass")
    assert (state.phase, state.active, state.arriving) == (Phase.STONES, 0, (1, 1, 0))
    assert options(state) == ["place 5", "place 8", f"place {BASTION}"]
    state = play(state, "place 8", f"place {BASTION}")
    assert state.players[0].units[8] == (2, 0, 0)
    assert state.players[0].units[BASTION] == (0, 1, 0)
    assert (state.phase, state.active, state.action) == (Phase.ACTION, 1, 2)


def test_S1_only_from_the_reserve() -> None:
    state = play(table(units=[{5: (7, 0, 0)}]), "pass", "pass")
    assert (state.phase, state.action) == (Phase.ACTION, 2)


def test_S1_or_on_the_stone() -> None:
    rules = load_rules(overrides=["match.stone_placement=stone"])
    state = play(table(rules=rules, units=[{5: (1, 0, 0), 8: (1, 0, 0)}]), "pass", "pass")
    assert (state.phase, state.action) == (Phase.ACTION, 2)
    assert state.players[0].units[5] == (2, 0, 0)
    assert state.players[0].units[8] == (1, 1, 0)


def improving(**changes: object) -> State:
    """The end of a round."""
    state = table(action=2, **changes)  # type: ignore[arg-type]
    return play(state, "pass", "pass")


def test_I1_guards_elders_templars_improve_if_they_are_on_the_board() -> None:
    state = improving(elves={0: (1, 0, 1)})
    assert (state.phase, state.improving, decider(state)) == (Phase.IMPROVE, 2, CHANCE)
    state = play(state, "0")
    assert state.improving == 0
    assert (play(state, "0").phase, play(state, "0").round) == (Phase.TACTIC, 3)


def test_I1_example_of_the_rulebook() -> None:
    """A Rockbreaker replaces the Crossbow, a Musket fills a space, Shaman's Coat gives way to Heavy Armor."""
    names = ("crossbow", "plate-armor", "heavy-armor", "rockbreaker", "musket", "shamans-coat")
    crossbow, plate, heavy, rockbreaker, musket, coat = map(card, names)
    state = improving(elves={0: (1, 1, 1)})
    state = play(state, str(crossbow), str(plate), str(heavy))
    assert state.elf_cards == ((None, heavy), (None, plate), (crossbow, None))
    again = replace(state, phase=Phase.IMPROVE, improving=2)
    again = play(again, str(rockbreaker), str(musket), str(coat))
    assert again.elf_cards == ((None, heavy), (musket, plate), (rockbreaker, None))
    assert again.under == (crossbow, coat)


def test_I1_at_equal_cost_the_old_one_stays() -> None:
    axe, wand = card("axe"), card("shamans-wand")
    state = play(
        improving(elves={0: (0, 0, 1)}, elf_cards=((None, None), (None, None), (axe, None))), str(wand)
    )
    assert state.elf_cards[2] == (axe, None)
    assert state.under == (wand,)


def test_I1_with_an_empty_deck_nothing_is_found() -> None:
    assert improving(elves={0: (1, 1, 1)}, deck=(0,) * 20).phase == Phase.TACTIC


def test_I1_cards_under_the_deck_come_last_and_in_order() -> None:
    state = improving(elves={0: (1, 1, 1)}, deck=(1, *[0] * 19), under=(7, 3))
    assert chance_outcomes(state) == [(0, 1)]
    state = play(state, "0")
    assert chance_outcomes(state) == [(7, 1)]
    state = play(state, "7")
    assert chance_outcomes(state) == [(3, 1)]


def test_D1_all_draw_to_three() -> None:
    sides = [{"hand": (3, 5), "discard": (0, 1)}, {"hand": (4, 5), "discard": (6,)}]
    state = improving(sides=sides)
    assert (state.phase, chance_outcomes(state)) == (Phase.HANDS, [(2, 1), (4, 1), (6, 1)])
    state = play(state, "4", "0")
    assert [player.hand for player in state.players] == [(3, 4, 5), (0, 4, 5)]
    assert (state.phase, state.round) == (Phase.TACTIC, 3)


def test_D1_an_empty_deck_is_made_of_the_discards_the_last_card_among_them() -> None:
    state = improving(sides=[{"hand": (3, 5), "discard": (0, 1, 2, 4, 6), "chosen": 6}])
    assert [outcome for outcome, _ in chance_outcomes(state)] == [0, 1, 2, 4, 6]
    state = play(state, "6")
    assert (state.players[0].hand, state.players[0].discard) == ((3, 5, 6), ())


# -- victory (V) ----------------------------------------------------------------------------------------

FOUR = {"cards": (20, 21, 22, 23)}
"""Four legendary cards, and so four points."""


def test_V1_a_point_for_each_city_and_each_legendary_card() -> None:
    state = table(units=[{0: (1, 0, 0), 7: (1, 0, 0)}], sides=[{"cards": (3, 20, 22)}])
    assert points(state, 0) == 4
    assert points(replace(state, elves=table(elves={0: (1, 0, 0)}).elves), 0) == 3


def test_V1_four_points_win_at_the_end_of_the_own_second_action() -> None:
    state = play(table(sides=[FOUR], action=2), "pass")
    assert (decider(state), state.winner, payoffs(state)) == (OVER, 0, (1.0, -1.0))


def test_V1_not_in_a_first_action_nor_in_anothers_turn() -> None:
    first = play(table(sides=[FOUR]), "pass")
    assert decider(first) == 1
    others = play(table(sides=[{}, FOUR], action=2), "pass")
    assert decider(others) == 1
    assert play(others, "pass").winner == 1


def test_V1_the_long_game_takes_five() -> None:
    assert decider(play(table(sides=[FOUR], action=2, long_game=True), "pass")) == 1
    five = {"cards": (20, 21, 22, 23, 24)}
    assert play(table(sides=[five], action=2, long_game=True), "pass").winner == 0


def test_V2_without_a_winner_the_last_round_ends_in_a_draw() -> None:
    state = improving(round=30)
    assert (decider(state), state.winner, payoffs(state)) == (OVER, None, (0.0, 0.0))
    three = play(table(CLANS[:3], round=30, action=2), "pass", "pass", "pass")
    assert payoffs(three) == pytest.approx((1 / 3, 1 / 3, 1 / 3))
    won = play(table(CLANS[:3], sides=[{}, FOUR], action=2), "pass", "pass")
    assert payoffs(won) == (0.0, 1.0, 0.0)


# -- solo (X) -------------------------------------------------------------------------------------------


def solo(difficulty: str = "medium", **changes: object) -> State:
    return table(["bohorg"], difficulty=difficulty, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("difficulty", "limit"), [("easy", 17), ("medium", 14), ("difficult", 11), ("impossible", 8)]
)
def test_X1_elves_score_and_win_with_their_domination_points(difficulty: str, limit: int) -> None:
    elves = {0: (1, 0, 0), 2: (1, 0, 0), 7: (1, 0, 0), 11: (1, 0, 0)}
    state = play(solo(difficulty, action=2, elves=elves, domination=limit - 7), "pass")
    assert (state.domination, decider(state)) == (limit - 1, CHANCE)
    lost = play(solo(difficulty, action=2, elves=elves, domination=limit - 6), "pass")
    assert (decider(lost), lost.winner, payoffs(lost)) == (OVER, None, (0.0,))


def test_X2_each_territory_that_elves_control_gets_one() -> None:
    state = solo(action=2, elves={0: (1, 0, 0), 2: (0, 1, 0)}, deck=(0,) * 20, sides=[{"hand": (3, 5)}])
    state = play(state, "pass")
    # Score, improve, draw a tactic card, add elves.
    assert (state.domination, state.phase) == (3, Phase.HANDS)
    state = play(state, options(state)[0])
    assert (state.phase, chance_outcomes(state)) == (Phase.ARRIVALS, [(0, 14), (1, 14), (2, 15)])
    state = play(state, "2", "0")
    assert (state.elves[0], state.elves[2]) == ((1, 0, 1), (1, 1, 0))
    assert (state.phase, state.round) == (Phase.TACTIC, 3)


def test_X2_with_an_empty_bag_none() -> None:
    state = solo(action=2, elves={0: (1, 0, 0)}, deck=(0,) * 20, bag=(0, 0, 0))
    assert play(state, "pass").phase == Phase.TACTIC


def test_X3_two_stacks_may_be_discarded_first() -> None:
    state = play(solo(sides=[{"gold": 20}], market=(2, 1, 1, 1, 1, 1, *[0] * 14)), "equip")
    assert sum(text.startswith("discard") for text in options(state)) == 15
    after = play(state, "discard 0 3")
    assert (after.under, decider(after)) == ((0, 0, 3), CHANCE)
    after = play(after, "9", "8")
    assert not any(text.startswith("discard") for text in options(after))
    bought = play(state, "buy 0")
    assert not any(text.startswith("discard") for text in options(bought))
    assert not any(text.startswith("discard") for text in options(play(table(), "equip")))


def test_X4_the_player_chooses_for_both_sides() -> None:
    state = solo(units=[{3: (2, 0, 1)}], elves={2: (0, 1, 0)})
    state = play(state, "march", "move 0 3 2", "move 0 3 2", "move 2 3 2", "halt")
    # The elves are less slow and deal four: to two Pummelers, by their life, or to one; nobody is spared.
    state = play(state, "4")
    assert (decider(state), options(state)) == (0, ["eliminate 2 0 0"])
    assert decider(play(state, "eliminate 2 0 0")) == 0


def test_X5_no_elf_left_wins_at_once() -> None:
    state = solo(units=[{3: (3, 0, 0)}], elves={2: (1, 0, 0)})
    state = play(state, "march", *["move 0 3 2"] * 3, "halt", "roll", "4", "eliminate 1 0 0")
    assert (decider(state), state.winner, payoffs(state)) == (OVER, 0, (1.0,))


def test_X5_so_do_four_points() -> None:
    state = play(solo(sides=[FOUR], action=2, elves={0: (1, 0, 0)}), "pass")
    assert (state.winner, payoffs(state)) == (0, (1.0,))


@pytest.mark.parametrize(
    ("difficulty", "rounds"), [("impossible", 2), ("difficult", 2), ("medium", 3), ("easy", 3)]
)
def test_X6_with_nothing_taken_the_game_lasts_two_or_three_rounds(difficulty: str, rounds: int) -> None:
    state = set_up(1, difficulty=difficulty)
    rng = random.Random(3)
    while not reference.is_over(state):
        outcomes = chance_outcomes(state)
        moves = legal_moves(state)
        idle = reference.PASS if reference.PASS in moves else moves[0] if moves else None
        state = step(state, rng.choices(*zip(*outcomes, strict=True))[0] if outcomes else idle)  # type: ignore[arg-type]
    assert (state.round, state.winner) == (rounds, None)


def test_C1_figures_never_exceed_what_there_is() -> None:
    """Along whole games: neither figures nor cards appear or get lost."""
    rng = random.Random(4)
    state = set_up(2)
    cards = Counter({index: rule.copies for index, rule in enumerate(BOX.equipment)})
    for _ in range(600):
        if reference.is_over(state):
            break
        outcomes = chance_outcomes(state)
        moves = legal_moves(state)
        state = step(state, rng.choices(*zip(*outcomes, strict=True))[0] if outcomes else rng.choice(moves))
        for index in range(2):
            assert min(reserve(state, index)) >= 0
        found = (
            Counter(dict(enumerate(state.deck)))
            + Counter(dict(enumerate(state.market)))
            + Counter(state.under)
        )
        found += Counter(number for player in state.players for number in player.cards if number < 20)
        found += Counter(item for pair in state.elf_cards for item in pair if item is not None)
        assert found == cards
