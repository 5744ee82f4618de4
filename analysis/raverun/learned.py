"""Answers from learned values: those of the package, those of a file, or learned for the answer."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from analysis.interrupt import Interrupt
from analysis.raverun import approximate_answers as answers
from analysis.raverun.approximate import TRAINING_SHARE, Effort, Found, report
from analysis.raverun.kept_files import loading
from analysis.raverun.policies import TEMPERATURE, full_game, load_training
from analysis.raverun.training import ValuesReport, learn, shipped_report, shipped_values
from engine.raverun.rules import Rules
from solver.sampling.value_policy import network_policy

METHOD = "values learned by self-play, TD(lambda) on a network with one hidden layer; one move ahead"


def answer(
    rules: Rules,
    num_players: int,
    hand: tuple[int, ...] | None,
    effort: Effort,
    values: Path | None,
    interrupt: Interrupt,
    note: Callable[[str], None],
) -> answers.ApproximateReport:
    """Let a learned player say what the game is like.

    Parameters
    ----------
    values : file of ``raverun train``. If None, the values that come with the package for these rules; if
        there are none, or `effort` says for how many plays, they are learned first.

    Raises
    ------
    RequestError
        For a file that cannot be used.
    """
    game = full_game(rules, num_players, "view")
    measured: ValuesReport | None = None
    begin = time.monotonic()
    source, option = "trained", None
    if values is not None:
        source, option = values.name, "--values"
    elif effort.iterations is None:
        values = shipped_values(rules, num_players)
        source = "trained" if values is None else "shipped"
    if values is not None:
        with loading(option):
            result = load_training(values, rules, num_players)
        if source == "shipped":
            measured = shipped_report(values)
    else:
        limit = effort.time_limit_s
        seconds = None if limit is None else limit * TRAINING_SHARE
        result = learn(game, effort.seed, seconds, effort.iterations, interrupt, note)
    left = None if effort.time_limit_s is None else effort.time_limit_s - (time.monotonic() - begin)
    training = answers.TrainingReport(
        method=METHOD,
        source=source,
        iterations=result.plays,
        seconds=result.seconds if measured is None else measured.seconds,
        updates=result.positions,
        seed=result.seed,
        num_hidden=result.network.hidden.shape[1],
        stopped="limit" if result.completed else "interrupted",
    )
    # Moves into the open are left to the network: what the figures lose by that is far below their intervals.
    policy = network_policy(game, result.network, TEMPERATURE, solving=False)
    found = Found(game, policy, answers.LEARNED, training, [] if measured is None else measured.bounds)
    return report(rules, found, hand, effort, left, interrupt, note)
