"""What goes by itself: the course of a round, events, the queue's resolution, combat (T, Q, K)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

from engine.records import replace
from engine.warage.effects import EVENTS, TAKING, Effect
from engine.warage.reference_effects import (
    NO_FOE,
    SEASON_CHANGE,
    apply,
    change_hp,
    checked,
    draw_match,
    remove,
    reshuffled,
)
from engine.warage.reference_moves import priority_moves, uses
from engine.warage.reference_state import (
    NONE,
    Do,
    Item,
    Kind,
    Phase,
    State,
    Task,
    attack_total,
    defence_total,
    holds,
    in_force,
    next_seat,
    number_of_dice,
    then,
    with_hero,
    with_tasks,
    without_piece,
)
from engine.warage.rules_schema import STATS

OPENING, CLOSING, HIT, HURT = (EVENTS.index(word) for word in ("opening", "closing", "hit", "hurt"))
REROLLED = 3
"""Dice that show at most so much are rolled again, the lowest first, as many as an effect says."""
_NO_DICE = ((0,) * 6, (0,) * 6)
_SOURCE = 4
"""Effects of a source, at most, as cursors of events count."""


def settled(state: State) -> State:
    """Do what goes by itself, up to the next decision or chance."""
    while state.agenda:
        done = _HANDLERS.get(state.agenda[-1].do)
        after = None if done is None else done(state, state.agenda[-1])
        if after is None:
            break
        state = after
    return state


def resolved(state: State) -> State:
    """Return the state once the queue is empty, or dice are rolled next, or the match is over."""
    while state.agenda and state.queue and state.agenda[-1].do != Do.DICE:
        after = _HANDLERS[state.agenda[-1].do](state, state.agenda[-1])
        assert after is not None
        state = after
    return state


# ---- The course of a round (T1) ---------------------------------------------------------------------------


def _round(state: State, task: Task) -> State:
    seat = task.a
    play = tuple(replace(piece, awake=True) for piece in state.heroes[seat].play)
    state = with_hero(state, seat, play=play, until_opening=(0,) * len(STATS))
    state = replace(state, active=seat, phase=Phase.OPENING, ability=False, amulets=0)
    match = state.rules.match
    return then(
        state,
        Task(Do.PHASE, Phase.FIRST_EQUIPMENT),
        Task(Do.DRAW, seat, match.draws, NONE, int(match.optional_draw)),
        Task(Do.EVENT, OPENING, 0, 0, 0, NO_FOE),
    )


def _phase(state: State, task: Task) -> State:
    phase = Phase(task.a)
    state = replace(state, phase=phase, attacked=False, priority=state.active, passes=0)
    if phase == Phase.MELEE:
        play = tuple(replace(piece, moved=False) for piece in state.heroes[state.active].play)
        state = with_hero(state, state.active, play=play)
    if phase == Phase.CLOSING:
        return then(state, Task(Do.CLOSE), Task(Do.EVENT, CLOSING, 0, 0, 0, NO_FOE))
    return then(state, Task(Do.PHASE, phase + 1), Task(Do.PRIORITY))


def _close(state: State, task: Task) -> State:
    """A 6 changes the season, once (S3); abilities may reply to it (E6)."""
    state = replace(state, priority=state.active, passes=0)
    if not state.six:
        return then(state, Task(Do.END_ROUND))
    change = Task(Do.EVENT, SEASON_CHANGE, 0, 0, 0, NO_FOE)
    return then(state, Task(Do.END_ROUND), Task(Do.PRIORITY), change, Task(Do.SEASON))


def _end_round(state: State, task: Task) -> State:
    for seat in state.alive:
        state = with_hero(state, seat, this_round=(0,) * len(STATS))
    seat = next_seat(state, state.active)
    turn = state.turn + (seat <= state.active)
    state = replace(state, six=False, attacked=False)
    if turn > state.rules.match.max_turns:
        return draw_match(state)
    return then(replace(state, turn=turn), Task(Do.ROUND, seat))


def _draw(state: State, task: Task) -> State | None:
    """Whoever has to draw and has no cards is beaten (H5); where a card goes is decided before (T6)."""
    seat, left, place, optional = task.a, task.b, task.c, task.d
    if left == 0:
        return then(state)
    if place != NONE:
        return None
    if optional:
        return None if sum(state.heroes[seat].deck) else then(state)
    if not sum(state.heroes[seat].deck):
        return remove(then(state), [seat])
    if len(state.heroes[seat].life) >= state.rules.match.life_places:
        return then(state, task._replace(c=0))
    return None


def _season(state: State, task: Task) -> State | None:
    after = reshuffled(state)
    if not sum(after.season_deck) and not after.bottom:
        return then(after)
    return after if after is not state else None


def _deal(state: State, task: Task) -> State | None:
    return then(state) if task.b == 0 else None


def _dice(state: State, task: Task) -> State | None:
    return then(state) if task.b == 0 else None


def _discard(state: State, task: Task) -> State | None:
    return then(state) if task.b == 0 or not state.heroes[task.a].hand else None


# ---- Events (T4) ------------------------------------------------------------------------------------------


def order_of(state: State) -> list[int]:
    """The active hero, its allies, its opponents, each clockwise from it (T4)."""
    seats = [(state.active + step) % state.num_players for step in range(state.num_players)]
    guilds = state.setup.guilds
    own = guilds[state.active]
    return [seat for seat in seats if guilds[seat] == own] + [seat for seat in seats if guilds[seat] != own]


def _event(state: State, task: Task) -> State:
    """The next effect of an event, or its end."""
    trigger, last_pass = task.a, 1 if task.a in (OPENING, CLOSING) else 0
    single = trigger in (HIT, HURT)
    order = order_of(state)
    while True:
        if task.c >= len(order):
            if single or task.b >= last_pass:
                return then(state)
            task = task._replace(b=task.b + 1, c=0, d=0)
        seat = task.c if single else order[task.c]
        for place, effect in _triggered(state, seat, trigger, task.d, season=not single and task.c == 0):
            if trigger in (OPENING, CLOSING) and _costs_active(state, seat, effect) != (task.b == 1):
                continue
            state = then(state, task._replace(d=place + 1))
            return checked(apply(state, seat, effect, None, task.e))
        task = task._replace(c=len(order) if single else task.c + 1, d=0)


def _triggered(
    state: State, seat: int, trigger: int, cursor: int, *, season: bool
) -> Iterator[tuple[int, Effect]]:
    """Effects of a hero's cards that an event sets off, from a cursor on; first those of a season card."""
    sources: list[tuple[int, tuple[Effect, ...]]] = []
    if season and state.special != NONE:
        sources.append((0, state.rules.seasons[state.special].effects))
    for index, piece in enumerate(state.heroes[seat].play):
        if piece.ready:
            sources.append((index + 1, state.card(piece.card).effects))
    for source, effects in sources:
        for number, effect in enumerate(effects):
            place = source * _SOURCE + number
            if place >= cursor and effect.trigger == EVENTS[trigger] and holds(state, seat, effect):
                yield place, effect


def _costs_active(state: State, seat: int, effect: Effect) -> bool:
    """Whether an effect takes HP from the active hero (T4)."""
    if effect.action not in TAKING:
        return False
    if effect.target == "self":
        return seat == state.active
    return state.setup.guilds[seat] != state.setup.guilds[state.active]


# ---- The queue (Q) ----------------------------------------------------------------------------------------


def _priority(state: State, task: Task) -> State | None:
    """Who can only pass has passed."""
    if len(list(islice(priority_moves(state), 2))) > 1:
        return None
    return passed(state)


def passed(state: State) -> State:
    """Somebody passes; when all have in sequence, the queue resolves, or the phase is over (Q1)."""
    if state.passes + 1 < len(state.alive):
        return replace(state, passes=state.passes + 1, priority=next_seat(state, state.priority))
    state = replace(state, passes=0, priority=state.active)
    return then(state, Task(Do.PRIORITY), Task(Do.RESOLVE)) if state.queue else then(state)


def _resolve(state: State, task: Task) -> State:
    """The item on top, step by step, then the next one (Q2)."""
    if not state.queue:
        return then(state)
    item = state.queue[-1]
    if item.negated or _target_gone(state, item):
        return _popped(state)
    if item.attack:
        return _combat(state, item, task.a)
    if item.kind == Kind.SALE:
        worth = 0 if in_force(state, "no-sale-value") else state.card(item.card).sell
        return checked(change_hp(_popped(state), item.owner, worth))
    effects = item_effects(state, item)
    if task.a >= len(effects):
        return checked(_popped(state))  # once the whole item is resolved (Q5)
    state = then(state, Task(Do.RESOLVE, task.a + 1))
    return apply(state, item.owner, effects[task.a], item)


def item_effects(state: State, item: Item) -> list[Effect]:
    """What an item does that is neither an attack nor a sale."""
    if item.kind == Kind.ABILITY:
        return uses(state.setup.race(item.owner).effects)
    effects = state.card(item.card).effects
    return list(effects) if item.kind == Kind.FLASH else uses(effects)


def _popped(state: State) -> State:
    return then(replace(state, queue=state.queue[:-1]), Task(Do.RESOLVE))


def _target_gone(state: State, item: Item) -> bool:
    """Whether an item's target is gone: then it does nothing (Q4)."""
    if item.hero != NONE and state.heroes[item.hero].beaten:
        return True
    if item.piece < NONE:
        return True
    return item.item != NONE and item.kind != Kind.SALE and state.queue[item.item].negated


# ---- Combat (K) -------------------------------------------------------------------------------------------


def _combat(state: State, item: Item, step: int) -> State:
    """Roll; roll again; compare and deal the damage; then what hits and hurts sets off."""
    helper = item.piece != NONE
    if step == 0:
        state = replace(state, faces=_NO_DICE)
        dice = [number_of_dice(state, item.owner, item.dice[0])]
        dice.append(0 if helper else number_of_dice(state, item.hero, item.dice[1]))
        return then(state, Task(Do.RESOLVE, 1), Task(Do.DICE, 1, dice[1]), Task(Do.DICE, 0, dice[0]))
    if step == 1:
        again = []
        faces = [list(side) for side in state.faces]
        for side in (0, 1):
            number = 0
            for face in range(REROLLED):
                taken = min(item.reroll[side] - number, faces[side][face])
                faces[side][face] -= taken
                number += taken
            again.append(number)
        state = replace(state, faces=(tuple(faces[0]), tuple(faces[1])))
        return then(state, Task(Do.RESOLVE, 2), Task(Do.DICE, 1, again[1]), Task(Do.DICE, 0, again[0]))
    if step > 2:
        return _popped(state)
    sums = [sum((face + 1) * number for face, number in enumerate(side)) for side in state.faces]
    six = state.six or any(side[5] for side in state.faces)
    margin = attack_total(state, item) + sums[0] - defence_total(state, item) - sums[1]
    state = then(replace(state, six=six, faces=_NO_DICE), Task(Do.RESOLVE, 3))
    if helper:
        return without_piece(state, item.hero, item.piece) if margin > 0 else state
    damage = max(margin - item.prevent, 0)
    if not damage:
        return state
    state = with_tasks(
        state,
        Task(Do.EVENT, HIT, 0, item.owner, 0, item.hero),
        Task(Do.EVENT, HURT, 0, item.hero, 0, item.owner),
    )
    return checked(change_hp(state, item.hero, -damage))


_HANDLERS: dict[Do, Callable[[State, Task], State | None]] = {
    Do.ROUND: _round,
    Do.PHASE: _phase,
    Do.CLOSE: _close,
    Do.END_ROUND: _end_round,
    Do.DRAW: _draw,
    Do.SEASON: _season,
    Do.DEAL: _deal,
    Do.DICE: _dice,
    Do.DISCARD: _discard,
    Do.EVENT: _event,
    Do.PRIORITY: _priority,
    Do.RESOLVE: _resolve,
}
