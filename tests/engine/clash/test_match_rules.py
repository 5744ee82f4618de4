"""The set-up of a game, and whole games: rules that no case of `rules.txt` can try."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from engine.clash import reference
from engine.clash.board import board_of, scenario
from engine.clash.reference import Phase, State, chance_outcomes, decider, legal_moves, start, step
from engine.clash.reference_state import reserve
from engine.protocol import CHANCE
from tests.engine.clash.notation import options, play, table
from tests.engine.clash.plays import BOX

CLANS = ("bohorg", "steamfield", "godleif", "tomb")


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


# -- solo (X) -------------------------------------------------------------------------------------------


def solo(difficulty: str = "medium", **changes: object) -> State:
    return table(["bohorg"], difficulty=difficulty, **changes)  # type: ignore[arg-type]


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
