"""Values as text: what is written reads back, and what is wrong names its option and what there is."""

from __future__ import annotations

import random
from typing import Annotated, Any

import msgspec
import pytest

from analysis.errors import RequestError
from analysis.front.bundles import LARGEST_SEED, RulesFiles, Work
from analysis.front.kinds import Counts, Named, Parts, Pick, counts_text, read_counts
from analysis.front.parameters import (
    build,
    param,
    parameters,
    read,
    text_of,
)
from analysis.front.players import Player
from tests.front.games import QUICK, game, random_value

NAMES = {
    "clans": [Named("bohorg", "Bohorg"), Named("the-elves", "The Elves")],
    "units": [
        Named("executioner", "Executioner", most=4, group="bohorg", also=("III", "executioners")),
        Named("kragrider", "Kragrider", group="bohorg"),
        Named("guard", "Guard", group="the-elves"),
        Named("2", "Two", group="the-elves"),
        Named("b", "Basher", group="the-elves"),
    ],
    "items": [Named("axe", "Axe"), Named("plate-armour", "Plate armour")],
}


class Army(Parts, frozen=True):
    clan: Annotated[str, param("The clan of an army.", kind=Pick("clans"))]
    units: Annotated[dict[str, int], param("Units of the clan.", kind=Counts("units", of="clan", most=9))]
    items: Annotated[dict[str, int], param("Equipment of the army.", kind=Counts("items"))] = msgspec.field(
        default_factory=dict
    )


class Search(Player, frozen=True, tag="search"):
    """Tries moves by playouts."""

    iterations: Annotated[int, param("Tried at each decision.", ge=1, le=10**6)] = 400
    seconds: Annotated[float, param("Time for each decision.", ge=0.0)] | None = None
    file: Annotated[str, param("File of learned values.")] = ""
    careful: Annotated[bool, param("Whether it takes care.")] = False


class Rule(Player, frozen=True, tag="rule"):
    """Plays by rules of thumb."""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    army: Annotated[Army, param("An army in this notation.")] = Army("bohorg", {"kragrider": 1})
    clan: Annotated[str, param("A clan that may be named.", kind=Pick("clans"))] | None = None
    player: Annotated[tuple[Search | Rule, ...], param("Who is to play here.")] = ()
    count: Annotated[int, param("How many there are.", ge=1, le=5)] | None = None
    chance: Annotated[float, param("How likely it is.", ge=0.0, le=1.0)] = 0.5
    work: Work = Work()


def test_values_of_each_kind_and_of_each_games_parameters_read_back_as_they_were_written() -> None:
    chance = random.Random(7)
    places = [(each, NAMES) for each in parameters(Asked)]
    for name in QUICK:
        asked = game(name)
        names = asked.lists(asked.read())
        declarations = [*asked.questions.values(), *([asked.play] if asked.play else [])]
        known = {each.name: each for declaration in declarations for each in declaration.parameters}
        places += [(each, names) for each in known.values()]
    for each, names in places:
        for _ in range(100):
            value = random_value(each, names, chance)
            text = text_of(value)
            assert read(each, text, names) == value, (each.option, text)
            assert text_of(read(each, text, names)) == text


@pytest.mark.parametrize(
    ("text", "army"),
    [
        ("bohorg: 2 Executioner, 1 Kragrider", Army("bohorg", {"executioner": 2, "kragrider": 1})),
        (
            "Boh: executioner 2; axe, 2 x plate",
            Army("bohorg", {"executioner": 2}, {"axe": 1, "plate-armour": 2}),
        ),
        ("bohorg: 2III", Army("bohorg", {"executioner": 2})),
        ("bohorg: 3x executioners", Army("bohorg", {"executioner": 3})),
        ("elves: 2 b", Army("the-elves", {"b": 2})),
        ("elves: 2, b", Army("the-elves", {"2": 1, "b": 1})),
        ("elves: B B 2", Army("the-elves", {"b": 2, "2": 1})),
        ("elves:; axe", Army("the-elves", {}, {"axe": 1})),
        ("bohorg", Army("bohorg", {})),
    ],
)
def test_parts_are_read_as_people_write_them(text: str, army: Army) -> None:
    assert build(Asked, {"army": text}, NAMES).army == army


@pytest.mark.parametrize(
    ("given", "option", "words"),
    [
        ({"army": "bohorg: 5 Executioner"}, "--army", "at most 4"),
        ({"army": "bohorg: 10 Kragrider"}, "--army", "at most 9"),
        ({"army": "bohorg: 1 Guard"}, "--army", "Guard belongs to the-elves, not to bohorg"),
        ({"army": "bohorg: 1 Gard"}, "--army", "no unit is called 'Gard'"),
        ({"army": "bohorg 2 Executioner"}, "--army", "write CLAN: UNITS; ITEMS, with a colon"),
        ({"army": "bohorg/elves: axe"}, "--army", "write CLAN: UNITS; ITEMS"),
        ({"clan": "bohrg"}, "--clan", "bohorg"),
        ({"player": ["rule:x=1"]}, "--player", "rule has no settings"),
        ({"player": ["serch"]}, "--player", "did you mean search"),
        ({"player": "search:iterations"}, "--player", "write iterations=VALUE"),
        ({"player": ["search:iterations=0"]}, "--player", "from 1 to 1,000,000"),
        ({"count": 6}, "--count", "from 1 to 5"),
        ({"count": "\ud800"}, "--count", "from 1 to 5"),
        ({"seed": LARGEST_SEED + 1}, "--seed", "from 0 to"),
        ({"seeds": 1}, None, "'seeds' is no parameter"),
    ],
)
def test_what_is_wrong_names_the_option_and_what_there_is(
    given: dict[str, Any], option: str | None, words: str
) -> None:
    with pytest.raises(RequestError) as caught:
        build(Asked, given, NAMES)
    assert caught.value.option == option
    assert words in str(caught.value)


def test_values_that_are_no_text_are_taken_as_they_are_and_checked() -> None:
    army = Army("bohorg", {"executioner": 2})
    asked = build(Asked, {"army": army, "player": [Rule(), "search:seconds=1.5"], "count": None}, NAMES)
    assert asked == Asked(army=army, player=(Rule(), Search(seconds=1.5)))
    assert build(Asked, {"seed": 3, "jobs": "2"}, NAMES).work == Work(seed=3, jobs=2)
    assert [build(Asked, {"chance": text}, NAMES).chance for text in (".75", "+1", "0.5")] == [0.75, 1.0, 0.5]
    with pytest.raises(RequestError, match="at most 2"):
        read_counts(Counts("items", most=2), counts_text({"axe": 3}), NAMES, "--items")


@pytest.mark.parametrize(
    ("name", "change"), [("ophidian", "gladiators.tempest.points=1"), ("warage", "match.min_deck=60")]
)
def test_what_is_usual_and_gone_from_changed_rules_is_named_with_what_there_is(
    name: str, change: str
) -> None:
    asked = game(name)
    rules = asked.rules_of(RulesFiles(set=(change,)))
    left = [each.id for each in asked.lists(rules)["decks"]]
    with pytest.raises(RequestError, match="no deck is called") as error:
        asked.question("match").build(set=(change,))
    assert all(each in str(error.value) for each in left)
    if left:
        sides = {"deck": left[0], "against": left[-1]}
        assert asked.question("match").build(set=(change,), **sides).setup.deck == left[0]
