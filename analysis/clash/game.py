"""Clash of Rage, declared: clans and tiles, players, and where a match and a person's game are made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import msgspec

from analysis.front.game import Game
from analysis.front.kinds import Named, Pick
from analysis.front.parameters import Bundle, param
from analysis.front.players import Player
from engine.clash.habits import DEFAULT_HABITS
from engine.clash.rules import ILLUSTRATIVE, Rules

_MOST = 10_000_000
WEIGHTS = {
    "city": "Worth of a city, and of what follows.",
    "forge": "Worth of a forge.",
    "stone": "Worth of a level of stones.",
    "plain": "Worth of a plain territory.",
    "rival": "Factor where the enemy is a player, not the elves.",
    "legend": "Worth of forging a legend.",
    "loss": "Worth of a life point that is expected to be lost.",
    "sure": "Least chance of an attack.",
    "gear": "Worth of an icon that is bought and has a place.",
    "gold": "Worth of a coin's tactic card.",
    "unit": "Worth of a level of reinforcements.",
    "early": "Worth of the first place in the order of turns.",
    "guards": "Worth of figures that stay in a city or forge.",
    "walk": "Worth of a step nearer to what can be taken.",
}
"""What each weight of the rule player is."""
assert set(WEIGHTS) == set(DEFAULT_HABITS)
_FIELDS = [
    (name, Annotated[float, param(about, ge=0.0, le=1e6)], DEFAULT_HABITS[name])
    for name, about in WEIGHTS.items()
]
_EFFORT = [
    ("playouts", Annotated[int, param("Playouts for each decision.", ge=1, le=_MOST, unit="playouts")], 400),
    (
        "seconds",
        Annotated[float, param("Time for each decision, instead of playouts.", ge=0.001, le=86_400, unit="s")]
        | None,
        None,
    ),
]


class Setup(Bundle, frozen=True, kw_only=True):
    """Where, and with which clans."""

    clan: Annotated[
        tuple[str, ...],
        param(
            "Clans in the order of seats; repeatable.  [default: others in every deal]", kind=Pick("clans")
        ),
    ] = ()
    tiles: Annotated[
        str, param("Tiles of the map: chance (others in every deal), first, or sides such as 2a,5b.")
    ] = "chance"
    long: Annotated[bool, param("Play the long game.")] = False


class Advice(Bundle, frozen=True, kw_only=True):
    """How a person is helped."""

    playouts: Annotated[
        int,
        param("Playouts that a hint, or a judgement, may try.", ge=1, le=_MOST, unit="playouts", more=True),
    ] = 4000
    no_costs: Annotated[bool, param("Do not say afterwards what decisions cost.", more=True)] = False


Search = msgspec.defstruct(
    "Search",
    [*_EFFORT, *_FIELDS],
    bases=(Player,),
    namespace={"__doc__": "Tries choices by playouts of players by rule of thumb with these weights."},
    module=__name__,
    frozen=True,
    tag="search",
)
Rule = msgspec.defstruct(
    "Rule",
    _FIELDS,
    bases=(Player,),
    namespace={"__doc__": "Takes what gains most by its weights, battles valued exactly."},
    module=__name__,
    frozen=True,
    tag="rule",
)


class Random(Player, frozen=True, tag="random"):
    """Makes any move; its battles are fought as well as can be all the same."""


def _usual(struct: Any) -> Player:
    made: Player = struct()
    return made


def names(rules: Rules) -> dict[str, list[Named]]:
    """Return the lists that values are chosen from."""
    return {"clans": [Named(clan.id, clan.name) for clan in rules.clans]}


def rules_of(files: Sequence[Any], overrides: Sequence[str]) -> Rules:
    """Return the rules with changes; RulesError if they are wrong."""
    from engine.clash.rules import load_rules

    return load_rules(files, overrides)


def said(rules: Rules) -> str:
    """Return the sentence that has to go with answers about illustrative values."""
    return ILLUSTRATIVE if rules.illustrative else ""


GAME = Game(
    name="clash",
    title="Clash of Rage",
    seats=(2, 3, 4),
    place="analysis.clash.game:GAME",
    load="analysis.clash.game:rules_of",
    rules_example="clans.bohorg.units.executioner.power=7",
    setup=Setup,
    advice=Advice,
    player=Search | Rule | Random,
    usual=(_usual(Search), _usual(Rule)),
    names=names,
    contest="analysis.clash.contest:Games",
    session="analysis.clash.session:begin",
    said=said,
    board_changes=True,
    tallies={"clan": "its player"},
    moves_help="  card ORDER  a tactic card by the number on it\n",
    length="rounds",
    examples={
        "match": (
            "match --player rule --player random --deals 2",
            "match --player search:playouts=2 --player rule --player random --deals 1",
            "match --player rule --clan bohorg --clan tomb --deals 2",
            "match --player rule --player random --deals 1 --vary clans.bohorg.units.executioner.power=5:6",
        ),
        "play": ("play --opponent rule --seed 7", "play --seat 2 --clan bohorg --clan tomb"),
    },
)
