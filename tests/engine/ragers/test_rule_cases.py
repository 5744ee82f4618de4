"""The rules of Ragers by id: the cases of `rules.txt`, on reference and kernel at once (`notation.Day`)."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.ragers.reference import CHANCE, IllegalMove, legal_actions, scores
from engine.ragers.rules import TYPES, load_rules
from tests.engine.ragers.notation import Day
from tests.engine.rule_cases import Board, cases


def day(
    hands: str,
    patron: str = "the-nameless",
    cheers: str = "",
    decks: str = "|",
    rules: str = "",
    preparation: bool = False,
) -> Day:
    """A day of which a case names both hands, and more."""
    found = load_rules(overrides=rules.split(" + ") if rules else [])
    (first, second), (own, other) = hands.split("|"), decks.split("|")
    more = {"cheers": cheers.split(), "decks": (own, other), "rules": found, "preparation": preparation}
    return Day(first, second, patron=patron, **more)  # type: ignore[arg-type]


def played(found: Day, text: str) -> Day:
    return found.draw(text.split()[1]) if text.startswith("draw") else found.play(text)


BOARD = Board(
    begin={"day": day},
    play=played,
    look={
        "who": lambda found: "chance" if found.who == (CHANCE,) else found.who,
        "phase": lambda found: found.state.phase,
        "row": lambda found, player: found.row(int(player)),
        "hand": lambda found, player: sum(found.state.players[int(player)].hand),
        "deck": lambda found, player: sum(found.state.players[int(player)].deck),
        "marks": lambda found: [player.mark for player in found.state.players],
        "places": lambda found, player: [
            TYPES[each] for each in legal_actions(found.state, int(player)) if each < 8
        ],
        "scores": lambda found: scores(found.state),
        **{
            name: lambda found, name=name: getattr(found.result, name)
            for name in ("outcome", "combat_gp", "cheers_gp", "taken", "removed")
        },
    },
    refusal=(IllegalMove,),
)


@pytest.mark.parametrize("lines", cases(Path(__file__).with_name("rules.txt")))
def test_rule(lines: list[str]) -> None:
    BOARD.check(lines)
