"""Values that come from lists of the rules, as people write them: picks, counts, and parts of both."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import pytest

from analysis.errors import RequestError
from analysis.front.kinds import (
    Counts,
    Kind,
    Named,
    Parts,
    Pick,
    read_counts,
    read_parts,
    read_pick,
)
from analysis.front.parameters import param

NAMES = {
    "clans": [Named("orcs", "Orcs"), Named("high-elves", "High Elves")],
    "units": [
        Named("axe", "Axe", most=2, group="orcs"),
        Named("war-boar", "War Boar", group="orcs", also=("II",)),
        Named("bow", "Bow", group="high-elves"),
    ],
    "cards": [Named("basher", "Basher", short="B"), Named("slasher", "Slasher", short="S")],
    "levels": [Named("1", "1"), Named("2", "2"), Named("7", "7")],
}


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("axe", {"axe": 1}),
        ("2 axe", {"axe": 2}),
        ("2x axe", {"axe": 2}),
        ("2 × axe", {"axe": 2}),
        ("2axe", {"axe": 2}),
        ("axe x2", {"axe": 2}),
        ("axe 2", {"axe": 2}),
        ("3 War Boar", {"war-boar": 3}),
        ("axe, axe", {"axe": 2}),
        ("axe, 2 war-boar, axe", {"axe": 2, "war-boar": 2}),
        ("axe war-boar", {"axe": 1, "war-boar": 1}),
        ("0 axe, war", {"war-boar": 1}),
        ("II", {"war-boar": 1}),
        ("", {}),
        (" , ", {}),
    ],
)
def test_counts_are_read(text: str, counts: dict[str, int]) -> None:
    assert read_counts(Counts("units"), text, NAMES, "--units") == counts


@pytest.mark.parametrize(
    ("kind", "text", "said"),
    [
        (Counts("units"), "3 axe", "3 of Axe: there are at most 2"),
        (Counts("units"), "axe, 2 axe", "3 of Axe: there are at most 2"),
        (Counts("units", most=2), "2 axe, bow", "3 units: there can be at most 2"),
        (Counts("units", least=2), "axe", "1 units: there have to be at least 2"),
        (Counts("units", least=1), "", "0 units: there have to be at least 1"),
        (Counts("units"), "lance", "lance"),
        (Counts("levels"), "3", "'3' is a number without a level; there are: 1, 2, 7"),
        (Counts("units"), "5", "'5' is a number without a unit; there are: axe, war-boar, bow"),
    ],
)
def test_what_cannot_be_counted_is_refused(kind: Counts, text: str, said: str) -> None:
    with pytest.raises(RequestError) as refused:
        read_counts(kind, text, NAMES, "--units")
    assert said in str(refused.value)
    assert refused.value.option == "--units"


def test_an_entry_of_another_group_is_said_to_be_so() -> None:
    pick = Pick("units", "clan")
    assert read_pick(pick, " War ", NAMES, "--unit", "orcs") == "war-boar"
    with pytest.raises(RequestError, match="Bow belongs to high-elves, not to orcs, which has Axe, War Boar"):
        read_pick(pick, "bow", NAMES, "--unit", "orcs")
    with pytest.raises(RequestError, match="Axe belongs to orcs, not to high-elves, which has Bow"):
        read_pick(pick, "Axe", NAMES, "--unit", "high-elves")
    # Without groups all are there.
    assert read_pick(Pick("units"), "bow", NAMES, "--unit") == "bow"
    with pytest.raises(RequestError, match="lance"):
        read_pick(pick, "lance", NAMES, "--unit", "orcs")


class Army(Parts, frozen=True):
    clan: Annotated[str, param("The clan of it.")]
    units: Annotated[dict[str, int], param("The units of it.")]
    cards: Annotated[dict[str, int], param("The cards of it.")]


class Bag(Parts, frozen=True):
    units: Annotated[dict[str, int], param("The units in it.")]


class Pair(Parts, frozen=True):
    clan: Annotated[str, param("The clan of it.")]
    unit: Annotated[str, param("The unit of it.")]


KINDS: dict[type[Parts], Mapping[str, Kind]] = {
    Army: {"clan": Pick("clans"), "units": Counts("units", of="clan"), "cards": Counts("cards")},
    Bag: {"units": Counts("units")},
    Pair: {"clan": Pick("clans"), "unit": Pick("units", of="clan")},
}


@pytest.mark.parametrize(
    ("struct", "text", "parts"),
    [
        (Army, "orcs: axe, war-boar; BB", Army("orcs", {"axe": 1, "war-boar": 1}, {"basher": 2})),
        (Army, "High Elves: ; S", Army("high-elves", {}, {"slasher": 1})),
        (Army, "high elves", Army("high-elves", {}, {})),
        (Bag, "2 axe, bow", Bag({"axe": 2, "bow": 1})),
        (Pair, "orcs / war boar", Pair("orcs", "war-boar")),
        (Pair, "high/bow", Pair("high-elves", "bow")),
    ],
)
def test_parts_are_read(struct: Any, text: str, parts: Parts) -> None:
    assert read_parts(struct, KINDS[struct], text, NAMES, "--army") == parts


@pytest.mark.parametrize(
    ("struct", "text", "said"),
    [
        (Army, "orcs: axe; B; S", "write CLAN: UNITS; CARDS"),
        (Army, "orcs/axe: B", "write CLAN: UNITS; CARDS"),
        (Army, "orcs axe", "write CLAN: UNITS; CARDS, with a colon"),
        (Army, "orcs: bow", "belongs to high-elves"),
        (Pair, "orcs", "write CLAN/UNIT"),
        (Bag, "axe; bow", "write UNITS"),
    ],
)
def test_parts_that_are_written_otherwise_say_how(struct: Any, text: str, said: str) -> None:
    with pytest.raises(RequestError) as refused:
        read_parts(struct, KINDS[struct], text, NAMES, "--army")
    assert said in str(refused.value)
    assert refused.value.option == "--army"
