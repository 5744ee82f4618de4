"""The full game: a player by learned values says what it is like, and is measured."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from analysis.estimates import CONFIDENCE
from analysis.interrupt import Interrupt
from analysis.raverun import approximate_answers as answers
from analysis.raverun.budget import Budget
from analysis.raverun.figures import Measured, figures
from analysis.raverun.policies import TEMPERATURE, full_game, greedy, training_of, values_at
from analysis.raverun.statistics import match_report
from analysis.raverun.training import learn, shipped_report, shipped_values
from engine.raverun.rules import Rules
from solver.sampling.head_to_head import play_matches
from solver.sampling.policy import uniform_policy
from solver.sampling.value_policy import network_policy

METHOD = "values learned by self-play, TD(lambda) on a network with one hidden layer; one move ahead"
TRAINING_SHARE = 0.6
"""Of the time, where something is learned; the rest is for matches and for the figures."""
LAST_GAMES = 100
"""Games behind each figure where nobody wants to wait for them any more."""


@dataclass(frozen=True)
class Effort:
    """How to train and to measure.

    Attributes
    ----------
    time_limit_s, iterations : for all together; for training alone.
    games : behind the figures, fewer where there is no time for them.
    deals : per match, likewise.
    threads : of measuring; the answer is the same for any number.
    """

    time_limit_s: float | None
    iterations: int | None
    games: int
    deals: int
    seed: int
    threads: int = 1


def answer(
    rules: Rules,
    num_players: int,
    hand: tuple[int, ...] | None,
    effort: Effort,
    values: Path | None,
    interrupt: Interrupt,
    note: Callable[[str], None],
) -> answers.ApproximateAnswer:
    """Let a learned player say what the game is like; after an interrupt, with a tenth of the games.

    Parameters
    ----------
    values : file of ``raverun train``. If None, the values that come with the package for these rules; if
        there are none, or `effort` says for how many plays, they are learned first.

    Raises
    ------
    RequestError
        For a file that cannot be used.
    """
    game = full_game(rules, num_players)
    begin = time.monotonic()
    source = "trained"
    if values is not None:
        source = values.name
    elif effort.iterations is None:
        values = shipped_values(rules, num_players)
        source = "trained" if values is None else "shipped"
    if values is not None:
        result = training_of(values_at(values, rules, num_players))
    else:
        limit = effort.time_limit_s
        seconds = None if limit is None else limit * TRAINING_SHARE
        result = learn(game, effort.seed, seconds, effort.iterations, interrupt, note)
    measured = shipped_report(values) if values is not None and source == "shipped" else None
    bounds = [] if measured is None else measured.bounds
    left = None if effort.time_limit_s is None else effort.time_limit_s - (time.monotonic() - begin)
    early = interrupt.requested
    enough = interrupt.leaves if early else interrupt
    budget = Budget(left, enough)
    games = effort.games if not early else max(1, effort.games // 10)
    deals = effort.deals if not early else max(2, effort.deals // 10)
    # Moves into the open are left to the network: what the figures lose by that is far below their intervals.
    policy = network_policy(game, result.network, TEMPERATURE, solving=False)
    note("measuring")
    matches = []
    for part, other in ((8, replace(uniform_policy(), name="random")), (7, greedy())):
        until = budget.part(part)
        matches.append(
            match_report(
                play_matches(
                    game,
                    policy,
                    other,
                    num_deals=deals,
                    seed=effort.seed + 1,
                    progress=lambda done, until=until: done > 1 and until.over(),  # type: ignore[misc]
                    threads=effort.threads,
                )
            )
        )
    if enough():
        games = min(games, LAST_GAMES)
    return answers.ApproximateAnswer(
        players=num_players,
        label=answers.LEARNED if num_players == 2 else answers.THREE,
        confidence=CONFIDENCE,
        training=answers.TrainingReport(
            method=METHOD,
            source=source,
            iterations=result.plays,
            seconds=result.seconds if measured is None else measured.seconds,
            updates=result.positions,
            seed=result.seed,
            num_hidden=result.network.hidden.shape[1],
            stopped="limit" if result.completed else "interrupted",
        ),
        bound=max(bounds, key=lambda bound: bound.lower_bound, default=None),
        bounds=bounds,
        matches=matches,
        complete=not interrupt.requested,
        **figures(rules, game, policy, hand, Measured(games, effort.seed, effort.threads, budget), note),
    )
