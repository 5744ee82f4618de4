"""Search at play time by rollouts: each move is followed by playouts of one policy, for all players.

What is tried is one step away from the policy: "I make this move now, and play by the policy again". Every
move is tried in the same states, drawn from those the searching player cannot tell apart (the game's
`determinise`), with the same numbers for chance, so that moves are compared pairwise with the policy's own.
Moves that fall behind it are dropped as soon as that is plain; at the end the best one is made if it is ahead
by more than noise explains, else the policy's own. So a good policy is not left for a fluke, which is what
happens to a tree search (`information_set_search`) where an iteration costs much and says little.

A player drops moves as well that went like the policy's own so far: that saves most of the time. Whoever is
told what moves are worth, or what one has cost, gets a `race` or a `judge`ment, which take nothing for equal
that a few playouts do not tell apart (`paired_playouts`).

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
from solver.sampling.bundles import ROOT, Root
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
from solver.sampling.paired_playouts import Judgement, PairedPlayouts, PlayRounds, judge
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
        searcher, count = self._decider(state)
        policy_probabilities(self._arguments, searcher, game.tables, state, work, weights)
        own = int(np.argmax(weights[:count]))
        playouts = PairedPlayouts(self._play(state, searcher, seed), count, 0.0)
        left = np.arange(count)
        # What is loaded, or compiled, takes none of the time of a search.
        begin = time.perf_counter()
        while len(left) > 1 and not (settings.iterations and playouts.spent >= settings.iterations):
            if settings.seconds and time.perf_counter() - begin >= settings.seconds:
                break
            playouts.add(left, _ROUNDS)
            ahead, errors = playouts.ahead(own)
            left = left[(ahead[left] + _BEHIND * errors[left] > 0.0) | (left == own)]
        ahead, errors = playouts.ahead(own)
        surely = np.full(count, -np.inf)
        surely[left] = np.where(ahead[left] > _AHEAD * errors[left], ahead[left], -np.inf)
        best = int(np.argmax(surely))
        return SearchResult(
            move=best if surely[best] > 0.0 else own,
            visits=playouts.playouts,
            mean_payoffs=playouts.means,
            iterations=playouts.spent,
            seconds=time.perf_counter() - begin,
            num_infosets=1,
            num_lost=0,
            settings=settings,
            seed=seed,
        )

    def race(self, state: IntArray, seed: int, span: float) -> tuple[PairedPlayouts, IntArray]:
        """Spend `settings.iterations` on telling moves apart; return what they earned, and those still in it.

        Parameters
        ----------
        span : float
            How far two payoffs can lie apart at most.
        """
        searcher, count = self._decider(state)
        playouts = PairedPlayouts(self._play(state, searcher, seed), count, span)
        return playouts, playouts.race(self.settings.iterations)

    def judge(self, state: IntArray, made: int, seed: int, least: float, span: float) -> Judgement:
        """Compare a move with the best one of the others, see `paired_playouts.judge`."""
        searcher, count = self._decider(state)
        return judge(self._play(state, searcher, seed), count, made, self.settings.iterations, least, span)

    def _decider(self, state: IntArray) -> tuple[int, int]:
        """Who decides, and among how many moves."""
        work = self._scratch[3]
        searcher = int(self.game.observe(self.game.tables, state, work))
        if searcher < 0:
            raise ValueError("nobody decides at this state")
        return searcher, int(work[NUM_MOVES])

    def _play(self, state: IntArray, searcher: int, seed: int) -> PlayRounds:
        """Return what plays moves on from here; each call goes on in one stream of numbers."""
        game = self.game
        kernel = specialised(game, _rollout_kernel, _rollout_signature())
        stream = new_stream(seed)

        def play(moves: IntArray, rounds: int) -> FloatArray:
            results = np.zeros((rounds, len(moves)))
            status = kernel(
                *(Root(game.tables, state, game.max_length), searcher, self._arguments),
                *(moves, results, stream, *self._scratch),
            )
            if status != DONE:
                raise MalformedSamplingGameError(f"a path has more than max_length = {game.max_length} nodes")
            return results

        return play


@cache
def _rollout_signature() -> Any:
    integer, reals = types.int64, types.float64[:, ::1]
    return integer(
        *(ROOT, integer, POLICY_ARGUMENTS),
        *(WORDS, reals, types.uint64[::1], types.int64[:, ::1], types.uint64[:, ::1], REALS, WORDS, REALS),
    )


def _rollout_kernel(
    root: Root,
    searcher: int,
    policy: tuple[Any, ...],
    moves: IntArray,
    results: FloatArray,
    stream: npt.NDArray[np.uint64],
    states: IntArray,
    streams: npt.NDArray[np.uint64],
    weights: FloatArray,
    work: IntArray,
    payoff: FloatArray,
) -> int:
    """Try each of `moves` [k] once a round, and return a status.

    `results` [R, k] and `stream` are modified in place; states [2, W], streams [2, 1], weights [M], work and
    payoff [P] are scratch.
    """
    tables, begun, max_length = root
    drawn, state = states[0], states[1]
    for place in range(results.shape[0]):
        seed = int(uniform_draw(stream) * SEED_RANGE)
        determinise(tables, begun, work, searcher, seed, drawn)
        for number in range(moves.shape[0]):
            for word in range(drawn.shape[0]):
                state[word] = drawn[word]
            streams[0, 0], streams[1, 0] = stream_word(seed, 0), stream_word(seed, 1)
            apply(tables, state, work, moves[number])
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
            results[place, number] = payoff[searcher]
    return DONE
