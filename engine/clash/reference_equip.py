"""The equip action of the reference: buying, forging, attaching (E1-E4, X3), and the equipment deck.

Nothing that happens within an equip action depends on what is attached, so cards are attached at its end,
space by space, all anew: whatever can be reached by reorganising in between (E1) can be reached so.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

from engine.clash.reference_state import NUM_SLOTS, Move, Phase, State, controlled, with_player
from engine.clash.rules_schema import SPACES

BUY, FORGE, DISCARD, DONE = "buy", "forge", "discard", "done"


def forge_cost(state: State, player: int) -> int | None:
    """Crystals that forging costs the player now (E3), None without a forge."""
    forges = len(controlled(state, player, state.board.forges))
    one, more = state.rules.match.forge_cost
    return None if forges == 0 else one if forges == 1 else more


def equip_moves(state: State) -> tuple[Move, ...]:
    """Discards (X3), purchases (E2), forging (E3), and being done (E1)."""
    player = state.players[state.active]
    stacks = [card for card, copies in enumerate(state.market) if copies]
    moves = []
    if state.is_solo and state.fresh:
        moves += [Move(DISCARD, pair) for pair in combinations(stacks, 2)]
    moves += [Move(BUY, (card,)) for card in stacks if state.rules.equipment[card].cost <= player.gold]
    cost = forge_cost(state, state.active)
    if not state.forged and state.legendary and cost is not None and cost <= player.crystals:
        moves.append(Move(FORGE))
    return (*moves, Move(DONE))


def equip(state: State, move: Move) -> State:
    """Carry out one of `equip_moves`."""
    active = state.active
    player = state.players[active]
    state = replace(state, fresh=False)
    if move.kind == DISCARD:
        market = list(state.market)
        under = list(state.under)
        for card in move.values:
            under += [card] * market[card]
            market[card] = 0
        return replace(state, market=tuple(market), under=tuple(under))
    if move.kind == BUY:
        [card] = move.values
        market = list(state.market)
        market[card] -= 1
        cards = tuple(sorted((*player.cards, card)))
        state = replace(state, market=tuple(market))
        return with_player(state, active, cards=cards, gold=player.gold - state.rules.equipment[card].cost)
    if move.kind == FORGE:
        cost = forge_cost(state, active)
        assert cost is not None
        draws = min(1 + len(controlled(state, active, state.board.forges)), len(state.legendary))
        state = replace(state, phase=Phase.FORGE, forged=True, draws=draws)
        return with_player(state, active, crystals=player.crystals - cost)
    state = replace(state, phase=Phase.ATTACH, slot=0, forged=False)
    return with_player(state, active, attached=(None,) * NUM_SLOTS)


def look_at(state: State, card: int) -> State:
    """A legendary card is drawn (E3)."""
    return replace(
        state,
        legendary=tuple(other for other in state.legendary if other != card),
        drawn=tuple(sorted((*state.drawn, card))),
        draws=state.draws - 1,
        phase=Phase.FORGE if state.draws > 1 else Phase.KEEP,
    )


def keep(state: State, card: int) -> State:
    """One legendary card is kept, the others go back (E3)."""
    back = [other for other in state.drawn if other != card]
    cards = tuple(sorted((*state.players[state.active].cards, card)))
    state = replace(state, legendary=tuple(sorted((*state.legendary, *back))), drawn=(), phase=Phase.EQUIP)
    return with_player(state, state.active, cards=cards)


def attachable(state: State) -> list[int]:
    """Cards that fit the next space and are not attached yet (E4), each kind once."""
    player = state.players[state.active]
    left = list(player.cards)
    for card in player.attached[: state.slot]:
        if card is not None:
            left.remove(card)
    space = SPACES[state.slot % len(SPACES)]
    return sorted({card for card in left if state.card(card).space == space})


def attach(state: State, card: int) -> State:
    """A card goes to the next space; -1 leaves it empty."""
    attached = list(state.players[state.active].attached)
    attached[state.slot] = None if card < 0 else card
    return replace(with_player(state, state.active, attached=tuple(attached)), slot=state.slot + 1)


# -- the equipment deck ---------------------------------------------------------------------------------


def market_is_short(state: State) -> bool:
    """Whether a card has to be laid out on the black market (U3, E2)."""
    return sum(map(bool, state.market)) < state.rules.match.market and has_equipment(state)


def has_equipment(state: State) -> bool:
    """Whether a card can be drawn from the equipment deck."""
    return any(state.deck) or bool(state.under)


def equipment_outcomes(state: State) -> list[tuple[int, int]]:
    """The top card of the equipment deck: random above, in order below (I1)."""
    random = [(card, copies) for card, copies in enumerate(state.deck) if copies]
    return random or [(state.under[0], 1)]


def take_equipment(state: State, card: int) -> State:
    """The top card leaves the equipment deck."""
    if not any(state.deck):
        return replace(state, under=state.under[1:])
    deck = list(state.deck)
    deck[card] -= 1
    return replace(state, deck=tuple(deck))


def lay_out(state: State, card: int) -> State:
    """A card goes to the black market, onto equal ones if there are any (U3)."""
    market = list(state.market)
    market[card] += 1
    return replace(take_equipment(state, card), market=tuple(market))


def improve(state: State, card: int) -> State:
    """Elves find a card: it fills the space, or replaces a cheaper one; the loser goes under (I1)."""
    state = take_equipment(state, card)
    equipment = state.rules.equipment
    space = SPACES.index(equipment[card].space)
    own = list(state.elf_cards[state.improving])
    old = own[space]
    loser = old
    if old is None or equipment[old].cost < equipment[card].cost:
        own[space] = card
    else:
        loser = card
    elf_cards = list(state.elf_cards)
    elf_cards[state.improving] = (own[0], own[1])
    under = state.under if loser is None else (*state.under, loser)
    return replace(state, elf_cards=tuple(elf_cards), under=under, improving=state.improving - 1)
