"""Which tactic card to play: a Bayesian game over hands, exact for given values of pairs of cards.

Both know which cards lie on the open discard piles (N1); a hand is taken to be any of the others, all alike.
"""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

from analysis.clash.maps import MapReport, Tiles, check_tiles, map_report, tiles_of_deal
from analysis.clash.scenario import digest
from analysis.clash.study_reports import (
    CardReport,
    CellReport,
    HandReport,
    TacticAnswer,
    TacticOptionReport,
    TacticSource,
)
from analysis.errors import RequestError
from analysis.estimates import CONFIDENCE, quantile
from analysis.files import read_file
from engine.clash.rules import ClanRule, Rules

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from solver.bayesian import BayesianSolution, FloatArray

POLICIES = ("rule", "random")
"""How both sides go on in playouts: by rule of thumb, or every legal move with equal chance."""
_MOST_MAPS = 40
Note = Callable[[str, int, int], None]
COLUMNS = ("card", "other", "value", "error", "round")


def _note_part(note: Note, part: int, parts: int, done: int, total: int) -> None:
    note("playouts", part * total + done, parts * total)


def _silent(_phase: str, _done: int, _total: int) -> None:
    pass


@dataclass(frozen=True)
class TacticValues:
    """What every pair of cards is worth to the first player, with standard errors.

    Attributes
    ----------
    values, errors : by the orders of both cards, which name them (T1).
    policy : who played, if they were estimated; one of `POLICIES`.
    playouts, seed : of each pair, if they were estimated; and the part of them that somebody won.
    round : of which round they are, from 1; None if the file does not say.
    map : on which tiles they were played, if they were estimated.
    """

    values: dict[tuple[int, int], float]
    errors: dict[tuple[int, int], float]
    source: TacticSource = "file"
    policy: str | None = None
    playouts: int | None = None
    seed: int | None = None
    decided: float | None = None
    round: int | None = None
    map: MapReport | None = None


@dataclass(frozen=True)
class TacticQuestion:
    """Two clans, and what both know.

    Attributes
    ----------
    played : cards on the open discard piles of both, by their orders.
    hand : the own hand, if the question is about one.
    """

    rules: Rules
    clans: tuple[ClanRule, ClanRule]
    played: tuple[frozenset[int], frozenset[int]] = field(default=(frozenset(), frozenset()))
    hand: tuple[int, ...] | None = None

    @property
    def round(self) -> int:
        """Which round it is, from 1."""
        return 1 + len(self.played[0])

    def cards(self, side: int) -> list[int]:
        """Return the cards that may be in a player's hand, by their orders."""
        return [card.order for card in self.clans[side].tactics if card.order not in self.played[side]]

    def hands(self, side: int) -> list[tuple[int, ...]]:
        """Return all hands that a player may have (U4, N1)."""
        return list(combinations(self.cards(side), self.rules.match.hand_size))


def tactic_question(
    rules: Rules,
    names: Sequence[str],
    *,
    played: str | None = None,
    played_other: str | None = None,
    hand: str | None = None,
) -> TacticQuestion:
    """Return a question of the first of two clans; cards are named by their orders, ``11,16,27``.

    Raises
    ------
    RequestError
        For clans that do not play each other, for unknown cards, and for hands that there are not.
    """
    if len(names) != 2:
        raise RequestError(f"two play: name who asks, then the other clan, not {len(names)}", "--clan")
    if names[0] == names[1]:
        raise RequestError(f"each clan is played once, and both are {names[0]}", "--clan")
    clans = rules.clan(names[0]), rules.clan(names[1])
    question = TacticQuestion(
        rules,
        clans,
        (
            frozenset(_cards(clans[0], played, "--played")),
            frozenset(_cards(clans[1], played_other, "--played-against")),
        ),
        None if hand is None else tuple(sorted(_cards(clans[0], hand, "--hand"))),
    )
    size = rules.match.hand_size
    for side, option in enumerate(("--played", "--played-against")):
        left = len(question.cards(side))
        if left < size:
            raise RequestError(
                f"{left} cards are left for a hand of {size}; then the discards are shuffled (D1),"
                " and none lies open",
                option,
            )
    one, two = map(len, question.played)
    if one != two:
        raise RequestError(
            f"both sides have played equally many cards by now (T1), not {one} and {two}", "--played-against"
        )
    if question.hand is not None:
        gone = sorted(question.played[0].intersection(question.hand))
        if gone:
            raise RequestError(f"card {gone[0]} lies on the discard pile (--played)", "--hand")
        if len(question.hand) != size:
            raise RequestError(f"a hand has {size} cards, not {len(question.hand)}", "--hand")
    return question


def _cards(clan: ClanRule, text: str | None, option: str) -> list[int]:
    known = [card.order for card in clan.tactics]
    cards = []
    for part in filter(str.strip, (text or "").split(",")):
        if not part.strip().isdigit() or int(part) not in known:
            raise RequestError(
                f"{part.strip()!r} is no card of {clan.id}; cards are named by their order:"
                f" {', '.join(map(str, known))}",
                option,
            )
        if int(part) in cards:
            raise RequestError(f"card {int(part)} is named twice", option)
        cards.append(int(part))
    return cards


def read_values(question: TacticQuestion, path: Path) -> TacticValues:
    """Read values from a CSV file with the columns ``card,other,value,error,round``.

    The errors, and of which round the values are, may be left out.

    Raises
    ------
    RequestError
        If a pair is missing or given twice, or something is no number.
    """
    option = "--values"
    try:
        rows = list(csv.DictReader(io.StringIO(read_file(path).decode(), newline="")))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise RequestError(f"cannot read {str(path)!r} ({error})", option) from None
    values: dict[tuple[int, int], float] = {}
    errors: dict[tuple[int, int], float] = {}
    rounds: set[int | None] = set()
    for number, row in enumerate(rows, 2):
        try:
            pair = int(row["card"]), int(row["other"])
            value, spread = float(row["value"]), float(row.get("error") or 0.0)
            rounds.add(int(row["round"]) if row.get("round") else None)
        except (KeyError, TypeError, ValueError):
            raise RequestError(
                f"{path.name}, line {number}: columns are {','.join(COLUMNS)}, cards by their order", option
            ) from None
        if pair in values:
            raise RequestError(f"{path.name}, line {number}: {pair[0]} against {pair[1]} again", option)
        if not abs(value) <= 1e9 or not 0 <= spread <= 1e9:
            raise RequestError(
                f"{path.name}, line {number}: a value is a number up to a billion, its error 0 or more",
                option,
            )
        values[pair], errors[pair] = value, spread
    wanted = [(card, other) for card in question.cards(0) for other in question.cards(1)]
    missing = [pair for pair in wanted if pair not in values]
    if missing:
        raise RequestError(
            f"{path.name}: {len(missing)} of {len(wanted)} pairs have no value, the first is {missing[0][0]}"
            f" against {missing[0][1]}",
            option,
        )
    if len(rounds) > 1:
        raise RequestError(f"{path.name}: the values are of several rounds; keep those of one", option)
    return TacticValues(
        {pair: values[pair] for pair in wanted},
        {pair: errors[pair] for pair in wanted},
        round=rounds.pop(),
    )


def estimate_values(
    question: TacticQuestion,
    playouts: int,
    seed: int = 0,
    note: Note = _silent,
    *,
    policy: str = POLICIES[0],
    tiles: Tiles = None,
) -> TacticValues:
    """Estimate the values of the first round's cards by playouts.

    Parameters
    ----------
    playouts : of each pair.
    policy : who plays them on, one of `POLICIES`.
    tiles : of all playouts; None for up to 40 maps by chance, each as often.
    note : told what is done, how much of it, and of how much.

    Raises
    ------
    RequestError
        If cards have been played: playouts begin with the game.
    """

    from analysis.clash.players import habits_of
    from engine.clash.board import scenario
    from engine.clash.kernel_rules import kernel_rules
    from engine.clash.tactic_playouts import TacticPlayouts, tactic_playouts

    if any(question.played):
        raise RequestError(
            "playouts begin with the game, before cards are played; use --values", "--playouts"
        )
    check_tiles(tiles, 2)
    number = 1 if tiles is not None else min(playouts, _MOST_MAPS)
    maps = [tiles_of_deal(question.rules, tiles, 2, seed, deal) for deal in range(number)]
    clans = [clan.id for clan in question.clans]
    try:
        places = [scenario(question.rules, clans, tiles=each) for each in maps]
    except ValueError as error:
        raise RequestError(str(error)) from None
    habits = habits_of() if policy == "rule" else None
    wins: NDArray[np.int64] | int = 0
    for part, place in enumerate(places):
        games = playouts // number + (part < playouts % number)
        tally = tactic_playouts(
            kernel_rules(question.rules, place),
            games,
            random.Random(f"{seed}/{part}").getrandbits(62),
            habits,
            partial(_note_part, note, part, number),
        )
        wins = wins + tally.wins
    assert not isinstance(wins, int)
    tally = TacticPlayouts(playouts, seed, wins)
    orders = [[card.order for card in clan.tactics] for clan in question.clans]
    values, errors = {}, {}
    for i, card in enumerate(orders[0]):
        for j, other in enumerate(orders[1]):
            values[card, other] = float(tally.values[i, j])
            errors[card, other] = float(tally.errors[i, j])
    found = map_report(tiles, [each.tiles for each in places], places[0].centres)
    decided = float(tally.wins.sum()) / (tally.wins[..., 0].size * playouts)
    return TacticValues(values, errors, "playouts", policy, playouts, seed, decided, 1, found)


def tactic_answer(question: TacticQuestion, given: TacticValues) -> TacticAnswer:
    """Solve the game of tactic cards for values of pairs."""
    import numpy as np

    cards = question.cards(0), question.cards(1)
    hands = question.hands(0), question.hands(1)
    values = np.array([[given.values[card, other] for other in cards[1]] for card in cards[0]])
    errors = np.array([[given.errors[card, other] for other in cards[1]] for card in cards[0]])
    solution = _solved(question, values)
    uncertain = int((errors > 0).sum())
    low = high = solution.value
    if uncertain:
        # The value rises with every entry: where all intervals hold at once, so does the one between these.
        width = quantile(1 - (1 - CONFIDENCE) / uncertain) * errors
        low = _solved(question, values - width).bounds[0]
        high = _solved(question, values + width).bounds[1]
    if given.source == "playouts":
        # A game is won or lost.
        low, high = max(low, -1.0), min(high, 1.0)
    own, other = (strategy.mean(axis=0) for strategy in (solution.row_strategy, solution.column_strategy))
    worth = values @ other, own @ values
    options = []
    if question.hand is not None:
        mix = solution.row_strategy[hands[0].index(question.hand)]
        numbers = [cards[0].index(card) for card in question.hand]
        best = max(float(worth[0][number]) for number in numbers)
        options = [
            TacticOptionReport(
                cards[0][number], float(mix[number]), float(worth[0][number]), best - float(worth[0][number])
            )
            for number in numbers
        ]
        options.sort(key=lambda option: (-option.probability, option.cost))

    def hand_report(side: int, number: int, strategy: FloatArray) -> HandReport:
        hand = hands[side][number]
        mix = [float(strategy[number, cards[side].index(card)]) for card in hand]
        return HandReport(list(hand), mix)

    return TacticAnswer(
        clans=[clan.id for clan in question.clans],
        played=[sorted(each) for each in question.played],
        round=question.round,
        values_round=given.round,
        source=given.source,
        map=given.map,
        policy=given.policy,
        playouts=given.playouts,
        decided=given.decided,
        value=solution.value,
        gap=solution.gap,
        error=float(np.sqrt(((np.outer(own, other) * errors) ** 2).sum())),
        low=low,
        high=high,
        confidence=CONFIDENCE,
        cards=[
            [
                CardReport(card, float(chance), float(value))
                for card, chance, value in zip(cards[side], played, worth[side], strict=True)
            ]
            for side, played in enumerate((own, other))
        ],
        hand=list(question.hand) if question.hand is not None else None,
        options=options,
        hands=[
            [hand_report(side, number, strategy) for number in range(len(hands[side]))]
            for side, strategy in enumerate((solution.row_strategy, solution.column_strategy))
        ],
        values=[
            CellReport(card, other, given.values[card, other], given.errors[card, other])
            for card in cards[0]
            for other in cards[1]
        ],
        sha256=digest([cards, question.rules.match.hand_size, values.tolist(), errors.tolist()]),
    )


def _solved(question: TacticQuestion, values: FloatArray) -> BayesianSolution:
    import numpy as np

    from solver.bayesian import BayesianGame, solve_bayesian_game

    allowed = [
        np.array([[card in hand for card in question.cards(side)] for hand in question.hands(side)])
        for side in (0, 1)
    ]
    num_hands = len(allowed[0]), len(allowed[1])
    prior = np.full(num_hands, 1.0 / (num_hands[0] * num_hands[1]))
    return solve_bayesian_game(BayesianGame(prior, values, allowed[0], allowed[1]))


def values_csv(cells: Sequence[CellReport], of_round: int | None) -> str:
    """Return values as :func:`read_values` reads them."""
    lines = [",".join(COLUMNS)]
    last = "" if of_round is None else str(of_round)
    lines += [f"{cell.card},{cell.other},{cell.value!r},{cell.error!r},{last}" for cell in cells]
    return "\n".join(lines) + "\n"
