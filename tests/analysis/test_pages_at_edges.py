"""Pages of Clash of Rage and Raverun where a row, a note or another word begins to be needed."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from analysis.clash.questions import solve
from analysis.clash.reports import BattleAnswer
from analysis.clash.solving import battle_answer
from analysis.front.page import Facts, Page, Table
from analysis.front.question import RulesNote
from analysis.raverun import narration
from analysis.raverun.exact_answers import CardReport, ExactAnswer, ExactOrderReport, HandMixReport
from analysis.raverun.pages import exact
from analysis.raverun.questions import review
from analysis.raverun.questions.review import Cost, ReviewAnswer
from engine.clash.rules import load_rules
from tests.analysis.battles import battle


def table(page: Page, title: str) -> Table:
    """The table of a page whose title begins so."""
    return next(
        each for each in page.sections if isinstance(each, Table) and (each.title or "").startswith(title)
    )


def keys(page: Page) -> list[str]:
    """The facts of a page, by key."""
    return [fact.key for each in page.sections if isinstance(each, Facts) for fact in each.facts]


@pytest.fixture(scope="module")
def found() -> BattleAnswer:
    return battle_answer(battle("bohorg: 2 I, 1 II, 1 III", "tomb: 3 I, 2 II", turn="attacker"), rounds=1)


def test_eight_ends_are_shown_and_the_others_together(found: BattleAnswer) -> None:
    assert len(found.ends) > 8
    rows = table(solve.page(found), "The likeliest ends").rows
    assert len(rows) == 9
    rest = 1 - sum(end.probability for end in found.ends[:8])
    assert rows[-1] == [pytest.approx(rest), "all others together", "", ""]
    cut = msgspec.structs.replace(found, beyond=0.01)
    assert table(solve.page(cut), "The likeliest ends").rows[-1][0] == pytest.approx(rest - 0.01)
    assert ("beyond" in keys(solve.page(found)), "beyond" in keys(solve.page(cut))) == (False, True)
    few = msgspec.structs.replace(found, ends=found.ends[:8], beyond=rest - 4e-5)
    assert len(table(solve.page(few), "The likeliest ends").rows) == 8
    more = msgspec.structs.replace(few, beyond=rest - 6e-5)
    assert len(table(solve.page(more), "The likeliest ends").rows) == 9


def test_standings_after_a_round(found: BattleAnswer) -> None:
    assert found.after is not None
    shown = table(solve.page(found), "After 1 round (")
    rest = sum(each.probability for each in found.after.standings[8:])
    assert shown.rows[-1] == [pytest.approx(rest), "all others together", "", ""]
    two = msgspec.structs.replace(found.after, rounds=2, left_out=0.25)
    later = table(solve.page(msgspec.structs.replace(found, after=two)), "After 2 rounds (")
    assert later.rows[-1][0] == pytest.approx(rest + 0.25)


def test_twelve_decisions_are_shown_and_the_others_counted(found: BattleAnswer) -> None:
    assert found.first is not None
    one = found.first.options[-1]
    for number, said in ((12, []), (13, ["1 more decisions cost as much or more; --format json has all."])):
        first = msgspec.structs.replace(found.first, options=[one] * number)
        page = solve.page(msgspec.structs.replace(found, first=first))
        assert len(table(page, "The attacker decides").rows) == 12
        assert [note for note in page.notes if "more decisions" in note] == said
    options = [msgspec.structs.replace(one, cost=cost) for cost in (0.0, 1e-13, 1e-11)]
    first = msgspec.structs.replace(found.first, options=options)
    rows = table(solve.page(msgspec.structs.replace(found, first=first)), "The attacker decides").rows
    assert [row[-1] for row in rows] == [None, None, 1e-11]


def test_what_is_eliminated_is_named_by_the_other_side(found: BattleAnswer) -> None:
    assert found.first is not None
    option = msgspec.structs.replace(found.first.options[0], move="eliminate", eliminated=[1, 1, 0])
    assert solve._move(found, option) == "eliminate 1 tomb-1, 1 tomb-2"
    other = msgspec.structs.replace(found, starts="defender")
    option = msgspec.structs.replace(option, eliminated=[2, 0, 1])
    assert solve._move(other, option) == "eliminate 2 pummeler, 1 executioner"
    option = msgspec.structs.replace(option, eliminated=[0, 0, 0])
    assert solve._move(found, option) == "eliminate nobody (a rage token)"


def test_notes_say_what_is_unusual(found: BattleAnswer) -> None:
    def notes(answer: BattleAnswer) -> str:
        return " ".join(solve.page(answer).notes)

    same = battle_answer(battle("tomb: 1 I", "tomb: 1 I"))
    assert "which no game has" in notes(same)
    assert "which no game has" not in notes(found)
    assert "chooses for elves" not in notes(found)
    elves, alone = (battle_answer(battle("tomb: 1 I", "elves: 1 Elder", solo=solo)) for solo in (False, True))
    assert "its adversary chooses for elves" in notes(elves)
    assert "the attacker chooses for elves" in notes(alone)
    limited = load_rules((), ["battle.rage_limit=1"])
    cut = battle_answer(battle("bohorg: 2 I", "tomb: 2 II", rules=limited))
    assert "rage_limit 1" in notes(cut)
    assert "rage_limit none" in notes(found)
    assert "A proved bracket." in notes(cut)
    closed = msgspec.structs.replace(cut, value=cut.low)
    assert "closed but for rounding" in notes(closed)
    raging = battle_answer(battle("tomb: 1 I", "bohorg: 1 I", rage="0,2"))
    assert solve.army_text(raging.defender) == "bohorg: 1 pummeler (slowness 0; rage 2)"
    assert solve.army_text(raging.attacker) == "tomb: 1 tomb-1 (slowness 0)"


def test_amounts_of_a_bracket_are_those_of_its_middle(found: BattleAnswer) -> None:
    cut = msgspec.structs.replace(found, value=None, low=0.2, high=0.6)
    assert solve.amounts(cut)[0].value == pytest.approx(0.4)
    assert solve.amounts(found)[0].value == found.value
    assert "between 20.00 % and 60.00 %" in solve.page(cut).headline
    lost: Any = solve.amounts(found)[-1].value
    assert lost == pytest.approx(sum(each.lost for each in found.defender.types))


# -- Raverun --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("paid", "said"), [((0.5, -0.5), "You win."), ((-0.5, 0.5), "You lose."), ((0.0, 0.0), "A draw.")]
)
def test_who_has_won(paid: tuple[float, ...], said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(narration, "payoffs", lambda state: state)
    lines = narration.score_lines(paid, 0)  # type: ignore[arg-type]
    assert lines == [said, f"Payoffs: {paid[0]:+g} {paid[1]:+g}"]
    assert review.page(reviewed(payoffs=list(paid))).headline == said
    assert review.page(reviewed(payoffs=list(paid[::-1]), seat=2)).headline == said


def reviewed(*costs: Cost, payoffs: list[float] | None = None, seat: int = 1) -> ReviewAnswer:
    """A game that was played."""
    return ReviewAnswer(
        seat=seat,
        players=2,
        opponent="random",
        hands={},
        happened=[],
        costs=list(costs),
        payoffs=payoffs,
        split=None,
    )


def test_costs_from_half_a_hundredth_on_are_shown() -> None:
    small, large = Cost(0.0049, "a", "b", "by guess", False), Cost(0.005, "c", "d", "by proof", True)
    page = review.page(reviewed(small, large))
    assert page.headline == "Not finished."
    assert table(page, "What your decisions cost").rows == [[0.005, "c", "d", "by proof"]]
    assert page.notes == ["1 of 2 are judged by guess: estimates, no proofs."]
    said = "that could be judged none cost 0.005 or more"
    sure = msgspec.structs.replace(small, exact=True)
    assert review.page(reviewed(sure)).notes == [f"Of your 1 decision {said}."]
    assert review.page(reviewed(sure, sure)).notes == [f"Of your 2 decisions {said}."]
    assert review.page(reviewed(small)).notes[0] == f"Of your 1 decision {said}, by what judges."
    assert review.page(reviewed(large)).notes == []


@pytest.mark.parametrize(
    ("hands", "shown"), [(1, "This hand"), (2, "First cards by"), (20, "First cards by"), (21, "")]
)
def test_twenty_hands_are_shown(hands: int, shown: str) -> None:
    cards = [CardReport("1A", 0.5, 1.0, 0.25)]
    answer = ExactAnswer(
        rules=RulesNote("Raverun", "0" * 64, []),
        num_nodes=5,
        num_infosets=2,
        value=0.25,
        nash_conv=0.0,
        cfr=None,
        cards=cards,
        hands=[HandMixReport(f"hand {number}", 0.5, 0.25, cards) for number in range(hands)],
        order=ExactOrderReport(0.0, None, None),
        actions=[],
    )
    titles = [each.title or "" for each in exact.page(answer).sections if isinstance(each, Table)]
    assert [title.startswith(("This hand", "First cards by")) for title in titles].count(True) == bool(shown)
    assert titles[0].startswith(shown or "First cards")
