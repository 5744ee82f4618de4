"""The second kind of action of the reference: moving (M1-M4), and the battles that follow (M5, B13, X5)."""

from __future__ import annotations

from dataclasses import replace

from engine.clash import reference_battle as battles
from engine.clash.reference_battle import ATTACKER
from engine.clash.reference_state import (
    NONE,
    Move,
    Phase,
    State,
    added,
    clan_fighters,
    elf_fighters,
    enemies,
    enemy,
    mobility,
    plus,
    put,
    with_player,
)
from engine.clash.rules_schema import NUM_TYPES

MOVE, HALT, CHOOSE = "move", "halt", "battle"


def march_moves(state: State) -> tuple[Move, ...]:
    """Each figure that has not moved, by type and place, to wherever it can go; then no more (M1)."""
    units = state.players[state.active].units
    moves = []
    for kind in range(NUM_TYPES):
        for place, counts in enumerate(units):
            if counts[kind] > state.moved[place][kind]:
                moves += [Move(MOVE, (kind, place, target)) for target in reachable(state, kind, place)]
    return (*moves, Move(HALT))


def reachable(state: State, kind: int, origin: int) -> list[int]:
    """Where a figure of the active player can end a move (M1-M4), ascending; the Bastion comes last."""
    steps, flies = mobility(state, state.active, kind)
    reached = {origin}
    edge = [origin]
    for _ in range(steps):
        beyond = {
            target
            for place in edge
            if place == origin or passable(state, place, flies)
            for target in next_to(state, place, flies)
        }
        edge = sorted(beyond - reached)
        reached |= beyond
    return sorted(reached - {origin})


def next_to(state: State, place: int, flies: bool) -> tuple[int, ...]:
    """The places one step away from a place (M1, M2, M4)."""
    board = state.board
    spot = state.players[state.active].bastion
    assert spot is not None
    bastion = board.num_territories
    if place == bastion:
        return board.spot_neighbours[spot]
    territories = board.neighbours[place] if flies else board.open[place]
    return (*territories, bastion) if place in board.spot_neighbours[spot] else territories


def passable(state: State, place: int, flies: bool) -> bool:
    """Whether a figure may go on from here: no enemies, enough own units (M3), or wings (M4)."""
    if flies or place == state.board.num_territories:
        return True
    own = state.players[state.active].units[place]
    return sum(own) >= sum(enemies(state, state.active, place))


def march(state: State, kind: int, origin: int, target: int) -> State:
    """A figure moves, and stays where it is for the rest of the action (M3)."""
    units = state.players[state.active].units
    units = put(units, origin, added(units[origin], kind, -1))
    units = put(units, target, added(units[target], kind))
    state = replace(state, moved=put(state.moved, target, added(state.moved[target], kind)))
    return with_player(state, state.active, units=units)


# -- battles --------------------------------------------------------------------------------------------


def battlefields(state: State) -> list[int]:
    """Territories that the active player shares with enemies (M5)."""
    units = state.players[state.active].units
    return [
        place
        for place in range(state.board.num_territories)
        if any(units[place]) and enemy(state, state.active, place) is not None
    ]


def begin_battle(state: State, place: int) -> State:
    """A battle begins in a territory; the active player attacks (B1)."""
    owner = enemy(state, state.active, place)
    assert owner is not None
    battle = battles.start(
        state.rules.battle,
        (
            clan_fighters(state, state.active),
            elf_fighters(state) if owner < 0 else clan_fighters(state, owner),
        ),
        (state.players[state.active].units[place], enemies(state, state.active, place)),
        elves=owner < 0,
        solo=state.is_solo,
    )
    return replace(state, phase=Phase.BATTLE, battle=battle, battlefield=place)


def battle_decider(state: State) -> int:
    """Who decides in a battle: a player, or chance; the attacker's right-hand neighbour plays elves (B1)."""
    assert state.battle is not None
    assert state.battlefield is not None
    side = battles.decider(state.battle)
    if side < 0:
        return side
    if side == ATTACKER:
        return state.active
    owner = enemy(state, state.active, state.battlefield)
    assert owner is not None
    return (state.active - 1) % state.num_players if owner < 0 else owner


def fight(state: State, move: Move | int) -> State:
    """A step of the battle; at its end, who is left stands in the territory or in a Bastion (B11, B13)."""
    assert state.battle is not None
    battle = battles.step(state.battle, move)
    if battle.winner is None:
        return replace(state, battle=battle)
    place = state.battlefield
    assert place is not None
    owner = enemy(state, state.active, place)
    assert owner is not None
    if owner < 0:
        lost = sum(state.elves[place]) - sum(battle.counts[1])
        crystals = state.players[state.active].crystals + lost
        state = with_player(state, state.active, crystals=crystals)
        state = replace(state, elves=put(state.elves, place, battle.counts[1]))
    for side, player in ((0, state.active), (1, owner)):
        if player < 0:
            continue
        units = put(state.players[player].units, place, battle.counts[side])
        if battle.fled and battle.winner != side:
            bastion = state.board.num_territories
            units = put(put(units, place, NONE), bastion, plus(units[bastion], battle.counts[side]))
        state = with_player(state, player, units=units)
    state = replace(state, phase=Phase.BATTLES, battle=None, battlefield=None)
    if state.is_solo and not any(map(any, state.elves)):
        return replace(state, phase=Phase.OVER, winner=0, moved=())  # X5
    return state
