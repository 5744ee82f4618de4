"""Faults that were planted, two in each game: a quick check-up names them, and the value that was changed."""

from __future__ import annotations

import pytest

from analysis.front.asking import ask
from analysis.front.checkup.answer import CheckupAnswer
from analysis.front.question import Running
from tests.front.games import game

#: Game, what was changed, and what a finding about it calls it.
PLANTS = [
    ("ragers", "cheers.two-bashers.gp=6", "Two Bashers"),
    ("ragers", "cards.basher.gp=6", "Basher"),
    ("raverun", 'characters.1.action="recall"', "character 1"),
    ("raverun", 'characters.8.action="draw"', "character 8"),
    ("clash", "clans.bohorg.units.executioner.power=12", "Executioner"),
    ("clash", "equipment.great-sword.cost=3", "Great Sword"),
    ("warage", "cards.fireball.cost=4", "Fireball"),
    ("warage", "races.orc.hp=120", "Orc"),
    ("ophidian", "gladiators.saw-hand.attack=8", "Saw-Hand"),
    ("ophidian", "cards.hex.cost=1", "Hex"),
]


@pytest.mark.slow
def test_planted_faults_are_among_the_first_three_findings_and_their_values_among_what_to_try() -> None:
    named, mended = [], []
    for name, change, called in PLANTS:
        found = ask(game(name).question("checkup"), {"set": (change,)}, Running(fresh=True))
        assert isinstance(found, CheckupAnswer)
        first = [each for each in found.findings if each.certain][:3]
        key = change.partition("=")[0]
        if any(called in each.said for each in first):
            named.append(change)
        if any(one.key.startswith(key) for each in first for one in each.remedies):
            mended.append(change)
    assert len(named) >= 9, named
    assert len(mended) >= 7, mended
