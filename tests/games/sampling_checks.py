"""Checks of a `SamplingGame`: every promise of the contract that random plays can break."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np

from solver.extensive import CHANCE, TERMINAL
from solver.sampling.game import (
    INFOSET_KEY,
    LEAST_WORK_WORDS,
    NUM_MOVES,
    IntArray,
    MalformedSamplingGameError,
    SamplingGame,
)
from solver.sampling.open_endgame import endgame_value

# Games do not say what they may pay.
_ANY_PAYOFF = 1e9


def check_sampling_game(game: SamplingGame, *, num_plays: int = 100, seed: int = 0) -> None:
    """Play at random and check every promise of the contract that can be checked from outside.

    What a player sees is checked too if the game lists it (`value_network.FeaturedGame`): right after each of
    its own moves, too, it must be the same whatever is hidden from it. So must be what the rest is worth
    where the game says that nothing hidden matters any more (`open_endgame.OpenEndedGame`).

    Not checked: that keys of different information differ, and that `determinise` has the right
    distribution.

    Raises
    ------
    MalformedSamplingGameError
        At the first broken promise.
    """
    _check_shapes(game)
    generator = np.random.default_rng(seed)
    num_moves_of: dict[int, tuple[int, int]] = {}
    for _ in range(num_plays):
        _check_play(game, generator, num_moves_of)


def _fail(message: str, state: IntArray, path: Sequence[int] = ()) -> NoReturn:
    raise MalformedSamplingGameError(f"{message} (state {state.tolist()}, reached by {list(path)})")


def _check_shapes(game: SamplingGame) -> None:
    for name, array, length in (("tables", game.tables, None), ("root", game.root, game.state_words)):
        if array.dtype != np.int64 or array.ndim != 1 or not array.flags.c_contiguous or not len(array):
            raise MalformedSamplingGameError(f"{name} must be a contiguous int64 vector, got {array!r}")
        if length is not None and len(array) != length:
            raise MalformedSamplingGameError(f"{name} must have {length} words, got {len(array)}")
    if game.work_words < LEAST_WORK_WORDS:
        raise MalformedSamplingGameError(f"work_words must be at least 2, got {game.work_words}")
    if game.num_players < 1:
        raise MalformedSamplingGameError(f"num_players must be at least 1, got {game.num_players}")


def _check_play(
    game: SamplingGame, generator: np.random.Generator, num_moves_of: dict[int, tuple[int, int]]
) -> None:
    tables, state = game.tables, game.root.copy()
    before_tables = tables.copy()
    work = np.zeros(game.work_words, dtype=np.int64)
    weights = np.zeros(game.max_moves)
    decisions = [0] * game.num_players
    path: list[int] = []
    is_open, was_open = getattr(game, "is_open", None), False
    while True:
        before = state.copy()
        decider = int(game.observe(tables, state, work))
        num_moves, key = int(work[NUM_MOVES]), int(work[INFOSET_KEY])
        if not np.array_equal(state, before):
            _fail("observe changed the state", before, path)
        if len(path) >= game.max_length:
            _fail(f"a path has more than max_length = {game.max_length} nodes", state, path)
        if decider == TERMINAL:
            payoffs = np.full(game.num_players, np.nan)
            game.payoffs(tables, state, work, payoffs)
            if not bool(np.all(np.isfinite(payoffs))):
                _fail(f"payoffs wrote {payoffs.tolist()}", state, path)
            break
        for player in range(game.num_players):
            _seen(game, state, player)
        now_open = is_open is not None and bool(is_open(tables, state, work.copy()))
        if was_open and not now_open:
            _fail("a state that was open is so no more", state, path)
        was_open = now_open
        if not 1 <= num_moves <= game.max_moves:
            _fail(f"{num_moves} moves, not 1 .. max_moves = {game.max_moves}", state, path)
        if decider == CHANCE:
            total = float(game.chance_weights(tables, state, work, weights))
            if total == 0.0:
                weights[:num_moves], total = 1.0, float(num_moves)
            positive = bool(np.all(weights[:num_moves] > 0.0))
            if not positive or abs(total - weights[:num_moves].sum()) > 1e-9 * max(1.0, abs(total)):
                _fail(f"chance weights {weights[:num_moves].tolist()} with sum {total}", state, path)
            move = int(generator.choice(num_moves, p=weights[:num_moves] / weights[:num_moves].sum()))
        elif 0 <= decider < game.num_players:
            if key <= 0:
                _fail(f"infoset key {key} is not above 0", state, path)
            if num_moves_of.setdefault(key, (decider, num_moves)) != (decider, num_moves):
                _fail(f"infoset key {key} means {num_moves_of[key]} and {(decider, num_moves)}", state, path)
            decisions[decider] += 1
            if decisions[decider] > game.max_own_decisions:
                _fail(f"player {decider} decides more than max_own_decisions times", state, path)
            if game.determinise is not None:
                _check_determinise(game, state, decider, (num_moves, key), int(generator.integers(2**62)))
            move = int(generator.integers(num_moves))
        else:
            _fail(f"observe returned {decider}", state, path)
        work[:] = generator.integers(2**62, size=len(work))  # nobody may rely on old scratch
        game.apply(tables, state, work, move)
        path.append(move)
    if not np.array_equal(tables, before_tables):
        _fail("a function changed the tables", state, path)


def _check_determinise(
    game: SamplingGame, state: IntArray, decider: int, seen: tuple[int, int], seed: int
) -> None:
    assert game.determinise is not None
    work = np.zeros(game.work_words, dtype=np.int64)
    before = state.copy()
    sampled, again = (np.full(game.state_words, fill, dtype=np.int64) for fill in (-1, -2))
    for target in (sampled, again):
        game.determinise(game.tables, state, work, decider, seed, target)
    if not np.array_equal(state, before):
        _fail("determinise changed the state", before)
    if not np.array_equal(sampled, again):
        _fail("determinise gave two states for one seed", state)
    who = int(game.observe(game.tables, sampled, work))
    if (who, int(work[NUM_MOVES]), int(work[INFOSET_KEY])) != (decider, *seen):
        _fail(f"determinise left the infoset of player {decider}: {sampled.tolist()}", state)
    if _seen(game, sampled, decider) != _seen(game, state, decider):
        _fail(f"features tell player {decider} what it cannot see: {sampled.tolist()}", state)
    if getattr(game, "features", None) is not None:
        for move in range(seen[0]):
            if _told(game, sampled, decider, move) != _told(game, state, decider, move):
                _fail(
                    f"move {move} tells player {decider} what it cannot know yet: {sampled.tolist()}"
                    " (put a chance node of one outcome before what it reveals)",
                    state,
                )


def _told(game: SamplingGame, state: IntArray, player: int, move: int) -> tuple[Any, ...]:
    """Return what a player who judges a move by what comes right after it is told by it."""
    work, after = np.zeros(game.work_words, dtype=np.int64), state.copy()
    game.apply(game.tables, after, work, move)
    who = int(game.observe(game.tables, after, work))
    if who == TERMINAL:
        payoffs = np.zeros(game.num_players)
        game.payoffs(game.tables, after, work, payoffs)
        return (who, *payoffs.tolist())
    worth = _worth(game, after)
    return (who, worth) if worth is not None else (who, *sorted(_seen(game, after, player)))


def _worth(game: SamplingGame, state: IntArray) -> float | None:
    """Return what the rest of a game is worth to player 0, by all that can follow; None unless it is open.

    Too large an end is as good as none.
    """
    is_open = getattr(game, "is_open", None)
    if is_open is None or not is_open(game.tables, state, np.zeros(game.work_words, dtype=np.int64)):
        return None
    value = endgame_value(game, state, (-_ANY_PAYOFF, _ANY_PAYOFF))  # type: ignore[arg-type]
    return None if np.isnan(value) else value


def _seen(game: SamplingGame, state: IntArray, player: int) -> set[int]:
    """Return the facts that a player sees, none if the game lists none."""
    features = getattr(game, "features", None)
    if features is None:
        return set()
    most, below = int(getattr(game, "max_active")), int(getattr(game, "num_features"))  # noqa: B009
    active, before = np.full(most, -1, dtype=np.int64), state.copy()
    count = int(features(game.tables, state, np.zeros(game.work_words, dtype=np.int64), player, active))
    facts = set(active[:count].tolist())
    if not np.array_equal(state, before):
        _fail("features changed the state", before)
    if count > most or len(facts) != count or not all(0 <= fact < below for fact in facts):
        _fail(f"features wrote {active.tolist()}, {count} of them, for player {player}", state)
    return facts
