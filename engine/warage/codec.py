"""Between states of the reference and the words of the kernels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.protocol import CHANCE
from engine.warage import layout
from engine.warage.kernel import decider, get_move
from engine.warage.kernel_moves import MOVE_KINDS, MOVE_WORDS
from engine.warage.kernel_rules import KernelRules, always_adds, situations
from engine.warage.reference_state import ROOM, Do, Hero, Item, Kind, Move, Phase, Piece, Setup, State, Task
from engine.warage.rules import Rules


def encode(state: State) -> NDArray[np.int64]:
    """The words of a state."""
    words = np.zeros(layout.NUM_WORDS, np.int64)
    for seat, hero in enumerate(state.heroes):
        _encode_hero(words, seat * layout.HERO_WORDS, state.rules, hero)
    numbers = {
        layout.TURN: state.turn,
        layout.ACTIVE: state.active,
        layout.PHASE: state.phase,
        layout.SEASON: state.season + layout.NONE_OFFSET,
        layout.SPECIAL: state.special + layout.NONE_OFFSET,
        layout.PRIORITY: state.priority,
        layout.PASSES: state.passes,
        layout.SIX: state.six,
        layout.ATTACKED: state.attacked,
        layout.AMULETS: state.amulets,
        layout.ABILITY: state.ability,
        layout.WINNERS: sum(1 << seat for seat in state.winners),
        layout.BOTTOM_SIZE: len(state.bottom),
        layout.QUEUE_SIZE: len(state.queue),
        layout.AGENDA_SIZE: len(state.agenda),
    }
    for word, number in numbers.items():
        words[word] = number
    _put(words, layout.SEASON_DECK, state.season_deck)
    _put(words, layout.BOTTOM, state.bottom)
    _put(words, layout.FACES, (*state.faces[0], *state.faces[1]))
    for number, task in enumerate(state.agenda):
        values = (task.do, task.a, task.b, task.c + 1, task.d, task.e + 1)
        _put(words, layout.AGENDA + number * layout.TASK_WORDS, values)
    for number, item in enumerate(state.queue):
        _encode_item(words, layout.QUEUE + number * layout.ITEM_WORDS, item)
    return words


def _put(words: NDArray[np.int64], place: int, values: tuple[int, ...]) -> None:
    words[place : place + len(values)] = values


def _encode_hero(words: NDArray[np.int64], base: int, rules: Rules, hero: Hero) -> None:
    _put(
        words,
        base,
        (
            hero.hp + layout.HP_OFFSET,
            int(hero.beaten),
            len(hero.hand),
            len(hero.life),
            len(hero.play),
            sum(hero.deck),
            *(value + layout.MODS_OFFSET for value in hero.this_round),
            *(value + layout.MODS_OFFSET for value in hero.until_opening),
        ),
    )
    _put(words, base + layout.LIFE, hero.life)
    _put(words, base + layout.HAND, hero.hand)
    pieces = tuple(
        piece.card << layout.CARD_SHIFT
        | piece.ready * layout.READY_BIT
        | piece.awake * layout.AWAKE_BIT
        | piece.moved * layout.MOVED_BIT
        for piece in hero.play
    )
    _put(words, base + layout.PLAY, pieces)
    _put(words, base + layout.DECK, hero.deck)
    _put(words, base + layout.FLASHES, _sums(rules, hero))


def _sums(rules: Rules, hero: Hero) -> tuple[int, ...]:
    """What follows from the hand and from play: `layout.FLASHES` and on."""
    hand = [rules.cards[number] for number in hero.hand]
    flashes = [card for card in hand if card.kind == "flash"]
    pieces = [rules.cards[piece.card] for piece in hero.play]
    ready = [rules.cards[piece.card] for piece in hero.play if piece.ready]
    parts = [ROOM[card.encumbrance] for card in ready]
    adds = [always_adds(card.effects) for card in ready]
    totals = [sum(values) for values in zip(*adds, strict=True)] or [0] * (layout.NUM_STATS + 1)
    return (
        sum(situations(card.effects, "play") for card in flashes),
        sum(card.kind != "flash" and not card.red and not card.blue for card in hand),
        sum(situations(card.effects, "use") for card in pieces),
        sum(card.red for card in pieces),
        sum(card.blue for card in pieces),
        sum(need << part * layout.PART_BITS for part, need in parts),
        totals[-1],
        *(layout.ADDS_OFFSET + total for total in totals[:-1]),
    )


def _encode_item(words: NDArray[np.int64], base: int, item: Item) -> None:
    values = (
        item.kind,
        item.owner,
        item.card + layout.NONE_OFFSET,
        item.hero + layout.NONE_OFFSET,
        item.piece + layout.GONE_OFFSET,
        item.item + layout.NONE_OFFSET,
        len(item.sources),
        *(source + layout.GONE_OFFSET for source in item.sources),
    )
    _put(words, base, values)
    rest = (
        *(value + layout.MODS_OFFSET for value in item.plus),
        *(value + layout.DICE_OFFSET for value in item.dice),
        *item.reroll,
        item.prevent,
        int(item.negated),
    )
    _put(words, base + layout.ITEM_PLUS, rest)


def decode(words: NDArray[np.int64], setup: Setup) -> State:
    """The state that some words say."""

    def number(word: int) -> int:
        return int(words[word])

    def numbers(place: int, size: int) -> tuple[int, ...]:
        return tuple(words[place : place + size].tolist())

    num_cards = len(setup.rules.cards)
    tasks = []
    for place in range(number(layout.AGENDA_SIZE)):
        do, a, b, c, d, e = numbers(layout.AGENDA + place * layout.TASK_WORDS, layout.TASK_WORDS)
        tasks.append(Task(Do(do), a, b, c - 1, d, e - 1))
    faces = numbers(layout.FACES, 12)
    winners = number(layout.WINNERS)
    return State(
        setup=setup,
        heroes=tuple(
            _decode_hero(words, seat * layout.HERO_WORDS, num_cards) for seat in range(len(setup.heroes))
        ),
        season_deck=numbers(layout.SEASON_DECK, len(setup.rules.seasons)),
        agenda=tuple(tasks),
        turn=number(layout.TURN),
        active=number(layout.ACTIVE),
        phase=Phase(number(layout.PHASE)),
        season=number(layout.SEASON) - layout.NONE_OFFSET,
        special=number(layout.SPECIAL) - layout.NONE_OFFSET,
        bottom=numbers(layout.BOTTOM, number(layout.BOTTOM_SIZE)),
        queue=tuple(
            _decode_item(words, layout.QUEUE + place * layout.ITEM_WORDS)
            for place in range(number(layout.QUEUE_SIZE))
        ),
        priority=number(layout.PRIORITY),
        passes=number(layout.PASSES),
        faces=(faces[:6], faces[6:]),
        six=bool(number(layout.SIX)),
        attacked=bool(number(layout.ATTACKED)),
        amulets=number(layout.AMULETS),
        ability=bool(number(layout.ABILITY)),
        winners=tuple(seat for seat in range(len(setup.heroes)) if winners >> seat & 1),
    )


def _decode_hero(words: NDArray[np.int64], base: int, num_cards: int) -> Hero:
    def numbers(place: int, size: int, offset: int = 0) -> tuple[int, ...]:
        return tuple(value - offset for value in words[base + place : base + place + size].tolist())

    hp, beaten, hand, life, play, _ = numbers(layout.HP, 6)
    pieces = tuple(
        Piece(
            piece >> layout.CARD_SHIFT,
            bool(piece & layout.READY_BIT),
            bool(piece & layout.AWAKE_BIT),
            bool(piece & layout.MOVED_BIT),
        )
        for piece in numbers(layout.PLAY, play)
    )
    return Hero(
        hp=hp - layout.HP_OFFSET,
        hand=numbers(layout.HAND, hand),
        deck=numbers(layout.DECK, num_cards),
        life=numbers(layout.LIFE, life),
        play=pieces,
        this_round=numbers(layout.ROUND_MODS, layout.NUM_STATS, layout.MODS_OFFSET),
        until_opening=numbers(layout.OPENING_MODS, layout.NUM_STATS, layout.MODS_OFFSET),
        beaten=bool(beaten),
    )


def _decode_item(words: NDArray[np.int64], base: int) -> Item:
    def numbers(place: int, size: int, offset: int = 0) -> tuple[int, ...]:
        return tuple(value - offset for value in words[base + place : base + place + size].tolist())

    kind, owner, card, hero, piece, item, sources = numbers(0, 7)
    plus = numbers(layout.ITEM_PLUS, 2, layout.MODS_OFFSET)
    dice = numbers(layout.ITEM_DICE, 2, layout.DICE_OFFSET)
    reroll = numbers(layout.ITEM_REROLL, 2)
    prevent, negated = numbers(layout.ITEM_PREVENT, 2)
    return Item(
        Kind(kind),
        owner,
        card - layout.NONE_OFFSET,
        hero - layout.NONE_OFFSET,
        piece - layout.GONE_OFFSET,
        item - layout.NONE_OFFSET,
        numbers(layout.ITEM_SOURCE, sources, layout.GONE_OFFSET),
        (plus[0], plus[1]),
        (dice[0], dice[1]),
        (reroll[0], reroll[1]),
        prevent,
        bool(negated),
    )


def decode_move(words: NDArray[np.int64], rules: KernelRules, index: int) -> Move:
    """The decision of a number, where somebody decides."""
    assert decider(words, rules) != CHANCE
    move = np.zeros(MOVE_WORDS, np.int64)
    get_move(words, rules, index, move)
    kind, size, *values = move.tolist()
    return Move(MOVE_KINDS[kind], tuple(values[:size]))
