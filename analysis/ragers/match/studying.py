"""From a question about matches to a report: who plays, how often, by one set of rules or two."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from analysis.errors import RequestError
from analysis.estimates import CONFIDENCE, Estimate
from analysis.ragers.match.report import (
    DuelReport,
    MatchFigures,
    MatchReport,
    MatchRules,
    PlayerReport,
)
from analysis.rules_reports import changes_from
from analysis.symmetry import exact_by_symmetry, without_interval
from analysis.version import __version__
from arena_solver.machine import processors
from engine.ragers.rules import TYPES, Rules, load_rules

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from analysis.learned_values import TrainedNetwork
    from analysis.ragers.match.players import Player
    from engine.ragers.sampling import SamplingTables

PLAYERS = ("values", "guided", "rollouts", "greedy", "random")
LEARNED = ("values", "guided")
GAMES = {"guided": 200, "rollouts": 5_000}
DEFAULT_GAMES = 100_000
DUEL_DEALS = 200
"""Against others, each from both seats."""
ITERATIONS = 1_000
"""Of each search of `guided`."""
GIVEN_SHARE = 8
"""One match in so many is played for each type given on each day, half of them with each side."""
#: Fewer say nothing about a card.
_FEWEST_GIVEN = 200


@dataclass(frozen=True)
class Question:
    """What is asked.

    Attributes
    ----------
    rules : one set of rules, or two to compare.
    player : one of `PLAYERS`.
    games : None for what the player is quick enough for.
    iterations : of each search.
    values : file of a network, by the rules asked for.
    train_plays : None for the carried network where there is one, and a short training elsewhere.
    give : whether cards are given.
    against : opponents; with any, matches are played against these alone.
    """

    rules: tuple[Rules, ...]
    player: str
    games: int | None = None
    iterations: int = ITERATIONS
    values: Path | None = None
    train_plays: int | None = None
    seed: int = 0
    give: bool = True
    against: tuple[str, ...] = ()

    @property
    def num_games(self) -> int:
        """How many matches are played by each set of rules."""
        if self.against:
            return self.games or DUEL_DEALS
        return self.games or GAMES.get(self.player, DEFAULT_GAMES)


def box() -> Rules:
    """Return the rules of the box."""
    return load_rules()


def study(
    question: Question,
    note: Callable[[str], None] = lambda text: None,
    stops: Callable[[], bool] = lambda: False,
) -> MatchReport:
    """Play the matches and return what they show; after a stop, what there is.

    Parameters
    ----------
    note
        Takes a line about progress.

    Raises
    ------
    RequestError
        If the rules are too large for the kernels, or the file of values cannot be used.
    """
    from analysis.ragers.match.figures import differences

    if question.values is not None and len(question.rules) > 1:
        raise RequestError("a file of values holds those of one set of rules", "--values")
    begin = time.perf_counter()
    found: list[MatchFigures] = []
    duels: list[DuelReport] = []
    for rules in question.rules:
        if question.against:
            duels += _duels(question, rules, note, stops)
            continue
        figures = _figures(question, rules, note, stops)
        if figures is not None:
            found.append(figures)
        if stops():
            break
    return MatchReport(
        version=__version__,
        seed=question.seed,
        confidence=CONFIDENCE,
        seconds=round(time.perf_counter() - begin, 1),
        completed=not stops(),
        given_matches=_given_matches(question),
        figures=found,
        differences=differences(*found) if len(found) == 2 else [],
        duels=duels,
    )


def _given_matches(question: Question) -> int:
    number = question.num_games // GIVEN_SHARE
    return number if question.give and not question.against and number >= _FEWEST_GIVEN else 0


def network_for(
    question: Question,
    rules: Rules,
    note: Callable[[str], None],
    stops: Callable[[], bool] = lambda: False,
) -> TrainedNetwork | None:
    """Return the network to play by: of a file, carried, or trained now; None if that was stopped.

    Two sets of rules are played by networks that learned equally long.
    """
    from analysis.ragers.match import networks

    if question.values is not None:
        return networks.from_file(question.values, rules)
    if question.train_plays is None:
        carried = [networks.carried(each) for each in question.rules]
        if None not in carried:
            return networks.carried(rules)
    plays = question.train_plays or networks.PLAYS
    tell = _progress(note, stops, "learning: play", plays)
    return networks.train(rules, plays, question.seed, lambda done, seconds: tell(done))


def _table(
    question: Question, rules: Rules, note: Callable[[str], None], stops: Callable[[], bool]
) -> tuple[SamplingTables, Callable[[str], tuple[Player, PlayerReport]]] | None:
    """Return the game, and who makes its players by name; None if learning was stopped."""
    from analysis.ragers.match.players import make_player
    from engine.ragers.sampling import sampling_tables

    try:
        game = sampling_tables(rules)
    except ValueError as error:
        raise RequestError(f"matches cannot be played by these rules: {error}") from None
    trained = None
    if {question.player, *question.against} & set(LEARNED):
        trained = network_for(question, rules, note, stops)
        if trained is None:
            return None

    def make(name: str) -> tuple[Player, PlayerReport]:
        network = trained if name in LEARNED else None
        player = make_player(
            name,
            game,
            None if network is None else network.network,
            "" if network is None else network.words,
            iterations=question.iterations,
        )
        learned: tuple[int | None, int | None] = (None, None)
        if network is not None:
            learned = (network.provenance.plays, network.provenance.seed)
        return player, PlayerReport(player.name, player.words, *learned)

    return game, make


def _rules(rules: Rules) -> MatchRules:
    return MatchRules(rules.name, rules.sha256, rules.changed, changes_from(box(), rules))


def _duels(
    question: Question, rules: Rules, note: Callable[[str], None], stops: Callable[[], bool]
) -> list[DuelReport]:
    """Play against others; a duel that was stopped counts with the deals it has."""
    from analysis.estimates import estimate
    from analysis.ragers.match.players import policy_of
    from solver.sampling.head_to_head import play_matches

    table = _table(question, rules, note, stops)
    found: list[DuelReport] = []
    if table is None:
        return found
    game, make = table
    player, head = make(question.player)
    for name in question.against:
        note(f"{question.num_games:,} deals of {player.name} against {name}, each from both seats")
        opponent, other = make(name)
        result = play_matches(
            game,
            policy_of(player, game),
            policy_of(opponent, game),
            num_deals=question.num_games,
            seed=question.seed,
            progress=_progress(note, stops, "deal", question.num_games),
        )
        wins = (result.payoffs + 1.0) / 2.0
        won = estimate(wins.mean(axis=1), (0.0, 1.0))
        if exact_by_symmetry((head, other), won.mean, 0.5):
            won = without_interval(won)
        seats = [estimate(column, (0.0, 1.0)) for column in wins.T]
        found.append(DuelReport(_rules(rules), head, other, len(wins), won, seats))
        if stops():
            break
    return found


def _figures(
    question: Question, rules: Rules, note: Callable[[str], None], stops: Callable[[], bool]
) -> MatchFigures | None:
    from analysis.ragers.match.figures import match_figures
    from analysis.ragers.match.self_play import record

    table = _table(question, rules, note, stops)
    if table is None:
        return None
    game, make = table
    player, head = make(question.player)
    note(f"{question.num_games:,} matches of {player.name} with itself")
    recorded = record(
        game,
        player,
        rules.match.days,
        num_matches=question.num_games,
        seed=question.seed,
        threads=processors(),
        progress=_progress(note, stops, "match", question.num_games),
    )
    given = [] if stops() else _given(question, rules, game, player, recorded.marks, note, stops)
    return match_figures(recorded.marks, rules, given, (_rules(rules), head))


_NOTE_EVERY_S = 2.5
"""Nobody should wait for more than three seconds without a word."""


def _progress(
    note: Callable[[str], None], stops: Callable[[], bool], what: str, total: int
) -> Callable[[int], bool]:
    last = [time.monotonic()]

    def progress(done: int) -> bool:
        if time.monotonic() - last[0] >= _NOTE_EVERY_S:
            last[0] = time.monotonic()
            note(f"{what} {done:,} of {total:,}")
        return stops()

    return progress


def _given(
    question: Question,
    rules: Rules,
    game: SamplingTables,
    player: Player,
    marks: npt.NDArray[np.int64],
    note: Callable[[str], None],
    stops: Callable[[], bool],
) -> Sequence[Sequence[Estimate]]:
    """Return what cards given are worth, by day and type; none if there are too few matches for that."""
    from analysis.ragers.match.figures import ends, reached
    from analysis.ragers.match.prices import given_price, with_card
    from analysis.ragers.match.self_play import record

    half = _given_matches(question) // 2
    found: list[list[Estimate]] = []
    for day in range(1, rules.match.days + 1) if half else ():
        note(f"giving cards before day {day}")
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
                    progress=_progress(note, stops, f"{card} given before day {day}: match", matches),
                )
                won.append(ends(played.marks[:, -1], rules).won)
                if stops():
                    return found
            prices.append(given_price(won[0], won[1]))
        found.append(prices)
    return found
