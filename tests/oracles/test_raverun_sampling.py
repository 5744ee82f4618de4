"""Raverun and the sampling solvers together: contract, and what greedy play sees."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.raverun import kernel, layout, sampling
from engine.raverun.greedy import greedy_moves
from engine.raverun.rules import Rules, load_rules
from solver.sampling.game import MalformedSamplingGameError
from solver.sampling.head_to_head import play_matches
from solver.sampling.policy import function_policy, uniform_policy
from tests.games.sampling_checks import check_sampling_game, check_sees_nothing_hidden

pytestmark = pytest.mark.kernels

BOX = load_rules()
REDUCED = load_rules(
    overrides=["match.characters=4", "match.letters=2", "match.hand_size=2", "characters.4.action=bury"]
)


#: A stack is shuffled before its top is buried, in each round or in the last phase.
BURIED, BURIED_LAST = (
    load_rules(
        overrides=[
            *("match.characters=5", "match.hand_size=5", "characters.1.action=shuffle"),
            *("characters.4.action=bury", f"characters.4.colour={colour}"),
        ]
    )
    for colour in ("green", "red")
)


@pytest.mark.parametrize("recall", sampling.RECALLS)
@pytest.mark.parametrize("num_players", [2, 3])
@pytest.mark.parametrize(
    "rules", [BOX, REDUCED, BURIED, BURIED_LAST], ids=["box", "reduced", "buried", "buried-last"]
)
def test_the_games_keep_the_contract(rules: Rules, num_players: int, recall: str) -> None:
    check_sampling_game(sampling.sampling_tables(rules, num_players, recall), num_plays=40)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("rules", "bids_held_back"), [(BOX, False), (BURIED, True), (BURIED_LAST, True)], ids=["V3", "6", "8"]
)
def test_V4_a_move_that_shows_its_player_what_he_cannot_know_yet_is_found(
    rules: Rules, bids_held_back: bool
) -> None:
    """Carried out as the rules have it, the last first choice uncovers all, and a burial what lies below."""
    game = sampling.sampling_tables(rules, 2, "view")

    def leaking(tables: sampling.Words, state: sampling.Words, work: sampling.Words, move: int) -> None:
        in_bid = kernel.phase(state) == layout.BID
        if bids_held_back and in_bid:
            sampling.apply(tables, state, work, move)
        else:
            kernel.transition(state, tables, move)

    with pytest.raises(MalformedSamplingGameError, match="what it cannot know yet"):
        check_sampling_game(replace(game, apply=leaking, is_open=None), num_plays=200)


def test_greedy_looks_at_nothing_hidden_and_beats_random_play() -> None:
    game = sampling.sampling_tables(BOX, 2, "view")
    played = check_sees_nothing_hidden(game, greedy_moves, 40)
    assert len(played) > 500
    assert all(sorted(chances) == [0.0] * (len(chances) - 1) + [1.0] for chances in played)
    match = play_matches(game, function_policy("greedy", greedy_moves), uniform_policy(), num_deals=2000)
    assert match.interval[0] > 0.4
