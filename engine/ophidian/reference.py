"""The whole game of Ophidian Arena for two players, in plain Python: immutable states, one function per rule.

This is the specification as code; nothing here is fast. `start_match` begins a whole match with cards.
`start` and `start_wave` begin fights without cards, which are its special case: no hands, no abilities. All
are walked with `decider`, `legal_moves` / `chance_outcomes` and `step`. Nothing is hidden in a state:
`engine.ophidian.reference_view` says what a player sees.
"""

from __future__ import annotations

from engine.ophidian.reference_effects import ability_of_action, carried_out, paid, struck
from engine.ophidian.reference_moves import IN_PLAY, moves, responses
from engine.ophidian.reference_round import (
    acting,
    began,
    cut_down,
    drawing,
    ended,
    maintain,
    passed,
    refill,
    reinforce,
    resolved,
    result,
    step_done,
    winner,
)
from engine.ophidian.reference_start import Seat, seat_of, start, start_match, start_wave
from engine.ophidian.reference_state import (
    ACTION,
    SUPPORT,
    Action,
    Fighter,
    Holding,
    Kind,
    Move,
    Phase,
    State,
    Team,
    cheered,
    clipped,
    holds,
    is_alive,
    is_raging,
    number,
    points,
    rule_of,
    with_fighter,
    with_holding,
    with_team,
    wounds,
)
from engine.protocol import CHANCE, OVER, IllegalMove
from engine.records import replace

__all__ = [
    "ACTION",
    "CHANCE",
    "OVER",
    "SUPPORT",
    "Action",
    "Fighter",
    "Holding",
    "IllegalMove",
    "Kind",
    "Move",
    "Phase",
    "Seat",
    "State",
    "Team",
    "chance_outcomes",
    "decider",
    "is_alive",
    "is_over",
    "is_raging",
    "legal_moves",
    "number",
    "payoffs",
    "points",
    "result",
    "rule_of",
    "seat_of",
    "start",
    "start_match",
    "start_wave",
    "step",
    "winner",
    "wounds",
]

_FACES = 6
_NO_ABILITY = (Kind.ATTACK, Kind.ADVANCE, Kind.RETREAT)


# -- who decides, and what is allowed -----------------------------------------------------------------


def is_over(state: State) -> bool:
    """Whether the match has ended."""
    return state.phase == Phase.OVER


def decider(state: State) -> int:
    """The player who decides now, `CHANCE` for a die or a card, `OVER` at the end."""
    if state.phase == Phase.OVER:
        return OVER
    return CHANCE if state.phase in (Phase.DIE, Phase.ROLL, Phase.DRAW) else state.turn


def chance_outcomes(state: State) -> list[tuple[int, int]]:
    """Who gets momentum (T5, B1), the face of a die, or which card is drawn, each with its weight."""
    if state.phase == Phase.DIE:
        return [(0, 1), (1, 1)]
    if state.phase == Phase.ROLL:
        return [(face, 1) for face in range(1, _FACES + 1)]
    if state.phase != Phase.DRAW:
        return []
    holding = state.holdings[state.turn]
    if not any(holding.deck):
        return [(holding.bottom[0], 1)]
    return [(card, copies) for card, copies in enumerate(holding.deck) if copies]


def legal_moves(state: State) -> tuple[Move, ...]:
    """What the decider may do, each once."""
    return tuple(moves(state))


def payoffs(state: State) -> tuple[float, float]:
    """What a finished match pays (W5): 1 to the winner, and -1 to the other."""
    best = winner(state)
    if best is None:
        return 0.0, 0.0
    return (1.0, -1.0) if best == 0 else (-1.0, 1.0)


# -- transitions --------------------------------------------------------------------------------------


def step(state: State, move: Move | int) -> State:
    """The state after a move, or after an outcome of chance.

    Raises IllegalMove for what is not allowed.
    """
    if isinstance(move, int):
        if move not in [outcome for outcome, _ in chance_outcomes(state)]:
            raise IllegalMove(f"no outcome {move} here")
        return _chance(state, move)
    if move not in legal_moves(state):
        raise IllegalMove(f"{move} is not allowed here")
    if state.phase == Phase.ACT:
        return _act(state, move)
    if state.phase == Phase.STAND_IN:
        return _defended(state, move)
    if state.phase == Phase.ROAR:
        return _roar(state, roars=move.kind == Kind.ROAR)
    if state.phase == Phase.RESPOND:
        return _respond(state, move)
    if state.phase == Phase.DISCARD:
        return _discard(state, move)
    if state.phase == Phase.UNDER:
        holding = state.holdings[state.turn]
        hand = _without(holding.hand, move.card)
        holding = holding._replace(hand=hand, bottom=(*holding.bottom, move.card))
        return cut_down(with_holding(state, state.turn, holding))
    if state.phase == Phase.MAINTAIN:
        return maintain(state, move)
    if state.phase == Phase.REINFORCE:
        return reinforce(state, move)
    return _prepare(state, move)


def _chance(state: State, outcome: int) -> State:
    if state.phase == Phase.DIE:
        return began(state, outcome)
    if state.phase == Phase.ROLL:
        if state.response is not None:
            return _resume(replace(state, response=state.response._replace(die=outcome)))
        assert state.action is not None
        return _resume(replace(state, action=state.action._replace(die=outcome)))
    holding = state.holdings[state.turn]
    if any(holding.deck):
        deck = list(holding.deck)
        deck[outcome] -= 1
        holding = holding._replace(deck=tuple(deck))
    else:
        holding = holding._replace(bottom=holding.bottom[1:])
    holding = holding._replace(hand=tuple(sorted((*holding.hand, outcome))))
    state = drawing(replace(with_holding(state, state.turn, holding), left=state.left - 1))
    if state.left:
        return state
    if state.action is not None:
        return _resume(state)
    return ended(state) or cut_down(state)


def _without(cards: tuple[int, ...], card: int) -> tuple[int, ...]:
    left = list(cards)
    left.remove(card)
    return tuple(left)


def _discard(state: State, move: Move) -> State:
    """A card leaves the hand; before drawing, any number of them (B2)."""
    if move.kind == Kind.STOP:
        return refill(state)
    holding = state.holdings[state.turn]
    state = with_holding(state, state.turn, holding._replace(hand=_without(holding.hand, move.card)))
    if state.action is not None:
        state = replace(state, left=state.left - 1)
        return state if state.left else _resume(state)
    state = replace(state, left=move.card)
    more = any(card >= move.card for card in state.holdings[state.turn].hand)
    return state if more else refill(state)


# -- actions ------------------------------------------------------------------------------------------


def _act(state: State, move: Move) -> State:
    """Announce an action and pay for it (M1, M2)."""
    player, own = state.turn, state.teams[state.turn]
    if move.kind == Kind.PASS:
        return passed(state)
    action = Action(move.kind, player, move.who, move.target, move.card, move.side)
    if move.kind == Kind.ATTACK:
        target = state.teams[1 - player][move.target]
        raging = is_raging(state.rules, target)
        action = action._replace(
            positive=True,
            hit=move.target,
            enraged=raging and not target.is_set,
            roused=raging and target.is_set,
        )
        state = with_fighter(state, player, move.who, own[move.who]._replace(is_set=True))
        state = replace(state, action=action, turn=1 - player, phase=Phase.STAND_IN)
        return state if len(legal_moves(state)) > 1 else _defended(state, Move(Kind.TAKE))
    if move.kind in _NO_ABILITY:
        return _window(replace(state, action=action._replace(positive=move.kind == Kind.ADVANCE)))
    sign = _sign(state, action)
    action = action._replace(positive=sign == "+", variable=sign == "variable")
    return _announced(replace(state, action=action), action, responding=False)


def _sign(state: State, action: Action) -> str:
    """The sign of a card, or of an ability in play (M1)."""
    if action.kind == Kind.PLAY:
        return state.rules.cards[action.card].sign
    ability = ability_of_action(state, action)
    assert ability is not None
    return ability.sign


def _defended(state: State, move: Move) -> State:
    """Who takes an attack: the interceptor sets at once (A3)."""
    action, other = state.action, 1 - state.momentum
    assert action is not None
    if move.kind == Kind.INTERCEPT:
        fighter = state.teams[other][move.who]
        state = with_fighter(state, other, move.who, fighter._replace(is_set=True))
    hit = action.target if move.kind == Kind.TAKE else move.who
    return _window(replace(state, action=action._replace(hit=hit, by=move.kind)))


def _announced(state: State, announced: Action, *, responding: bool) -> State:
    """Pay what was announced costs; cards to discard are chosen before anything else happens."""
    state = paid(state, announced)
    ability = ability_of_action(state, announced)
    if ability is not None and ability.cost.discard:
        announced = announced._replace(done=-1)
        waiting = replace(state, phase=Phase.DISCARD, turn=announced.player, left=ability.cost.discard)
        if responding:
            return replace(waiting, response=announced)
        return replace(waiting, action=announced)
    return _carry_on(state) if responding else _window(state)


def _window(state: State) -> State:
    """Ask for responses, the opponent first, until both decline in a row (M2); then the action resolves.

    Before, the opponent may roar where rules have that window (M4).
    """
    action = state.action
    assert action is not None
    if not state.holdings:
        return _carry_on(state)
    other = 1 - action.player
    early = state.rules.combat.roar_window != "resolved" and action.positive and not action.variable
    if early and state.cheer[other]:
        return replace(state, turn=other, phase=Phase.ROAR)
    return _ask(replace(state, declined=0), other)


def _roar(state: State, *, roars: bool) -> State:
    """The crowd roars, or not; with an action that is announced only, play goes on to its responses (M4)."""
    state = replace(state, cheer=cheered(state, state.turn, -1 if roars else 0))
    action = state.action
    if action is None:
        return acting(state, state.turn if roars else state.momentum)
    if roars:
        state = replace(state, action=action._replace(positive=False, roared=True))
    return _ask(replace(state, declined=0), state.turn)


def _ask(state: State, player: int) -> State:
    """Whoever has nothing to respond declines."""
    while state.declined < 2:
        if next(responses(state, player), None) is not None:
            return replace(state, turn=player, phase=Phase.RESPOND)
        state = replace(state, declined=state.declined + 1)
        player = 1 - player
    return _carry_on(state)


def _respond(state: State, move: Move) -> State:
    """Decline, or respond; each response resolves at once (M2)."""
    player = state.turn
    if move.kind == Kind.DECLINE:
        return _ask(replace(state, declined=state.declined + 1), 1 - player)
    response = Action(move.kind, player, move.who, move.target, move.card, move.side)
    key = move.card if move.kind == Kind.REPLY else IN_PLAY + 2 * move.who + move.card
    state = replace(state, response=response, used=(*state.used, (player, key)), declined=0)
    return _announced(state, response, responding=True)


def _resume(state: State) -> State:
    """Go on after cards and dice."""
    response, action = state.response, state.action
    if response is not None:
        return _carry_on(replace(state, response=response._replace(done=max(0, response.done))))
    assert action is not None
    if action.done >= 0:
        return _carry_on(state)
    return _window(replace(state, action=action._replace(done=0)))


def _carry_on(state: State) -> State:
    """Do what is left to do of the response, or of the action."""
    if state.response is None:
        return _resolve(state)
    response = state.response
    ability = ability_of_action(state, response)
    assert ability is not None
    if ability.needs_die and not response.die:
        return replace(state, phase=Phase.ROLL, turn=response.player)
    while response.done < len(ability.do):
        do = ability.do[response.done]
        response = response._replace(done=response.done + 1)
        state = carried_out(replace(state, response=response, phase=Phase.RESPOND), response, ability, do)
        state = drawing(state) if state.phase == Phase.DRAW else state
        if state.phase in (Phase.DRAW, Phase.DISCARD) and state.left:
            return state
    state = replace(state, response=None, left=0)
    return ended(state) or _ask(state, 1 - response.player)


def _resolve(state: State) -> State:
    """Carry out an action that nobody responds to any more."""
    action = state.action
    assert action is not None
    player = action.player
    if action.resolved:
        ability = ability_of_action(state, action)
        return resolved(state, action.positive, passes=ability is not None and ability.counts_as_pass)
    if state.passes and not _counts_as_pass(state, action):
        state = replace(state, passes=0)
    if action.kind == Kind.ATTACK:
        return _after(struck(state, action), action.positive)
    own = state.teams[player]
    if action.kind in (Kind.ADVANCE, Kind.RETREAT):
        moved = own[action.who]._replace(field=ACTION)
        if action.kind == Kind.RETREAT:
            moved = moved._replace(field=SUPPORT, is_set=True)
        return _after(with_fighter(state, player, action.who, moved), action.positive)
    ability = ability_of_action(state, action)
    if ability is None:
        return _after(_put(state, action), action.positive)
    if ability.needs_die and not action.die:
        return replace(state, phase=Phase.ROLL, turn=player)
    while action.done < len(ability.do):
        do = ability.do[action.done]
        action = action._replace(done=action.done + 1)
        state = carried_out(replace(state, action=action, phase=Phase.ACT), action, ability, do)
        state = drawing(state) if state.phase == Phase.DRAW else state
        if state.phase in (Phase.DRAW, Phase.DISCARD) and state.left:
            return state
    positive = action.positive
    if action.variable:
        # Its card as it is now: what the action did may have changed it.
        fighter = state.teams[player][action.who] if action.kind == Kind.ABILITY else None
        positive = holds(state, player, fighter, ability.positive_if, action.die)
    return _after(state, positive, passes=ability.counts_as_pass)


def _after(state: State, positive: bool, *, passes: bool = False) -> State:
    """Ask for responses to what has resolved, likewise, unless that has ended the match (M2)."""
    action = state.action
    assert action is not None
    if state.holdings and state.rules.answers_late and result(state) is None:
        action = action._replace(positive=positive, resolved=True)
        asking = replace(state, action=action, declined=0, left=0)
        if any(next(responses(asking, player), None) is not None for player in (0, 1)):
            return _ask(asking, 1 - action.player)
    return resolved(state, positive, passes=passes)


def _counts_as_pass(state: State, action: Action) -> bool:
    """Whether an action does not end the row of passes (M5)."""
    ability = ability_of_action(state, action)
    return ability is not None and ability.counts_as_pass and not action.positive


def _put(state: State, action: Action) -> State:
    """A minion enters the support field; a pump is put on a Character that is still there (P3)."""
    player, card = action.player, state.rules.cards[action.card]
    if card.type == "minion":
        minion = Fighter(-1, 0, 0, SUPPORT, False, action.card)
        return with_team(state, player, (*state.teams[player], minion))
    fighter = state.teams[action.side][action.target]
    if not is_alive(state.rules, fighter):
        return state
    pumped = fighter._replace(pumps=(*fighter.pumps, (player, action.card)))
    return with_fighter(state, action.side, action.target, clipped(state.rules, pumped))


# -- between waves ------------------------------------------------------------------------------------


def _prepare(state: State, move: Move) -> State:
    """Promotions (B4) or placements (T5, B5), the starter first, then the other."""
    player, match = state.turn, state.rules.match
    for index, each in enumerate(state.teams[player]):
        if move.kind == Kind.PLACE and is_alive(state.rules, each):
            state = with_fighter(state, player, index, each._replace(field=move.many[index]))
        elif move.kind == Kind.PROMOTE and index in move.many:
            healed = max(0, each.wounds - match.promotion_heals)
            state = with_fighter(state, player, index, each._replace(level=each.level + 1, wounds=healed))
    return step_done(state, state.phase)
