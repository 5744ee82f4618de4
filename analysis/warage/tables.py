"""Tables of three to six: what each seat and each deck wins, and how far a lost player decides who wins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, permutations
from random import Random
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from analysis.errors import RequestError
from analysis.estimates import Estimate, estimate
from analysis.front.parameters import text_of
from analysis.front.question import Running
from analysis.front.verbs.match import described, length_of
from analysis.front.verbs.match_page import Side
from analysis.front.verdicts import Figure, best
from analysis.warage.game import GAME
from analysis.warage.players import Ruled, style_of
from analysis.warage.questions.match import KingReport, Tables, WarageMatch
from engine.warage import layout
from engine.warage.duels import Board, matches
from engine.warage.kernel_rules import kernel_rules
from engine.warage.reference import setup_of
from engine.warage.reference_state import Setup
from engine.warage.rules import DeckRule, Rules
from engine.warage.styles import Style

LOST = 0.02
"""A player with a smaller share of the playouts counts as lost."""
_ORDERS = 24
_AT_ONCE = 100
"""Matches of an order of sitting, at most, until it is looked whether to stop."""
_SCREEN, _PLAYOUTS = 100, 400


@dataclass(frozen=True)
class TableQuestion:
    """Who sits at a table.

    Attributes
    ----------
    guilds : how many; 0 for a brawl.
    players : who plays each deck.
    deals : matches in each order of sitting.
    lost_matches : in how many lost players are looked for; 0 for none.
    """

    rules: Rules
    decks: tuple[DeckRule, ...]
    guilds: int
    players: tuple[Ruled, ...]
    deals: int
    lost_matches: int
    seed: int = 0


def _orders(question: TableQuestion) -> list[tuple[int, ...]]:
    """Orders in which the decks sit: all of them, or some by chance; guilds keep their members."""
    places = range(len(question.decks))
    if question.guilds:
        # Seats alternate between the guilds; which guild begins is what can differ.
        shifts = range(question.guilds)
        rows = [list(places)[start :: question.guilds] for start in range(question.guilds)]
        return [
            tuple(rows[(seat + shift) % question.guilds][seat // question.guilds] for seat in places)
            for shift in shifts
        ]
    every = list(permutations(places))
    if len(every) > _ORDERS:
        every = Random(question.seed).sample(every, _ORDERS)
    return every


def answer(asked: Any, running: Running) -> WarageMatch:
    """Let heroes play at one table."""
    setup: Tables = asked.setup
    rules, decks = GAME.rules_of(asked.rules), setup.decks
    players = asked.player or GAME.usual[:1]
    players *= len(decks) if len(players) == 1 else 1
    if len(players) != len(decks):
        problem = f"{len(players)} cannot play {len(decks)} decks; one plays all, or each has its own"
        raise RequestError(problem, "--player")
    ruled = tuple(player for player in players if isinstance(player, Ruled))
    if len(ruled) < len(players):
        raise RequestError("at a table decks are played by rules or greedy", "--player")
    effort = asked.deals, setup.watched, asked.work.seed
    question = TableQuestion(rules, tuple(map(rules.deck, decks)), setup.guilds, ruled, *effort)
    return msgspec.structs.replace(table_report(question, running), setup=described(setup))


def table_report(question: TableQuestion, running: Running) -> WarageMatch:
    """Let heroes play at one table, in all orders of sitting."""
    rules, size, each = question.rules, len(question.decks), question.deals
    orders = _orders(question)
    tables = [kernel_rules(rules, _setup(question, order)) for order in orders]
    points: list[list[list[float]]] = [[[] for _ in range(size)] for _ in range(size)]
    by_match: list[list[float]] = [[] for _ in range(size)]
    lengths: Counter[int] = Counter()
    played = shared = 0
    for begin in range(0, each, _AT_ONCE):
        if running.interrupt():
            break
        running.note("matches", begin * len(orders), each * len(orders))
        number = min(_AT_ONCE, each - begin)
        # Whenever it is stopped, every order has been played as often.
        for place, order in enumerate(orders):
            styles = _styles(question, order)
            found = matches(tables[place], styles, number, question.seed, first=place * each + begin)
            lengths.update(found.turns.tolist())
            shared += found.shared
            played += number
            for seat, deck in enumerate(order):
                of_seat = found.points(seat).tolist()
                points[deck][seat] += of_seat
                by_match[deck] += of_seat
    by_seat = [_share(chain.from_iterable(seats)) for seats in zip(*points, strict=True)]
    complete = played == each * len(orders)
    won = [_share(chain.from_iterable(seats)) for seats in points]
    names = [
        f"{deck.id} by {text_of(player)}"
        for deck, player in zip(question.decks, question.players, strict=True)
    ]
    figures = [Figure(*each) for each in zip(names, won, by_match, strict=True)]
    return WarageMatch(
        measure="share",
        by_design=False,
        setup={},
        asked_deals=each,
        deals=played // len(orders),
        plays=played,
        sides=[
            Side(names[place], text_of(player), won[place], [_share(seat) for seat in points[place]])
            for place, player in enumerate(question.players)
        ],
        first_seat=by_seat[0],
        draws=shared / max(played, 1),
        length=length_of(lengths, GAME.length),
        groups=[],
        seats=tuple(by_seat),
        guilds=question.guilds,
        kings=_kings(question, running) if question.lost_matches else None,
        best=best(figures, finished=complete),
        complete=complete,
    )


def _share(points: Iterable[float]) -> Estimate:
    return estimate(list(points), (0.0, 1.0))


def _styles(question: TableQuestion, order: Sequence[int]) -> list[Style]:
    return [style_of(question.players[place]) for place in order]


def _setup(question: TableQuestion, order: Sequence[int]) -> Setup:
    names = [question.decks[place].id for place in order]
    return setup_of(question.rules, names, guilds=question.guilds)


def _kings(question: TableQuestion, running: Running) -> KingReport:
    """Look for players without chances who choose whom to attack, and for what that changes for the others.

    Playouts go on from the true state, so this is what an attack does, not what anybody knows. Which target
    moves whose share most is chosen by half of the playouts and measured by the other half: else chance alone
    would look like power.
    """
    rules, chance = question.rules, Random(question.seed)
    orders = _orders(question)
    decisions, moved = 0, []
    for number in range(question.lost_matches):
        if running.interrupt():
            break
        running.note("matches watched", number, question.lost_matches)
        order = chance.choice(orders)
        compiled, styles = kernel_rules(rules, _setup(question, order)), _styles(question, order)
        board = Board(compiled, styles, question.seed + number)
        while ways := board.to_attack():
            heroes = {int(way[2]): way for way in ways if way[3] < 0}
            decisions += 1
            if len(heroes) > 1:
                screened = matches(compiled, styles, _SCREEN, number, board=board)
                if float(screened.points(int(board.words[layout.ACTIVE])).mean()) < LOST:
                    moved.append(_power(board, styles, list(heroes.values()), number))
            board.attack(chance.choice(list(heroes.values()) or ways))
    return KingReport(
        matches=question.lost_matches,
        attacks=decisions,
        lost=len(moved),
        moved=estimate(moved, (-1.0, 1.0)),
    )


def _power(board: Board, styles: Sequence[Style], ways: Sequence[NDArray[np.int64]], seed: int) -> float:
    """How far the choice of a target moves the share of some other hero."""
    halves: list[list[list[float]]] = [[], []]
    for way in ways:
        found = matches(board.rules, styles, _PLAYOUTS, seed, board=board, move=way)
        for half in range(2):
            shares = [float(found.points(seat)[half::2].mean()) for seat in range(len(styles))]
            halves[half].append(shares)
    first, second = np.array(halves[0]), np.array(halves[1])
    first[:, int(board.words[layout.ACTIVE])] = 0.0
    spread = first.max(axis=0) - first.min(axis=0)
    seat = int(spread.argmax())
    return float(second[first[:, seat].argmax(), seat] - second[first[:, seat].argmin(), seat])
