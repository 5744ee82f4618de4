"""What the reference does between actions: set-up, tactic cards, units that arrive, the elves' turn."""

from __future__ import annotations

from dataclasses import replace

from engine.clash.reference_equip import has_equipment
from engine.clash.reference_state import (
    NONE,
    Counts,
    Move,
    Phase,
    State,
    added,
    controlled,
    controls,
    elves_control,
    put,
    reserve,
    threshold,
    with_player,
)
from engine.clash.rules_schema import NUM_TYPES

CARD, BASTION, PLACE = "card", "bastion", "place"


# -- set-up (U2, U4) ------------------------------------------------------------------------------------


def unfilled_site(state: State) -> int | None:
    """The first city or forge that has not all its elves yet (U2)."""
    match = state.rules.match
    wanted = dict.fromkeys(state.board.cities, match.city_elves) | dict.fromkeys(
        state.board.forges, match.forge_elves
    )
    waiting = [place for place in sorted(wanted) if sum(state.elves[place]) < wanted[place]]
    return waiting[0] if waiting else None


def elf_outcomes(state: State) -> list[tuple[int, int]]:
    """An elf from the bag (U2, X2)."""
    return [(kind, count) for kind, count in enumerate(state.bag) if count]


def elf_arrives(state: State, place: int, kind: int) -> State:
    """An elf from the bag stands in a territory."""
    elves = put(state.elves, place, added(state.elves[place], kind))
    return replace(state, elves=elves, bag=added(state.bag, kind, -1))


def drawing(state: State) -> int | None:
    """The first player who has to draw a tactic card (U4, D1)."""
    short = [
        index for index, player in enumerate(state.players) if len(player.hand) < state.rules.match.hand_size
    ]
    return short[0] if short else None


def tactic_deck(state: State, index: int) -> list[int]:
    """A player's tactic deck: its cards that are neither in hand nor discarded."""
    player = state.players[index]
    cards = range(len(state.clan(index).tactics))
    return [card for card in cards if card not in player.hand and card not in player.discard]


def tactic_outcomes(state: State) -> list[tuple[int, int]]:
    """The card that the next player draws; an empty deck is made of the discards first (D1)."""
    index = drawing(state)
    assert index is not None
    return [(card, 1) for card in tactic_deck(state, index) or state.players[index].discard]


def draw_tactic(state: State, card: int) -> State:
    """A tactic card is drawn (U4, D1)."""
    index = drawing(state)
    assert index is not None
    player = state.players[index]
    discard = player.discard if tactic_deck(state, index) else ()
    return with_player(state, index, hand=tuple(sorted((*player.hand, card))), discard=discard)


# -- A: tactic cards (T1-T4) ----------------------------------------------------------------------------


def next_round(state: State) -> State:
    """A round begins: everybody chooses a tactic card (T1)."""
    for index in range(state.num_players):
        state = with_player(state, index, chosen=None)
    return replace(state, phase=Phase.TACTIC, round=state.round + 1, order=(), turn=0, action=0)


def choose_tactic(state: State, card: int) -> State:
    """A tactic card is chosen, unseen until all are (T1)."""
    player = state.players[state.turn]
    hand = tuple(other for other in player.hand if other != card)
    return replace(with_player(state, state.turn, hand=hand, chosen=card), turn=state.turn + 1)


def reveal(state: State) -> State:
    """The cards are revealed: the order of turns, and everybody's revenue (T1, T2)."""
    orders = {}
    for index, player in enumerate(state.players):
        assert player.chosen is not None
        card = state.clan(index).tactics[player.chosen]
        orders[card.order] = index
        cities = len(controlled(state, index, state.board.cities))
        state = with_player(
            state,
            index,
            discard=tuple(sorted((*player.discard, player.chosen))),
            gold=player.gold + card.gold,
            crystals=player.crystals + cities * state.rules.match.city_crystals,
        )
    state = replace(state, order=tuple(orders[order] for order in sorted(orders)), turn=0)
    return replace(state, phase=Phase.BASTION) if state.round == 1 else reinforce(state)


def spots_left(state: State) -> list[int]:
    """Where a Bastion can stand: not where one stands, nor next to one (U5)."""
    spots = state.board.spots
    taken = [spots[player.bastion] for player in state.players if player.bastion is not None]

    def near(q: int, r: int) -> bool:
        return any(max(abs(q - x), abs(r - y), abs(q + r - x - y)) <= 1 for x, y in taken)

    return [index for index, (q, r) in enumerate(spots) if not near(q, r)]


def place_bastion(state: State, spot: int) -> State:
    """The Bastion of whose turn it is (U5)."""
    state = replace(with_player(state, state.active, bastion=spot), turn=state.turn + 1)
    return reinforce(replace(state, turn=0)) if state.turn == state.num_players else state


# -- units that arrive (T3, S1) -------------------------------------------------------------------------


def reinforce(state: State) -> State:
    """The reinforcements of whose turn it is; what the reserve lacks is lost (T3)."""
    index = state.active
    chosen = state.players[index].chosen
    assert chosen is not None
    arriving = at_most(state.clan(index).tactics[chosen].units, reserve(state, index))
    return replace(state, phase=Phase.REINFORCE, arriving=arriving, floor=0)


def receive_stones(state: State) -> State:
    """The units that stones give to whose turn it is (S1)."""
    index = state.active
    arriving = NONE
    for territory, level in state.board.stones:
        if controls(state, index, territory):
            if state.rules.match.stone_placement == "anywhere":
                arriving = added(arriving, level - 1)
            elif reserve(state, index)[level - 1]:
                units = state.players[index].units
                units = put(units, territory, added(units[territory], level - 1))
                state = with_player(state, index, units=units)
    return replace(state, phase=Phase.STONES, arriving=at_most(arriving, reserve(state, index)), floor=0)


def at_most(wanted: Counts, there: Counts) -> Counts:
    """What there is of what is wanted."""
    return (min(wanted[0], there[0]), min(wanted[1], there[1]), min(wanted[2], there[2]))


def arriving_type(state: State) -> int:
    """The type of the unit that is placed next: those of the lowest level come first."""
    return next(kind for kind in range(NUM_TYPES) if state.arriving[kind])


def places(state: State) -> list[int]:
    """Where the next unit may be placed: the Bastion, and, after the first round, beside own units (T3)."""
    units = state.players[state.active].units
    bastion = state.board.num_territories
    if state.round == 1 and state.phase == Phase.REINFORCE:
        return [bastion]
    return [
        place
        for place, counts in enumerate(units)
        if place >= state.floor and (any(counts) or place == bastion)
    ]


def place_unit(state: State, place: int) -> State:
    """A unit from the reserve stands in a territory or in the Bastion (T3, S1)."""
    kind = arriving_type(state)
    units = state.players[state.active].units
    state = with_player(state, state.active, units=put(units, place, added(units[place], kind)))
    arriving = added(state.arriving, kind, -1)
    return replace(state, arriving=arriving, floor=place if arriving[kind] else 0)


# -- E: the end of a round (V2, X1, X2, I1) -------------------------------------------------------------


def end_round(state: State) -> State:
    """The elves score in solo play (X1); then they look for equipment, if there is another round (V2, I1)."""
    if state.is_solo:
        solo = state.rules.solo
        scored = sum(solo.city_domination for city in state.board.cities if elves_control(state, city))
        scored += sum(solo.forge_domination for forge in state.board.forges if elves_control(state, forge))
        state = replace(state, domination=state.domination + scored)
        if state.domination >= threshold(state):
            return replace(state, phase=Phase.OVER)
    if state.round == state.rules.match.max_rounds:
        return replace(state, phase=Phase.OVER)
    return replace(state, phase=Phase.IMPROVE, improving=NUM_TYPES - 1, turn=0)


def searching(state: State) -> int:
    """The next type of elves that finds equipment: Guards, Elders, Templars, if still there (I1); or -1."""
    kind = state.improving
    while kind >= 0 and not (has_equipment(state) and any(place[kind] for place in state.elves)):
        kind -= 1
    return kind


def next_arrival(state: State) -> int | None:
    """The next territory that gets an elf in solo play (X2)."""
    left = range(state.site, state.board.num_territories)
    waiting = [place for place in left if elves_control(state, place)]
    return waiting[0] if waiting and any(state.bag) else None


def chosen_moves(state: State) -> tuple[Move, ...]:
    """Moves of the phases of this module."""
    if state.phase == Phase.TACTIC:
        return tuple(Move(CARD, (card,)) for card in state.players[state.turn].hand)
    if state.phase == Phase.BASTION:
        return tuple(Move(BASTION, (spot,)) for spot in spots_left(state))
    return tuple(Move(PLACE, (place,)) for place in places(state))
