"""What may be done: actions, answers to an attack, responses, and the steps of the breather."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

from engine.ophidian.abilities import Ability, Cost, Filter
from engine.ophidian.reference_state import (
    ACTION,
    SUPPORT,
    Holding,
    Kind,
    Move,
    Phase,
    State,
    fits,
    holds,
    is_alive,
    may_stand_in,
    meets,
    rule_of,
)
from engine.ophidian.rules import NUM_LEVELS, CardRule
from engine.ophidian.rules_schema import MAX_MINIONS, MAX_PUMPS, MAX_RESPONSES, NEVER

IN_PLAY = 64
"""Abilities in play are counted from here among what was used, cards in hand from 0."""
ABILITIES = 2
"""Abilities of one card."""


def moves(state: State) -> Iterator[Move]:
    """What the decider may do, each once."""
    yield from _OF_PHASE[state.phase](state)


def _actions(state: State) -> Iterator[Move]:
    """Attack (A2), advance, retreat (A1), abilities, cards (P2-P4), pass (M5)."""
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
    if state.holdings:
        yield from _abilities(state, state.turn, "action", Kind.ABILITY)
        yield from _cards(state, state.turn)
    yield Move(Kind.PASS)


def _stand_ins(state: State) -> Iterator[Move]:
    """Whoever may take the attack for its target, and nobody (A3)."""
    assert state.action is not None
    own = state.teams[1 - state.momentum]
    field = own[state.action.target].field
    for index, each in enumerate(own):
        if index == state.action.target or each.is_set or not is_alive(state.rules, each):
            continue
        if not may_stand_in(state, each):
            continue
        if each.field == field:
            yield Move(Kind.INTERCEPT, index)
        elif each.field == ACTION:
            yield Move(Kind.PROTECT, index)
    yield Move(Kind.TAKE)


def _roars(state: State) -> Iterator[Move]:
    yield Move(Kind.ROAR)
    yield Move(Kind.QUIET)


def _promotions(state: State) -> Iterator[Move]:
    """Up to so many different gladiators; those that enter come after it (B4)."""
    own = state.teams[state.turn]
    rising = [
        index
        for index, each in enumerate(own)
        if each.is_gladiator and is_alive(state.rules, each) and each.level < NUM_LEVELS - 1
    ]
    for size in range(min(state.rules.match.promotions, len(rising)), -1, -1):
        for chosen in combinations(rising, size):
            yield Move(Kind.PROMOTE, many=chosen)


def _placements(state: State) -> Iterator[Move]:
    """Every own Character to either field (T5, B5)."""
    own = state.teams[state.turn]
    choices = [(ACTION, SUPPORT) if is_alive(state.rules, each) else (SUPPORT,) for each in own]
    for fields in product(*choices):
        yield Move(Kind.PLACE, many=fields)


# -- cards and abilities ------------------------------------------------------------------------------


def _cards(state: State, player: int) -> Iterator[Move]:
    """Cards that may be played as actions, each title once."""
    holding = state.holdings[player]
    for card in dict.fromkeys(holding.hand):
        rule = state.rules.cards[card]
        if rule.sign != "response" and _playable(state, player, rule, card):
            yield from _uses(state, player, Kind.PLAY, card)


def responses(state: State, player: int) -> Iterator[Move]:
    """What a player may respond to what is announced, or has resolved (M2, M3)."""
    assert state.action is not None
    when = "resolved" if state.action.resolved else "announced"
    if len(state.used) >= MAX_RESPONSES:
        return
    for card in dict.fromkeys(state.holdings[player].hand):
        rule = state.rules.cards[card]
        if rule.sign != "response" or not _playable(state, player, rule, card):
            continue
        ability = rule.abilities[0]
        if ability.when != when:
            continue
        again = state.used.count((player, card)) < ability.repeatable
        if again and _answers(state, player, ability, None) and _subject_holds(state, player, ability):
            yield from _uses(state, player, Kind.REPLY, card)
    yield from _abilities(state, player, when, Kind.REACT)


def _asked(state: State) -> Iterator[Move]:
    yield from responses(state, state.turn)
    yield Move(Kind.DECLINE)


def _playable(state: State, player: int, rule: CardRule, card: int) -> bool:
    """Whether a card can be paid for, and its requirements are met (P1, P2, P5)."""
    if rule.cost > state.holdings[player].resources or not meets(state, player, rule):
        return False
    return not (rule.unique and _in_play(state, 1 - player, card))


def _in_play(state: State, player: int, card: int) -> bool:
    """Whether a player has a title in play (P5)."""
    return any(each.card == card for each in state.teams[player] if is_alive(state.rules, each)) or any(
        pump == (player, card) for team in state.teams for each in team for pump in each.pumps
    )


def _uses(state: State, player: int, kind: Kind, card: int) -> Iterator[Move]:
    """The ways to play a card from hand: who pays in wounds, and its target."""
    rule, own = state.rules.cards[card], state.teams[player]
    if rule.type == "minion":
        if num_minions(state, player) < MAX_MINIONS:
            yield Move(kind, card=card)
    elif rule.type == "pump":
        for side, index in _targets(state, player, rule.put_on):
            if len(state.teams[side][index].pumps) < MAX_PUMPS:
                yield Move(kind, target=index, card=card, side=side)
    else:
        ability = rule.abilities[0]
        if not _can_pay(state, player, ability.cost, rule.cost, 1):
            return
        payers = [-1]
        if ability.cost.wound:
            payers = [
                who for who, each in enumerate(own) if each.is_gladiator and is_alive(state.rules, each)
            ]
        for who in payers:
            for side, index in _targets(state, player, ability.target):
                yield Move(kind, who, index, card=card, side=side)


def _abilities(state: State, player: int, when: str, kind: Kind) -> Iterator[Move]:
    """Abilities of own cards in play, as actions or responses."""
    for who, fighter in enumerate(state.teams[player]):
        if not is_alive(state.rules, fighter):
            continue
        for place, ability in enumerate(rule_of(state.rules, fighter).abilities):
            if ability.when != when or (ability.cost.set and fighter.is_set):
                continue
            if ability.responds:
                key = (player, IN_PLAY + ABILITIES * who + place)
                if state.used.count(key) >= ability.repeatable or not _answers(state, player, ability, who):
                    continue
            if not holds(state, player, fighter, ability.condition):
                continue
            if _can_pay(state, player, ability.cost, 0, 0):
                for side, index in _targets(state, player, ability.target):
                    yield Move(kind, who, index, card=place, side=side)


def _can_pay(state: State, player: int, cost: Cost, resources: int, cards: int) -> bool:
    """Whether a player has what an ability costs; beside so many resources and cards (P1)."""
    holding: Holding = state.holdings[player]
    return (
        holding.resources >= cost.resources + resources
        and state.cheer[player] >= cost.cheer
        and len(holding.hand) >= cost.discard + cards
    )


def _targets(state: State, player: int, wanted: Filter | None) -> Iterator[tuple[int, int]]:
    """Characters that are meant, own ones first; nobody where nobody is asked for."""
    if wanted is None:
        yield -1, -1
        return
    for side in (player, 1 - player):
        for index in range(len(state.teams[side])):
            if fits(state, player, side, index, wanted):
                yield side, index


def _answers(state: State, player: int, ability: Ability, source: int | None) -> bool:
    """Whether a response answers an action; one in play answers only what concerns its own card."""
    action = state.action
    assert action is not None
    if ability.to in ("positive", "negative"):
        return not action.variable and action.positive == (ability.to == "positive")
    subject = action.hit if ability.to == "attacked" else action.who
    mine = player != action.player if ability.to == "attacked" else player == action.player
    if action.kind != Kind.ATTACK or not mine or source not in (None, subject):
        return False
    attacker = state.teams[action.player][action.who]
    defender = state.teams[1 - action.player][action.hit]
    return is_alive(state.rules, attacker) and is_alive(state.rules, defender)


def _subject_holds(state: State, player: int, ability: Ability) -> bool:
    """Whether a condition of a card in hand holds for the own Character that it is about."""
    action = state.action
    assert action is not None
    fighter = None
    if ability.to in ("attacked", "attacks"):
        index = action.hit if ability.to == "attacked" else action.who
        fighter = state.teams[player][index]
    return holds(state, player, fighter, ability.condition)


def num_minions(state: State, player: int) -> int:
    """Minions of a player in play."""
    return sum(not each.is_gladiator for each in state.teams[player] if is_alive(state.rules, each))


# -- the breather -------------------------------------------------------------------------------------


def _discards(state: State) -> Iterator[Move]:
    """A card for an effect; or, before drawing, any number of them, ascending (B2)."""
    free = state.action is None
    for card in dict.fromkeys(state.holdings[state.turn].hand):
        if not free or card >= state.left:
            yield Move(Kind.DISCARD, card=card)
    if free:
        yield Move(Kind.STOP)


def _unders(state: State) -> Iterator[Move]:
    for card in dict.fromkeys(state.holdings[state.turn].hand):
        yield Move(Kind.UNDER, card=card)


def maintained(state: State, player: int) -> list[tuple[int, int, int, int]]:
    """What a player has in play that costs something in the breather (B3).

    Each is the side and the place of a Character, the place of a pump on it or -1, and the cost.
    """
    found: list[tuple[int, int, int, int]] = []
    for side in (0, 1):
        for index, fighter in enumerate(state.teams[side]):
            if not is_alive(state.rules, fighter):
                continue
            cost = rule_of(state.rules, fighter).maintain
            if side == player and cost:
                found.append((side, index, -1, cost))
            for place, (owner, card) in enumerate(fighter.pumps):
                cost = state.rules.cards[card].maintain
                if owner == player and cost:
                    found.append((side, index, place, cost))
    return found


def _payments(state: State) -> Iterator[Move]:
    """Pay for the next card, or let it be destroyed (B3)."""
    *_, cost = maintained(state, state.turn)[state.left]
    if cost != NEVER and cost <= state.holdings[state.turn].resources:
        yield Move(Kind.MAINTAIN)
    yield Move(Kind.ABANDON)


def may_reinforce(state: State, player: int) -> bool:
    """Whether a reinforcement may replace one that has fallen (B4)."""
    own, most = [each for each in state.teams[player] if each.is_gladiator], state.rules.match.team_size
    alive = sum(is_alive(state.rules, each) for each in own)
    entered = sum(state.rules.gladiators[each.gladiator].reinforcement for each in own)
    return entered < len(own) - alive and alive < most and bool(state.holdings[player].stack)


def _reinforcements(state: State) -> Iterator[Move]:
    for gladiator in state.holdings[state.turn].stack:
        if gladiator >= state.left:
            yield Move(Kind.REINFORCE, card=gladiator)
    yield Move(Kind.STOP)


def _nothing(state: State) -> Iterator[Move]:
    return iter(())


_OF_PHASE = {
    Phase.ACT: _actions,
    Phase.STAND_IN: _stand_ins,
    Phase.ROAR: _roars,
    Phase.PROMOTE: _promotions,
    Phase.PLACE: _placements,
    Phase.RESPOND: _asked,
    Phase.DISCARD: _discards,
    Phase.UNDER: _unders,
    Phase.MAINTAIN: _payments,
    Phase.REINFORCE: _reinforcements,
    Phase.DIE: _nothing,
    Phase.ROLL: _nothing,
    Phase.DRAW: _nothing,
    Phase.OVER: _nothing,
}
