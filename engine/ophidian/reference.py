"""Fights of Ophidian Arena without cards, in plain Python: immutable states, one function per rule.

This is the specification as code; nothing here is fast. What it holds of the rules: teams, momentum,
movement, attacks with interception and protection, rage, cheer and roars, passes, the breather (momentum,
promotions, placements), and every way to win that needs no deck. Not in it: hands, cards, abilities and
reinforcements.

A match is walked with `decider`, `legal_moves` / `chance_outcomes` and `step`; `start_wave` begins at a
position within a wave.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from itertools import combinations, product
from typing import NamedTuple

from engine.ophidian.rules import NUM_LEVELS, GladiatorRule, Rules
from engine.protocol import CHANCE as CHANCE
from engine.protocol import OVER as OVER
from engine.protocol import IllegalMove as IllegalMove

SUPPORT, ACTION = 0, 1
"""The two fields of a player."""


class Phase(IntEnum):
    """What is decided next."""

    DIE = 0  # who has momentum first, or after a full tie (T5, B1)
    PROMOTE = 1  # which gladiators rise a level (B4)
    PLACE = 2  # in which fields they stand (T5, B5)
    ACT = 3  # the next action of whoever has momentum (M1)
    STAND_IN = 4  # whether another takes the attack (A3)
    ROAR = 5  # whether a positive action becomes negative (M4)
    OVER = 6


class Kind(IntEnum):
    """What a move does."""

    ATTACK = 0
    ADVANCE = 1
    RETREAT = 2
    PASS = 3
    TAKE = 4  # nobody stands in
    INTERCEPT = 5
    PROTECT = 6
    QUIET = 7  # no roar
    ROAR = 8
    PROMOTE = 9
    PLACE = 10


class Move(NamedTuple):
    """A move: of gladiator `who`, against `target`; `many` are those promoted, or the fields of all."""

    kind: Kind
    who: int = -1
    target: int = -1
    many: tuple[int, ...] = ()


class Fighter(NamedTuple):
    """A gladiator on the table; `gladiator` is its number in the rules, `level` counts from 0."""

    gladiator: int
    level: int = 0
    wounds: int = 0
    field: int = ACTION
    is_set: bool = False


Team = tuple[Fighter, ...]


class Attack(NamedTuple):
    """An announced attack; whether the target was raging then, unset or set (R2)."""

    who: int
    target: int
    enraged: bool
    roused: bool


@dataclass(frozen=True)
class State:
    """A state of the match.

    Attributes
    ----------
    teams : each player's gladiators, in the order in which they were named; the destroyed stay in it.
    cheer : of each player.
    momentum : who acts, or begins the breather.
    turn : who decides; in STAND_IN and ROAR the other one.
    passes : in a row.
    wave : from 1.
    attack : what a stand-in is decided about.
    """

    rules: Rules = field(repr=False, hash=False)
    teams: tuple[Team, Team]
    cheer: tuple[int, int] = (0, 0)
    momentum: int = 0
    turn: int = 0
    passes: int = 0
    wave: int = 1
    phase: Phase = Phase.DIE
    attack: Attack | None = None


# -- beginnings ---------------------------------------------------------------------------------------


def start(rules: Rules, teams: Sequence[Sequence[int]]) -> State:
    """The state before the die for the first momentum (T5), for teams of gladiators by their numbers."""
    first, second = (tuple(Fighter(gladiator) for gladiator in team) for team in teams)
    return State(rules, (first, second))


def start_wave(
    rules: Rules,
    teams: Sequence[Sequence[Fighter]],
    *,
    cheer: tuple[int, int] = (0, 0),
    momentum: int = 0,
    passes: int = 0,
    wave: int = 1,
) -> State:
    """A position within a wave, at an action of whoever has momentum.

    Raises ValueError for wounds, levels or cheer that cannot be.
    """
    for fighter in (*teams[0], *teams[1]):
        if not 0 <= fighter.level < NUM_LEVELS:
            raise ValueError(f"levels are 1 to {NUM_LEVELS}, got {fighter.level + 1}")
        if fighter.wounds < 0:
            raise ValueError(f"wounds are 0 or more, got {fighter.wounds}")
    if min(cheer) < 0 or passes not in (0, 1) or not 1 <= wave <= rules.match.waves + rules.match.extra_waves:
        raise ValueError("cheer is 0 or more, passes 0 or 1, and the wave one of the match")
    first, second = (tuple(_clipped(rules, fighter) for fighter in team) for team in teams)
    state = State(rules, (first, second), cheer, momentum, momentum, passes, wave, Phase.ACT)
    return _ended(state) or state


# -- numbers of a gladiator ---------------------------------------------------------------------------


def rule_of(rules: Rules, fighter: Fighter) -> GladiatorRule:
    """The rule of a gladiator on the table."""
    return rules.gladiators[fighter.gladiator]


def is_alive(rules: Rules, fighter: Fighter) -> bool:
    """Whether its wounds are below its life (R3)."""
    return fighter.wounds < rule_of(rules, fighter).life[fighter.level]


def is_raging(rules: Rules, fighter: Fighter) -> bool:
    """Whether its wounds have reached its rage value (R1)."""
    return is_alive(rules, fighter) and fighter.wounds >= rule_of(rules, fighter).rage[fighter.level]


def points(state: State, player: int) -> int:
    """Victory points in the opponent's pyre, which the player has scored (R3, T2)."""
    other = state.teams[1 - player]
    return sum(rule_of(state.rules, each).points for each in other if not is_alive(state.rules, each))


def wounds(state: State, player: int) -> int:
    """Wounds on a player's gladiators, the destroyed with their life (B1)."""
    return sum(each.wounds for each in state.teams[player])


def _clipped(rules: Rules, fighter: Fighter) -> Fighter:
    """A destroyed gladiator has its life as wounds (B1), and stands nowhere."""
    life = rule_of(rules, fighter).life[fighter.level]
    if fighter.wounds < life:
        return fighter
    return Fighter(fighter.gladiator, fighter.level, life, SUPPORT, True)


def harmless_attack(state: State) -> tuple[Fighter, Fighter] | None:
    """An attack on the target itself that would wound nobody, None if there is none among these gladiators.

    Without one a wave is finite: a raging gladiator is unset only by an attack that wounds somebody, and all
    else goes one way (W7).
    """
    for player in (0, 1):
        for attacker, target in product(state.teams[player], state.teams[1 - player]):
            strike, against = rule_of(state.rules, attacker), rule_of(state.rules, target)
            damage = max(0, strike.attack[attacker.level] - against.shield[target.level])
            if damage + against.defence[target.level] == 0:
                return attacker, target
    return None


# -- who decides, and what is allowed -----------------------------------------------------------------


def is_over(state: State) -> bool:
    """Whether the match has ended."""
    return state.phase == Phase.OVER


def decider(state: State) -> int:
    """The player who decides now, `CHANCE` for a die, `OVER` at the end."""
    if state.phase == Phase.OVER:
        return OVER
    return CHANCE if state.phase == Phase.DIE else state.turn


def chance_outcomes(state: State) -> list[tuple[int, int]]:
    """Who gets momentum by a die, with equal weights (T5, B1)."""
    return [(0, 1), (1, 1)] if state.phase == Phase.DIE else []


def legal_moves(state: State) -> tuple[Move, ...]:
    """What the decider may do, each once."""
    own = state.teams[state.turn]
    alive = [index for index, each in enumerate(own) if is_alive(state.rules, each)]
    if state.phase == Phase.ACT:
        return tuple(_actions(state))
    if state.phase == Phase.STAND_IN:
        return tuple(_stand_ins(state))
    if state.phase == Phase.ROAR:
        return (Move(Kind.ROAR), Move(Kind.QUIET))
    if state.phase == Phase.PROMOTE:
        rising = [index for index in alive if own[index].level < NUM_LEVELS - 1]
        most = min(state.rules.match.promotions, len(rising))
        sets = (chosen for size in range(most, -1, -1) for chosen in combinations(rising, size))
        return tuple(Move(Kind.PROMOTE, many=chosen) for chosen in sets)
    if state.phase == Phase.PLACE:
        choices = [(ACTION, SUPPORT) if index in alive else (SUPPORT,) for index in range(len(own))]
        return tuple(Move(Kind.PLACE, many=fields) for fields in product(*choices))
    return ()


def _actions(state: State) -> Iterator[Move]:
    """Attack (A2), advance, retreat (A1), pass (M5)."""
    own, other = state.teams[state.turn], state.teams[1 - state.turn]
    standing = [(index, each) for index, each in enumerate(own) if is_alive(state.rules, each)]
    for index, each in standing:
        if each.field == ACTION and not each.is_set:
            for target, against in enumerate(other):
                if is_alive(state.rules, against):
                    yield Move(Kind.ATTACK, index, target)
    for index, each in standing:
        if each.field == SUPPORT and not each.is_set:
            yield Move(Kind.ADVANCE, index)
        if each.field == ACTION:
            yield Move(Kind.RETREAT, index)
    yield Move(Kind.PASS)


def _stand_ins(state: State) -> Iterator[Move]:
    """Whoever may take the attack for its target, and nobody (A3)."""
    assert state.attack is not None
    own = state.teams[1 - state.momentum]
    field = own[state.attack.target].field
    for index, each in enumerate(own):
        if index == state.attack.target or each.is_set or not is_alive(state.rules, each):
            continue
        if each.field == field:
            yield Move(Kind.INTERCEPT, index)
        elif each.field == ACTION:
            yield Move(Kind.PROTECT, index)
    yield Move(Kind.TAKE)


# -- transitions --------------------------------------------------------------------------------------


def step(state: State, move: Move | int) -> State:
    """The state after a move, or after an outcome of the die.

    Raises IllegalMove for what is not allowed.
    """
    if isinstance(move, int):
        if state.phase != Phase.DIE or move not in (0, 1):
            raise IllegalMove(f"no outcome {move} here")
        return _began(state, move)
    if move not in legal_moves(state):
        raise IllegalMove(f"{move} is not allowed here")
    if state.phase == Phase.ACT:
        return _act(state, move)
    if state.phase == Phase.STAND_IN:
        return _resolve(state, move)
    if state.phase == Phase.ROAR:
        roars = move.kind == Kind.ROAR
        acting = state.turn if roars else state.momentum
        cheer = _cheered(state, state.turn, -1 if roars else 0)
        return replace(state, cheer=cheer, momentum=acting, turn=acting, phase=Phase.ACT)
    return _prepare(state, move)


def _act(state: State, move: Move) -> State:
    """Carry out an action, or announce an attack (M1, A1, A2, M5)."""
    player, other = state.turn, 1 - state.turn
    if move.kind == Kind.PASS:
        if state.passes:
            return _end_of_wave(state)
        return replace(state, passes=1, momentum=other, turn=other)
    own = state.teams[player]
    state = replace(state, passes=0)
    if move.kind == Kind.ADVANCE:
        moved = _with(state, player, move.who, own[move.who]._replace(field=ACTION))
        return _after_positive(moved)
    if move.kind == Kind.RETREAT:
        moved = _with(state, player, move.who, own[move.who]._replace(field=SUPPORT, is_set=True))
        return replace(moved, momentum=other, turn=other)
    target = state.teams[other][move.target]
    raging = is_raging(state.rules, target)
    attack = Attack(move.who, move.target, raging and not target.is_set, raging and target.is_set)
    state = _with(state, player, move.who, own[move.who]._replace(is_set=True))
    state = replace(state, attack=attack, turn=other, phase=Phase.STAND_IN)
    return state if len(legal_moves(state)) > 1 else _resolve(state, Move(Kind.TAKE))


def _resolve(state: State, stand_in: Move) -> State:
    """Damage on both sides at once, rage effects, cheer (A4-A6, R2)."""
    assert state.attack is not None
    rules, (who, target, enraged, roused) = state.rules, state.attack
    player, other = state.momentum, 1 - state.momentum
    direct = stand_in.kind == Kind.TAKE
    hit = target if direct else stand_in.who
    attacker, defender = state.teams[player][who], state.teams[other][hit]
    if stand_in.kind == Kind.INTERCEPT:
        defender = defender._replace(is_set=True)
    damage = rule_of(rules, attacker).attack[attacker.level] - rule_of(rules, defender).shield[defender.level]
    back = 0
    if direct or rules.combat.stand_in_defends:
        back = rule_of(rules, defender).defence[defender.level]
    if direct and enraged:
        back += rules.combat.rage_damage
    attacker = _clipped(rules, attacker._replace(wounds=attacker.wounds + back))
    defender = _clipped(rules, defender._replace(wounds=defender.wounds + max(0, damage)))
    if direct and roused and is_alive(rules, defender):
        defender = defender._replace(is_set=False)
    state = _with(_with(state, player, who, attacker), other, hit, defender)
    cheer = _cheered(state, other if stand_in.kind == Kind.INTERCEPT else player, 1)
    state = replace(state, cheer=cheer, attack=None)
    return _ended(state) or _after_positive(state)


def _after_positive(state: State) -> State:
    """Offer the opponent a roar, if there is cheer for one (M4); else momentum stays (M1)."""
    other = 1 - state.momentum
    if state.cheer[other]:
        return replace(state, turn=other, phase=Phase.ROAR)
    return replace(state, turn=state.momentum, phase=Phase.ACT)


def _ended(state: State) -> State | None:
    """The finished match if an action has ended it (W1-W3), else None."""
    return None if result(state) is None else replace(state, phase=Phase.OVER, attack=None)


def result(state: State) -> int | None:
    """Which player has won by what lies on the table: 0, 1, or -1 for a draw; None if nobody has yet.

    In the order of W1 to W3. Where both have reached the points that win, more of them win; equal ones draw.
    """
    alive = [any(is_alive(state.rules, each) for each in team) for team in state.teams]
    scored = (points(state, 0), points(state, 1))
    if not all(alive):
        return _more(scored) if not any(alive) else alive.index(True)
    for player in (0, 1):
        if state.cheer[player] >= state.rules.match.riot:
            return player
    return _more(scored) if max(scored) >= state.rules.match.winning_points else None


def _more(scored: tuple[int, int]) -> int:
    return -1 if scored[0] == scored[1] else int(scored[1] > scored[0])


def winner(state: State) -> int | None:
    """Who has won a finished match, None for a draw (W1-W3)."""
    assert is_over(state)
    found = result(state)
    best = _more((points(state, 0), points(state, 1))) if found is None else found
    return None if best < 0 else best


def payoffs(state: State) -> tuple[float, float]:
    """What a finished match pays (W5): 1 to the winner, and -1 to the other."""
    best = winner(state)
    if best is None:
        return 0.0, 0.0
    return (1.0, -1.0) if best == 0 else (-1.0, 1.0)


# -- between waves ------------------------------------------------------------------------------------


def _end_of_wave(state: State) -> State:
    """All have passed in a row (M5): the match is over (W3), or the breather begins (B1)."""
    match = state.rules.match
    tied = points(state, 0) == points(state, 1)
    if state.wave >= match.waves and (not tied or state.wave >= match.waves + match.extra_waves):
        return replace(state, phase=Phase.OVER, passes=2)
    ranks = [(wounds(state, player), state.cheer[player]) for player in (0, 1)]
    state = replace(state, passes=0, wave=state.wave + 1, phase=Phase.DIE)
    return state if ranks[0] == ranks[1] else _began(state, int(ranks[1] > ranks[0]))


def _began(state: State, player: int) -> State:
    """A player has momentum: first teams are placed (T5); later all unset, and promotions come (B2, B4)."""
    phase = Phase.PLACE if state.wave == 1 else Phase.PROMOTE
    first, second = (
        tuple(_clipped(state.rules, each._replace(is_set=False)) for each in team) for team in state.teams
    )
    return replace(state, teams=(first, second), momentum=player, turn=player, phase=phase)


def _prepare(state: State, move: Move) -> State:
    """Promotions (B4) or placements (T5, B5), the starter first, then the other."""
    player, match = state.turn, state.rules.match
    for index, each in enumerate(state.teams[player]):
        if move.kind == Kind.PLACE and is_alive(state.rules, each):
            state = _with(state, player, index, each._replace(field=move.many[index]))
        elif move.kind == Kind.PROMOTE and index in move.many:
            healed = max(0, each.wounds - match.promotion_heals)
            state = _with(state, player, index, each._replace(level=each.level + 1, wounds=healed))
    if player == state.momentum:
        return replace(state, turn=1 - player)
    phase = Phase.PLACE if move.kind == Kind.PROMOTE else Phase.ACT
    return replace(state, turn=state.momentum, phase=phase)


def _with(state: State, player: int, index: int, fighter: Fighter) -> State:
    team = state.teams[player]
    changed = (*team[:index], fighter, *team[index + 1 :])
    return replace(state, teams=(changed, state.teams[1]) if player == 0 else (state.teams[0], changed))


def _cheered(state: State, player: int, change: int) -> tuple[int, int]:
    first, second = state.cheer
    return (first + change, second) if player == 0 else (first, second + change)
