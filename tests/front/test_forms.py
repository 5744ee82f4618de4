"""Forms of a question that has a parameter of every kind: its fields, and what is posted of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, Any, Literal

import msgspec
import pytest

from analysis.front.bundles import RulesFiles, Work
from analysis.front.fields import Field, Form
from analysis.front.forms import carried, form_of, read_form
from analysis.front.kinds import Counts, Holding, Lineup, Mark, Named, Parts, Pick
from analysis.front.parameters import param
from analysis.front.players import Player
from analysis.front.question import Declared

NAMES = {
    "clans": [Named("orcs", "Orcs"), Named("elves", "Elves", "They hide.")],
    "units": [
        Named("axe", "Axe", "It cuts.", most=2, group="orcs"),
        Named("boar", "Boar", group="orcs"),
        Named("bow", "Bow", group="elves"),
    ],
    "ready": [Named("wall", "The Wall", "All in a row.")],
}
MARKS = (Mark("back", "It stands behind.", "@B"), Mark("wounds", "Wounds it has.", "w{}", 1, 9))


class Squad(Parts, frozen=True):
    clan: Annotated[str, param("The clan of it.", kind=Pick("clans"))]
    units: Annotated[
        dict[str, int], param("Units of the clan.", kind=Counts("units", of="clan", least=1, most=4))
    ]


class Band(Parts, frozen=True):
    clan: Annotated[str, param("The clan of it.", kind=Pick("clans"))]
    units: Annotated[dict[str, int], param("Units of the clan.", kind=Counts("units", of="clan", most=4))]


class Search(Player, frozen=True, tag="search"):
    """Tries moves by playouts.

    A setting is how many.
    """

    iterations: Annotated[int, param("Tried at each decision.", ge=1, le=1000)] = 400
    careful: Annotated[bool, param("Whether it takes care.")] = False


class Rule(Player, frozen=True, tag="rule"):
    """Plays by rules of thumb."""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    squad: Annotated[Squad, param("A squad of a clan.")] = Squad("orcs", {"boar": 2})
    other: Annotated[Band, param("Another squad, maybe.")] | None = None
    line: Annotated[
        str, param("Who stands where.", kind=Lineup("units", ready="ready", marks=MARKS, most=3))
    ] = ""
    held: Annotated[str, param("One and what it has.", kind=Holding("units", "clans", most=2))] = ""
    player: Annotated[tuple[Search | Rule, ...], param("Who is to play.")] = ()
    count: Annotated[int, param("How many there are.", ge=1, le=5, unit="things")]
    ratio: Annotated[float, param("How much of it.", ge=0.0, le=1.0)] = 0.5
    quick: Annotated[bool, param("Whether it is quick.")] = False
    mode: Annotated[Literal["fast", "slow"], param("How it is done.", more=True)] = "fast"
    words: Annotated[tuple[str, ...], param("Some words about it.")] = ()
    work: Work = Work()
    rules: RulesFiles = RulesFiles()


ASK: Declared[Any] = Declared(
    name="ask",
    about="Ask.",
    asked=Asked,
    needs=SimpleNamespace(usual=(Search(iterations=7), Rule()), seats=(2, 3)),
)


def inner(fields: list[Field]) -> Iterator[Field]:
    for each in fields:
        yield each
        yield from inner(each.fields)


def every(form: Form) -> dict[str, Field]:
    """Return all fields of a form by name."""
    return {each.name: each for _, fields in form.groups for each in inner(fields)} | {
        each.name: each for each in inner(form.more)
    }


def shown(given: Mapping[str, Any] = {}, **more: Any) -> dict[str, Field]:
    return every(form_of(ASK, NAMES, given, **more))


def test_a_text_that_fields_cannot_say_stays_a_text() -> None:
    fields = shown({"line": "bow w3 and more", "held": "axe: orcs, elves, orcs"})
    assert (fields["line"].widget, fields["line"].value) == ("text", "bow w3 and more")
    assert [each.value for each in fields["line"].choices] == ["wall", "axe", "boar", "bow"]
    assert (fields["held"].widget, fields["held"].value) == ("text", "axe: orcs, elves, orcs")
    assert shown({"held": "axe: orcs, elves"})["held"].widget == "parts"
    # What cannot be read any more is left out.
    assert shown({"count": "nine", "words": ["x"]})["count"].value == ""


def test_what_is_wrong_stands_beside_its_field() -> None:
    errors = {"count": "too many", "squad.units": "no such unit", "": "nothing goes", "player.1": "who?"}
    form = form_of(ASK, NAMES, {}, errors)
    fields = every(form)
    assert {name: each.error for name, each in fields.items() if each.error} == {
        "count": "too many",
        "squad.units": "no such unit",
        "player.1": "who?",
    }
    assert form.errors == ["nothing goes"]
    # What was posted comes back as it was, the last one of several; a flag that was not posted is off.
    back = shown({}, posted={"count": ["8", "9"], "words.1": ["x"], "player.0.search.careful": ["on"]})
    assert (back["count"].value, back["words.1"].value, back["ratio"].value) == ("9", "x", "0.5")
    assert (back["player.0.search.careful"].value, back["quick"].value) == ("true", "false")


def posted(**more: str) -> dict[str, list[str]]:
    """Return what the form posts as it stands, with some fields filled in otherwise: dots are __."""
    found = {
        each.name: [each.value]
        for each in shown().values()
        if each.widget not in ("counts", "parts", "several", "flag")
    }
    return found | {"count": ["3"]} | {name.replace("__", "."): [text] for name, text in more.items()}


@pytest.mark.parametrize(
    ("fields", "given"),
    [
        ({"squad__units__boar": "3"}, {"squad": "orcs: 3 boar"}),
        # Units of another clan do not count.
        ({"squad__clan": "elves", "squad__units__bow": "1"}, {"squad": "elves: bow"}),
        ({"line__ready": "wall", "line__0__name": "axe"}, {"line": "wall"}),
        (
            {"line__0__name": "bow", "line__0__wounds": "3", "line__2__name": "axe", "line__2__back": "true"},
            {"line": "bow w3, axe @B"},
        ),
        ({"line__1__wounds": "3"}, {}),
        ({"held__0": "axe", "held__2": "orcs"}, {"held": "axe: orcs"}),
        ({"held__0": "axe"}, {"held": "axe: "}),
        ({"player__2": "rule"}, {"player": ["search:iterations=7", "rule", "rule"]}),
        ({"player__0__search__careful": "true"}, {"player": ["search:iterations=7,careful=true", "rule"]}),
        ({"quick": "false", "seed": "4"}, {"seed": "4"}),
        ({"words__0": "", "words__1": " x "}, {"words": ["x"]}),
        ({"words__30": "z", "words__4": "y"}, {"words": ["y", "z"]}),
    ],
)
def test_what_is_posted_is_read(fields: dict[str, str], given: dict[str, Any]) -> None:
    assert read_form(ASK, posted(**fields), NAMES) == ({"count": "3"} | given, {})


@pytest.mark.parametrize(
    ("fields", "where", "said"),
    [
        ({"squad__units__boar": "5"}, "squad.units", "at most 4"),
        ({"squad__units__boar": "0"}, "squad.units", "at least 1"),
        ({"squad__units__boar": "1000000"}, "squad.units", "is no number"),
        ({"squad__clan": "dwarves"}, "squad.clan", "dwarves"),
        ({"line__0__name": "bow", "line__0__wounds": "many"}, "line", "'many' is no number"),
        ({"player__0": "nobody"}, "player.0", "there are search, rule"),
        ({"player__0__search__iterations": "0"}, "player.0.search.iterations", "1 to 1,000"),
        ({"count": "6"}, "count", "1 to 5"),
    ],
)
def test_what_is_wrong_is_said_by_field(fields: dict[str, str], where: str, said: str) -> None:
    given, errors = read_form(ASK, posted(**fields), NAMES)
    assert where in errors, errors
    assert said in errors[where]
    assert where not in given


class Placed(msgspec.Struct, frozen=True, kw_only=True):
    where: Annotated[str, param("Where it is to be.", argument=True)]
    more: Annotated[tuple[str, ...], param("More of these there.", argument=True)] = ()
    count: Annotated[int, param("How many there are.", ge=1, le=9)] = 3
    word: Annotated[tuple[str, ...], param("Some words of it.")] = ()
    quick: Annotated[bool, param("Whether it is quick.")] = False
    out: Annotated[Path, param("Where to write it.")] | None = None


def placed(*examples: str, **more: Any) -> Declared[Any]:
    return Declared(name="put it", about="Put it.", asked=Placed, examples=examples, **more)


def test_what_is_given_is_carried_to_another_question() -> None:
    given: dict[str, str | list[str]] = {"count": "4", "words": ["x"], "mode": "slow", "squad": "elves: bow"}
    other = placed()
    assert carried(ASK, other, given) == {"count": "4"}
    # What goes without saying there has to be said here, and the first of several stands for them.
    assert carried(other, ASK, {"quick": "true"}) == {"count": "3", "quick": "true"}
    assert carried(ASK, ASK, given) == given
    assert carried(other, other, {"word": "a", "where": ["b", "c"]}) == {"where": "b", "word": ["a"]}
