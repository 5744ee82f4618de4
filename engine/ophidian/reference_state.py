"""States of a match of Ophidian Arena, and what can be read off them.

A fight without cards is a match in which nobody has `holdings`: then abilities are off, and there are neither
responses nor hands. All else is the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import NamedTuple

from engine.ophidian.abilities import STATS, Ability, Filter, If
from engine.ophidian.rules import BodyRule, CardRule, Rules
from engine.records import replace

SUPPORT, ACTION = 0, 1
"""The two fields of a player."""
FIELD_NUMBERS = {"support": SUPPORT, "action": ACTION}
TIMES = ("action", "wave", "until-0", "until-1")
"""How long a change lasts: this action, this wave, until a player gains momentum."""
PREVENT = len(STATS)
"""The column of damage that is prevented, after those of the numbers."""
NUM_COLUMNS = PREVENT + 1
NUM_CHANGES = NUM_COLUMNS * len(TIMES)
MAX_CHANGE = 60
"""Changes of a number add up to so much at most, each way."""


class Phase(IntEnum):
    """What is decided next."""

    DIE = 0  # who has momentum first, or after a full tie (T5, B1)
    PROMOTE = 1  # which gladiators rise a level (B4)
    PLACE = 2  # in which fields they stand (T5, B5)
    ACT = 3  # the next action of whoever has momentum (M1)
    STAND_IN = 4  # whether another takes the attack (A3)
    ROAR = 5  # whether a positive action becomes negative (M4)
    OVER = 6
    RESPOND = 7  # whether to respond (M2)
    ROLL = 8  # the die of an action
    DRAW = 9  # the next card (T4, B2)
    DISCARD = 10  # which card leaves the hand: for an effect, or before drawing (B2)
    UNDER = 11  # which card goes under the deck (T4, B2)
    MAINTAIN = 12  # whether a card is paid for (B3)
    REINFORCE = 13  # which reinforcement enters (B4)


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
    PLAY = 11  # a card from hand, as an action
    ABILITY = 12  # of a card in play, as an action
    REPLY = 13  # a card from hand, as a response
    REACT = 14  # an ability of a card in play, as a response
    DECLINE = 15  # no response
    DISCARD = 16
    STOP = 17  # no further discard, no further reinforcement
    UNDER = 18
    MAINTAIN = 19
    ABANDON = 20  # not paid for
    REINFORCE = 21


class Move(NamedTuple):
    """A move.

    Attributes
    ----------
    who : an own Character: it acts, has the ability, or takes the wounds that a card costs.
    target : a Character; of `side`, or of the opponent in an attack.
    many : those promoted, or the fields of all.
    card : the number of a card, of an ability of `who`, or of a reinforcement.
    """

    kind: Kind
    who: int = -1
    target: int = -1
    many: tuple[int, ...] = ()
    card: int = -1
    side: int = -1


class Fighter(NamedTuple):
    """A Character on the table.

    Attributes
    ----------
    gladiator : its number in the rules, -1 for a minion.
    level : from 0, which is level 1; a reinforcement enters with -1, which is level 0 (B4).
    wounds : of the destroyed, their life.
    card : of a minion its number, else -1.
    pumps : owner and card of each.
    changes : what is added to its numbers for a time, or nothing; `NUM_COLUMNS` for each of `TIMES`.
    """

    gladiator: int
    level: int = 0
    wounds: int = 0
    field: int = ACTION
    is_set: bool = False
    card: int = -1
    pumps: tuple[tuple[int, int], ...] = ()
    changes: tuple[int, ...] = ()

    @property
    def is_gladiator(self) -> bool:
        """Whether it is no minion."""
        return self.card < 0


Team = tuple[Fighter, ...]


class Action(NamedTuple):
    """What is announced: an action, or a response to one.

    Attributes
    ----------
    kind, who, target, card, side : of the move.
    player : who announced it.
    positive : whether it is, as far as is known; a variable action has no sign that anybody could look for.
    enraged, roused : of an attack, whether the target was raging then, unset or set (R2).
    hit, by : the final Defender, and how it came to be (A3).
    done : how much of what it does is done; -1 before its cost in cards is paid.
    die : what was rolled, 0 before.
    resolved : what it does is done, and responses to that are asked for (M2).
    roared : whether the crowd has roared before it resolved (M4).
    """

    kind: Kind
    player: int
    who: int = -1
    target: int = -1
    card: int = -1
    side: int = -1
    positive: bool = False
    variable: bool = False
    enraged: bool = False
    roused: bool = False
    hit: int = -1
    by: Kind = Kind.TAKE
    done: int = 0
    die: int = 0
    resolved: bool = False
    roared: bool = False


class Holding(NamedTuple):
    """What a player has beside the table.

    Attributes
    ----------
    hand : ascending.
    deck : copies by card; the order is unknown.
    bottom : what was put under it, the first one first.
    stack : reinforcements by their numbers, ascending (T3).
    resources : left in this wave (P1).
    """

    hand: tuple[int, ...]
    deck: tuple[int, ...]
    bottom: tuple[int, ...] = ()
    stack: tuple[int, ...] = ()
    resources: int = 0


@dataclass(frozen=True)
class State:
    """A state of the match.

    Attributes
    ----------
    teams : each player's gladiators, in the order in which they came, the destroyed too; and its minions.
    cheer : of each player.
    momentum : who acts, or begins the breather.
    turn : who decides.
    passes : in a row.
    wave : from 1; 0 while the first cards are dealt.
    action, response : what is announced and not yet resolved.
    holdings : of both players; none in a fight without cards.
    used : responses to this action: player, and the card in hand or the ability in play (M3).
    declined : who have declined in a row to respond.
    left : cards still to draw or to discard; or how far a step of the breather has come.
    broke : a bit for each player who had to draw and could not (W4).
    past : positions of this wave since a card was played (W7).
    """

    rules: Rules = field(repr=False, hash=False)
    teams: tuple[Team, Team]
    cheer: tuple[int, int] = (0, 0)
    momentum: int = 0
    turn: int = 0
    passes: int = 0
    wave: int = 1
    phase: Phase = Phase.DIE
    action: Action | None = None
    response: Action | None = None
    holdings: tuple[Holding, ...] = ()
    used: tuple[tuple[int, int], ...] = ()
    declined: int = 0
    left: int = 0
    broke: int = 0
    past: tuple[Position, ...] = ()


class Position(NamedTuple):
    """What counts as the same position in a wave (W7)."""

    teams: tuple[Team, Team]
    cheer: tuple[int, int]
    resources: tuple[int, int]
    momentum: int
    passes: int


# -- numbers of a Character ---------------------------------------------------------------------------


def rule_of(rules: Rules, fighter: Fighter) -> BodyRule:
    """The rule of a Character on the table."""
    if fighter.card >= 0:
        return rules.cards[fighter.card].body
    return rules.gladiators[fighter.gladiator]


def printed(rules: Rules, fighter: Fighter, stat: str) -> int:
    """A number as printed; level 0 has those of level 1 (B4)."""
    if stat == "rage_damage":
        return rules.combat.rage_damage
    values: tuple[int, ...] = getattr(rule_of(rules, fighter), stat)
    return values[max(fighter.level, 0)]


def changed(fighter: Fighter, column: int) -> int:
    """What is added to a number for a time."""
    return sum(fighter.changes[column::NUM_COLUMNS])


def _vital(rules: Rules, fighter: Fighter, stat: str) -> int:
    """Life or rage: pumps change them always, by a number."""
    value = printed(rules, fighter, stat)
    if not fighter.pumps and not fighter.changes:
        return value
    for _, card in fighter.pumps:
        for ability in rules.cards[card].abilities:
            for do in ability.do:
                if ability.when == "static" and do.act == "modify" and do.stat == stat:
                    assert isinstance(do.amount, int)
                    value += do.amount
    return max(0, value + changed(fighter, STATS.index(stat)))


def is_alive(rules: Rules, fighter: Fighter) -> bool:
    """Whether its wounds are below its life (R3)."""
    if not fighter.pumps and not fighter.changes:
        # Most have nothing on them, and nothing is asked more often.
        return fighter.wounds < rule_of(rules, fighter).life[max(fighter.level, 0)]
    return fighter.wounds < _vital(rules, fighter, "life")


def is_raging(rules: Rules, fighter: Fighter) -> bool:
    """Whether its wounds have reached its rage value (R1)."""
    return is_alive(rules, fighter) and fighter.wounds >= _vital(rules, fighter, "rage")


def number(state: State, player: int, fighter: Fighter, stat: str) -> int:
    """One of a Character's numbers, with all that changes it; never below 0 (P4)."""
    rules = state.rules
    if stat in ("life", "rage"):
        return _vital(rules, fighter, stat)
    value = printed(rules, fighter, stat) + changed(fighter, STATS.index(stat))
    if state.holdings:
        for ability in rule_of(rules, fighter).abilities:
            value += _added(state, player, player, fighter, ability, stat)
        for owner, card in fighter.pumps:
            for ability in rules.cards[card].abilities:
                value += _added(state, owner, player, fighter, ability, stat)
    return max(0, value)


def _added(state: State, owner: int, player: int, fighter: Fighter, ability: Ability, stat: str) -> int:
    """What a static ability adds; `owner` is the ability's, `player` the Character's."""
    if ability.when != "static" or not holds(state, owner, fighter, ability.condition):
        return 0
    total = 0
    for do in ability.do:
        if do.act == "modify" and do.stat == stat and holds(state, owner, fighter, do.condition):
            total += amount(state, owner, fighter, ability, do.amount)
    return total


def amount(state: State, owner: int, fighter: Fighter | None, ability: Ability, source: int | str) -> int:
    """How much; `fighter` is whom it falls on. The die is that of the action's `amount_of`."""
    if isinstance(source, int):
        return source
    if source == "count":
        assert ability.count is not None
        places = ((side, index) for side in (0, 1) for index in range(len(state.teams[side])))
        return sum(fits(state, owner, side, index, ability.count) for side, index in places)
    assert fighter is not None
    return fighter.wounds if source == "wounds" else fighter.level + 1


def is_favourite(state: State, player: int) -> bool:
    """Whether a player has more cheer than the other (M6)."""
    return state.cheer[player] > state.cheer[1 - player]


def holds(state: State, owner: int, fighter: Fighter | None, condition: If, die: int = 0) -> bool:
    """Whether a condition holds for an owner and a Character."""
    if condition.favourite and not is_favourite(state, owner):
        return False
    if state.wave < condition.wave or die < condition.die:
        return False
    if fighter is None:
        return not condition.of_character
    return (
        condition.raging in (None, is_raging(state.rules, fighter))
        and (condition.field == "any" or fighter.field == FIELD_NUMBERS[condition.field])
        and fighter.level + 1 >= condition.level
    )


def fits(state: State, owner: int, side: int, index: int, wanted: Filter) -> bool:
    """Whether a Character of a side is one that is meant, seen by an owner."""
    fighter = state.teams[side][index]
    return (
        is_alive(state.rules, fighter)
        and wanted.side in ("any", "own" if side == owner else "enemy")
        and wanted.kind in ("any", "gladiator" if fighter.is_gladiator else "minion")
        and (wanted.field == "any" or fighter.field == FIELD_NUMBERS[wanted.field])
        and wanted.set in (None, fighter.is_set)
        and wanted.raging in (None, is_raging(state.rules, fighter))
        and wanted.wounded in (None, fighter.wounds > 0)
    )


def may_stand_in(state: State, fighter: Fighter) -> bool:
    """Whether its kind may take attacks for others: gladiators, and minions that say so (A3)."""
    return fighter.is_gladiator or rule_of(state.rules, fighter).stands_in


def meets(state: State, player: int, card: CardRule) -> bool:
    """Whether a player's gladiators in play meet all that a card requires (P2)."""
    rules = state.rules
    own = [each for each in state.teams[player] if each.is_gladiator and is_alive(rules, each)]

    def met(discipline: str, level: int) -> bool:
        for fighter in own:
            known = rules.gladiators[fighter.gladiator].disciplines
            fitting = discipline == "universal" or discipline in known or "universal" in known
            if fitting and fighter.level + 1 >= level:
                return True
        return False

    return all(met(discipline, level) for discipline, level in card.requires)


# -- points and wounds --------------------------------------------------------------------------------


def points(state: State, player: int) -> int:
    """Victory points in the opponent's pyre, which the player has scored (R3, T2)."""
    other = state.teams[1 - player]
    return sum(rule_of(state.rules, each).points for each in other if not is_alive(state.rules, each))


def wounds(state: State, player: int) -> int:
    """Wounds on a player's gladiators, the destroyed with their life (B1)."""
    return sum(each.wounds for each in state.teams[player] if each.is_gladiator)


# -- changes ------------------------------------------------------------------------------------------


def with_fighter(state: State, player: int, index: int, fighter: Fighter) -> State:
    """Return the state with one Character changed."""
    team = state.teams[player]
    return with_team(state, player, (*team[:index], fighter, *team[index + 1 :]))


def with_team(state: State, player: int, team: Sequence[Fighter]) -> State:
    """Return the state with one team changed."""
    new = tuple(team)
    return replace(state, teams=(new, state.teams[1]) if player == 0 else (state.teams[0], new))


def with_holding(state: State, player: int, holding: Holding) -> State:
    """Return the state with what one player holds changed."""
    first, second = state.holdings
    return replace(state, holdings=(holding, second) if player == 0 else (first, holding))


def cheered(state: State, player: int, change: int) -> tuple[int, int]:
    """The cheer of both, changed for one of them; never below 0."""
    first, second = state.cheer
    if player == 0:
        return max(0, first + change), second
    return first, max(0, second + change)


def clipped(rules: Rules, fighter: Fighter) -> Fighter:
    """A destroyed Character has its life as wounds (B1), stands nowhere, and has nothing on it (P6)."""
    if is_alive(rules, fighter):
        return fighter
    life = printed(rules, fighter, "life")
    return Fighter(fighter.gladiator, fighter.level, life, SUPPORT, True, fighter.card)
