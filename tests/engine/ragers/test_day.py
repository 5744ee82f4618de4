"""The row automaton against the reference: random days, rules as in the box and far from it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache

import numpy as np
import pytest

from engine.ragers import day, day_effects, reference
from engine.ragers.day import DayTables, day_tables
from engine.ragers.reference import Phase, State
from engine.ragers.reference_row import Outcome, top_icon
from engine.ragers.rules import CHANCER, TYPES, VETERAN, PatronRule, Rules, load_rules
from tests.engine.random_rules import random_rules

BOX = load_rules()
OUTCOMES = {
    Outcome.WIN_0: (day.WIN, day.LOSS),
    Outcome.WIN_1: (day.LOSS, day.WIN),
    Outcome.DRAW: (day.DRAW, day.DRAW),
    Outcome.TWO_LOSERS: (day.TWO_LOSERS, day.TWO_LOSERS),
}


@cache
def box_tables(patron: str, *cheers: str) -> DayTables:
    """Tables of the box, built once: those of long rows take seconds."""
    return day_tables(BOX, patron, cheers)


class Mirror:
    """The two rows of a day in the automaton, kept in step with the reference."""

    def __init__(self, tables: DayTables) -> None:
        self.tables = tables
        self.rows = [tables.start_row, tables.start_row]
        self.in_step = False

    def act(self, actions: tuple[int, int]) -> None:
        tables, (first, second) = self.tables, self.rows
        faces = tables.face[self.rows]
        self.rows = [
            int(tables.next_row[first, faces[1], actions[0], actions[1]]),
            int(tables.next_row[second, faces[0], actions[1], actions[0]]),
        ]
        assert min(self.rows) >= 0
        self.in_step = True

    def commit(self, hidden: Sequence[bool]) -> None:
        self.rows = [
            int(self.tables.commit[row, int(hides)]) for row, hides in zip(self.rows, hidden, strict=True)
        ]
        assert min(self.rows) >= 0
        self.in_step = False

    def serve(self, hidden: Sequence[bool], *asked: int) -> None:
        """Let these players hide a card, or not, while the step goes on (K9)."""
        for player in asked:
            self.rows[player] = int(self.tables.served[self.rows[player], int(hidden[player])])
            assert self.rows[player] >= 0

    def follow(self, state: State, move: tuple[int, int]) -> None:
        """Carry out the move that is made in `state`."""
        if state.phase == Phase.DEADEYE:
            hidden = [action != day_effects.NOTHING for action in move]
            if self.tables.pending[self.rows].any():
                self.serve(hidden, *(player for player in (0, 1) if state.players[player].owes_hidden))
            else:
                self.commit(hidden)
        else:
            self.act(move)

    def catch_up(self, state: State) -> None:
        """Skip what the reference has skipped on its way to `state`, and compare what can be compared."""
        tables = self.tables
        if self.in_step and state.rules.hides_at_once and (tables.served >= 0).any():
            # Deadeyes that have asked in vain.
            vain = [p for p in (0, 1) if tables.hides[self.rows[p]] and not state.players[p].owes_hidden]
            self.serve((False, False), *vain)
        if self.in_step and not (
            state.phase == Phase.VETERAN or (state.phase == Phase.DEADEYE and state.rules.hides_at_once)
        ):
            if tables.pending[self.rows].any():
                self.act((day_effects.NOTHING, day_effects.NOTHING))
            assert not tables.pending[self.rows].any()
            if state.phase != Phase.DEADEYE:
                self.commit((False, False))
        asked = reference.deciders(state)
        for player in (0, 1):
            row, own = self.rows[player], state.players[player]
            if state.phase == Phase.VETERAN:
                if player in asked:
                    assert tables.pending[row]
                elif tables.pending[row]:
                    assert not reference.placeable(state, player)
                icon = top_icon(own.slot)
                if tables.num_faces > 1:
                    assert tables.face[row] == (0 if icon is None else 1 + day_effects.ICON_INDEX[icon])
            elif state.phase == Phase.DEADEYE:
                assert tables.hides[row] == own.owes_hidden
                assert tables.commit[row, 0] >= 0 or (tables.pending[row] and state.rules.hides_at_once)
            elif state.phase == Phase.PLACE:
                assert not tables.full[row]
                assert not tables.hides[row]
                assert tables.length[row] == own.row_length
            else:
                assert state.phase == Phase.OVER


Moved = tuple[State, tuple[int, int]]


def followed(state: State, mirror: Mirror, rng: random.Random) -> tuple[State, list[Moved]]:
    """Play a day at random, the mirror in step with it; returns its end, and what was done in which state."""
    moves: list[Moved] = []
    while True:
        while reference.deciders(state) == (reference.CHANCE,):
            outcomes = reference.chance_outcomes(state)
            [outcome] = rng.choices([o for o, _ in outcomes], [w for _, w in outcomes])
            state = reference.step(state, outcome)
        mirror.catch_up(state)
        if reference.is_over(state):
            return state, moves
        chosen = [day_effects.NOTHING, day_effects.NOTHING]
        for player in reference.deciders(state):
            chosen[player] = rng.choice(reference.legal_actions(state, player))
        move = (chosen[0], chosen[1])
        moves.append((state, move))
        mirror.follow(state, move)
        state = reference.step(state, move)


def play_day(tables: DayTables, start: State, rng: random.Random) -> None:
    mirror = Mirror(tables)
    state, moves = followed(start, mirror, rng)
    idle = bool(moves) and all(not sum(p.deck) for p in moves[-1][0].players)
    assert idle or tables.full[mirror.rows].any() or any(not c for c in tables.placeable)
    [result] = state.results
    own, opp = tables.terminal_class[mirror.rows]
    assert (tables.gp[own, opp], tables.gp[opp, own]) == result.gp
    assert tables.payoff[own, opp] == result.gp[0] - result.gp[1]
    assert (tables.outcome[own, opp], tables.outcome[opp, own]) == OUTCOMES[result.outcome]


def play_days(
    rules: Rules, tables: DayTables, patron: str, cheers: Sequence[str], *, days: int, seed: int
) -> None:
    start = reference.start_day(rules, patron, cheers, preparation=False)
    rng = random.Random(seed)
    for _ in range(days):
        play_day(tables, start, rng)


@pytest.mark.parametrize("patron", [patron.id for patron in BOX.patrons])
def test_random_days_of_the_box(patron: str) -> None:
    cheers = BOX.cheers[0].id
    play_days(BOX, box_tables(patron, cheers), patron, [cheers], days=20, seed=1)


def is_large(patron: PatronRule) -> bool:
    """Chains of Veterans in rows of five: with two cheers cards the tables take seconds to build."""
    return BOX.row_length(patron) > 4 and TYPES[VETERAN] not in patron.forbidden


@pytest.mark.parametrize(
    "patron",
    [pytest.param(patron.id, marks=[pytest.mark.slow] if is_large(patron) else []) for patron in BOX.patrons],
)
def test_random_days_of_the_box_with_two_cheers_cards(patron: str) -> None:
    cheers = [card.id for card in BOX.cheers[3:5]]
    play_days(BOX, day_tables(BOX, patron, cheers), patron, cheers, days=20, seed=2)


@pytest.mark.parametrize("row_length", [3, pytest.param(4, marks=pytest.mark.slow)])
def test_K5_copied_specials_and_K8_chains_in_special_decks(row_length: int) -> None:
    attacks = [f"cards.{name}.copies=1" for name in ("basher", "slasher", "prodder")]
    specials = [f"cards.{name}.copies=3" for name in TYPES[3:]]
    gp = ["cards.chancer.gp=2", "cards.veteran.gp=4"]
    rules = load_rules(overrides=[*attacks, *specials, *gp, f"match.row_length={row_length}"])
    cheers = ["prodder-stopper"]
    tables = day_tables(rules, "the-nameless", cheers)
    play_days(rules, tables, "the-nameless", cheers, days=80, seed=3)


@pytest.mark.parametrize("card", ["after-veterans", "at-once"])
def test_K9_deadeyes_and_veterans_in_one_step(card: str) -> None:
    """Decks of little else, short ones too: Deadeyes ask while a Veteran waits, or once none does."""
    copies = dict.fromkeys(TYPES, 0) | {"basher": 1, "veteran": 3, "cheater": 1, "deadeye": 3, "chancer": 1}
    deck = [f"cards.{name}.copies={number}" for name, number in copies.items()]
    for numbers in (("match.row_length=4",), ("match.row_length=5", "match.hand_size=3")):
        rules = load_rules(overrides=[*deck, *numbers, f"match.deadeye_card={card}"])
        tables = day_tables(rules, "the-nameless", ["two-bashers"])
        assert (tables.served >= 0).any() == (card == "at-once")
        play_days(rules, tables, "the-nameless", ["two-bashers"], days=80, seed=6)


def test_K3_short_decks_end_the_day_early() -> None:
    copies = [f"cards.{name}.copies={int(name in ('basher', 'veteran', 'cheater'))}" for name in TYPES]
    rules = load_rules(overrides=[*copies, "cards.veteran.copies=3", "match.hand_size=2"])
    for patron, cheers, seed in (("the-nameless", ["two-bashers"], 4), ("greybeard", [], 5)):
        play_days(rules, day_tables(rules, patron, cheers), patron, cheers, days=60, seed=seed)


def test_random_days_of_random_rules() -> None:
    for seed in range(6):
        rules = random_rules("ragers", seed, row_length=2 + seed % 2, hand_size=2 + seed % 4)
        patron = next((each for each in rules.patrons if rules.row_length(each) <= 3), None)
        if patron is not None:
            cheers = [rules.cheers[0].id]
            play_days(rules, day_tables(rules, patron.id, cheers), patron.id, cheers, days=30, seed=seed)


def test_tables_are_consistent() -> None:
    tables = box_tables("arianna", "basher-deadeye")
    committed = tables.terminal_class >= 0
    assert committed[tables.start_row]
    assert tables.length[tables.start_row] == 0
    assert (tables.next_row[tables.full] == day_effects.IMPOSSIBLE).all()
    assert not (tables.pending & tables.hides).any()
    assert (tables.commit[tables.pending | committed] == day_effects.IMPOSSIBLE).all()
    assert (tables.commit[~tables.pending & ~committed, 0] >= 0).all()
    assert committed[tables.commit[tables.hides]].all()
    targets = np.unique(tables.next_row)
    assert not committed[targets[targets >= 0]].any()
    assert (tables.payoff == -tables.payoff.T).all()
    assert (tables.face < tables.num_faces).all()


def test_S2_loser_scores_only_cheers_cards_and_S3_both_meeting_it_score_nothing() -> None:
    tables = box_tables("the-nameless", "two-bashers")
    mirror = Mirror(tables)
    basher, slasher, prodder = 0, 1, 2
    for move in [
        (basher, slasher),
        (basher, prodder),
        (slasher, basher),
        (prodder, basher),
        (slasher, prodder),
    ]:
        mirror.act(move)
        mirror.commit((False, False))
    own, opp = tables.terminal_class[mirror.rows]
    # Both hold two Bashers; the last Slasher beats the last Prodder and only Slashers score.
    assert (tables.gp[own, opp], tables.gp[opp, own]) == (6, 0)
    mirror = Mirror(tables)
    for move in [
        (basher, slasher),
        (basher, prodder),
        (slasher, slasher),
        (prodder, slasher),
        (slasher, basher),
    ]:
        mirror.act(move)
        mirror.commit((False, False))
    own, opp = tables.terminal_class[mirror.rows]
    assert (tables.gp[own, opp], tables.gp[opp, own]) == (2, 3)


def test_K5_chancers_on_top_look_at_faces() -> None:
    tables = box_tables("arianna", "two-bashers")
    first = tables.next_row[tables.start_row, 0, VETERAN, 0]
    by_face = tables.next_row[first, :, CHANCER, day_effects.NOTHING]
    assert len(np.unique(by_face)) == tables.num_faces == 8
