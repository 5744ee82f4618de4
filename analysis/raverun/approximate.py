"""The full game: found out and reported, by learned values or by MCCFR on an abstraction."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from analysis.estimates import CONFIDENCE, Estimate, estimate
from analysis.interrupt import Interrupt
from analysis.raverun import approximate_answers as answers
from analysis.raverun.budget import Budget, SeatByTurn
from analysis.raverun.exact_answers import rules_report
from analysis.raverun.figures import Measured, figures
from analysis.raverun.policies import full_game, greedy, training_settings
from analysis.raverun.statistics import payoff_bounds
from analysis.version import __version__
from engine.raverun.rules import Rules
from engine.raverun.sampling import SamplingTables
from solver.sampling.external_sampling import ExternalSamplingTrainer
from solver.sampling.head_to_head import MatchResult, play_matches
from solver.sampling.information_set_search import InformationSetSearch, SearchSettings
from solver.sampling.policy import CompiledPolicy, uniform_policy
from solver.sampling.trained_response import ResponseBound, measure_responses

#: Shares of the time: the strategies, and all responses, of which half is for training them. The rest is for
#: matches and for the figures.
TRAINING_SHARE, _RESPONSES_SHARE = 0.6, 0.25
#: Choosing a response takes such a part of the time left for them.
_PARTS_OF_RESPONSES = 12
_PLAIN_INTERVAL_S = 10.0
#: Games behind each figure where nobody wants to wait for them any more.
LAST_GAMES = 100
#: Search that responds to the frozen strategies, move by move: of each move, and deals in each seat.
RESPONSE_SEARCH_ITERATIONS, RESPONSE_SEARCH_DEALS = 100, 100


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
    recall: str = "summary"
    max_infosets: int = 2_000_000


@dataclass(frozen=True)
class Found:
    """A player of the full game, and how far he is from an equilibrium as far as that was measured."""

    game: SamplingTables
    policy: CompiledPolicy
    label: str
    training: answers.TrainingReport
    bounds: list[answers.BoundReport]


def report(
    rules: Rules,
    found: Found,
    hand: tuple[int, ...] | None,
    effort: Effort,
    seconds: float | None,
    interrupt: Interrupt,
    note: Callable[[str], None],
) -> answers.ApproximateReport:
    """Measure a player, for so many seconds at most; after an interrupt, with a tenth of the games."""
    game, early = found.game, interrupt.requested
    enough = interrupt.leaves if early else interrupt
    budget = Budget(seconds, enough)
    games = effort.games if not early else max(1, effort.games // 10)
    deals = effort.deals if not early else max(2, effort.deals // 10)
    note("measuring")
    matches = []
    for left, other in ((8, replace(uniform_policy(), name="random")), (7, greedy())):
        matches.append(
            match_report(
                play_matches(
                    game,
                    found.policy,
                    other,
                    num_deals=deals,
                    seed=effort.seed + 1,
                    progress=_until(budget.part(left)),
                    threads=effort.threads,
                )
            )
        )
    if enough():
        games = min(games, LAST_GAMES)
    measured = Measured(games, effort.seed, effort.threads, budget)
    return answers.ApproximateReport(
        schema=answers.SCHEMA_NUMBER,
        game="raverun",
        version=__version__,
        rules=rules_report(rules),
        players=game.num_players,
        label=found.label if game.num_players == 2 else answers.THREE,
        confidence=CONFIDENCE,
        training=found.training,
        bound=max(found.bounds, key=lambda bound: bound.lower_bound, default=None),
        bounds=found.bounds,
        matches=matches,
        **figures(rules, game, found.policy, hand, measured, note),
    )


def approximate(
    rules: Rules,
    num_players: int,
    hand: tuple[int, ...] | None,
    effort: Effort,
    interrupt: Interrupt,
    note: Callable[[str], None],
    keep: Callable[[CompiledPolicy], None] | None = None,
) -> answers.ApproximateReport:
    """Train MCCFR on an abstraction, measure and report.

    The trained policy is handed to `keep` before it is measured.
    """
    game = full_game(rules, num_players, effort.recall)
    limit = effort.time_limit_s
    trainer = ExternalSamplingTrainer(game, training_settings(effort.max_infosets, effort.seed))
    note("training (compiling first, the first time)")
    seconds = None if limit is None else limit * TRAINING_SHARE
    _run(trainer, seconds, effort.iterations, interrupt, note, "training")
    spare = time.monotonic()
    trained = trainer.result()
    stopped = "interrupted" if interrupt.requested else "limit"
    if keep is not None:
        keep(trained.policy)
    bounds = []
    if num_players == 2 and not interrupt.requested:
        share = None if limit is None else limit * _RESPONSES_SHARE
        bound = _bound(game, trained.policy, effort, Budget(share, interrupt), interrupt, note)
        bounds = [] if bound is None else [bound]
    training = answers.TrainingReport(
        method="external-sampling MCCFR, one branching decision a walk",
        source="trained",
        abstraction=effort.recall,
        iterations=trained.iterations,
        seconds=trained.seconds,
        updates=trained.updates,
        infosets=trained.table.num_infosets,
        max_infosets=trained.table.capacity,
        lost=trained.num_lost,
        seed=effort.seed,
        stopped=stopped,
    )
    found = Found(game, trained.policy, answers.TWO, training, bounds)
    left = None if limit is None else limit * (1.0 - TRAINING_SHARE) - (time.monotonic() - spare)
    return report(rules, found, hand, effort, left, interrupt, note)


def _until(budget: Budget) -> Callable[[int], bool]:
    """Return what ends a match, after two deals: the end of its time, or somebody who will not wait."""
    return lambda done: done > 1 and budget.over()


def _run(
    trainer: ExternalSamplingTrainer,
    seconds: float | None,
    iterations: int | None,
    interrupt: Interrupt,
    note: Callable[[str], None],
    what: str,
) -> None:
    next_note = time.monotonic() + _PLAIN_INTERVAL_S

    def watch(done: int, spent: float) -> bool:
        nonlocal next_note
        if time.monotonic() >= next_note:
            next_note = time.monotonic() + _PLAIN_INTERVAL_S
            limit = f" of {seconds:.0f} s" if seconds is not None else " s"
            note(f"{what}: iteration {done}, {spent:.0f}{limit}, {trainer.table.num_infosets} infosets")
        return interrupt.requested

    # Compiling does not count as training.
    trainer.run(1)
    trainer.run(None if iterations is None else iterations - 1, seconds=seconds, progress=watch)


def _bound(
    game: SamplingTables,
    policy: CompiledPolicy,
    effort: Effort,
    budget: Budget,
    interrupt: Interrupt,
    note: Callable[[str], None],
) -> answers.BoundReport | None:
    """Train a response for each seat and let them play; None if an interrupt came first."""
    responses = []
    seconds = None
    if effort.time_limit_s is not None:
        seconds = effort.time_limit_s * _RESPONSES_SHARE / (2 * game.num_players)
    iterations = None if effort.iterations is None else max(1, effort.iterations // 2)
    spent, done = 0.0, 0
    for seat in range(game.num_players):
        settings = training_settings(effort.max_infosets, effort.seed + 2 + seat)
        trainer = ExternalSamplingTrainer(game, settings, opponent=policy, responder=seat)
        _run(trainer, seconds, iterations, interrupt, note, f"response of seat {seat}")
        if interrupt.requested:
            return None
        candidates = (trainer.result().policy, greedy())
        # Chosen on deals of their own: measured on the same ones, the better of two looks too good.
        won = [
            play_matches(
                game,
                each,
                policy,
                num_deals=effort.deals,
                seed=effort.seed + 5,
                seats=(seat,),
                progress=_until(budget.part(_PARTS_OF_RESPONSES)),
            ).mean
            for each in candidates
        ]
        responses.append(candidates[int(np.argmax(won))])
        spent, done = max(spent, trainer.seconds), max(done, trainer.iterations)
    # Two kinds of responses, two chances to be lucky: each is held to half the risk.
    confidence = 1.0 - (1.0 - CONFIDENCE) / 2.0
    quick = measure_responses(
        game,
        policy,
        responses,
        num_deals=effort.deals,
        seed=effort.seed + 4,
        confidence=confidence,
        progress=SeatByTurn(budget.part(2), game.num_players, interrupt),
    )
    kinds = ["trained" if response.name == "response" else response.name for response in responses]
    if game.determinise is not None and not interrupt.requested:
        note("responding by search")
        effort_of_each = SearchSettings(iterations=RESPONSE_SEARCH_ITERATIONS, frozen=True)
        search = InformationSetSearch(game, effort_of_each, policy)
        deals = min(effort.deals, RESPONSE_SEARCH_DEALS)
        slow = measure_responses(
            game,
            policy,
            [search] * game.num_players,
            num_deals=deals,
            seed=effort.seed + 6,
            confidence=confidence,
            progress=SeatByTurn(budget, game.num_players, interrupt),
        )
        if slow.lower_bound > quick.lower_bound:
            quick, kinds = slow, ["search"] * game.num_players
    if interrupt.requested:
        return None
    return bound_report(quick, kinds, spent, done)


def bound_report(
    bound: ResponseBound, kinds: list[str], seconds: float, iterations: int
) -> answers.BoundReport:
    """Return what responses won in its public form."""
    return answers.BoundReport(
        nash_conv=bound.nash_conv,
        lower_bound=max(0.0, bound.lower_bound),
        responses=[_payoff(match) for match in bound.matches],
        kinds=kinds,
        seconds=seconds,
        iterations=iterations,
    )


def _payoff(match: MatchResult) -> Estimate:
    return estimate(np.nanmean(match.payoffs, axis=1), payoff_bounds(len(match.seat_means)))


def match_report(match: MatchResult) -> answers.MatchReport:
    """Return a match in its public form."""
    return answers.MatchReport(match.names[1], _payoff(match), match.wins, match.draws, match.losses)
