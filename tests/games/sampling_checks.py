"""Checks of a `SamplingGame`: every promise of the contract that random plays can break."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from solver.extensive import CHANCE, TERMINAL
from solver.sampling.game import (
    INFOSET_KEY,
    LEAST_WORK_WORDS,
    NUM_MOVES,
    FloatArray,
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
    generator, num_moves_of = np.random.default_rng(seed), {}  # type: ignore[var-annotated]
    _must(len(game.root) == game.state_words and game.work_words >= LEAST_WORK_WORDS, "words", game.root)
    for _ in range(num_plays):
        _check_play(game, generator, num_moves_of)


def _must(holds: Any, promise: str, state: IntArray) -> None:
    if not holds:
        raise MalformedSamplingGameError(f"{promise} (state {state.tolist()})")


def _check_play(
    game: SamplingGame, generator: np.random.Generator, num_moves_of: dict[int, tuple[int, int]]
) -> None:
    tables, state = game.tables, game.root.copy()
    before_tables, weights = tables.copy(), np.zeros(game.max_moves)
    work = np.zeros(game.work_words, dtype=np.int64)
    decisions = [0] * game.num_players
    is_open, was_open = getattr(game, "is_open", None), False
    for _ in range(game.max_length):
        before = state.copy()
        decider = int(game.observe(tables, state, work))
        num_moves, key = int(work[NUM_MOVES]), int(work[INFOSET_KEY])
        _must(np.array_equal(state, before), "observe changed the state", before)
        if decider == TERMINAL:
            payoffs = np.full(game.num_players, np.nan)
            game.payoffs(tables, state, work, payoffs)
            _must(np.isfinite(payoffs).all(), "payoffs are missing", state)
            _must(np.array_equal(tables, before_tables), "a function changed the tables", state)
            return
        for player in range(game.num_players):
            facts_seen(game, state, player)
        now_open = is_open is not None and bool(is_open(tables, state, work.copy()))
        _must(now_open or not was_open, "a state that was open is so no more", state)
        was_open = now_open
        _must(1 <= num_moves <= game.max_moves, f"{num_moves} moves", state)
        if decider == CHANCE:
            total = float(game.chance_weights(tables, state, work, weights))
            if total == 0.0:
                weights[:num_moves], total = 1.0, float(num_moves)
            odds = weights[:num_moves]
            sound = bool(np.all(odds > 0.0)) and abs(total - odds.sum()) <= 1e-9 * max(1.0, abs(total))
            _must(sound, f"chance weights {odds.tolist()} with sum {total}", state)
            move = int(generator.choice(num_moves, p=odds / odds.sum()))
        else:
            _must(0 <= decider < game.num_players and key > 0, f"player {decider}, key {key}", state)
            known = num_moves_of.setdefault(key, (decider, num_moves))
            _must(known == (decider, num_moves), f"infoset key {key} means {known}, too", state)
            decisions[decider] += 1
            _must(decisions[decider] <= game.max_own_decisions, "max_own_decisions", state)
            if game.determinise is not None:
                _check_determinise(game, state, decider, (num_moves, key), int(generator.integers(2**62)))
            move = int(generator.integers(num_moves))
        work[:] = generator.integers(2**62, size=len(work))  # nobody may rely on old scratch
        game.apply(tables, state, work, move)
    _must(False, f"a path has more than max_length = {game.max_length} nodes", state)


def _check_determinise(
    game: SamplingGame, state: IntArray, decider: int, seen: tuple[int, int], seed: int
) -> None:
    assert game.determinise is not None
    work, before = np.zeros(game.work_words, dtype=np.int64), state.copy()
    sampled, again = (np.full(game.state_words, fill, dtype=np.int64) for fill in (-1, -2))
    for target in (sampled, again):
        game.determinise(game.tables, state, work, decider, seed, target)
    _must(np.array_equal(state, before), "determinise changed the state", before)
    _must(np.array_equal(sampled, again), "determinise gave two states for one seed", state)
    now = (int(game.observe(game.tables, sampled, work)), int(work[NUM_MOVES]), int(work[INFOSET_KEY]))
    _must(now == (decider, *seen), f"determinise left the infoset of player {decider}", state)
    alike = facts_seen(game, sampled, decider) == facts_seen(game, state, decider)
    _must(alike, f"features tell player {decider} what it cannot see", state)
    for move in range(seen[0] if getattr(game, "features", None) is not None else 0):
        alike = _told(game, sampled, decider, move) == _told(game, state, decider, move)
        _must(alike, f"move {move} tells player {decider} what it cannot know yet", state)


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
    return (who, worth) if worth is not None else (who, *sorted(facts_seen(game, after, player)))


def _worth(game: SamplingGame, state: IntArray) -> float | None:
    """Return what the rest of a game is worth to player 0, by all that can follow; None unless it is open.

    Too large an end is as good as none.
    """
    is_open = getattr(game, "is_open", None)
    if is_open is None or not is_open(game.tables, state, np.zeros(game.work_words, dtype=np.int64)):
        return None
    value = endgame_value(game, state, (-_ANY_PAYOFF, _ANY_PAYOFF))  # type: ignore[arg-type]
    return None if np.isnan(value) else value


def facts_seen(game: Any, state: IntArray, player: int) -> set[int]:
    """Return the facts that a player sees, checked; none if the game lists none."""
    features = getattr(game, "features", None)
    if features is None:
        return set()
    most, below = game.max_active, game.num_features
    active, before = np.full(most, -1, dtype=np.int64), state.copy()
    count = int(features(game.tables, state, np.zeros(game.work_words, dtype=np.int64), player, active))
    facts = set(active[:count].tolist())
    _must(np.array_equal(state, before), "features changed the state", before)
    sound = len(facts) == count <= most and all(0 <= fact < below for fact in facts)
    _must(sound, f"features wrote {active.tolist()}, {count} of them, for player {player}", state)
    return facts


def check_sees_nothing_hidden(game: Any, moves: Callable[..., None], num_plays: int) -> list[FloatArray]:
    """Play at random: a policy plays the same whatever is hidden from who decides; return what it plays."""
    rng, played = np.random.default_rng(1), []
    work = np.zeros(game.work_words, np.int64)
    other, chances, again = np.zeros_like(game.root), np.zeros(game.max_moves), np.zeros(game.max_moves)
    for play in range(num_plays):
        state = game.root.copy()
        while (who := game.observe(game.tables, state, work)) != TERMINAL:
            number = int(work[NUM_MOVES])
            if who >= 0:
                before = state.copy()
                moves(game.tables, state, work, chances)
                assert state.tolist() == before.tolist()
                game.determinise(game.tables, state, work, who, play, other)
                game.observe(game.tables, other, work)
                moves(game.tables, other, work, again)
                assert again[:number].tolist() == chances[:number].tolist()
                played.append(chances[:number].copy())
            game.apply(game.tables, state, work, int(rng.integers(number)))
    return played
