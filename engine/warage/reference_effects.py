"""What effects do, payments, and who is beaten."""

from __future__ import annotations

from collections.abc import Iterable

from engine.records import replace
from engine.warage.effects import EVENTS, Effect
from engine.warage.reference_moves import bears_on, side_of
from engine.warage.reference_state import (
    FLOOR_HP,
    GONE,
    NONE,
    Do,
    Item,
    Phase,
    State,
    Task,
    next_seat,
    the_attack,
    with_hero,
    with_item,
    with_tasks,
    without_piece,
)
from engine.warage.rules_schema import MAX_MORE_DICE, MAX_PLUS, MAX_PREVENT, MAX_REROLLS, STATS

NO_FOE = -1
SEASON_CHANGE = EVENTS.index("season-change")


def change_hp(state: State, seat: int, amount: int) -> State:
    """Add to a hero's HP, or take away; nobody is checked yet."""
    hp = state.heroes[seat].hp + amount
    return with_hero(state, seat, hp=max(min(hp, state.rules.match.infinite_hp), FLOOR_HP))


def checked(state: State) -> State:
    """See who is beaten and who has infinite HP (Q5, H5, W1, W2)."""
    cap = state.rules.match.infinite_hp
    beaten = [seat for seat in state.alive if state.heroes[seat].hp <= 0]
    rich = [seat for seat in state.alive if state.heroes[seat].hp >= cap]
    if rich:
        return _over(state, guild_of(state, rich))
    return remove(state, beaten) if beaten else state


def guild_of(state: State, seats: Iterable[int]) -> list[int]:
    """Everybody still in whose guild one of these belongs to."""
    guilds = {state.setup.guilds[seat] for seat in seats}
    return [seat for seat in range(state.num_players) if state.setup.guilds[seat] in guilds]


def remove(state: State, beaten: Iterable[int]) -> State:
    """Heroes leave with their cards and items (M2); the match may be over with that (W1)."""
    fallen = list(beaten)
    for seat in fallen:
        hero = state.heroes[seat]
        state = with_hero(
            state, seat, beaten=True, hand=(), deck=(0,) * len(hero.deck), play=(), life=(), hp=0
        )
    state = replace(
        state,
        queue=tuple(
            replace(
                item,
                negated=item.negated or item.owner in fallen,
                piece=GONE if item.hero in fallen else item.piece,
                sources=tuple(GONE for _ in item.sources) if item.owner in fallen else item.sources,
            )
            for item in state.queue
        ),
    )
    guilds = {state.setup.guilds[seat] for seat in state.alive}
    if not guilds:
        return _over(state, guild_of(state, fallen))
    if len(guilds) == 1:
        return _over(state, guild_of(state, state.alive))
    if state.heroes[state.active].beaten:
        # Its round ends, and the season changes if a die has shown a 6 (M2).
        end = [Task(Do.END_ROUND)]
        if state.six:
            end += [Task(Do.EVENT, SEASON_CHANGE, 0, 0, 0, NO_FOE), Task(Do.SEASON)]
        return replace(state, agenda=tuple(end), queue=(), phase=Phase.CLOSING)
    kept = tuple(
        task for task in state.agenda if task.do not in (Do.DRAW, Do.DISCARD) or task.a not in fallen
    )
    state = replace(state, agenda=kept)
    if state.heroes[state.priority].beaten:
        state = replace(state, priority=next_seat(state, state.priority))
    return replace(state, passes=0)


def _over(state: State, winners: list[int]) -> State:
    return replace(
        state, phase=Phase.OVER, winners=tuple(winners), agenda=(), queue=(), faces=((0,) * 6, (0,) * 6)
    )


def draw_match(state: State) -> State:
    """End a match that has lasted too long (W3): all who are left share."""
    return _over(state, state.alive)


def apply(state: State, seat: int, effect: Effect, item: Item | None, foe: int = NO_FOE) -> State:
    """Carry out one effect of a hero; `item` holds its targets, `foe` is who hit it or was hit.

    What needs chance or decisions becomes tasks. HP are checked by the caller.
    """
    action = effect.action
    if effect.target == "this-attack":
        return _on_attack(state, seat, effect)
    if action == "destroy":
        assert item is not None
        return without_piece(state, item.hero, item.piece) if item.piece >= 0 else state
    if action == "deactivate":
        assert item is not None
        if item.piece < 0:
            return state
        play = list(state.heroes[item.hero].play)
        play[item.piece] = replace(play[item.piece], awake=False)
        return with_hero(state, item.hero, play=tuple(play))
    if action == "negate":
        assert item is not None
        return with_item(state, item.item, negated=True)
    if action == "season":
        if effect.season == "next":
            return with_tasks(state, Task(Do.EVENT, SEASON_CHANGE, 0, 0, 0, NO_FOE), Task(Do.SEASON))
        named = next(n for n, card in enumerate(state.rules.seasons) if card.id == effect.season)
        return with_tasks(name_season(state, named), Task(Do.EVENT, SEASON_CHANGE, 0, 0, 0, NO_FOE))
    for hero in reversed(_heroes(state, seat, effect, item, foe)):
        state = _on_hero(state, seat, hero, effect)
    return state


def _heroes(state: State, seat: int, effect: Effect, item: Item | None, foe: int) -> list[int]:
    """Whom an effect on heroes concerns."""
    if effect.target == "self":
        heroes = [seat]
    elif effect.target == "chosen-hero":
        assert item is not None
        heroes = [item.hero]
    else:
        heroes = state.opponents(seat) if foe == NO_FOE else [foe]
    return [hero for hero in heroes if not state.heroes[hero].beaten]


def _on_hero(state: State, owner: int, seat: int, effect: Effect) -> State:
    action, amount = effect.action, effect.amount
    if action == "drain":
        taken = min(amount, max(state.heroes[seat].hp, 0))
        return change_hp(change_hp(state, seat, -amount), owner, taken)
    if action in ("gain", "lose"):
        return change_hp(state, seat, amount if action == "gain" else -amount)
    if action == "draw":
        return with_tasks(state, Task(Do.DRAW, seat, amount, NONE, 0))
    if action == "discard":
        return with_tasks(state, Task(Do.DISCARD, seat, amount))
    assert action == "modify"
    key = effect.duration.replace("-", "_")
    values = list(getattr(state.heroes[seat], key))
    place = STATS.index(effect.stat)
    values[place] = _within(values[place] + amount, MAX_PLUS)
    return with_hero(state, seat, **{key: tuple(values)})


def _on_attack(state: State, seat: int, effect: Effect) -> State:
    """Effects on the attack that lies lowest; one that bears on nothing any more does nothing."""
    if not bears_on(state, seat, effect):
        return state
    position, side = the_attack(state), side_of(state, seat)
    attack = state.queue[position]
    if effect.action == "prevent":
        return with_item(state, position, prevent=min(attack.prevent + effect.amount, MAX_PREVENT))
    key = "reroll" if effect.action == "reroll" else "dice" if effect.stat == "dice" else "plus"
    values = list(getattr(attack, key))
    most = {"reroll": MAX_REROLLS, "dice": MAX_MORE_DICE, "plus": MAX_PLUS}[key]
    values[side] = _within(values[side] + effect.amount, most)
    return with_item(state, position, **{key: tuple(values)})


def _within(value: int, most: int) -> int:
    """Effects add up to so much at most, each way."""
    return max(-most, min(value, most))


def used_seasons(state: State) -> list[int]:
    """Season cards that are used up, by number: neither in the deck nor in force."""
    return [
        card.copies
        - state.season_deck[number]
        - state.bottom.count(number)
        - (number == state.season)
        - (number == state.special)
        for number, card in enumerate(state.rules.seasons)
    ]


def name_season(state: State, number: int) -> State:
    """Put a named base season in force: a card of it from the deck, else one that is used up (S1)."""
    used = used_seasons(state)
    if number == state.season:
        return replace(state, special=NONE)
    deck = list(state.season_deck)
    if deck[number]:
        deck[number] -= 1
    elif not used[number]:
        return state
    return replace(state, season=number, special=NONE, season_deck=tuple(deck))


def reveal_season(state: State, number: int) -> State:
    """The top season card replaces the one in force (S3); a special one lies over the base season (S4)."""
    deck = list(state.season_deck)
    bottom = state.bottom
    if sum(deck):
        deck[number] -= 1
    else:
        bottom = bottom[1:]
    state = replace(state, season_deck=tuple(deck), bottom=bottom)
    if state.rules.seasons[number].base:
        return replace(state, season=number, special=NONE)
    return replace(state, special=number)


def reshuffled(state: State) -> State:
    """The season deck, shuffled anew if it is used up: all but what is in force (S1)."""
    if sum(state.season_deck) or state.bottom:
        return state
    return replace(state, season_deck=tuple(used_seasons(state)))
