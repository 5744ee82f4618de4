"""What momentum, cheer, a level and each gladiator are worth: exact fights from random positions.

Each fight is proved; the positions are a sample, so their means have confidence intervals.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import TYPE_CHECKING

from analysis.errors import RequestError
from analysis.estimates import estimate
from analysis.front.bundles import Work as Shared
from analysis.front.question import Running
from analysis.front.verdicts import Figure, best
from analysis.ophidian.game import GAME
from analysis.ophidian.questions.worth import WORDS, Change, GladiatorWorth, Worth, WorthAnswer
from analysis.ophidian.teams import starting_gladiators
from analysis.workers import Work, here_or_on_workers
from engine.ophidian.reference import (
    ACTION,
    SUPPORT,
    Fighter,
    State,
    Team,
    is_over,
    start_wave,
)
from engine.ophidian.rules import NUM_LEVELS, Rules

if TYPE_CHECKING:
    from analysis.ophidian.proving import Fight

__all__ = ["CHANGES", "Drawn", "all_proved", "answer", "random_position"]

CHANGES = ("momentum", "cheer", "level")
"""What is changed for one side: it acts instead of the other; it has one cheer more, one level more."""
MOST_CHEER = 5
"""Positions have as much cheer on a side at most."""
AT_ONCE = 10
"""Positions of a task: some tenths of a second, so that stopping is quick and handing over costs nothing."""
_TABLE_BYTES = 1 << 26
_TRIES = 1000


@dataclass(frozen=True)
class Drawn:
    """Which positions are asked about, and what is changed in them."""

    rules: Rules
    size: int
    wave: int
    seed: int
    changes: tuple[str, ...] = CHANGES


@dataclass(frozen=True)
class _Task:
    drawn: Drawn
    numbers: tuple[int, ...]


@dataclass(frozen=True)
class _Proved:
    """A position for one side: the gladiators of both, what it is worth, and what changes add to that.

    Amounts are (result, points). A change for which there was no room is missing.
    """

    number: int
    teams: tuple[tuple[int, ...], tuple[int, ...]]
    worth: tuple[int, int]
    gains: dict[str, tuple[int, int]]


@dataclass(frozen=True)
class _Done:
    proved: list[_Proved] = field(default_factory=list)
    error: str = ""


def random_position(drawn: Drawn, number: int) -> State:
    """Return a position of the sample, as a wave begins: the same for the same seed and number.

    Gladiators (different ones within a side), fields, levels, wounds, cheer up to `MOST_CHEER` and momentum
    are drawn evenly; positions in which the match is over are drawn again.

    Raises
    ------
    RequestError
        If there are no such positions.
    """
    dice = Random(f"{drawn.seed} {number}")
    rules = drawn.rules
    most = min(MOST_CHEER, rules.match.riot - 1)
    for _ in range(_TRIES):
        teams = [_random_team(drawn, dice) for _ in range(2)]
        cheer = dice.randint(0, most), dice.randint(0, most)
        state = start_wave(rules, teams, cheer=cheer, momentum=dice.randrange(2), wave=drawn.wave)
        if not is_over(state):
            return state
    raise RequestError(f"no position with {drawn.size} a side was found in which the wave goes on")


def _random_team(drawn: Drawn, dice: Random) -> Team:
    team = []
    for gladiator in dice.sample(starting_gladiators(drawn.rules), drawn.size):
        # There is a promotion at most before each wave but the first (B4).
        level = dice.randrange(min(NUM_LEVELS, drawn.wave))
        wounds = dice.randrange(drawn.rules.gladiators[gladiator].life[level])
        where = dice.choice((ACTION, SUPPORT))
        team.append(Fighter(gladiator, level, wounds, where))
    return tuple(team)


def _pair(state: State, change: str, player: int, dice: Random) -> tuple[State, State] | None:
    """Return a position without and with a change for `player`; None where there is no room for it."""
    if change == "momentum":
        other = 1 - player
        return replace(state, momentum=other, turn=other), replace(state, momentum=player, turn=player)
    if change == "cheer":
        own, other = state.cheer[player] + 1, state.cheer[1 - player]
        if own >= state.rules.match.riot:
            return None
        return state, replace(state, cheer=(own, other) if player == 0 else (other, own))
    team = state.teams[player]
    able = [place for place, fighter in enumerate(team) if fighter.level + 1 < NUM_LEVELS]
    if not able:
        return None
    place = dice.choice(able)
    raised = team[place]._replace(level=team[place].level + 1)
    grown = (*team[:place], raised, *team[place + 1 :])
    changed = replace(state, teams=(grown, state.teams[1]) if player == 0 else (state.teams[0], grown))
    return state, changed


def _fight(state: State) -> Fight:
    from analysis.ophidian.proving import Fight
    from engine.ophidian.wave_codec import Objective

    return Fight(state, Objective.POINTS, _TABLE_BYTES)


def _value(fight: Fight, state: State, player: int) -> tuple[int, int]:
    """Result and points of `player`, proved."""
    bounds = fight.value(state)
    assert bounds.exact
    worth = fight.worth(bounds.low)
    sign = -1 if player else 1
    assert worth.points is not None
    return sign * worth.result, sign * worth.points


def _prove(task: _Task, stop: Callable[[], bool] | None) -> _Done:
    """Prove the positions of a task; runs in a worker."""
    proved = []
    for number in task.numbers:
        if stop is not None and stop():
            break
        state = random_position(task.drawn, number)
        dice = Random(f"{task.drawn.seed} {number} change")
        player = dice.randrange(2)
        # A table for each position: what is proved of one serves its variants, and no other position.
        fight = _fight(state)
        gains: dict[str, tuple[int, int]] = {}
        for change in task.drawn.changes:
            pair = _pair(state, change, player, dice)
            if pair is not None:
                # Levels are part of the game that a search is of, not of its positions.
                proofs = fight, _fight(pair[1]) if change == "level" else fight
                (lost, behind), (won, ahead) = (
                    _value(proof, each, player) for proof, each in zip(proofs, pair, strict=True)
                )
                gains[change] = (won - lost, ahead - behind)
        own, others = (tuple(each.gladiator for each in state.teams[side]) for side in (player, 1 - player))
        proved.append(_Proved(number, (own, others), _value(fight, state, player), gains))
    return _Done(proved)


def _stopped(task: _Task) -> _Done:
    return _Done()


def _failed(task: _Task, why: str) -> _Done:
    return _Done(error=why)


_NONE = (math.nan, math.nan)
WORK = Work(_prove, _stopped, _failed)


def answer(asked: Worth, running: Running) -> WorthAnswer:
    """Prove random positions, and say what changes and gladiators are worth in them."""
    return observed(asked, running)[0]


def observed(asked: Worth, running: Running) -> tuple[WorthAnswer, dict[str, list[float]]]:
    """Prove random positions; also return what each came to, by the keys of amounts.

    Raises
    ------
    RequestError
        If there are no such positions.
    """
    rules = GAME.rules_of(asked.rules)
    drawn = Drawn(rules, asked.size, asked.wave or rules.match.waves, asked.work.seed)
    _check(drawn)
    proved = all_proved(drawn, asked.positions, asked.work, running)
    found = sorted(proved, key=lambda each: each.number)
    complete = len(found) == asked.positions
    changes = [_change(name, found) for name in CHANGES]
    # Not a number where there was no room for a change, or a gladiator was not on one side alone.
    seen = {name: [float(each.gains.get(name, _NONE)[1]) for each in found] for name in CHANGES}
    figures = [Figure(WORDS[each.change], each.points, seen[each.change]) for each in changes]
    gladiators = {number: _worths(number, found) for number in starting_gladiators(rules)}
    seen |= {
        f"gladiators.{rules.gladiators[number].name}": [worth[1] for worth in worths]
        for number, worths in gladiators.items()
    }
    answer = WorthAnswer(
        complete=complete,
        size=drawn.size,
        wave=drawn.wave,
        positions=len(found),
        asked=asked.positions,
        changes=changes,
        gladiators=[_gladiator(rules, number, worths) for number, worths in gladiators.items()],
        best=best(figures, finished=complete),
    )
    return answer, seen


def _check(drawn: Drawn) -> None:
    rules = drawn.rules
    most = min(rules.match.team_size, len(starting_gladiators(rules)))
    if not 1 <= drawn.size <= most:
        raise RequestError(f"{drawn.size} gladiators a side; from 1 to {most} are possible (T1)", "--size")
    last = rules.match.waves + rules.match.extra_waves
    if not 1 <= drawn.wave <= last:
        raise RequestError(f"{drawn.wave}: the waves of a match are 1 to {last} (W3)", "--wave")
    random_position(drawn, 0)


def all_proved(drawn: Drawn, positions: int, work: Shared, running: Running) -> Iterator[_Proved]:
    """Yield what is proved of the positions of a sample, by number or not; fewer if it was stopped."""
    tasks = [
        _Task(drawn, tuple(range(begin, min(begin + AT_ONCE, positions))))
        for begin in range(0, positions, AT_ONCE)
    ]
    done = 0
    running.note("positions", 0, positions)
    for each in here_or_on_workers(WORK, tasks, work.jobs, work.scheduler, running.interrupt):
        if each.error:
            raise RequestError(f"a position could not be proved: {each.error}")
        done += len(each.proved)
        running.note("positions", done, positions)
        yield from each.proved


def _change(name: str, found: Sequence[_Proved]) -> Change:
    gains = [each.gains[name] for each in found if name in each.gains]
    decides = sum(result != 0 for result, _ in gains) / len(gains) if gains else 0.0
    return Change(
        change=name,
        points=estimate([points for _, points in gains]),
        chance=estimate([result / 2 for result, _ in gains], (-1.0, 1.0)),
        decides=decides,
    )


def _worths(number: int, found: Sequence[_Proved]) -> list[tuple[float, float]]:
    """What each fight with it on one side was worth to that; to the other side it is the opposite."""
    worths: list[tuple[float, float]] = []
    for each in found:
        here, there = (number in team for team in each.teams)
        # On both sides it says nothing.
        sign = math.nan if here == there else 1 if here else -1
        worths.append((sign * each.worth[0], sign * each.worth[1]))
    return worths


def _gladiator(rules: Rules, number: int, every: Sequence[tuple[float, float]]) -> GladiatorWorth:
    worths = [worth for worth in every if not math.isnan(worth[1])]
    rule = rules.gladiators[number]
    return GladiatorWorth(
        name=rule.name,
        cost=rule.points,
        points=estimate([points for _, points in worths]),
        chance=estimate([(1 + result) / 2 for result, _ in worths], (0.0, 1.0)),
    )
