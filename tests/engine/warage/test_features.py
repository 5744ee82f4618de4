"""Facts that values are learned from: their numbers, both seats alike, any card set, decks that are drawn."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

from engine.protocol import CHANCE, OVER
from engine.warage import layout
from engine.warage.codec import decode
from engine.warage.drawn_match import drawn_match
from engine.warage.features import COMMON_FACTS, MAX_ACTIVE, NUM_FEATURES, SIDE_FACTS, features
from engine.warage.kernel_state import Words, item_at
from engine.warage.reference import setup_of
from engine.warage.reference_state import HeroSetup, Setup
from engine.warage.sampling import NUM_WORDS, SamplingTables, sampling_tables
from tests.engine.warage.random_rules import BOX, random_rules

pytestmark = pytest.mark.kernels
SETUP = setup_of(BOX, ("orc-warrior", "elf-mage"))
HERO_TASKS = (1, 2, 3, 5, 10)


def states(game: SamplingTables, seed: int, most: int) -> Iterator[Words]:
    """The states of a random play."""
    rng, state, work = random.Random(seed), game.root.copy(), np.zeros(game.work_words, np.int64)
    for _ in range(most):
        if game.observe(game.tables, state, work) == OVER:
            return
        yield state
        game.apply(game.tables, state, work, rng.randrange(int(work[0])))


def told(game: SamplingTables, state: Words, player: int) -> set[int]:
    active = np.zeros(game.max_active, np.int64)
    count = game.features(game.tables, state, np.zeros(game.work_words, np.int64), player, active)
    found = set(active[:count].tolist())
    assert len(found) == count <= MAX_ACTIVE
    assert all(0 <= fact < NUM_FEATURES for fact in found)
    return found


def exchanged(state: Words) -> Words:
    """The same state with the heroes in each other's seats."""
    other, hero = state.copy(), layout.HERO_WORDS
    other[:hero], other[hero : 2 * hero] = state[hero : 2 * hero], state[:hero]
    for word in (layout.ACTIVE, layout.PRIORITY):
        other[word] = 1 - state[word]
    for place in range(int(state[layout.AGENDA_SIZE])):
        task = layout.AGENDA + place * layout.TASK_WORDS
        if state[task] in HERO_TASKS:
            other[task + 1] = 1 - state[task + 1]
    for position in range(int(state[layout.QUEUE_SIZE])):
        item = item_at(position)
        other[item + layout.ITEM_OWNER] = 1 - state[item + layout.ITEM_OWNER]
        if state[item + layout.ITEM_HERO]:
            other[item + layout.ITEM_HERO] = 3 - state[item + layout.ITEM_HERO]
    return other


def test_both_seats_see_alike() -> None:
    game = sampling_tables(BOX, SETUP, pauses=True)
    mirrored = sampling_tables(BOX, setup_of(BOX, ("elf-mage", "orc-warrior")), pauses=True)
    seen, queued = set(), 0
    for seed in range(2):
        for state in states(game, seed, 1500):
            queued += int(state[layout.QUEUE_SIZE] > 0)
            for player in range(2):
                facts = told(game, state, player)
                assert facts == told(mirrored, exchanged(state), 1 - player)
                seen |= facts
    assert queued > 20
    assert len(seen) > 300


def test_facts_say_what_lies_open() -> None:
    game = sampling_tables(BOX, SETUP, pauses=True)
    begin = list(np.cumsum([0, *SIDE_FACTS.values()]))
    side = int(begin[-1])
    common = dict(zip(COMMON_FACTS, np.cumsum([2 * side, *COMMON_FACTS.values()]), strict=False))
    race = int(begin[list(SIDE_FACTS).index("race")])
    held = int(begin[list(SIDE_FACTS).index("hand_size")])
    for state in states(game, 3, 600):
        now = decode(state[:NUM_WORDS], SETUP)
        facts = told(game, state, 0)
        assert {race + SETUP.heroes[0].race, side + race + SETUP.heroes[1].race} <= facts
        for seat, first in ((0, held), (1, side + held)):
            assert first + min(len(now.heroes[seat].hand), 15) in facts
        first, end = int(common["hand"]), int(common["lead"])
        assert {(fact - first) // 2 for fact in facts if first <= fact < end} == set(now.heroes[0].hand)


def test_any_card_set_keeps_within_the_numbers() -> None:
    for seed in range(4):
        rules = random_rules(seed)
        heroes = tuple(
            HeroSetup(place % len(rules.races), place % len(rules.classes), (2,) * len(rules.cards))
            for place in range(2)
        )
        game = sampling_tables(rules, Setup(rules, heroes, (0, 1)), pauses=True)
        for state in states(game, seed, 400):
            for player in range(2):
                told(game, state, player)


def test_a_drawn_match_is_the_match_drawn() -> None:
    pairs = [("orc-warrior", "elf-mage"), ("elf-mage", "elf-mage")]
    games = [sampling_tables(BOX, setup_of(BOX, pair), pauses=True) for pair in pairs]
    drawn = drawn_match(games)
    work, rng = np.zeros(drawn.work_words, np.int64), random.Random(2)
    for place, game in enumerate(games):
        state, own = drawn.root.copy(), game.root.copy()
        assert drawn.observe(drawn.tables, state, work) == CHANCE
        assert work[0] == len(games)
        assert told(drawn, state, 0) == set()
        drawn.apply(drawn.tables, state, work, place)
        for _ in range(300):
            assert np.array_equal(state[:-1], own)
            assert told(drawn, state, 1) == told(game, own, 1)
            who = game.observe(game.tables, own, work)
            seen = work.tolist() if who >= 0 else work[0]
            assert drawn.observe(drawn.tables, state, work) == who
            if who == OVER:
                break
            assert (work.tolist() if who >= 0 else work[0]) == seen
            move = rng.randrange(int(work[0]))
            game.apply(game.tables, own, work, move)
            drawn.apply(drawn.tables, state, work, move)


def test_facts_are_for_duels() -> None:
    setup = setup_of(BOX, ("orc-warrior", "elf-mage", "human-paladin"))
    assert sampling_tables(BOX, setup).features is features
    with pytest.raises(ValueError, match="duels"):
        sampling_tables(BOX, setup, pauses=True)
