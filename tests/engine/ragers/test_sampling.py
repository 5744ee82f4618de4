"""The match for sampling solvers: against the reference, and what is dealt anew against all histories."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from engine.ragers import layout, sampling
from engine.ragers.codec import encode
from engine.ragers.kernel_rules import pack_counts
from engine.ragers.reference import (
    CHANCE,
    NOTHING,
    Phase,
    State,
    chance_outcomes,
    deciders,
    is_over,
    legal_actions,
    payoffs,
    start_match,
    step,
)
from engine.ragers.rules import NUM_TYPES, TYPES, Rules, load_rules
from engine.ragers.sampling_layout import BURIED, CHOICE, HIDDEN, MADE_OF
from tests.engine.ragers.plays import Move, random_move
from tests.engine.ragers.test_events import HARSH, Steps, histories
from tests.engine.ragers.test_last_day import decided_by
from tests.engine.random_rules import random_rules

BOX = load_rules()
AT_ONCE = load_rules(overrides=["match.deadeye_card=at-once", "cards.deadeye.copies=5"])
#: Nobody scores but for cheers cards, so that many matches are tied.
TIED = load_rules(
    overrides=[*(f"cards.{name}.gp=0" for name in TYPES), *(f"cheers.{card.id}.gp=0" for card in BOX.cheers)]
)


@dataclass
class Walk:
    """A random play of the reference, and the same one in the words of the sampled match."""

    rules: Rules
    seed: int
    game: sampling.SamplingTables = field(init=False)
    words: Any = field(init=False)
    hidden: list[list[tuple[int, int]]] = field(default_factory=lambda: [[], []])
    steps: Steps = field(default_factory=list)

    def __post_init__(self) -> None:
        self.game = sampling.sampling_tables(self.rules)
        self.words = self.game.root.copy()
        self.work = np.zeros(self.game.work_words, np.int64)

    def states(self) -> Iterator[State]:
        """The states, from the first draw to the end; `words` keeps up with them."""
        rng = random.Random(self.seed)
        state = start_match(self.rules)
        while True:
            yield state
            if is_over(state):
                return
            move = random_move(state, rng)
            self.steps.append((state, move))
            self._carry_out(state, move)
            state = step(state, move)

    def _carry_out(self, state: State, move: Move) -> None:
        game = self.game
        if isinstance(move, int):
            number = [outcome for outcome, _ in chance_outcomes(state)].index(move)
            game.apply(game.tables, self.words, self.work, number)
            return
        for player in deciders(state):
            assert game.observe(game.tables, self.words, self.work) == player
            legal = legal_actions(state, player)
            assert self.work[0] == len(legal)
            game.apply(game.tables, self.words, self.work, legal.index(move[player]))
            assert game.observe(game.tables, self.words, self.work) == CHANCE
            assert self.work[0] == 1
            game.apply(game.tables, self.words, self.work, 0)
            if state.phase == Phase.DEADEYE:
                assert state.patron is not None
                self.hidden[player].append((move[player], state.patron))


def hidden_counts(cards: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    return tuple(sum(card == kind for card, _ in cards) for kind in range(NUM_TYPES))


def compare_walk(rules: Rules, seed: int) -> Walk:
    """Play a match on the reference and as a sampled one, which must agree after every move."""
    walk = Walk(rules, seed)
    game, weights = walk.game, np.zeros(walk.game.max_moves)
    for state in walk.states():
        words = walk.words
        assert words[: layout.NUM_WORDS].tolist() == encode(state).tolist()
        for player in (0, 1):
            assert words[HIDDEN + player] == pack_counts(hidden_counts(walk.hidden[player]))
            patrons = [patron for _, patron in walk.hidden[player]]
            assert words[BURIED + player] == sum(patron << 4 * i for i, patron in enumerate(patrons))
        who = game.observe(game.tables, words, walk.work)
        expected = deciders(state)
        assert who == (expected[0] if expected else -2)
        if who == CHANCE:
            outcomes = chance_outcomes(state)
            total = game.chance_weights(game.tables, words, walk.work, weights)
            assert walk.work[0] == len(outcomes)
            shares = [weight for _, weight in outcomes] if total else [1] * len(outcomes)
            assert shares == [weight for _, weight in outcomes]
            if total:
                assert weights[: len(outcomes)].tolist() == shares
                assert total == sum(shares)
        if is_over(state):
            game.payoffs(game.tables, words, walk.work, weights)
            assert tuple(weights[:2].tolist()) == payoffs(state)
    assert len(walk.steps) < game.max_length
    return walk


@pytest.mark.kernels
@pytest.mark.parametrize("rules", [BOX, AT_ONCE, load_rules(overrides=HARSH)], ids=["box", "K9", "K3"])
def test_matches_are_those_of_the_reference(rules: Rules) -> None:
    for seed in range(40):
        compare_walk(rules, seed)


@pytest.mark.kernels
def test_M3_every_tie_break_is_that_of_the_reference() -> None:
    seen: Counter[str] = Counter()
    for rules in (TIED, load_rules(overrides=["match.days=1", "match.row_length=2"])):
        for seed in range(80):
            walk = compare_walk(rules, seed)
            seen[decided_by(step(*walk.steps[-1]))] += 1
    assert set(seen) == {"gp", "cheers", "decks", "defenders"}, seen


@pytest.mark.slow
def test_matches_of_random_rules_are_those_of_the_reference() -> None:
    for seed in range(400):
        rules = random_rules("ragers", seed)
        for offset in range(3):
            compare_walk(rules, seed + offset)


@pytest.mark.slow
def test_many_matches_are_those_of_the_reference() -> None:
    seen: Counter[str] = Counter()
    for seed in range(4000):
        walk = compare_walk(BOX, 10_000 + seed)
        seen[decided_by(step(*walk.steps[-1]))] += 1
    assert set(seen) == {"gp", "cheers", "decks", "defenders"}, seen


def known_now(walk: Walk, state: State, player: int) -> tuple[object, ...]:
    """What a player sees and knows, told by the reference and the hidden cards so far."""
    words = encode(state).tolist()
    own, opp = state.players[player], state.players[1 - player]
    unseen = zip(opp.hand, opp.deck, hidden_counts(walk.hidden[1 - player]), strict=True)
    return (
        *words[layout.ROW :],
        own.hand,
        own.deck,
        hidden_counts(walk.hidden[player]),
        tuple(map(sum, unseen)),
        *((sum(each.hand), sum(each.deck), len(each.cheers)) for each in state.players),
        *(tuple(patron for _, patron in cards) for cards in walk.hidden),
        int(walk.words[CHOICE]) >> MADE_OF.offset,
    )


@pytest.mark.kernels
@pytest.mark.parametrize("rules", [BOX, load_rules(overrides=["match.days=2", "match.hand_size=2"])])
def test_I1_keys_tell_apart_what_a_player_sees_and_nothing_else(rules: Rules) -> None:
    keys: dict[object, int] = {}
    infosets: dict[int, object] = {}
    for seed in range(60):
        walk = Walk(rules, seed)
        for state in walk.states():
            for player in deciders(state):
                if player < 0:
                    continue
                key = int(sampling.view_key(walk.words, player))
                seen = (player, known_now(walk, state, player))
                assert keys.setdefault(seen, key) == key
                assert infosets.setdefault(key, seen) == seen
    assert len(keys) == len(infosets) > 500


# -- what is dealt anew -------------------------------------------------------------------------------


def small(copies: dict[str, int], *overrides: str) -> Rules:
    """Rules with few cards, alike in both decks."""
    decks = [f"cards.{name}.copies={copies.get(name, 0)}" for name in TYPES]
    return load_rules(overrides=[*decks, "match.row_length=3", "match.discards=0", *overrides])


def patrons(first: str, *others: str) -> tuple[str, ...]:
    """What the box's patrons forbid, Gharan-zul first."""
    names = ("gharan-zul", "greybeard", "solennos", "arianna", "the-nameless")
    forbidden = dict(zip(names, (first, *others), strict=False))
    lengths = ("patrons.arianna.row_length=match",)
    return (*lengths, *(f"patrons.{name}.forbidden={forbidden.get(name, first)}" for name in names))


SMALL = {
    "hidden": small(
        {"basher": 1, "slasher": 1, "deadeye": 2, "prodder": 1},
        "match.hand_size=3",
        "match.days=1",
        *patrons(""),
    ),
    "hidden under a ban": small(
        {"basher": 2, "cheater": 1, "deadeye": 2}, "match.hand_size=3", "match.days=1", *patrons("cheater")
    ),
    "two days, two bans": small(
        {"basher": 1, "cheater": 1, "deadeye": 2, "veteran": 1},
        "match.hand_size=2",
        "match.days=2",
        "match.row_length=2",
        "match.winning_lead=99",
        *patrons("cheater", "veteran", "cheater", "veteran", "basher"),
    ),
    "passes": small(
        {"basher": 1, "cheater": 2, "deadeye": 1, "slasher": 1},
        "match.hand_size=3",
        "match.days=2",
        "match.winning_lead=99",
        *patrons("cheater", "", "cheater", "", "cheater"),
    ),
}


def unseen_parts(words: Any, opp: int) -> tuple[int, int]:
    """The other one's hand and hidden cards; the deck is the rest."""
    return int(words[layout.HAND + opp]), int(words[HIDDEN + opp])


def reached_by(rules: Rules, steps: Steps, end: State, player: int) -> dict[tuple[int, int], float]:
    """Shares of the other one's hand and hidden cards, by all histories that look the same to a player."""
    weights: dict[tuple[int, int], float] = {}
    opp = 1 - player
    for moves, weight in histories(start_match(rules), steps, player):
        state = start_match(rules)
        hidden = [0] * NUM_TYPES
        for move in moves:
            if state.phase == Phase.DEADEYE and not isinstance(move, int) and move[opp] != NOTHING:
                hidden[move[opp]] += 1
            state = step(state, move)
        if deciders(state) == deciders(end):
            parts = pack_counts(state.players[opp].hand), pack_counts(hidden)
            weights[parts] = weights.get(parts, 0.0) + weight
    total = sum(weights.values())
    return {parts: weight / total for parts, weight in weights.items() if weight}


@pytest.mark.kernels
@pytest.mark.parametrize("name", SMALL)
def test_redealt_states_come_by_their_probabilities(name: str) -> None:
    """Against all histories in which each card held is as likely to be chosen."""
    rules = SMALL[name]
    # States in which something is known of a hand, and others in which something was hidden.
    tried = {True: 0, False: 0}
    wanted = {True: 6 if name == "passes" else 0, False: 12}
    for seed in range(200):
        walk = Walk(rules, seed)
        game = walk.game
        for state in walk.states():
            player = deciders(state)[-1] if deciders(state) else CHANCE
            known = int(walk.words[CHOICE]) >> MADE_OF.offset != (1 << 2 * MADE_OF.width) - 1
            if player < 0 or not (walk.hidden[1 - player] or known) or tried[known] >= wanted[known]:
                continue
            tried[known] += 1
            expected = reached_by(rules, walk.steps, state, player)
            sampled, num = np.zeros_like(walk.words), 1500
            counts: Counter[tuple[int, int]] = Counter()
            for number in range(num):
                game.determinise(game.tables, walk.words, walk.work, player, number, sampled)
                counts[unseen_parts(sampled, 1 - player)] += 1
            assert set(counts) <= set(expected)
            for parts, share in expected.items():
                assert counts[parts] / num == pytest.approx(share, abs=5 * (share / num) ** 0.5)
        if tried == wanted:
            return
    raise AssertionError(tried)
