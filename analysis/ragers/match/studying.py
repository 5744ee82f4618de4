"""A player's whole matches with itself, from the first one to the figures that they show."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from analysis.estimates import Estimate
from analysis.front.players import Player as Declared
from analysis.front.question import Running
from analysis.ragers.match.figures import ends, match_figures, reached
from analysis.ragers.match.networks import network_of
from analysis.ragers.match.players import Player, kernel_game, player_of
from analysis.ragers.match.prices import given_price, with_card
from analysis.ragers.match.report import MatchFigures, MatchRules, PlayerReport
from analysis.ragers.match.self_play import record
from analysis.rules_reports import changes_from
from arena_solver.machine import processors
from engine.ragers.rules import TYPES, Rules, load_rules

_GIVEN_SHARE = 8
"""One match in so many is played for each type given on each day, half of them with each side."""
_FEWEST_GIVEN = 200
"""Fewer say nothing about a card."""


def study(rules: Rules, player: Declared, deals: int, seed: int, running: Running) -> MatchFigures | None:
    """Play so many matches of a player with itself, and return what they show; None if nothing is known yet.

    Raises
    ------
    RequestError
        If the rules are too large for the kernels, or the file of values cannot be used.
    """

    def learning(plays: int) -> Callable[[int, float], bool]:
        told = _progress(running, "matches learned from", plays)
        return lambda done, seconds: told(done)

    game = kernel_game(rules)
    trained = network_of(player, rules, progress=learning)
    if running.interrupt():
        return None
    matches = _Matches(rules, player_of(player, game, trained), seed, running)
    marks = matches.play("matches", deals)
    given = [] if running.interrupt() else matches.given(marks, given_matches(deals) // 2)
    learned = (None, None) if trained is None else (trained.provenance.plays, trained.provenance.seed)
    played_by = MatchRules(rules.name, rules.sha256, rules.changed, changes_from(load_rules(), rules))
    head = (played_by, PlayerReport(matches.player.name, matches.player.words, *learned))
    return match_figures(marks, rules, given, head)


def given_matches(deals: int) -> int:
    """Return how many matches are played for each figure of a card given."""
    number = deals // _GIVEN_SHARE
    return number if number >= _FEWEST_GIVEN else 0


def _progress(running: Running, phase: str, total: int) -> Callable[[int], bool]:
    def progress(done: int) -> bool:
        running.note(phase, done, total)
        return running.interrupt()

    return progress


@dataclass(frozen=True, eq=False)
class _Matches:
    """Matches of a player with itself."""

    rules: Rules
    player: Player
    seed: int
    running: Running

    def play(
        self, phase: str, number: int, day: int = 0, roots: npt.NDArray[np.int64] | None = None
    ) -> npt.NDArray[np.int64]:
        """Return the marks of matches, from states before a day on; the beginning is day 0."""
        return record(
            kernel_game(self.rules),
            self.player,
            self.rules.match.days,
            num_matches=number,
            seed=self.seed + (1 + day if day else 0),
            roots=roots,
            threads=processors(),
            progress=_progress(self.running, phase, number),
        ).marks

    def given(self, marks: npt.NDArray[np.int64], half: int) -> list[list[Estimate]]:
        """Return what cards given are worth, by day and type; none if there are too few matches for that."""
        root = kernel_game(self.rules).root[None, :]
        found: list[list[Estimate]] = []
        for day in range(1, self.rules.match.days + 1) if half else ():
            states = root if day == 1 else marks[reached(marks, day), day - 2][:half]
            if day > 1 and len(states) < _FEWEST_GIVEN // 2:
                break
            prices = []
            for kind, card in enumerate(TYPES):
                won = []
                for side in (0, 1):
                    roots = with_card(states, side, kind, self.rules.match.hand_size)
                    number = half if day == 1 else len(states)
                    played = self.play(f"{card} given before day {day}: matches", number, day, roots)
                    won.append(ends(played[:, -1], self.rules).won)
                    if self.running.interrupt():
                        return found
                prices.append(given_price(won[0], won[1]))
            found.append(prices)
        return found
