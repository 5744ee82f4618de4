"""Health of days as it was computed, kept in the user's library: asked again it is there at once.

One file for each day and side, named for a hash of all it depends on: the stored answer, the names and values
of the day, and how the numbers are computed. What cannot be read, or was damaged, is computed again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from analysis import blobs
from analysis.ragers.answers import library
from analysis.ragers.answers.answered import Answered
from analysis.ragers.answers.asking import Question, stored_answer
from analysis.ragers.answers.health import SCHEMA, MissingScenario, ScenarioHealth, scenario_health
from analysis.ragers.answers.own_files import HEALTH
from analysis.ragers.answers.solving import Effort
from analysis.ragers.naive import NAIVE
from analysis.ragers.scenarios import Scenario
from analysis.version import __version__

#: To be raised when numbers are computed otherwise.
_COMPUTED = 1
#: Whatever is stored will do here, however short its solve was.
_ANY = Effort(iterations=1)


def path_of(answered: Answered, player: int) -> Path:
    """Return where the health of an answered day lies as `player` sees it, or would."""
    scenario = answered.scenario
    parts = (
        *(_COMPUTED, SCHEMA, __version__, library.FORMAT, library.MODEL, player, list(NAIVE)),
        *(scenario.rules.sha256, scenario.patron, scenario.cheers, scenario.day.sha256),
        *(answered.answer, answered.source, answered.relabelled_from),
    )
    digest = hashlib.sha256(msgspec.json.encode(parts)).hexdigest()
    return library.own().root / scenario.day.sha256[:24] / HEALTH / f"{digest[:24]}.json"


def find(answered: Answered, player: int) -> ScenarioHealth | None:
    """Return what is kept; None if nothing is, or its file is damaged."""
    data = blobs.find(path_of(answered, player))
    with suppress(msgspec.DecodeError):
        return None if data is None else msgspec.json.decode(data, type=ScenarioHealth)
    return None


def keep(answered: Answered, player: int, health: ScenarioHealth) -> None:
    """Keep what was computed, if it can be written; that it cannot costs time alone."""
    with suppress(OSError):
        blobs.keep(path_of(answered, player), msgspec.json.encode(health))


def balance(
    todo: Sequence[Scenario], player: int, note: Callable[[str, int, int], None]
) -> tuple[list[ScenarioHealth], list[MissingScenario]]:
    """Return the health of every scenario that is answered already, and the others; nothing is solved."""
    found: list[ScenarioHealth] = []
    missing: list[MissingScenario] = []
    for number, scenario in enumerate(todo):
        note("days", number, len(todo))
        health = stored_health(scenario, player)
        if health is None:
            missing.append(MissingScenario(scenario.patron.id, scenario.cheers.id))
        else:
            found.append(health)
    return found, missing


def stored_health(scenario: Scenario, player: int) -> ScenarioHealth | None:
    """Return the health of a day that is answered already, kept or computed now; else None."""
    answered = stored_answer(scenario, Question(player, None, _ANY, False))
    if answered is None or (known := find(answered, player)) is not None:
        return None if answered is None else known
    whole = stored_in_full(scenario, player)
    return None if whole is None else health_of(whole, player)


def stored_in_full(scenario: Scenario, player: int) -> Answered | None:
    """Return a stored answer hand by hand; None if there is none, or its strategy is damaged."""
    return stored_answer(scenario, Question(player, None, _ANY, False, strategy=True))


def health_of(answered: Answered, player: int) -> ScenarioHealth:
    """Return the health of an answered day, kept or computed now."""
    health = find(answered, player)
    if health is None:
        health = scenario_health(answered, player)
        keep(answered, player, health)
    return health
