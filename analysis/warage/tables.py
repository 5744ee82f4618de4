"""Brawls and guilds: what each seat and each deck wins, and how far a lost player decides who wins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from random import Random

import numpy as np
from numpy.typing import NDArray

from analysis.estimates import estimate
from analysis.front.parameters import text_of
from analysis.front.question import Running
from analysis.warage.players import Ruled, settings_of, style_of
from analysis.warage.questions.brawl import BrawlAnswer, KingReport, SeatRow
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
    matches : all orders of sitting together.
    lost_matches : in how many lost players are looked for; 0 for none.
    """

    rules: Rules
    decks: tuple[DeckRule, ...]
    guilds: int
    player: Ruled
    matches: int
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


def table_report(question: TableQuestion, running: Running) -> BrawlAnswer:
    """Let heroes play at one table, in all orders of sitting."""
    rules, size = question.rules, len(question.decks)
    orders = _orders(question)
    each = max(question.matches // len(orders), 1)
    styles = [style_of(question.player)] * size
    tables = [kernel_rules(rules, _setup(question, order)) for order in orders]
    seat_points: list[list[float]] = [[] for _ in range(size)]
    deck_points: list[list[float]] = [[] for _ in range(size)]
    turns = 0
    for begin in range(0, each, _AT_ONCE):
        if running.interrupt():
            break
        running.note("matches", begin * len(orders), each * len(orders))
        number = min(_AT_ONCE, each - begin)
        # Whenever it is stopped, every order has been played as often.
        for place, order in enumerate(orders):
            found = matches(tables[place], styles, number, question.seed, first=place * each + begin)
            turns += int(found.turns.sum())
            for seat, deck in enumerate(order):
                points = found.points(seat)
                seat_points[seat] += points.tolist()
                deck_points[deck] += points.tolist()
    played = len(seat_points[0])
    return BrawlAnswer(
        guilds=question.guilds,
        player=text_of(question.player),
        settings=settings_of(question.player),
        matches=played,
        seats=[_row(f"seat {seat + 1}", points) for seat, points in enumerate(seat_points)],
        decks=[_row(deck.id, points) for deck, points in zip(question.decks, deck_points, strict=True)],
        turns=turns / max(played, 1),
        kings=_kings(question, running) if question.lost_matches else None,
        complete=played == each * len(orders),
    )


def _row(name: str, points: Sequence[float]) -> SeatRow:
    return SeatRow(name, estimate(points, (0.0, 1.0)))


def _setup(question: TableQuestion, order: Sequence[int]) -> Setup:
    names = [question.decks[place].id for place in order]
    return setup_of(question.rules, names, guilds=question.guilds)


def _kings(question: TableQuestion, running: Running) -> KingReport:
    """Look for players without chances who choose whom to attack, and for what that changes for the others.

    Playouts go on from the true state, so this is what an attack does, not what anybody knows. Which target
    moves whose share most is chosen by half of the playouts and measured by the other half: else chance alone
    would look like power.
    """
    rules, size, chance = question.rules, len(question.decks), Random(question.seed)
    orders = _orders(question)
    styles = [style_of(question.player)] * size
    decisions, moved = 0, []
    for number in range(question.lost_matches):
        if running.interrupt():
            break
        running.note("matches watched", number, question.lost_matches)
        compiled = kernel_rules(rules, _setup(question, chance.choice(orders)))
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
