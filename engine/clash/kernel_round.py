"""What happens between actions on bit-packed states: the fast twin of `reference_round`."""

from __future__ import annotations

from engine.clash import layout
from engine.clash.kernel_equip import has_equipment
from engine.clash.kernel_rules import KernelRules
from engine.clash.kernel_state import (
    ARMY_BITS,
    ARMY_MASK,
    COUNT_BITS,
    COUNT_MASK,
    COUNTERS,
    ELVES_AT,
    FLOW,
    NUM_TYPES,
    PLACE,
    PLAYER,
    Words,
    active,
    add_units,
    controlled,
    controls,
    count,
    elves_at,
    elves_control,
    figures,
    go_to,
    of_type,
    phase,
    put,
    reserve,
    turn,
    units_at,
)
from engine.jit import kernel_njit

_HAND_MASK, _DISCARD = layout.HAND.mask, layout.DISCARD.offset
_CHOSEN, _CHOSEN_MASK = layout.CHOSEN.offset, layout.CHOSEN.mask
_BASTION, _BASTION_MASK = layout.BASTION.offset, layout.BASTION.mask
_GOLD, _CRYSTALS = layout.GOLD.offset, layout.CRYSTALS.offset
_ROUND, _ROUND_MASK = layout.ROUND.offset, layout.ROUND.mask
_TURN, _TURN_MASK, _ORDER = layout.TURN.offset, layout.TURN.mask, layout.ORDER.offset
_ACTION, _ACTION_MASK = layout.ACTION.offset, layout.ACTION.mask
_ARRIVING, _FLOOR, _FLOOR_MASK = layout.ARRIVING.offset, layout.FLOOR.offset, layout.FLOOR.mask
_IMPROVING, _IMPROVING_MASK = layout.IMPROVING.offset, layout.IMPROVING.mask
_SITE, _SITE_MASK = layout.SITE.offset, layout.SITE.mask
_DOMINATION, _DOMINATION_MASK = layout.DOMINATION.offset, layout.DOMINATION.mask
_ORDERS_MASK = (1 << 2 * layout.MAX_PLAYERS) - 1

assert layout.HAND.offset == layout.BAG.offset == 0


# -- set-up (U2, U4) ------------------------------------------------------------------------------------


@kernel_njit
def unfilled_site(words: Words, rules: KernelRules) -> int:
    """The first city or forge that has not all its elves yet (U2), -1 if all have."""
    for place in range(rules[layout.RULE_NUM_TERRITORIES]):
        if figures(elves_at(words, place)) < rules[layout.RULE_SITES + place]:
            return place
    return -1


@kernel_njit
def elf_arrives(words: Words, place: int, kind: int) -> None:
    """An elf from the bag stands in a territory. Modified in place."""
    words[PLACE + place] += 1 << ELVES_AT + COUNT_BITS * kind
    words[COUNTERS] -= 1 << COUNT_BITS * kind


@kernel_njit
def elf_outcomes(words: Words) -> int:
    """Types of elves in the bag, a bit each (U2, X2)."""
    types = 0
    for kind in range(NUM_TYPES):
        if words[COUNTERS] >> COUNT_BITS * kind & COUNT_MASK:
            types |= 1 << kind
    return types


@kernel_njit
def drawing(words: Words, rules: KernelRules) -> int:
    """The first player who has to draw a tactic card (U4, D1), -1 if none."""
    for player in range(rules[layout.RULE_NUM_PLAYERS]):
        if count(words[PLAYER + player] & _HAND_MASK) < rules[layout.RULE_HAND_SIZE]:
            return player
    return -1


@kernel_njit
def tactic_deck(words: Words, player: int) -> int:
    """A player's tactic deck, a bit each."""
    own = words[PLAYER + player]
    return int(_HAND_MASK & ~(own | own >> _DISCARD))


@kernel_njit
def tactic_outcomes(words: Words, rules: KernelRules) -> int:
    """Cards that the next player may draw; an empty deck is made of the discards first (D1)."""
    player = drawing(words, rules)
    deck = tactic_deck(words, player)
    return int(deck if deck else words[PLAYER + player] >> _DISCARD & _HAND_MASK)


@kernel_njit
def draw_tactic(words: Words, rules: KernelRules, card: int) -> None:
    """A tactic card is drawn (U4, D1). Modified in place."""
    player = drawing(words, rules)
    if not tactic_deck(words, player):
        words[PLAYER + player] &= ~(_HAND_MASK << _DISCARD)
    words[PLAYER + player] |= 1 << card


# -- A: tactic cards (T1-T4) ----------------------------------------------------------------------------


@kernel_njit
def next_round(words: Words, rules: KernelRules) -> None:
    """A round begins (T1). Modified in place."""
    for player in range(rules[layout.RULE_NUM_PLAYERS]):
        words[PLAYER + player] |= layout.NO_TACTIC << _CHOSEN
    keep = ~(_TURN_MASK << _TURN | _ACTION_MASK << _ACTION | _ORDERS_MASK << _ORDER)
    words[FLOW] = (words[FLOW] & keep) + (1 << _ROUND)
    go_to(words, layout.TACTIC)


@kernel_njit
def choose_tactic(words: Words, card: int) -> None:
    """A tactic card is chosen, unseen until all are (T1). Modified in place."""
    player = turn(words)
    words[PLAYER + player] &= ~(1 << card)
    put(words, PLAYER + player, _CHOSEN, _CHOSEN_MASK, card)
    words[FLOW] += 1 << _TURN


@kernel_njit
def chosen_number(words: Words, rules: KernelRules, player: int, number: int) -> int:
    """A number of the tactic card of this round: 0 its order, 1 its gold, 2 its reinforcements."""
    card = words[PLAYER + player] >> _CHOSEN & _CHOSEN_MASK
    return int(
        rules[layout.RULE_TACTICS + (player * layout.NUM_TACTICS + card) * layout.TACTIC_STRIDE + number]
    )


@kernel_njit
def reveal(words: Words, rules: KernelRules) -> None:
    """The cards are revealed: the order of turns, and everybody's revenue (T1, T2). Modified in place."""
    num_players = rules[layout.RULE_NUM_PLAYERS]
    for player in range(num_players):
        before = 0
        for other in range(num_players):
            if chosen_number(words, rules, other, 0) < chosen_number(words, rules, player, 0):
                before += 1
        words[FLOW] |= player << _ORDER + 2 * before
        card = words[PLAYER + player] >> _CHOSEN & _CHOSEN_MASK
        cities = controlled(words, rules, player, rules[layout.RULE_CITIES])
        words[PLAYER + player] |= 1 << _DISCARD + card
        words[PLAYER + player] += chosen_number(words, rules, player, 1) << _GOLD
        words[PLAYER + player] += cities * rules[layout.RULE_CITY_CRYSTALS] << _CRYSTALS
    words[FLOW] &= ~(_TURN_MASK << _TURN)
    if words[FLOW] >> _ROUND & _ROUND_MASK == 1:
        go_to(words, layout.BASTIONS)
    else:
        reinforce(words, rules)


@kernel_njit
def spots_left(words: Words, rules: KernelRules) -> int:
    """Where a Bastion can stand, a bit each (U5)."""
    spots = (1 << rules[layout.RULE_NUM_SPOTS]) - 1
    for player in range(rules[layout.RULE_NUM_PLAYERS]):
        spot = words[PLAYER + player] >> _BASTION & _BASTION_MASK
        if spot != layout.NO_SPOT:
            spots &= ~rules[layout.RULE_SPOTS_NEAR + spot]
    return int(spots)


@kernel_njit
def place_bastion(words: Words, rules: KernelRules, spot: int) -> None:
    """The Bastion of whose turn it is (U5). Modified in place."""
    put(words, PLAYER + active(words), _BASTION, _BASTION_MASK, spot)
    words[FLOW] += 1 << _TURN
    if turn(words) == rules[layout.RULE_NUM_PLAYERS]:
        words[FLOW] &= ~(_TURN_MASK << _TURN)
        reinforce(words, rules)


# -- units that arrive (T3, S1) -------------------------------------------------------------------------


@kernel_njit
def _arrive(words: Words, rules: KernelRules, wanted: int) -> None:
    """Units wait to be placed; what the reserve lacks is lost (T3). Modified in place."""
    player, there = active(words), 0
    for kind in range(NUM_TYPES):
        there |= min(of_type(wanted, kind), reserve(words, rules, player, kind)) << COUNT_BITS * kind
    put(words, FLOW, _ARRIVING, ARMY_MASK, there)
    put(words, FLOW, _FLOOR, _FLOOR_MASK, 0)


@kernel_njit
def reinforce(words: Words, rules: KernelRules) -> None:
    """The reinforcements of whose turn it is (T3). Modified in place."""
    go_to(words, layout.REINFORCE)
    _arrive(words, rules, chosen_number(words, rules, active(words), 2))


@kernel_njit
def receive_stones(words: Words, rules: KernelRules) -> None:
    """The units that stones give to whose turn it is (S1). Modified in place."""
    go_to(words, layout.STONES)
    player, wanted = active(words), 0
    for place in range(rules[layout.RULE_NUM_TERRITORIES]):
        level = rules[layout.RULE_STONES + place]
        if level and controls(words, player, place):
            one = 1 << COUNT_BITS * (level - 1)
            if not rules[layout.RULE_STONE_PLACEMENT]:
                wanted += one
            elif reserve(words, rules, player, level - 1):
                add_units(words, rules, player, place, one)
    _arrive(words, rules, wanted)


@kernel_njit
def arriving(words: Words) -> int:
    """Units still to be placed."""
    return int(words[FLOW] >> _ARRIVING & ARMY_MASK)


@kernel_njit
def places(words: Words, rules: KernelRules) -> int:
    """Where the next unit may be placed, a bit each (T3)."""
    player, bastion = active(words), rules[layout.RULE_NUM_TERRITORIES]
    where = 1 << bastion
    if words[FLOW] >> _ROUND & _ROUND_MASK == 1 and phase(words) == layout.REINFORCE:
        return int(where)
    for place in range(words[FLOW] >> _FLOOR & _FLOOR_MASK, bastion):
        if units_at(words, rules, player, place):
            where |= 1 << place
    return int(where)


@kernel_njit
def place_unit(words: Words, rules: KernelRules, place: int) -> None:
    """A unit from the reserve stands in a place (T3, S1). Modified in place."""
    kind, waiting = 0, arriving(words)
    while not of_type(waiting, kind):
        kind += 1
    one = 1 << COUNT_BITS * kind
    add_units(words, rules, active(words), place, one)
    words[FLOW] -= one << _ARRIVING
    put(words, FLOW, _FLOOR, _FLOOR_MASK, place if of_type(waiting, kind) > 1 else 0)


# -- E: the end of a round (V2, X1, X2, I1) -------------------------------------------------------------


@kernel_njit
def end_round(words: Words, rules: KernelRules) -> None:
    """The elves score (X1) and look for equipment, or the game is over (V2, I1). Modified in place."""
    if rules[layout.RULE_NUM_PLAYERS] == 1:
        scored = 0
        for place in range(rules[layout.RULE_NUM_TERRITORIES]):
            if elves_control(words, place):
                scored += (rules[layout.RULE_CITIES] >> place & 1) * rules[layout.RULE_CITY_DOMINATION]
                scored += (rules[layout.RULE_FORGES] >> place & 1) * rules[layout.RULE_FORGE_DOMINATION]
        words[COUNTERS] += scored << _DOMINATION
        if words[COUNTERS] >> _DOMINATION & _DOMINATION_MASK >= rules[layout.RULE_THRESHOLD]:
            go_to(words, layout.OVER)
            return
    if words[FLOW] >> _ROUND & _ROUND_MASK == rules[layout.RULE_MAX_ROUNDS]:
        go_to(words, layout.OVER)
        return
    go_to(words, layout.IMPROVE)
    put(words, FLOW, _IMPROVING, _IMPROVING_MASK, NUM_TYPES)


@kernel_njit
def searching(words: Words, rules: KernelRules) -> int:
    """The next type of elves that finds equipment, plus 1; 0 if none (I1)."""
    number = words[FLOW] >> _IMPROVING & _IMPROVING_MASK
    while number and has_equipment(words):
        for place in range(rules[layout.RULE_NUM_TERRITORIES]):
            if of_type(elves_at(words, place), number - 1):
                return int(number)
        number -= 1
    return 0


@kernel_njit
def next_arrival(words: Words, rules: KernelRules) -> int:
    """The next territory that gets an elf in solo play (X2), -1 if none."""
    if not words[COUNTERS] & ARMY_MASK:
        return -1
    for place in range(words[FLOW] >> _SITE & _SITE_MASK, rules[layout.RULE_NUM_TERRITORIES]):
        if elves_control(words, place):
            return int(place)
    return -1


assert ARMY_BITS == COUNT_BITS * NUM_TYPES
