"""Two sides of a question: equal deals are compared, sides have names, what is certain is called so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from analysis.errors import RequestError
from analysis.estimates import estimate
from analysis.front.asking import ask, function_of
from analysis.front.difference import DifferenceAnswer, beside
from analysis.front.question import Amount, Answer, Running
from analysis.interrupt import Interrupt
from tests.front.games import game
from tests.front.test_questions import run

CHANGE = "prizes.gold.worth=9"
PLAYERS = ["rank", "high"]


def asked(diff: Any = True, **more: Any) -> DifferenceAnswer:
    match = function_of(game("bidding").question("match"))
    found: DifferenceAnswer = match(**{"player": PLAYERS, "diff": diff} | more)
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
        assert (each.before, each.after) == (amounts[0][each.key], amounts[1][each.key])
        if each.key in seen[0]:
            pairs = zip(seen[0][each.key], seen[1][each.key], strict=True)
            plain = estimate([other - one for one, other in pairs])
            assert each.change.mean == pytest.approx(plain.mean)
            assert each.change.width == pytest.approx(plain.width)
    assert found.rules is not None
    assert found.before_rules is not None
    assert (found.rules.changed, found.before_rules.changed) == ([CHANGE.partition("=")[0]], [])
    assert (found.before, found.after) == ("the box", "Gold worth 9")


def test_any_two_may_be_compared_and_are_called_by_name(tmp_path: Path) -> None:
    file = tmp_path / "dear.toml"
    file.write_text("[prizes.gold]\nworth = 9\n", encoding="utf-8")
    usual = asked(deals=20, set="prizes.gold.worth=5")
    sides: dict[Any, tuple[str, str]] = {
        str(file): ("dear", "Gold worth 5"),
        "prizes.gold.worth=9": ("Gold worth 5", "Gold worth 5, Gold worth 9"),
        "player=high": ("rank", "high"),
        ("player=high", "deals=30"): ("rank, deals 20", "high, deals 30"),
        ("box", "player=high"): ("rank, Gold worth 5", "high, the box"),
    }
    for diff, names in sides.items():
        found = asked(diff, set="prizes.gold.worth=5", deals=20)
        assert (found.before, found.after) == names
        assert found.before in found.page().headline
        here = found.after if diff == str(file) else found.before
        mine = [each.after if here == found.after else each.before for each in found.differences]
        assert mine == [each.after for each in usual.differences]
    # What is wrong with a side is said of the option that names it.
    file.write_text("prizes = 3\n", encoding="utf-8")
    for wrong in (file, str(tmp_path / "none.toml"), "nothing=3", "player=nobody", "x.y=1"):
        with pytest.raises(RequestError):
            asked(wrong, deals=20)


def test_what_both_sides_are_called_differently_is_compared_all_the_same() -> None:
    """Keys and heads name an entry that differs, such as a patron: the sides' figures are still the same."""
    solve = game("ragers").question("solve")
    found = ask(solve, {"patron": "Arianna", "cheers": "two-bashers"}, diff="patron=Solennos")
    assert isinstance(found, DifferenceAnswer)
    assert (found.before, found.after) == ("Arianna", "Solennos")
    both = [solve.answer(solve.build(patron=name, cheers="two-bashers")) for name in ("arianna", "solennos")]
    one, other = ([each.value for each in solve.amounts(answer)] for answer in both)
    assert [each.before for each in found.differences] == one
    assert [each.after for each in found.differences] == other
    assert not any("Arianna" in each.head or "Solennos" in each.head for each in found.differences)


def test_what_is_proved_differs_certainly_and_equal_figures_do_not() -> None:
    solve = function_of(game("bidding").question("solve"))
    found = solve(second="one, two, two", set="cards.two.value=9", diff=True)
    assert not found.paired
    assert any(each.certain for each in found.differences), "two cards of 9 win more than one"
    same = solve(set="prizes.gold.worth=3", diff=True)  # as in the box
    assert not any(each.certain for each in same.differences)
    assert "the same" in same.page().headline


def test_what_differs_by_chance_alone_is_seldom_called_certain() -> None:
    """Rules that are equal, other deals: some figure of all is certain in at most 5 % of answers or so."""
    said = [
        any(each.certain for each in asked(f"seed={seed + 1}", seed=seed, deals=12).differences)
        for seed in range(0, 200, 2)
    ]
    assert sum(said) <= 11  # of 100: the chance of more is .005 where it is 5 % each


def test_the_command_says_it_and_is_read_back(tmp_path: Any) -> None:
    words = ("match", "--player", "rank", "--player", "high", "--deals", "50", "--set", CHANGE, "-q")
    text = run("bidding", *words, "--diff").stdout
    assert "deals are compared one by one" in " ".join(text.split())
    assert text == run("bidding", *words, "--diff", "box").stdout
    file = tmp_path / "diff.json"
    run("bidding", *words, "--format", "json", "-o", str(file), "--diff")
    found = msgspec.json.decode(file.read_bytes(), type=DifferenceAnswer)
    assert found.differences == asked(set=CHANGE, deals=50).differences
    assert found.page().headline in run("arena", "report", str(file), "-o", "-", "-q").stdout


@pytest.mark.parametrize(
    ("diff", "more", "said", "option"),
    [
        (True, {}, "both sides are the same", "--diff"),
        ("deals=20", {"deals": 20}, "both sides are the same", "--diff"),
        (True, {"set": CHANGE, "keep": "k.jsonl"}, "keeps the work of one answer", "--keep"),
        (True, {"set": CHANGE, "vary": "deals=1:2"}, "one of the two", "--diff"),
    ],
)
def test_what_cannot_be_compared_is_refused(diff: Any, more: dict[str, Any], said: str, option: str) -> None:
    with pytest.raises(RequestError, match=said) as refused:
        asked(diff, **more)
    assert refused.value.option == option
    with pytest.raises(RequestError, match="no figures"):
        beside(game("bidding").question("export"), {}, ["box"])


@pytest.mark.parametrize("known", [(), (0,), (1,), (0, 1)])
def test_sides_without_an_answer_are_named_with_what_allows_more(known: tuple[int, ...]) -> None:
    question = game("bidding").question("match")
    sides = iter((0, 1))

    def amounts(found: Answer) -> Sequence[Amount]:
        return question.amounts(found) if next(sides) in known else []

    given = {"player": PLAYERS, "deals": 5}
    found = beside(replace(question, amounts=amounts), given, [CHANGE])
    names = [found.before, found.after]
    assert list(found.missing) == [name for place, name in enumerate(names) if place not in known]
    said = str(found.page().headline)
    if found.missing:
        assert "--deals" in said
        assert "largest" not in said
    assert all(name in said for name in found.missing)


def test_a_side_that_was_stopped_leaves_the_comparison_incomplete() -> None:
    interrupt = Interrupt()

    def stop(phase: str, done: int, total: int) -> None:
        interrupt.requested |= phase == "deals" and done == total

    question = game("bidding").question("match")
    given = {"player": PLAYERS, "deals": 60, "set": (CHANGE,)}
    found = beside(question, given, ["box"], Running(note=stop, interrupt=interrupt))
    assert not found.complete
    assert found.exit_code == 130
