"""Attacks that wound nobody: how often gladiators can be unset by them, and whether without end (W7).

In a wave without cards a gladiator that is set is unset only where it rages and is attacked itself. Such an
attack wounds somebody, which cannot go on for ever, or is harmless, and sets whoever makes it. So without
wounds gladiators are unset for ever only if harmless attacks lead from one gladiator back to itself.
"""

from __future__ import annotations

from itertools import product

from engine.ophidian.reference import Fighter, State, number
from engine.ophidian.rules import NUM_LEVELS, Rules

__all__ = ["endless_attacks", "endless_names", "free_unsettings"]

_Place = tuple[int, int]
"""Player and number in the team."""
_MOST = 200
"""More of them count as without end: plays would be too long to be proved."""


def free_unsettings(state: State, *, any_level: bool = False) -> int | None:
    """Return how often gladiators can be unset without a wound in between; None for without end.

    Parameters
    ----------
    any_level : whether gladiators may have any level, as they may in the waves to come.
    """
    attackers = _attackers(state, any_level)
    known: dict[_Place, int] = {}
    total = 0
    for place in attackers:
        times = _times(place, attackers, known, ())
        if times is None:
            return None
        total += times
    return None if total > _MOST else total


def endless_attacks(state: State, *, any_level: bool = False) -> tuple[str, str]:
    """Return the names of an attacker and a target where `free_unsettings` is without end."""
    attackers = _attackers(state, any_level)
    endless = [target for target in attackers if _times(target, attackers, {}, ()) is None]
    target = endless[0] if endless else max(attackers, key=lambda each: len(attackers[each]))
    return _name(state, attackers[target][0]), _name(state, target)


def endless_names(rules: Rules) -> list[str]:
    """Return the names of gladiators that harmless attacks could unset without end, at any levels."""
    all_there_are = tuple(Fighter(each) for each in range(len(rules.gladiators)))
    state = State(rules, (all_there_are, all_there_are))
    attackers = _attackers(state, True)
    endless = [place for place in attackers if _times(place, attackers, {}, ()) is None]
    return list(dict.fromkeys(_name(state, place) for place in endless))


def _name(state: State, place: _Place) -> str:
    return state.rules.gladiators[state.teams[place[0]][place[1]].gladiator].name


def _attackers(state: State, any_level: bool) -> dict[_Place, list[_Place]]:
    """Of each gladiator, those who can attack it without a wound."""
    found: dict[_Place, list[_Place]] = {}
    for player in (0, 1):
        own, others = state.teams[player], state.teams[1 - player]
        for (who, attacker), (whom, target) in product(enumerate(own), enumerate(others)):
            pairs = product(_forms(attacker, any_level), _forms(target, any_level))
            if any(_is_harmless(state, player, *pair) for pair in pairs):
                found.setdefault((1 - player, whom), []).append((player, who))
    return found


def _forms(fighter: Fighter, any_level: bool) -> list[Fighter]:
    levels = range(NUM_LEVELS) if any_level else (fighter.level,)
    return [fighter._replace(level=level) for level in levels]


def _is_harmless(state: State, player: int, attacker: Fighter, target: Fighter) -> bool:
    damage = number(state, player, attacker, "attack") - number(state, 1 - player, target, "shield")
    return max(0, damage) + number(state, 1 - player, target, "defence") == 0


def _times(
    place: _Place, attackers: dict[_Place, list[_Place]], known: dict[_Place, int], above: tuple[_Place, ...]
) -> int | None:
    """How often a gladiator can be unset: once by each attack that its attackers can make."""
    if place in above:
        return None
    if place not in known:
        total = 0
        for by in attackers.get(place, ()):
            times = _times(by, attackers, known, (*above, place))
            if times is None:
                return None
            total += 1 + times
        known[place] = total
    return known[place]
