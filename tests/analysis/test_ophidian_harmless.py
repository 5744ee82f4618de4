"""Attacks that wound nobody: a wave ends where a position comes again (W7), in all questions alike."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest

from analysis.errors import RefusedError, WorkError
from analysis.front.asking import function_of
from analysis.ophidian.exporting import wave_graph, wave_tree
from analysis.ophidian.fights import position, solve
from analysis.ophidian.game import GAME
from analysis.ophidian.proving import Fight, end_value, in_words, worth_of
from analysis.ophidian.takeover import best_move
from engine.ophidian.harmless import is_endless
from engine.ophidian.reference import Kind, Move, legal_moves, step
from engine.ophidian.reference_state import Holding, Position
from engine.ophidian.rules import load_rules
from engine.ophidian.wave_codec import Objective
from engine.records import replace
from solver.exact_sequence_form import solve_exactly
from tests.analysis.test_ophidian_endings import plain_value
from tests.oracles.alternating import fitted_end, value_by_ways

pytestmark = pytest.mark.kernels
WEAK = ("gladiators.runt.attack=0", "gladiators.bastion.defence=0")
OPEN = (*WEAK, "gladiators.bastion.shield=0")
BLUNT = (*OPEN, "gladiators.bastion.attack=0", "gladiators.runt.defence=0")


OTHER = ("gladiators.thorn.attack.one=0", "gladiators.scrap.defence=0")


def test_gladiators_are_unset_without_end_if_harmless_attacks_lead_back_to_them() -> None:
    assert not is_endless(position("Bastion, Thorn", "Runt, Scrap", rules=load_rules(overrides=OPEN)))
    assert not is_endless(position("Bastion", "Thorn", rules=load_rules(overrides=BLUNT)))
    assert is_endless(position("Bastion", "Runt, Thorn", rules=load_rules(overrides=BLUNT)))
    # At level 4 Scrap's attack wounds where at level 1 it does not: over a match both have to be thought of.
    growing = load_rules(overrides=["gladiators.scrap.attack.one=0", "gladiators.thorn.defence=0", *OTHER])
    grown = position("Thorn", "Scrap L4", rules=growing)
    assert (is_endless(grown), is_endless(grown, any_level=True)) == (False, True)


@pytest.mark.kernels
def test_fights_with_attacks_that_wound_nobody_are_worth_what_a_plain_search_says() -> None:
    rules, chance = load_rules(overrides=WEAK), Random(5)
    bastion = rules.gladiators[rules.gladiator("bastion")]
    for _ in range(12):
        wounds = chance.randint(bastion.rage[0], bastion.life[0] - 1)
        team = f"Bastion w{wounds}{chance.choice((' set', ''))}"
        against = f"Runt w{chance.randint(3, 5)}, Scrap w{chance.randint(4, 5)}"
        cheer = f"{chance.randint(9, 14)}:{chance.randint(9, 14)}"
        momentum = chance.choice(("team", "against"))
        state = position(
            team, against, rules=rules, wave=chance.randint(1, 4), cheer=cheer, momentum=momentum
        )
        found = solve(state, memory=1 << 24)
        assert found.exactness == "exact"
        assert (found.low.result, found.low.points) == plain_value(state, state.wave, {})


def check_against_all_ways(number: int, seed: int) -> set[tuple[int, int]]:
    """What positions are worth that may come again: they, and every action, as a search of all ways says."""
    rules, dice, found = load_rules(overrides=(*BLUNT, "match.riot=2")), Random(seed), set()
    lives = {name: rules.gladiators[rules.gladiator(name)].life[0] for name in ("bastion", "runt")}
    for _ in range(number):
        wounds = {name: dice.randint(life - 3, life - 1) for name, life in lives.items()}
        state = position(
            f"Bastion w{wounds['bastion']}{dice.choice(('', ' set'))}{dice.choice(('', ', Thorn out'))}",
            f"Runt w{wounds['runt']}{dice.choice(('', ' set'))}{dice.choice(('', ', Scrap out'))}",
            rules=rules,
            wave=dice.choice((1, 4)),
            cheer=dice.choice(("0:0", "1:0", "0:1", "1:1")),
            momentum=dice.choice(("team", "against")),
        )
        report = solve(state, memory=1 << 22)
        assert report.exactness == "exact"
        ends = partial(end_value, objective=Objective.POINTS, wave=state.wave)
        assert report.low == worth_of(value_by_ways(state, ends), Objective.POINTS)
        for move in legal_moves(state):
            worth = next(each.low for each in report.actions if each.action == in_words(state, move))
            expected = value_by_ways(step(state, move), ends, frozenset({state}))
            assert worth == worth_of(expected, Objective.POINTS)
        assert report.line
        found.add((report.low.result, report.low.points or 0))
    return found


@pytest.mark.kernels
def test_positions_that_may_come_again_are_worth_what_all_ways_say() -> None:
    assert len(check_against_all_ways(4, 3)) > 2


@pytest.mark.slow
def test_many_positions_that_may_come_again() -> None:
    assert len(check_against_all_ways(30, 2)) > 5


@pytest.mark.kernels
def test_whoever_takes_a_wave_over_knows_to_which_positions_it_has_come() -> None:
    rules = load_rules(overrides=(*BLUNT, "match.riot=3"))
    fight = position("Bastion w10 set", "Runt w5", rules=rules, wave=4, cheer="2:2")
    hands = Holding((), ()), Holding((), ())
    passed = step(fight, Move(Kind.PASS))
    chosen = []
    for seen in ([fight], [fight, passed]):
        past = [Position(each.teams, each.cheer, (0, 0), each.momentum, each.passes) for each in seen]
        move = best_move(replace(fight, holdings=hands, past=tuple(past)), fight, 1 << 20)
        assert move is not None
        chosen.append(move.kind)
    # The fight is lost, unless a pass leads to where it was before: that ends the last wave, a draw.
    assert chosen == [Kind.RETREAT, Kind.PASS]


@pytest.mark.kernels
def test_fitted_ends_where_positions_may_come_again_are_bounded() -> None:
    weights = [0.4, 0.1, 0.2, 0.15, -0.15, -0.02, 0.3, -0.2, 0.0, 0.0]
    rules, exact = load_rules(overrides=(*BLUNT, "match.riot=2")), set()
    for cheer in ("0:0", "1:0"):
        state = position("Bastion w10 set", "Runt w5 set", rules=rules, cheer=cheer)
        found = Fight(state, Objective.MATCH, 1 << 22, weights=weights).value(state)
        value = value_by_ways(state, partial(fitted_end, wave=state.wave, weights=weights))
        assert found.low <= value <= found.high
        exact.add(found.exact)
    assert True in exact


@pytest.mark.kernels
def test_tables_without_room_for_positions_that_may_come_again_are_refused() -> None:
    asked = position("Bastion w10", "Runt w5 set", rules=load_rules(overrides=(*BLUNT, "match.riot=2")))
    with pytest.raises(RefusedError, match="more memory"):
        solve(asked, memory=1 << 19, horizon="match")


def test_rules_check_says_by_whom_waves_might_never_end() -> None:
    check = function_of(GAME.question("rules check"))
    (found,) = check(set=WEAK).files
    assert (found.ok, found.notes) == (True, [])
    (found,) = check(set=BLUNT).files
    (note,) = found.notes
    assert {"Bastion,", "Runt,"} <= set(note.split())


@pytest.mark.kernels
def test_every_question_answers_where_positions_may_come_again() -> None:
    found = function_of(GAME.question("worth"))(size=2, positions=20, jobs=1, set=BLUNT)
    assert (found.complete, found.positions) == (True, 20)
    asked = position("Bastion w10", "Runt w5 set", rules=load_rules(overrides=(*BLUNT, "match.riot=1")))
    proved = solve(asked, memory=1 << 20)
    assert solve_exactly(wave_tree(asked, "result", 10_000)).value == proved.low.result
    with pytest.raises(WorkError, match="W7"):
        wave_graph(asked, "result", 10_000)
    duels = function_of(GAME.question("duel"))(gladiators=["bastion", "runt"], set=BLUNT)
    assert (duels.complete, duels.exactness) == (True, "exact")
