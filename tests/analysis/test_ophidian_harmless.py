"""Attacks that wound nobody: proved where the wave ends in any case, else refused, or counted."""

from __future__ import annotations

from random import Random

import pytest

from analysis.errors import RequestError
from analysis.ophidian.fights import position, solve
from analysis.ophidian.game import GAME
from engine.ophidian.harmless import endless_attacks, free_unsettings
from engine.ophidian.reference import start_wave
from engine.ophidian.rules import load_rules
from tests.analysis.test_ophidian_endings import plain_value

WEAK = ("gladiators.runt.attack=0", "gladiators.bastion.defence=0")
OPEN = (*WEAK, "gladiators.bastion.shield=0")
BLUNT = (*OPEN, "gladiators.bastion.attack=0", "gladiators.runt.defence=0")


def test_an_attack_that_wounds_nobody_unsets_once_each_time_it_can_be_made() -> None:
    weak = position("Bastion, Thorn", "Runt, Scrap", rules=load_rules(overrides=OPEN))
    assert free_unsettings(weak) == 1
    assert free_unsettings(position("Thorn", "Scrap")) == 0
    blunt = load_rules(overrides=BLUNT)
    one = start_wave(blunt, position("Bastion", "Thorn", rules=blunt).teams, wave=1)
    other = start_wave(blunt, (one.teams[0], position("Runt", "Thorn", rules=blunt).teams[0]), wave=1)
    assert free_unsettings(one) == 0
    assert free_unsettings(other) is None
    assert set(endless_attacks(other)) == {"Bastion", "Runt"}
    # At level 4 Scrap's attack wounds where at level 1 it does not: over a match both have to be thought of.
    growing = load_rules(overrides=["gladiators.scrap.attack.one=0", "gladiators.thorn.defence=0"])
    grown = position("Thorn", "Scrap L4", rules=growing)
    assert (free_unsettings(grown), free_unsettings(grown, any_level=True)) == (0, 1)


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
        found = solve(state)
        assert found.exactness == "exact"
        assert (found.low.result, found.low.points) == plain_value(state, state.wave, {})


def test_waves_that_might_never_end_are_refused_alike() -> None:
    said = "might never end"
    with pytest.raises(RequestError, match=said):
        position("Bastion", "Runt", rules=load_rules(overrides=BLUNT))
    with pytest.raises(RequestError, match=said):
        GAME.question("duel").python()(gladiators=["bastion", "runt"], set=BLUNT)
    assert position("Bastion, Thorn", "Scrap", rules=load_rules(overrides=BLUNT))


def test_rules_check_says_by_whom_waves_might_never_end() -> None:
    check = GAME.question("rules check").python()
    (found,) = check(set=WEAK).files
    assert (found.ok, found.notes) == (True, [])
    (found,) = check(set=BLUNT).files
    (note,) = found.notes
    assert {"Bastion,", "Runt,"} <= set(note.split())


def test_positions_that_are_drawn_again_are_counted_and_said() -> None:
    worth = GAME.question("worth").python()
    all_count = worth(size=1, positions=40, set=WEAK)
    assert (all_count.positions, all_count.redrawn) == (40, 0)
    found = worth(size=2, positions=40, set=BLUNT)
    assert found.positions == 40
    assert found.redrawn > 0
    assert f"{found.redrawn} positions were drawn again" in " ".join(found.page().notes)
    duels = GAME.question("duel").python()(gladiators=["bastion", "runt"], set=(*WEAK, "match.extra_waves=0"))
    assert duels.complete
