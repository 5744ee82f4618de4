"""Balance against single solves, and what is left of it where it is stopped."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

import numpy as np
import pytest

from analysis.clash import balancing
from analysis.clash.balance_reports import BalanceAnswer
from analysis.clash.balancing import BalanceQuestion, Several, balance_answer, balance_question
from analysis.clash.solving import exact_value
from analysis.interrupt import Interrupt
from engine.clash.rules import Rules, load_rules
from solver.lp import solve_matrix_program
from tests.analysis.battles import battle

pytestmark = pytest.mark.kernels

RULES = load_rules()
CHANGED = load_rules((), ["battle.sparing=false"])


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Solve every battle anew."""
    monkeypatch.setattr(balancing, "_known", {})


def asked(name: str = "battle.sparing=false") -> BalanceQuestion:
    """A balance of two clans, and of the same by other rules."""
    clans, compared = ["bohorg", "tomb"], [(name, CHANGED)]
    return balance_question(RULES, clans=clans, points=3, compared=compared, contested=4, seed=1)


@pytest.fixture(scope="module")
def report() -> BalanceAnswer:
    return balance_answer(asked())


def chance(
    report: BalanceAnswer, one: int, two: int, rules: Rules = RULES, equip: Sequence[str] = ()
) -> float:
    armies = []
    for number in (one, two):
        army = report.armies[number]
        units = zip(army.counts, ("I", "II", "III"), strict=True)
        armies.append(f"{army.clan}: " + ", ".join(f"{count} {level}" for count, level in units if count))
    return exact_value(battle(armies[0], armies[1], rules=rules, equip=equip))


def pairs(report: BalanceAnswer) -> list[tuple[int, int]]:
    both = product(range(len(report.armies)), repeat=2)
    return [(one, two) for one, two in both if report.armies[one].clan != report.armies[two].clan]


def test_battles_are_those_of_single_solves(report: BalanceAnswer) -> None:
    assert [army.counts for army in report.armies] == [[0, 0, 1], [1, 1, 0], [3, 0, 0]] * 2
    assert report.battles == len(pairs(report)) == 18
    for one, two in product(range(6), repeat=2):
        if (one, two) in pairs(report):
            assert report.wins[one][two] == chance(report, one, two)
        else:
            assert report.wins[one][two] is None


def test_clans_against_clans(report: BalanceAnswer) -> None:
    for cell, rows, columns in zip(report.cells, ([0, 1, 2], [3, 4, 5]), ([3, 4, 5], [0, 1, 2]), strict=True):
        matrix = np.array([[chance(report, one, two) for two in columns] for one in rows])
        assert cell.mean == pytest.approx(matrix.mean(), abs=1e-12)
        assert cell.chosen == pytest.approx(solve_matrix_program(matrix).value, abs=1e-9)
    first = report.armies[0]
    assert first.attacks == pytest.approx(np.mean([chance(report, 0, two) for two in (3, 4, 5)]))
    assert first.defends == pytest.approx(np.mean([1 - chance(report, one, 0) for one in (3, 4, 5)]))


def test_other_rules(report: BalanceAnswer) -> None:
    (compared,) = report.compared
    changes = [chance(report, *pair, rules=CHANGED) - chance(report, *pair) for pair in pairs(report)]
    assert compared.mean == pytest.approx(np.mean(changes), abs=1e-12)
    assert compared.mean_size == pytest.approx(np.mean(np.abs(changes)), abs=1e-12)
    assert abs(compared.largest) == pytest.approx(np.max(np.abs(changes)), abs=1e-12)


def test_worths_are_gains_where_they_are_largest() -> None:
    question = balance_question(RULES, clans=["bohorg", "tomb"], points=3, contested=100)
    report = balance_answer(question)
    low, high = report.contested
    contested = [pair for pair in pairs(report) if low <= (report.wins[pair[0]][pair[1]] or 0) <= high]
    worth = {(each.kind, each.name): each for each in report.worth}
    axe = worth["card", "axe"]
    gains = []
    for one, two in contested:
        army = report.armies[one]
        types = RULES.clan(army.clan).units
        ways = [f"{unit.id}: axe" for unit, count in zip(types, army.counts, strict=True) if count]
        gains.append(max(chance(report, one, two, equip=[way]) for way in ways) - chance(report, one, two))
    assert axe.battles == len(contested)
    assert axe.gain == pytest.approx(np.mean(gains), abs=1e-12)
    assert axe.price == 5
    assert axe.gain_per_price == pytest.approx(axe.gain / 5)
    assert worth["icon", "power"].gain == pytest.approx(worth["card", "club"].gain, abs=1e-12)
    assert worth["card", "swift-boots"].gain == pytest.approx(0.0, abs=1e-12), "no icon that counts in battle"
    assert worth["icon", "slow"].gain <= 0
    assert {each.name for each in report.worth if each.kind == "unit"} == {
        f"{clan}: {unit.id}" for clan in ("bohorg", "tomb") for unit in RULES.clan(clan).units
    }


def stop_after(number: int) -> Callable[[], bool]:
    left = iter(range(number))
    return lambda: next(left, None) is None


@pytest.mark.parametrize("number", [0, 5, 18, 25, 60])
def test_stopped_it_keeps_what_is_finished(report: BalanceAnswer, number: int) -> None:
    part = balance_answer(asked("changed"), stop=stop_after(number))
    assert not part.complete
    assert part.solves == number
    done = [value for row in part.wins for value in row if value is not None]
    assert len(done) == min(number, 18)
    for one, two in pairs(report):
        assert part.wins[one][two] in (None, report.wins[one][two])
    assert all(cell.chosen is None for cell in part.cells) == (number < 9)
    assert len(part.compared) == (number >= 36)
    assert all(each in report.worth for each in part.worth)


def test_battles_shared_out_over_processes_are_the_same(report: BalanceAnswer) -> None:
    several = balance_answer(asked(), several=Several(2, None, Interrupt()))
    assert several == report


def test_battles_that_were_solved_are_known_by_other_rules_too(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = {"clans": ["bohorg", "tomb"], "points": 2, "contested": 2, "seed": 1}
    other = load_rules((), ["clans.godleif.units.berserker.power=5"])
    first = balance_answer(balance_question(RULES, **asked))
    assert len(balancing._known) == first.solves
    again = balance_answer(balance_question(other, **asked))
    assert len(balancing._known) == first.solves
    assert again == first
    mine = load_rules((), ["clans.bohorg.units.executioner.power=3"])
    changed = balance_answer(balance_question(mine, **asked))
    monkeypatch.setattr(balancing, "_known", {})
    assert balance_answer(balance_question(mine, **asked)) == changed != first
