"""Six doors: what a designer comes with, and the questions behind it. Command line and app group by them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

__all__ = ["BY_PLAY", "DOORS", "TOOLS", "by_door", "door_of"]

TOOLS = "Tools"
BY_PLAY = "How is it played right?"
DOORS: dict[str, tuple[str, ...]] = {
    "Is it balanced?": ("checkup", "balance", "tune"),
    BY_PLAY: ("solve", "advise", "attack", "duel", "worth", "tactic"),
    "Who wins?": ("match",),
    "Play it": ("play", "review"),
    "What is in it?": ("rules show", "rules new", "rules check"),
}
"""What is asked, and the verbs that answer it; "What if …?" is an option of each of them."""


def door_of(declared: Any) -> str:
    """Return the door that a question is behind: its own, or that of its verb."""
    verbs = (door for door, verbs in DOORS.items() if declared.name in verbs)
    return declared.door or next(verbs, TOOLS)


def by_door(declared: Iterable[tuple[str, Any]]) -> list[tuple[str, list[tuple[str, Any]]]]:
    """Return questions by door, each door's in the order of its verbs; doors without any are left out."""
    found: dict[str, list[tuple[str, Any]]] = {door: [] for door in (*DOORS, TOOLS)}
    for name, each in declared:
        found.setdefault(door_of(each), []).append((name, each))
    order = [verb for verbs in DOORS.values() for verb in verbs]
    for several in found.values():
        several.sort(key=lambda each: order.index(each[0]) if each[0] in order else len(order))
    return [(door, several) for door, several in found.items() if several]
