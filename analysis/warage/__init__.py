"""What can be asked about Warage: one function for each question, for notebooks and programs.

Loadouts and decks are written as on the command line; answers are frozen structs. Nothing is printed, and
neither numba nor numpy is imported before something is solved.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from analysis.errors import RequestError
from analysis.rules_reports import read
from engine.warage.rules import Rules, load_rules

if TYPE_CHECKING:
    from pathlib import Path

    from analysis.warage.reports import AttackReport

__all__ = ["attack", "rules"]


def rules(files: Sequence[Path] = (), overrides: Sequence[str] = ()) -> Rules:
    """Return the illustrative card set with changes.

    Parameters
    ----------
    files
        TOML files with the values that differ.
    overrides
        Single values, such as ``cards.fireball.cost=6``.

    Raises
    ------
    RequestError
        If a file or an override is wrong.
    """
    return read(load_rules, files, overrides)


def attack(
    attacker: str,
    defender: str,
    *,
    rules: Rules | None = None,
    season: str = "summer",
    hp: int | None = None,
    played: Sequence[str] = (),
    against: Sequence[str] = (),
) -> AttackReport:
    """Price the attacks of one loadout on another, in fractions.

    Parameters
    ----------
    hp
        Of the defender; those of the race if None.
    played, against
        Cards that the attacker, and the defender, play for one attack.

    Raises
    ------
    RequestError
        If something is wrong with the question.

    Examples
    --------
    >>> report = attack("elf/mage:bone-collar,fireball,lightning", "human/paladin")
    >>> [row.attack for row in report.attacks]
    [9, 23, 25]
    """
    from analysis.warage.attacks import Question, attack_report, helping
    from analysis.warage.loadouts import Table, parse_loadout, season_of

    known = rules or load_rules()
    heroes = parse_loadout(known, attacker, "ATTACKER"), parse_loadout(known, defender, "DEFENDER")
    own_cards, own = helping(known, played, "--with", magic=bool(heroes[0].spells))
    other_cards, other = helping(known, against, "--against")
    in_force = season_of(known, season) or "summer"
    total = heroes[1].race.hp if hp is None else hp
    if total < 1:
        raise RequestError(f"{total} HP: a hero in play has at least 1", "--hp")
    table = Table(known, heroes, in_force, hp=(heroes[0].race.hp, total))
    return attack_report(Question(table, tuple(own_cards), tuple(other_cards), own, other))
