"""What the questions of Clash of Rage and Raverun take where nothing is said, and what numbers they allow."""

from __future__ import annotations

from typing import Any

import pytest

from analysis import registry
from analysis.front.parameters import Parameter, Shape, parameters

NUMBERS = {
    "clash": {
        "solve": "injuries - 0..10000, hits - 0..10000, rerolls - 0..10000,"
        " rounds - 1..1000, bracket - 0..200",
        "need": "chance 0.9 0..1, bracket - 0..200",
        "split": "bracket - 0..200",
        "equip": "gold 15 0..10000, share - 0..1000000000",
        "tactic": "playouts 100 1..10000000, seed 0 0..4.611686018427e+18",
        "balance": "points 6 0.01..1000000, battles 40 0..10000000,"
        " seed 0 0..4.611686018427e+18, jobs 1 0..1024",
        "solo": "deals 20 1..10000000, seed 0 0..4.611686018427e+18, jobs 1 0..1024",
        "export": "max_nodes 200000 1..50000000",
    },
    "raverun": {
        "solve": "players 2 2..3, time_limit - 0.001..1000000000, iterations - 0..100000000,"
        " games 2000 2..100000000,"
        " deals 2000 2..100000000, threads - 1..1024, target - 1e-12..2, max_nodes 500000 1..50000000,"
        " seed 0 0..4.611686018427e+18",
        "train": "time_limit - 0.001..1000000000, plays - 1..1000000000000, deals 2000 2..100000000,"
        " response_iterations 100+300 1..100000000, response_deals 100 2..100000000, players 2 2..3,"
        " seed 0 0..4.611686018427e+18",
        "review": "",
    },
}
"""Each number that may be set: what it is if nobody sets it, the least and the largest."""
ARMIES = {
    "solve": ("bohorg: 2 executioner, 1 kragrider", "elves: 3 templar"),
    "need": ("bohorg: 2 executioner, 1 kragrider", "elves: 3 templar"),
    "split": ("bohorg: 4 pummeler, 1 executioner", "elves: 2 elder; elves: 2 guard"),
    "equip": ("bohorg: 2 pummeler, 1 executioner", "elves: 3 templar"),
    "export": ("bohorg: 2 executioner, 1 kragrider", "elves: 3 templar"),
}
"""Who fights whom in a question about battles that names nobody."""
ADVICE = {"clash": "playouts 4000 1..10000000", "raverun": ""}
PLAYERS = {
    "clash": {"search": "playouts 400 1..10000000, seconds - 0.001..86400", "rule": "", "random": ""},
    "raverun": {
        "guided": "iterations 1000 1..10000000, seconds - 0.001..86400",
        "search": "iterations 1000 1..10000000, seconds - 0.001..86400",
        "values": "",
        "greedy": "",
        "random": "",
    },
}


def written(each: Parameter) -> str:
    """A number that may be set, in a few words."""
    usual = each.default
    if isinstance(usual, tuple):
        usual = "+".join(f"{part:g}" for part in usual) or None
    said = "-" if usual is None else usual if isinstance(usual, str) else f"{round(usual, 9):.9g}"
    return f"{each.name} {said} {each.least:.13g}..{each.largest:.13g}"


def numbers_of(struct: Any, left_out: tuple[str, ...] = ()) -> str:
    """The numbers of some settings."""
    known = [each for each in parameters(struct) if each.shape in (Shape.WHOLE, Shape.NUMBER)]
    return ", ".join(written(each) for each in known if each.name not in left_out)


@pytest.mark.parametrize(
    ("game", "verb"), [(game, verb) for game, verbs in NUMBERS.items() for verb in verbs]
)
def test_the_numbers_of_a_question(game: str, verb: str) -> None:
    question = registry.game_named(game).question(verb)
    assert numbers_of(question.asked) == NUMBERS[game][verb]


@pytest.mark.parametrize("verb", ARMIES)
def test_the_armies_of_a_question(verb: str) -> None:
    asked = {each.name: each for each in parameters(registry.game_named("clash").question(verb).asked)}
    for name, expected in zip(("attacker", "defender"), ARMIES[verb], strict=True):
        usual: Any = asked[name].default
        forces = usual if isinstance(usual, tuple) else (usual,)
        said = [
            f"{force.clan}: " + ", ".join(f"{count} {unit}" for unit, count in force.units.items())
            for force in forces
        ]
        assert "; ".join(said) == expected


def test_what_is_for_sale() -> None:
    asked: Any = registry.game_named("clash").question("equip").build()
    assert asked.market == {"axe": 2, "crossbow": 1, "plate-armor": 1}


@pytest.mark.parametrize("game", ADVICE)
def test_the_numbers_of_a_game_that_is_played(game: str) -> None:
    from analysis.clash.setup import Weighted
    from analysis.front.players import players_of

    declared = registry.game_named(game)
    assert numbers_of(declared.advice) == ADVICE[game]
    weights = tuple(each.name for each in parameters(Weighted))
    found = {name: numbers_of(each, weights) for name, each in players_of(declared.player).items()}
    assert found == PLAYERS[game]


def test_how_many_can_play() -> None:
    assert registry.game_named("clash").seats == (2, 3, 4)
    assert registry.game_named("raverun").seats == (2, 3)
