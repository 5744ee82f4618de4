"""Teams and decks that may play, resources, and what is refused at its very limit."""

from __future__ import annotations

from functools import partial
from itertools import combinations
from typing import Any

import pytest

from analysis.errors import RequestError
from analysis.front.asking import function_of
from analysis.ophidian import fights
from analysis.ophidian.fights import announced_attack, solve
from analysis.ophidian.game import GAME
from analysis.ophidian.proving import end_value, fighter_name, in_words, ranked, worth_of
from analysis.ophidian.questions.solve import Action, Worth
from analysis.ophidian.teams import parse_cheer, parse_team, points_note
from engine.ophidian.reference import Kind, Move, legal_moves
from engine.ophidian.rules import Rules, load_rules
from engine.ophidian.wave_codec import Objective, highest_value, lowest_value
from solver.alternating.solving import Bounds

RULES = load_rules()
position = partial(fights.position, rules=RULES)
NAMES = {each.id: number for number, each in enumerate(RULES.gladiators)}


def checked(**more: Any) -> Any:
    """What `rules check` says of decks and teams, by the rules that it is asked for."""
    asked = function_of(GAME.question("rules check"))(**more)
    return asked.files[0].findings


def teams(*gladiators: str, **more: Any) -> Any:
    """The teams with some gladiators, as sets of names; and the finding about them."""
    finding = checked(teams=", ".join(gladiators) or "any", **more)[0]
    return [frozenset(row["gladiators"].split(", ")) for row in finding.rows], finding


def allowed(rules: Rules) -> set[frozenset[str]]:
    """All teams with exactly the points, or over them by what one of the team allows (T1, T2)."""
    starting = [rule for rule in rules.gladiators if not rule.reinforcement]
    found = set()
    for size in range(1, rules.match.team_size + 1):
        for team in combinations(starting, size):
            over = sum(rule.points for rule in team) - rules.match.team_points
            if 0 <= over <= max(rule.discount for rule in team):
                found.add(frozenset(rule.name for rule in team))
    return found


@pytest.mark.parametrize("override", ["match.team_points=10", "match.team_points=4"])
def test_teams_that_may_play_are_all_that_add_up(override: str) -> None:
    rules = load_rules(overrides=[override])
    found, finding = teams(set=override)
    assert set(found) == allowed(rules)
    assert len(found) == len(allowed(rules)) == finding.facts["teams"]
    named = {rule.name: rule for rule in rules.gladiators}
    for team, row in zip(found, finding.rows, strict=True):
        assert row["points"] == sum(named[name].points for name in team)
        assert row["discount"] == row["points"] - rules.match.team_points
        assert set(row["disciplines"].split()) == {each for name in team for each in named[name].disciplines}
    discounts = [row["discount"] for row in finding.rows]
    assert discounts == sorted(discounts)
    assert finding.facts["without a discount"] == discounts.count(0)
    with_runt, _ = teams("Runt", set=override)
    assert set(with_runt) == {team for team in allowed(rules) if "Runt" in team}
    often = {row["gladiator"]: row["teams"] for row in checked(teams="any", set=override)[1].rows}
    assert often == {name: sum(name in team for team in found) for name in often}


@pytest.mark.parametrize(
    ("gladiators", "problem"),
    [
        (("Runt", "Scrap", "Acolyte"), "3 points, and no 1 more gladiator make it 10"),
        (("Runt", "Scrap"), "2 points, and no 2 more gladiators make it 10"),
        (("Bastion", "Tempest", "G'frhtru"), "11 points, 1 too many; no gladiator of the team"),
        (("Bastion", "Tempest", "Saw-Hand"), ""),
    ],
)
def test_why_gladiators_make_no_team(gladiators: tuple[str, ...], problem: str) -> None:
    few = "gladiators.pathogenesis.points=3", "gladiators.bastion.points=3", "gladiators.tempest.points=3"
    found, finding = teams(*gladiators, set=few if gladiators == ("Runt", "Scrap") else ())
    assert problem in finding.about
    assert finding.ok is (found != []) is (not problem)


def check(**asked: Any) -> Any:
    return checked(**asked)[0]


def test_a_card_is_played_when_somebody_has_risen_to_its_level() -> None:
    own = {"team": "Tempest, Saw-Hand, Acolyte", "cards": "arena-beast 3, Mirror Ward 2, hex, rally 3, toxin"}
    found = check(**own)
    lines = {row["card"]: (row["copies"], row["level"], row["from wave"]) for row in found.rows}
    # The universal one of the team has every discipline.
    waves = {"Arena Beast": (3, 3, 3), "Mirror Ward": (2, 2, 2), "Hex": (1, 1, 1), "Rally": (3, 2, 2)}
    assert lines == waves | {"Toxin": (1, 1, 1)}
    facts = found.facts
    assert [facts[key] for key in ("cards", "minion", "pump", "quick-hit")] == [10, 3, 2, 5]
    assert facts["cost, mean"] == pytest.approx((3 * 6 + 2 * 3 + 2 + 3 * 3 + 2) / 10)
    assert facts["cards not playable in wave 1"] == 3 + 2 + 3
    assert not found.ok
    without = check(**own | {"team": "Tempest, Saw-Hand, Scrap"})
    assert {row["card"] for row in without.rows if row["level"] is None} == {"Arena Beast", "Toxin"}
    assert {line.split(":")[0] for line in without.lines} >= {"Arena Beast", "Toxin"}
    never = check(**own, set="match.promotions=0")
    assert {row["card"]: row["from wave"] for row in never.rows if row["from wave"] > 1} == dict.fromkeys(
        ("Arena Beast", "Mirror Ward", "Rally"), 7
    )
    short = check(**own, set=["match.waves=2"])
    assert "Arena Beast: nobody reaches level 3 within 2 waves" in short.lines


@pytest.mark.parametrize("words", ["deck team", "team", "cards", "deck cards"])
def test_a_deck_is_named_or_given_whole(words: str) -> None:
    known = {"deck": "iron", "team": "iron", "cards": "hex 3"}
    with pytest.raises(RequestError, match="or give --team and --cards"):
        check(**{word: known[word] for word in words.split()})


def test_a_team_that_does_not_add_up_makes_a_deck_illegal() -> None:
    few = check(team="iron", cards="hex 3")
    assert [("cards" in line, "T1, T2" in line) for line in few.lines] == [(True, False)]
    assert any("T1, T2" in line for line in check(team="Runt, Scrap", cards="hex 3").lines)
    assert check(deck="storm").ok


def test_how_a_gladiator_stands_is_read_from_the_right() -> None:
    (bastion, thorn, runt) = parse_team(RULES, "Bastion@S w5 L3 set, Thorn out, runt w5@action", "--team")
    assert (bastion.level, bastion.wounds, bastion.is_set) == (2, 5, True)
    assert (bastion.field != runt.field, runt.field == thorn.field) == (True, True)
    assert thorn.wounds == RULES.gladiators[NAMES["thorn"]].life[0]
    assert (runt.level, runt.wounds, runt.is_set) == (0, 5, False)
    for text, said in (
        ("Runt w6", "has a life of 6"),
        ("Runt L0", "levels are 1 to 4"),
        ("Runt L5", "levels are 1 to 4"),
        ("Runt, Scrap, Runt", "is there twice"),
    ):
        with pytest.raises(RequestError, match=said):
            parse_team(RULES, text, "--team")
    assert parse_team(RULES, "Runt L4 w8", "--team")[0].level == 3
    assert len(parse_team(RULES, "Runt, Scrap, Thorn, Bastion", "--team")) == 4
    assert parse_cheer(RULES, "14:0") == (14, 0)
    assert parse_cheer(RULES, "3, 12") == (3, 12)
    for text in ("15:0", "0:15"):
        with pytest.raises(RequestError, match="the match is over"):
            parse_cheer(RULES, text)


def test_a_side_that_could_not_begin_a_match_is_told() -> None:
    assert points_note(RULES, parse_team(RULES, "iron", "--team"), "Iron") is None
    said = points_note(RULES, parse_team(RULES, "Runt, Scrap", "--team"), "They")
    assert said is not None
    assert said.startswith("They is no whole team: 2 points, 8 too few")


def test_an_attack_is_named_by_ids_or_by_names_and_by_whoever_may_attack() -> None:
    state = position("Saw-Hand, G'frhtru set", "Mirror Witch, Runt@S")
    move = announced_attack(state, "Saw-Hand > Mirror Witch", "--attack")
    assert (move.kind, move.who, move.target) == (Kind.ATTACK, 0, 0)
    assert announced_attack(state, "saw-hand>mirror-witch", "--attack") == move
    for words in ("G'frhtru > Mirror Witch", "Mirror Witch > Saw-Hand", "Saw-Hand > Saw-Hand", "Saw-Hand"):
        with pytest.raises(RequestError, match="no such attack") as caught:
            announced_attack(state, words, "--attack")
        assert caught.value.option == "--attack"


def action(*worth: Worth) -> Action:
    return Action("", worth[0], worth[-1], False, "")


class Valued:
    """Stands in for a fight whose values are results."""

    def worth(self, value: int) -> Worth:
        return Worth(value)


@pytest.mark.parametrize(
    ("mover", "order", "best"),
    [(0, ["c", "a", "d", "b"], ["c"]), (1, ["b", "d", "a", "c"], ["b"])],
)
def test_actions_are_ranked_for_whoever_moves(mover: int, order: list[str], best: list[str]) -> None:
    found = [(name, Bounds(value, value), "") for name, value in (("a", 1), ("b", -2), ("c", 3), ("d", 0))]
    fight: Any = Valued()
    actions = ranked(fight, list(found), mover)
    assert [each.action for each in actions] == order
    assert [each.action for each in actions if each.best] == best
    equal = ranked(fight, [("a", Bounds(1, 1), ""), ("b", Bounds(1, 1), "")], mover)
    assert [each.best for each in equal] == [True, True]
    # Where a bound is open nothing is said to be the best.
    opened = ranked(fight, [*found, ("e", Bounds(-3, 4), "")], mover)
    assert not any(each.best for each in opened)
    assert [(each.low.result, each.high.result) for each in opened if each.action == "e"] == [(-3, 4)]
    assert ranked(fight, [], mover) == []


@pytest.mark.parametrize("objective", [Objective.RESULT, Objective.POINTS, Objective.WOUNDS])
def test_values_of_a_search_are_results_points_and_wounds_in_this_order(objective: Objective) -> None:
    lowest, highest = lowest_value(objective), highest_value(objective)
    step = max((highest - lowest) // 5000, 1)
    values = [*range(lowest, highest + 1, step), *range(max(lowest, -300), min(highest, 300))]
    parts = [(worth_of(value, objective), value) for value in sorted(set(values))]
    keys = [(worth.result, worth.points or 0, worth.wounds or 0) for worth, _ in parts]
    assert keys == sorted(keys)
    assert len(set(keys)) == len(keys)
    nothing = worth_of(0, objective)
    assert (nothing.result, nothing.points or 0, nothing.wounds or 0) == (0, 0, 0)
    assert (nothing.points is None, nothing.wounds is None) == (
        objective == Objective.RESULT,
        objective != Objective.WOUNDS,
    )
    # A gladiator that is destroyed counts its points for the other side.
    for team, against, ahead in (
        ("Runt w3, Scrap out", "Thorn w5", -1),
        ("Bastion", "Tempest w2, Runt out", 1),
    ):
        worth = worth_of(end_value(position(team, against), objective, 1), objective)
        assert (worth.result, worth.points) == (0, None if objective == Objective.RESULT else ahead)


def test_names_tell_sides_apart_where_both_have_the_same() -> None:
    state = position("Thorn, Runt", "Scrap, Thorn", momentum="against")
    assert fighter_name(state, 0, 0) == "Thorn (team)"
    assert fighter_name(state, 1, 1) == "Thorn (against)"
    assert fighter_name(state, 0, 1) == "Runt"
    words = {in_words(state, move) for move in legal_moves(state)}
    assert {"pass", "Scrap attacks Thorn (team)", "Thorn (against) attacks Runt", "Scrap retreats"} <= words
    assert in_words(state, Move(Kind.TAKE)) == "takes it"


@pytest.mark.kernels
def test_a_best_line_leads_to_the_value_of_its_position() -> None:
    for team, against, cheer in (
        ("Thorn w6, Runt w4", "Tempest w8", "11:12"),
        ("Runt w3", "Scrap w4, Acolyte w2", "12:12"),
    ):
        for momentum in ("team", "against"):
            asked: Any = {"wave": 4, "cheer": cheer, "momentum": momentum}
            state = position(team, against, **asked)
            found = solve(state, memory=1 << 22)
            swapped: Any = {"wave": 4, "cheer": ":".join(reversed(cheer.split(":")))}
            other = solve(
                position(against, team, momentum="team" if momentum == "against" else "against", **swapped),
                memory=1 << 22,
            )
            assert (found.low.result, found.low.points) == (-other.low.result, -(other.low.points or 0))
            assert (found.decides, other.decides) in (("team", "against"), ("against", "team"))
            assert len(found.line) > 0
            best = {each.action for each in found.actions if each.best}
            assert found.line[0].split(";")[0] in best
            key = [(each.low.result, each.low.points or 0) for each in found.actions]
            assert key == sorted(key, reverse=found.decides == "team")
