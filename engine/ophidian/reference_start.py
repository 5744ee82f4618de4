"""Where the reference begins: a match with decks, a match without cards, a position within a wave."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine.ophidian.reference_round import acting, ended, refill
from engine.ophidian.reference_state import Fighter, Holding, Phase, State, clipped
from engine.ophidian.rules import NUM_LEVELS, Rules
from engine.ophidian.rules_schema import MAX_DECK


class Seat(NamedTuple):
    """What a player brings: gladiators, copies by card, reinforcements (T1-T3)."""

    team: tuple[int, ...]
    deck: tuple[int, ...]
    stack: tuple[int, ...] = ()


def seat_of(rules: Rules, deck: str) -> Seat:
    """Return what a player brings with a deck of the rules."""
    rule = rules.deck(deck)
    copies = [0] * len(rules.cards)
    for card, many in rule.cards:
        copies[rules.card_numbers[card]] += many
    team = tuple(rules.gladiator(name) for name in rules.team(rule.team).gladiators)
    return Seat(team, tuple(copies), tuple(sorted(rules.gladiator(name) for name in rule.reinforcements)))


def start_match(rules: Rules, seats: Sequence[Seat]) -> State:
    """The state before the first card is drawn (T4).

    Raises
    ------
    ValueError
        For decks that are too small to draw a hand from, or too large.
    """
    least = rules.match.hand_size + rules.match.extra_draws
    for seat in seats:
        if not least <= sum(seat.deck) <= MAX_DECK:
            raise ValueError(f"a deck of {sum(seat.deck)} cards: from {least} to {MAX_DECK} can be played")
    first, second = (tuple(Fighter(gladiator) for gladiator in seat.team) for seat in seats)
    resources = rules.match.base_resources + 1
    holdings = tuple(Holding((), seat.deck, (), seat.stack, resources) for seat in seats)
    return refill(State(rules, (first, second), wave=0, holdings=holdings))


def start(rules: Rules, teams: Sequence[Sequence[int]]) -> State:
    """The state before the die for the first momentum (T5), without cards, by the numbers of gladiators."""
    first, second = (tuple(Fighter(gladiator) for gladiator in team) for team in teams)
    return State(rules, (first, second))


def start_wave(
    rules: Rules,
    teams: Sequence[Sequence[Fighter]],
    *,
    cheer: tuple[int, int] = (0, 0),
    momentum: int = 0,
    passes: int = 0,
    wave: int = 1,
    holdings: tuple[Holding, ...] = (),
) -> State:
    """A position within a wave, at an action of whoever has momentum.

    Raises ValueError for wounds, levels or cheer that cannot be.
    """
    for fighter in (*teams[0], *teams[1]):
        lowest = -1 if holdings else 0
        if not lowest <= fighter.level < NUM_LEVELS:
            raise ValueError(f"levels are 1 to {NUM_LEVELS}, got {fighter.level + 1}")
        if fighter.wounds < 0:
            raise ValueError(f"wounds are 0 or more, got {fighter.wounds}")
    if min(cheer) < 0 or passes not in (0, 1) or not 1 <= wave <= rules.match.waves + rules.match.extra_waves:
        raise ValueError("cheer is 0 or more, passes 0 or 1, and the wave one of the match")
    first, second = (tuple(clipped(rules, fighter) for fighter in team) for team in teams)
    state = State(
        rules, (first, second), cheer, momentum, momentum, passes, wave, Phase.ACT, holdings=holdings
    )
    return ended(state) or acting(state, momentum)
