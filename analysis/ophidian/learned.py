"""Values learned by self-play, and with them the fitted value of the end of a wave: one file for both.

The carried file is written by ``ophidian train``, like any other of its kind. Importing this starts numba.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from analysis import learned_values
from analysis.errors import RequestError
from analysis.learned_values import Facts, Progress, TrainedNetwork
from engine.ophidian import kernel, layout
from engine.ophidian.features import NUM_FEATURES, facts_hash
from engine.ophidian.judging import NUM_WEIGHTS, WAVE_END_FACTS, judge, wave_end_facts
from engine.ophidian.reference import seat_of
from engine.ophidian.reference_state import Phase
from engine.ophidian.rules import Rules
from engine.ophidian.sampling import SamplingTables, apply, chance_weights, observe, several_matches
from solver.sampling.value_policy import ValuePolicy
from solver.sampling.value_training import ValueTrainingSettings

__all__ = ["FACTS", "Errors", "carried", "errors_of", "from_file", "train", "weights_of"]

NUM_HIDDEN = 32
TEMPERATURE = 0.02
"""Of the player one move ahead."""
RECORDED = 1000
"""Matches to whose ends the value of a wave's end is fitted, at most one for each ten of self-play."""
HELD_OUT = 0.25
_RIDGE = 1.0
_DIE = int(Phase.DIE)
_SPREAD = 0.1
"""Temperature of the matches that are recorded, so that they differ."""
FACTS = Facts("ophidian", NUM_FEATURES, facts_hash())


class Errors(NamedTuple):
    """Mean squared errors, of results from -1 to 1, over matches that were not fitted to."""

    fitted: float
    by_hand: float
    nothing: float
    wave_ends: int


def all_pairs(rules: Rules) -> SamplingTables:
    """Return the matches of all decks of the rules against all, as one game."""
    seats = [seat_of(rules, deck.id) for deck in rules.decks]
    return several_matches(rules, [(one, other) for one in seats for other in seats])


def train(rules: Rules, plays: int, seed: int, progress: Progress | None = None) -> TrainedNetwork | None:
    """Learn by so many matches between all decks, and fit the end of a wave; None if `progress` ended it.

    The same plays and seed give the same values on one kind of machine.
    """
    settings = ValueTrainingSettings(num_hidden=NUM_HIDDEN, seed=seed)
    game = all_pairs(rules)
    about = f"decks {', '.join(deck.id for deck in rules.decks)}"
    trained = learned_values.learn(game, FACTS, rules.sha256, settings, plays, progress, about=about)
    if trained is None:
        return None
    began = time.monotonic()

    def stopped() -> bool:
        return progress is not None and bool(progress(plays, time.monotonic() - began))

    recorded = record(game, trained, max(8, min(RECORDED, plays // 10)), seed, stopped)
    if recorded is None:
        return None
    weights, errors = fit(*recorded)
    return replace(trained, further={"wave_end": weights, "errors": np.array(errors)})


def record(
    game: SamplingTables,
    trained: TrainedNetwork,
    matches: int,
    seed: int,
    stopped: Callable[[], bool] = lambda: False,
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], npt.NDArray[np.int64]] | None:
    """Let the learned player play matches against itself, and keep the ends of waves.

    Returns
    -------
    facts, [N, NUM_WEIGHTS + 1]: those of the end of a wave, and how it is judged by hand; results, [N], from
    -1 to 1, of the match; and its number, [N]. None if it was stopped.
    """
    player = ValuePolicy(game, trained.network, _SPREAD)
    rng = np.random.default_rng(seed)
    rows: list[npt.NDArray[np.float64]] = []
    results: list[float] = []
    numbers: list[int] = []
    work, weights, paid = np.zeros(game.work_words, np.int64), np.zeros(game.max_moves), np.zeros(2)
    for match in range(matches):
        if stopped():
            return None
        state, wave, ends = game.root.copy(), 1, 0
        while (decider := int(observe(game.tables, state, work))) != kernel.OVER:
            count = int(work[0])
            if state[layout.WAVE] > max(wave, 1):
                wave = int(state[layout.WAVE])
                row = np.zeros(NUM_WEIGHTS + 1)
                if state[layout.PHASE] != _DIE:
                    wave_end_facts(state, game.tables, row[:NUM_WEIGHTS])
                    row[NUM_WEIGHTS] = judge(state, game.tables)
                    rows.append(row)
                    ends += 1
            if decider == kernel.CHANCE:
                total = chance_weights(game.tables, state, work, weights)
                shares = weights[:count] / total if total else np.full(count, 1.0 / count)
                move = int(rng.choice(count, p=shares)) if count > 1 else 0
            else:
                move = player.choose(state, int(rng.integers(2**62))) if count > 1 else 0
            apply(game.tables, state, work, move)
        game.payoffs(game.tables, state, work, paid)
        results += [float(paid[0])] * ends
        numbers += [match] * ends
    return np.array(rows).reshape(-1, NUM_WEIGHTS + 1), np.array(results), np.array(numbers)


def fit(
    facts: npt.NDArray[np.float64], results: npt.NDArray[np.float64], matches: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.float64], Errors]:
    """Fit weights by logistic regression, and say how far off they are on matches left out.

    A draw counts as half a win. The weights are those of all matches. Facts are differences of the sides, so
    there is no constant. (Newton's method with a small ridge; Hastie, Tibshirani, Friedman 2009, 4.4.1.)
    """
    inputs, won = facts[:, :NUM_WEIGHTS], (1.0 + results) / 2.0
    out = matches >= (1.0 - HELD_OUT) * (matches.max(initial=0) + 1)
    found = _logistic(inputs[~out], won[~out])
    guesses = np.tanh(inputs[out] @ found / 2.0)
    missed = [
        float(np.mean((results[out] - guess) ** 2)) if out.any() else float("nan")
        for guess in (guesses, facts[out, NUM_WEIGHTS], np.zeros(int(out.sum())))
    ]
    fitted, by_hand, nothing = missed
    return _logistic(inputs, won), Errors(fitted, by_hand, nothing, int(out.sum()))


def _logistic(inputs: npt.NDArray[np.float64], won: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    weights = np.zeros(inputs.shape[1])
    for _ in range(50):
        chance = 1.0 / (1.0 + np.exp(-np.clip(inputs @ weights, -30.0, 30.0)))
        slope = inputs.T @ (won - chance) - _RIDGE * weights
        curve = (inputs * (chance * (1.0 - chance))[:, None]).T @ inputs + _RIDGE * np.eye(len(weights))
        step = np.linalg.solve(curve, slope)
        weights = weights + step
        if np.abs(step).max(initial=0.0) < 1e-9:
            break
    return weights


def weights_of(trained: TrainedNetwork) -> npt.NDArray[np.float64]:
    """Return the fitted weights of `WAVE_END_FACTS` in a file."""
    weights = trained.further.get("wave_end")
    if weights is None or weights.shape != (NUM_WEIGHTS,):
        raise RequestError("the file of values has no value of a wave's end: train again", "--values")
    assert len(weights) == len(WAVE_END_FACTS)
    return weights


def errors_of(trained: TrainedNetwork) -> Errors:
    """Return the errors of the fit in a file."""
    fitted, by_hand, nothing, number = map(float, trained.further["errors"])
    return Errors(fitted, by_hand, nothing, int(number))


def carried(rules: Rules) -> TrainedNetwork | None:
    """Return the carried values if they were learned by these rules."""
    import results

    path = Path(results.__file__).parent / "ophidian" / "values.npz"
    return learned_values.carried(path, FACTS, rules.sha256)


def from_file(path: Path | None, rules: Rules) -> TrainedNetwork:
    """Return the values at `path`, the carried ones for None; RequestError where there are none."""
    if path is not None:
        return learned_values.from_file(path, FACTS, rules.sha256)
    found = carried(rules)
    if found is None:
        raise RequestError(
            "no learned values come with these rules: ophidian train FILE, then --values FILE", "--values"
        )
    return found
