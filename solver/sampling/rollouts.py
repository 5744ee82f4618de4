"""Search at play time by rollouts: each move is followed by playouts of one policy, for all players.

What is tried is one step away from the policy: "I make this move now, and play by the policy again". Every
move is tried in the same states, drawn from those the searching player cannot tell apart (the game's
`determinise`), with the same numbers for chance, so that moves are compared pairwise with the policy's own.
Moves that fall behind it are dropped as soon as that is plain; at the end the best one is made if it is ahead
by more than noise explains, else the policy's own. So a good policy is not left for a fluke, which is what
happens to a tree search (`information_set_search`) where an iteration costs much and says little.

It finds good moves in little time and is no equilibrium method. What it is worth is measured by match play
(`head_to_head`).

Source: Tesauro and Galperin 1996, *On-line policy improvement using Monte-Carlo search*. Deviations: states
are drawn for hidden information, moves are compared in pairs, and the policy's own move has the benefit of
the doubt.

Letters used for shapes: W words of a state, M most moves, n moves.
"""

from __future__ import annotations

import time
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types

from solver.extensive import CHANCE, TERMINAL
from solver.sampling.game import (
    NUM_MOVES,
    REALS,
    WORDS,
    FloatArray,
    IntArray,
    MalformedSamplingGameError,
    SamplingGame,
    apply,
    chance_weights,
    determinise,
    observe,
    payoffs,
)
from solver.sampling.information_set_search import (
    DONE,
    SEED_RANGE,
    TOO_LONG,
    SearchResult,
    SearchSettings,
)
from solver.sampling.policy import POLICY_ARGUMENTS, CompiledPolicy, policy_probabilities
from solver.sampling.randomness import drawn_index, drawn_outcome, new_stream, stream_word, uniform_draw
from solver.sampling.specialisation import specialised

# Rounds of playouts, one of every move that is left, between two looks at which are left.
_ROUNDS = 16
# How many standard errors a move has to fall behind to be dropped, and to be ahead to be made.
_BEHIND = 1.0
_AHEAD = 1.0


class RolloutSearch:
    """A searcher for one game and one policy; keeps nothing between searches.

    Parameters
    ----------
    game : SamplingGame
        With `determinise`.
    policy : CompiledPolicy
        Plays all playouts, for everybody.
    settings : SearchSettings, optional
        Iterations are playouts; there is no tree, and nothing but the limits counts.
    name : str
    """

    def __init__(
        self,
        game: SamplingGame,
        policy: CompiledPolicy,
        settings: SearchSettings | None = None,
        name: str = "rollouts",
    ) -> None:
        if game.determinise is None:
            raise ValueError("search needs a game that can draw states of an infoset (determinise)")
        self.game, self.policy, self.name = game, policy, name
        self.settings = settings or SearchSettings()
        self._arguments = policy.arguments
        self._scratch: tuple[Any, ...] = (
            np.zeros((2, game.state_words), dtype=np.int64),
            np.zeros((2, 1), dtype=np.uint64),
            np.zeros(game.max_moves),
            np.zeros(game.work_words, dtype=np.int64),
            np.zeros(game.num_players),
        )

    def choose(self, state: IntArray, seed: int) -> int:
        """Return the move a search finds."""
        return self.search(state, seed).move

    def search(self, state: IntArray, seed: int = 0) -> SearchResult:
        """Search for the player to decide at a [W] int64 state.

        Raises
        ------
        ValueError
            If nobody decides there.
        MalformedSamplingGameError
            If a playout does not end.
        """
        game, settings = self.game, self.settings
        weights, work = self._scratch[2:4]
        searcher = int(game.observe(game.tables, state, work))
        if searcher < 0:
            raise ValueError("nobody decides at this state")
        count = int(work[NUM_MOVES])
        policy_probabilities(self._arguments, searcher, game.tables, state, work, weights)
        own = int(np.argmax(weights[:count]))
        # Rows: playouts, their payoffs, what they were ahead of the policy's own move, and its squares.
        sums, left = np.zeros((4, count)), np.ones(count, dtype=np.int64)
        stream, done = new_stream(seed), 0
        kernel = specialised(game, _rollout_kernel, _rollout_signature())
        # What is loaded, or compiled, takes none of the time of a search.
        begin = time.perf_counter()
        while int(left.sum()) > 1 and not (settings.iterations and done >= settings.iterations):
            if settings.seconds and time.perf_counter() - begin >= settings.seconds:
                break
            status = kernel(
                *(game.tables, state, searcher, own, _ROUNDS, game.max_length, self._arguments),
                *(left, sums, stream, *self._scratch),
            )
            if status != DONE:
                raise MalformedSamplingGameError(f"a path has more than max_length = {game.max_length} nodes")
            done += _ROUNDS * int(left.sum())
            ahead, errors = _compared(sums)
            left = np.where(ahead + _BEHIND * errors > 0.0, left, 0)
            left[own] = 1
        ahead, errors = _compared(sums)
        surely = np.where((ahead > _AHEAD * errors) & (left == 1), ahead, -np.inf)
        visits, payoff_sums = sums[0], sums[1]
        best = int(np.argmax(surely))
        return SearchResult(
            move=best if surely[best] > 0.0 else own,
            visits=visits.astype(np.int64),
            mean_payoffs=np.divide(payoff_sums, visits, out=np.full(count, np.nan), where=visits > 0),
            iterations=done,
            seconds=time.perf_counter() - begin,
            num_infosets=1,
            num_lost=0,
            settings=settings,
            seed=seed,
        )


def _compared(sums: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return how far moves [n] are ahead of the policy's own on average, and the standard errors of that."""
    visits = np.maximum(sums[0], 1.0)
    ahead = sums[2] / visits
    return ahead, np.sqrt(np.maximum(sums[3] / visits - ahead**2, 0.0) / visits)


@cache
def _rollout_signature() -> Any:
    integer, reals = types.int64, types.float64[:, ::1]
    return integer(
        *(WORDS, WORDS, integer, integer, integer, integer, POLICY_ARGUMENTS),
        *(WORDS, reals, types.uint64[::1], types.int64[:, ::1], types.uint64[:, ::1], REALS, WORDS, REALS),
    )


def _rollout_kernel(
    tables: IntArray,
    root: IntArray,
    searcher: int,
    own: int,
    num_rounds: int,
    max_length: int,
    policy: tuple[Any, ...],
    left: IntArray,
    sums: FloatArray,
    stream: npt.NDArray[np.uint64],
    states: IntArray,
    streams: npt.NDArray[np.uint64],
    weights: FloatArray,
    work: IntArray,
    payoff: FloatArray,
) -> int:
    """Try every move that is `left` [n] once a round, and return a status.

    `sums` [4, n] and `stream` are modified in place; states [2, W], streams [2, 1], weights [M], work and
    payoff [P] are scratch.
    """
    drawn, state = states[0], states[1]
    for _ in range(num_rounds):
        seed = int(uniform_draw(stream) * SEED_RANGE)
        determinise(tables, root, work, searcher, seed, drawn)
        base = 0.0
        # The policy's own move comes first: the others are compared with it.
        for number in range(-1, left.shape[0]):
            move = own if number < 0 else number
            if number == own or left[move] == 0:
                continue
            for word in range(drawn.shape[0]):
                state[word] = drawn[word]
            streams[0, 0], streams[1, 0] = stream_word(seed, 0), stream_word(seed, 1)
            apply(tables, state, work, move)
            length = 0
            while True:
                length += 1
                if length > max_length:
                    return TOO_LONG
                decider = observe(tables, state, work)
                if decider == TERMINAL:
                    break
                count = work[NUM_MOVES]
                chosen = 0
                if decider == CHANCE:
                    total = chance_weights(tables, state, work, weights)
                    chosen = drawn_outcome(streams[0], weights, count, total)
                elif count > 1:
                    policy_probabilities(policy, decider, tables, state, work, weights)
                    chosen = drawn_index(streams[1], weights, count, 1.0)
                apply(tables, state, work, chosen)
            payoffs(tables, state, work, payoff)
            if number < 0:
                base = payoff[searcher]
            ahead = payoff[searcher] - base
            sums[0, move] += 1.0
            sums[1, move] += payoff[searcher]
            sums[2, move] += ahead
            sums[3, move] += ahead * ahead
    return DONE
