"""Teams and positions in words: ``Bastion@S w5 L3 set, Mirror Witch, Thorn out``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from analysis.errors import RequestError
from engine.ophidian.harmless import endless_names
from engine.ophidian.reference import ACTION, SUPPORT, Fighter
from engine.ophidian.rules import NUM_LEVELS, Rules, UnknownNameError
from engine.ophidian.rules_checks import points_problem

__all__ = [
    "chosen_gladiators",
    "named_team",
    "parse_cheer",
    "parse_team",
    "points_note",
    "remarks",
    "starting_gladiators",
]

_WORDS = re.compile(
    r"(?:\s+|^)(?:@(?P<field>[a-z]+)|w(?P<wounds>\d+)|l(?P<level>\d+)|(?P<set>set)|(?P<out>out))$",
    re.IGNORECASE,
)
_HOW = 'write, for example, "Bastion@S w5 L3 set": in the support field, 5 wounds, level 3, set'
_FIELDS = {"a": ACTION, "action": ACTION, "s": SUPPORT, "support": SUPPORT}


def named_team(rules: Rules, text: str) -> str:
    """Return the name of a team that has one, else nothing."""
    try:
        return rules.team(text).name
    except UnknownNameError:
        return ""


def parse_team(rules: Rules, text: str, option: str) -> tuple[Fighter, ...]:
    """Read a team: the name of one, or gladiators with where and how they stand.

    Raises
    ------
    RequestError
        For names that there are not (with those that come near), the same gladiator twice, too many of them,
        levels and wounds that cannot be.
    """
    try:
        return tuple(Fighter(rules.gladiator(name)) for name in rules.team(text).gladiators)
    except UnknownNameError:
        pass
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not parts:
        raise RequestError("names no gladiator", option)
    fighters = tuple(_fighter(rules, part, option) for part in parts)
    seen: set[int] = set()
    for fighter in fighters:
        if fighter.gladiator in seen:
            name = rules.gladiators[fighter.gladiator].name
            raise RequestError(f"{name} is there twice; gladiators of a team are different (T1)", option)
        seen.add(fighter.gladiator)
    if len(fighters) > rules.match.team_size:
        most = rules.match.team_size
        raise RequestError(f"{len(fighters)} gladiators; a team has at most {most} (T1)", option)
    return fighters


def _fighter(rules: Rules, text: str, option: str) -> Fighter:
    """Read one gladiator, words about it from the right."""
    name, field, level, wounds, is_set, out = text.replace("@", " @"), ACTION, 0, 0, False, False
    while match := _WORDS.search(name):
        name = name[: match.start()]
        if match["field"] is not None:
            if match["field"].lower() not in _FIELDS:
                said = f"{text!r}: there is no field @{match['field']}"
                raise RequestError(f"{said}; @A is action, @S support", option)
            field = _FIELDS[match["field"].lower()]
        elif match["wounds"] is not None:
            wounds = int(match["wounds"])
        elif match["level"] is not None:
            level = int(match["level"]) - 1
        elif match["set"] is not None:
            is_set = True
        else:
            out = True
    try:
        number = rules.gladiator(name)
    except UnknownNameError as error:
        raise RequestError(f"{error}; {_HOW}" if " " in text else str(error), option) from None
    rule = rules.gladiators[number]
    if not 0 <= level < NUM_LEVELS:
        raise RequestError(f"{text!r}: levels are 1 to {NUM_LEVELS}", option)
    life = rule.life[level]
    if wounds >= life:
        said = f"{text!r}: {rule.name} of level {level + 1} has a life of {life}"
        raise RequestError(f'{said}; write "{rule.name} out" for a destroyed one', option)
    return Fighter(number, level, life if out else wounds, field, is_set)


def parse_cheer(rules: Rules, text: str) -> tuple[int, int]:
    """Read the cheer of both sides: ``2:1``."""
    match = re.fullmatch(r"\s*(\d+)\s*[:,]\s*(\d+)\s*", text)
    if match is None:
        raise RequestError(f"{text!r}: write the cheer of both sides, such as 2:1", "--cheer")
    cheer = int(match[1]), int(match[2])
    if max(cheer) >= rules.match.riot:
        raise RequestError(f"{text!r}: with {rules.match.riot} cheer the match is over (W2)", "--cheer")
    return cheer


def points_note(rules: Rules, fighters: tuple[Fighter, ...], who: str) -> str | None:
    """Return a sentence where a team could not begin a match (T1, T2), None where it could."""
    chosen = [rules.gladiators[fighter.gladiator] for fighter in fighters]
    points, discount = sum(rule.points for rule in chosen), max(rule.discount for rule in chosen)
    problem = points_problem(points, rules.match.team_points, discount)
    return f"{who} is no whole team: {problem} (T1)." if problem else None


def remarks(rules: Rules) -> list[str]:
    """Return what there is to say of rules by which a position of a wave may come again (W7)."""
    names = endless_names(rules)
    if not names:
        return []
    return [
        f"Attacks that wound nobody can unset gladiators without end: {', '.join(names)}. A wave ends where a"
        " position comes again (W7)."
    ]


def starting_gladiators(rules: Rules) -> list[int]:
    """Return the numbers of those of whom teams are made: all but reinforcements (T3)."""
    return [number for number, rule in enumerate(rules.gladiators) if not rule.reinforcement]


def chosen_gladiators(rules: Rules, names: Sequence[str]) -> list[int]:
    """Return the numbers of gladiators by name, each once; of all that may start if there are no names."""
    try:
        numbers = [rules.gladiator(name) for name in names] or starting_gladiators(rules)
    except UnknownNameError as error:
        raise RequestError(str(error)) from None
    numbers = list(dict.fromkeys(numbers))
    if len(numbers) < 2:
        raise RequestError("name two different gladiators at least")
    return numbers
