"""Battles as they are asked about."""

from __future__ import annotations

from typing import Any

from analysis.clash.game import GAME
from analysis.clash.questions import solve
from analysis.clash.scenario import Scenario
from engine.clash.rules import Rules, load_rules

RULES = load_rules()


def battle(attacker: str, defender: str, rules: Rules = RULES, **given: Any) -> Scenario:
    """Return the battle that ``clash solve`` is about with these options."""
    question = GAME.question("solve")
    return solve.scenario(question.build(attacker=attacker, defender=defender, **given), rules)
