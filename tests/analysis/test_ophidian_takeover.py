"""When cards no longer matter in the last wave, and what is then played."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from analysis.ophidian.fights import position
from analysis.ophidian.takeover import best_move, fight_of, unseen_cards
from engine.ophidian.reference import Kind, State, is_over, legal_moves, step
from engine.ophidian.reference_state import Holding, Phase
from engine.ophidian.reference_state import number as number_of
from engine.ophidian.rules import load_rules
from engine.records import replace
from tests.analysis.test_ophidian_endings import plain_value

RULES = load_rules()
NUMBERS = RULES.card_numbers


def holding(hand: Sequence[str] = (), deck: Sequence[str] = (), resources: int = 14) -> Holding:
    copies = [0] * len(RULES.cards)
    for card in deck:
        copies[NUMBERS[card]] += 1
    return Holding(tuple(sorted(NUMBERS[card] for card in hand)), tuple(copies), resources=resources)


NOTHING = holding()


def last_wave(
    team: str = "Bastion w5, Saw-Hand w2",
    against: str = "Tempest w3 L2, Runt w2",
    holdings: tuple[Holding, Holding] = (NOTHING, NOTHING),
    **more: Any,
) -> State:
    usual: dict[str, Any] = {"wave": 4, "rules": RULES}
    state = position(team, against, **(usual | more))
    return replace(state, holdings=holdings)


def test_without_cards_the_rest_of_the_last_wave_is_a_fight() -> None:
    for state in (last_wave(), last_wave(wave=6), last_wave(momentum="against")):
        fights = [fight_of(state, player) for player in (0, 1)]
        assert all(fight is not None and not fight.holdings for fight in fights)
        assert legal_moves(fights[0]) == legal_moves(state)  # type: ignore[arg-type]


def test_before_the_last_wave_it_is_none() -> None:
    assert fight_of(last_wave(wave=3), 0) is None


def test_a_fight_without_hands_is_none_that_could_be_taken_over() -> None:
    assert fight_of(replace(last_wave(), holdings=()), 0) is None


def test_it_begins_at_an_action_or_at_what_answers_an_attack_alone() -> None:
    state = last_wave()
    attack = next(move for move in legal_moves(state) if move.kind == Kind.ATTACK)
    seen = {state.phase}
    while attack is not None and state.phase not in (Phase.OVER, Phase.DIE):
        state = step(state, attack)
        seen.add(state.phase)
        assert (fight_of(state, state.turn) is not None) is (
            state.phase in (Phase.ACT, Phase.STAND_IN, Phase.ROAR)
        )
        if state.phase == Phase.ACT:
            break
        attack = legal_moves(state)[0]
    assert {Phase.ACT, Phase.STAND_IN} <= seen
    assert fight_of(replace(last_wave(), phase=Phase.RESPOND), 0) is None


@pytest.mark.parametrize(
    ("hand", "resources", "matters"),
    [
        ("second-wind", 1, True),
        ("second-wind", 0, False),
        ("spiked-fists", 2, False),  # for warriors, and there is none
        ("toxin", 14, False),
        ("iron-guard", 14, False),  # for those of level 2
        ("plate", 3, True),
        ("plate", 2, False),
    ],
)
def test_a_card_matters_if_it_can_still_be_paid_and_played(hand: str, resources: int, matters: bool) -> None:
    team, against = "Saw-Hand w2", "Tempest w3"
    own = holding([hand], resources=resources)
    rich = holding(resources=14)
    for state, player in (
        (last_wave(team, against, (own, rich)), 0),
        (last_wave(against, team, (rich, own), momentum="against"), 1),
    ):
        # Whoever holds it knows; the other one has to think of it if it may be in hand.
        assert (fight_of(state, player) is None) is matters
        assert (fight_of(state, 1 - player) is None) is matters


def test_a_player_thinks_of_what_the_other_one_may_hold_and_not_of_his_own_deck() -> None:
    drawn = holding(deck=["second-wind"], resources=14)
    under = NOTHING._replace(bottom=(NUMBERS["second-wind"],))
    for there in (drawn, under):
        state = last_wave(holdings=(there, NOTHING))
        assert fight_of(state, 0) is not None
        assert fight_of(state, 1) is None
        assert fight_of(last_wave(holdings=(NOTHING, there)), 0) is None
    hidden = holding(["hex"], ["hex", "veil"])._replace(bottom=(NUMBERS["veil"],))
    seen = unseen_cards(last_wave(holdings=(hidden, NOTHING)), 1)
    assert {RULES.cards[card].id: copies for card, copies in enumerate(seen) if copies} == {
        "hex": 2,
        "veil": 2,
    }
    assert not any(unseen_cards(last_wave(holdings=(hidden, NOTHING)), 0))


def test_abilities_of_the_living_matter_and_of_the_destroyed_do_not() -> None:
    assert fight_of(last_wave("Bastion, Thorn"), 0) is None
    assert fight_of(last_wave("Bastion, Thorn out"), 0) is not None
    assert fight_of(last_wave(against="Runt, Broodcaller"), 0) is None


def changed(state: State, **changes: Any) -> State:
    first, *others = state.teams[0]
    return replace(state, teams=((first._replace(**changes), *others), state.teams[1]))


def test_pumps_with_fixed_numbers_are_fought_on_with_and_others_are_not() -> None:
    state = last_wave()
    for pump, plain in (
        ("spiked-fists", True),
        ("sunder-maul", True),
        ("regrowth", True),
        ("adrenal-gland", True),
    ):
        pumped = changed(state, pumps=((0, NUMBERS[pump]),))
        fight = fight_of(pumped, 0)
        assert (fight is not None) is plain
        assert fight is not None
        for player, team in enumerate(pumped.teams):
            for was, now in zip(team, fight.teams[player], strict=True):
                for stat in ("life", "rage", "attack", "defence", "shield"):
                    assert number_of(fight, player, now, stat) == number_of(pumped, player, was, stat)
                assert (now.wounds, now.field, now.is_set) == (was.wounds, was.field, was.is_set)


@pytest.mark.parametrize(
    ("do", "plain"),
    [
        ('{ act = "modify", stat = "attack", amount = 1 }', True),
        ('{ act = "modify", stat = "rage_damage", amount = 1 }', False),
        ('{ act = "modify", stat = "attack", amount = 1, if = { raging = true } }', False),
    ],
)
def test_a_pump_that_depends_on_something_is_no_fixed_number(do: str, plain: bool) -> None:
    rules = load_rules(overrides=[f'cards.spiked-fists.abilities=[{{ when = "static", do = [{do}] }}]'])
    state = changed(last_wave(rules=rules), pumps=((0, NUMBERS["spiked-fists"]),))
    assert (fight_of(state, 0) is not None) is plain


def test_changes_for_a_time_minions_and_another_roar_matter() -> None:
    assert fight_of(changed(last_wave(), changes=(1,)), 0) is None
    minion = last_wave().teams[0][0]._replace(gladiator=-1, card=NUMBERS["hound"])
    state = last_wave()
    assert fight_of(replace(state, teams=((*state.teams[0], minion), state.teams[1])), 0) is None
    five = (*state.teams[0], *state.teams[0], state.teams[0][0])
    assert fight_of(replace(state, teams=(five, state.teams[1])), 0) is None
    assert fight_of(replace(state, teams=(five[:4], state.teams[1])), 0) is not None
    early = load_rules(overrides=['combat.roar_window="announced"'])
    assert fight_of(last_wave(rules=early), 0) is None


@pytest.mark.kernels
def test_what_is_played_is_worth_as_much_as_the_position_by_a_plain_search() -> None:
    dice, kinds, chosen = Random(4), set(), set()
    for number in range(24):
        team = f"Bastion w{dice.randint(9, 10)}{dice.choice(('', ', Saw-Hand out', '@S set, Saw-Hand out'))}"
        against = f"Tempest w{dice.randint(8, 10)} L2{dice.choice(('', '@S', ' set'))}"
        if number % 4 == 0:
            # Somebody may stand in, by which a roar ends the match.
            team, against = "Bastion w10", f"Tempest w{dice.randint(9, 10)} L2, Runt w5"
        cheer = f"{dice.randint(12, 14)}:{dice.randint(12, 14)}"
        state = last_wave(team, against, cheer=cheer, momentum=dice.choice(("team", "against")))
        for _ in range(3):
            fight = fight_of(state, state.turn)
            if is_over(state) or fight is None:
                break
            known: dict[State, tuple[int, int]] = {}
            move = best_move(state, fight, 1 << 22)
            assert move is not None
            values = {each: plain_value(step(fight, each), fight.wave, known) for each in legal_moves(fight)}
            assert values[move] == (min if state.turn else max)(values.values())
            kinds.add(move.kind)
            chosen.add(len(set(values.values())) > 1)
            state = step(state, dice.choice(legal_moves(state)))
    assert len(kinds) > 2
    assert True in chosen


@pytest.mark.kernels
def test_without_time_nothing_is_proved() -> None:
    state = last_wave("Bastion, Saw-Hand, Runt", "Tempest, Scrap, Acolyte")
    fight = fight_of(state, 0)
    assert fight is not None
    assert best_move(state, fight, 1 << 22, stopped=lambda: True) is None
