"""Between states and moves of the reference and those of the kernels, for tests and for tools."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from engine.bits import Bits, get, put
from engine.clash import kernel, layout
from engine.clash.board import Scenario
from engine.clash.kernel_battle import nth_elimination, stage
from engine.clash.kernel_equip import nth_equip
from engine.clash.kernel_march import nth_march
from engine.clash.kernel_rules import KernelRules, army, bits
from engine.clash.kernel_state import count, nth, phase
from engine.clash.reference import Move, Phase, Player, State
from engine.clash.reference_battle import ATTACKER, DEFENDER, Battle, Counts, Stage
from engine.clash.reference_state import clan_fighters, elf_fighters, enemy
from engine.clash.rules import Rules

assert [phase.value for phase in Phase] == list(range(layout.SITES, layout.OVER + 1))
assert [stage.value for stage in Stage] == [*range(layout.ASSAULT, layout.ELIMINATE + 1), Stage.OVER]

_ACTIONS = (Move("equip"), Move("march"), Move("pass"))
_OPTIONS = {
    Phase.TACTIC: "card",
    Phase.BASTION: "bastion",
    Phase.REINFORCE: "place",
    Phase.STONES: "place",
    Phase.KEEP: "keep",
    Phase.ATTACH: "attach",
    Phase.BATTLES: "battle",
}


# -- states ---------------------------------------------------------------------------------------------


def encode(state: State) -> NDArray[np.int64]:
    """Words of a state of the reference, `[NUM_WORDS] int64`."""
    words = [0] * layout.NUM_WORDS
    num_territories = state.board.num_territories
    for place in range(num_territories):
        armies = [player.units[place] for player in state.players]
        words[layout.PLACE + place] = _many(layout.ARMIES, map(army, armies)) | put(
            layout.ARMIES, army(state.elves[place]), layout.MAX_PLAYERS
        )
    words[layout.HOME] = _many(
        layout.HOMES, [army(player.units[num_territories]) for player in state.players]
    )
    _spread(words, layout.MOVED, layout.MOVES, map(army, state.moved))
    for index, player in enumerate(state.players):
        _encode_player(words, state, index, player)
    _spread(words, layout.DECK, layout.COPIES, state.deck)
    _spread(words, layout.MARKET, layout.COPIES, state.market)
    _spread(words, layout.UNDER, layout.BELOW, state.under)
    num_equipment = len(state.rules.equipment)
    words[layout.SHEET] = (
        put(layout.LEGENDARY, bits(card - num_equipment for card in state.legendary))
        | put(layout.DRAWN, bits(card - num_equipment for card in state.drawn))
        | _many(layout.FINDS, [_or(card, layout.NO_FIND) for cards in state.elf_cards for card in cards])
    )
    words[layout.FLOW] = (
        put(layout.PHASE, state.phase)
        | put(layout.ROUND, state.round)
        | put(layout.TURN, state.turn)
        | put(layout.ACTION, state.action)
        | _many(layout.ORDER, state.order)
        | put(layout.ARRIVING, army(state.arriving))
        | put(layout.FLOOR, state.floor)
        | put(layout.FRESH, state.fresh)
        | put(layout.FORGED, state.forged)
        | put(layout.DRAWS, state.draws)
        | put(layout.SLOT, state.slot)
        | put(layout.IMPROVING, state.improving + 1)
        | put(layout.SITE, state.site)
        | put(layout.WINNER, _or(state.winner, layout.NO_WINNER))
    )
    words[layout.COUNTERS] = (
        put(layout.BAG, army(state.bag))
        | put(layout.DOMINATION, state.domination)
        | put(layout.NUM_UNDER, len(state.under))
    )
    if state.battle is not None:
        battle = state.battle
        assert state.battlefield is not None
        words[layout.BATTLE] = (
            _many(layout.FOUGHT, map(army, battle.counts))
            | _many(layout.RAGE, battle.rage)
            | put(layout.FIELD, state.battlefield)
            | put(layout.STAGE, battle.stage)
            | put(layout.ASSAULTER, battle.assaulter)
            | put(layout.AGAINST_ELVES, battle.elves)
            | put(layout.FIGHTING, 1)
        )
        words[layout.COUNTERS] |= (
            put(layout.DICE, battle.dice)
            | put(layout.HITS, battle.hits)
            | put(layout.REROLLS, battle.rerolls)
        )
    return np.array(words, np.int64)


def _encode_player(words: list[int], state: State, index: int, player: Player) -> None:
    num_equipment = len(state.rules.equipment)
    words[layout.PLAYER + index] = (
        put(layout.HAND, bits(player.hand))
        | put(layout.DISCARD, bits(player.discard))
        | put(layout.CHOSEN, _or(player.chosen, layout.NO_TACTIC))
        | put(layout.BASTION, _or(player.bastion, layout.NO_SPOT))
        | put(layout.GOLD, player.gold)
        | put(layout.CRYSTALS, player.crystals)
    )
    owned = layout.OWNED + layout.CARD_WORDS * index
    _spread(words, owned, layout.COPIES, [player.cards.count(card) for card in range(num_equipment)])
    legends = bits(card - num_equipment for card in player.cards if card >= num_equipment)
    words[owned + layout.CARD_WORDS - 1] |= put(layout.LEGENDS, legends)
    words[layout.ATTACHED + index] = _many(
        layout.SLOTS, [_or(card, layout.NO_CARD) for card in player.attached]
    )


def decode(words: NDArray[np.int64], rules: Rules, scenario: Scenario) -> State:
    """The state of the reference that has these words, `[NUM_WORDS] int64`."""
    num_players, num_equipment = len(scenario.clans), len(rules.equipment)
    num_territories = 7 * len(scenario.tiles)
    numbers = [int(word) for word in words]
    flow, sheet, counters = numbers[layout.FLOW], numbers[layout.SHEET], numbers[layout.COUNTERS]
    phase = Phase(get(flow, layout.PHASE))
    finds = [_or_none(get(sheet, layout.FINDS, slot), layout.NO_FIND) for slot in range(layout.NUM_SLOTS)]
    round_ = get(flow, layout.ROUND)
    begun = round_ > 0 and phase != Phase.TACTIC
    marching = phase in (Phase.MARCH, Phase.BATTLES, Phase.BATTLE)
    state = State(
        rules=rules,
        scenario=scenario,
        players=tuple(
            _decode_player(numbers, index, num_territories, num_equipment) for index in range(num_players)
        ),
        elves=tuple(
            _counts(get(numbers[layout.PLACE + place], layout.ARMIES, layout.MAX_PLAYERS))
            for place in range(num_territories)
        ),
        bag=_counts(get(counters, layout.BAG)),
        deck=_gathered(numbers, layout.DECK, layout.COPIES, num_equipment),
        market=_gathered(numbers, layout.MARKET, layout.COPIES, num_equipment),
        legendary=tuple(card + num_equipment for card in _numbers(get(sheet, layout.LEGENDARY))),
        elf_cards=tuple((finds[2 * kind], finds[2 * kind + 1]) for kind in range(layout.NUM_TYPES)),
        under=_gathered(numbers, layout.UNDER, layout.BELOW, get(counters, layout.NUM_UNDER)),
        phase=phase,
        round=round_,
        order=tuple(get(flow, layout.ORDER, index) for index in range(num_players)) if begun else (),
        turn=get(flow, layout.TURN),
        action=get(flow, layout.ACTION),
        arriving=_counts(get(flow, layout.ARRIVING)),
        floor=get(flow, layout.FLOOR),
        fresh=bool(get(flow, layout.FRESH)),
        forged=bool(get(flow, layout.FORGED)),
        drawn=tuple(card + num_equipment for card in _numbers(get(sheet, layout.DRAWN))),
        draws=get(flow, layout.DRAWS),
        slot=get(flow, layout.SLOT),
        moved=tuple(map(_counts, _gathered(numbers, layout.MOVED, layout.MOVES, num_territories + 1)))
        if marching
        else (),
        improving=get(flow, layout.IMPROVING) - 1,
        site=get(flow, layout.SITE),
        domination=get(counters, layout.DOMINATION),
        winner=_or_none(get(flow, layout.WINNER), layout.NO_WINNER),
    )
    return _with_battle(numbers, state) if numbers[layout.BATTLE] else state


def _decode_player(numbers: list[int], index: int, num_territories: int, num_equipment: int) -> Player:
    own = numbers[layout.PLAYER + index]
    owned = layout.OWNED + layout.CARD_WORDS * index
    copies = _gathered(numbers, owned, layout.COPIES, num_equipment)
    legends = _numbers(get(numbers[owned + layout.CARD_WORDS - 1], layout.LEGENDS))
    places = [get(numbers[layout.PLACE + place], layout.ARMIES, index) for place in range(num_territories)]
    slots = [get(numbers[layout.ATTACHED + index], layout.SLOTS, slot) for slot in range(layout.NUM_SLOTS)]
    return Player(
        units=tuple(map(_counts, [*places, get(numbers[layout.HOME], layout.HOMES, index)])),
        hand=_numbers(get(own, layout.HAND)),
        discard=_numbers(get(own, layout.DISCARD)),
        chosen=_or_none(get(own, layout.CHOSEN), layout.NO_TACTIC),
        bastion=_or_none(get(own, layout.BASTION), layout.NO_SPOT),
        gold=get(own, layout.GOLD),
        crystals=get(own, layout.CRYSTALS),
        cards=(
            *(card for card, number in enumerate(copies) for _ in range(number)),
            *(card + num_equipment for card in legends),
        ),
        attached=tuple(_or_none(card, layout.NO_CARD) for card in slots),
    )


def _with_battle(numbers: list[int], state: State) -> State:
    """The state with the battle that is fought."""
    fought, counters = numbers[layout.BATTLE], numbers[layout.COUNTERS]
    place = get(fought, layout.FIELD)
    owner = enemy(state, state.active, place)
    assert owner is not None
    by_attacker = state.is_solo or state.rules.battle.elves == "attacker"
    battle = Battle(
        rule=state.rules.battle,
        fighters=(
            clan_fighters(state, state.active),
            elf_fighters(state) if owner < 0 else clan_fighters(state, owner),
        ),
        counts=(_counts(get(fought, layout.FOUGHT, 0)), _counts(get(fought, layout.FOUGHT, 1))),
        elves=bool(get(fought, layout.AGAINST_ELVES)),
        chooser=ATTACKER if owner < 0 and by_attacker else DEFENDER,
        assaulter=get(fought, layout.ASSAULTER),
        rage=(get(fought, layout.RAGE, 0), get(fought, layout.RAGE, 1)),
        stage=Stage(get(fought, layout.STAGE)),
        dice=get(counters, layout.DICE),
        hits=get(counters, layout.HITS),
        rerolls=get(counters, layout.REROLLS),
    )
    return replace(state, battle=battle, battlefield=place)


# -- moves ----------------------------------------------------------------------------------------------


def decode_move(words: NDArray[np.int64], compiled: KernelRules, index: int) -> Move | int:
    """The reference's move, or chance outcome, that has this number in a state's words."""
    at = Phase(phase(words))
    num_equipment = int(compiled[layout.RULE_NUM_EQUIPMENT])
    chance = kernel.decider(words, compiled) == kernel.CHANCE
    if at == Phase.BATTLE:
        return index if chance else _battle_move(words, compiled, index)
    if chance or at in _OPTIONS:
        chosen = kernel.options(words, compiled)
        value = int(nth(chosen, index)) if index < count(chosen) else -1
        if at in (Phase.FORGE, Phase.KEEP):
            value += num_equipment
        return value if chance else Move(_OPTIONS[at], (value,))
    if at == Phase.ACTION:
        return _ACTIONS[index]
    if at == Phase.MARCH:
        move = int(nth_march(words, compiled, index))
        return Move("halt") if move < 0 else Move("move", (move // 1024, move // 32 % 32, move % 32))
    move = int(nth_equip(words, compiled, index))
    kind, first, second = move // 4096, move // 64 % 64, move % 64
    return (Move("discard", (first, second)), Move("buy", (first,)), Move("forge"), Move("done"))[kind]


def _battle_move(words: NDArray[np.int64], compiled: KernelRules, index: int) -> Move:
    at = stage(words)
    if at == layout.ASSAULT:
        return (Move("flee"), Move("roll"))[index]
    if at == layout.REROLL:
        return (Move("keep"), Move("reroll"))[index]
    return Move("eliminate", _counts(int(nth_elimination(words, compiled, index))))


# -- small parts ----------------------------------------------------------------------------------------


def _many(field: Bits, values: Iterable[int]) -> int:
    """Values of a repeated field."""
    return sum(put(field, value, index) for index, value in enumerate(values))


def _spread(words: list[int], first: int, field: Bits, values: Iterable[int]) -> None:
    """Values of a repeated field over words from `first` on."""
    for index, value in enumerate(values):
        words[first + index // field.repeats] |= put(field, value, index % field.repeats)


def _gathered(numbers: list[int], first: int, field: Bits, size: int) -> tuple[int, ...]:
    """So many values of a repeated field from words from `first` on."""
    return tuple(
        get(numbers[first + index // field.repeats], field, index % field.repeats) for index in range(size)
    )


def _counts(bits_: int) -> Counts:
    first, second, third = (
        bits_ >> layout.COUNT_BITS * kind & layout.COUNT_MASK for kind in range(layout.NUM_TYPES)
    )
    return (first, second, third)


def _numbers(bits_: int) -> tuple[int, ...]:
    return tuple(number for number in range(bits_.bit_length()) if bits_ >> number & 1)


def _or(value: int | None, otherwise: int) -> int:
    return otherwise if value is None else value


def _or_none(value: int, nothing: int) -> int | None:
    return None if value == nothing else value
