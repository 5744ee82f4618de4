"""`raverun play`: what is typed, seats, games left and gone on with."""

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


def test_what_is_typed_at_the_table() -> None:
    typed = "9Z\n?\nhint\ntable\nchoose\nhelp 4b\nhelp bury\nhelp 9\nu\n1\nu\n1\nq\n"
    output = run("play", *SMALL, "--opponent", "random", typed=typed).stdout
    assert re.search(r"^  1\) choose", output, flags=re.MULTILINE)
    assert not re.search(r"^  0\)", output, flags=re.MULTILINE)
    assert "'9Z' is none of these moves" in output
    assert "'choose' may be 3 of these moves" in output
    assert "what your moves are worth, by a search" in output
    assert output.count("your hand:") == 5
    assert "4B: deploy. You may move a card from any battlefield" in output
    assert "nothing is called '9' here" in output
    assert output.count("  taken back") == output.count("there is nothing to take back") == 1
    # What was taken back and done again goes on in the same way.
    first, again = output.split("  taken back")
    assert (
        first[first.index("You: choose") :].split("\nyour move")[0]
        == again[again.index("You: choose") :].split("\nyour move")[0]
    )
    assert "Stopped; the game is not over." in run("play", *SMALL, typed="").stdout
    three = ("--players", "3", "--opponent", "greedy", "--opponent", "random", "--seat", "3")
    assert "Payoffs:" in run("play", *SMALL, *three, typed="1\n" * 200).stdout
    assert "seats are 1 to 2" in run("play", "--seat", "3", exit_code=2).stderr
    three = (*three[:2], *(each for n in range(3) for each in ("--opponent", "random")))
    assert "2 others play, not 3" in run("play", *three, exit_code=2).stderr
