"""What can be asked about Clash of Rage: one function for each question, for notebooks and programs.

Armies are written as on the command line; answers are frozen structs. Nothing is printed, and neither numba
nor numpy is imported before something is solved.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from analysis.clash.armies import SIDES, Army, equipped, parse_army, parse_weights
from analysis.clash.scenario import DEFAULT_MEMORY, Moment, Scenario
from analysis.errors import RequestError
from engine.clash.rules import Rules, RulesError, load_rules

if TYPE_CHECKING:
    from pathlib import Path

    from analysis.clash.reports import BattleReport, NeedReport, Objective

__all__ = ["battle", "between", "need", "rules", "solve"]


def rules(files: Sequence[Path] = (), overrides: Sequence[str] = ()) -> Rules:
    """Return the illustrative rules with changes.

    Parameters
    ----------
    files
        TOML files with the values that differ.
    overrides
        Single values, such as ``battle.sparing=false``.

    Raises
    ------
    RequestError
        If a file or an override is wrong.
    """
    try:
        return load_rules(files, overrides)
    except RulesError as error:
        raise RequestError(str(error)) from None


def battle(
    attacker: str,
    defender: str,
    *,
    rules: Rules | None = None,
    equip: Sequence[str] = (),
    equip_defender: Sequence[str] = (),
    objective: Objective = "win",
    weights: tuple[str | None, str | None] = (None, None),
    solo: bool = False,
    rage: tuple[int, int] = (0, 0),
    turn: str | None = None,
    most_tokens: int | None = None,
) -> Scenario:
    """Return a battle to ask about; parameters are the options of ``clash solve``.

    Parameters
    ----------
    weights
        Of both sides.
    turn
        Whose assault is next, ``attacker`` or ``defender``; None for whoever is less slow.
    most_tokens
        The option ``--bracket``.

    Raises
    ------
    RequestError
        If something is wrong with it.

    Examples
    --------
    >>> fight = battle("bohorg: 1 Executioner", "elves: 2 Templar", equip=["Executioner: axe"])
    >>> fight.attacker.fighters[2].power
    8
    """
    known = rules or load_rules()
    armies = parse_army(known, attacker, "--attacker"), parse_army(known, defender, "--defender")
    tables = [
        None if text is None else parse_weights(known, text, option)
        for text, option in zip(weights, ("--weights", "--weights-defender"), strict=True)
    ]
    if turn is not None and turn not in SIDES:
        raise RequestError(f"{turn!r} is neither attacker nor defender", "--turn")
    return between(
        known,
        armies,
        equip,
        equip_defender,
        objective=objective,
        weights=tables[0],
        weights_of_defender=tables[1],
        solo=solo,
        rage=rage,
        turn=None if turn is None else SIDES.index(turn),
        most_tokens=most_tokens,
    )


def between(
    rules: Rules,
    armies: tuple[Army, Army],
    equip: Sequence[str] = (),
    equip_defender: Sequence[str] = (),
    **settings: object,
) -> Scenario:
    """Return a battle between armies that need not be written down; `settings` are fields of `Scenario`."""
    for text in equip:
        armies = equipped(rules, armies, text, "--equip")
    for text in equip_defender:
        armies = equipped(rules, armies, text, "--equip-defender", only=1)
    scenario = Scenario(rules, *armies, **settings)  # type: ignore[arg-type]
    scenario.check()
    return scenario


def solve(
    scenario: Scenario,
    *,
    moment: Moment | None = None,
    simple: bool = False,
    fraction: bool = False,
    memory: int = DEFAULT_MEMORY,
) -> BattleReport:
    """Solve a battle.

    Parameters
    ----------
    moment
        Where within the assault it stands: dice have been rolled.
    simple
        Whether to price simple players as well.
    fraction
        Whether to solve it in rational arithmetic as well: small battles only.
    memory
        Most bytes to take.

    Raises
    ------
    RequestError
        If it cannot be asked.
    analysis.clash.scenario.TooLargeError
        If it takes more memory; the message says what would fit.

    Examples
    --------
    >>> round(solve(battle("bohorg: 1 Pummeler", "elves: 1 Templar")).value, 5)
    0.66342
    """
    from analysis.clash.solving import battle_report

    return battle_report(scenario, moment=moment, simple=simple, fraction=fraction, memory=memory)


def need(scenario: Scenario, chance: float = 0.9, *, memory: int = DEFAULT_MEMORY) -> NeedReport:
    """Find the smallest parts of the attacker's army that hold the territory with a chance.

    Parameters
    ----------
    scenario
        Its attacker has all units at hand.

    Raises
    ------
    RequestError, analysis.clash.scenario.TooLargeError
        As for :func:`solve`.

    Examples
    --------
    >>> needed = need(battle("bohorg: 3 I, 2 II, 1 III", "elves: 2 Templar"), 0.8).needed
    >>> min(army.figures for army in needed)
    2
    """
    from analysis.clash.smallest import need_report

    return need_report(scenario, chance, memory=memory)
