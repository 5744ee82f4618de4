"""`ragers advise`: the opening from the library, later decisions solved on the spot, and what it refuses."""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from analysis.ragers.answers import library
from analysis.ragers.hands import parse_hand
from analysis.ragers.play import advice
from analysis.ragers.scenarios import scenarios
from analysis.registry import game_named
from engine.ragers.rules import load_rules
from tests.oracles.games import ASYMMETRIC, SYMMETRIC, TinyGame

SCHEMA = game_named("ragers").question("advise").schema()
SURPRISE = 1e-3
GAMES = {game.name: game for game in (*SYMMETRIC, *ASYMMETRIC)}
DAY = ("--patron", "Solennos", "--cheers", "two-bashers")
HAND = "B B S C T"


def ask(run: Any, *words: str, code: int = 0) -> dict[str, Any]:
    """The JSON answer to a question, checked against the schema and for what is true of any advice."""
    result = run("advise", *words, "-q", "--format", "json")
    assert result.exit_code == code, result.output
    report: dict[str, Any] = json.loads(result.stdout)
    jsonschema.Draft202012Validator(SCHEMA).validate(report)
    assert sum(row["mix"] for row in report["actions"]) == pytest.approx(1, abs=1e-4)
    assert min(row["cost_gp"] for row in report["actions"]) == 0
    for row in report["actions"]:
        assert row["ev_gp"] + row["cost_gp"] == pytest.approx(report["best_ev_gp"], abs=1e-9)
    for reading in report["readings"]:
        surprising = [p is not None and p < SURPRISE for p in reading["probability"]]
        assert reading["trembled"] == surprising
    assert report["nash_conv_gp"] == pytest.approx(sum(report["best_response_gp"]), abs=1e-3)
    shown = sum(row["probability"] for row in report["opponent_hands"])
    assert shown + report["opponent_hands_left_out"] == pytest.approx(1, abs=1e-6)
    return report


def game_words(game: TinyGame) -> list[str]:
    words = ["--patron", game.patron, "--cheers", game.cheers[0], "--preparation", game.preparation]
    return words + [word for override in game.overrides for word in ("--set", override)]


def test_the_opening_is_that_of_the_library(run: Any) -> None:
    report = ask(run, *DAY, "--hand", HAND, "--top", "3")
    solved = json.loads(run("solve", *DAY, "--hand", HAND, "--format", "json", "-q").stdout)
    hand = solved["scenarios"][0]["hand"]
    assert {row["action"]: row["mix"] for row in report["actions"]} == hand["mix"]
    assert {row["action"]: row["ev_gp"] for row in report["actions"]} == hand["ev_gp"]
    assert report["reach"] == hand["reach"]
    assert report["from_library"] is True
    assert report["nash_conv_gp"] == solved["scenarios"][0]["nash_conv_gp"]
    assert len(report["opponent_hands"]) == 3
    held = sum(row["held_mean"] for row in report["opponent_types"])
    assert held == pytest.approx(5, abs=1e-6)
    played = [row["plays_now"] for row in report["opponent_types"]]
    assert played == pytest.approx(list(solved["scenarios"][0]["opening_mix"].values())[:8], abs=1e-5)


def test_the_exchange_is_worth_what_its_own_model_says(run: Any) -> None:
    """Against the solver's model of the exchange, which the command does not use."""
    import numpy as np

    from analysis.ragers.answers.solving import tables
    from solver.hidden_hands.decisions.exchange import Exchange
    from solver.hidden_hands.spaces import action_space, build_spaces

    (scenario,) = scenarios(load_rules(), ["Solennos"], ["two-bashers"], "redraw")
    found = library.find(scenario)
    assert found is not None
    strategy = found.strategy()
    assert strategy is not None
    game = tables(scenario)
    spaces = build_spaces(game, action_space(game, ()), 0, 0)
    exchange = Exchange(spaces, game.hand_size, game.copies[0])
    first = int(spaces.level_start[game.hand_size])
    hands = spaces.held[first:].astype(int)
    rows = [strategy.index(hand) for hand in hands.tolist()]
    best = np.nanmax(strategy.opening_ev[0][rows], axis=1).astype(float)
    (state,) = (hands == list(parse_hand(HAND))).all(axis=1).nonzero()[0]
    worth = exchange.values(best)[state]
    report = ask(run, *DAY, "--hand", HAND, "--exchange")
    assert report["decision"] == "exchange"
    names = ["basher", "slasher", "prodder", "chancer", "cheater", "deadeye", "stopper", "veteran", "keep"]
    for row in report["actions"]:
        assert row["ev_gp"] == pytest.approx(worth[names.index(row["action"])], abs=1e-6)
    assert {row["action"] for row in report["actions"]} == {"keep", "basher", "slasher", "chancer", "stopper"}


@pytest.mark.parametrize(
    ("nash_conv_gp", "actions", "holds"),
    [
        (0.1, [("basher", 0.6, 1.0), ("veteran", 0.4, 0.99), ("stopper", 0.0, 0.2)], True),
        (0.9, [("basher", 0.6, 1.0), ("veteran", 0.4, 0.99), ("stopper", 0.0, 0.2)], False),
        (0.5, [("basher", 0.41, 1.0), ("veteran", 0.59, 0.125), ("stopper", 0.0, 0.2)], False),
        (0.5, [("basher", 1.0, 1.0)], True),
    ],
)
def test_no_mix_where_nothing_tells_actions_apart(
    nash_conv_gp: float, actions: list[tuple[str, float, float]], holds: bool
) -> None:
    rows, _, _ = advice.actions_report(actions)
    assert advice.mix_holds(rows, nash_conv_gp) is holds


@pytest.fixture(scope="module")
def compiled() -> None:
    """Compile the solver outside of any time limit."""
    from solver.hidden_hands import warmup

    warmup()


@pytest.mark.kernels
@pytest.mark.usefixtures("compiled")
class TestMidDay:
    """Decisions solved on the spot, with the real solver on tiny days."""

    def test_both_seats_get_the_same_advice(self, run: Any) -> None:
        """Equal decks: what the Accusers are told, the Defenders are told in the same place."""
        words = [*game_words(GAMES["deadeye"]), "--iterations", "80", "--hand", "P D"]
        first = ask(run, *words, "--history", "B/S")
        second = ask(run, *words, "--history", "B/S", "--side", "defenders")
        assert first["step"] == second["step"] == 2
        assert first["readings"][0]["probability"] == pytest.approx(
            second["readings"][0]["probability"], abs=1e-6
        )
        ones, others = (
            {tuple(row["cards"]): row["probability"] for row in each["opponent_hands"]}
            for each in (first, second)
        )
        assert ones == pytest.approx(others, abs=1e-6)
        off = first["nash_conv_gp"] + second["nash_conv_gp"]
        assert off < 0.4
        assert first["best_response_gp"][0] == pytest.approx(second["best_response_gp"][0], abs=off)

    def test_kept_solves_are_used_again(self, run: Any) -> None:
        words = [*game_words(GAMES["uneven-redraw"]), "--history", "B/S", "--hand", "B P"]
        first = ask(run, *words, "--iterations", "30")
        assert first["source"].startswith("solved now (exact, 30 iterations")
        again = ask(run, *words, "--iterations", "30")
        assert again["source"].startswith("kept from an earlier solve (exact, 30 iterations")
        assert again["actions"] == first["actions"]
        fresh = ask(run, *words, "--iterations", "30", "--fresh")
        assert fresh["source"].startswith("solved now")
        assert fresh["actions"] == first["actions"]
        damaged = list((library.own().root).rglob("positions/*.npz"))
        assert damaged
        for file in damaged:
            file.write_bytes(b"no archive")
        assert ask(run, *words, "--iterations", "30")["actions"] == first["actions"]
        # More than what is kept had: the opening and the position are solved anew.
        longer = ask(run, *words, "--iterations", "90")
        assert longer["source"].startswith("solved now (exact, 90 iterations")
        assert longer["nash_conv_gp"] < first["nash_conv_gp"]

    def test_a_later_decision_is_exported_for_all_hands(self, run: Any, tmp_path: Path) -> None:
        """What a table of a decision says of a hand is what that hand is advised."""
        words = [*game_words(GAMES["deadeye"]), "--iterations", "30"]
        assert run("solve", *words, "-q", "--output", str(tmp_path / "day.txt")).exit_code == 0
        file = tmp_path / "rows.csv"
        for history, hidden in (("B/S", ""), ("D+?/S", "prodder")):
            result = run("export", "--to", "strategies", *words, "--history", history, "-o", str(file))
            assert result.exit_code == 0, result.output
            with file.open(encoding="utf-8", newline="") as opened:
                rows = list(csv.DictReader(opened))
            for player in ("accusers", "defenders"):
                own = [row for row in rows if row["player"] == player]
                states = {(row["hand"], row["hidden"]): float(row["reach"]) for row in own}
                assert sum(states.values()) == pytest.approx(1)
            mine = [row for row in rows if row["player"] == "accusers" and row["hidden"] == hidden]
            hand = max(mine, key=lambda row: float(row["reach"]))["hand"]
            told = ask(run, *words, "--history", history.replace("?", "?P"), "--hand", hand)
            for row in told["actions"]:
                [same] = [each for each in mine if (each["hand"], each["action"]) == (hand, row["action"])]
                assert float(same["probability"]) == pytest.approx(row["mix"], abs=1e-6)
                assert float(same["worth_gp"]) == pytest.approx(row["ev_gp"], abs=1e-6)

    def test_a_further_card_and_who_is_asked(self, run: Any) -> None:
        """Own Veteran: the history stops within the step. The opponent's alone: nothing to advise."""
        words = [*game_words(GAMES["veterans"]), "--iterations", "40"]
        report = ask(run, *words, "--history", "V/B", "--hand", "B S")
        assert (report["decision"], report["step"]) == ("further", 1)
        assert {row["action"] for row in report["actions"]} == {"basher", "slasher"}
        assert all(row["plays_now"] is None for row in report["opponent_types"])
        result = run("advise", *words, "--history", "B/V", "--hand", "S V", "-q")
        assert result.exit_code == 2
        assert "opponent alone" in " ".join(result.output.split())
        report = ask(run, *words, "--history", "V+S/B", "--hand", "B V")
        assert (report["decision"], report["step"]) == ("place", 2)

    def test_a_seen_exchange_comes_first(self, run: Any) -> None:
        words = [*game_words(GAMES["uneven-seen"]), "--iterations", "60"]
        report = ask(run, *words, "--hand", "B S")
        assert (report["decision"], report["history"]) == ("exchange", [])
        assert {row["action"] for row in report["actions"]} == {"keep", "basher", "slasher"}
        low, high = -report["best_response_gp"][1], report["best_response_gp"][0]
        assert low - 1e-4 <= GAMES["uneven-seen"].value <= high + 1e-4
        report = ask(run, *words, "--history", "-B/-", "--hand", "B S")
        assert (report["decision"], report["step"]) == ("place", 1)
        assert report["history"] == ["-basher/-"]
        report = ask(run, *words, "--history", "-B/-; B/P", "--hand", "S P")
        assert report["step"] == 2
        assert [reading["step"] for reading in report["readings"]] == [0, 1]

    @pytest.mark.parametrize(
        ("history", "hand", "message"),
        [
            ("B/S; P/P", "S", "the day is over"),
            ("V/S", "B S", "cannot have been placed"),
            ("B/S+B", "B S", "the step is over before B"),
            ("B/?", "B S", "no card is hidden here"),
            ("-B/-", "B S", "only with --preparation seen"),
            ("B/", "B S", "what the opponent placed"),
            ("B/S", "B B B", "there are at most 2"),
        ],
    )
    def test_histories_that_cannot_be(self, history: str, hand: str, message: str, run: Any) -> None:
        words = [*game_words(GAMES["uneven-attacks"]), "--iterations", "5"]
        result = run("advise", *words, "--history", history, "--hand", hand, "-q")
        assert result.exit_code == 2, result.output
        assert message in " ".join(result.output.split())

    def test_a_target_that_is_missed(self, run: Any) -> None:
        words = [*game_words(GAMES["uneven-attacks"]), "--history", "B/S", "--hand", "B P"]
        ask(run, *words, "--target", "0.000001", "--iterations", "3", code=3)
        assert math.isfinite(ask(run, *words, "--iterations", "3")["nash_conv_gp"])


def test_an_opening_leads_on_to_each_pair_of_placements() -> None:
    """All pairs add up to what has a row; a Veteran of the opponent leads on to no step of this table."""
    from analysis.front.page import Heat
    from analysis.ragers.play.histories import parse_history
    from arena_solver import ragers

    advice = ragers.advise(patron="Arianna", cheers="two-bashers", hand="B B S C V")
    (heat,) = [each for each in advice.page().sections if isinstance(each, Heat)]
    total = sum(share or 0.0 for row in heat.cells for share in row)
    assert total == pytest.approx(1.0, abs=1e-4)
    for row in heat.follow:
        for other, follow in zip(heat.columns, row, strict=True):
            assert (follow is None) == (other == "Veteran")
            if follow is not None:
                (step,) = parse_history(str(follow.given["history"]))
                assert step is not None
                assert follow.given["patron"] == "arianna"
