"""What a match is worth after a day, read from where the learned player's play of that day leads.

Ends of the day are sampled by self-play of the carried values. At each the next patron and cheers card are
revealed, and both players are asked what the match is worth with every lead: the network of many ends, a
search of few, which corrects the network. So the curve knows hands, decks, cheers cards and the patrons that
may come, and prices of cards come from the same ends. It claims nothing: how far positions read so are from
solved last days is measured (`benchmarks/match_worth.py`).

Letters used for shapes: N positions, W words of a state, L leads, T types.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from analysis.progress import Reporter
from analysis.ragers.last_day.solving import LastDayQuestion
from analysis.ragers.last_day.worth import ReadWorth, costs_of
from analysis.ragers.match import networks
from analysis.ragers.match.figures import days_finished, with_lead
from analysis.ragers.match.prices import card_counts
from analysis.ragers.match.searching import sampled_state
from analysis.ragers.setup import Values
from engine.protocol import CHANCE, OVER
from engine.ragers import layout, reference
from engine.ragers.day_match import COST_UNIT
from engine.ragers.facts import facts
from engine.ragers.rules import NUM_TYPES
from engine.ragers.sampling import sampling_tables
from engine.ragers.sampling_layout import CHOICE, FIRST, HIDDEN

if TYPE_CHECKING:
    from analysis.learned_values import TrainedNetwork

Ints = npt.NDArray[np.int64]
Reals = npt.NDArray[np.float64]

SEARCH_ITERATIONS = 10_000
STRETCH = 1.04
"""Searches think chances too even: what logarithms of odds are multiplied by. Fitted to solved last days."""
PLAYED = 4_000
"""Days played on."""
READ_BY_NETWORK = 600
READ_BY_SEARCH = 40
SEARCHED_LEADS = (-8, -4, 0, 4, 8)
_MOST_SURE = 0.995


def log_odds(chance: Reals) -> Reals:
    """Return logarithms of odds, of chances kept away from 0 and 1."""
    kept = np.clip(chance, 1.0 - _MOST_SURE, _MOST_SURE)
    odds: Reals = np.log(kept / (1.0 - kept))
    return odds


def chance_of(odds: Reals) -> Reals:
    """Return chances of logarithms of odds."""
    chance: Reals = 1.0 / (1.0 + np.exp(-odds))
    return chance


class PositionReader:
    """Says what positions are worth to the Accusers, by a network or by searches that it guides."""

    def __init__(
        self, question: LastDayQuestion, trained: TrainedNetwork, iterations: int = SEARCH_ITERATIONS
    ) -> None:
        from analysis.ragers.match.players import EXPLORATION
        from solver.sampling.guided_search import GuidedSearch
        from solver.sampling.information_set_search import SearchSettings

        self.question, self.game, self.network = question, sampling_tables(question.rules), trained.network
        settings = SearchSettings(iterations=iterations, seconds=0.0, exploration=EXPLORATION)
        self._search: GuidedSearch = GuidedSearch(self.game, trained.network, settings)
        self._active = np.zeros(self.game.max_active, np.int64)
        self._work = np.zeros(self.game.work_words, np.int64)

    def day_states(self, num: int, random: Random) -> Ints:
        """Return positions `[N, W]` in which the day asked about begins, hands dealt from what is left."""
        question = self.question
        standing, rules = question.standing, question.rules
        found = []
        for _ in range(num):
            hands, decks, buried = zip(*(self._deal(player, random) for player in (0, 1)), strict=True)
            day = (rules, question.patron, question.cheers)
            state = reference.start_day(*day, preparation=question.exchange, decks=decks, hands=hands)
            patron, table = state.patron, state.cheers_table
            players = [
                replace(own, score=standing.score[side], cheers=(0,) * standing.cheers[side])
                for side, own in enumerate(state.players)
            ]
            later = standing.day < rules.match.days
            state = replace(
                state,
                rules=rules,
                players=(players[0], players[1]),
                day=standing.day - 1,
                patrons_left=tuple(each for each in range(len(rules.patrons)) if each != patron and later),
                cheers_left=tuple(each for each in range(len(rules.cheers)) if each not in table and later),
            )
            found.append(sampled_state(state, 0, buried))
        return np.stack(found)

    def _deal(self, player: int, random: Random) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        """Return a hand, a deck, and what lies hidden of earlier days."""
        standing, size = self.question.standing, self.question.rules.match.hand_size
        cards = [kind for kind, number in enumerate(standing.left[player]) for _ in range(number)]
        random.shuffle(cards)
        end = len(cards) - standing.hidden[player]
        parts = (cards[: min(size, end)], cards[min(size, end) : end], cards[end:])
        hand, deck, hidden = (tuple(part.count(kind) for kind in range(NUM_TYPES)) for part in parts)
        return hand, deck, hidden

    def by_network(self, states: Ints) -> Reals:
        """Return the worth of positions `[N]`, both players' views in the middle."""
        network, tables = self.network, self.game.tables
        found = np.zeros(len(states))
        for number, words in enumerate(states):
            if (over := self._paid(words)) is not None:
                found[number] = over
                continue
            for player in (0, 1):
                used = facts(tables, words, self._work, player, self._active)
                units = network.hidden[0] + network.inputs[self._active[:used]].sum(axis=0)
                value = float(np.tanh(np.maximum(units, 0.0) @ network.hidden[1] + network.scale[2]))
                found[number] += (value if player == 0 else -value) / 2.0
        return found

    def by_search(self, states: Ints, seed: int) -> Reals:
        """Return the worth of decisions of both `[N]`: what searches of each are paid, in the middle."""
        found = np.zeros(len(states))
        for number, words in enumerate(states):
            if (over := self._paid(words)) is not None:
                found[number] = over
                continue
            for player in (0, 1):
                asked = words.copy()
                asked[CHOICE] |= player << FIRST.offset
                who = int(self.game.observe(self.game.tables, asked, self._work))
                result = self._search.search(asked, seed + number)
                tried = result.visits > 0
                if not tried.any():
                    # A single card: nothing is tried.
                    found[number] += self.by_network(words[None])[0] / 2.0
                    continue
                paid = float(np.average(result.mean_payoffs[tried], weights=result.visits[tried]))
                found[number] += (paid if who == 0 else -paid) / 2.0
        return found

    def _paid(self, words: Ints) -> float | None:
        """Return what the Accusers are paid; None where the match goes on. With no card left it is over."""
        game, payoffs = self.game, np.zeros(2)
        if game.observe(game.tables, words, self._work) != OVER:
            return None
        game.payoffs(game.tables, words, self._work, payoffs)
        return float(payoffs[0])

    def revealed(self, states: Ints, random: Random) -> Ints:
        """Return positions after a day with the next patron and cheers card revealed, hands refilled."""
        tables, game = self.game.tables, self.game
        found = states.copy()
        for words in found:
            while game.observe(tables, words, self._work) == CHANCE:
                outcomes = int(self._work[0])
                weights = np.ones(outcomes)
                game.chance_weights(tables, words, self._work, weights)
                (picked,) = random.choices(range(outcomes), weights.tolist())
                game.apply(tables, words, self._work, picked)
        return found


def left_of(states: Ints) -> Ints:
    """Return how many cards of each type both have that not everybody has seen, `[N, 2, T]`."""
    sides = [
        sum(card_counts(states[:, word + player]) for word in (layout.HAND, layout.DECK, HIDDEN))
        for player in (0, 1)
    ]
    return np.stack(sides, axis=1)


def with_read_worth(question: LastDayQuestion, reporter: Reporter) -> LastDayQuestion:
    """Return the question with what the match is worth after the day read from where play leads.

    The question as it is on the last day, and by rules that no learned values are carried for.
    """
    trained = None if question.is_last else networks.carried(question.rules)
    if trained is None:
        return question
    reporter.note("Reading what the match is worth after the day.")
    return replace(question, worth=read_worth_after(question, trained))


def read_worth_after(question: LastDayQuestion, trained: TrainedNetwork) -> ReadWorth:
    """Return what a match is worth after the day asked about; nothing is asked of the day's own solution."""
    from analysis.ragers.match.players import player_of
    from analysis.ragers.match.self_play import record

    seed = question.effort.seed
    random, reader = Random(seed), PositionReader(question, trained, SEARCH_ITERATIONS)
    lead = question.rules.match.winning_lead - 1
    roots = reader.day_states(READ_BY_NETWORK, random)
    player = player_of(Values(), reader.game, trained)
    day, days = question.standing.day, question.rules.match.days
    # Leads are put in afterwards; without one, few matches end with the day.
    begun = with_lead(roots, 0)
    marks = record(reader.game, player, days, num_matches=PLAYED, seed=seed, roots=begun).marks[:, day - 1]
    came = np.flatnonzero(days_finished(marks) == day)[:READ_BY_NETWORK]
    ends = reader.revealed(marks[came], random)
    leads = np.arange(-lead, lead + 1)
    read = np.stack([reader.by_network(with_lead(ends, each)) for each in leads.tolist()])  # [L, N]
    curve = _stretched(read).mean(axis=1)
    few, where = ends[:READ_BY_SEARCH], [each + lead for each in SEARCHED_LEADS if abs(each) <= lead]
    off = []
    for place in where:
        found = reader.by_search(with_lead(few, int(leads[place])), seed)
        off.append(float((_stretched(found) - _stretched(read[place, : len(few)])).mean()))
    curve = curve + np.interp(leads, leads[where], off)
    values = np.maximum.accumulate(np.clip(curve, -1.0, 1.0))
    left = left_of(ends)
    prices = _prices(read, leads, left)
    before = np.array(question.standing.left, dtype=np.int64)
    placed = (before - left.mean(axis=0)) @ np.array(costs_of(prices.tolist())) / COST_UNIT
    return ReadWorth(
        tuple(leads.tolist()),
        tuple(values.tolist()),
        tuple(prices.tolist()),
        float(placed[0] - placed[1]),
        f"{len(ends)} ends of the day in self-play of learned values ({trained.words}), read by the network"
        f" and {len(few)} of them by searches of {SEARCH_ITERATIONS:,} iterations",
    )


def _stretched(worth: Reals) -> Reals:
    """Return worths from -1 to 1 with their logarithms of odds stretched."""
    return 2.0 * chance_of(STRETCH * log_odds((1.0 + worth) / 2.0)) - 1.0


def _prices(read: Reals, leads: Ints, left: Ints) -> Reals:
    """Return what one card more of each type is worth, in GP, by least squares over ends and leads."""
    more = (left[:, 0] - left[:, 1]).astype(np.float64)  # [N, T]
    odds = np.arctanh(np.clip(read, -_MOST_SURE, _MOST_SURE))  # [L, N]
    design = np.concatenate(
        (np.ones((read.size, 1)), np.repeat(leads, read.shape[1])[:, None], np.tile(more, (len(leads), 1))),
        axis=1,
    )
    found = np.linalg.lstsq(design, odds.ravel(), rcond=None)[0]
    prices: Reals = found[2:] / found[1]
    return prices
