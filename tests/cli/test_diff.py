"""`ragers diff`: what is called an effect, and what is not."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from analysis.front.question import Running
from analysis.front.render.html import html_text
from analysis.progress import Silent
from analysis.ragers.answers.answered import Answered
from analysis.ragers.answers.asking import Question, answer_all
from analysis.ragers.answers.brackets import Openings
from analysis.ragers.answers.solving import Effort
from analysis.ragers.questions.diff import page
from analysis.ragers.scenarios import scenarios
from analysis.ragers.workbench.comparing import compare, diff_report
from analysis.registry import game_named
from engine.ragers.rules import TYPES, load_rules

RULES = ("--rules", str(Path(__file__).with_name("small.toml")))
SMALL = ("--patron", "arianna", "--cheers", "two-bashers", "--iterations", "4", "-q", *RULES)
UNEVEN = "cards.veteran.copies.defenders=1"


def answered(*overrides: str) -> Answered:
    """Return the stand-in's answer to a small day."""
    rules = load_rules(overrides=("match.row_length=2", "match.hand_size=2", *overrides))
    todo = scenarios(rules, ["arianna"], ["two-bashers"], "redraw")
    (found,), code = answer_all(todo, Question(0, None, Effort(iterations=10), False, True), Silent())
    assert code == 0
    return found


def with_value(found: Answered, low: float, high: float) -> Answered:
    """Return an answer whose best responses bound the value by `low` and `high`."""
    answer = msgspec.structs.replace(
        found.answer, value_gp=(low + high) / 2, best_response_gp=(high, -low), nash_conv_gp=high - low
    )
    return Answered(found.scenario, answer, found.strategy, False, "here")


def with_room(found: Answered, room_gp: float) -> Answered:
    """Return an answer whose openings leave so much room above the value, zero, of a symmetric day."""
    assert found.strategy is not None
    best = Openings(found.strategy, found.scenario.day, "redraw", 0).best_response_gp()
    strategy = replace(found.strategy, opening_ev=found.strategy.opening_ev - best + room_gp)
    answer = msgspec.structs.replace(
        found.answer, best_response_gp=(room_gp, room_gp), nash_conv_gp=2 * room_gp
    )
    return Answered(found.scenario, answer, strategy, False, "here")


@pytest.mark.parametrize(
    ("left", "right", "effect"),
    [((0.0, 0.1), (0.2, 0.3), True), ((0.0, 0.1), (0.05, 0.3), False), ((0.2, 0.3), (0.0, 0.1), True)],
)
def test_effect_only_where_the_bounds_do_not_meet(
    fake_solver: Any, left: tuple[float, float], right: tuple[float, float], effect: bool
) -> None:
    one, other = answered(UNEVEN), answered(UNEVEN, "cards.basher.gp=4")
    for player in (0, 1):
        found = compare(with_value(one, *left), with_value(other, *right), player)
        assert found.value_effect is effect
        change = (right[0] - left[1], right[1] - left[0])
        expected = change if player == 0 else (-change[1], -change[0])
        assert found.value_change_gp == pytest.approx(expected)
        # The true change, of any two values within the bounds, lies in the interval.
        assert found.value_change_gp[0] <= found.value_change_gp[1]


def test_no_effect_without_certificates(fake_solver: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fake_solver, "certifies", False)
    one, other = answered(UNEVEN), answered(UNEVEN, "cards.basher.gp=4")
    found = compare(with_value(one, 0, 0.1), with_value(other, 0.2, 0.3), 0)
    assert not found.value_effect
    assert found.left.opening_bracket is None
    assert found.opening_effects == []


def test_equal_decks_are_worth_nothing(fake_solver: Any, run: Any) -> None:
    result = run("diff", *SMALL, "--set", "cards.basher.gp=4", "--format", "json")
    (found,) = json.loads(result.stdout)["scenarios"]
    assert found["value_change_gp"] == [0, 0]
    assert found["value_effect"] is False


def test_openings_are_compared_by_their_intervals(fake_solver: Any) -> None:
    # The stand-in says that a later type is always worth 0.25 GP more; leave only 0.05 GP open.
    one, other = answered(), answered("cards.veteran.copies=0", "cards.stopper.copies=0")
    one, other = with_room(one, 0.05), with_room(other, 0.05)
    found = compare(one, other, 0)
    brackets = (found.left.opening_bracket, found.right.opening_bracket)
    assert brackets[0] is not None
    assert brackets[1] is not None
    for name in TYPES:
        apart = brackets[0][name][1] < brackets[1][name][0] or brackets[1][name][1] < brackets[0][name][0]
        assert (name in found.opening_effects) is apart
    assert "veteran" in found.opening_effects
    assert brackets[1]["veteran"] == (0, 0)


def test_only_what_is_certain_is_coloured(fake_solver: Any) -> None:
    one, other = answered(), answered("cards.veteran.copies=0", "cards.stopper.copies=0")
    found = compare(with_room(one, 0.05), with_room(other, 0.05), 0)
    rules = load_rules()
    html = html_text(page(diff_report(rules, rules, [found])))
    table = html[html.rindex("<tbody>") :]
    coloured = re.findall(r'<tr class="sure"><th scope="row" class="word">\s*(\w+)', table)
    assert [name.lower() for name in coloured] == [name for name in TYPES if name in found.opening_effects]
    assert 0 < len(coloured) < len(TYPES)


def test_sides(fake_solver: Any, run: Any, tmp_path: Path) -> None:
    one, other = tmp_path / "one.toml", tmp_path / "other.toml"
    one.write_text("name = 'One'\n[cards.basher]\ngp = 4\n", encoding="utf-8")
    other.write_text("name = 'Other'\n[cards.basher]\ngp = 5\n", encoding="utf-8")

    def change(*words: str) -> list[tuple[int, int]]:
        report = json.loads(run("diff", *words, *SMALL, "--format", "json").stdout)
        return [(each["left"], each["right"]) for each in report["changes"]]

    assert change(str(one)) == [(3, 4)]
    assert change(str(one), str(other)) == [(4, 5)]
    assert change(str(one), "--set", "cards.basher.gp=6") == [(3, 6)]
    assert change("--set-left", "cards.basher.gp=1", "--set", "cards.basher.gp=2") == [(1, 2)]
    assert change("--rules", str(one), "--set", "cards.basher.gp=2") == [(4, 2)]


def test_what_each_check_proves_is_shown_before_the_answer(fake_solver: Any) -> None:
    question = game_named("ragers").question("diff")
    asked = question.build(
        patron="arianna", cheers="two-bashers", preparation="none", iterations="4", set="cards.basher.gp=4"
    )
    shown: list[Any] = []
    found = question.answer(asked, Running(show=shown.append))
    gaps = [[each.right.nash_conv_gp for each in so_far.scenarios] for so_far in shown]
    # While the left-hand side is solved there is nothing to compare with.
    assert gaps == [[0.5]]
    assert [each.right.nash_conv_gp for each in found.scenarios] == [0.25]
    assert not any(so_far.complete for so_far in shown)
    assert [so_far.question for so_far in shown] == ["diff"]
    assert "3 → 4" in " ".join(shown[0].page().notes)


def test_formats(fake_solver: Any, run: Any) -> None:
    words = ("diff", *SMALL, "--set", "cards.basher.gp=4", "--set", UNEVEN, "--set-left", UNEVEN)
    rows = list(csv.DictReader(io.StringIO(run(*words, "--format", "csv").stdout)))
    assert [row["type"] for row in rows] == list(TYPES)
    assert {row["left_nash_conv_gp"] for row in rows} == {"0.25"}
    assert float(rows[0]["left_value_low_gp"]) == pytest.approx(0.125)
    text = run(*words, "--details").stdout
    assert "no effect shown" in text
    assert "cards.basher.gp: 3 → 4" in text
    assert max(map(len, text.splitlines())) <= 80
    assert "## Arianna / Two Bashers" in run(*words, "--format", "md").stdout


def test_the_first_screen_is_a_line_for_each_day(fake_solver: Any, run: Any) -> None:
    text = run("diff", *SMALL, "--right", "cards.basher.gp=4").stdout
    assert text.startswith("Arianna, left → right, Accusers, redraw: no days with a certain change")
    assert "cards.basher.gp: 3 → 4" in text
    assert "No difference is certain" in text
    assert len(text.splitlines()) <= 24
    assert max(map(len, text.splitlines())) <= 80


def test_patrons_and_cheers_cards_side_by_side(run: Any) -> None:
    """Stored answers: nothing is solved."""
    both = ("diff", "--left", "patron=Arianna", "--right", "patron=Solennos", "--cheers", "two-bashers")
    text = run(*both).stdout
    assert text.startswith("Arianna → Solennos, Accusers, redraw: no days")
    assert re.search(r" 4\.5 +5\.0 ", text)
    (one,) = json.loads(run(*both, "--format", "json").stdout)["scenarios"]
    assert (one["left_day"]["patron"], one["day"]["patron"], one["patron"]) == (
        "Arianna",
        "Solennos",
        "solennos",
    )
    crowds = (
        "diff",
        "--left",
        "cheers=two-bashers",
        "--right",
        "cheers=prodder-stopper",
        "--patron",
        "solennos",
    )
    text = run(*crowds).stdout
    assert text.startswith("Two Bashers → Prodder and Stopper, Accusers, redraw: ")
    assert max(map(len, text.splitlines())) <= 80


def test_a_side_may_have_a_rules_file(fake_solver: Any, run: Any, tmp_path: Path) -> None:
    strong = tmp_path / "strong.toml"
    strong.write_text("cards.basher.gp = 5\n", encoding="utf-8")
    report = json.loads(run("diff", *SMALL, "--right", f"rules={strong}", "--format", "json").stdout)
    assert report["changes"] == [{"key": "cards.basher.gp", "left": 3, "right": 5}]


def test_a_day_the_change_does_not_touch(fake_solver: Any, run: Any) -> None:
    words = ("diff", *SMALL, "--set", "cheers.two-slashers.gp=5")
    result = run(*words)
    assert "the same game on both sides" in " ".join(result.stdout.split())
    assert len(fake_solver.solved) == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "both sides are the same"),
        (("--left", "patron=Arianna"), "--right patron=NAME"),
        (("--left", "patron=Nobody", "--right", "patron=Solennos"), "no patron is called"),
        (("--left", "patron"), "is not KEY=VALUE"),
        (("--left", "patron=Arianna", "--right", "patron=arianna"), "both sides are the same"),
        (("--set", "cards.basher.gp=99"), "0 to 20"),
        (("--set", "cards.basher.gp=4", "--patron", "ariana"), "arianna"),
        (("nowhere.toml",), "nowhere.toml"),
        (("--set", "cards.basher.gp=4", "--output", "/nowhere/at/all"), "no folder"),
    ],
)
def test_usage(fake_solver: Any, run: Any, words: tuple[str, ...], message: str) -> None:
    result = run("diff", *words)
    assert result.exit_code == 2
    assert message in " ".join(result.output.split())
    assert fake_solver.solved == []


def test_target_not_reached_and_memory(fake_solver: Any, run: Any) -> None:
    words = ("diff", *SMALL, "--set", "cards.basher.gp=4")
    assert run(*words, "--target", "0.01").exit_code == 3
    assert run(*words, "--memory", "1", "--fresh").exit_code == 4


@pytest.mark.parametrize("command", ["diff", "sweep"])
def test_no_answer_is_dressed_as_one(command: str, fake_solver: Any, run: Any) -> None:
    """NashConv of 1 GP where a day pays 4.1: no percentages, but what is missing and how long it takes."""
    day = ("--patron", "arianna", "--cheers", "two-bashers", "-q")
    asked = {
        "diff": ("--set", "cards.basher.gp=4"),
        "sweep": ("--vary", "cards.basher.gp=3:4", "--jobs", "1"),
    }[command]
    text = " ".join(run(command, *asked, *day, "--iterations", "1").stdout.split())
    assert "no answer yet" in text
    assert "off by up to 1.00 GP where a day pays 4.1; no percentages are shown" in text
    assert "Fair after about 1m" in text
    assert "opens %" not in text
    assert "two losers %" not in text
    rough = " ".join(run(command, *asked, *day, "--iterations", "2", "--fresh").stdout.split())
    assert "rough" in rough
    assert "no percentages" not in rough
