"""Attacks that wound nobody: whether gladiators can be unset by them without end (W7).

In a wave without cards a gladiator that is set is unset only where it rages and is attacked itself. Such an
attack wounds somebody, which cannot go on for ever, or is harmless, and sets whoever makes it. So without
wounds gladiators are unset for ever only if harmless attacks lead from one gladiator back to itself.
"""

from __future__ import annotations

from itertools import product

from engine.ophidian.reference import Fighter, State, number
from engine.ophidian.rules import NUM_LEVELS, Rules

__all__ = ["endless_names", "is_endless"]

_Place = tuple[int, int]
"""Player and number in the team."""


def is_endless(state: State, *, any_level: bool = False) -> bool:
    """Whether gladiators can be unset without end, so that a position of a wave may come again.

    Parameters
    ----------
    any_level : whether gladiators may have any level, as they may in the waves to come.
    """
    return bool(_endless(_attackers(state, any_level)))


def endless_names(rules: Rules) -> list[str]:
    """Return the names of gladiators that harmless attacks could unset without end, at any levels."""
    all_there_are = tuple(Fighter(each) for each in range(len(rules.gladiators)))
    state = State(rules, (all_there_are, all_there_are))
    endless = _endless(_attackers(state, True))
    return list(dict.fromkeys(rules.gladiators[number].name for _, number in endless))


def _endless(attackers: dict[_Place, set[_Place]]) -> list[_Place]:
    """Those whose attackers can be attacked so in turn, and so on without end."""
    endless = dict(attackers)
    while ended := [place for place, by in endless.items() if not by & endless.keys()]:
        for place in ended:
            del endless[place]
    return list(endless)


def _attackers(state: State, any_level: bool) -> dict[_Place, set[_Place]]:
    """Of each gladiator, those who can attack it without a wound."""
    found: dict[_Place, set[_Place]] = {}
    for player in (0, 1):
        own, others = state.teams[player], state.teams[1 - player]
        for (who, attacker), (whom, target) in product(enumerate(own), enumerate(others)):
            pairs = product(_forms(attacker, any_level), _forms(target, any_level))
            if any(_is_harmless(state, player, *pair) for pair in pairs):
                found.setdefault((1 - player, whom), set()).add((player, who))
    return found


def _forms(fighter: Fighter, any_level: bool) -> list[Fighter]:
    levels = range(NUM_LEVELS) if any_level else (fighter.level,)
    return [fighter._replace(level=level) for level in levels]


def _is_harmless(state: State, player: int, attacker: Fighter, target: Fighter) -> bool:
    damage = number(state, player, attacker, "attack") - number(state, 1 - player, target, "shield")
    return max(0, damage) + number(state, 1 - player, target, "defence") == 0
