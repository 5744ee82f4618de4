"""One test for each rule of cards and abilities; rule ids as in the reference."""

from __future__ import annotations

import pytest

from engine.ophidian.reference import (
    ACTION,
    CHANCE,
    SUPPORT,
    Kind,
    Move,
    Phase,
    chance_outcomes,
    decider,
    is_alive,
    is_over,
    is_raging,
    legal_moves,
    number,
    points,
    start_wave,
    winner,
)
from engine.ophidian.rules import load_rules
from tests.engine.ophidian.tables import (
    BOX,
    DECLINE,
    PASS,
    QUIET,
    TAKE,
    cards,
    fighter,
    go,
    options,
    play,
    reply,
    table,
    titles,
)

ATTACK = Move(Kind.ATTACK, 0, 0)


def test_P1_cards_cost_resources() -> None:
    state = table([fighter("runt")], [fighter("scrap")], hands=("cheap-shot", ""))
    assert go(state, play("cheap-shot", 0, 1)).holdings[0].resources == 9
    poor = table([fighter("runt")], [fighter("scrap")], hands=("cheap-shot", ""), resources=(1, 11))
    assert not options(poor, Kind.PLAY)


def test_P2_each_requirement_needs_a_gladiator_of_the_discipline_and_level() -> None:
    hand = ("iron-guard rally plate toxin spiked-fists last-stand", "")
    state = table(
        [fighter("runt", level=1), fighter("saw-hand", is_set=True)], [fighter("scrap")], hands=hand
    )
    # Level 2: the Runt; Tech: the set Saw-Hand; BioGen: nobody. Responses are no actions.
    assert titles(state, Kind.PLAY) == ["rally", "spiked-fists", "plate"]
    universal = table([fighter("acolyte")], [fighter("scrap", 1)], hands=hand)
    assert titles(universal, Kind.PLAY) == ["spiked-fists", "plate", "toxin"]
    entered = table([fighter("understudy", level=-1)], [fighter("scrap", 1)], hands=hand)
    assert titles(entered, Kind.PLAY) == []  # of level 0
    dead = table([fighter("runt"), fighter("thorn", 8)], [fighter("scrap", 1)], hands=hand)
    assert titles(dead, Kind.PLAY) == ["spiked-fists"]


def test_P3_minions_enter_the_support_field_and_act_at_once() -> None:
    state = table([fighter("scrap")], [fighter("runt")], hands=("drone", ""))
    state = go(state, play("drone"))
    minion = state.teams[0][1]
    assert (minion.field, minion.is_set, decider(state)) == (SUPPORT, False, 1)  # sign -
    assert Move(Kind.ADVANCE, 1) in legal_moves(go(state, PASS))


def test_P3_pumps_change_numbers_and_stay_on_their_card() -> None:
    state = table([fighter("bastion"), fighter("runt")], [fighter("scrap")], hands=("sunder-maul", ""))
    state = go(state, play("sunder-maul", 0, 0))
    pumped = state.teams[0][0]
    assert pumped.pumps == ((0, BOX.card_numbers["sunder-maul"]),)
    assert [number(state, 0, pumped, stat) for stat in ("attack", "defence")] == [5, 1]
    on_enemy = table([fighter("thorn")], [fighter("scrap"), fighter("runt")], hands=("parasite", ""))
    assert options(on_enemy, Kind.PLAY) == [play("parasite", 0, 1), play("parasite", 1, 1)]
    weakened = go(on_enemy, play("parasite", 1, 1))
    assert number(weakened, 1, weakened.teams[1][1], "attack") == 1


def test_P3_quick_hits_resolve_and_are_gone() -> None:
    state = table([fighter("runt", 3)], [fighter("scrap")], hands=("second-wind cheap-shot", ""))
    after = go(state, play("second-wind", 0, 0))
    assert (after.teams[0][0].wounds, after.holdings[0].hand) == (1, cards("cheap-shot"))


def test_P4_no_target_no_card_and_numbers_stay_above_0() -> None:
    state = table([fighter("thorn")], [fighter("scrap")], hands=("toxin", ""))
    assert not options(state, Kind.PLAY)  # nobody is wounded
    weak = fighter("scrap", pumps="parasite parasite parasite")
    assert number(state, 1, weak, "attack") == 0


def test_P5_one_player_at_a_time_has_a_unique_title() -> None:
    own, other = [fighter("broodcaller", level=2)], [fighter("runt")]
    free = table(own, other, hands=("arena-beast", ""))
    assert titles(free, Kind.PLAY) == ["arena-beast"]
    taken = table(own, [*other, fighter("arena-beast")], hands=("arena-beast", ""))
    assert titles(taken, Kind.PLAY) == []
    mine = table([*own, fighter("arena-beast")], other, hands=("arena-beast", ""))
    assert titles(mine, Kind.PLAY) == ["arena-beast"]


def test_P6_a_pump_leaves_with_its_card() -> None:
    state = table([fighter("bastion")], [fighter("runt", 5, pumps="~spiked-fists"), fighter("scrap")])
    state = go(state, ATTACK, TAKE)
    assert state.teams[1][0] == fighter("runt", 6, field=SUPPORT, is_set=True)


def test_M1_a_variable_action_is_positive_if_its_die_says_so() -> None:
    state = table([fighter("runt")], [fighter("scrap")], hands=("crowd-pleaser", ""), cheer=(0, 1))
    state = go(state, play("crowd-pleaser"))
    assert (decider(state), len(chance_outcomes(state))) == (CHANCE, 6)
    assert [(decider(go(state, face)), go(state, face).cheer) for face in (3, 4)] == [
        (1, (1, 1)),
        (0, (1, 1)),
    ]
    assert go(state, 4).phase == Phase.ACT  # of no sign that a roar could turn


def test_M1_what_decides_a_sign_is_asked_when_the_action_has_done_what_it_does() -> None:
    ability = 'gladiators.runt.abilities=[{when="action",sign="variable",cost={set=true},'
    ability += 'positive_if={field="support"},do=[{act="move",field="support"}]}]'
    state = table([fighter("runt")], [fighter("scrap")], rules=load_rules(overrides=[ability]))
    after = go(state, Move(Kind.ABILITY, 0, card=0))
    assert (after.teams[0][0].field, decider(after)) == (SUPPORT, 0)


def test_M2_the_opponent_responds_first_then_the_actor_until_both_decline() -> None:
    hands = ("blood-up blood-up", "sidestep sidestep")
    state = go(table([fighter("runt")], [fighter("runt")], hands=hands), ATTACK)
    assert (state.phase, decider(state)) == (Phase.RESPOND, 1)
    actor = go(state, DECLINE)
    assert (actor.phase, decider(actor)) == (Phase.RESPOND, 0)
    again = go(actor, reply("blood-up"))
    assert (again.phase, decider(again)) == (Phase.RESPOND, 1)
    # It declines; the actor has used its title (M3), so the attack resolves: attack 3 on 6 lives.
    done = go(again, DECLINE)
    assert (done.phase, done.teams[1][0].wounds) == (Phase.ACT, 3)
    shielded = go(again, reply("sidestep"))
    assert (shielded.phase, shielded.teams[1][0].wounds) == (Phase.ACT, 2)
    assert shielded.teams[0][0].wounds == 1
    assert decider(done) == 0  # momentum is the actor's still


def test_M2_stand_ins_are_decided_first() -> None:
    other = [fighter("scrap", field=SUPPORT), fighter("runt")]
    state = go(table([fighter("bastion")], other, hands=("", "sidestep")), ATTACK)
    assert state.phase == Phase.STAND_IN
    state = go(state, Move(Kind.PROTECT, 1))
    assert (state.phase, decider(state)) == (Phase.RESPOND, 1)
    assert go(state, reply("sidestep")).teams[1][1].wounds == 2  # the final Defender has the shield


def test_M3_each_response_once_per_action_and_title_or_card() -> None:
    state = table([fighter("bastion")], [fighter("runt")], hands=("", "sidestep sidestep hex"))
    state = go(state, ATTACK, reply("sidestep"))
    assert state.phase == Phase.ACT  # the second copy is the same title; Hex needs a Mystic
    twice = 'cards.sidestep.abilities=[{when="announced",to="attacked",repeatable=2,'
    twice += 'do=[{act="modify",stat="shield",amount=1}]}]'
    rules = load_rules(overrides=[twice])
    state = table([fighter("bastion")], [fighter("runt")], hands=("", "sidestep sidestep"), rules=rules)
    state = go(state, ATTACK, reply("sidestep"))
    assert (state.phase, decider(state)) == (Phase.RESPOND, 1)
    witch = table([fighter("bastion")], [fighter("mirror-witch")], cheer=(0, 3))
    witch = go(witch, ATTACK, Move(Kind.REACT, 0, card=0))
    assert (witch.teams[1][0].wounds, witch.cheer) == (1, (1, 2))  # shield 1 and 1 against 3
    assert witch.phase == Phase.ROAR


def test_M3_an_ability_answers_what_concerns_its_own_card() -> None:
    other = [fighter("mirror-witch"), fighter("runt")]
    state = go(table([fighter("bastion")], other, cheer=(0, 3)), Move(Kind.ATTACK, 0, 1))
    assert go(state, TAKE).phase == Phase.ROAR  # the Witch is not attacked
    assert options(go(state, Move(Kind.INTERCEPT, 0)), Kind.REACT)


def test_M4_a_response_can_make_an_action_negative() -> None:
    hands = ("", "dread")
    state = go(
        table([fighter("runt", field=SUPPORT)], [fighter("whisper")], hands=hands), Move(Kind.ADVANCE, 0)
    )
    assert state.phase == Phase.RESPOND
    turned = go(state, reply("dread"))
    assert (decider(turned), turned.teams[0][0].field) == (1, ACTION)
    assert decider(go(state, DECLINE)) == 0
    retreat = go(table([fighter("runt")], [fighter("whisper")], hands=hands), Move(Kind.RETREAT, 0))
    assert retreat.phase == Phase.ACT  # a negative action is no positive one
    variable = table([fighter("runt")], [fighter("whisper")], hands=("crowd-pleaser", "dread"))
    assert decider(go(variable, play("crowd-pleaser"))) == CHANCE  # nor is one of neither sign


def test_M5_an_action_may_count_as_a_pass() -> None:
    counts = 'cards.second-wind.abilities=[{when="action",target={side="own"},counts_as_pass=true,'
    counts += 'do=[{act="heal",amount=2}]}]'
    rules = load_rules(overrides=[counts])
    hands = ("second-wind", "second-wind")
    state = table([fighter("runt", 2)], [fighter("scrap")], hands=hands, rules=rules)
    once = go(state, play("second-wind", 0, 0))
    assert (once.passes, decider(once), once.wave) == (1, 1, 1)
    assert go(once, PASS).wave == 2
    assert go(once, play("second-wind", 0, 1)).wave == 2
    assert go(once, Move(Kind.RETREAT, 0)).passes == 0


def test_M6_the_crowd_favourite_has_strictly_more_cheer() -> None:
    for cheer, attack in (((1, 0), 3), ((1, 1), 2), ((0, 1), 2)):
        state = table([fighter("whisper")], [fighter("scrap")], cheer=cheer)
        assert number(state, 0, state.teams[0][0], "attack") == attack
    blessed = table([fighter("mirror-witch", 2)], [fighter("scrap")], hands=("blessing", ""), cheer=(1, 0))
    assert go(blessed, play("blessing", 0, 0)).cheer == (2, 0)
    not_so = table([fighter("mirror-witch", 2)], [fighter("scrap")], hands=("blessing", ""))
    after = go(not_so, play("blessing", 0, 0))
    assert (after.cheer, after.teams[0][0].wounds) == ((0, 0), 1)


def test_A2_set_cards_use_abilities_that_do_not_ask_to_set() -> None:
    own = [fighter("broodcaller", is_set=True), fighter("imp", is_set=True), fighter("hound", 2)]
    state = table(own, [fighter("scrap")])
    assert options(state, Kind.ABILITY) == [Move(Kind.ABILITY, 1, 0, card=0, side=1)]
    own[0] = fighter("broodcaller")
    state = table(own, [fighter("scrap")])
    healed = go(state, Move(Kind.ABILITY, 0, 2, card=0, side=0))
    assert (healed.teams[0][2].wounds, healed.teams[0][0].is_set, decider(healed)) == (0, True, 1)


def test_A3_minions_stand_in_only_if_their_text_says_so() -> None:
    other = [fighter("runt"), fighter("drone", field=ACTION), fighter("hound", field=ACTION)]
    state = go(table([fighter("bastion")], other), ATTACK)
    assert legal_moves(state) == (Move(Kind.INTERCEPT, 1), TAKE)
    after = go(state, Move(Kind.INTERCEPT, 1))
    assert after.cheer == (0, 1)  # minion interceptors get it, too (A6)
    assert len(after.teams[1]) == 2  # destroyed minions leave (R3)
    assert points(after, 0) == 0


def test_A4_direct_damage_meets_no_shield_and_no_stand_in() -> None:
    other = [fighter("bastion"), fighter("runt")]
    state = go(table([fighter("runt")], other, hands=("cheap-shot", "")), play("cheap-shot", 0, 1))
    assert (state.phase, state.teams[1][0].wounds, state.cheer) == (Phase.ACT, 1, (0, 0))


def test_A6_an_attack_by_a_minion_makes_no_cheer() -> None:
    state = table([fighter("runt"), fighter("hound", field=ACTION)], [fighter("scrap")])
    state = go(state, Move(Kind.ATTACK, 1, 0))
    assert (state.cheer, state.teams[1][0].wounds) == ((0, 0), 1)


def test_A7_if_one_has_left_play_the_rest_does_not_happen() -> None:
    rules = load_rules(
        overrides=[
            'cards.sidestep.abilities=[{when="announced",to="attacked",'
            'do=[{act="damage",type="direct",amount=9,on="attacker"}]}]'
        ]
    )
    own = [fighter("runt"), fighter("bastion")]
    state = go(table(own, [fighter("scrap")], hands=("", "sidestep"), rules=rules), ATTACK, reply("sidestep"))
    assert not is_alive(rules, state.teams[0][0])
    assert (state.teams[1][0].wounds, state.cheer, decider(state), points(state, 1)) == (0, (0, 0), 0, 1)


def test_R1_rage_follows_a_changed_value_and_ends_with_healing() -> None:
    assert is_raging(BOX, fighter("thorn", 3, pumps="adrenal-gland"))
    state = table([fighter("runt", 3)], [fighter("scrap")], hands=("second-wind", ""))
    assert is_raging(BOX, state.teams[0][0])
    assert not is_raging(BOX, go(state, play("second-wind", 0, 0)).teams[0][0])
    for wounds, defence in ((4, 2), (5, 3)):
        raging = table([fighter("thorn", wounds)], [fighter("scrap")])
        assert number(raging, 0, raging.teams[0][0], "defence") == defence


def test_R2_a_rage_damage_of_its_own_counts() -> None:
    state = table([fighter("bastion")], [fighter("runt", 3, level=1)], hands=("", "last-stand"))
    assert go(state, ATTACK).phase == Phase.ACT  # not raging at level 2, whose value is 4
    state = table(
        [fighter("bastion")], [fighter("runt", 3), fighter("gfrhtru", level=1)], hands=("", "last-stand")
    )
    state = go(state, ATTACK, TAKE)
    assert state.phase == Phase.RESPOND
    assert go(state, reply("last-stand")).teams[0][0].wounds == 4  # defence 1, rage 1 and 2


def test_R3_who_falls_by_an_own_cost_scores_for_the_opponent() -> None:
    own = [fighter("whisper", 6), fighter("runt")]
    state = table(own, [fighter("scrap")], hands=("mind-spike", ""))
    assert [move.who for move in options(state, Kind.PLAY)] == [0, 1]
    state = go(state, play("mind-spike", 0, 1, who=0))
    assert (points(state, 1), state.teams[1][0].wounds, is_over(state)) == (2, 3, False)


def test_W2_cheer_from_a_card_wins_at_once() -> None:
    state = table(
        [fighter("whisper", level=1)], [fighter("scrap")], hands=("steal-the-show", ""), cheer=(14, 2)
    )
    assert winner(go(state, play("steal-the-show"))) == 0


@pytest.mark.parametrize("deck", ["", "hex"])
def test_W4_who_cannot_draw_loses_but_first_come_the_other_ends(deck: str) -> None:
    state = table([fighter("runt")], [fighter("scrap")], hands=("fresh-tactics", ""), decks=(deck, "hex"))
    state = go(state, play("fresh-tactics"))
    while decider(state) == CHANCE:
        state = go(state, chance_outcomes(state)[0][0])
    assert winner(state) == 1
    under = table(
        [fighter("runt")],
        [fighter("scrap")],
        hands=("fresh-tactics", ""),
        decks=("", ""),
        bottoms=("hex veil", ""),
    )
    under = go(under, play("fresh-tactics"))
    assert chance_outcomes(under) == [(BOX.card_numbers["hex"], 1)]


def test_an_effect_draws_and_then_discards() -> None:
    state = table([fighter("whisper")], [fighter("scrap")], hands=("foresight hex", ""), decks=("veil", ""))
    state = go(state, play("foresight"), BOX.card_numbers["veil"])
    assert (state.phase, decider(state), len(options(state, Kind.DISCARD))) == (Phase.DISCARD, 0, 2)
    state = go(state, Move(Kind.DISCARD, card=BOX.card_numbers["hex"]))
    assert (state.holdings[0].hand, decider(state)) == (cards("veil"), 0)  # positive


def test_changes_last_as_long_as_they_say() -> None:
    state = table([fighter("runt")], [fighter("bastion"), fighter("scrap")], hands=("sand-in-the-eyes", ""))
    state = go(state, play("sand-in-the-eyes", 0, 1))
    assert number(state, 1, state.teams[1][0], "attack") == 1
    ended = go(state, PASS, PASS)
    assert ended.teams[1][0].changes == ()
    until = 'cards.sand-in-the-eyes.abilities=[{when="action",target={side="enemy"},lasts="until_momentum",'
    until += 'do=[{act="modify",stat="attack",amount=-2}]}]'
    rules = load_rules(overrides=[until])
    state = table(
        [fighter("runt")], [fighter("bastion"), fighter("runt")], hands=("sand-in-the-eyes", ""), rules=rules
    )
    state = go(state, play("sand-in-the-eyes", 0, 1))
    assert number(state, 1, state.teams[1][0], "attack") == 1
    assert number(go(state, PASS), 1, go(state, PASS).teams[1][0], "attack") == 3


def test_prevented_damage_is_used_up() -> None:
    prevent = 'cards.sidestep.abilities=[{when="announced",to="attacked",do=[{act="prevent",amount=2}]}]'
    rules = load_rules(overrides=[prevent])
    state = table(
        [fighter("tempest")], [fighter("runt"), fighter("scrap")], hands=("", "sidestep"), rules=rules
    )
    state = go(state, ATTACK, TAKE, reply("sidestep"))
    assert (state.teams[1][0].wounds, state.teams[1][0].changes) == (2, ())


def test_W7_the_wave_ends_where_a_position_comes_again() -> None:
    # Two raging Drones that cannot hurt each other: they unset each other for ever.
    drone = "cards.drone.stats={life=2,rage=0,attack=0,defence=0,shield=0}"
    rules = load_rules(overrides=[drone])
    own = [fighter("runt"), fighter("drone", field=ACTION)]
    other = [fighter("scrap"), fighter("drone", field=ACTION, is_set=True)]
    unsetting = (Move(Kind.ATTACK, 1, 1), TAKE)
    state = go(table(own, other, rules=rules), *unsetting, PASS, *unsetting, PASS)
    assert (state.wave, state.teams[0][1].is_set, state.turn) == (1, False, 0)
    assert go(state, *unsetting).wave == 2


def test_abilities_are_off_without_cards() -> None:
    state = start_wave(BOX, ([fighter("thorn", 5)], [fighter("scrap"), fighter("whisper")]), cheer=(0, 1))
    assert number(state, 0, state.teams[0][0], "defence") == 2
    assert number(state, 1, state.teams[1][1], "attack") == 2
    assert not options(state, Kind.ABILITY)
    assert decider(go(state, PASS)) == 1


def test_roar_or_not_after_a_card() -> None:
    state = table([fighter("runt")], [fighter("scrap")], hands=("cheap-shot", ""), cheer=(0, 1))
    asked = go(state, play("cheap-shot", 0, 1))
    assert asked.phase == Phase.ROAR
    assert decider(go(asked, QUIET)) == 0
    assert decider(go(asked, Move(Kind.ROAR))) == 1
