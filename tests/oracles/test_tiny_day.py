"""The tiny days themselves: their trees, their stored values, and what Gambit and OpenSpiel make of them."""

from __future__ import annotations

import pytest

from engine.ragers.rules import load_rules
from solver.extensive import CHANCE, ExtensiveGame, build_game, expected_payoff, uniform_strategy
from solver.gambit import efg_lines
from solver.sequence_form import solve_sequence_form
from tests.oracles.games import ASYMMETRIC, AT_ONCE, LARGE, SYMMETRIC, TinyGame, decks
from tests.oracles.tiny_day import TinyDay

TOLERANCE = 1e-8  # of the stored values and of HiGHS


SLOW_NODES = 6_000  # a tree larger than this takes more than a second to build


def by_name(*games: TinyGame) -> pytest.MarkDecorator:
    marks = [[pytest.mark.slow] if game.num_nodes > SLOW_NODES else [] for game in games]
    return pytest.mark.parametrize(
        "game",
        [pytest.param(game, id=game.name, marks=mark) for game, mark in zip(games, marks, strict=True)],
    )


def check(game: TinyGame) -> None:
    tree = game.tree()
    assert tree.num_nodes == game.num_nodes
    solution = solve_sequence_form(tree)
    assert solution.value == pytest.approx(game.value, abs=TOLERANCE)
    assert solution.nash_conv <= TOLERANCE


@by_name(*SYMMETRIC)
def test_equal_decks_are_worth_nothing(game: TinyGame) -> None:
    assert game.value == 0.0
    check(game)


@by_name(*ASYMMETRIC, *LARGE)
def test_stored_values(game: TinyGame) -> None:
    check(game)


def mirrored(game: TinyGame) -> TinyGame:
    swap = {"accusers": "defenders", "defenders": "accusers"}
    overrides = []
    for override in game.overrides:
        for side, other in swap.items():
            if f".{side}=" in override:
                override = override.replace(side, other)
                break
        overrides.append(override)
    return game._replace(overrides=tuple(overrides))


@by_name(*(game for game in ASYMMETRIC if game.num_nodes < 5_000))
def test_changing_sides_changes_the_sign(game: TinyGame) -> None:
    solution = solve_sequence_form(mirrored(game).tree())
    assert solution.value == pytest.approx(-game.value, abs=TOLERANCE)


@by_name(
    *(game for game in ASYMMETRIC if game.name in ("empty-decks", "redraw-short-decks", "forbidden-cards"))
)
def test_what_is_left_out_does_not_matter(game: TinyGame) -> None:
    tree = build_game(TinyDay(game.rules(), game.patron, game.cheers, game.preparation, whole=True))
    assert tree.num_nodes >= game.num_nodes
    assert solve_sequence_form(tree).value == pytest.approx(game.value, abs=TOLERANCE)


@pytest.mark.parametrize("name", ["deadeyes-at-once", "deadeyes-at-once-four-steps"])
def test_K9_when_deadeyes_are_served_matters(name: str) -> None:
    (game,) = (game for game in ASYMMETRIC if game.name == name)
    later = game._replace(overrides=tuple(each for each in game.overrides if each != AT_ONCE))
    assert abs(solve_sequence_form(later.tree()).value - game.value) > 0.1


def test_matching_attacks_by_hand() -> None:
    """Both hold an attack and its counter, one slot decides nothing but the last: a 2x2 matrix game.

    Hands B, S against S, P with two slots and no deck: only the order is a choice, so what lies last is.
    B then beats S and loses to P, S draws with S and beats P; each icon scores 3, a draw 0 in difference.
    """
    rules = load_rules(overrides=(*decks("BS", "SP"), "match.hand_size=2", "match.row_length=2"))
    tree = build_game(TinyDay(rules, "the-nameless", ()))
    # Rows: last card B, S; columns: last card S, P. Value of [[3, -3], [0, 3]] is 1.
    assert solve_sequence_form(tree).value == pytest.approx(1.0, abs=TOLERANCE)


def test_redraw_is_unseen_and_seen_is_seen() -> None:
    """In the model `redraw` the other player's infosets do not depend on the exchange; in `seen` they do."""
    rules = load_rules(overrides=(*decks("BSP"), "match.hand_size=2", "match.row_length=2"))
    private = build_game(TinyDay(rules, "the-nameless", (), "redraw"))
    public = build_game(TinyDay(rules, "the-nameless", (), "seen"))

    def own_events(tree: ExtensiveGame) -> set[str]:
        return {
            str(event[0])
            for key in tree.infoset_keys
            if isinstance(key, tuple)
            for event in key
            if len(event) == 3
        }

    assert own_events(private) == {"PLACE"}
    assert own_events(public) == {"PLACE", "PREPARE"}


def test_uniform_play_pays_the_same_in_the_exported_tree() -> None:
    game = ASYMMETRIC[0]
    tree = game.tree()
    lines = list(efg_lines(tree))
    assert sum(line.startswith("t ") for line in lines) == len(tree.terminals)
    assert sum(line.startswith("c ") for line in lines) == int((tree.node_player == CHANCE).sum())
    assert abs(expected_payoff(tree, uniform_strategy(tree))) < 20
