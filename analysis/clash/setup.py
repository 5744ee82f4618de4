"""What is settled before a game of Clash of Rage: clans and tiles, players, and the names that rules have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from analysis.clash.armies import ELVES, NUMERALS
from analysis.front.kinds import Named, Pick
from analysis.front.parameters import Bundle, param
from analysis.front.players import Player
from engine.clash.habits import DEFAULT_HABITS
from engine.clash.rules import ILLUSTRATIVE, Rules
from engine.clash.rules_schema import DIFFICULTIES

_MOST = 10_000_000


class Place(Bundle, frozen=True, kw_only=True):
    """Which clans play, and where."""

    clan: Annotated[
        tuple[str, ...],
        param(
            "Clan that is played. Repeatable, in the order of seats or turns."
            "  [default: chance says, or all take part]",
            kind=Pick("clans"),
        ),
    ] = ()
    tiles: Annotated[
        str,
        param("Tiles of the map: chance (others in every deal), first, or sides such as 2a,5b.", more=True),
    ] = "chance"


class Setup(Place, frozen=True, kw_only=True):
    """Where, and with which clans."""

    long: Annotated[bool, param("Play the long game.")] = False


class SoloSetup(Setup, frozen=True, kw_only=True):
    """Games of one player against the elves: clans in turn, each at every difficulty."""

    difficulties: tuple[str, ...] = DIFFICULTIES


class Advice(Bundle, frozen=True, kw_only=True):
    """How a person plays, and is helped."""

    solo: (
        Annotated[
            Literal["easy", "medium", "difficult", "impossible"],
            param("Play alone against the elves, at this difficulty."),
        ]
        | None
    ) = None
    playouts: Annotated[
        int,
        param("Playouts that a hint, or a judgement, may try.", ge=1, le=_MOST, unit="playouts", more=True),
    ] = 4000
    no_costs: Annotated[bool, param("Do not say afterwards what decisions cost.", more=True)] = False


class Weighted(Player, frozen=True, kw_only=True):
    """Plays by rule of thumb with these weights."""

    city: Annotated[float, param("Worth of a city, and of what follows.", ge=0.0, le=1e6)] = DEFAULT_HABITS[
        "city"
    ]
    forge: Annotated[float, param("Worth of a forge.", ge=0.0, le=1e6)] = DEFAULT_HABITS["forge"]
    stone: Annotated[float, param("Worth of a level of stones.", ge=0.0, le=1e6)] = DEFAULT_HABITS["stone"]
    plain: Annotated[float, param("Worth of a plain territory.", ge=0.0, le=1e6)] = DEFAULT_HABITS["plain"]
    rival: Annotated[float, param("Factor where the enemy is a player, not the elves.", ge=0.0, le=1e6)] = (
        DEFAULT_HABITS["rival"]
    )
    legend: Annotated[float, param("Worth of forging a legend.", ge=0.0, le=1e6)] = DEFAULT_HABITS["legend"]
    loss: Annotated[float, param("Worth of a life point that is expected to be lost.", ge=0.0, le=1e6)] = (
        DEFAULT_HABITS["loss"]
    )
    sure: Annotated[float, param("Least chance of an attack.", ge=0.0, le=1e6)] = DEFAULT_HABITS["sure"]
    gear: Annotated[float, param("Worth of an icon that is bought and has a place.", ge=0.0, le=1e6)] = (
        DEFAULT_HABITS["gear"]
    )
    gold: Annotated[float, param("Worth of a coin's tactic card.", ge=0.0, le=1e6)] = DEFAULT_HABITS["gold"]
    unit: Annotated[float, param("Worth of a level of reinforcements.", ge=0.0, le=1e6)] = DEFAULT_HABITS[
        "unit"
    ]
    early: Annotated[float, param("Worth of the first place in the order of turns.", ge=0.0, le=1e6)] = (
        DEFAULT_HABITS["early"]
    )
    guards: Annotated[float, param("Worth of figures that stay in a city or forge.", ge=0.0, le=1e6)] = (
        DEFAULT_HABITS["guards"]
    )
    walk: Annotated[float, param("Worth of a step nearer to what can be taken.", ge=0.0, le=1e6)] = (
        DEFAULT_HABITS["walk"]
    )


class Search(Weighted, frozen=True, kw_only=True, tag="search"):
    """Tries choices by playouts of players by rule of thumb with these weights."""

    playouts: Annotated[int, param("Playouts for each decision.", ge=1, le=_MOST, unit="playouts")] = 400
    seconds: (
        Annotated[float, param("Time for each decision, instead of playouts.", ge=0.001, le=86_400, unit="s")]
        | None
    ) = None


class Rule(Weighted, frozen=True, kw_only=True, tag="rule"):
    """Takes what gains most by its weights, battles valued exactly."""


class Random(Player, frozen=True, tag="random"):
    """Makes any move; its battles are fought as well as can be all the same."""


SEARCH, RULE = Search(), Rule()
"""The usual players."""


def names(rules: Rules) -> dict[str, list[Named]]:
    """Return the lists that values are chosen from."""
    clans = [Named(clan.id, clan.name) for clan in rules.clans]
    units = [
        Named(unit.id, unit.name, most=unit.max, group=clan.id, also=(level, f"{unit.name}s"))
        for clan in rules.clans
        for unit, level in zip(clan.units, NUMERALS, strict=True)
    ]
    elves = [
        Named(elf.id, elf.name, most=elf.tokens, group=ELVES, also=(f"{elf.name}s",)) for elf in rules.elves
    ]
    cards = [
        Named(card.id, card.name, f"{card.space.capitalize()} for {card.cost} gold.", card.copies)
        for card in rules.equipment
    ]
    legendary = [
        Named(card.id, card.name, f"{card.space.capitalize()}, legendary.") for card in rules.legendary
    ]
    return {
        "clans": clans,
        "sides": [*clans, Named(ELVES, "Elves", also=("elf",))],
        "units": [*units, *elves],
        "equipment": cards,
        "carried cards": [*cards, *legendary],
        "tactic cards": [
            Named(str(card.order), f"{card.order}: {clan.name}, {card.gold} gold, {_figures(card.units)}")
            for clan in rules.clans
            for card in clan.tactics
        ],
    }


def _figures(units: Sequence[int]) -> str:
    """The reinforcements on a tactic card."""
    told = [f"{number} {level}" for number, level in zip(units, NUMERALS, strict=True) if number]
    return " + ".join(told) or "no units"


def rules_of(files: Sequence[Any], overrides: Sequence[str]) -> Rules:
    """Return the rules with changes; RulesError if they are wrong."""
    from engine.clash.rules import load_rules

    return load_rules(files, overrides)


def said(rules: Rules) -> str:
    """Return the sentence that has to go with answers about illustrative values."""
    return ILLUSTRATIVE if rules.illustrative else ""


def copied(
    table: str, values: Mapping[str, Any], tables: Mapping[str, Mapping[str, Any]]
) -> Mapping[str, Any]:
    """Return the values of an entry like another one: tactic cards have orders of their own (T1)."""
    if not table.startswith("tactics."):
        return values
    decks = [each["cards"] for name, each in tables.items() if name.startswith("tactics.")]
    taken = {card[0] for deck in decks for card in deck}
    free = (order for order in range(1, 100) if order not in taken)
    return {**values, "cards": [[next(free), *card[1:]] for card in values["cards"]]}
