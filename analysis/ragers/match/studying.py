"""A player's whole matches with itself, from the first one to the figures that they show."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from analysis.estimates import Estimate
from analysis.front.players import Player as Declared
from analysis.front.question import Running
from analysis.ragers.match.report import MatchFigures, MatchRules, PlayerReport
from analysis.ragers.setup import Guided, UsualRollouts
from analysis.rules_reports import changes_from
from arena_solver.machine import processors
from engine.ragers.rules import TYPES, Rules, load_rules

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from analysis.ragers.match.players import Player
    from engine.ragers.sampling import SamplingTables

DEFAULT_DEALS = 100_000
SLOW_DEALS: dict[type[Declared], int] = {Guided: 200, UsualRollouts: 5_000}
GIVEN_SHARE = 8
"""One match in so many is played for each type given on each day, half of them with each side."""
#: Fewer say nothing about a card.
_FEWEST_GIVEN = 200


@dataclass(frozen=True)
class Question:
    """What is asked.

    Attributes
    ----------
    deals : None for what the player is quick enough for.
    give : whether cards are given.
    """

    rules: Rules
    player: Declared
    deals: int | None = None
    seed: int = 0
    give: bool = True

    @property
    def num_deals(self) -> int:
        """How many matches are played."""
        return self.deals or SLOW_DEALS.get(type(self.player), DEFAULT_DEALS)


def study(question: Question, running: Running) -> MatchFigures | None:
    """Play the matches and return what they show; after a stop what there is, None if that is nothing.

    Raises
    ------
    RequestError
        If the rules are too large for the kernels, or the file of values cannot be used.
    """
    from analysis.ragers.match.figures import match_figures
    from analysis.ragers.match.networks import network_of
    from analysis.ragers.match.players import kernel_game, player_of
    from analysis.ragers.match.self_play import record

    rules, total = question.rules, question.num_deals
    game = kernel_game(rules)

    def learning(plays: int) -> Callable[[int, float], bool]:
        told = _progress(running, "matches learned from", plays)
        return lambda done, seconds: told(done)

    trained = network_of(question.player, rules, question.seed, learning)
    if running.interrupt():
        return None
    player = player_of(question.player, game, trained)
    recorded = record(
        game,
        player,
        rules.match.days,
        num_matches=total,
        seed=question.seed,
        threads=processors(),
        progress=_progress(running, "matches", total),
    )
    given = [] if running.interrupt() else _given(question, game, player, recorded.marks, running)
    learned = (None, None) if trained is None else (trained.provenance.plays, trained.provenance.seed)
    played_by = MatchRules(rules.name, rules.sha256, rules.changed, changes_from(load_rules(), rules))
    head = (played_by, PlayerReport(player.name, player.words, *learned))
    return match_figures(recorded.marks, rules, given, head)


def given_matches(question: Question) -> int:
    """Return how many matches are played for each figure of a card given."""
    number = question.num_deals // GIVEN_SHARE
    return number if question.give and number >= _FEWEST_GIVEN else 0


def _progress(running: Running, phase: str, total: int) -> Callable[[int], bool]:
    def progress(done: int) -> bool:
        running.note(phase, done, total)
        return running.interrupt()

    return progress


def _given(
    question: Question, game: SamplingTables, player: Player, marks: npt.NDArray[np.int64], running: Running
) -> Sequence[Sequence[Estimate]]:
    """Return what cards given are worth, by day and type; none if there are too few matches for that."""
    from analysis.ragers.match.figures import ends, reached
    from analysis.ragers.match.prices import given_price, with_card
    from analysis.ragers.match.self_play import record

    rules, half = question.rules, given_matches(question) // 2
    found: list[list[Estimate]] = []
    for day in range(1, rules.match.days + 1) if half else ():
        states = game.root[None, :] if day == 1 else marks[reached(marks, day), day - 2][:half]
        if day > 1 and len(states) < _FEWEST_GIVEN // 2:
            break
        prices = []
        matches = half if day == 1 else len(states)
        for kind, card in enumerate(TYPES):
            won = []
            for side in (0, 1):
                roots = with_card(states, side, kind, rules.match.hand_size)
                played = record(
                    game,
                    player,
                    rules.match.days,
                    num_matches=matches,
                    seed=question.seed + 1 + day,
                    roots=roots,
                    threads=processors(),
                    progress=_progress(running, f"{card} given before day {day}: matches", matches),
                )
                won.append(ends(played.marks[:, -1], rules).won)
                if running.interrupt():
                    return found
            prices.append(given_price(won[0], won[1]))
        found.append(prices)
    return found
