"""With and without a change of the rules: equal deals are compared, and only what is certain is called so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from analysis.errors import RequestError
from analysis.estimates import Estimate, estimate
from analysis.front.difference import DifferenceAnswer, _apart
from analysis.front.question import Running
from tests.front.games import game
from tests.front.test_questions import run

CHANGE = "prizes.gold.worth=9"
PLAYERS = ["rank", "high"]


def asked(**more: Any) -> DifferenceAnswer:
    found: DifferenceAnswer = game("bidding").question("match").python()(player=PLAYERS, diff=True, **more)
    return found


def test_both_sides_are_the_answers_and_the_change_is_that_of_equal_deals() -> None:
    question = game("bidding").question("match")
    found = asked(set=CHANGE, deals=150)
    sides = [question.build(player=PLAYERS, deals=150, set=change) for change in ((), (CHANGE,))]
    answers, seen = zip(*(question.observe(each, Running()) for each in sides), strict=True)
    amounts = [{each.key: each.value for each in question.amounts(answer)} for answer in answers]
    assert found.paired
    assert [each.key for each in found.differences] == list(amounts[1])
    for each in found.differences:
        assert (each.without, each.changed) == (amounts[0][each.key], amounts[1][each.key])
        if each.key in seen[0]:
            pairs = zip(seen[0][each.key], seen[1][each.key], strict=True)
            assert each.change == estimate([other - one for one, other in pairs])
    assert found.rules is not None
    assert found.box is not None
    assert (found.rules.changed, found.box.changed) == ([CHANGE.partition("=")[0]], [])


def test_rules_are_compared_with_those_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "dear.toml"
    file.write_text("[prizes.gold]\nworth = 9\n", encoding="utf-8")
    match = game("bidding").question("match").python()
    found = match(player=PLAYERS, set="prizes.gold.worth=5", deals=20, diff=str(file))
    usual = match(player=PLAYERS, set="prizes.gold.worth=5", deals=20, diff=True)
    other = asked(rules=str(file), deals=20)
    assert [each.changed for each in found.differences] == [each.changed for each in usual.differences]
    assert [each.without for each in found.differences] == [each.changed for each in other.differences]
    assert [column.head for column in found.page().sections[0].columns][1:3] == [
        found.box.name,
        found.rules.name,
    ]
    # By the rules of the box, beside those of the file: what --diff says the other way round.
    back = match(player=PLAYERS, deals=20, diff=file)
    assert [each.changed for each in back.differences] == [each.without for each in other.differences]
    # What is wrong with that file is said of the option that names it.
    file.write_text("prizes = 3\n", encoding="utf-8")
    for path in (file, tmp_path / "none.toml"):
        with pytest.raises(RequestError, match=path.name) as refused:
            match(player=PLAYERS, set="prizes.gold.worth=5", deals=20, diff=path)
        assert refused.value.option == "--diff-rules"


def test_what_is_proved_differs_certainly_and_equal_figures_do_not() -> None:
    solve = game("bidding").question("solve").python()
    found = solve(second="one, two, two", set="cards.two.value=9", diff=True)
    assert not found.paired
    assert any(each.certain for each in found.differences), "two cards of 9 win more than one"
    same = solve(set="prizes.gold.worth=3", diff=True)  # as in the box
    assert not any(each.certain for each in same.differences)
    assert same.page().headline == "No figure certainly changes."


@pytest.mark.parametrize(
    ("before", "after", "certain"),
    [
        (Estimate(0.5, 0.4, 0.6, 9), Estimate(0.8, 0.7, 0.9, 9), True),
        (Estimate(0.8, 0.7, 0.9, 9), Estimate(0.5, 0.4, 0.6, 9), True),
        (Estimate(0.5, 0.4, 0.6, 9), Estimate(0.7, 0.59, 0.8, 9), False),
        (Estimate(0.5, None, None, 9), Estimate(0.8, 0.7, 0.9, 9), None),
        (None, 1.0, None),
        (0.5, 0.8, None),
    ],
)
def test_what_does_not_touch_is_certain(before: Any, after: Any, certain: bool | None) -> None:
    assert _apart(before, after, exact=False)[1] is certain


def test_exact_numbers_differ_beyond_rounding() -> None:
    assert _apart(0.5, 0.5 + 1e-12, exact=True)[1] is False
    assert _apart(0.5, 0.6, exact=True)[1] is True


def test_the_command_says_it_and_is_read_back(tmp_path: Any) -> None:
    words = (
        "match",
        "--player",
        "rank",
        "--player",
        "high",
        "--deals",
        "50",
        "--set",
        CHANGE,
        "--diff",
        "-q",
    )
    text = run("bidding", *words).stdout
    assert "deals are compared one by one" in " ".join(text.split())
    file = tmp_path / "diff.json"
    run("bidding", *words, "--format", "json", "-o", str(file))
    found = msgspec.json.decode(file.read_bytes(), type=DifferenceAnswer)
    assert found.differences == asked(set=CHANGE, deals=50).differences
    assert found.page().headline in run("bidding", "report", str(file), "-o", "-", "-q").stdout


@pytest.mark.parametrize(
    ("more", "said"),
    [({}, "name a change"), ({"set": CHANGE, "keep": "k.jsonl"}, "keeps the work of one answer")],
)
def test_what_cannot_be_compared_is_refused(more: dict[str, str], said: str) -> None:
    with pytest.raises(RequestError, match=said):
        asked(**more)
    result = run("bidding", "match", "--set", CHANGE, "--diff", "--vary", "deals=1:2", check=False)
    assert (result.exit_code, "one of the two" in result.output) == (2, True)
