"""Search at play time under hidden information: information-set Monte Carlo tree search.

Every iteration begins in a state drawn from those the searching player cannot tell apart (the game's
`determinise`), descends by upper confidence bounds, adds one infoset and plays on at random or by a policy.
Statistics belong to the infoset of whoever decides, not to the searching player's: everybody chooses by what
that player would know, so nobody is searched as if all hands were open ("strategy fusion" at the opponents'
nodes). That is the multiple-observer variant, with the infosets of all players in one table.

It finds good moves in little time and is no equilibrium method: the bounds converge to a deterministic
answer where a mix may be needed, and the states drawn at the root do not reflect how the others have played.
What it is worth is measured by match play (`head_to_head`). Against a frozen opponent (`frozen`) it is an
approximate best response, and what it wins is a lower bound on that opponent's exploitability.

Sources: Cowling, Powley and Whitehouse 2012, *Information set Monte Carlo tree search* (MO-ISMCTS); Auer,
Cesa-Bianchi and Fischer 2002 (UCB1). Deviation: the bounds' width is in units of the spread of payoffs seen
so far, so that they need no scaling by hand.

Letters used for shapes: P players, W words of a state, M most moves, L longest path, n moves.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types

from solver.extensive import CHANCE, TERMINAL
from solver.sampling.bundles import ROOT, RULE, SCRATCH, TABLE, Root, Rule, Scratch, Table, new_scratch
from solver.sampling.game import (
    INFOSET_KEY,
    NUM_MOVES,
    REALS,
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
from solver.sampling.infoset_table import CONFLICT, COUNT, FIRST, MISSING, find_or_add_record, new_table
from solver.sampling.policy import POLICY_ARGUMENTS, CompiledPolicy, policy_probabilities, uniform_policy
from solver.sampling.randomness import drawn_index, drawn_outcome, new_stream, uniform_draw
from solver.sampling.specialisation import sampling_kernel, specialised

DONE, CONFLICTING, TOO_LONG = 0, 1, 2
# Columns of a path.
RECORD, MOVE, DECIDER = 0, 1, 2
# A kernel call between two looks at the clock takes about this long.
_CALL_S = 0.02
SEED_RANGE = float(2**62)


@dataclass(frozen=True)
class SearchSettings:
    """How long to search, and how.

    Attributes
    ----------
    iterations : int
        0 means no limit.
    seconds : float
        Per search; 0 means no limit. With a limit in seconds the answer depends on the machine.
    exploration : float
        Factor of the bounds' width: the square root of 2 in UCB1's proof, 0.7 in the paper on this search.
    frozen : bool
        Others follow the policy given to the search, instead of being searched for.
    max_infosets : int
        Room in the table; when it is full, play below goes on by the policy.
    """

    iterations: int = 10_000
    seconds: float = 0.0
    exploration: float = 0.7
    frozen: bool = False
    max_infosets: int = 100_000

    def __post_init__(self) -> None:
        """Raise ValueError for settings that mean nothing."""
        if self.iterations < 0 or self.seconds < 0 or not (self.iterations or self.seconds):
            raise ValueError("a search needs a limit: iterations, seconds or both above 0")
        if not self.exploration >= 0:
            raise ValueError(f"exploration must be at least 0, got {self.exploration}")


@dataclass(frozen=True, eq=False)
class SearchResult:
    """What a search found at its root.

    Attributes
    ----------
    move : int
        The most visited; the better one on average among equals.
    visits : [n] int64
    mean_payoffs : [n] float64
        The searching player's, over the visits; nan without any. Optimistic or not, no bound on anything.
    iterations : int
    seconds : float
    num_infosets : int
        Infosets in the table at the end.
    num_lost : int
        How often there was no room for another one.
    settings : SearchSettings
    seed : int
    """

    move: int
    visits: npt.NDArray[np.int64]
    mean_payoffs: FloatArray
    iterations: int
    seconds: float
    num_infosets: int
    num_lost: int
    settings: SearchSettings = field(repr=False)
    seed: int


class InformationSetSearch:
    """A searcher for one game; keeps its memory between searches, and nothing else.

    Parameters
    ----------
    game : SamplingGame
        With `determinise`.
    settings : SearchSettings, optional
    policy : CompiledPolicy, optional
        Plays below the searched part, and with `frozen` the others' part of it; uniform if None.
    name : str
    """

    def __init__(
        self,
        game: SamplingGame,
        settings: SearchSettings | None = None,
        policy: CompiledPolicy | None = None,
        name: str = "search",
    ) -> None:
        if game.determinise is None:
            raise ValueError("search needs a game that can draw states of an infoset (determinise)")
        self.game = game
        self.settings = settings or SearchSettings()
        self.policy = policy or uniform_policy()
        self.name = name
        self._table = new_table(self.settings.max_infosets, float(game.max_moves))
        self._scratch = new_scratch(game)
        self._path = np.zeros((game.max_length, 3), dtype=np.int64)

    def choose(self, state: IntArray, seed: int) -> int:
        """Return the move a search finds."""
        return self.search(state, seed).move

    def _kernel(self) -> Any:
        """The compiled search; other kinds of search have another."""
        return specialised(self.game, _search_kernel, _search_signature())

    def _guidance(self) -> tuple[Any, ...]:
        """What the kernel takes at the end; arrays that `_prepare` may write to."""
        return (self.policy.arguments, np.zeros(self.game.num_players))

    def _rule(self) -> Rule:
        """How the kernel chooses."""
        return Rule(self.settings.exploration, int(self.settings.frozen), 0.0, 0.0)

    def _prepare(self, state: IntArray, searcher: int, stream: npt.NDArray[np.uint64]) -> None:
        """Make ready for a search; counts as a part of it."""

    def search(self, state: IntArray, seed: int = 0) -> SearchResult:
        """Search for the player to decide at a [W] int64 state.

        Raises
        ------
        ValueError
            If nobody decides there.
        MalformedSamplingGameError
            If the game broke its contract.
        """
        game, settings, table = self.game, self.settings, self._table
        work = self._scratch.work
        searcher = int(game.observe(game.tables, state, work))
        if searcher < 0:
            raise ValueError("nobody decides at this state")
        num_moves, key = int(work[NUM_MOVES]), int(work[INFOSET_KEY])
        # What is loaded, or compiled, takes none of the time of a search.
        kernel, guidance = self._kernel(), self._guidance()
        begin = time.perf_counter()
        table.clear()
        stream, spread = new_stream(seed), np.array([np.inf, -np.inf])
        if num_moves > 1:
            self._prepare(state, searcher, stream)
        done, chunk = 0, 16
        while num_moves > 1 and not (settings.iterations and done >= settings.iterations):
            elapsed = time.perf_counter() - begin
            if settings.seconds and elapsed >= settings.seconds:
                break
            count = min(chunk, settings.iterations - done) if settings.iterations else chunk
            status = kernel(
                Root(game.tables, state, game.max_length),
                searcher,
                count,
                self._rule(),
                table.arguments,
                stream,
                spread,
                self._path,
                self._scratch,
                *guidance,
            )
            if status != DONE:
                raise MalformedSamplingGameError(
                    "one infoset key came with two different numbers of moves"
                    if status == CONFLICTING
                    else f"a path has more than max_length = {game.max_length} nodes"
                )
            done += count
            room = _CALL_S if not settings.seconds else min(_CALL_S, settings.seconds - elapsed)
            took = time.perf_counter() - begin - elapsed
            chunk = max(1, min(4 * chunk, int(count * room / max(took, 1e-9))))
        rows = table.rows(key)
        visits, sums = rows if rows is not None else (np.zeros(num_moves), np.zeros(num_moves))
        means = np.divide(sums, visits, out=np.full(num_moves, np.nan), where=visits > 0)
        order = np.lexsort((np.nan_to_num(means, nan=-np.inf), visits))
        return SearchResult(
            move=int(order[-1]),
            visits=visits.astype(np.int64),
            mean_payoffs=means,
            iterations=done,
            seconds=time.perf_counter() - begin,
            num_infosets=table.num_infosets,
            num_lost=table.num_lost,
            settings=settings,
            seed=seed,
        )


#: numba types of what all kinds of search take first.
SEARCH_TYPES = (
    *(ROOT, types.int64, types.int64, RULE, TABLE),
    *(types.uint64[::1], REALS, types.int64[:, ::1], SCRATCH),
)


@cache
def _search_signature() -> Any:
    return types.int64(*SEARCH_TYPES, POLICY_ARGUMENTS, REALS)


def _search_kernel(
    start: Root,
    searcher: int,
    num_iterations: int,
    rule: Rule,
    table: Table,
    stream: npt.NDArray[np.uint64],
    spread: FloatArray,
    path: npt.NDArray[np.int64],
    scratch: Scratch,
    policy: tuple[Any, ...],
    payoff: FloatArray,
) -> int:
    """Run iterations and return a status. Rows of an infoset: visits, and summed payoffs of its owner.

    `spread` [2] holds the least and largest payoff seen. Everything from `table` on but the policy is
    modified in place; path [L, 3], `scratch` and payoff [P] are scratch.
    """
    tables, root, max_length = start
    records, reals, table_counters, capacity = table
    state, work, weights = scratch
    exploration, frozen = rule.exploration, rule.frozen
    for _ in range(num_iterations):
        determinise(tables, root, work, searcher, int(uniform_draw(stream) * SEED_RANGE), state)
        depth = 0
        length = 0
        searching = True
        while True:
            length += 1
            if length > max_length:
                return TOO_LONG
            decider = observe(tables, state, work)
            if decider == TERMINAL:
                break
            count = work[NUM_MOVES]
            if count == 1:
                apply(tables, state, work, 0)
                continue
            if decider == CHANCE:
                total = chance_weights(tables, state, work, weights)
                apply(tables, state, work, drawn_outcome(stream, weights, count, total))
                continue
            record = MISSING
            if searching and not (frozen == 1 and decider != searcher):
                record = find_or_add_record(
                    records, reals, table_counters, capacity, work[INFOSET_KEY], count
                )
                if record == CONFLICT:
                    return CONFLICTING
                searching = record != MISSING
            if record == MISSING:
                policy_probabilities(policy, decider, tables, state, work, weights)
                apply(tables, state, work, drawn_index(stream, weights, count, 1.0))
                continue
            first = records[record, FIRST]
            move, is_new = bounded_choice(reals, first, count, exploration, spread, stream)
            searching = not is_new
            path[depth, RECORD] = record
            path[depth, MOVE] = move
            path[depth, DECIDER] = decider
            depth += 1
            apply(tables, state, work, move)
        payoffs(tables, state, work, payoff)
        for player in range(payoff.shape[0]):
            spread[0] = min(spread[0], payoff[player])
            spread[1] = max(spread[1], payoff[player])
        credit(records, reals, path, depth, payoff)
    return DONE


@sampling_kernel
def credit(
    records: npt.NDArray[np.int64],
    reals: FloatArray,
    path: npt.NDArray[np.int64],
    depth: int,
    payoff: FloatArray,
) -> None:
    """Add a visit and its owner's payoff to each of a path's first `depth` moves; `reals` is modified."""
    for step in range(depth):
        record = path[step, RECORD]
        place = records[record, FIRST] + path[step, MOVE]
        reals[place] += 1.0
        reals[place + records[record, COUNT]] += payoff[path[step, DECIDER]]


@sampling_kernel
def bounded_choice(
    reals: FloatArray,
    first: int,
    count: int,
    exploration: float,
    spread: FloatArray,
    stream: npt.NDArray[np.uint64],
) -> tuple[int, bool]:
    """Return a move, an untried one at random as long as there is one, and whether none was tried before."""
    total = 0.0
    untried = 0
    for move in range(count):
        total += reals[first + move]
        untried += int(reals[first + move] == 0.0)
    if untried > 0:
        skip = int(uniform_draw(stream) * untried)
        for move in range(count):
            if reals[first + move] == 0.0:
                if skip == 0:
                    return move, total == 0.0
                skip -= 1
    width = exploration * max(spread[1] - spread[0], 0.0)
    log_total = np.log(total)
    best = 0
    best_bound = -np.inf
    for move in range(count):
        visits = reals[first + move]
        bound = reals[first + count + move] / visits + width * np.sqrt(log_total / visits)
        if bound > best_bound:
            best = move
            best_bound = bound
    return best, False
