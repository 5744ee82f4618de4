"""`raverun play`: games by script end as the table says."""

from __future__ import annotations

import re

import pytest

from engine.raverun.rules import load_rules
from tests.cli.running import runner

pytestmark = pytest.mark.kernels

SMALL = ("--set", "match.characters=4", "--set", "match.hand_size=3")


run = runner("raverun")


@pytest.mark.parametrize("opponent", ["search:iterations=20", "greedy", "random"])
@pytest.mark.parametrize("seat", [0, 1])
def test_games_by_script_end_with_the_score_of_the_table(opponent: str, seat: int) -> None:
    words = ("--opponent", opponent, "--seat", str(seat + 1), "--seed", "5")
    output = run("play", *SMALL, *words, typed="1\n" * 100).stdout
    assert output == run("play", *SMALL, *words, typed="1\n" * 100).stdout
    names = [load_rules().card_name(card) for card in range(24)]
    rows = re.findall(r"^(?:you|Ada|Ben) *  stack, top last: (.*?)   battlefield", output, flags=re.MULTILINE)
    stacks = rows[-2:]
    tops = [names.index(stack.split()[-1]) if stack != "-" else -1 for stack in stacks]
    won = tops[seat] > tops[1 - seat]
    assert ("You win." if won else "You lose.") in output
    expected = ["+1" if tops[player] > tops[1 - player] else "-1" for player in (0, 1)]
    assert output.splitlines()[-1] == "Payoffs: " + " ".join(expected)
