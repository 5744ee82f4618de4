"""Counterfactual regret minimisation on explicit game trees: CFR, CFR+ and DCFR.

Full-width and without sampling, with alternating updates. The tree is first collapsed to its sequence form:
all terminals reached by the same pair of own last slots become one weight, and what the opponent's play pays
each slot is one sparse product. That is the same arithmetic as walking the tree, in fewer steps.

Sources: Zinkevich et al. 2007 (CFR); Tammelin 2014 (CFR+: regrets never below 0, averages weighted by t);
Brown and Sandholm 2019 (DCFR, alpha 1.5, beta 0, gamma 2); Burch, Moravcik and Schmid 2019 (alternating
updates: a strategy enters the average when the other player is updated against it).

Letters used for shapes: see `solver.extensive`; moreover S sequences of one player (his slots and, as number
0, the empty one), J his infosets, W pairs of sequences with a payoff other than 0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
from numba import njit

from solver.extensive import NONE, ExtensiveGame, FloatArray, IntArray, expected_payoff, uniform_strategy
from solver.tree_best_response import Exploitability, exploitability

CFR = "cfr"
CFR_PLUS = "cfr+"
DCFR = "dcfr"
VARIANTS = (CFR, CFR_PLUS, DCFR)

FIRST_CHECK = 16
# NashConv is measured whenever the iterations have grown by this much: a small share of the time on any tree.
CHECK_GROWTH = 1.5


@dataclass(frozen=True)
class TreeCfrSettings:
    """What to run and when to stop.

    Attributes
    ----------
    variant : str
        "cfr", "cfr+" or "dcfr".
    max_iterations : int
        An iteration updates both players once.
    target_nash_conv : float
        Stop as soon as a measured NashConv is at most this.
    alpha, beta, gamma : float
        DCFR's discounts of positive regrets, negative regrets and of the average; unused by the others.
    """

    variant: str = CFR_PLUS
    max_iterations: int = 10_000
    target_nash_conv: float = 0.0
    alpha: float = 1.5
    beta: float = 0.0
    gamma: float = 2.0

    def __post_init__(self) -> None:
        """Raise ValueError for settings that mean nothing."""
        if self.variant not in VARIANTS:
            raise ValueError(f"variant must be one of {', '.join(VARIANTS)}, got {self.variant!r}")
        if self.max_iterations < 1:
            raise ValueError(f"max_iterations must be at least 1, got {self.max_iterations}")


@dataclass(frozen=True, eq=False)
class TreeCfrResult:
    """The average strategies after a run, measured.

    Attributes
    ----------
    value : float
        Payoff of player 0 when both play `strategy`. The game's value is at most `best_response_values[0]`
        and at least -`best_response_values[1]`.
    strategy : [Q] float64
        Behaviour strategies of both players. Infosets their owner never reaches play uniformly.
    nash_conv, best_response_values
        Measured by `tree_best_response` on `strategy`.
    iterations : int
    converged : bool
        Whether the target was reached.
    settings : TreeCfrSettings
    seed : int
        Always 0: nothing here is random.
    history : tuple of (iteration, NashConv)
        Every measurement taken.
    """

    value: float
    strategy: FloatArray
    nash_conv: float
    best_response_values: tuple[float, float]
    iterations: int
    converged: bool
    settings: TreeCfrSettings
    seed: int = 0
    history: tuple[tuple[int, float], ...] = field(default=(), repr=False)

    @property
    def exploitability(self) -> float:
        """NashConv shared by the two players."""
        return self.nash_conv / 2


@dataclass(frozen=True, eq=False)
class _SequenceGame:
    """The sequence form of a game as one sparse matrix and two treeplexes, a tuple entry per player.

    row_start [S + 1] int64, columns [W] int32, weights [W] float64: the player's sequences' payoffs to him
    against each sequence of the other one, chance included. first_sequence [J + 1] int32, parent_sequence [J]
    int32.
    """

    row_start: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]
    columns: tuple[IntArray, IntArray]
    weights: tuple[FloatArray, FloatArray]
    first_sequence: tuple[IntArray, IntArray]
    parent_sequence: tuple[IntArray, IntArray]


def solve_tree_cfr(
    game: ExtensiveGame,
    settings: TreeCfrSettings | None = None,
    progress: Callable[[int, float], None] | None = None,
) -> TreeCfrResult:
    """Run CFR on an explicit game until the target or the iterations are reached.

    Parameters
    ----------
    game : ExtensiveGame
    settings : TreeCfrSettings, optional
        Default: CFR+, 10,000 iterations.
    progress : callable, optional
        Called with (iteration, NashConv) after each measurement.
    """
    settings = settings or TreeCfrSettings()
    sequence_game = _sequence_game(game)
    sizes = [len(starts) - 1 for starts in sequence_game.row_start]
    current = (_initial_strategy(game, 0), _initial_strategy(game, 1))
    plans = (np.ones(sizes[0]), np.ones(sizes[1]))
    regrets = (np.zeros(sizes[0]), np.zeros(sizes[1]))
    sums = (np.zeros(sizes[0]), np.zeros(sizes[1]))
    credits = (np.zeros(sizes[0]), np.zeros(sizes[1]))
    history: list[tuple[int, float]] = []
    done = 0
    while True:
        goal = min(settings.max_iterations, max(FIRST_CHECK, int(done * CHECK_GROWTH)))
        _iterate_kernel(
            done,
            goal,
            VARIANTS.index(settings.variant),
            settings.alpha,
            settings.beta,
            settings.gamma,
            sequence_game.row_start,
            sequence_game.columns,
            sequence_game.weights,
            sequence_game.first_sequence,
            sequence_game.parent_sequence,
            current,
            plans,
            regrets,
            sums,
            credits,
        )
        done = goal
        strategy = _average_strategy(game, sequence_game, sums)
        measured: Exploitability = exploitability(game, strategy)
        history.append((done, measured.nash_conv))
        if progress is not None:
            progress(done, measured.nash_conv)
        converged = measured.nash_conv <= settings.target_nash_conv
        if converged or done >= settings.max_iterations:
            return TreeCfrResult(
                value=expected_payoff(game, strategy),
                strategy=strategy,
                nash_conv=measured.nash_conv,
                best_response_values=measured.best_response_values,
                iterations=done,
                converged=converged,
                settings=settings,
                history=tuple(history),
            )


def _sequence_game(game: ExtensiveGame) -> _SequenceGame:
    """Collapse the terminals of a game into pairs of sequences."""
    terminals = game.terminals
    sizes = [game.first_slot_of[p + 1] - game.first_slot_of[p] + 1 for p in (0, 1)]
    own = _to_sequence(game, 0, game.last_slot[0, terminals])
    opp = _to_sequence(game, 1, game.last_slot[1, terminals])
    keys, index = np.unique(own * sizes[1] + opp, return_inverse=True)
    weights = np.bincount(index, game.payoff[terminals] * game.chance_reach[terminals], len(keys))
    keys, weights = keys[weights != 0.0], weights[weights != 0.0]
    own, opp = keys // sizes[1], keys % sizes[1]
    by_column = np.argsort(opp, kind="stable")

    def starts(sequences: npt.NDArray[np.int64], size: int) -> npt.NDArray[np.int64]:
        return np.searchsorted(sequences, np.arange(size + 1)).astype(np.int64)

    first_sequence, parent_sequence = [], []
    for player in (0, 1):
        begin, end = game.first_infoset_of[player], game.first_infoset_of[player + 1]
        first_sequence.append(
            (game.first_slot[begin : end + 1] - game.first_slot_of[player] + 1).astype(np.int32)
        )
        parent_sequence.append(_to_sequence(game, player, game.parent_slot[begin:end]).astype(np.int32))
    return _SequenceGame(
        row_start=(starts(own, sizes[0]), starts(opp[by_column], sizes[1])),
        columns=(opp.astype(np.int32), own[by_column].astype(np.int32)),
        weights=(weights, -weights[by_column]),
        first_sequence=(first_sequence[0], first_sequence[1]),
        parent_sequence=(parent_sequence[0], parent_sequence[1]),
    )


def _to_sequence(game: ExtensiveGame, player: int, slots: IntArray) -> npt.NDArray[np.int64]:
    return np.where(slots == NONE, 0, slots.astype(np.int64) - game.first_slot_of[player] + 1)


def _initial_strategy(game: ExtensiveGame, player: int) -> FloatArray:
    """Return the uniform strategy over sequences, [S] float64; entry 0 (the empty sequence) is 1."""
    own = uniform_strategy(game)[game.first_slot_of[player] : game.first_slot_of[player + 1]]
    return np.concatenate(([1.0], own))


def _average_strategy(
    game: ExtensiveGame, sequence_game: _SequenceGame, sums: tuple[FloatArray, FloatArray]
) -> FloatArray:
    """Return the behaviour strategy [Q] of summed realisation plans."""
    strategy = uniform_strategy(game)
    for player in (0, 1):
        slots = slice(game.first_slot_of[player], game.first_slot_of[player + 1])
        mass = sums[player][1:]
        local_infoset = game.slot_infoset[slots] - game.first_infoset_of[player]
        total = np.bincount(local_infoset, mass)[local_infoset] if len(mass) else mass
        reached = total > 0.0
        strategy[slots][reached] = mass[reached] / total[reached]
    return strategy


@njit(cache=True)
def _iterate_kernel(
    first_iteration: int,
    last_iteration: int,
    variant: int,
    alpha: float,
    beta: float,
    gamma: float,
    row_start: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]],
    columns: tuple[IntArray, IntArray],
    weights: tuple[FloatArray, FloatArray],
    first_sequence: tuple[IntArray, IntArray],
    parent_sequence: tuple[IntArray, IntArray],
    current: tuple[FloatArray, FloatArray],
    plans: tuple[FloatArray, FloatArray],
    regrets: tuple[FloatArray, FloatArray],
    sums: tuple[FloatArray, FloatArray],
    credits: tuple[FloatArray, FloatArray],
) -> None:
    """Run iterations first_iteration + 1 .. last_iteration, both players in turn.

    `current`, `plans`, `regrets`, `sums` and `credits` (scratch), each [S] float64 per player, are modified
    in place. variant is an index into VARIANTS.
    """
    if first_iteration == 0:
        for player in range(2):
            _realise_kernel(first_sequence[player], parent_sequence[player], current[player], plans[player])
    for iteration in range(first_iteration + 1, last_iteration + 1):
        t = float(iteration)
        positive_discount = 1.0
        negative_discount = 1.0
        average_weight = 1.0
        if variant == 1:
            negative_discount = 0.0
            average_weight = t
        elif variant == 2:
            positive_discount = t**alpha / (t**alpha + 1.0)
            negative_discount = t**beta / (t**beta + 1.0)
            average_weight = t**gamma
        for player in range(2):
            _update_kernel(
                row_start[player],
                columns[player],
                weights[player],
                first_sequence[player],
                parent_sequence[player],
                plans[1 - player],
                current[player],
                regrets[player],
                credits[player],
                positive_discount,
                negative_discount,
            )
            opp_sum = sums[1 - player]
            opp_plan = plans[1 - player]
            for sequence in range(opp_sum.shape[0]):
                opp_sum[sequence] += average_weight * opp_plan[sequence]
            _realise_kernel(first_sequence[player], parent_sequence[player], current[player], plans[player])


@njit(cache=True)
def _realise_kernel(
    first_sequence: IntArray, parent_sequence: IntArray, current: FloatArray, plan: FloatArray
) -> None:
    """Multiply a behaviour strategy down the treeplex; `plan` ([S]) is modified in place."""
    plan[0] = 1.0
    for infoset in range(parent_sequence.shape[0]):
        reach = plan[parent_sequence[infoset]]
        for sequence in range(first_sequence[infoset], first_sequence[infoset + 1]):
            plan[sequence] = reach * current[sequence]


@njit(cache=True)
def _update_kernel(
    row_start: npt.NDArray[np.int64],
    columns: IntArray,
    weights: FloatArray,
    first_sequence: IntArray,
    parent_sequence: IntArray,
    opp_plan: FloatArray,
    current: FloatArray,
    regret: FloatArray,
    credit: FloatArray,
    positive_discount: float,
    negative_discount: float,
) -> None:
    """Update one player's regrets and current strategy against the other's realisation plan.

    `current`, `regret` and `credit` (scratch), [S] float64 each, are modified in place. Regrets are
    discounted after the addition: by `positive_discount` if above 0, else by `negative_discount` (0 gives
    regret matching plus).
    """
    for sequence in range(credit.shape[0]):
        total = 0.0
        for entry in range(row_start[sequence], row_start[sequence + 1]):
            total += weights[entry] * opp_plan[columns[entry]]
        credit[sequence] = total
    # Infosets come after those their owner has passed before, so backwards every credit is complete when it
    # is read.
    for infoset in range(parent_sequence.shape[0] - 1, -1, -1):
        begin = first_sequence[infoset]
        end = first_sequence[infoset + 1]
        value = 0.0
        for sequence in range(begin, end):
            value += current[sequence] * credit[sequence]
        credit[parent_sequence[infoset]] += value
        positive = 0.0
        for sequence in range(begin, end):
            updated = regret[sequence] + credit[sequence] - value
            if updated > 0.0:
                updated *= positive_discount
                positive += updated
            else:
                updated *= negative_discount
            regret[sequence] = updated
        if positive > 0.0:
            for sequence in range(begin, end):
                current[sequence] = max(regret[sequence], 0.0) / positive
        else:
            for sequence in range(begin, end):
                current[sequence] = 1.0 / (end - begin)
