"""Between actions: who acts next, the end of a wave and of the match, and the steps of the breather."""

from __future__ import annotations

from engine.ophidian.abilities import Ability
from engine.ophidian.reference_effects import buried, destroyed, expired, on_fighter, swept
from engine.ophidian.reference_moves import maintained, may_reinforce
from engine.ophidian.reference_state import (
    SUPPORT,
    TIMES,
    Fighter,
    Kind,
    Move,
    Phase,
    Position,
    State,
    amount,
    cheered,
    clipped,
    holds,
    is_alive,
    points,
    rule_of,
    with_fighter,
    with_holding,
    with_team,
    wounds,
)
from engine.ophidian.rules_schema import MAX_HISTORY, MAX_RESOURCES, NEVER
from engine.records import replace

_STEPS = (Phase.DISCARD, Phase.MAINTAIN, Phase.PROMOTE, Phase.PLACE)
"""What each player does in the breather, the one with momentum first in each step."""
_ACTION = TIMES.index("action")


# -- the end of the match -----------------------------------------------------------------------------


def result(state: State) -> int | None:
    """Which player has won by what lies on the table: 0, 1, or -1 for a draw; None if nobody has yet.

    In the order of W1 to W4. Where both have reached the points that win, more of them win; equal ones draw.
    """
    rules = state.rules
    alive = [any(each.is_gladiator and is_alive(rules, each) for each in team) for team in state.teams]
    scored = (points(state, 0), points(state, 1))
    if not all(alive):
        return _more(scored) if not any(alive) else alive.index(True)
    for player in (0, 1):
        if state.cheer[player] >= rules.match.riot:
            return player
    if max(scored) >= rules.match.winning_points:
        return _more(scored)
    if state.broke:
        return -1 if state.broke == 3 else 2 - state.broke
    return None


def _more(scored: tuple[int, int]) -> int:
    return -1 if scored[0] == scored[1] else int(scored[1] > scored[0])


def winner(state: State) -> int | None:
    """Who has won a finished match, None for a draw (W1-W4)."""
    assert state.phase == Phase.OVER
    found = result(state)
    best = _more((points(state, 0), points(state, 1))) if found is None else found
    return None if best < 0 else best


def ended(state: State) -> State | None:
    """The finished match if something has ended it (W1-W4), else None."""
    if result(state) is None:
        return None
    return replace(state, phase=Phase.OVER, action=None, response=None, used=(), declined=0, left=0, past=())


# -- between actions ----------------------------------------------------------------------------------


def resolved(state: State, positive: bool, *, passes: bool = False) -> State:
    """All that an action does is done: who has won, whether there is a roar, and who acts next (M1, M4)."""
    action = state.action
    state = replace(state, action=None, response=None, used=(), declined=0, left=0)
    if state.holdings:
        state = swept(expired(state, _ACTION))
    over = ended(state)
    if over is not None:
        return over
    if passes and not positive:
        return passed(state)
    other = 1 - state.momentum
    if not positive:
        return acting(state, other)
    # Fights without cards have this window alone: without abilities a later roar is never worse.
    asked = not state.holdings or state.rules.combat.roar_window != "announced"
    if asked and state.cheer[other] and not (action is not None and (action.variable or action.roared)):
        return replace(state, turn=other, phase=Phase.ROAR)
    return acting(state, state.momentum)


def passed(state: State) -> State:
    """A pass, or what counts as one (M5): momentum goes on, or the wave ends."""
    if state.passes:
        return end_of_wave(replace(state, action=None))
    return acting(replace(state, passes=1), 1 - state.momentum)


def acting(state: State, player: int) -> State:
    """A player has momentum, and acts; a wave ends where a position comes again (W7)."""
    gains = player != state.momentum
    state = replace(state, momentum=player, turn=player, phase=Phase.ACT)
    if not state.holdings:
        return state
    if gains:
        state = swept(expired(state, TIMES.index(f"until-{player}")))
        over = ended(state)
        if over is not None:
            return over
    first, second = state.holdings
    here = Position(state.teams, state.cheer, (first.resources, second.resources), player, state.passes)
    if here in state.past or len(state.past) >= MAX_HISTORY:
        return end_of_wave(state)
    return replace(state, past=(*state.past, here))


# -- the breather -------------------------------------------------------------------------------------


def end_of_wave(state: State) -> State:
    """All have passed in a row (M5): the match is over (W3), or the breather begins (B1)."""
    state = replace(state, past=())
    if state.holdings:
        state = swept(expired(state, *range(len(TIMES))))
        over = ended(state)
        if over is not None:
            return over
    match = state.rules.match
    tied = points(state, 0) == points(state, 1)
    if state.wave >= match.waves and (not tied or state.wave >= match.waves + match.extra_waves):
        return replace(state, phase=Phase.OVER, passes=2)
    ranks = [(wounds(state, player), state.cheer[player]) for player in (0, 1)]
    state = replace(state, passes=0, wave=state.wave + 1, phase=Phase.DIE)
    return state if ranks[0] == ranks[1] else began(state, int(ranks[1] > ranks[0]))


def began(state: State, player: int) -> State:
    """A player has momentum: first teams are placed (T5); later all unset, and the breather goes on (B2)."""
    rules = state.rules
    first, second = (
        tuple(clipped(rules, each._replace(is_set=False)) for each in team) for team in state.teams
    )
    state = replace(state, teams=(first, second), momentum=player, turn=player)
    if state.wave == 1:
        return replace(state, phase=Phase.PLACE)
    if not state.holdings:
        return replace(state, phase=Phase.PROMOTE)
    for who in (player, 1 - player):
        resources = rules.match.base_resources + state.wave
        state = with_holding(state, who, state.holdings[who]._replace(resources=resources))
    for who in (player, 1 - player):
        state = _refreshed(state, who)
    return ended(state) or _enter(state, Phase.DISCARD, player)


def _refreshed(state: State, player: int) -> State:
    """Abilities of the breather, of a player's cards in play, when all have been unset."""
    for side, team in enumerate(state.teams):
        for index, fighter in enumerate(team):
            known = [(side, ability) for ability in rule_of(state.rules, fighter).abilities]
            known += [
                (owner, ability)
                for owner, card in fighter.pumps
                for ability in state.rules.cards[card].abilities
            ]
            for owner, ability in known:
                if owner == player and ability.when == "breather" and is_alive(state.rules, fighter):
                    state = _refresh(state, player, side, index, ability)
    return state


def _refresh(state: State, player: int, side: int, index: int, ability: Ability) -> State:
    fighter = state.teams[side][index]
    if not holds(state, player, fighter, ability.condition):
        return state
    for do in ability.do:
        fighter = state.teams[side][index]
        if not holds(state, player, fighter, do.condition):
            continue
        much = amount(state, player, fighter, ability, do.amount)
        if do.act == "heal":
            state = on_fighter(state, player, side, index, ability, do, much)
        elif do.act == "cheer":
            state = replace(state, cheer=cheered(state, 1 - player if do.enemy else player, much))
        else:
            whom = 1 - player if do.enemy else player
            holding = state.holdings[whom]
            resources = min(holding.resources + much, MAX_RESOURCES)
            state = with_holding(state, whom, holding._replace(resources=resources))
    return state


def _enter(state: State, step: Phase, player: int) -> State:
    """A player's turn in a step of the breather; on to the next where there is nothing to decide."""
    state = replace(state, phase=step, turn=player, left=0)
    if step == Phase.DISCARD and not state.holdings[player].hand:
        return refill(state)
    if step == Phase.MAINTAIN:
        return _maintaining(state)
    if step == Phase.REINFORCE and not may_reinforce(state, player):
        return step_done(state, step)
    return state


def step_done(state: State, step: Phase) -> State:
    """A player has done a step of the breather: the other one's turn, or the next step."""
    state = replace(state, left=0)
    if step == Phase.PROMOTE and state.holdings:
        return _enter(state, Phase.REINFORCE, state.turn)
    step = Phase.PROMOTE if step == Phase.REINFORCE else step
    if state.turn == state.momentum:
        return _enter(state, step, 1 - state.turn)
    if step == Phase.PLACE:
        return acting(state, state.momentum)
    return _enter(state, _STEPS[_STEPS.index(step) + 1], state.momentum)


# -- cards (T4, B2) -----------------------------------------------------------------------------------


def refill(state: State) -> State:
    """Draw up to so many cards, or, with more of them, none (B2)."""
    match, player = state.rules.match, state.turn
    missing = match.hand_size + match.extra_draws - len(state.holdings[player].hand)
    if missing <= 0:
        return cut_down(state)
    state = drawing(replace(state, phase=Phase.DRAW, left=missing))
    return state if state.left else ended(state) or state


def drawing(state: State) -> State:
    """The next card has to be drawn; who cannot has lost (W4)."""
    holding = state.holdings[state.turn]
    if state.left and not (any(holding.deck) or holding.bottom):
        return replace(state, left=0, broke=state.broke | 1 << state.turn)
    return state


def cut_down(state: State) -> State:
    """Cards go under the deck until as many are left as a hand holds (T4, B2)."""
    holding = state.holdings[state.turn]
    if len(holding.hand) > state.rules.match.hand_size:
        return replace(state, phase=Phase.UNDER, left=0)
    if state.wave:
        return step_done(state, Phase.DISCARD)
    if state.turn == 0:
        return refill(replace(state, turn=1))
    return replace(state, wave=1, turn=0, phase=Phase.DIE)


# -- maintaining and reinforcing (B3, B4) -------------------------------------------------------------


def _maintaining(state: State) -> State:
    """On to the next card that has to be paid for; those that cannot be maintained are destroyed."""
    while True:
        owned = maintained(state, state.turn)
        if state.left >= len(owned):
            return step_done(state, Phase.MAINTAIN)
        if owned[state.left][3] != NEVER:
            return state
        state = _abandoned(state)
        over = ended(state)
        if over is not None:
            return over


def _abandoned(state: State) -> State:
    """The next card is not paid for: it is destroyed (B3)."""
    owned = maintained(state, state.turn)
    side, index, pump, _ = owned[state.left]
    fighter = state.teams[side][index]
    if pump < 0:
        return swept(buried(destroyed(state, side, index)))
    fighter = fighter._replace(pumps=(*fighter.pumps[:pump], *fighter.pumps[pump + 1 :]))
    if not is_alive(state.rules, fighter):
        # What has been paid for on it goes with it.
        gone = sum(each[:2] == (side, index) for each in owned[: state.left])
        state = replace(state, left=state.left - gone)
    return swept(buried(with_fighter(state, side, index, fighter)))


def maintain(state: State, move: Move) -> State:
    """Pay for a card, or do not (B3)."""
    if move.kind == Kind.ABANDON:
        state = _abandoned(state)
        over = ended(state)
        return _maintaining(state) if over is None else over
    *_, cost = maintained(state, state.turn)[state.left]
    holding = state.holdings[state.turn]
    state = with_holding(state, state.turn, holding._replace(resources=holding.resources - cost))
    return _maintaining(replace(state, left=state.left + 1))


def reinforce(state: State, move: Move) -> State:
    """A reinforcement enters, unset, in the support field (B4); or no more of them."""
    player = state.turn
    if move.kind == Kind.REINFORCE:
        holding = state.holdings[player]
        stack = list(holding.stack)
        stack.remove(move.card)
        state = with_holding(state, player, holding._replace(stack=tuple(stack)))
        entering = Fighter(move.card, -1, 0, SUPPORT)
        state = with_team(state, player, (*state.teams[player], entering))
        state = replace(state, left=move.card)
        later = any(each >= move.card for each in stack)
        if may_reinforce(state, player) and later:
            return state
    return step_done(state, Phase.REINFORCE)
