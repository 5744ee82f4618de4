"""ragers match and ragers train: who wins, how a player's matches with itself go, files of values."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.ragers.match import networks
from analysis.ragers.setup import Random
from arena_solver import ragers as asked
from engine.ragers import layout
from engine.ragers.rules import load_rules


def test_the_carried_values_are_those_of_the_box() -> None:
    found = networks.carried(load_rules())
    assert found is not None
    assert found.provenance.rules_sha256 == load_rules().sha256
    assert networks.carried(load_rules(overrides=["cards.basher.gp=4"])) is None
    assert networks.carried_path().stat().st_size < 1_000_000


@pytest.mark.kernels
def test_a_card_given_is_one_more_and_helps_who_gets_a_good_one() -> None:
    from analysis.ragers.match.players import player_of
    from analysis.ragers.match.prices import card_counts, with_card
    from analysis.ragers.match.self_play import record
    from engine.ragers.sampling import sampling_tables

    game = sampling_tables(load_rules())
    marks = record(game, player_of(Random(), game), 3, num_matches=500, seed=5).marks
    going = marks[marks[:, 1, layout.TABLE] >> layout.DAY.offset & layout.DAY.mask == 2, 1]
    for side in (0, 1):
        given = with_card(going, side, 4, 5)
        for player in (0, 1):
            before, after = (
                card_counts(words[:, layout.HAND + player]) + card_counts(words[:, layout.DECK + player])
                for words in (going, given)
            )
            assert np.array_equal(after - before, np.eye(8, dtype=int)[[4] * len(going)] * (player == side))
        held = card_counts(given[:, layout.HAND + side]).sum(axis=1)
        drawn = card_counts(given[:, layout.DECK + side]).sum(axis=1)
        assert np.all((held == 5) | (drawn == 0))


@pytest.mark.kernels
def test_a_match_in_kernels_ends_as_those_that_are_recorded() -> None:
    """How long matches are and what decides them, by two ways to play the same players."""
    found = asked.match(player="greedy", deals=20_000, seed=1)
    [figures] = found.figures
    assert found.given_matches == 2_500
    assert figures.matches == found.deals
    assert found.length.mean == pytest.approx(figures.days_played.mean, abs=0.02)
    shares = {each.name: each.plays / found.plays for each in found.groups}
    assert shares["a winning lead"] == pytest.approx(figures.decided_by.lead.mean, abs=0.02)
    assert shares["cheers cards"] == pytest.approx(figures.decided_by.cheers.mean, abs=0.01)
    assert found.first_seat.mean == pytest.approx(figures.accusers_win.mean, abs=0.02)


def test_players_who_are_asked_move_by_move_meet_on_days_and_in_matches() -> None:
    day = {"patron": "Solennos", "cheers": "two-bashers", "player": ("stored:playouts=2", "random")}
    found = asked.match(**day, deals=10)
    assert found.deals == 10
    assert {each.name for each in found.groups} <= {
        *("won by the Accusers", "won by the Defenders", "drawn", "lost by both")
    }
    assert found.sides[0].won.mean > 0.5
    assert asked.match(**day, deals=3).sides[0].won == asked.match(**day, deals=3).sides[0].won
    # The same luck whoever sits where: who plays itself wins as often from both seats.
    itself = asked.match(**day | {"player": "greedy"}, deals=6)
    assert itself.by_design
    whole = asked.match(player=("greedy", "rollouts:playouts=2"), deals=2)
    assert whole.length is not None
    assert {each.player for each in whole.sides} == {"greedy", "rollouts:playouts=2"}
    # A day whose patron is open has another one each time.
    assert asked.match(cheers="two-bashers", player="random", deals=4).plays == 8
