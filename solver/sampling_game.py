"""What a game offers to the solvers that sample: a handful of compiled functions on flat integer states.

A game too large to be written down as a tree is walked instead. It hands over plain numbers and compiled
functions (`SamplingGame`); external sampling (`external_sampling`), search (`information_set_search`) and
match play (`head_to_head`) take any object of that shape. `tree_sampling` gives it to explicit trees.

A kernel is compiled once per game, with the game's functions in it (`specialised`); it is kept on disk, and a
second process compiles nothing. Called through pointers instead, the functions would cost two to three times as
much as the walk itself. Policies do go in through pointers, as `numba.types.FunctionType` arguments: there are
many of them, and they are called more rarely.

Letters used for shapes: P players, W words of a state, M most moves of a decision or outcomes of a chance
node, T words of a game's tables.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FunctionType
from typing import Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt
from numba import njit, types

from solver.extensive import CHANCE, TERMINAL

#: Where `observe` leaves the number of moves (or outcomes) and the infoset key.
NUM_MOVES = 0
INFOSET_KEY = 1
LEAST_WORK_WORDS = 2

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]

WORDS = types.int64[::1]
REALS = types.float64[::1]
POLICY = types.FunctionType(types.void(WORDS, WORDS, WORDS, REALS))

_KERNEL_OPTIONS: dict[str, Any] = {"cache": True, "_nrt": False, "error_model": "numpy", "nogil": True}

_Function = TypeVar("_Function", bound=Callable[..., Any])


class MalformedSamplingGameError(ValueError):
    """The game broke its contract; the message says in which call and how."""


class SamplingGame(Protocol):
    """A game as compiled functions. All arrays are C-contiguous; nothing is allocated in the functions.

    Attributes
    ----------
    num_players : int
        P. Two-player results are about zero-sum games; with more players they are heuristics.
    state_words : int
        W: int64 words of a state.
    work_words : int
        At least 2: words of scratch that every call gets. `observe` leaves its results in the first two, the
        rest is the game's own and holds garbage between calls.
    max_moves : int
        M: most moves of a decision and most outcomes of a chance node.
    max_own_decisions : int
        Most decisions of one player in a play.
    max_length : int
        Most nodes on a path from the root, the terminal one included.
    tables : [T] int64
        The rules as numbers, T at least 1, passed to every call and never changed. Reals go in as bit
        patterns.
    root : [W] int64
    observe : (tables, state, work) -> int64
        Who decides: 0 .. P - 1, `CHANCE` or `TERMINAL`. Writes work[0], the number of moves or outcomes (at
        least 1), and at decisions work[1], the infoset key (above 0), which tells all the decider knows, who
        he is included.
    apply : (tables, state, work, move) -> None
        Modifies the state in place; moves and outcomes are 0 .. n - 1.
    chance_weights : (tables, state, work, weights) -> float64
        Writes one weight above 0 per outcome and returns their sum.
    payoffs : (tables, state, work, payoffs) -> None
        Writes the [P] payoffs of a terminal state.
    determinise : (tables, state, work, player, seed, sampled) -> None, or None
        Writes to `sampled` a state that `player`, who is to decide, cannot tell from `state`; drawn by
        `seed`, and independent of what is hidden from him in `state`. Only search needs it.
    """

    @property
    def num_players(self) -> int: ...
    @property
    def state_words(self) -> int: ...
    @property
    def work_words(self) -> int: ...
    @property
    def max_moves(self) -> int: ...
    @property
    def max_own_decisions(self) -> int: ...
    @property
    def max_length(self) -> int: ...
    @property
    def tables(self) -> IntArray: ...
    @property
    def root(self) -> IntArray: ...
    @property
    def observe(self) -> Callable[..., int]: ...
    @property
    def apply(self) -> Callable[..., None]: ...
    @property
    def chance_weights(self) -> Callable[..., float]: ...
    @property
    def payoffs(self) -> Callable[..., None]: ...
    @property
    def determinise(self) -> Callable[..., None] | None: ...


def sampling_kernel(function: _Function) -> _Function:
    """Compile a kernel that only borrows its arrays: none is allocated, returned or kept.

    Without reference counts a row of an array costs nothing. Such kernels never call themselves: functions
    that do crash when they come from the on-disk cache.
    """
    compiled: _Function = njit(**_KERNEL_OPTIONS)(function)
    return compiled


def observe(tables: IntArray, state: IntArray, work: IntArray) -> int:
    """Stand for the game's own function in a kernel's text; so do the next four."""
    raise NotImplementedError


def apply(tables: IntArray, state: IntArray, work: IntArray, move: int) -> None:
    """See `observe`."""
    raise NotImplementedError


def chance_weights(tables: IntArray, state: IntArray, work: IntArray, weights: FloatArray) -> float:
    """See `observe`."""
    raise NotImplementedError


def payoffs(tables: IntArray, state: IntArray, work: IntArray, payoffs: FloatArray) -> None:
    """See `observe`."""
    raise NotImplementedError


def determinise(
    tables: IntArray, state: IntArray, work: IntArray, player: int, seed: int, sampled: IntArray
) -> None:
    """See `observe`."""
    raise NotImplementedError


_GAME_FUNCTIONS = ("observe", "apply", "chance_weights", "payoffs", "determinise")
_specialised: dict[tuple[Any, ...], Any] = {}


def specialised(
    game: SamplingGame, kernel: Callable[..., Any], signature: Any, helpers: Sequence[Callable[..., Any]] = ()
) -> Any:
    """Return a kernel compiled for one game, from the disk if any process has compiled it before.

    numba keeps a compiled function on disk under its file, name and argument types; which functions its global
    names stood for does not count. So each game's copy of a kernel gets a name of its own: it tells the game's
    functions and the state of the Python files beside them, and an edited game is compiled anew. (That goes for
    files in the same folder; what a game imports from elsewhere and changes there is not noticed.)

    Parameters
    ----------
    game : SamplingGame
    kernel : function
        Plain Python, at module level; calls `observe` and the others of this module by these names.
    signature : numba signature
        The only one the kernel is compiled for.
    helpers : sequence of functions
        Functions of the kernel's module that call the game's functions as well, callees first.
    """
    functions = tuple(getattr(game, name) for name in _GAME_FUNCTIONS)
    memo = (kernel, *map(id, functions))
    known = _specialised.get(memo)
    if known is None:
        bound = {name: function for name, function in zip(_GAME_FUNCTIONS, functions, strict=True) if function}
        game_name, keep = _game_name(tuple(bound.values()))
        namespace = dict(kernel.__globals__)
        for name, value in bound.items():
            if name in namespace:
                namespace[name] = value
        for template in (*helpers, kernel):
            copy = FunctionType(template.__code__, namespace, template.__name__, template.__defaults__)
            copy.__module__ = template.__module__
            copy.__qualname__ = f"{template.__qualname__}_{game_name}"
            known = njit(**{**_KERNEL_OPTIONS, "cache": keep})(copy)
            namespace[template.__name__] = known
        known.compile(signature)
        known.disable_compile()
        # The functions are kept with it, so that their ids stay theirs.
        _specialised[memo] = known
        _kept_alive.append(functions)
    return known


_kept_alive: list[tuple[Any, ...]] = []


def _game_name(functions: tuple[Any, ...]) -> tuple[str, bool]:
    """Return what to call a game's copies of kernels, and whether that name is good enough for the disk."""
    digest = hashlib.sha256()
    keep = True
    for function in functions:
        source = getattr(function, "py_func", function)
        # Functions made inside functions share a name and may differ in what they close over.
        keep = keep and "<" not in source.__qualname__ and source.__closure__ is None
        digest.update(f"{source.__module__}.{source.__qualname__};".encode())
        digest.update(source.__code__.co_code)
    for folder in sorted({Path(getattr(f, "py_func", f).__code__.co_filename).parent for f in functions}):
        for path in sorted(folder.glob("*.py")):
            status = path.stat()
            digest.update(f"{path.name} {status.st_size} {status.st_mtime_ns};".encode())
    return digest.hexdigest()[:16], keep


_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FIRST_FACTOR = np.uint64(0xBF58476D1CE4E5B9)
_SECOND_FACTOR = np.uint64(0x94D049BB133111EB)
_SHIFT_1 = np.uint64(30)
_SHIFT_2 = np.uint64(27)
_SHIFT_3 = np.uint64(31)
_HALF = np.uint64(32)
_TO_53_BITS = np.uint64(11)
_UNIT = 1.0 / 9007199254740992.0


@sampling_kernel
def mixed_bits(word: np.uint64) -> np.uint64:
    """Return 64 well-mixed bits of 64 bits, one to one (the output function of SplitMix64, Steele et al. 2014)."""
    word = (word ^ (word >> _SHIFT_1)) * _FIRST_FACTOR
    word = (word ^ (word >> _SHIFT_2)) * _SECOND_FACTOR
    return word ^ (word >> _SHIFT_3)


@sampling_kernel
def hashed(key: int) -> int:
    """Return a place for a key before masking: one multiplication, enough for dense numbers and for hashes."""
    word = np.uint64(key) * _GOLDEN
    return np.int64(word ^ (word >> _HALF))


@sampling_kernel
def uniform_draw(stream: npt.NDArray[np.uint64]) -> float:
    """Return a number in [0, 1) of a SplitMix64 stream; `stream` ([1] uint64) is modified in place."""
    stream[0] += _GOLDEN
    return np.float64(mixed_bits(stream[0]) >> _TO_53_BITS) * _UNIT


@sampling_kernel
def stream_word(seed: int, number: int) -> np.uint64:
    """Return where stream `number` of a seed begins."""
    return mixed_bits(mixed_bits(np.uint64(seed) + _GOLDEN) + np.uint64(number) * _GOLDEN)


@sampling_kernel
def seeded_uniform(seed: int, number: int) -> float:
    """Return the number in [0, 1) that stream `number` of a seed begins with."""
    return np.float64(stream_word(seed, number) >> _TO_53_BITS) * _UNIT


@sampling_kernel
def drawn_index(stream: npt.NDArray[np.uint64], weights: FloatArray, count: int, total: float) -> int:
    """Return an index below `count`, drawn with the given weights; `stream` is modified in place."""
    left = uniform_draw(stream) * total
    for index in range(count - 1):
        left -= weights[index]
        if left < 0.0:
            return index
    # Rounding may leave a crumb above the last weight; a weight of 0 is never drawn for that.
    last = count - 1
    while last > 0 and weights[last] <= 0.0:
        last -= 1
    return last


def new_stream(seed: int, number: int = 0) -> npt.NDArray[np.uint64]:
    """Return a [1] uint64 stream for `uniform_draw`. Streams of different numbers are independent."""
    return np.array([stream_word(seed, number)], dtype=np.uint64)


def check_sampling_game(game: SamplingGame, *, num_plays: int = 100, seed: int = 0) -> None:
    """Play at random and check every promise of the contract that can be checked from outside.

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


def _fail(message: str, state: IntArray, path: Sequence[int] = ()) -> None:
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
        if not 1 <= num_moves <= game.max_moves:
            _fail(f"{num_moves} moves, not 1 .. max_moves = {game.max_moves}", state, path)
        if decider == CHANCE:
            total = float(game.chance_weights(tables, state, work, weights))
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
