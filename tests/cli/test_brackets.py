"""Bounds on opening shares, against the linear program they stand for."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linprog

from analysis.ragers.answers.answer import NUM_TYPES, HandStrategy
from analysis.ragers.answers.brackets import Openings
from analysis.ragers.answers.verification import deal_probability
from engine.ragers.isomorphism import DayGame, day_game
from engine.ragers.rules import load_rules
from tests.cli.fake_solver import _hands
from tests.oracles.games import decks

CASES = [("BBSP", "none"), ("BBSP", "redraw"), ("BSCX", "redraw"), ("BS", "redraw"), ("BBBSVX", "redraw")]


def case(deck: str, seed: int) -> tuple[HandStrategy, DayGame]:
    """Return a day with hands of two, and openings with random worths."""
    rules = load_rules(overrides=(*decks(deck), "match.hand_size=2"))
    day = day_game(rules, "the-nameless", ["two-bashers"])
    hands = _hands(day.copies[0], 2)
    generator = np.random.default_rng(seed)
    ev = np.full((2, len(hands), NUM_TYPES + 1), np.nan, np.float32)
    held = hands > 0
    for player in (0, 1):
        ev[player][:, :NUM_TYPES][held] = generator.normal(size=int(held.sum())).astype(np.float32)
    mix = np.where(np.isnan(ev), 0, generator.random(ev.shape)).astype(np.float32)
    mix /= mix.sum(axis=2, keepdims=True)
    deal = np.array([[deal_probability(hand, copies) for hand in hands.tolist()] for copies in day.copies])
    return HandStrategy(hands, deal, deal, mix, ev, None), day


def by_program(
    openings: Openings, copies: tuple[int, ...], exchange: bool, floor: float, card: int, sign: int
) -> float:
    """Return the least (or with `sign` 1 largest) share of `card` by a linear program over flows."""
    num_hands = len(openings.hands)
    choices = NUM_TYPES + 1
    size = num_hands * choices
    outer = np.zeros((num_hands, 2 * size))  # what is dealt goes into choices
    inner = np.zeros((num_hands, 2 * size))  # what choices lead to goes into openings
    bounds = []
    row = {tuple(hand): number for number, hand in enumerate(openings.hands.tolist())}
    for hand in range(num_hands):
        for choice in range(choices):
            column = hand * choices + choice
            outer[hand, column] = 1
            bounds.append((0, None))
            if choice == NUM_TYPES:
                inner[hand, column] -= 1
                continue
            cards = openings.hands[hand].tolist()
            if not exchange or not cards[choice] or openings.deal[hand] == 0:
                bounds[-1] = (0, 0)
                continue
            # One of each card that is neither in hand nor the one put aside, as often as it is there.
            deck = [card for card in range(NUM_TYPES) for _ in range(copies[card] - cards[card])]
            for drawn in deck:
                after = [n + (card == drawn) - (card == choice) for card, n in enumerate(cards)]
                inner[row[tuple(after)], column] -= 1 / len(deck)
            if not deck:
                bounds[-1] = (0, 0)
    cost = np.zeros(2 * size)
    worth = np.zeros(2 * size)
    for hand in range(num_hands):
        for action in range(choices):
            column = size + hand * choices + action
            inner[hand, column] = 1
            possible = np.isfinite(openings.ev[hand, action])
            bounds.append((0, None if possible else 0))
            worth[column] = openings.ev[hand, action] if possible else 0
            cost[column] = -sign * (action == card)
    result = linprog(
        cost,
        A_ub=-worth[None],
        b_ub=[-floor],
        A_eq=np.concatenate([outer, inner]),
        b_eq=np.concatenate([openings.deal, np.zeros(num_hands)]),
        bounds=bounds,
    )
    assert result.status == 0
    return float(-sign * result.fun)


@pytest.mark.parametrize(("deck", "preparation"), CASES)
@pytest.mark.parametrize("room", [0.01, 0.2])
def test_brackets_are_those_of_the_linear_program(deck: str, preparation: str, room: float) -> None:
    strategy, day = case(deck, seed=len(deck))
    for player in (0, 1):
        openings = Openings(strategy, day, preparation, player)
        floor = openings.best_response_gp() - room
        brackets = openings.share_brackets(floor)
        for card in range(NUM_TYPES):
            low, high = (
                by_program(openings, day.copies[player], preparation == "redraw", floor, card, sign)
                for sign in (-1, 1)
            )
            # Never inside the true interval, and hardly wider.
            assert brackets[card, 0] <= low + 1e-9
            assert brackets[card, 1] >= high - 1e-9
            assert brackets[card] == pytest.approx((low, high), abs=2e-4)


def test_more_room_never_narrows() -> None:
    strategy, day = case("BBSCX", seed=3)
    openings = Openings(strategy, day, "redraw", 0)
    best = openings.best_response_gp()
    widths = [np.diff(openings.share_brackets(best - room)).sum() for room in (0.0, 0.05, 0.5, 50.0)]
    assert widths == sorted(widths)
    # With all the room in the world a type opens whenever it can be had.
    assert openings.share_brackets(best - 50.0)[4, 0] == pytest.approx(0.0, abs=1e-6)


def test_a_seen_discard_has_no_worth_per_action() -> None:
    strategy, day = case("BBSP", seed=0)
    with pytest.raises(ValueError, match="seen"):
        Openings(strategy, day, "seen", 0)
