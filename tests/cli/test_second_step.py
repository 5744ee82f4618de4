"""Decisions of the second step are read from the entry of the day, by all who ask about them."""

from __future__ import annotations

import csv
import io
import json
import random
import subprocess
import sys
from typing import Any

import pytest

from analysis.ragers.answers import library
from analysis.ragers.answers.solving import Effort
from analysis.ragers.hands import LETTER_OF
from analysis.ragers.play.equilibrium import DaySolver, StoredDays
from analysis.ragers.play.views import View
from engine.ragers.reference import (
    CHANCE,
    NOTHING,
    Phase,
    chance_outcomes,
    deciders,
    is_over,
    legal_actions,
    start_day,
    step,
)
from engine.ragers.rules import TYPES
from tests.analysis.test_second_step import GAMES, solved
from tests.cli.test_advise import ask, game_words

pytestmark = pytest.mark.kernels

NAME = "redraw-specials"
LONG = ("--iterations", "40")


@pytest.fixture(autouse=True)
def kept(own_library: Any) -> None:
    keep()


def keep() -> None:
    scenario, answer, strategy = solved(NAME)
    library.own().store(scenario, answer, strategy)


def histories() -> list[str]:
    """The likeliest decisions of each kind, as a player writes them."""
    strategy = solved(NAME)[2]
    assert strategy.second is not None

    def word(card: int, own: bool) -> str:
        if card < 0:
            return "-" if card == -1 else "?" + "S" * own
        return LETTER_OF[TYPES[card]]

    return [
        "/".join("+".join(word(card, own=n == 0) for card in side) for n, side in enumerate(each.shown))
        for each in strategy.second.decisions
        if each.acts[0] and -2 not in each.shown[0]
    ]


def test_what_is_stored_is_what_a_solve_finds(run: Any) -> None:
    """As far as both are exact."""
    for history in random.Random(1).sample(histories(), 2):
        words = [*game_words(GAMES[NAME]), "--history", history]
        found = ask(run, *words, *LONG)
        assert found["from_library"]
        hand = " ".join(found["hand"])
        again = ask(run, *words, "--hand", hand, "--fresh", "--iterations", "60")
        keep()  # So many iterations have solved the opening again, too.
        assert not again["from_library"]
        assert found["step"] == again["step"]
        assert found["decision"] == again["decision"]
        means = [[row["held_mean"] for row in each["opponent_types"]] for each in (found, again)]
        assert means[0] == pytest.approx(means[1], abs=1e-2)
        exact = found["nash_conv_gp"] + again["nash_conv_gp"]
        assert found["best_ev_gp"] == pytest.approx(again["best_ev_gp"], abs=exact + 0.02)


def test_whoever_wants_it_solved_has_it_solved(run: Any) -> None:
    words = [*game_words(GAMES[NAME]), "--history", histories()[0]]
    assert ask(run, *words, "--iterations", "40")["from_library"]
    assert not ask(run, *words, "--iterations", "41")["from_library"]
    assert not ask(run, *words, "--iterations", "4", "--beliefs", "uniform")["from_library"]


def test_later_decisions_begin_with_the_ranges_of_the_second_step(run: Any) -> None:
    first = next(each for each in histories() if "+" not in each and "D" not in each and "V" not in each)
    found = ask(run, *game_words(GAMES[NAME]), "--history", first, *LONG)
    played = [row for row in found["opponent_types"] if row["plays_now"]]
    card = max(played, key=lambda row: row["plays_now"])["type"]
    mine = max(found["range_mix"], key=lambda name: found["range_mix"][name])
    result = run(
        "advise",
        *game_words(GAMES[NAME]),
        "--history",
        f"{first}; {mine}/{card}",
        *LONG,
        "-q",
        "--format",
        "json",
    )
    if result.exit_code == 0:
        readings = json.loads(result.stdout)["readings"]
        assert readings[1]["strategy"].startswith("second step: ")


def test_a_table_has_all_hands_of_it(run: Any) -> None:
    result = run(
        "export", "--to", "strategies", *game_words(GAMES[NAME]), "--history", histories()[0], "-o", "-"
    )
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert rows
    for player in {row["player"] for row in rows}:
        mine = [row for row in rows if row["player"] == player]
        hands = {(row["hand"], row["hidden"]): float(row["reach"]) for row in mine}
        assert sum(hands.values()) == pytest.approx(1)


def test_who_plays_or_reviews_looks_it_up() -> None:
    scenario = solved(NAME)[0]
    rules, luck, days = scenario.rules, random.Random(4), StoredDays()
    solver, known = DaySolver(Effort(iterations=4)), 0
    for _ in range(30):
        state = start_day(rules, scenario.patron.id, [scenario.cheers.id], preparation=True)
        past: list[Any] = []
        while not is_over(state) and len(past) < 3:
            who = deciders(state)
            if who == (CHANCE,):
                outcomes = chance_outcomes(state)
                state = step(state, luck.choices([o for o, _ in outcomes], [w for _, w in outcomes])[0])
                continue
            for player in who:
                found = days.solve(View(state, player, past=tuple(past)))
                if found is not None:
                    known += 1
                    assert sum(found.mix) == pytest.approx(1)
                    # An action that cannot be taken is worth no number.
                    assert repr(found) == repr(solver.solve(View(state, player, past=tuple(past))))
            move = [NOTHING, NOTHING]
            for player in who:
                legal = legal_actions(state, player)
                move[player] = NOTHING if state.phase == Phase.PREPARE else luck.choice(legal)
            past.append((state, (move[0], move[1])))
            state = step(state, (move[0], move[1]))
    assert known > 5


def test_no_compiler_is_loaded_for_it() -> None:
    words = ["advise", *game_words(GAMES[NAME]), "--history", histories()[0], *LONG, "-q"]
    code = (
        "import sys; from cli.programs import program_of\n"
        f"try: program_of('ragers')({words!r})\n"
        "except SystemExit: pass\n"
        "print(sorted({'numba', 'scipy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
    assert "The answer of" not in done.stderr


def test_solve_answers_for_it_as_advise_does(run: Any) -> None:
    words = [*game_words(GAMES[NAME]), "--history", histories()[0], *LONG]
    one = ask(run, *words)
    other = json.loads(run("solve", *words, "-q", "--format", "json").stdout)
    assert one["actions"] == other["actions"]
    assert run("solve", *words, "--habit", "chancer=0").exit_code == 2
