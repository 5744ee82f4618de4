"""Between states of the reference and the words of the kernels."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from engine.ophidian import layout
from engine.ophidian.kernel import get_move
from engine.ophidian.kernel_plays import PLACE, PROMOTE
from engine.ophidian.kernel_round import position_hash
from engine.ophidian.kernel_rules import KernelRules
from engine.ophidian.reference_state import (
    ACTION,
    SUPPORT,
    Action,
    Fighter,
    Holding,
    Kind,
    Move,
    Phase,
    Position,
    State,
)
from engine.ophidian.rules import Rules

_NO_CHANGES = (0,) * (layout.FIGHTER_WORDS - layout.CHANGES)


def encode(state: State) -> NDArray[np.int64]:
    """The words of a state."""
    words = np.zeros(layout.NUM_WORDS, np.int64)
    for player, holding in enumerate(state.holdings):
        base = player * layout.PLAYER_WORDS
        counts = np.bincount(holding.hand, minlength=len(holding.deck)) if holding.hand else ()
        _put(words, base + layout.HAND, counts)
        _put(words, base + layout.DECK, holding.deck)
        _put(words, base + layout.BOTTOM, holding.bottom)
        _put(words, base + layout.STACK, holding.stack)
        sizes = (len(holding.hand), sum(holding.deck), len(holding.bottom), len(holding.stack))
        _put(words, base, (*sizes, holding.resources))
    here = Position(state.teams, state.cheer, (0, 0), state.momentum, state.passes)
    _encode_position(words, here)
    numbers = {
        layout.TURN: state.turn,
        layout.WAVE: state.wave,
        layout.PHASE: state.phase,
        layout.DECLINED: state.declined,
        layout.LEFT: state.left,
        layout.BROKE: state.broke,
        layout.USED_SIZE: len(state.used),
        layout.PAST_SIZE: len(state.past),
    }
    for word, number in numbers.items():
        words[word] = number
    for word, action in ((layout.ACTION, state.action), (layout.RESPONSE, state.response)):
        if action is not None:
            _put(words, word, _action_words(action))
    _put(words, layout.USED, [player << layout.USED_SHIFT | key for player, key in state.used])
    _put(words, layout.PAST, [_hash_of(position) for position in state.past])
    return words


def _put(words: NDArray[np.int64], place: int, values: Sequence[int] | NDArray[np.int64]) -> None:
    words[place : place + len(values)] = values


def _encode_position(words: NDArray[np.int64], position: Position) -> None:
    """Teams, cheer, momentum and passes."""
    for player, team in enumerate(position.teams):
        base = player * layout.PLAYER_WORDS
        words[base + layout.TEAM_SIZE] = len(team)
        for index, fighter in enumerate(team):
            place = base + layout.TEAM + index * layout.FIGHTER_WORDS
            _put(words, place, _fighter_words(fighter))
        words[layout.CHEER + player] = position.cheer[player]
    words[layout.MOMENTUM], words[layout.PASSES] = position.momentum, position.passes


def _fighter_words(fighter: Fighter) -> list[int]:
    pumps = [owner | card << 1 for owner, card in fighter.pumps]
    pumps += [0] * (layout.CHANGES - layout.PUMPS - len(pumps))
    return [
        fighter.gladiator + 1,
        fighter.card + 1,
        fighter.level + 1,
        fighter.wounds,
        fighter.field,
        int(fighter.is_set),
        len(fighter.pumps),
        *pumps,
        *(value + layout.CHANGE_OFFSET for value in fighter.changes or _NO_CHANGES),
    ]


def _action_words(action: Action) -> list[int]:
    return [
        action.kind + 1,
        action.player,
        action.who + 1,
        action.target + 1,
        action.card + 1,
        action.side + 1,
        int(action.positive),
        int(action.variable),
        int(action.enraged),
        int(action.roused),
        int(action.resolved),
        int(action.roared),
        action.hit + 1,
        action.by,
        action.done + 1,
        action.die,
    ]


@lru_cache(maxsize=1 << 14)
def _hash_of(position: Position) -> int:
    words = np.zeros(layout.NUM_WORDS, np.int64)
    _encode_position(words, position)
    for player in (0, 1):
        words[player * layout.PLAYER_WORDS + layout.RESOURCES] = position.resources[player]
    return int(position_hash(words))


def decode(words: NDArray[np.int64], rules: Rules) -> State:
    """The state that some words say, without the positions of its wave, of which they have hashes only."""

    def number(word: int) -> int:
        return int(words[word])

    def holding(player: int) -> Holding:
        base = player * layout.PLAYER_WORDS
        hand, deck, bottom, stack, resources = (number(base + place) for place in range(5))
        counts = _numbers(words, base + layout.HAND, len(rules.cards))
        assert (sum(counts), len(rules.cards)) == (hand, len(rules.cards))
        cards = _numbers(words, base + layout.DECK, len(rules.cards))
        assert sum(cards) == deck
        return Holding(
            tuple(card for card, copies in enumerate(counts) for _ in range(copies)),
            cards,
            _numbers(words, base + layout.BOTTOM, bottom),
            _numbers(words, base + layout.STACK, stack),
            resources,
        )

    def team(player: int) -> tuple[Fighter, ...]:
        base = player * layout.PLAYER_WORDS
        places = range(number(base + layout.TEAM_SIZE))
        return tuple(_fighter(words, base + layout.TEAM + place * layout.FIGHTER_WORDS) for place in places)

    used = _numbers(words, layout.USED, number(layout.USED_SIZE))
    return State(
        rules,
        (team(0), team(1)),
        cheer=(number(layout.CHEER), number(layout.CHEER + 1)),
        momentum=number(layout.MOMENTUM),
        turn=number(layout.TURN),
        passes=number(layout.PASSES),
        wave=number(layout.WAVE),
        phase=Phase(number(layout.PHASE)),
        action=_action(words, layout.ACTION),
        response=_action(words, layout.RESPONSE),
        holdings=(holding(0), holding(1)),
        used=tuple((key >> layout.USED_SHIFT, key & (1 << layout.USED_SHIFT) - 1) for key in used),
        declined=number(layout.DECLINED),
        left=number(layout.LEFT),
        broke=number(layout.BROKE),
    )


def _numbers(words: NDArray[np.int64], place: int, size: int) -> tuple[int, ...]:
    return tuple(words[place : place + size].tolist())


def _fighter(words: NDArray[np.int64], place: int) -> Fighter:
    gladiator, card, level, wounds, field, is_set, pumps = _numbers(words, place, layout.PUMPS)
    known = _numbers(words, place + layout.PUMPS, pumps)
    added = _numbers(words, place + layout.CHANGES, len(_NO_CHANGES))
    changes = tuple(value - layout.CHANGE_OFFSET for value in added)
    return Fighter(
        gladiator - 1,
        level - 1,
        wounds,
        field,
        bool(is_set),
        card - 1,
        tuple((pump & 1, pump >> 1) for pump in known),
        changes if any(changes) else (),
    )


def _action(words: NDArray[np.int64], place: int) -> Action | None:
    values = _numbers(words, place, layout.ACTION_WORDS)
    if not values[0]:
        return None
    kind, player, who, target, card, side, *flags, hit, by, done, die = values
    positive, variable, enraged, roused, resolved, roared = map(bool, flags)
    return Action(
        Kind(kind - 1),
        player,
        who - 1,
        target - 1,
        card - 1,
        side - 1,
        positive,
        variable,
        enraged,
        roused,
        hit - 1,
        Kind(by),
        done - 1,
        die,
        resolved,
        roared,
    )


def decode_move(words: NDArray[np.int64], rules: KernelRules, index: int) -> Move:
    """The decision of a number, where somebody decides."""
    move = np.zeros(layout.MOVE_WORDS, np.int64)
    get_move(words, rules, index, move)
    kind, who, target, card, side, many = move.tolist()
    size = int(words[int(words[layout.TURN]) * layout.PLAYER_WORDS + layout.TEAM_SIZE])
    chosen: tuple[int, ...] = ()
    if kind == PROMOTE:
        chosen = tuple(place for place in range(size) if many >> place & 1)
    elif kind == PLACE:
        chosen = tuple(ACTION if many >> place & 1 else SUPPORT for place in range(size))
    return Move(Kind(kind), who, target, chosen, card, side)
