"""Values as text: what is written reads back, and what is wrong names its option and what there is."""

from __future__ import annotations

import random
from typing import Annotated, Any

import msgspec
import pytest

from analysis.errors import RequestError
from analysis.front.bundles import LARGEST_SEED, RulesFiles, Work
from analysis.front.kinds import Counts, Lineup, Named, Parts, Pick, counts_text, read_counts
from analysis.front.parameters import (
    Bundle,
    Parameter,
    Shape,
    build,
    param,
    parameters,
    read,
    read_struct,
    text_of,
)
from analysis.front.players import Player, struct_text
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


@pytest.mark.parametrize("each", parameters(Asked), ids=lambda each: each.name)
def test_a_thousand_values_of_each_kind_read_back_as_they_were_written(each: Parameter) -> None:
    chance = random.Random(7)
    seen = set()
    for _ in range(1_000):
        value = random_value(each, NAMES, chance)
        text = text_of(value)
        assert read(each, text, NAMES) == value, text
        seen.add(text)
    assert len(seen) > 4 or each.shape is Shape.KIND


@pytest.mark.parametrize("name", QUICK)
def test_a_thousand_values_of_each_games_parameters_read_back(name: str) -> None:
    asked = game(name)
    names = asked.lists(asked.read())
    declarations = [*asked.questions.values(), *([asked.play] if asked.play else [])]
    known = {each.name: each for declaration in declarations for each in declaration.parameters}
    chance = random.Random(8)
    for each in known.values():
        for _ in range(1_000):
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


def test_settings_hold_any_text() -> None:
    for file in ("a,b=c", ' "x" ', "plain.npz", "", "C:\\values"):
        player = Search(file=file, iterations=7)
        assert read_struct(Search | Rule, struct_text(player), "--player") == player
    assert struct_text(Search()) == "search"
    assert struct_text(Search(careful=True)) == "search:careful=true"


def test_a_name_stands_once_in_a_question() -> None:
    class Twice(msgspec.Struct, frozen=True):
        work: Work = Work()
        seed: Annotated[int, param("A seed once more here.")] = 0

    with pytest.raises(TypeError, match="two parameters called 'seed'"):
        parameters(Twice)


def test_a_parameter_without_help_or_of_a_strange_type_is_refused() -> None:
    class Silent(msgspec.Struct, frozen=True):
        number: int = 0

    class Strange(Bundle, frozen=True):
        numbers: Annotated[set[int], param("A set of numbers here.")]

    with pytest.raises(TypeError, match="number: a parameter needs help"):
        parameters(Silent)
    with pytest.raises(TypeError, match="no parameter can be a set"):
        parameters(Strange)


def test_bundles_give_their_parameters_to_the_question() -> None:
    class Bare(msgspec.Struct, frozen=True):
        rules: RulesFiles = RulesFiles()
        work: Work = Work()

    found = {each.name: each for each in parameters(Bare)}
    assert list(found) == ["rules", "set", "seed", "jobs", "scheduler"]
    assert found["rules"].repeatable
    assert found["rules"].path == ("rules", "rules")
    assert (found["jobs"].least, found["jobs"].default) == (0, 1)
    assert not found["scheduler"].required
    assert build(Bare, {"set": "a.b=1"}, {}).rules.set == ("a.b=1",)


@pytest.mark.parametrize("text", ["B B S", "BBS", "b b s", "2 basher, slasher", "2 B, S", "slasher, B, B"])
def test_letters_stand_for_what_is_counted(text: str) -> None:
    names = {
        "cards": [
            Named("basher", "Basher", short="B"),
            Named("slasher", "Slasher", short="S"),
            Named("stopper", "Stopper", short="T"),
        ]
    }
    assert read_counts(Counts("cards"), text, names, "--hand") == {"basher": 2, "slasher": 1}
    with pytest.raises(RequestError, match="card"):
        read_counts(Counts("cards"), "B B Q", names, "--hand")


@pytest.mark.parametrize(("text", "seconds"), [("90", 90.0), ("0.5", 0.5), ("90s", 90.0), ("1h30m", 5400.0)])
def test_seconds_are_read_with_their_units(text: str, seconds: float) -> None:
    class Timed(msgspec.Struct, frozen=True):
        limit: Annotated[float, param("When to stop at last.", ge=0.1, le=10_000, unit="s")]

    assert build(Timed, {"limit": text}, {}).limit == seconds
    with pytest.raises(RequestError, match=r"from 0\.1 to 10") as caught:
        build(Timed, {"limit": "3h"}, {})
    assert caught.value.option == "--limit"


def test_a_lineup_is_a_text_that_the_game_reads() -> None:
    class Sides(msgspec.Struct, frozen=True):
        side: Annotated[str, param("Who stands where now.", kind=Lineup("units", ready="clans"))]

    assert build(Sides, {"side": "Guard@S w2, B"}, NAMES).side == "Guard@S w2, B"
    assert parameters(Sides)[0].shape is Shape.KIND
