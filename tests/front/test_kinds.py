"""Values that come from lists of the rules, as people write them: picks, counts, and parts of both."""

from __future__ import annotations

import pytest

from analysis.errors import RequestError
from analysis.front.kinds import (
    Counts,
    Named,
    Pick,
    read_counts,
    read_pick,
)

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
