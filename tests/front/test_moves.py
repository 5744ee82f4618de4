"""A game with a person in it as plain data: what is said of each step, and games gone on with."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from analysis.errors import RequestError
from analysis.front.moves import Moves


class Counting:
    """A session in which the person adds one, two or three until there are five."""

    seat = 0

    def __init__(self) -> None:
        self.made: list[int] = []

    def advance(self) -> Sequence[str]:
        return [f"Now {sum(self.made)}."] if self.made else []

    def options(self) -> list[str] | None:
        left = 5 - sum(self.made)
        return [f"add {number}" for number in range(1, min(left, 3) + 1)] if left else None

    def named(self, typed: str) -> int | None:
        if typed == "nine":
            raise RequestError("nine is too much")
        return {"one": 0, "two": 1}.get(typed)

    def make(self, number: int) -> None:
        self.made.append(number + 1)

    def undo(self) -> bool:
        return bool(self.made and self.made.pop())

    def board(self) -> Sequence[str]:
        return ["Sum", str(sum(self.made))]

    def task(self) -> str:
        return "Add."

    def hints(self) -> Sequence[str]:
        return ["Two is best."]

    def explain(self, name: str) -> str | None:
        return "The sum of all." if name == "sum" else None

    def ending(self) -> Sequence[str]:
        return ["Five!"]

    def fingerprint(self) -> str:
        return str(self.made)


def test_a_move_says_what_changed_and_the_last_one_how_it_ended() -> None:
    moves = Moves(Counting())
    moves.begun([], [])
    first = moves.done("move", 2)
    assert first == {
        "events": ["Now 3."],
        "options": ["add 1", "add 2"],
        "board": ["Sum", "3"],
        "changed": [False, True],
        "task": "Add.",
        "ending": [],
        "made": 2,
        "record": "",
    }
    last = moves.done("move", 1)
    assert (last["options"], last["task"], last["ending"]) == (None, "", ["Five!"])
    back = moves.done("undo")
    assert (back["undone"], back["board"], back["ending"]) == (True, ["Sum", "3"], [])
    assert moves.done("undo")["undone"] is True
    assert moves.done("undo") == {"undone": False}


def test_a_game_goes_on_where_it_was_left() -> None:
    found = Moves(Counting()).begun([2, 0], ["add 3", "add 1"])
    assert (found["log"], found["events"], found["options"]) == ([[], ["Now 3."]], ["Now 4."], ["add 1"])
    assert "lost" not in found
    ended = Moves(Counting()).begun([2, 1], ["add 3", "add 2"])
    assert (ended["options"], ended["ending"]) == (None, ["Five!"])


@pytest.mark.parametrize(
    ("moves", "words", "board"),
    [
        # A move of other words, one that is not there any more, and one after the end.
        ([2, 0], ["add 3", "add 2"], "3"),
        ([2, 2], ["add 3", "add 3"], "3"),
        ([2, 1, 0], ["add 3", "add 2", "add 1"], "5"),
        ([0], ["jump"], "0"),
    ],
)
def test_what_cannot_be_played_again_ends_the_game_before_it(
    moves: list[int], words: list[str], board: str
) -> None:
    found = Moves(Counting()).begun(moves, words)
    assert found["lost"] is True
    assert found["board"] == ["Sum", board]
    assert len(found["log"]) == len(moves)
