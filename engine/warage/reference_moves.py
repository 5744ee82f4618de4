"""What the holder of priority may do (Q1), in a fixed order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.warage.effects import CHOSEN, Effect
from engine.warage.reference_state import (
    NONE,
    ROOM,
    Item,
    Kind,
    Move,
    Phase,
    Piece,
    State,
    free_slots,
    has_room,
    holds,
    the_attack,
)
from engine.warage.rules_schema import MAX_QUEUE

_ITEM_KINDS = {Kind.FLASH: "flash", Kind.USE: "spell", Kind.ABILITY: "ability"}
EQUIPMENT_PHASES = (Phase.FIRST_EQUIPMENT, Phase.SECOND_EQUIPMENT)
Target = tuple[int, int, int]
"""Hero, piece, item on the queue; `NONE` where an effect has no such target."""


def priority_moves(state: State) -> Iterator[Move]:
    """Yield pass, then what the active hero alone may do, then items: flashes, uses, ability, sales."""
    seat = state.priority
    yield Move("pass")
    if len(state.queue) >= MAX_QUEUE:
        return
    if seat == state.active and not state.queue:
        if state.phase in EQUIPMENT_PHASES:
            yield from _equipment_moves(state, seat)
        elif state.turn > 1 and state.phase == Phase.MELEE and not state.attacked:
            yield from (Move("attack", target) for target in _attack_targets(state, seat))
        elif state.turn > 1 and state.phase == Phase.MAGIC:
            yield from _casts(state, seat)
    hero = state.heroes[seat]
    for number in dict.fromkeys(hero.hand):
        card = state.card(number)
        if card.kind == "flash" and payable(state, seat, card.cost):
            for target in targets(state, seat, card.effects):
                yield Move("flash", (number, *target))
    for index in distinct(state, seat):
        piece = hero.play[index]
        effects = uses(state.card(piece.card).effects)
        if effects and piece.ready and piece.awake and payable(state, seat, cost_hp(effects)):
            for target in targets(state, seat, effects):
                yield Move("use", (index, *target))
    effects = uses(state.setup.race(seat).effects)
    if effects and seat == state.active and not state.ability and payable(state, seat, cost_hp(effects)):
        for target in targets(state, seat, effects):
            yield Move("ability", target)
    for index in distinct(state, seat):
        if state.card(hero.play[index].card).sell:
            yield Move("sell", (index,))


def payable(state: State, seat: int, cost: int) -> bool:
    """Whether a hero may choose to pay so much (H4)."""
    return cost == 0 or state.rules.match.pay_to_death or cost < state.heroes[seat].hp


def uses(effects: Sequence[Effect]) -> list[Effect]:
    """Those of the trigger `use`."""
    return [effect for effect in effects if effect.trigger == "use"]


def cost_hp(effects: Sequence[Effect]) -> int:
    """What a use costs."""
    return sum(effect.cost_hp for effect in effects)


def distinct(state: State, seat: int) -> list[int]:
    """Pieces of a hero, of equal ones the first only: same card and state, and the same items aim at them."""
    seen: dict[tuple[Piece, tuple[int, ...]], int] = {}
    aiming = [
        (position, item)
        for position, item in enumerate(state.queue)
        if (item.hero == seat and item.piece != NONE) or (item.owner == seat and item.sources)
    ]
    for index, piece in enumerate(state.heroes[seat].play):
        aimed = tuple(
            position
            for position, item in aiming
            if (item.hero == seat and item.piece == index) or (item.owner == seat and index in item.sources)
        )
        seen.setdefault((piece, aimed), index)
    return list(seen.values())


def _equipment_moves(state: State, seat: int) -> Iterator[Move]:
    """Purchases (E1), and in the first of the two phases rearrangement (E3)."""
    hero = state.heroes[seat]
    red, blue = free_slots(state, seat)
    for number in dict.fromkeys(hero.hand):
        card = state.card(number)
        if (
            card.kind != "flash"
            and card.red <= red
            and card.blue <= blue
            and payable(state, seat, card.cost)
            and (card.kind != "amulet" or state.amulets < amulets_allowed(state, seat))
        ):
            yield Move("buy", (number,))
    if state.phase == Phase.FIRST_EQUIPMENT:
        for index in distinct(state, seat):
            piece = hero.play[index]
            card = state.card(piece.card)
            if not ROOM[card.encumbrance][0] or piece.moved:
                continue
            if piece.ready:
                yield Move("unready", (index,))
            elif has_room(state, seat, card):
                yield Move("ready", (index,))


def amulets_allowed(state: State, seat: int) -> int:
    """Amulets that may be put into play in this round (E1)."""
    return state.rules.match.amulets_a_round + sum(
        effect.amount
        for piece in state.heroes[seat].play
        if piece.ready
        for effect in state.card(piece.card).effects
        if effect.action == "extra-amulet" and holds(state, seat, effect)
    )


def _attack_targets(state: State, seat: int) -> Iterator[tuple[int, int]]:
    """Opposing heroes, and their helpers (K1)."""
    for other in state.opponents(seat):
        yield other, NONE
        for index in distinct(state, other):
            if state.card(state.heroes[other].play[index].card).kind == "helper":
                yield other, index


def _casts(state: State, seat: int) -> Iterator[Move]:
    """Attack spells that are awake: one, or several copies together (K3, K4)."""
    awake: dict[int, int] = {}
    for piece in state.heroes[seat].play:
        if piece.awake and state.card(piece.card).attack_spell:
            awake[piece.card] = awake.get(piece.card, 0) + 1
    for number in sorted(awake):
        for copies in range(1, awake[number] + 1):
            for target in _attack_targets(state, seat):
                yield Move("cast", (number, copies, *target))


def targets(state: State, seat: int, effects: Sequence[Effect]) -> Iterator[Target]:
    """Ways to declare effects: one without target, or one for each target; none if they cannot be."""
    if not all(holds(state, seat, effect) for effect in effects):
        return
    if any(
        effect.action == "draw" and sum(state.heroes[seat].deck) < effect.amount for effect in effects
    ):  # T5
        return
    attacks = [effect for effect in effects if effect.target == "this-attack"]
    if attacks and len(attacks) == len(effects) and not any(bears_on(state, seat, each) for each in attacks):
        return
    chosen = [effect for effect in effects if effect.target in CHOSEN]
    if not chosen:
        yield NONE, NONE, NONE
        return
    effect = chosen[0]
    if effect.target == "chosen-hero":
        for other in state.opponents(seat):
            yield other, NONE, NONE
    elif effect.target == "chosen-card":
        for other in state.opponents(seat):
            for index in distinct(state, other):
                if state.card(state.heroes[other].play[index].card).kind in effect.kinds:
                    yield other, index, NONE
    else:
        for position, item in enumerate(state.queue):
            if not item.negated and item_kind(item) in effect.kinds:
                yield NONE, NONE, position


def item_kind(item: Item) -> str:
    """What an item is to those that negate: a sale is nothing to them (E7)."""
    return "attack" if item.attack else _ITEM_KINDS.get(item.kind, "sale")


def side_of(state: State, seat: int) -> int:
    """0 for who attacks, 1 for the hero attacked, `NONE` for all others and where there is no attack."""
    position = the_attack(state)
    if position == NONE:
        return NONE
    attack = state.queue[position]
    if attack.owner == seat:
        return 0
    return 1 if attack.hero == seat and attack.piece == NONE else NONE


def bears_on(state: State, seat: int, effect: Effect) -> bool:
    """Whether an effect on this attack does anything for a hero: only the two that fight have totals."""
    side = side_of(state, seat)
    if side == NONE:
        return False
    if effect.action == "prevent" or effect.stat == "D":
        return side == 1
    if effect.stat in ("A", "M"):
        melee = state.queue[the_attack(state)].kind == Kind.MELEE
        return side == 0 and melee == (effect.stat == "A")
    return True
