"""With and without a change of the rules: equal deals are compared, and only what is certain is called so."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from analysis.errors import RequestError
from analysis.estimates import Estimate, estimate
from analysis.front.asking import function_of
from analysis.front.difference import (
    Difference,
    DifferenceAnswer,
    _apart,
    _difference,
    with_and_without,
)
from analysis.front.page import Page, Table
from analysis.front.question import Amount, RulesNote, Running
from analysis.interrupt import Interrupt
from tests.front.games import game
from tests.front.test_questions import run

CHANGE = "prizes.gold.worth=9"
PLAYERS = ["rank", "high"]


def asked(**more: Any) -> DifferenceAnswer:
    found: DifferenceAnswer = function_of(game("bidding").question("match"))(
        player=PLAYERS, diff=True, **more
    )
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
    match = function_of(game("bidding").question("match"))
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
    solve = function_of(game("bidding").question("solve"))
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
    assert found.page().headline in run("arena", "report", str(file), "-o", "-", "-q").stdout


@pytest.mark.parametrize(
    ("more", "said"),
    [({}, "name a change"), ({"set": CHANGE, "keep": "k.jsonl"}, "keeps the work of one answer")],
)
def test_what_cannot_be_compared_is_refused(more: dict[str, str], said: str) -> None:
    with pytest.raises(RequestError, match=said):
        asked(**more)
    result = run("bidding", "match", "--set", CHANGE, "--diff", "--vary", "deals=1:2", check=False)
    assert (result.exit_code, "one of the two" in result.output) == (2, True)


@pytest.mark.parametrize(
    ("before", "after", "change", "certain"),
    [
        # At worst one is as low as it can be while the other is as high.
        (Estimate(0.5, 0.4, 0.7, 9), Estimate(0.8, 0.75, 1.0, 9), (0.3, 0.05, 0.6), True),
        (Estimate(0.8, 0.75, 1.0, 9), Estimate(0.5, 0.4, 0.7, 9), (-0.3, -0.6, -0.05), True),
        # Intervals that touch leave it open.
        (Estimate(0.5, 0.25, 0.75, 9), Estimate(0.8, 0.75, 1.0, 9), (0.3, 0.0, 0.75), False),
        (Estimate(0.8, 0.75, 1.0, 9), Estimate(0.5, 0.25, 0.75, 9), (-0.3, -0.75, 0.0), False),
        (Estimate(0.5, 0.4, None, 9), Estimate(0.8, 0.7, 0.9, 9), (0.3, None, None), None),
        (Estimate(0.5, 0.4, 0.6, 9), Estimate(0.8, None, 0.9, 9), (0.3, None, None), None),
        (0.5, Estimate(0.8, 0.7, 0.9, 9), (0.3, None, None), None),
        (0.5, None, (None, None, None), None),
        (Estimate(None, None, None, 0), 0.5, (None, None, None), None),
        (2.0, 5.0, (3.0, None, None), None),
    ],
)
def test_a_change_is_bounded_at_worst(
    before: Any, after: Any, change: tuple[float | None, ...], certain: bool | None
) -> None:
    for exact in (False, True):
        if exact and not isinstance(before, Estimate) and not isinstance(after, Estimate):
            continue
        found, sure = _apart(before, after, exact=exact)
        assert (found.mean, found.low, found.high) == pytest.approx(change)
        assert (found.observations, sure) == (0, certain)


def test_exact_figures_have_no_interval_but_themselves() -> None:
    assert _apart(5.0, 2.0, exact=True) == (Estimate(-3.0, -3.0, -3.0, 0), True)
    assert _apart(2.0, 2.0 + 5e-10, exact=True)[1] is False
    assert _apart(2.0, 2.0 - 1e-8, exact=True)[1] is True
    assert _apart(2.0, 2.5, exact=True)[1] is True
    assert _apart(None, 2.0, exact=True) == (Estimate(None, None, None, 0), None)


def test_deals_of_both_sides_are_compared_in_pairs() -> None:
    def compared(before: list[float] | None, after: list[float] | None, exactness: str = "measured") -> Any:
        question: Any = SimpleNamespace(exactness=exactness)
        return _difference(
            Amount("a", "wins", 0.5, "share"), Amount("a", "wins", 0.75, "share"), before, after, question
        )

    more = compared([0.0, 0.5, 0.0, 0.25], [0.5, 1.0, 0.5, 0.5])
    assert more.change == estimate([0.5, 0.5, 0.5, 0.25])
    assert (more.certain, more.without, more.changed, more.key, more.kind) == (True, 0.5, 0.75, "a", "share")
    assert compared([0.5, 1.0, 0.5, 0.5], [0.0, 0.5, 0.0, 0.25]).certain is True
    assert compared([0.0, 0.5, 0.0, 0.5], [0.5, 0.0, 0.25, 0.25]).certain is False
    # Equal changes of something without bounds say nothing about chance, and where one side stopped early
    # the deals that both have are compared.
    assert compared([0.0, 0.5], [0.5, 1.0]).certain is None
    assert compared([0.0, 0.5, 0.0, 0.25, 0.75], [0.5, 1.0, 0.5, 0.5]).change == more.change
    for before, after in (([0.5], None), (None, [0.5]), ([], [0.5]), (None, None)):
        assert compared(before, after).change == Estimate(0.25, None, None, 0)
        assert compared(before, after).certain is None
    assert compared(None, None, "exact").certain is True


def page_of(*rows: tuple[str, Any, float | None, bool | None], **more: Any) -> Page:
    """Return how figures look: head, kind, change and whether it is certain."""
    box, rules = RulesNote("the box", "0", []), RulesNote("mine", "1", ["a.b"])
    found = DifferenceAnswer(
        **{
            "rules": rules,
            "box": box,
            "paired": False,
            "exactness": "measured",
            "differences": [
                Difference(head, head, kind, 0.25, 0.5, Estimate(change, None, None, 0), certain)
                for head, kind, change, certain in rows
            ],
            **more,
        }
    )
    return found.page()


def test_the_largest_certain_change_is_said_first() -> None:
    rows = (
        ("wins", "share", 0.1, True),
        ("draws", "share", -0.3, True),
        ("turns", "number", 9.0, True),
        ("losses", "share", 0.7, None),
        ("loot", "signed", None, True),
        ("luck", "share", 0.9, False),
    )
    page = page_of(*rows)
    assert page.headline == "4 of 6 figures certainly change; draws: 25.0 % without, 50.0 % with."
    [table] = page.sections
    assert isinstance(table, Table)
    assert [row[-1] for row in table.rows] == ["yes", "yes", "yes", "-", "yes", "no"]
    assert [row[0] for row in table.rows][:3] == ["wins %", "draws %", "turns"]
    assert [column.head for column in table.columns] == ["figure", "without", "with", "change", "certain"]
    # Of changes of other kinds the first one's is said.
    assert "; turns: 0.25 without, 0.50 with." in page_of(*rows[2:]).headline
    assert "; loot: " in page_of(rows[4], rows[2]).headline
    assert page_of(rows[3], rows[5]).headline == "No figure certainly changes."
    file = page_of(rows[0], box=RulesNote("theirs", "2", ["c.d"]))
    assert file.headline == "1 of 1 figures certainly change; wins: 25.0 % by theirs, 50.0 % by mine."


def test_notes_say_what_makes_a_change_certain() -> None:
    row = ("wins", "share", 0.1, True)
    first = "Without: the box. With: mine."
    touch = "A change is certain if the intervals of both sides do not touch."
    assert page_of(row).notes == [first, touch]
    assert page_of(row, exactness="exact").notes == [first]
    paired = page_of(row, paired=True).notes
    assert (len(paired), touch in paired) == (2, False)
    assert page_of(row, complete=False).notes[-1] == "Stopped early: not everything that was asked for is in."


def test_a_side_that_was_stopped_leaves_the_comparison_incomplete() -> None:
    interrupt = Interrupt()

    def stop(phase: str, done: int, total: int) -> None:
        interrupt.requested |= phase == "deals" and done == total

    question = game("bidding").question("match")
    given = {"player": PLAYERS, "deals": 60, "set": (CHANGE,)}
    found = with_and_without(question, given, Running(note=stop, interrupt=interrupt))
    assert not found.complete
    assert found.exit_code == 130


@pytest.mark.parametrize(
    ("name", "given", "said"), [("export", {}, "no figures"), ("match", {}, "name a change")]
)
def test_without_figures_or_a_change_nothing_is_compared(name: str, given: dict[str, Any], said: str) -> None:
    with pytest.raises(RequestError, match=said) as refused:
        with_and_without(game("bidding").question(name), given)
    assert refused.value.option == "--diff"
    with pytest.raises(RequestError, match="keeps the work") as refused:
        with_and_without(game("bidding").question("match"), {"set": (CHANGE,), "keep": "kept.jsonl"})
    assert refused.value.option == "--keep"
