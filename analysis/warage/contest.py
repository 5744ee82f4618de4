"""Duels of two decks as a contest: players by rules in one kernel, all others by sampled play."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from analysis.front.contest import Deals, Heard
from analysis.front.players import Player
from analysis.warage.game import Decks
from analysis.warage.players import Ruled, policy_of, style_of
from engine.randomness import mixed
from engine.warage import recording
from engine.warage.duels import matches
from engine.warage.kernel_rules import kernel_rules
from engine.warage.reference import hero_of
from engine.warage.reference_state import HeroSetup, Setup
from engine.warage.rules import Rules

__all__ = ["Duels", "hero_named"]

BY_RULES, SAMPLED = 2_000, 1
"""Deals at once; what is sampled depends on the number of a task's first deal, so that stays as it was."""


def hero_named(rules: Rules, name: str) -> HeroSetup:
    """Return the hero of a deck, or with `race/deck` one of another race with the same deck."""
    race, slash, deck = name.rpartition("/")
    hero = hero_of(rules, rules.deck(deck))
    return hero._replace(race=[each.id for each in rules.races].index(race)) if slash else hero


class Duels:
    """Two heroes with their decks. Decks go with the players, so both sit first once in every deal."""

    depends_on = ""

    def __init__(self, rules: Rules, setup: Decks, players: Sequence[Player]) -> None:
        self._rules = rules
        self._heroes = [hero_named(rules, name) for name in (setup.deck, setup.against)]
        self._players = players
        self._by_rules = all(isinstance(player, Ruled) for player in players)
        self.deals_at_once = BY_RULES if self._by_rules else SAMPLED

    def play(self, first: int, count: int, seed: int, stop: Callable[[], bool] | None = None) -> Deals | None:
        """See `analysis.front.contest.Contest.play`."""
        found = Deals(won=[[] for _ in range(count)])
        for rotation in range(2):
            order = (0, 1) if rotation == 0 else (1, 0)
            setup = Setup(self._rules, tuple(self._heroes[place] for place in order), (0, 1))
            points = (
                self._ruled(found, setup, order, first, count, seed)
                if self._by_rules
                else self._sampled(found, setup, rotation, first, count, seed, stop)
            )
            if points is None:
                return None
            for deal, point in zip(found.won, points.tolist(), strict=True):
                deal.append([point, 1.0 - point])
        return found

    def _ruled(
        self, found: Deals, setup: Setup, order: Sequence[int], first: int, count: int, seed: int
    ) -> Any:
        styles = [style_of(self._players[place]) for place in order]
        played = matches(kernel_rules(self._rules, setup), styles, count, seed, first=first)
        points = played.points(order.index(0))
        found.draws += played.shared
        self._count(found, points, played.turns)
        for place, season in enumerate(self._rules.seasons):
            here = played.seasons == place
            if here.any():
                found.tally("season", season.id, float(points[here].sum()), int(here.sum()))
        return points

    def _count(self, found: Deals, points: Any, turns: Any) -> None:
        """Count how long duels were, and how they ended."""
        for won, turn in zip(points.tolist(), turns.tolist(), strict=True):
            shared = "turn limit" if turn >= self._rules.match.max_turns else "both beaten"
            found.count(turn, shared if won == 0.5 else "one beaten", won)

    def _sampled(
        self,
        found: Deals,
        setup: Setup,
        seat: int,
        first: int,
        count: int,
        seed: int,
        stop: Callable[[], bool] | None,
    ) -> Any:
        from engine.warage.sampling import sampling_tables
        from solver.sampling.head_to_head import play_matches

        game = sampling_tables(self._rules, setup, styles=[style_of(player) for player in self._players])
        own, opp = (policy_of(player, game, place) for place, player in enumerate(self._players))
        # Policies draw their numbers from a seed and the number of the deal, which begins at 0 in every task.
        drawn = int(mixed(seed ^ int(mixed(first)))) & 2**62 - 1
        heard = Heard(stop, count)
        played = play_matches(
            game, own, opp, num_deals=count, seed=drawn, seats=(seat,), progress=heard, num_noted=1
        )
        if heard.stopped:
            return None
        found.draws += played.draws
        points = (1.0 + np.asarray(played.payoffs)[:, 0]) / 2.0
        assert played.noted is not None
        self._count(found, points, played.noted[:, 0, recording.TURN])
        return points
