"""Answers to tiny days that contradict nothing, made up for tests of what is computed of them."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
import numpy as np

from analysis.ragers.answers.answer import NOTHING, NUM_TYPES, Answer, HandStrategy
from analysis.ragers.answers.answered import Answered
from analysis.ragers.answers.brackets import Openings
from analysis.ragers.answers.profiles import Fares, Profile
from analysis.ragers.answers.recounting import check_first_step
from analysis.ragers.answers.verification import deal_probability
from analysis.ragers.naive import NAIVE
from analysis.ragers.scenarios import Scenario, scenarios
from engine.ragers.isomorphism import DayGame
from engine.ragers.rules import VETERAN, load_rules
from tests.analysis.test_trust import answer as trusted
from tests.cli.fake_solver import _hands
from tests.oracles.games import decks


@cache
def tiny(first: str, second: str, preparation: str) -> Scenario:
    """Return a day with hands of two from these decks, under a patron who forbids Veterans."""
    rules = load_rules(overrides=(*decks(first, second), "match.hand_size=2"))
    return scenarios(rules, ["solennos"], ["two-bashers"], preparation)[0]


class Made:
    """An answer that contradicts nothing: worths by chance, and both best responses to them."""

    def __init__(self, first: str, second: str, preparation: str) -> None:
        self.decks = (first, second)
        self.scenario = tiny(first, second, preparation)
        self.day: DayGame = self.scenario.day
        self.preparation = preparation
        both = [{tuple(hand) for hand in _hands(copies, 2).tolist()} for copies in self.day.copies]
        hands = np.array(sorted(both[0] | both[1]), np.int8)
        generator = np.random.default_rng(len(first + second))
        placeable = hands > 0
        placeable[:, VETERAN] = False
        allowed = np.concatenate([placeable, ~placeable.any(axis=1, keepdims=True)], axis=1)
        ev = generator.uniform(1.0, 3.0, (2, len(hands), NUM_TYPES + 1)).astype(np.float32)
        ev[:, ~allowed] = np.nan
        deal = [[deal_probability(hand, copies) for hand in hands.tolist()] for copies in self.day.copies]
        opening = np.zeros(ev.shape, np.float32)
        for player in (0, 1):
            opening[player, np.arange(len(hands)), np.nanargmax(ev[player], axis=1)] = 1.0
        exchange = None
        if preparation != "none":
            exchange = np.zeros(ev.shape, np.float32)
            exchange[..., NOTHING] = 1.0
        self.strategy = HandStrategy(hands, np.array(deal), np.array(deal), opening, ev, exchange)
        if preparation == "redraw":
            self._exchange_best()
        self.answer: Answer = msgspec.structs.replace(trusted(0.0), preparation=preparation)
        self.settle()

    def exchanges(self, player: int, row: int) -> dict[int, float]:
        """Return what each exchange of a hand is worth, by plain counting; `NOTHING` keeps all."""
        best = self.strategy.opening_ev[player].astype(float)
        worth = {
            tuple(hand): max((x for x in best[k] if not np.isnan(x)), default=0.0)
            for k, hand in enumerate(self.strategy.hands.tolist())
        }
        hand = self.strategy.hands[row].tolist()
        found = {NOTHING: worth[tuple(hand)]}
        copies = self.day.copies[player]
        deck = [t for t in range(NUM_TYPES) for _ in range(copies[t] - hand[t])]
        dealt = self.strategy.deal_probability[player, row] > 0
        for aside in np.flatnonzero(self.strategy.hands[row]).tolist() if deck and dealt else ():
            drawn = [[n + (t == card) - (t == aside) for t, n in enumerate(hand)] for card in deck]
            found[aside] = sum(worth[tuple(after)] for after in drawn) / len(deck)
        return found

    def dealt_worth(self, player: int, row: int) -> float:
        """Return what a hand is worth as dealt."""
        found = self.exchanges(player, row)
        return max(found.values()) if self.preparation == "redraw" else found[NOTHING]

    def _exchange_best(self) -> None:
        assert self.strategy.preparation_mix is not None
        for player in (0, 1):
            for row in np.flatnonzero(self.strategy.deal_probability[player]).tolist():
                found = self.exchanges(player, row)
                best = max(found, key=lambda aside: (found[aside], aside))
                self.strategy.preparation_mix[player, row] = 0.0
                self.strategy.preparation_mix[player, row, best] = 1.0

    def settle(self) -> None:
        """Make everything follow from the exchange, the openings and the worths."""
        strategy, best = self.strategy, [0.0, 0.0]
        for player in (0, 1):
            if self.preparation != "seen":
                found = Openings(strategy, self.day, self.preparation, player)
                best[player] = found.best_response_gp()
                if strategy.preparation_mix is not None:
                    strategy.reach[player] = found.after_exchange(strategy.preparation_mix[player])
        self.mix()
        self.answer = msgspec.structs.replace(
            self.answer, best_response_gp=(best[0], best[1]), nash_conv_gp=sum(best)
        )

    def mix(self) -> None:
        """Make the opening mix follow from what is held and opened with."""
        mixes = [
            (self.strategy.reach[p] @ self.strategy.opening[p].astype(np.float64)).tolist() for p in (0, 1)
        ]
        self.answer = msgspec.structs.replace(self.answer, opening_mix=mixes, usage=[[mix] for mix in mixes])

    def change(self, **numbers: Any) -> None:
        self.answer = msgspec.structs.replace(self.answer, **numbers)

    def row(self, *cards: int) -> int:
        """Return the number of a hand."""
        found = self.strategy.index([cards.count(t) for t in range(NUM_TYPES)])
        assert found is not None
        return found

    def problems(self) -> list[str]:
        return check_first_step(self.strategy, self.answer, self.day)

    def answered(self) -> Answered:
        return Answered(self.scenario, self.answer, self.strategy, False, "made up")

    def swapped(self) -> Answered:
        """Return the same with the seats swapped: what one side has and does is the other's."""
        scenario = tiny(*self.decks[::-1], self.preparation)
        one, found = self.answer, self.answer.profile
        if found is not None:
            own, other, *rest = found.cheers
            naive = {
                name: Fares((each.gp[1], each.gp[0]), (each.error_gp[1], each.error_gp[0]))
                for name, each in found.naive.items()
            }
            found = msgspec.structs.replace(
                found, card_gp=found.card_gp[::-1], cheers=(other, own, rest[0], rest[1]), naive=naive
            )
        win, draw, loss, two_losers = one.outcome
        answer = msgspec.structs.replace(
            one,
            value_gp=-one.value_gp,
            best_response_gp=one.best_response_gp[::-1],
            opening_mix=one.opening_mix[::-1],
            usage=one.usage[::-1],
            outcome=(loss, draw, win, two_losers),
            mean_gp=one.mean_gp[::-1],
            profile=found,
        )
        arrays = {
            name: array if name == "hands" or array is None else array[::-1]
            for name, array in vars(self.strategy).items()
        }
        return Answered(scenario, answer, HandStrategy(**arrays), False, "made up")


def sampled(**numbers: Any) -> Profile:
    """Return statistics of a hundred days that pay four points by cards, and meet two Bashers at times."""
    base = Profile(
        days=100,
        nash_conv_gp=0.3,
        deviation_gp=3.0,
        steps=1.8,
        card_gp=[[4.0] + [0.0] * 7, [2.0, 2.0] + [0.0] * 6],
        cheers=(0.25, 0.25, 0.1, 0.4),
        naive={name: Fares((-0.5, -0.25), (0.1, 0.2)) for name in NAIVE},
    )
    return msgspec.structs.replace(base, **numbers)
