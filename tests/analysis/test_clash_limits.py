"""What may be asked about battles, at its edges; ties between splits; what exports pay."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

import pytest

from analysis.clash import balancing
from analysis.clash.armies import Army, bears, check_copies, equipped, parse_weights
from analysis.clash.balancing import balance_answer, balance_question, battle_matrix, with_and_without
from analysis.clash.exporting import battle_graph, battle_tree, beginning, outcome_rows
from analysis.clash.game import GAME, rests_on
from analysis.clash.position import army_written, pair
from analysis.clash.questions.split import targets
from analysis.clash.retreats import MOST_FIGURES, parse_retreat
from analysis.clash.scenario import Moment, Scenario
from analysis.clash.setup import Setup
from analysis.clash.smallest import need_answer
from analysis.clash.solving import battle_answer, exact_value
from analysis.clash.splitting import split_answer, splits_of
from analysis.errors import RequestError, WorkError
from engine.clash.rules import load_rules
from tests.analysis.battles import battle

RULES = load_rules()
LIMITED = load_rules((), ["battle.rage_limit=3"])


# -- armies ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "said"),
    [
        ({"axe": 4}, ""),
        ({"axe": 5}, r"5 axe: there are only 4 \(C4\)"),
        ({"griffin-whip": 2}, ""),
        ({"griffin-whip": 3}, r"3 griffin-whip: there are only 2 \(C4\)"),
        ({"sunblade": 1}, ""),
        ({"sunblade": 2}, r"2 sunblade: there is only one, it is legendary \(C4\)"),
    ],
)
def test_copies_of_cards(cards: dict[str, int], said: str) -> None:
    counted = {RULES.card(name): count for name, count in cards.items()}
    if not said:
        check_copies(counted, "--equip")
        return
    with pytest.raises(RequestError, match=said):
        check_copies([card for card, count in counted.items() for _ in range(count)], "--equip")


def test_of_a_card_of_one_copy_there_is_only_one() -> None:
    rules = load_rules((), ["equipment.axe.copies=1"])
    with pytest.raises(RequestError, match=r"2 axe: there is only one \(C4\)"):
        check_copies({rules.card("axe"): 2}, "--equip")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Executioner: axe, club", r"Executioner has one space for a weapon: axe or club, not both \(E4\)"),
        ("I: buckler, plate-armor", r"Pummeler has one space for an armor: buckler or plate-armor, not both"),
        ("I: weapon=buckler", "buckler is an armor: write armor=buckler"),
        ("I: armor=axe", "axe is a weapon: write weapon=axe"),
        ("I:", "write a unit and its cards"),
        ("Kragrider: axe", r"no Kragrider is in the attacker's army \(bohorg: 1 Pummeler, 1 Executioner\)"),
        ("guard: axe", r"no Gleaming Guard is in the defender's army \(elves: 1 Templar\)"),
    ],
)
def test_what_cannot_be_carried(text: str, said: str) -> None:
    asked = battle("bohorg: 1 I, 1 III", "elves: 1 Templar")
    with pytest.raises(RequestError, match=said):
        equipped(RULES, asked.armies, text, "--equip")


def test_cards_go_to_whoever_is_named() -> None:
    asked = battle("bohorg: 1 I, 1 III", "elves: 1 Templar")
    one, two = equipped(RULES, asked.armies, "3: weapon=axe, buckler; templars: club; I: short-bow", "")
    assert [[card.id for card in cards] for cards in one.cards] == [["short-bow"], [], ["axe", "buckler"]]
    assert [[card.id for card in cards] for cards in two.cards] == [["club"], [], []]
    # Names and levels are those of the attacker first; of one side only if that is said.
    same = battle("tomb: 1 I", "tomb: 2 I")
    first, _ = equipped(RULES, same.armies, "I: axe", "")
    _, second = equipped(RULES, same.armies, "I: axe", "", only=1)
    assert len(first.cards[0]) == len(second.cards[0]) == 1
    assert bears(asked.attacker, "Pummelers")
    assert not bears(asked.attacker, "Kragrider")
    assert not bears(asked.defender, "I")


def test_weights_that_are_not_given_are_the_usual_ones() -> None:
    usual = parse_weights(RULES, None, "").values
    assert usual == {
        "territory": 3.0,
        "I": 1.0,
        "II": 2.0,
        "III": 3.0,
        "templar": 1.0,
        "elder": 1.0,
        "guard": 1.0,
    }
    table = parse_weights(RULES, " i = 2.5, TERRITORY=0, guard=1000000", "")
    assert table.values == usual | {"I": 2.5, "territory": 0.0, "guard": 1e6}
    asked = battle("bohorg: 1 I", "elves: 1 Templar")
    assert table.of(asked.attacker) == (2.5, 2.0, 3.0)
    assert table.of(asked.defender) == (1.0, 1.0, 1e6)
    for text in ("I=1000001", "I=-0.1", "I", "I=x", "I=nan"):
        with pytest.raises(RequestError, match="from 0 to a million, I=2"):
            parse_weights(RULES, text, "--weights")


def test_armies_as_they_are_typed() -> None:
    assert army_written("tomb", (2, 0, 1)) == "tomb: 2 I, 1 III"
    assert battle("tomb: 2 I, 1 III", "elves: 1 Guard").attacker.text() == "tomb: 2 Tomb I, 1 Tomb III"
    assert pair("4,0", "") == (4, 0)
    for text in ("4", "1,2,3", "a,1", ""):
        with pytest.raises(RequestError, match="such as 0,2"):
            pair(text, "--rage")


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


@pytest.mark.parametrize(
    ("rules", "rage", "said"),
    [
        (RULES, (0, 200), ""),
        (RULES, (-1, 5), "0 or more"),
        (RULES, (5, -1), "0 or more"),
        (LIMITED, (3, 3), ""),
        (LIMITED, (0, 4), r"0 or more and, by battle\.rage_limit, at most 3"),
        (LIMITED, (4, 0), r"at most 3"),
    ],
)
def test_rage_lies_between_nothing_and_the_limit(rules: Any, rage: tuple[int, int], said: str) -> None:
    asked = replace(battle("bohorg: 1 I", "tomb: 1 I", rules=rules), rage=rage)
    if not said:
        asked.check()
        return
    with pytest.raises(RequestError, match=said) as caught:
        asked.check()
    assert caught.value.option == "--rage"


@pytest.mark.parametrize(
    ("change", "option"),
    [
        ({"solo": True}, "--solo"),
        ({"objective": "own", "rules": LIMITED}, "--objective"),
        ({"objective": "own", "most_tokens": 3}, "--bracket"),
        (
            {"objective": "material", "weights_of_defender": parse_weights(RULES, None, "")},
            "--weights-defender",
        ),
        ({"weights": parse_weights(RULES, None, "")}, "--weights"),
    ],
)
def test_what_cannot_be_asked_of_a_battle(change: dict[str, Any], option: str) -> None:
    with pytest.raises(RequestError) as caught:
        replace(battle("bohorg: 1 I", "tomb: 1 I"), **change).check()
    assert caught.value.option == option


@pytest.mark.parametrize(
    "change",
    [
        {"objective": "own"},
        {"objective": "own", "weights_of_defender": parse_weights(RULES, "I=2", "")},
        {"objective": "material", "weights": parse_weights(RULES, "I=2", ""), "most_tokens": 3},
        {"objective": "material", "rules": LIMITED},
        {"objective": "win", "rules": LIMITED},
    ],
)
def test_what_can_be_asked_of_a_battle(change: dict[str, Any]) -> None:
    replace(battle("bohorg: 1 I", "tomb: 1 I"), **change).check()


@pytest.mark.parametrize(
    ("moment", "option", "said"),
    [
        (Moment(injuries=1, hits=1), "--injuries", "not both"),
        (Moment(rerolls=1), "--rerolls", "say how many dice injure"),
        (Moment(injuries=7), "--injuries", "it is the attacker's assault, with 4 dice"),
        (Moment(hits=5), "--hits", "it is the attacker's assault, with 4 dice"),
        (Moment(hits=1, rerolls=2), "--rerolls", "with 4 dice"),
    ],
)
def test_moments_that_there_are_not(moment: Moment, option: str, said: str) -> None:
    asked = battle("bohorg: 2 I", "tomb: 1 I", turn="attacker")
    with pytest.raises(RequestError, match=said) as caught:
        battle_answer(asked, moment=moment)
    assert caught.value.option == option


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


def split_targets(attacker: str, *defenders: str, rules: Any = RULES, **given: Any) -> list[Scenario]:
    asked = GAME.question("split").build(attacker=attacker, defender=list(defenders), **given)
    return targets(asked, rules)


def test_a_split_sends_each_figure_to_one_place() -> None:
    for counts in ((1, 0, 0), (2, 1, 0), (0, 0, 3), (2, 1, 1)):
        found = splits_of(counts)
        places = comb(counts[0] + 2, 2) * comb(counts[1] + 2, 2) * comb(counts[2] + 2, 2)
        assert len(set(found)) == len(found) == places - 1
        for first, second in found:
            assert all(one + two <= most for one, two, most in zip(first, second, counts, strict=True))
            assert any(first) or any(second)


def test_of_splits_that_are_worth_the_same_fewer_figures_are_sent() -> None:
    # All splits are worth the same: nothing counts.
    asked = split_targets("bohorg: 3 I", "elves: 1 Elder", "elves: 1 Elder", objective="material")
    free = [replace(each, weights=parse_weights(RULES, "I=0, territory=0, elder=0", "")) for each in asked]
    report = split_answer(free, "material")
    figures = [sum(map(sum, each.sent)) for each in report.best]
    assert figures == sorted(figures)
    assert [each.sent for each in report.best[:2]] == [[[0, 0, 0], [1, 0, 0]], [[1, 0, 0], [0, 0, 0]]]
    assert len(report.front) == 1
    assert sum(map(sum, report.front[0].sent)) == 1
    assert report.weights is not None
    assert report.weights["I"] == 0.0


def test_twenty_splits_are_listed_and_all_of_the_front() -> None:
    report = split_answer(split_targets("bohorg: 2 I, 1 II, 1 III", "elves: 1 Elder", "tomb: 1 I"))
    assert (len(report.best), report.splits) == (20, 53)
    assert report.weights is None
    values = [tuple(round(value, 11) for value in each.values) for each in report.front]
    assert len(set(values)) == len(values)
    assert [one for one, _ in values] == sorted((one for one, _ in values), reverse=True)
    assert [two for _, two in values] == sorted(two for _, two in values)


def test_a_split_is_solo_where_the_attacker_chooses_for_elves() -> None:
    by_rule = load_rules((), ["battle.elves=attacker"])
    for rules, defenders, solo in (
        (RULES, ("elves: 1 Elder", "tomb: 1 I"), False),
        (by_rule, ("elves: 1 Elder", "tomb: 1 I"), True),
        (by_rule, ("tomb: 1 II", "tomb: 1 I"), False),
    ):
        assert split_answer(split_targets("bohorg: 1 I", *defenders, rules=rules)).solo is solo


@pytest.mark.parametrize("cut", [(True, False), (False, True), (False, False)])
def test_a_split_is_a_bracket_if_one_battle_is_cut(cut: tuple[bool, bool]) -> None:
    asked = split_targets("bohorg: 2 I", "tomb: 1 II", "tomb: 1 II")
    asked = [
        replace(each, most_tokens=1 if tokens else None) for each, tokens in zip(asked, cut, strict=True)
    ]
    assert split_answer(asked).bracket is any(cut)


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

TINY = ("bohorg: 1 III", "elves: 1 Elder")


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


def test_a_tree_has_as_many_nodes_as_are_allowed() -> None:
    asked = battle(*TINY, rage="3,3")
    size = battle_tree(asked, 200_000).num_nodes
    assert battle_tree(asked, size).num_nodes == size
    with pytest.raises(WorkError, match=f"more than {size - 1:,} nodes"):
        battle_tree(asked, size - 1)


def test_exports_are_of_one_payoff_and_end() -> None:
    own = battle("bohorg: 1 I", "tomb: 1 I", objective="own")
    with pytest.raises(RequestError, match="a tree has one payoff"):
        battle_tree(own, 100)
    with pytest.raises(RequestError, match="a graph has one payoff"):
        battle_graph(own, 100)
    with pytest.raises(RequestError, match="may go on for ever"):
        beginning(battle("bohorg: 1 I", "tomb: 1 I", rules=LIMITED))


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


# -- balance --------------------------------------------------------------------------------------------


@pytest.fixture
def nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Solve every battle anew."""
    monkeypatch.setattr(balancing, "_known", {})


def test_armies_count_their_points_but_for_rounding() -> None:
    question = balance_question(RULES, clans=["bohorg", "tomb"], points=0.3, weights="I=0.1, II=0.2, III=0.7")
    assert [army.counts for army in question.armies()] == [(1, 1, 0), (3, 0, 0)] * 2
    for points, near in ((2.4, 2), (2.6, 3), (0.4, 1), (99, 7 + 10 + 9)):
        with pytest.raises(
            RequestError, match=f"no army of bohorg counts {points:g}; the nearest is {near:g}"
        ):
            balance_question(RULES, clans=["bohorg", "tomb"], points=points)


def test_every_clan_is_attacked_by_all_others() -> None:
    question = balance_question(RULES, points=1)
    armies = question.armies()
    assert len(armies) == len(RULES.clans) == 4
    assert question.pairs(armies) == [(one, two) for one, two in product(range(4), repeat=2) if one != two]
    for clans in (["bohorg"], ["bohorg", "bohorg"], ["bohorg", "tomb", "tomb"]):
        with pytest.raises(RequestError, match="two clans or more, each once"):
            balance_question(RULES, clans=clans)


def test_a_matrix_of_two_clans_or_of_all(nothing_known: None) -> None:
    report = balance_answer(balance_question(RULES, clans=["tomb", "bohorg"], points=2, contested=0))
    assert (report.worth, report.complete) == ([], True)
    whole, one = battle_matrix(report), battle_matrix(report, whole=False)
    assert list(whole.rows) == list(whole.columns)
    assert list(one.rows) == ["tomb: 1 II", "tomb: 2 I"]
    assert list(one.columns) == ["bohorg: 1 II", "bohorg: 2 I"]
    assert [list(row) for row in one.payoffs] == [row[2:] for row in report.wins[:2]]
    assert [list(row) for row in whole.payoffs] == report.wins


def test_with_a_card_and_without(nothing_known: None) -> None:
    question = balance_question(RULES, clans=["bohorg", "tomb"], points=2, contested=3, seed=2)
    found = with_and_without(question, "axe")
    assert len(found) == 3
    assert all(0.1 <= before <= 0.9 for _, before in found)
    armies = question.armies()
    chances = {
        exact_value(Scenario(RULES, armies[one], armies[two])): (one, two)
        for one, two in question.pairs(armies)
    }
    for best, before in found:
        one, two = chances[before]
        axe, ways = RULES.card("axe"), []
        for kind in range(3):
            if armies[one].counts[kind]:
                cards = tuple((axe,) if each == kind else () for each in range(3))
                ways.append(exact_value(Scenario(RULES, replace(armies[one], cards=cards), armies[two])))
        assert best == max(ways)
    assert len({before for _, before in found}) == 3
    few = with_and_without(question, "pummeler")
    assert all(armies[chances[before][0]].clan == "bohorg" for _, before in few)
    left = iter(range(4))
    assert len(with_and_without(question, "axe", stop=lambda: next(left, None) is None)) <= 3
    assert with_and_without(replace(question, contested=0), "axe") == []


def test_games_rest_on_the_clans_that_play() -> None:
    assert rests_on(RULES, Setup(clan=("tomb",))) == {"clans": {"tomb"}, "tactics": {"tomb"}}
    everybody = {clan.id for clan in RULES.clans}
    assert rests_on(RULES, Setup()) == {"clans": everybody, "tactics": everybody}


def test_no_more_figures_than_there_are() -> None:
    army = Army("bohorg", RULES.clan("bohorg").units, (1, 0, 2))
    assert army.most == (7, 5, 3)
    assert army.slowness == 1
    assert not army.elves
    assert Army("elves", RULES.elves, (1, 0, 0)).most == (15, 15, 15)
