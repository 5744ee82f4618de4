"""Six doors: what a designer comes with, and the questions behind it. Command line and app group by them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

__all__ = [
    "ABOUT",
    "BALANCE",
    "BY_PLAY",
    "DOORS",
    "INSIDE",
    "PLAY",
    "TOOLS",
    "WHAT_IF",
    "asks",
    "by_door",
    "door_of",
]

INSIDE, BALANCE, BY_PLAY = "What is in it?", "Is it balanced?", "How is it played right?"
WHAT_IF, WINS, PLAY, TOOLS = "What if…?", "Who wins?", "Play it", "Tools"
DOORS: dict[str, tuple[str, ...]] = {
    INSIDE: ("rules show", "rules new", "rules check"),
    BALANCE: ("checkup", "balance", "tune"),
    BY_PLAY: ("solve", "advise", "attack", "duel", "worth", "tactic"),
    WHAT_IF: (),
    WINS: ("match",),
    PLAY: ("play", "review"),
}
"""What is asked, and the verbs that answer it; "What if …?" is an option of each of them."""
ABOUT = {
    INSIDE: "Every value, with where it comes from. Change it where it stands, or make one of your own.",
    BALANCE: "Seats, skill, luck, length, and each entry: what stands out, and what to try.",
    BY_PLAY: "The best play of a position, what other moves cost, and how sure that is.",
    WHAT_IF: "Two sets of rules beside each other: what changes, by how much, and what is certain of it.",
    WINS: "Players, decks or seats against each other, over as many games as you like.",
    PLAY: "Against the machine, with hints, and with what happened at the end.",
    TOOLS: "Files for other programs, stored answers, learned players.",
}
"""A sentence for each door."""
_ASKS = {
    "checkup": "Is the game balanced?",
    "balance": "Is one of them too strong?",
    "tune": "What would be better?",
    "solve": "What is the best play?",
    "advise": "What do I do now?",
    "attack": "Which attack is best?",
    "duel": "Who wins one against one?",
    "worth": "What is it worth?",
    "tactic": "Which card now?",
    "match": "Who wins?",
    "play": "Play it",
    "review": "What went wrong in a game?",
    "export": "A file for other programs",
    "train": "Let it learn",
    "warmup": "Make what-ifs quick",
    "library list": "What is stored",
    "library build": "Store answers",
    "library prune": "Make room",
    "rules show": "All values",
    "rules new": "Begin one of your own",
    "rules check": "Check rules",
}
"""What a verb asks, in the words of who does not know verbs."""


def asks(declared: Any) -> str:
    """Return what a question asks, in a designer's words: its own, or those of its verb."""
    return declared.asks or _ASKS.get(declared.name) or str(declared.name).capitalize()


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
