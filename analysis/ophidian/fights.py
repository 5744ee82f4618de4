"""Fights as they are asked about: a position from its words, its worth, what each action costs, a best line.

Neither numba nor numpy is imported before something is solved.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from analysis.amounts import size
from analysis.errors import RequestError
from analysis.front.question import Running
from analysis.front.sizes import read_memory
from analysis.ophidian.questions.solve import (
    OBJECTIVES,
    Action,
    Cheer,
    Fighter,
    Horizon,
    Objective,
    Side,
    Solve,
    SolveAnswer,
    Worth,
)
from analysis.ophidian.teams import named_team, parse_cheer, parse_team, points_note
from engine.ophidian import reference
from engine.ophidian.reference import (
    ACTION,
    Kind,
    Move,
    State,
    is_alive,
    is_over,
    is_raging,
    legal_moves,
    points,
    start_wave,
    step,
)
from engine.ophidian.rules import Rules, load_rules
from engine.ophidian.rules_checks import name_id

if TYPE_CHECKING:
    from pathlib import Path

    from analysis.ophidian import setup
    from analysis.ophidian.proving import Fight

__all__ = ["announced_attack", "answer", "position", "position_of", "solve", "telling"]

DEFAULT_MEMORY = 1 << 29
_TELL_S = 0.5
"""So often a proof says how far it is."""


def answer(asked: Solve, running: Running) -> SolveAnswer:
    """Prove a position."""
    from analysis.ophidian.game import GAME

    rules, fight = GAME.rules_of(asked.rules), asked.exchange.fight
    return solve(
        position_of(rules, fight),
        names=(named_team(rules, fight.team), named_team(rules, fight.against)),
        objective=asked.objective or "points",
        horizon=asked.horizon,
        pending=asked.pending,
        thresholds=asked.thresholds,
        memory=read_memory(asked.memory),
        time_limit_s=asked.time_limit,
        running=running,
        values=asked.values,
    )


def position_of(rules: Rules, fight: setup.Fight) -> State:
    """Return the position that a question asks about; RequestError if there can be no such one."""
    return position(
        fight.team,
        fight.against,
        rules=rules,
        wave=fight.wave,
        cheer=fight.cheer,
        momentum=fight.momentum,
        passed=fight.passed,
    )


def position(
    team: str,
    against: str,
    *,
    rules: Rules | None = None,
    wave: int = 1,
    cheer: str = "0:0",
    momentum: Literal["team", "against"] = "team",
    passed: bool = False,
) -> State:
    """Return a position within a wave, at an action of whoever has momentum.

    Parameters
    ----------
    team, against
        The name of a team, or its gladiators with where and how they stand:
        ``Bastion@S w5 L3 set, Mirror Witch, Thorn out``.
    cheer
        Of both sides, ``2:1``.
    passed
        Whether the last action was the other side's pass.

    Raises
    ------
    RequestError
        For what cannot be, and where the match is over already.
    """
    chosen = load_rules() if rules is None else rules
    teams = parse_team(chosen, team, "--team"), parse_team(chosen, against, "--against")
    last = chosen.match.waves + chosen.match.extra_waves
    if not 1 <= wave <= last:
        raise RequestError(f"{wave}: the waves of a match are 1 to {last} (W3)", "--wave")
    start = start_wave(
        chosen,
        teams,
        cheer=parse_cheer(chosen, cheer),
        momentum=int(momentum == "against"),
        passes=int(passed),
        wave=wave,
    )
    if is_over(start):
        raise RequestError("with these gladiators and points the match is over already (W1, W3)")
    return start


def telling(running: Running, tell: Callable[[], None]) -> Callable[[], bool]:
    """Return what a search asks whether to stop; now and then it tells how far the search is."""
    told_s = time.monotonic()

    def stopped() -> bool:
        nonlocal told_s
        if time.monotonic() - told_s > _TELL_S:
            told_s = time.monotonic()
            tell()
        return running.interrupt()

    return stopped


def solve(
    position: State,
    *,
    names: tuple[str, str] = ("", ""),
    objective: Objective = "points",
    horizon: Horizon = "wave",
    pending: str | None = None,
    thresholds: bool = False,
    memory: int = DEFAULT_MEMORY,
    time_limit_s: float | None = None,
    running: Running | None = None,
    values: Path | None = None,
) -> SolveAnswer:
    """Prove what a position is worth at the end of its wave, what each action costs, and a best line.

    With the horizon `match` it is proved to the end of the match, promotions and placements included, for
    one or two gladiators a side: who wins. A die after a full tie falls once for either side, so two values
    bound what such a die decides.

    Parameters
    ----------
    position
        From `position`.
    names
        What to call the sides; else their gladiators.
    objective
        What decides: who wins the match; then the points; then the wounds. Or `match`: the chance to win
        it, which is an estimate where the wave ends and the match goes on.
    horizon
        To the end of the wave, or of the match: then the result decides, and teams have two at most.
    pending
        An attack that has been announced, ``Tempest > Thorn``, by whoever has momentum: the answers to it are
        valued.
    thresholds
        Whether to value the position with every other cheer of whoever acts, too.
    memory
        Bytes for what is proved.
    time_limit_s, running
        When to stop; what is proved by then is returned.
    values
        A file of ``ophidian train`` for the objective `match`; the carried one if None.

    Raises
    ------
    RequestError
        For an attack that is not possible, or a match too large to be proved.
    """
    from analysis.ophidian.proving import Fight
    from analysis.ophidian.proving_matches import MatchFight
    from engine.ophidian.wave_codec import Objective as Part

    if thresholds and (pending is not None or horizon == "match"):
        raise RequestError(
            "thresholds of cheer are those of an action, to the end of the wave", "--thresholds"
        )
    running = running or Running()
    fights: list[Fight] = []
    stopped = telling(
        running, lambda: running.note("positions opened", sum(each.num_nodes for each in fights), 0)
    )
    most = running.memory_bytes
    if memory > most:
        raise RequestError(f"{size(memory)} is more than the {size(most)} that may be used here", "--memory")
    if values is not None and objective != "match":
        raise RequestError("learned values are for --objective match", "--values")
    estimate = None
    if horizon == "match" and objective == "match":
        raise RequestError("--horizon match is proved: take --objective result with it", "--objective")
    if horizon == "match":
        _check_match(position)
        objective = "result"
        fight: Fight = MatchFight(position, memory, time_limit_s, stopped)
    elif objective == "match":
        from analysis.ophidian.learned import errors_of, from_file, weights_of

        trained = from_file(values, position.rules)
        fight = Fight(
            position, Part.MATCH, memory, time_limit_s, stopped, [float(each) for each in weights_of(trained)]
        )
        errors = errors_of(trained)
        estimate = (
            f"fitted to how matches of learned players end ({trained.words}); on matches left out a mean"
            f" squared error of {errors.fitted:.2f} in results from -1 to 1, {errors.nothing:.2f} without it"
        )
    else:
        fight = Fight(position, Part(OBJECTIVES.index(objective)), memory, time_limit_s, stopped)
    fights.append(fight)
    if pending is None:
        decides, actions, line = _actions(fight, position)
    else:
        decides, actions, line = _answers(fight, position, announced_attack(position, pending, "--pending"))
    low, high = (_best(actions, decides, end) for end in ("low", "high"))
    chosen, teams = position.rules, position.teams
    called = [
        name or ", ".join(chosen.gladiators[fighter.gladiator].name for fighter in team)
        for name, team in zip(names, teams, strict=True)
    ]
    notes = [points_note(chosen, team, name) for team, name in zip(teams, called, strict=True)]
    exact = low == high and all(each.low == each.high for each in actions)
    return SolveAnswer(
        exactness="exact" if exact else "bounded",
        complete=not running.interrupt.requested,
        objective=objective,
        horizon=horizon,
        wave=position.wave,
        last_wave=position.wave >= chosen.match.waves,
        team=_side(position, 0, called[0]),
        against=_side(position, 1, called[1]),
        decides="against" if decides else "team",
        pending=pending,
        low=low,
        high=high,
        actions=actions,
        line=line,
        thresholds=_thresholds(fight, position) if thresholds else [],
        estimate=estimate,
        notes=[note for note in notes if note],
        nodes=fight.num_nodes,
        kept=fight.num_kept,
        stand_in_defends=chosen.combat.stand_in_defends,
    )


def _thresholds(fight: Fight, state: State) -> list[Cheer]:
    """The cheer from which the position is worth something else for whoever acts."""
    found: list[Cheer] = []
    for cheer in range(state.rules.match.riot):
        both = (cheer, state.cheer[1]) if state.turn == 0 else (state.cheer[0], cheer)
        bounds = fight.value(replace(state, cheer=both))
        low, high = fight.worth(bounds.low), fight.worth(bounds.high)
        if not found or (found[-1].low, found[-1].high) != (low, high):
            found.append(Cheer(cheer, low, high))
    return found


def _check_match(position: State) -> None:
    """Raise unless the match is one that can be proved."""
    from engine.ophidian.match_layout import LAST_WAVE_NUMBER, MATCH_TEAM

    most = max(map(len, position.teams))
    if most > MATCH_TEAM:
        raise RequestError(
            f"{most} gladiators a side; whole matches are proved for {MATCH_TEAM} at most, larger teams to"
            " the end of a wave",
            "--horizon",
        )
    match = position.rules.match
    if match.waves + match.extra_waves > LAST_WAVE_NUMBER:
        raise RequestError(
            f"a match of {match.waves} waves and {match.extra_waves} more is too long to be proved",
            "--horizon",
        )


def _actions(fight: Fight, state: State) -> tuple[int, list[Action], list[str]]:
    """Who decides, the worth of every action, and a best line."""
    from analysis.ophidian.proving import valued

    bounds = fight.value(state)
    return state.turn, valued(fight, state, bounds, state.turn), list(fight.line(state))


def announced_attack(state: State, words: str, option: str) -> Move:
    """Read an attack by whoever has momentum: ``Tempest > Thorn``.

    Raises
    ------
    RequestError
        If it is not possible.
    """
    wanted = [name_id(part) for part in words.split(">")]
    for move in legal_moves(state):
        if move.kind == Kind.ATTACK:
            pair = state.teams[state.turn][move.who], state.teams[1 - state.turn][move.target]
            called = [state.rules.gladiators[fighter.gladiator] for fighter in pair]
            if wanted in ([rule.id for rule in called], [name_id(rule.name) for rule in called]):
                return move
    raise RequestError(
        f"{words!r}: no such attack; write attacker and target, such as Tempest > Thorn. Who attacks has"
        " momentum (--momentum), is unset, and stands in the action field (A2)",
        option,
    )


def _answers(fight: Fight, state: State, attack: Move) -> tuple[int, list[Action], list[str]]:
    """Who decides, the worth of every answer to an attack, and a best line after the best one."""
    from analysis.ophidian.proving import ranked

    decides = 1 - state.turn
    fight = fight.after(state)
    outcomes = list(fight.outcomes(step(state, attack)))
    found = [(each.answer or "takes it", fight.outcome_value(each), "") for each in outcomes]
    states = {words: each.state for (words, _, _), each in zip(found, outcomes, strict=True)}
    actions = ranked(fight, found, decides)
    return decides, actions, [actions[0].action, *fight.line(states[actions[0].action])]


def _best(actions: Sequence[Action], decides: int, end: Literal["low", "high"]) -> Worth:
    """What whoever decides gets by the best of the actions, by one end of their bounds."""
    worths: list[Worth] = [getattr(action, end) for action in actions]
    return min(worths, key=_order) if decides else max(worths, key=_order)


def _order(worth: Worth) -> tuple[float, int, int, int]:
    return worth.chance or 0.0, worth.result, worth.points or 0, worth.wounds or 0


def _side(state: State, player: int, name: str) -> Side:
    """A side at the position."""
    return Side(
        name=name,
        fighters=[_fighter(state.rules, fighter) for fighter in state.teams[player]],
        cheer=state.cheer[player],
        scored=points(state, player),
    )


def _fighter(rules: Rules, fighter: reference.Fighter) -> Fighter:
    rule = rules.gladiators[fighter.gladiator]
    return Fighter(
        name=rule.name,
        level=fighter.level + 1,
        wounds=fighter.wounds,
        life=rule.life[fighter.level],
        field="action" if fighter.field == ACTION else "support",
        set=fighter.is_set,
        raging=is_raging(rules, fighter),
        destroyed=not is_alive(rules, fighter),
    )
