"""The full game: trained, measured and reported. The one place where its solver is called."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from statistics import NormalDist

import numpy as np

from analysis.errors import RequestError
from analysis.interrupt import Interrupt
from analysis.raverun import approximate_answers as answers
from analysis.raverun import statistics
from analysis.raverun.budget import Budget, SeatByTurn
from analysis.raverun.estimates import CONFIDENCE, Estimate, estimate
from analysis.raverun.exact_answers import rules_report
from analysis.raverun.policies import full_game, greedy, training_settings
from analysis.version import __version__
from engine.raverun import layout
from engine.raverun.codec import encode
from engine.raverun.reference import Phase, Player, State, advance
from engine.raverun.rules import Rules, UnknownNameError
from engine.raverun.sampling import SamplingTables
from solver.sampling.external_sampling import ExternalSamplingResult, ExternalSamplingTrainer
from solver.sampling.head_to_head import MatchResult, play_matches
from solver.sampling.information_set_search import InformationSetSearch, SearchSettings
from solver.sampling.policy import CompiledPolicy, uniform_policy
from solver.sampling.recorded_plays import record_plays
from solver.sampling.trained_response import ResponseBound, measure_responses

#: Shares of the time: the strategies, and all responses, of which half is for training them. The rest is for
#: matches and for the figures.
_TRAINING_SHARE, _RESPONSES_SHARE = 0.6, 0.25
#: Choosing a response takes such a part of the time left for them.
_PARTS_OF_RESPONSES = 12
_PLAIN_INTERVAL_S = 10.0
#: Explored decisions are spread over many kinds, so there are so many times as many games with them.
EXPLORED_FACTOR = 5
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
    games : recorded for each kind of figure, fewer where there is no time for them.
    deals : per match, likewise.
    """

    recall: str
    time_limit_s: float | None
    iterations: int | None
    max_infosets: int
    games: int
    deals: int
    seed: int


def approximate(
    rules: Rules,
    num_players: int,
    hand: tuple[int, ...] | None,
    effort: Effort,
    interrupt: Interrupt,
    note: Callable[[str], None],
    keep: Callable[[CompiledPolicy], None] | None = None,
) -> answers.ApproximateReport:
    """Train, measure and report; after an interrupt, measure what there is with a tenth of the games.

    The trained policy is handed to `keep` before it is measured.
    """
    game = full_game(rules, num_players, effort.recall)
    share = None if effort.time_limit_s is None else effort.time_limit_s * _TRAINING_SHARE
    trainer = ExternalSamplingTrainer(game, training_settings(effort.max_infosets, effort.seed))
    note("training (compiling first, the first time)")
    _run(trainer, share, effort.iterations, interrupt, note, "training")
    limit = effort.time_limit_s
    budget = Budget(None if limit is None else limit * (1.0 - _TRAINING_SHARE))
    trained = trainer.result()
    stopped = "interrupted" if interrupt.requested else "limit"
    if keep is not None:
        keep(trained.policy)
    enough = interrupt.leaves if interrupt.requested else interrupt
    bound = None
    if num_players == 2 and not interrupt.requested:
        share = None if limit is None else limit * _RESPONSES_SHARE
        bound = _bound(game, trained.policy, effort, Budget(share), interrupt, note)
    games = effort.games if not interrupt.requested else max(1, effort.games // 10)
    deals = effort.deals if not interrupt.requested else max(2, effort.deals // 10)
    note("measuring")
    matches = []
    for left, other in ((6, replace(uniform_policy(), name="random")), (5, greedy())):
        until = _until(budget.part(left), enough)
        matches.append(
            match_report(
                play_matches(
                    game, trained.policy, other, num_deals=deals, seed=effort.seed + 1, progress=until
                )
            )
        )
    if enough():
        games = min(games, LAST_GAMES)
    return _report(rules, game, trained, effort, games, stopped, bound, matches, hand, budget)


def _until(budget: Budget, enough: Callable[[], bool]) -> Callable[[int], bool]:
    """Return what ends a match, after two deals: the end of its time, or somebody who will not wait."""
    return lambda done: done > 1 and (budget.over() or enough())


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
                progress=_until(budget.part(_PARTS_OF_RESPONSES), interrupt),
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
    width = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2) * match.standard_error
    return Estimate(match.mean, match.mean - width, match.mean + width, match.num_deals)


def match_report(match: MatchResult) -> answers.MatchReport:
    """Return a match in its public form."""
    return answers.MatchReport(match.names[1], _payoff(match), match.wins, match.draws, match.losses)


def hand_root(rules: Rules, num_players: int, game: SamplingTables, hand: tuple[int, ...]) -> np.ndarray:
    """Return a root `[state_words] int64` in which player 0 holds a hand and the others are dealt theirs."""
    rest = tuple(card for card in range(rules.num_cards) if card not in hand)
    players = (Player(hand=tuple(sorted(hand))), *[Player()] * (num_players - 1))
    root = np.zeros(game.state_words, np.int64)
    root[: layout.NUM_WORDS] = encode(advance(State(rules, players, (rest,), Phase.DEAL)))
    return root


def _hand(
    rules: Rules,
    game: SamplingTables,
    policy: CompiledPolicy,
    hand: tuple[int, ...],
    games: int,
    seed: int,
    budget: Budget,
) -> answers.HandReport:
    """Play the hand with each card chosen first, drawn by lot, and as the strategies choose."""
    dealt = replace(game, root=hand_root(rules, game.num_players, game, hand))
    tried = record_plays(
        dealt, policy, num_plays=games, seed=seed, explored=1, explorer=0, stop=budget.part(2).over
    )
    own = record_plays(dealt, policy, num_plays=games, seed=seed + 1, stop=budget.over)
    first = tried.decider == 0
    _, begins = np.unique(tried.play[first], return_index=True)
    rows = np.flatnonzero(first)[begins]
    payoffs, moves = tried.payoffs[tried.play[rows], 0], tried.move[rows]
    mix = np.array([tried.probability[rows][moves == move].mean() for move in range(len(hand))])
    work, state = np.zeros(game.work_words, np.int64), dealt.root.copy()
    while game.observe(game.tables, state, work) < 0:
        game.apply(game.tables, state, work, 0)
    known = policy.table.rows(int(work[1]))
    return answers.HandReport(
        cards=[
            answers.HandCard(rules.card_name(card), float(mix[index]), estimate(payoffs[moves == index]))
            for index, card in enumerate(sorted(hand))
        ],
        payoff=estimate(own.payoffs[:, 0]),
        trained=known is not None and float(known[1].sum()) > 0.0,
    )


def _report(
    rules: Rules,
    game: SamplingTables,
    trained: ExternalSamplingResult,
    effort: Effort,
    games: int,
    stopped: str,
    bound: answers.BoundReport | None,
    matches: list[answers.MatchReport],
    hand: tuple[int, ...] | None,
    budget: Budget,
) -> answers.ApproximateReport:
    num_players = game.num_players
    begin = layout.RULE_ORDERS
    number = int(game.tables[layout.RULE_NUM_ORDERS])
    orders = game.tables[begin : begin + number * layout.MAX_PLAYERS].reshape(number, -1)

    # Of plays to record: as they are played, with bids explored, with any decision explored, and the hand's.
    parts_left = 2 + EXPLORED_FACTOR + (0 if hand is None else 2)

    def recorded(explored: int, seed: int) -> statistics.Decisions:
        nonlocal parts_left
        part = budget.part(parts_left)
        parts_left -= 1
        plays = record_plays(
            game,
            trained.policy,
            num_plays=games,
            seed=seed,
            explored=explored,
            words=statistics.WORDS,
            stop=part.over,
        )
        return statistics.read(plays, orders)

    own = recorded(0, effort.seed + 10)
    bids = recorded(1, effort.seed + 11).only_explored()
    parts = [
        recorded(statistics.EXPLORED, effort.seed + 12 + part).only_explored()
        for part in range(EXPLORED_FACTOR)
    ]
    explored = statistics.joined(parts)
    played_hand = None
    if hand is not None:
        played_hand = _hand(rules, game, trained.policy, hand, games, effort.seed + 5, budget)
    return answers.ApproximateReport(
        schema=answers.SCHEMA_NUMBER,
        game="raverun",
        version=__version__,
        rules=rules_report(rules),
        players=num_players,
        label=answers.TWO if num_players == 2 else answers.THREE,
        confidence=CONFIDENCE,
        games=len(own.payoffs),
        training=answers.TrainingReport(
            method="external-sampling MCCFR, one branching decision a walk",
            abstraction=effort.recall,
            iterations=trained.iterations,
            seconds=trained.seconds,
            nodes=trained.nodes,
            updates=trained.updates,
            infosets=trained.table.num_infosets,
            max_infosets=trained.table.capacity,
            lost=trained.num_lost,
            seed=effort.seed,
            stopped=stopped,
        ),
        bound=bound,
        matches=matches,
        first_cards=statistics.first_cards(rules, own, bids),
        rounds=statistics.rounds(rules, own, explored),
        order=statistics.orders(own, explored),
        actions=statistics.actions(rules, own, explored),
        strengths=statistics.strengths(own),
        advantage=statistics.advantages(own),
        length=statistics.lengths(own),
        hand=played_hand,
    )


def parse_hand(rules: Rules, num_players: int, text: str) -> tuple[int, ...]:
    """Return the cards of a typed hand, such as "1A 3C 4B".

    Raises
    ------
    RequestError
        If a card does not exist or comes twice, or there are not as many as are dealt.
    """
    try:
        cards = tuple(rules.card(name) for name in text.replace(",", " ").split())
    except UnknownNameError as error:
        raise RequestError(str(error), "--hand") from None
    size = rules.hand_size(num_players)
    if len(set(cards)) != len(cards) or len(cards) != size:
        raise RequestError(
            f"a hand has {size} different cards with {num_players} players, not {text!r}",
            "--hand",
        )
    return tuple(sorted(cards))
