"""The rules of Raverun by id: the cases of `rules.txt`, on the reference, and with the kernel beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.raverun.reference import CHANCE, OVER, Phase, chance_outcomes, payoffs, winner
from engine.raverun.reference_view import view
from engine.raverun.rules import load_rules
from tests.engine.raverun.notation import Table
from tests.engine.raverun.plays import BOX
from tests.engine.rule_cases import Board, cases


def table(hands: str, phase: str = "order", rules: str = "", **parts: str) -> Table:
    """A game in its middle, of which a case names what is parted by `|`."""
    found = BOX if not rules else load_rules(overrides=rules.split(" + "))
    lists = {name: text.split("|") for name, text in parts.items()}
    return Table(hands.split("|"), phase=Phase[phase.upper()], rules=found, **lists)  # type: ignore[arg-type]


def drawn(found: Table) -> list[str]:
    outcomes = chance_outcomes(found.state)
    assert {weight for _, weight in outcomes} == {1}
    return [found.rules.card_name(card) for card, _ in outcomes]


BOARD = Board(
    begin={"table": table},
    play=lambda found, text: found.play(text),
    look={
        "who": lambda found: {CHANCE: "chance", OVER: "over"}.get(found.who, found.who),
        "moves": lambda found: len(found.options),
        "chance": drawn,
        "hand": lambda found, player: found.hand(int(player)),
        "stack": lambda found, player: found.stack(int(player)),
        "top": lambda found, player: found.stack(int(player)).split()[-1],
        "battlefield": lambda found, player: found.battlefield(int(player)),
        "chosen": lambda found, player: found.state.players[int(player)].chosen,
        "draws": lambda found: found.state.draws,
        "seen": lambda found, player: view(found.state, int(player)).stacks,
        "payoffs": lambda found: payoffs(found.state),
        "winner": lambda found: winner(found.state),
    },
)


@pytest.mark.usefixtures("tables")
@pytest.mark.parametrize("lines", cases(Path(__file__).with_name("rules.txt")))
def test_rule(lines: list[str]) -> None:
    BOARD.check(lines)
