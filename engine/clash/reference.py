"""Clash of Rage in plain Python: the whole game for one to four players, chance as explicit draws.

This is the specification as code; the kernels must agree with it move by move, and nothing here is fast. A
game is walked as `engine.protocol` says. Decisions are small: one unit moves, one card is bought, one unit is
placed. States are described in `reference_state`, the rules stand in `reference_round`, `reference_equip`,
`reference_march` and `reference_battle`, and what each player sees in `reference_view`.

A move names what is done and the numbers of what it is done to:

| kind | values |
|---|---|
| `card` | a tactic card of the own hand (T1) |
| `bastion` | a spot of the board (U5) |
| `place` | where a unit is placed (T3, S1) |
| `equip`, `march`, `pass` | the action (A1) |
| `discard` | two stacks of the market, in solo play (X3) |
| `buy`, `forge`, `done` | the card bought (E2); forging (E3); no more |
| `keep` | the legendary card kept (E3); no values in battle: blanks are kept (B5) |
| `attach` | the card for the next space, -1 for none (E4) |
| `move`, `halt` | type, from, to (M1); no more |
| `battle` | the territory of the next battle (M5) |
| `flee`, `roll`, `reroll`, `eliminate` | in battle; figures eliminated by type (B5, B7, B11) |

An outcome of chance is a number: the type of the elf that comes from the bag, the card that is drawn, the
dice that injure.
"""

from __future__ import annotations

from dataclasses import replace

from engine.clash import reference_battle
from engine.clash.board import Scenario, board_of, scenario
from engine.clash.reference_equip import (
    attach,
    attachable,
    equip,
    equip_moves,
    equipment_outcomes,
    improve,
    keep,
    lay_out,
    look_at,
    market_is_short,
)
from engine.clash.reference_march import (
    CHOOSE,
    HALT,
    battle_decider,
    battlefields,
    begin_battle,
    fight,
    march,
    march_moves,
)
from engine.clash.reference_round import (
    choose_tactic,
    chosen_moves,
    draw_tactic,
    drawing,
    elf_arrives,
    elf_outcomes,
    end_round,
    next_arrival,
    next_round,
    place_bastion,
    place_unit,
    receive_stones,
    reinforce,
    reveal,
    searching,
    tactic_outcomes,
    unfilled_site,
)
from engine.clash.reference_state import NONE, NUM_SLOTS, Move, Phase, Player, State, points
from engine.clash.rules import Rules
from engine.protocol import CHANCE, OVER, IllegalMove

__all__ = [
    "CHANCE",
    "OVER",
    "IllegalMove",
    "Move",
    "Phase",
    "Player",
    "Scenario",
    "State",
    "chance_outcomes",
    "decider",
    "is_over",
    "legal_moves",
    "payoffs",
    "scenario",
    "start",
    "step",
]

EQUIP, MARCH, PASS = Move("equip"), Move("march"), Move("pass")


def start(rules: Rules, chosen: Scenario) -> State:
    """The state before elves, market and hands are drawn (U2-U4): the draws are chance nodes."""
    num_territories = board_of(rules, chosen).num_territories
    first, second, third = (elf.tokens for elf in rules.elves)
    return advance(
        State(
            rules=rules,
            scenario=chosen,
            players=(Player(units=(NONE,) * (num_territories + 1)),) * len(chosen.clans),
            elves=(NONE,) * num_territories,
            bag=(first, second, third),
            deck=tuple(card.copies for card in rules.equipment),
            market=(0,) * len(rules.equipment),
            legendary=tuple(range(len(rules.equipment), len(rules.equipment) + len(rules.legendary))),
        )
    )


# -- who decides, and what is allowed -------------------------------------------------------------------


def is_over(state: State) -> bool:
    """Whether the game has ended."""
    return state.phase == Phase.OVER


def decider(state: State) -> int:
    """Who decides now: a player, `CHANCE`, or `OVER`."""
    phase = state.phase
    if phase == Phase.OVER:
        return OVER
    if phase in (Phase.SITES, Phase.MARKET, Phase.HANDS, Phase.FORGE, Phase.IMPROVE, Phase.ARRIVALS):
        return CHANCE
    if phase == Phase.EQUIP and market_is_short(state):
        return CHANCE
    if phase == Phase.BATTLE:
        return battle_decider(state)
    return state.turn if phase == Phase.TACTIC else state.active


def legal_moves(state: State) -> tuple[Move, ...]:
    """What the decider may do, in the order in which moves are numbered; empty for chance and when over."""
    if decider(state) < 0:
        return ()
    phase = state.phase
    if phase == Phase.ACTION:
        return (EQUIP, MARCH, PASS)
    if phase == Phase.EQUIP:
        return equip_moves(state)
    if phase == Phase.KEEP:
        return tuple(Move("keep", (card,)) for card in state.drawn)
    if phase == Phase.ATTACH:
        return tuple(Move("attach", (card,)) for card in (*attachable(state), -1))
    if phase == Phase.MARCH:
        return march_moves(state)
    if phase == Phase.BATTLES:
        return tuple(Move(CHOOSE, (place,)) for place in battlefields(state))
    if phase == Phase.BATTLE:
        assert state.battle is not None
        return reference_battle.legal_moves(state.battle)
    return chosen_moves(state)


def chance_outcomes(state: State) -> list[tuple[int, int]]:
    """Outcomes of a chance node with integer weights."""
    if decider(state) != CHANCE:
        return []
    if state.phase in (Phase.SITES, Phase.ARRIVALS):
        return elf_outcomes(state)
    if state.phase == Phase.HANDS:
        return tactic_outcomes(state)
    if state.phase == Phase.FORGE:
        return [(card, 1) for card in state.legendary]
    if state.phase == Phase.BATTLE:
        assert state.battle is not None
        return reference_battle.chance_outcomes(state.battle)
    return equipment_outcomes(state)


# -- moves ----------------------------------------------------------------------------------------------


def step(state: State, move: Move | int) -> State:
    """The state after a player's move, or after an outcome of chance; raises IllegalMove."""
    if not isinstance(move, Move):
        if move not in dict(chance_outcomes(state)):
            raise IllegalMove(f"chance outcome {move} in phase {state.phase.name}")
        return advance(_after_chance(state, move))
    if move not in legal_moves(state):
        raise IllegalMove(f"{move} in phase {state.phase.name}, decider {decider(state)}")
    return advance(_after_move(state, move))


def _after_chance(state: State, outcome: int) -> State:
    phase = state.phase
    if phase == Phase.SITES:
        site = unfilled_site(state)
        assert site is not None
        return elf_arrives(state, site, outcome)
    if phase == Phase.HANDS:
        return draw_tactic(state, outcome)
    if phase == Phase.FORGE:
        return look_at(state, outcome)
    if phase == Phase.BATTLE:
        return fight(state, outcome)
    if phase == Phase.IMPROVE:
        return improve(state, outcome)
    if phase == Phase.ARRIVALS:
        site = next_arrival(state)
        assert site is not None
        return replace(elf_arrives(state, site, outcome), site=site + 1)
    return lay_out(state, outcome)


def _after_move(state: State, move: Move) -> State:
    phase = state.phase
    if phase == Phase.ACTION:
        return _begin_action(state, move)
    if phase == Phase.EQUIP:
        return equip(state, move)
    if phase == Phase.MARCH:
        return replace(state, phase=Phase.BATTLES) if move.kind == HALT else march(state, *move.values)
    if phase == Phase.BATTLE:
        return fight(state, move)
    [value] = move.values
    if phase == Phase.TACTIC:
        return choose_tactic(state, value)
    if phase == Phase.BASTION:
        return place_bastion(state, value)
    if phase in (Phase.REINFORCE, Phase.STONES):
        return place_unit(state, value)
    if phase == Phase.KEEP:
        return keep(state, value)
    if phase == Phase.ATTACH:
        return attach(state, value)
    return begin_battle(state, value)


def _begin_action(state: State, move: Move) -> State:
    """Equip, march, or pass (A1)."""
    if move == EQUIP:
        return replace(state, phase=Phase.EQUIP, fresh=True)
    if move == MARCH:
        return replace(state, phase=Phase.MARCH, moved=(NONE,) * (state.board.num_territories + 1))
    return _end_action(state)


# -- what nobody decides --------------------------------------------------------------------------------


def advance(state: State) -> State:
    """Carry out everything that nobody decides, up to the next decision, draw, or the end."""
    while (after := _carried_on(state)) is not state:
        state = after
    return state


def _carried_on(state: State) -> State:
    """One step of `advance`; the state itself where somebody decides, or chance does."""
    phase = state.phase
    if phase == Phase.SITES:
        return state if unfilled_site(state) is not None else replace(state, phase=Phase.MARKET)
    if phase == Phase.MARKET:
        return state if market_is_short(state) else replace(state, phase=Phase.HANDS)
    if phase == Phase.HANDS:
        if drawing(state) is not None:
            return state
        return (
            replace(state, phase=Phase.ARRIVALS, site=0)
            if state.is_solo and state.round
            else next_round(state)
        )
    if phase == Phase.TACTIC:
        return reveal(state) if state.turn == state.num_players else state
    if phase in (Phase.REINFORCE, Phase.STONES):
        return state if any(state.arriving) else _next_to_receive(state)
    if phase == Phase.ATTACH:
        if state.slot == NUM_SLOTS:
            return _end_action(replace(state, slot=0))
        return state if attachable(state) else attach(state, -1)
    if phase == Phase.BATTLES:
        fields = battlefields(state)
        if len(fields) > 1:
            return state
        return begin_battle(state, fields[0]) if fields else _end_action(state)
    if phase == Phase.IMPROVE:
        kind = searching(state)
        if kind < 0:
            return replace(state, phase=Phase.HANDS, improving=-1)
        return state if kind == state.improving else replace(state, improving=kind)
    if phase == Phase.ARRIVALS:
        return state if next_arrival(state) is not None else next_round(replace(state, site=0))
    return state


def _next_to_receive(state: State) -> State:
    """The next player's units arrive; after the last one's come actions."""
    if state.turn + 1 < state.num_players:
        state = replace(state, turn=state.turn + 1)
        return reinforce(state) if state.phase == Phase.REINFORCE else receive_stones(state)
    action = 1 if state.phase == Phase.REINFORCE else 2
    return replace(state, phase=Phase.ACTION, turn=0, action=action, floor=0)


def _end_action(state: State) -> State:
    """An action is over: has its player won (V1), and who is next?"""
    state = replace(state, moved=(), fresh=False)
    if state.action == 2 and points(state, state.active) >= state.goal:
        return replace(state, phase=Phase.OVER, winner=state.active)
    if state.turn + 1 < state.num_players:
        return replace(state, phase=Phase.ACTION, turn=state.turn + 1)
    state = replace(state, turn=0)
    return receive_stones(state) if state.action == 1 else end_round(state)


# -- the end --------------------------------------------------------------------------------------------


def payoffs(state: State) -> tuple[float, ...]:
    """What a finished game pays each player (V2): two 1 and -1, else the winner 1; a draw is shared.

    Alone, a game that is not won pays 0.
    """
    assert is_over(state)
    num_players = state.num_players
    if num_players == 2:
        return (0.0, 0.0) if state.winner is None else (1.0, -1.0) if state.winner == 0 else (-1.0, 1.0)
    nobody = 0.0 if state.is_solo else 1.0 / num_players
    return tuple(
        nobody if state.winner is None else float(index == state.winner) for index in range(num_players)
    )
