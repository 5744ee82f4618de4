"""Past states retold with other hidden cards, and what players believe by them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pytest

from analysis.raverun.policies import values_at
from analysis.raverun.training import shipped_values
from engine.raverun import layout, renaming
from engine.raverun.card_sets import SET_MASK
from engine.raverun.rules import load_rules
from engine.raverun.sampling import SamplingTables, sampling_tables, view_key
from solver.extensive import TERMINAL
from solver.sampling.beliefs import Beliefs
from solver.sampling.randomness import new_stream
from solver.sampling.value_network import ValueNetwork
from solver.sampling.value_policy import ValuePolicy

pytestmark = pytest.mark.kernels

RULES = load_rules()
GAME = sampling_tables(RULES, 2, "view")
Words = npt.NDArray[np.int64]


class Moment(NamedTuple):
    """A decision with a choice, and the move made there."""

    state: Words
    decider: int
    move: int


def moments(game: SamplingTables, seed: int, policy: ValuePolicy | None = None) -> list[Moment]:
    """The decisions of a play, random unless by a policy."""
    generator, state, work = (
        np.random.default_rng(seed),
        game.root.copy(),
        np.zeros(game.work_words, np.int64),
    )
    found = []
    while (decider := int(game.observe(game.tables, state, work))) != TERMINAL:
        count = int(work[0])
        move = int(generator.integers(count))
        if decider >= 0 and count > 1:
            if policy is not None:
                move = policy.choose(state.copy(), int(generator.integers(2**62)))
            found.append(Moment(state.copy(), decider, move))
        game.apply(game.tables, state, work, move)
    return found


def names_of(game: SamplingTables, state: Words, player: int, seed: int) -> tuple[Words, Words]:
    """A state that the player cannot tell from this one, and a renaming that leads to it."""
    work, sampled = np.zeros(game.work_words, np.int64), state.copy()
    game.observe(game.tables, state, work)
    assert game.determinise is not None
    game.determinise(game.tables, state, work, player, seed, sampled)
    names = np.zeros(game.num_names, np.int64)
    game.renaming(game.tables, state, sampled, work, player, seed + 1, names)
    return sampled, names


@pytest.mark.parametrize("num_players", [2, 3])
def test_what_is_retold_looks_the_same_to_the_player(num_players: int) -> None:
    game = sampling_tables(RULES, num_players, "view")
    work, retold = np.zeros(game.work_words, np.int64), game.root.copy()
    told = untold = 0
    for seed in range(40):
        play = moments(game, seed)
        for now in play[3::5]:
            sampled, names = names_of(game, now.state, now.decider, 1000 * seed)
            assert sorted(names) == list(range(renaming.NUM_NAMES))
            if game.renamed(game.tables, now.state, work, now.decider, names, retold):
                for word in (
                    *range(layout.PLAYER, layout.PLAYER + num_players),
                    layout.DECK,
                    layout.POSITION,
                ):
                    assert retold[word] == sampled[word]
            for past in play:
                if past is now:
                    break
                if not game.renamed(game.tables, past.state, work, now.decider, names, retold):
                    untold += 1
                    continue
                told += 1
                keys = [view_key(game.tables, state, now.decider) for state in (past.state, retold)]
                assert keys[0] == keys[1]
                assert game.observe(game.tables, retold, work) == past.decider
                count = int(work[0])
                move = game.renamed_move(game.tables, past.state, work, past.move, names, retold, count)
                # The others may have had more or fewer uses for a card; played cards they have always held.
                assert move < count
                phase = int(past.state[layout.FLOW]) & layout.PHASE.mask
                assert move >= 0 or phase in (layout.ROUND, layout.LAST)
                # Back again it is what it was.
                back, again = np.argsort(names), game.root.copy()
                assert game.renamed(game.tables, retold, work, now.decider, back, again)
                assert np.array_equal(again[: layout.NUM_WORDS], past.state[: layout.NUM_WORDS])
    assert told > 5 * untold


@pytest.fixture(scope="module")
def network() -> ValueNetwork:
    path = shipped_values(RULES, 2)
    assert path is not None
    return values_at(path, RULES, 2).network


def believed(
    network: ValueNetwork, play: list[Moment], now: Moment, particles: int
) -> npt.NDArray[np.float64]:
    """How likely the other is to hold each card, by the particles of a player."""
    beliefs = Beliefs(GAME, network, particles, 0.1, 0.1)
    for past in play:
        if past is now:
            break
        beliefs.see(*past)
    beliefs.weigh(now.state, now.decider, new_stream(5))
    assert beliefs.weights.sum() == pytest.approx(1.0)
    hands = beliefs.particles[:, layout.PLAYER + 1 - now.decider] & SET_MASK
    return np.asarray(beliefs.weights @ (hands[:, None] >> np.arange(24) & 1))


def test_beliefs_are_nearer_to_the_truth_than_the_deal(network: ValueNetwork) -> None:
    scores = []
    for seed in range(12):
        play = moments(GAME, seed, ValuePolicy(GAME, network, 0.05))
        for now in play[8::6]:
            by_deal = believed(network, [now], now, 400)
            weighed = believed(network, play, now, 400)
            true = int(now.state[layout.PLAYER + 1 - now.decider]) & SET_MASK
            held = (true >> np.arange(24) & 1).astype(float)
            scores.append([float(np.sum((each - held) ** 2)) for each in (by_deal, weighed)])
    better = np.diff(scores, axis=1)[:, 0]
    assert better.mean() < -2 * better.std(ddof=1) / np.sqrt(len(better))


def test_beliefs_depend_on_nothing_that_is_hidden(network: ValueNetwork) -> None:
    """In another play that the player cannot tell from the true one it believes the same."""
    work, differences = np.zeros(GAME.work_words, np.int64), []
    for seed in range(30):
        play = moments(GAME, seed, ValuePolicy(GAME, network, 0.05))
        index = min(12, len(play) - 1)
        now = play[index]
        _, names = names_of(GAME, now.state, now.decider, seed)
        other: list[Moment] = []
        for past in play[: index + 1]:
            retold = GAME.root.copy()
            if not GAME.renamed(GAME.tables, past.state, work, now.decider, names, retold):
                break
            GAME.observe(GAME.tables, retold, work)
            count = int(work[0])
            move = GAME.renamed_move(GAME.tables, past.state, work, past.move, names, retold, count)
            if move < 0:
                break
            other.append(Moment(retold, past.decider, move))
        if len(other) <= index:
            continue
        both = [believed(network, each, each[index], 3000) for each in (play, other)]
        differences.append(float(np.abs(both[0] - both[1]).max()))
    assert len(differences) > 8
    assert np.mean(differences) < 0.06
