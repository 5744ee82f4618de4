"""A duel of which chance draws the decks, and who begins: one game for solvers that learn from many.

All that can be drawn is compiled side by side into the tables. The first node of a play is chance; after it
the words are those of the match drawn (`sampling`), and a last word says which it is.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.jit import kernel_njit
from engine.protocol import CHANCE
from engine.warage import sampling
from engine.warage.features import features
from engine.warage.kernel_state import Words
from engine.warage.sampling import NUM_TABLES, SamplingTables

_WORDS, _TABLES = sampling.STATE_WORDS, NUM_TABLES
_DRAWN = _WORDS
# In the tables: how many matches; then for each its tables and its first state.
_FIRST = 1
_EACH = NUM_TABLES + sampling.STATE_WORDS


@kernel_njit
def drawn_observe(tables: Words, state: Words, work: Words) -> int:
    """See `sampling.observe`."""
    if state[_DRAWN] == 0:
        work[0] = tables[0]
        return CHANCE
    first = _FIRST + (state[_DRAWN] - 1) * _EACH
    return sampling.observe(tables[first : first + _TABLES], state[:_WORDS], work)


@kernel_njit
def drawn_apply(tables: Words, state: Words, work: Words, move: int) -> None:
    """See `sampling.apply`."""
    if state[_DRAWN] == 0:
        first = _FIRST + move * _EACH + _TABLES
        for word in range(_WORDS):
            state[word] = tables[first + word]
        state[_DRAWN] = move + 1
        return
    first = _FIRST + (state[_DRAWN] - 1) * _EACH
    sampling.apply(tables[first : first + _TABLES], state[:_WORDS], work, move)


@kernel_njit
def drawn_chance_weights(tables: Words, state: Words, work: Words, weights: NDArray[np.float64]) -> float:
    """Return 0: all outcomes are alike."""
    return 0.0


@kernel_njit
def drawn_payoffs(tables: Words, state: Words, work: Words, payoffs: NDArray[np.float64]) -> None:
    """See `sampling.payoffs`."""
    first = _FIRST + (state[_DRAWN] - 1) * _EACH
    sampling.payoffs(tables[first : first + _TABLES], state[:_WORDS], work, payoffs)


@kernel_njit
def drawn_determinise(
    tables: Words, state: Words, work: Words, player: int, seed: int, sampled: Words
) -> None:
    """See `sampling.determinise`."""
    first = _FIRST + (state[_DRAWN] - 1) * _EACH
    sampling.determinise(
        tables[first : first + _TABLES], state[:_WORDS], work, player, seed, sampled[:_WORDS]
    )
    sampled[_DRAWN] = state[_DRAWN]


@kernel_njit
def drawn_features(tables: Words, state: Words, work: Words, player: int, active: Words) -> int:
    """See `features`; nothing is known before the draw."""
    if state[_DRAWN] == 0:
        return 0
    first = _FIRST + (state[_DRAWN] - 1) * _EACH
    return features(tables[first : first + _TABLES], state[:_WORDS], work, player, active)


def drawn_match(games: Sequence[SamplingTables]) -> SamplingTables:
    """Return the game that begins with the draw of one of several duels, each as likely."""
    assert {game.num_players for game in games} == {2}
    parts = [part for game in games for part in (game.tables, game.root)]
    return SamplingTables(
        num_players=2,
        state_words=_WORDS + 1,
        work_words=sampling.WORK_WORDS,
        max_moves=max(sampling.MAX_MOVES, len(games)),
        max_own_decisions=games[0].max_own_decisions,
        max_length=games[0].max_length + 1,
        tables=np.concatenate([np.array([len(games)], np.int64), *parts]),
        root=np.zeros(_WORDS + 1, np.int64),
        observe=drawn_observe,
        apply=drawn_apply,
        chance_weights=drawn_chance_weights,
        payoffs=drawn_payoffs,
        determinise=drawn_determinise,
        features=drawn_features,
    )
