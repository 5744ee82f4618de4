"""Seasons and the course of a round: rules S, T."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.protocol import CHANCE
from engine.warage import reference
from engine.warage.reference import Phase, chance_outcomes, decider, setup_of, start, step
from engine.warage.reference_effects import used_seasons
from engine.warage.reference_round import order_of, settled
from engine.warage.reference_state import Do, number_of_dice
from engine.warage.rules import load_rules
from tests.engine.warage.notation import BOX, numbers, options, passes, play, roll, table, until_dice

SEASONS = [season.id for season in BOX.seasons]
DUEL = ("orc-warrior", "elf-mage")


def test_S1_a_used_up_deck_is_shuffled_anew_without_what_is_in_force() -> None:
    empty = (0,) * len(SEASONS)
    state = table(phase="closing", season="winter", special="drought", season_deck=empty)
    state = replace(state, six=True, agenda=(reference.Task(Do.CLOSE),))
    state = settled(state)
    assert dict(chance_outcomes(state)) == {0: 4, 1: 4, 2: 4, 3: 3, 4: 1, 5: 1, 6: 1}


@pytest.mark.parametrize(
    ("deck", "season", "dice"),
    [
        ("elf-mage", "spring", 2),
        ("elf-mage", "autumn", 0),
        ("elf-mage", "summer", 1),
        ("orc-warrior", "autumn", 2),
        ("orc-warrior", "spring", 0),
        ("angel-paladin", "winter", 2),
        ("angel-paladin", "summer", 0),
        ("human-paladin", "spring", 1),
    ],
)
def test_S2_a_season_changes_the_number_of_dice(deck: str, season: str, dice: int) -> None:
    assert number_of_dice(table((deck, "orc-warrior"), season=season), 0, 0) == dice
    assert number_of_dice(table((deck, "orc-warrior"), season=season, special="eclipse"), 0, 0) == 1
    rules = load_rules(overrides=["match.season_unit=point"])
    assert number_of_dice(table((deck, "orc-warrior"), season=season, rules=rules), 0, 0) == 1


def test_S2_or_points() -> None:
    rules = load_rules(overrides=["match.season_unit=point"])
    state = table(season="spring", rules=rules)
    state = roll(until_dice(play(state, "attack 1")), 4, 1)
    assert state.heroes[1].hp == 100 - (17 - 1 + 4 - 14 - 1 - 1)


def test_S3_a_six_of_either_side_changes_the_season_once() -> None:
    for faces in ((6, 1), (1, 6)):
        state = roll(until_dice(play(table(), "attack 1")), *faces)
        state = until_dice(state)
        assert state.phase == Phase.CLOSING
        assert state.agenda[-1].do == Do.SEASON
        after = step(state, SEASONS.index("winter"))
        assert after.season == SEASONS.index("winter")
        assert after.active == 1
    calm = roll(until_dice(play(table(), "attack 1")), 5, 5)
    assert calm.season == SEASONS.index("summer")
    assert calm.active == 1


def test_S3_of_dice_rolled_again_the_last_face_counts() -> None:
    effects = 'cards.battle-cry.effects=[{trigger="play",action="reroll",amount=1}]'
    rules = load_rules(overrides=[effects])
    state = play(table(hands=["battle-cry"], rules=rules), "attack 1", "flash battle-cry")
    state = roll(until_dice(state), 2, 3)
    assert state.agenda[-1].do == Do.DICE
    state = roll(state, 6)
    assert state.six
    assert state.heroes[1].hp == 100 - (17 + 6 - 14 - 3)
    high = roll(
        until_dice(play(table(hands=["battle-cry"], rules=rules), "attack 1", "flash battle-cry")), 4, 3
    )
    assert high.heroes[1].hp == 100 - (17 + 4 - 14 - 3)


def test_S4_a_special_card_lies_over_the_base_season() -> None:
    state = table(season="spring", hands=["change-of-wind second-wind"])
    state = until_dice(play(state, "flash change-of-wind"))
    special = step(state, SEASONS.index("tempest"))
    assert (special.season, special.special) == (SEASONS.index("spring"), SEASONS.index("tempest"))
    assert number_of_dice(special, 1, 0) == 2
    base = step(state, SEASONS.index("winter"))
    assert (base.season, base.special) == (SEASONS.index("winter"), -1)


def test_S4_specials_at_the_start_go_to_the_bottom() -> None:
    state = start(setup_of(BOX, DUEL))
    state = step(step(state, SEASONS.index("drought")), SEASONS.index("tempest"))
    assert state.bottom == (SEASONS.index("drought"), SEASONS.index("tempest"))
    state = step(state, SEASONS.index("autumn"))
    assert state.season == SEASONS.index("autumn")
    assert sum(state.season_deck) == 17
    assert not any(used_seasons(state))


def test_S4_what_special_cards_do() -> None:
    mage = ("elf-mage", "orc-warrior")
    plain = roll(until_dice(play(table(mage, phase="magic", plays=["fireball"]), "cast fireball 1 1")), 3, 1)
    tempest = table(mage, phase="magic", plays=["fireball"], special="tempest")
    tempest = roll(until_dice(play(tempest, "cast fireball 1 1")), 3, 1)
    assert plain.heroes[1].hp - tempest.heroes[1].hp == 2
    assert table(phase="opening", special="harvest").heroes[0].hp == 102
    sold = play(table(phase="first", plays=["great-sword"], special="drought"), "sell 0")
    assert sold.heroes[0].hp == 100


def test_S5_the_season_in_force_when_the_attack_resolves() -> None:
    state = table(season="autumn", hands=["change-of-wind"], hp=[50, 50])
    state = play(state, "attack 1", "flash change-of-wind")
    state = step(until_dice(state), SEASONS.index("spring"))
    state = roll(state, 2, 2)  # the elf's two dice; the orc has none now
    assert state.heroes[1].hp == 50


def test_T1_a_round_goes_through_its_phases() -> None:
    state = table(phase="first", hands=["parry second-wind"])
    seen = [state.phase]
    while state.active == 0:
        state = passes(state) if decider(state) != CHANCE else roll(state, 1)
        seen += [state.phase] if state.phase != seen[-1] else []
    assert seen == [
        Phase.FIRST_EQUIPMENT,
        Phase.MELEE,
        Phase.MAGIC,
        Phase.SECOND_EQUIPMENT,
        Phase.OPENING,
    ]


def test_T2_five_cards_each_and_one_redraw_of_four_in_playing_order() -> None:
    state = start(setup_of(BOX, DUEL))
    state = step(state, SEASONS.index("winter"))
    while decider(state) == CHANCE:
        state = step(state, chance_outcomes(state)[0][0])
    assert [len(hero.hand) for hero in state.heroes] == [5, 5]
    assert options(state) == ["keep", "redraw"]
    assert decider(state) == 0
    state = play(state, "redraw")
    for _ in range(4):
        state = step(state, chance_outcomes(state)[-1][0])
    assert len(state.heroes[0].hand) == 4
    assert sum(state.heroes[0].deck) == 44
    assert decider(state) == 1


def test_T3_no_attacks_in_the_first_turn() -> None:
    assert "attack 1" not in options(table(turn=1, hands=["second-wind"]))
    assert "attack 1" in options(table(turn=2, hands=["second-wind"]))
    mage = table(("elf-mage", "orc-warrior"), phase="magic", turn=1, plays=["fireball"])
    assert options(mage) == ["pass", "sell 0"]


def test_T4_own_effects_then_those_of_opponents_then_what_costs_the_active_hero() -> None:
    overrides = [
        'cards.oak-heart.effects=[{trigger="opening",action="lose",amount=4,target="self"}]',
        'cards.raven-eye.effects=[{trigger="opening",action="lose",amount=60}]',
    ]
    rules = load_rules(overrides=overrides)
    # The monk's gain comes before its own loss, though that card came into play first.
    state = table(phase="opening", plays=["oak-heart monk"], hp=[3, 50], rules=rules)
    assert state.heroes[0].hp == 1
    # What the opponent's card takes comes last of all, whether it goes to the opponent or not.
    drained = load_rules(overrides=[*overrides[:1], overrides[1].replace("lose", "drain")])
    state = table(phase="opening", plays=["oak-heart", "raven-eye"], hp=[3, 50], rules=drained)
    assert state.winners == (1,)
    state = table(phase="opening", plays=["oak-heart", "raven-eye"], hp=[3, 50], rules=rules)
    assert state.winners == (1,)


def test_T4_allies_before_opponents() -> None:
    seats = ("orc-warrior", "elf-mage", "human-paladin", "angel-paladin")
    assert order_of(table(seats, guilds=2)) == [0, 2, 1, 3]


def test_T5_two_cards_are_drawn_compulsorily() -> None:
    state = table(phase="opening", lives=["war-axe war-axe war-axe great-sword great-sword"], turn=1)
    assert decider(state) == CHANCE
    state = step(step(state, 0), 0)
    assert len(state.heroes[0].hand) == 2
    rules = load_rules(overrides=["match.optional_draw=true"])
    assert options(table(phase="opening", rules=rules)) == ["hand", "life", "stop"]


def test_T5_optional_draws_need_the_cards() -> None:
    few = table(phase="first", hands=["insight second-wind"], left=["parry"])
    assert "flash insight" not in options(few)
    enough = table(phase="first", hands=["insight second-wind"], left=["parry parry"])
    assert "flash insight" in options(enough)


def test_T6_the_life_pile_is_chosen_before_the_card_is_seen() -> None:
    state = table(phase="opening")
    assert options(state) == ["hand", "life"]
    state = play(state, "life")
    card = BOX.card_numbers["great-sword"]
    state = step(state, card)
    assert state.heroes[0].hp == 108
    assert state.heroes[0].life == (card,)
    assert options(state) == ["hand", "life"]


def test_T6_extra_draws_too() -> None:
    state = play(table(phase="first", hands=["insight"]), "flash insight")
    assert options(state) == ["hand", "life"]


def test_T7_no_hand_limit_and_closing_effects() -> None:
    assert numbers("parry parry parry")
    rules = load_rules(overrides=['cards.monk.effects=[{trigger="closing",action="gain",amount=2}]'])
    assert table(phase="closing", plays=["monk"], rules=rules).heroes[0].hp == 102
