"""Helpers of the engine's tests: plays of the reference and the kernel side by side, and random rules."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import get_args

import msgspec
import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from engine.bits import WORD_BITS
from engine.protocol import choices
from engine.ragers import kernel, layout, reference
from engine.ragers.codec import encode
from engine.ragers.kernel_rules import KernelRules, kernel_rules
from engine.ragers.reference import (
    CHANCE,
    NOTHING,
    State,
    chance_outcomes,
    deciders,
    is_over,
    legal_actions,
    scores,
    start_match,
    step,
    winner,
)
from engine.ragers.rules import ATTACKS, TYPES, CheersRule, MatchRule, PatronRule, Rules, load_rules
from engine.ragers.rules_schema import DeadeyeCard

Move = tuple[int, int] | int


def moves(state: State) -> list[Move]:
    """Every move of a state: chance outcomes, or pairs of actions."""
    return choices(reference, state)


def random_move(state: State, rng: random.Random) -> Move:
    """Chance by its weights, actions equally likely."""
    if deciders(state) == (CHANCE,):
        outcomes, weights = zip(*chance_outcomes(state), strict=True)
        return int(rng.choices(outcomes, weights)[0])
    return rng.choice(moves(state))


def random_states(rules: Rules, rng: random.Random) -> Iterator[State]:
    """The states of one random match, from the first draw to its end."""
    state = start_match(rules)
    while True:
        yield state
        if is_over(state):
            return
        state = step(state, random_move(state, rng))


def step_words(words: NDArray[np.int64], rules: KernelRules, move: Move) -> None:
    """The kernel's counterpart of `reference.step`. Modified in place."""
    first, second = (move, NOTHING) if isinstance(move, int) else move
    kernel.transition(words, rules, first, second)


def assert_same(state: State, words: NDArray[np.int64], rules: KernelRules) -> None:
    """The kernel's words say what the reference's state says: every bit, every legal move, every weight."""
    assert encode(state).tolist() == words.tolist()
    assert all(0 <= word < 1 << WORD_BITS for word in words.tolist())
    for player in (0, 1):
        expected = sum(1 << action for action in legal_actions(state, player))
        assert kernel.legal_mask(words, rules, player) == expected
    weights = np.zeros(kernel.MAX_OUTCOMES, np.int64)
    outcomes = dict(chance_outcomes(state))
    assert kernel.chance_weights(words, weights) == sum(outcomes.values())
    assert {index: weight for index, weight in enumerate(weights.tolist()) if weight} == outcomes
    assert kernel.is_over(words) == is_over(state)
    if is_over(state):
        assert (kernel.score(words, 0), kernel.score(words, 1)) == scores(state)
        assert kernel.winner(words) == winner(state)


def compare_match(rules: Rules, seed: int) -> int:
    """Play one random match on reference and kernel at once; returns its number of moves."""
    rng = random.Random(seed)
    compiled = kernel_rules(rules)
    words = np.zeros(layout.NUM_WORDS, np.int64)
    kernel.start(words, compiled)
    state = start_match(rules)
    num_moves = 0
    while True:
        assert_same(state, words, compiled)
        if is_over(state):
            return num_moves
        move = random_move(state, rng)
        state = step(state, move)
        step_words(words, compiled, move)
        num_moves += 1


# -- random rules -------------------------------------------------------------------------------------

_GP = st.integers(0, 20)
_BANS = st.lists(st.sampled_from(TYPES), max_size=4, unique=True)


@st.composite
def rules_files(draw: st.DrawFn) -> Rules:
    """Any rules within the limits: copies, GP, what beats what, hands, rows, patrons, cheers cards."""
    cards = []
    # For every two attacks: neither beats the other, or one of them does.
    duels = [draw(st.sampled_from((0, 1, 2))) for _ in range(3)]
    pairs = ((0, 1), (1, 2), (2, 0))
    most = draw(st.sampled_from((1, 2, 4, 7)))
    copies = st.integers(0, most)
    for index, card in enumerate(load_rules().cards):
        beats = card.beats
        if index in ATTACKS:
            beats = tuple(
                TYPES[pair[1 - pair.index(index)]]
                for pair, duel in zip(pairs, duels, strict=True)
                if index in pair and duel == 1 + pair.index(index)
            )
        cards.append(
            msgspec.structs.replace(card, beats=beats, copies=(draw(copies), draw(copies)), gp=draw(_GP))
        )
    patrons = tuple(
        PatronRule(f"p{i}", f"P{i}", draw(st.none() | st.integers(2, 7)), tuple(draw(_BANS)))
        for i in range(draw(st.integers(1, 4)))
    )
    icon = st.sampled_from(TYPES)
    required = st.lists(icon, min_size=1, max_size=4).filter(lambda xs: max(Counter(xs).values()) <= 3)
    cheers = []
    for i in range(draw(st.integers(0, 4))):
        needs = tuple(draw(required))
        others = [name for name in TYPES if name not in needs]
        bans = draw(st.lists(st.sampled_from(others), max_size=2, unique=True))
        cheers.append(CheersRule(f"c{i}", f"C{i}", needs, tuple(bans), draw(_GP)))
    match = MatchRule(
        days=draw(st.integers(1, min(5, len(patrons)))),
        hand_size=draw(st.integers(2, 7)),
        discards=draw(st.integers(0, 1)),
        row_length=draw(st.integers(2, 7)),
        winning_lead=draw(st.integers(1, 60)),
        deadeye_card=draw(st.sampled_from(get_args(DeadeyeCard))),
    )
    return Rules("random", {}, tuple(cards), patrons, tuple(cheers), match)
