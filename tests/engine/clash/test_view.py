"""What a player sees (N1): all but hands, decks, cards not revealed yet, and what others look at."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from engine.clash.reference import (
    Phase,
    State,
    chance_outcomes,
    decider,
    is_over,
    legal_moves,
    scenario,
    start,
    step,
)
from engine.clash.reference_view import view
from tests.engine.clash.notation import play, table
from tests.engine.clash.plays import BOX

CLANS = ("bohorg", "steamfield", "godleif", "tomb")


def test_N1_hands_are_hidden_and_discard_piles_open() -> None:
    one = table(sides=[{}, {"hand": (1, 2, 3), "discard": (0,)}])
    other = table(sides=[{}, {"hand": (2, 4, 6), "discard": (0,)}])
    assert view(one, 0) == view(other, 0)
    assert view(one, 1) != view(other, 1)
    assert view(one, 0) != view(table(sides=[{}, {"hand": (1, 2, 3), "discard": (4,)}]), 0)


def test_N1_T1_a_chosen_card_is_hidden_until_all_are_revealed() -> None:
    sides = [{"hand": (0, 1, 2), "discard": (), "chosen": None}] * 2
    state = table(phase=Phase.TACTIC, action=0, order=(), sides=sides)
    first, second = play(state, "card 0"), play(state, "card 1")
    assert view(first, 1) == view(second, 1)
    assert view(first, 0) != view(second, 0)
    assert view(play(first, "card 0"), 1) != view(play(second, "card 0"), 1)


def test_N1_E3_only_the_forger_sees_what_he_does_not_keep() -> None:
    state = play(table(units=[{2: (1, 0, 0)}], sides=[{"crystals": 6}]), "equip", "forge")
    one, other = play(state, "20", "25"), play(state, "20", "30")
    assert view(one, 1) == view(other, 1)
    assert view(one, 0) != view(other, 0)
    assert view(play(one, "keep 20"), 1) == view(play(other, "keep 20"), 1)
    assert view(play(one, "keep 25"), 1) != view(play(other, "keep 30"), 1)


def test_N1_everything_else_is_open() -> None:
    state = table(units=[{3: (1, 0, 0)}], sides=[{"gold": 3, "cards": (1,)}])
    for changed in (
        replace(state, bag=(1, 1, 1)),
        replace(state, market=state.deck),
        replace(state, under=(3,)),
        table(units=[{4: (1, 0, 0)}], sides=[{"gold": 3, "cards": (1,)}]),
        table(units=[{3: (1, 0, 0)}], sides=[{"gold": 4, "cards": (1,)}]),
    ):
        assert view(state, 1) != view(changed, 1)


@pytest.mark.parametrize("num_players", [1, 2, 3, 4])
def test_N1_whoever_decides_knows_his_moves(num_players: int) -> None:
    """What a player may do follows from what it sees; what it does not see does not change it."""
    rng = random.Random(num_players)
    difficulty = "easy" if num_players == 1 else None
    state = start(BOX, scenario(BOX, CLANS[:num_players], difficulty=difficulty))
    checked = 0
    for _ in range(400):
        if is_over(state):
            break
        player = decider(state)
        if player >= 0:
            assert legal_moves(view(state, player)) == legal_moves(state)
            twin = with_other_hands(state, player, rng)
            assert view(twin, player) == view(state, player)
            assert legal_moves(twin) == legal_moves(state)
            checked += twin != state
        outcomes = chance_outcomes(state)
        state = step(
            state,
            rng.choices(*zip(*outcomes, strict=True))[0] if outcomes else rng.choice(legal_moves(state)),
        )
    assert checked or num_players == 1


def with_other_hands(state: State, player: int, rng: random.Random) -> State:
    """A state that the player cannot tell from this one: the others hold other cards that may be theirs."""
    players = list(state.players)
    for index, other in enumerate(players):
        if index != player:
            hidden = [card for card in range(7) if card not in other.discard]
            size = len(other.hand)
            cards = rng.sample(
                [card for card in hidden if card != other.chosen or state.phase != Phase.TACTIC], size
            )
            players[index] = replace(other, hand=tuple(sorted(cards)))
    return replace(state, players=tuple(players))
