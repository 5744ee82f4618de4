"""The last day of a match as tables against the reference: who has won, down to the last tie (M3)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from engine.ragers import day_effects, reference
from engine.ragers.day_match import (
    COST_UNIT,
    MOST_COST,
    UNIT,
    MatchDay,
    MatchStanding,
    earlier_day,
    last_day,
)
from engine.ragers.reference import State
from engine.ragers.rules import TYPES, Rules, load_rules
from tests.engine.ragers.test_day import Mirror, Moved, followed

BOX = load_rules()
SHORT = load_rules(overrides=["patrons.arianna.row_length=3"])


def random_left(rng: random.Random, size: int) -> tuple[int, ...]:
    """So many cards of a full deck, by type."""
    deck = [kind for kind, card in enumerate(BOX.cards) for _ in range(card.copies[0])]
    held = rng.sample(deck, size)
    return tuple(held.count(kind) for kind in range(len(TYPES)))


def begun(standing: MatchStanding, rules: Rules, patron: str, cheers: Sequence[str]) -> State:
    """The last day in the reference, hands to be drawn; leads are points and cheers cards of earlier days."""
    state = reference.start_day(rules, patron, cheers, preparation=False, decks=standing.left)
    players = []
    for side, own in enumerate(state.players):
        ahead = standing.lead if side == 0 else -standing.lead
        more = standing.taken if side == 0 else -standing.taken
        players.append(replace(own, score=max(0, ahead), cheers=(0,) * max(0, more)))
    return replace(state, players=(players[0], players[1]))


def play(state: State, day: MatchDay, rng: random.Random) -> tuple[State, float, list[Moved]]:
    """Play a day at random; its end, what the tables pay the Accusers, and the moves."""
    mirror = Mirror(day.tables)
    mirror.rows = list(day.start_rows)
    end, moves = followed(state, mirror, rng)
    own, opp = day.tables.terminal_class[mirror.rows]
    return end, float(day.tables.payoff[own, opp]), moves


def decided_by(state: State) -> str:
    first, second = state.players
    if first.score != second.score:
        return "gp"
    if len(first.cheers) != len(second.cheers):
        return "cheers"
    return "decks" if sum(first.deck) != sum(second.deck) else "defenders"


def test_M3_tables_name_the_winner_the_reference_names() -> None:
    """Rows of three, so that ties are frequent; with hidden cards and Veterans, which empty decks, too."""
    rng, reasons = random.Random(7), set()
    for patron, card, moment in (
        ("solennos", "prodder-stopper", "after-veterans"),
        ("the-nameless", "two-bashers", "at-once"),
    ):
        rules = load_rules(overrides=("match.row_length=3", f"match.deadeye_card={moment}"))
        for sizes, lead, taken in (((9, 10), -2, 1), ((6, 6), 0, 0)):
            left = (random_left(rng, sizes[0]), random_left(rng, sizes[1]))
            standing = MatchStanding(lead, taken, left)
            day = last_day(rules, patron, [card], standing)
            for _ in range(100):
                end, pays, _ = play(begun(standing, rules, patron, [card]), day, rng)
                assert pays == (1.0 if reference.winner(end) == 0 else -1.0)
                reasons.add(decided_by(end))
    assert reasons == {"gp", "cheers", "decks", "defenders"}


def test_M3_without_counting_placed_cards_the_larger_deck_before_the_day_wins_ties() -> None:
    standing = MatchStanding(0, 0, ((2, 2, 2, 0, 0, 0, 0, 0), (3, 3, 2, 0, 0, 0, 0, 0)))
    exact = last_day(SHORT, "arianna", ["two-bashers"], standing)
    coarse = last_day(SHORT, "arianna", ["two-bashers"], standing, count_decks=False)
    assert (exact.decks_counted, coarse.decks_counted) == (True, False)
    assert coarse.tables.num_classes < exact.tables.num_classes
    own, opp = (coarse.tables.terminal_class[row] for row in coarse.start_rows)
    assert coarse.tables.payoff[own, opp] == -1.0


def test_each_seat_has_rows_of_its_own() -> None:
    standing = MatchStanding(1, 0, (random_left(random.Random(1), 9), random_left(random.Random(2), 8)))
    day = last_day(SHORT, "arianna", ["two-bashers"], standing)
    tables, half = day.tables, day.tables.num_rows // 2
    assert day.start_rows[1] - day.start_rows[0] == half
    assert (tables.payoff == -tables.payoff.T).all()
    assert (tables.payoff == tables.gp - tables.gp.T).all()
    for onward in (tables.next_row, tables.commit, tables.served):
        for rows, low in ((onward[:half], 0), (onward[half:], half)):
            there = rows[rows != day_effects.IMPOSSIBLE]
            assert ((there >= low) & (there < low + half)).all()


def test_days_before_the_last_count_what_cards_placed_cost() -> None:
    """Negated cards and those on Veterans, too; hidden ones are nobody's to see."""
    rng, costs = random.Random(3), (0, 1, 0, 0, 3, 2, 1, 3)
    seen: set[tuple[int, bool]] = set()
    for moment in ("after-veterans", "at-once"):
        rules = load_rules(overrides=("match.row_length=3", f"match.deadeye_card={moment}"))
        standing = MatchStanding(1, 0, (random_left(rng, 12), random_left(rng, 12)))
        asked = (rules, "the-nameless", ["two-bashers"])
        day = earlier_day(*asked, standing, lambda gp, cheers: gp / 50.0, costs)
        free = earlier_day(*asked, standing, lambda gp, cheers: gp / 50.0)
        assert day.tables.num_classes > free.tables.num_classes
        for _ in range(150):
            end, pays, moves = play(begun(standing, *asked), day, rng)
            lead = end.players[0].score - end.players[1].score
            spent = [0, 0]
            for state, move in moves:
                if state.phase in (reference.Phase.PLACE, reference.Phase.VETERAN):
                    for player in reference.deciders(state):
                        spent[player] += costs[move[player]] if move[player] < len(costs) else 0
            one, other = (min(MOST_COST, cost) for cost in spent)
            worth = (lead - (one - other) / COST_UNIT) / 50.0
            expected = UNIT * (worth if abs(lead) < BOX.match.winning_lead else (1.0 if lead > 0 else -1.0))
            assert pays == round(expected)
            seen.add((one - other, any(state.phase == reference.Phase.VETERAN for state, _ in moves)))
    assert len(seen) > 10
