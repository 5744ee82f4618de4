"""What may be asked about battles, at its edges; ties between splits; what exports pay."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb

import pytest

from analysis.clash.exporting import battle_graph, outcome_rows
from analysis.clash.retreats import MOST_FIGURES, parse_retreat
from analysis.clash.scenario import Moment
from analysis.clash.smallest import need_answer
from analysis.clash.solving import battle_answer, exact_value
from analysis.clash.splitting import splits_of
from analysis.errors import WorkError
from engine.clash.rules import load_rules
from tests.analysis.battles import battle

# -- battles --------------------------------------------------------------------------------------------


def test_whoever_is_less_slow_starts_and_of_equals_the_defender() -> None:
    for attacker, defender, starts in (
        ("bohorg: 1 I", "tomb: 1 I", 1),
        ("bohorg: 1 I", "tomb: 1 II", 0),
        ("bohorg: 1 III", "tomb: 1 I", 1),
        ("bohorg: 3 III", "tomb: 1 II", 1),
        ("bohorg: 1 II", "tomb: 1 II, 1 III", 0),
    ):
        assert battle(attacker, defender).starts == starts
        assert battle(attacker, defender, turn="attacker").starts == 0
        assert battle(attacker, defender, turn="defender").starts == 1


@pytest.mark.kernels
def test_who_distributes_the_injuries_that_elves_deal() -> None:
    by_rule = load_rules((), ["battle.elves=attacker"])
    elves, clan = ("bohorg: 1 I", "elves: 1 Guard"), ("bohorg: 1 I", "tomb: 1 I")
    assert battle(*elves).chooser == 1
    assert battle(*elves, solo=True).chooser == 0
    assert battle(*elves, rules=by_rule).chooser == 0
    assert battle(*clan, rules=by_rule).chooser == 1
    assert battle_answer(battle(*elves, rules=by_rule)).solo
    assert not battle_answer(battle(*clan, rules=by_rule)).solo
    assert not battle_answer(battle(*elves)).solo


@pytest.mark.kernels
def test_a_roll_that_may_be_repeated() -> None:
    asked = battle("bohorg: 2 I", "tomb: 1 II", turn="attacker")
    again = battle_answer(asked, moment=Moment(hits=1, rerolls=1))
    assert again.first is not None
    assert again.value is not None
    worth = {each.move: each.value for each in again.first.options}
    assert len(worth) == 2
    assert "reroll" in worth
    assert again.value == pytest.approx(max(worth.values()))


@pytest.mark.parametrize(
    ("text", "bounds"),
    [
        ("losses>=2", (0, 3, 0, MOST_FIGURES)),
        ("losses>2", (0, 2, 0, MOST_FIGURES)),
        ("losses<=2", (3, 5, 0, MOST_FIGURES)),
        ("losses<2", (4, 5, 0, MOST_FIGURES)),
        ("losses=2", (3, 3, 0, MOST_FIGURES)),
        ("left==4", (4, 4, 0, MOST_FIGURES)),
        ("left>1 and left<4", (2, 3, 0, MOST_FIGURES)),
        ("enemies>=2 and enemies<=6 and left>0", (1, MOST_FIGURES, 2, 6)),
    ],
)
def test_where_a_rule_of_flight_holds_of_five_figures(text: str, bounds: tuple[int, ...]) -> None:
    rule = parse_retreat(text, "")
    found = rule.bounds(5)
    assert found[1] == min(bounds[1], found[1])
    for left, enemies in product(range(6), range(8)):
        inside = bounds[0] <= left <= bounds[1] and bounds[2] <= enemies <= bounds[3]
        assert rule.holds(5 - left, left, enemies) is inside
        assert (found[0] <= left <= found[1] and found[2] <= enemies <= found[3]) is inside


# -- splits and armies that are enough ------------------------------------------------------------------


def test_a_split_sends_each_figure_to_one_place() -> None:
    for counts in ((1, 0, 0), (2, 1, 0), (0, 0, 3), (2, 1, 1)):
        found = splits_of(counts)
        places = comb(counts[0] + 2, 2) * comb(counts[1] + 2, 2) * comb(counts[2] + 2, 2)
        assert len(set(found)) == len(found) == places - 1
        for first, second in found:
            assert all(one + two <= most for one, two, most in zip(first, second, counts, strict=True))
            assert any(first) or any(second)


@pytest.mark.kernels
def test_armies_are_enough_at_the_very_chance_and_one_more_may_hurt() -> None:
    largest = battle("bohorg: 3 Pummeler, 1 Kragrider, 1 Executioner", "elves: 2 Templar, 1 Elder, 1 Guard")
    exact = exact_value(battle("bohorg: 3 Pummeler, 1 Executioner", "elves: 2 Templar, 1 Elder, 1 Guard"))
    report = need_answer(largest, exact)
    (needed,) = [each for each in report.needed if each.counts == [3, 0, 1]]
    assert needed.win == pytest.approx(exact, abs=1e-12)
    assert needed.hurt == ["kragrider"]
    assert needed.figures == 4
    assert report.armies == 4 * 2 * 2 - 1
    above = need_answer(largest, exact + 1e-9)
    assert [3, 0, 1] not in [each.counts for each in above.needed]
    assert report.best.win >= exact
    none = need_answer(largest, 1.0)
    assert (none.needed, none.enough) == ([], 0)


# -- exports --------------------------------------------------------------------------------------------


@pytest.mark.kernels
@pytest.mark.parametrize("objective", ["win", "material"])
def test_a_graph_pays_what_the_battle_is_worth(objective: str) -> None:
    asked = battle("bohorg: 2 I", "tomb: 1 II", objective=objective, turn="attacker", rage="2,2")
    graph = battle_graph(asked, 100_000)
    nodes = graph["nodes"]
    assert [node["number"] for node in nodes] == list(range(len(nodes)))
    worth: dict[int, Fraction] = {}

    def of(number: int) -> Fraction:
        if number not in worth:
            node = nodes[number]
            if node["decides"] == "nobody":
                worth[number] = Fraction(node["payoff"])
            elif node["decides"] == "chance":
                worth[number] = sum(
                    (Fraction(each["probability"]) * of(each["to"]) for each in node["moves"]), Fraction(0)
                )
            else:
                best = max if node["decides"] == "attacker" else min
                worth[number] = best(of(each["to"]) for each in node["moves"])
        return worth[number]

    assert float(of(0)) == pytest.approx(exact_value(asked), abs=1e-9)
    assert graph["units"][0][0] == "Pummeler"
    assert (graph["objective"], graph["attacker"], graph["defender"]) == (
        *(objective, "bohorg: 2 Pummeler", "tomb: 1 Tomb II"),
    )
    size = len(nodes)
    assert len(battle_graph(asked, size)["nodes"]) == size
    with pytest.raises(WorkError):
        battle_graph(asked, size - 1)


@pytest.mark.kernels
def test_ends_as_rows_are_those_of_the_answer() -> None:
    asked = battle("bohorg: 2 I", "tomb: 1 I, 1 II")
    rows, report = outcome_rows(asked, 1 << 29), battle_answer(asked)
    for row, end in zip(rows, report.ends, strict=True):
        assert row["end"] == end.result
        assert [row[f"attacker_{level}"] for level in (1, 2, 3)] == end.attacker
        assert [row[f"defender_{level}"] for level in (1, 2, 3)] == end.defender
        holds = end.result == "defender-fled" or (end.result == "destroyed" and not any(end.defender))
        assert row["holds"] == ("attacker" if holds else "defender")
    assert [float(row["probability"]) for row in rows] == pytest.approx(
        [end.probability for end in report.ends], abs=1e-12
    )
