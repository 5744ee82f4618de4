"""Counterfactual regret minimisation on explicit game trees: CFR, CFR+, DCFR and predictive CFR+.

Full-width and without sampling, with alternating updates. The tree is first collapsed to its sequence form:
all terminals reached by the same pair of own last slots become one weight, and what the opponent's play pays
each slot is one sparse product. Infosets of a single action drop out. That is the same arithmetic as walking
the tree, in fewer steps.

Sources: Zinkevich et al. 2007 (CFR); Tammelin 2014 (CFR+: regrets never below 0, averages weighted by t);
Brown and Sandholm 2019 (DCFR, alpha 1.5, beta 0, gamma 2); Farina, Kroer and Sandholm 2021 (PCFR+: regret
matching plus on the regrets and, once more, the latest ones as a prediction of the next; averages weighted by
t squared); Burch, Moravcik and Schmid 2019 (alternating updates: a strategy enters the average when the other
player is updated against it).

Letters used for shapes: see `solver.extensive`; moreover S sequences of both players (for each the empty one
and then its slots at infosets of several actions), J such infosets, W pairs of sequences with a payoff other
than 0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from arena_solver.kernel_cache import cached_njit
from solver.extensive import (
    NONE,
    ExtensiveGame,
    FloatArray,
    IntArray,
    average_strategy,
    expected_payoff,
    uniform_strategy,
)
from solver.payoff_scale import standard_payoffs
from solver.tree_best_response import Exploitability, exploitability

CFR = "cfr"
CFR_PLUS = "cfr+"
DCFR = "dcfr"
PCFR_PLUS = "pcfr+"
VARIANTS = (CFR, CFR_PLUS, DCFR, PCFR_PLUS)

FIRST_CHECK = 16
# NashConv is measured whenever the iterations have grown by this much: a small share of the time on any tree.
CHECK_GROWTH = 1.5


@dataclass(frozen=True)
class TreeCfrSettings:
    """What to run and when to stop.

    Attributes
    ----------
    variant : str
        "cfr", "cfr+", "dcfr" or "pcfr+". The last is far ahead on most games, and behind on some (Leduc
        poker).
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


class _Learned(NamedTuple):
    """What iterations modify, each [S] float64: the present strategy, the plan it makes (products along the
    way), regrets, summed plans, and scratch.
    """

    current: FloatArray
    plan: FloatArray
    regret: FloatArray
    sums: FloatArray
    credit: FloatArray


class _SequenceGame(NamedTuple):
    """The sequence form of a game as a sparse matrix and two treeplexes, player 0's parts before player 1's.

    Attributes
    ----------
    row_start : [S + 1] int64
    columns : [2 W] int32
    weights : [2 W] float64
        A sequence's payoffs to its owner against each sequence of the other player, chance included.
    first_sequence, num_actions : [J] int32
        The sequences of an infoset begin at first_sequence and lie side by side.
    parent_sequence : [J] int32
    first_sequence_of, first_infoset_of : tuples of 3 ints
    slots : [S] int64
        The slot behind each sequence, `NONE` for the empty ones.
    """

    row_start: npt.NDArray[np.int64]
    columns: IntArray
    weights: FloatArray
    first_sequence: IntArray
    num_actions: IntArray
    parent_sequence: IntArray
    first_sequence_of: tuple[int, int, int]
    first_infoset_of: tuple[int, int, int]
    slots: npt.NDArray[np.int64]


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
    # Payoffs of any size and offset take the same course.
    standard, scale = standard_payoffs(game)
    sequence_game = _sequence_game(standard)
    num_sequences = len(sequence_game.slots)
    learned = _Learned(
        *(np.ones(num_sequences), np.ones(num_sequences)),
        *(np.zeros(num_sequences), np.zeros(num_sequences), np.zeros(num_sequences)),
    )
    played = sequence_game.slots != NONE
    learned.current[played] = uniform_strategy(game)[sequence_game.slots[played]]
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
            sequence_game,
            learned,
        )
        done = goal
        played_sums = np.zeros(game.num_slots)
        played_sums[sequence_game.slots[played]] = learned.sums[played]
        strategy = average_strategy(game, played_sums)
        measured: Exploitability = exploitability(standard, strategy)
        nash_conv = scale.difference(measured.nash_conv)
        history.append((done, nash_conv))
        if progress is not None:
            progress(done, nash_conv)
        converged = nash_conv <= settings.target_nash_conv
        if converged or done >= settings.max_iterations:
            return TreeCfrResult(
                value=scale.payoff(expected_payoff(standard, strategy)),
                strategy=strategy,
                nash_conv=nash_conv,
                best_response_values=(
                    scale.payoff(measured.best_response_values[0]),
                    -scale.payoff(-measured.best_response_values[1]),
                ),
                iterations=done,
                converged=converged,
                settings=settings,
                history=tuple(history),
            )


def _sequence_game(game: ExtensiveGame) -> _SequenceGame:
    """Collapse the terminals of a game into pairs of sequences."""
    num_slots = np.diff(game.first_slot)
    several = num_slots > 1
    # The sequence each slot stands for; the last entry, slot NONE, is set for each player in turn.
    sequence_of = np.empty(game.num_slots + 1, dtype=np.int64)
    pairs, firsts, counts, parents, slots = [], [], [], [], []
    first_sequence_of, first_infoset_of = [0], [0]
    for player in (0, 1):
        infosets = np.arange(game.first_infoset_of[player], game.first_infoset_of[player + 1])
        kept = infosets[several[infosets]]
        own_slots = np.flatnonzero(np.repeat(several, num_slots))
        own_slots = own_slots[
            (own_slots >= game.first_slot_of[player]) & (own_slots < game.first_slot_of[player + 1])
        ]
        empty = first_sequence_of[player]
        sequence_of[NONE] = empty
        sequence_of[own_slots] = empty + 1 + np.arange(len(own_slots))
        # A forced action goes on with the sequence before it: parents come before their children.
        for infoset in infosets[~several[infosets]]:
            sequence_of[game.first_slot[infoset]] = sequence_of[game.parent_slot[infoset]]
        pairs.append(sequence_of[game.terminal_slots[player]])
        firsts.append(sequence_of[game.first_slot[kept]])
        counts.append(num_slots[kept])
        parents.append(sequence_of[game.parent_slot[kept]])
        slots.append(np.concatenate(([NONE], own_slots)))
        first_sequence_of.append(empty + 1 + len(own_slots))
        first_infoset_of.append(first_infoset_of[player] + len(kept))
    size = first_sequence_of[2]
    keys, index = np.unique(pairs[0] * size + pairs[1], return_inverse=True)
    weights = np.bincount(index, game.terminal_weight, len(keys))
    keys, weights = keys[weights != 0.0], weights[weights != 0.0]
    own, opp = keys // size, keys % size
    by_column = np.argsort(opp, kind="stable")
    rows = np.concatenate((own, opp[by_column]))
    return _SequenceGame(
        row_start=np.searchsorted(rows, np.arange(size + 1)).astype(np.int64),
        columns=np.concatenate((opp, own[by_column])).astype(np.int32),
        weights=np.concatenate((weights, -weights[by_column])),
        first_sequence=np.concatenate(firsts).astype(np.int32),
        num_actions=np.concatenate(counts).astype(np.int32),
        parent_sequence=np.concatenate(parents).astype(np.int32),
        first_sequence_of=(0, first_sequence_of[1], size),
        first_infoset_of=(0, first_infoset_of[1], first_infoset_of[2]),
        slots=np.concatenate(slots),
    )


@cached_njit(error_model="numpy")
def _iterate_kernel(
    first_iteration: int,
    last_iteration: int,
    variant: int,
    alpha: float,
    beta: float,
    gamma: float,
    game: _SequenceGame,
    learned: _Learned,
) -> None:
    """Run iterations first_iteration + 1 .. last_iteration, both players in turn; `learned` is modified.

    variant is an index into VARIANTS. Regrets are discounted after the addition: by one factor if above 0,
    else by another (0 gives regret matching plus). A prediction adds the latest regrets to what is matched.
    """
    row_start, columns, weights, first_sequence, num_actions, parent_sequence = game[:6]
    num_own_sequences, num_own_infosets = game.first_sequence_of[1], game.first_infoset_of[1]
    current, plan, regret, sums, credit = learned
    num_sequences = current.shape[0]
    num_infosets = parent_sequence.shape[0]
    if first_iteration == 0:
        for infoset in range(num_infosets):
            begin = first_sequence[infoset]
            reach = plan[parent_sequence[infoset]]
            for sequence in range(begin, begin + num_actions[infoset]):
                plan[sequence] = reach * current[sequence]
    for iteration in range(first_iteration + 1, last_iteration + 1):
        t = float(iteration)
        positive_discount = 1.0
        negative_discount = 1.0
        average_weight = 1.0
        prediction = 0.0
        if variant == 1:
            negative_discount = 0.0
            average_weight = t
        elif variant == 2:
            positive_discount = t**alpha / (t**alpha + 1.0)
            negative_discount = t**beta / (t**beta + 1.0)
            average_weight = t**gamma
        elif variant == 3:
            negative_discount = 0.0
            average_weight = t * t
            prediction = 1.0
        for player in range(2):
            own_begin = 0 if player == 0 else num_own_sequences
            own_end = num_own_sequences if player == 0 else num_sequences
            infoset_begin = 0 if player == 0 else num_own_infosets
            infoset_end = num_own_infosets if player == 0 else num_infosets
            for sequence in range(own_begin, own_end):
                total = 0.0
                for entry in range(row_start[sequence], row_start[sequence + 1]):
                    total += weights[entry] * plan[columns[entry]]
                credit[sequence] = total
            # Infosets come after those their owner has passed before, so backwards every credit is complete
            # when it is read.
            for infoset in range(infoset_end - 1, infoset_begin - 1, -1):
                begin = first_sequence[infoset]
                end = begin + num_actions[infoset]
                value = 0.0
                for sequence in range(begin, end):
                    value += current[sequence] * credit[sequence]
                credit[parent_sequence[infoset]] += value
                positive = 0.0
                for sequence in range(begin, end):
                    latest = credit[sequence] - value
                    updated = regret[sequence] + latest
                    gain = max(updated, 0.0) * positive_discount
                    regret[sequence] = gain + min(updated, 0.0) * negative_discount
                    gain = max(gain + prediction * latest, 0.0)
                    positive += gain
                    current[sequence] = gain
                if positive > 0.0:
                    scale = 1.0 / positive
                    for sequence in range(begin, end):
                        current[sequence] *= scale
                else:
                    for sequence in range(begin, end):
                        current[sequence] = 1.0 / (end - begin)
            # A strategy enters the average when the other player is updated against it.
            opp_begin = num_own_sequences if player == 0 else 0
            opp_end = num_sequences if player == 0 else num_own_sequences
            for sequence in range(opp_begin, opp_end):
                sums[sequence] += average_weight * plan[sequence]
            for infoset in range(infoset_begin, infoset_end):
                begin = first_sequence[infoset]
                reach = plan[parent_sequence[infoset]]
                for sequence in range(begin, begin + num_actions[infoset]):
                    plan[sequence] = reach * current[sequence]
