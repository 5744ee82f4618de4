"""The match, and what players know (C, M, I): rules that no case of `rules.txt` can try."""

from __future__ import annotations

import random
from dataclasses import replace

import msgspec
import pytest

from engine.ragers import kernel
from engine.ragers.codec import encode
from engine.ragers.kernel_rules import kernel_rules
from engine.ragers.reference import (
    NOTHING,
    Phase,
    Player,
    State,
    chance_outcomes,
    deciders,
    drawing,
    is_over,
    legal_actions,
    observe,
    start_day,
    start_match,
    step,
    winner,
)
from engine.ragers.rules import NUM_TYPES, TYPES, load_rules
from tests.engine.ragers.notation import Day, multiset
from tests.engine.ragers.plays import random_move, random_states

BOX = load_rules()


# -- M: the match ---------------------------------------------------------------------------------------


def _owned(player: Player) -> list[int]:
    """Cards in hand and deck together."""
    return [held + left for held, left in zip(player.hand, player.deck, strict=True)]


def test_M1_hands_and_decks_carry_over_patrons_and_cheers_are_not_seen_twice() -> None:
    rng = random.Random(2)
    for _ in range(50):
        before: State | None = None
        revealed: list[int] = []
        for state in random_states(BOX, rng):
            if before is not None and state.day > before.day and not is_over(state):
                if drawing(before) is not None:  # else the last card was placed from a deck run dry
                    for new, old in zip(state.players, before.players, strict=True):
                        assert _owned(new) == _owned(old)
                assert all(not player.row and not player.slot for player in state.players)
                assert all(sum(player.hand) == 5 for player in state.players if sum(player.deck))
            if state.patron is not None and before is not None and before.patron is None:
                revealed.append(state.patron)
            before = state
        assert before is not None
        assert len(revealed) == len(set(revealed)) == before.day <= 3


def test_M2_a_day_begins_with_a_patron_a_cheers_card_and_seen_discards() -> None:
    rng = random.Random(3)
    state = start_match(BOX)
    while state.phase != Phase.PATRON or drawing(state) is not None:
        state = step(state, random_move(state, rng))
    assert chance_outcomes(state) == [(i, 1) for i in range(5)]
    state = step(state, 3)
    assert chance_outcomes(state) == [(i, 1) for i in range(6)]
    state = step(state, 0)
    assert (state.phase, deciders(state), state.cheers_table) == (Phase.PREPARE, (0, 1), (0,))
    assert all(NOTHING in legal_actions(state, player) for player in (0, 1))
    card = legal_actions(state, 0)[0]
    kept = step(state, (card, NOTHING))
    assert [player.discard for player in kept.players] == [card, None]
    assert observe(kept, 1) != observe(step(state, (NOTHING, NOTHING)), 1)
    assert drawing(kept) == 0
    drawn = step(kept, chance_outcomes(kept)[0][0])
    assert (drawn.phase, deciders(drawn), sum(drawn.players[0].hand)) == (Phase.PLACE, (0, 1), 5)


def test_M2_unmet_cheers_cards_stay_on_the_table() -> None:
    rng = random.Random(5)
    most = 0
    for _ in range(100):
        for state in random_states(BOX, rng):
            known = {*state.cheers_left, *state.cheers_table}
            known |= {index for player in state.players for index in player.cheers}
            known |= {index for result in state.results for index in result.removed}
            assert known == set(range(6))
            most = max(most, len(state.cheers_table))
    assert most == 3


def _finished(first: Player, second: Player, days: int = 3) -> State:
    """A match about to score its last day, with empty rows and hands: the scores stay as they are."""
    state = start_match(BOX)
    state = replace(state, players=(first, second), day=days - 1, patron=4, phase=Phase.CHEERS)
    return step(state, 0)


_NONE = (0,) * NUM_TYPES


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (Player(_NONE, _NONE, score=7), Player(_NONE, _NONE, score=6, cheers=(1, 2)), 0),
        (Player(_NONE, _NONE, score=6, cheers=(1,)), Player(_NONE, _NONE, score=7), 1),
        (Player(_NONE, _NONE, score=6, cheers=(1, 2)), Player(_NONE, _NONE, score=6, cheers=(3,)), 0),
        (Player(_NONE, _NONE, score=6, cheers=(1,)), Player(_NONE, _NONE, score=6, cheers=(2, 3)), 1),
        (Player(_NONE, _NONE, score=6), Player(_NONE, _NONE, score=6), 1),
    ],
)
def test_M3_more_gp_then_cheers_cards_then_the_defenders(
    first: Player, second: Player, expected: int
) -> None:
    state = _finished(first, second)
    assert is_over(state)
    assert winner(state) == kernel.winner(encode(state)) == expected


@pytest.mark.parametrize(("left", "expected"), [((2, 1), 0), ((1, 2), 1), ((1, 1), 1)])
def test_M3_more_cards_left_to_draw_break_the_tie(left: tuple[int, int], expected: int) -> None:
    state = _finished(Player(_NONE, _NONE), Player(_NONE, _NONE))
    players = [
        replace(player, deck=multiset("basher " * n)) for player, n in zip(state.players, left, strict=True)
    ]
    state = replace(state, players=(players[0], players[1]))
    assert winner(state) == kernel.winner(encode(state)) == expected


@pytest.mark.parametrize(("lead", "over"), [(9, False), (10, True), (-9, False), (-10, True)])
def test_M3_a_lead_of_ten_wins_after_any_day(lead: int, over: bool) -> None:
    first, second = (Player(_NONE, _NONE, score=20 + max(0, sign * lead)) for sign in (1, -1))
    state = _finished(first, second, days=1)
    assert (state.day, is_over(state)) == (1, over)
    if over:
        assert winner(state) == (0 if lead > 0 else 1)


def test_M4_a_whole_match_may_run_out_of_cards() -> None:
    cards = tuple(msgspec.structs.replace(card, copies=(1, 0)) for card in BOX.cards)
    rules = msgspec.structs.replace(BOX, cards=cards)
    rng = random.Random(1)
    for _ in range(20):
        final = list(random_states(rules, rng))[-1]
        assert is_over(final)
        assert final.players[1].score == 0


# -- I: what a player knows -----------------------------------------------------------------------------


def test_I1_hands_hidden_cards_and_decks_are_private() -> None:
    hands = [multiset("deadeye basher slasher"), multiset("prodder prodder stopper")]
    other = [hands[0], multiset("prodder prodder cheater")]
    states = [
        start_day(BOX, "the-nameless", preparation=False, hands=(h[0], h[1]), decks=(_NONE, _NONE))
        for h in (hands, other)
    ]
    assert observe(states[0], 0) == observe(states[1], 0)
    assert observe(states[0], 1) != observe(states[1], 1)
    state = step(states[0], (TYPES.index("deadeye"), TYPES.index("prodder")))
    basher, slasher = (step(state, (TYPES.index(card), NOTHING)) for card in ("basher", "slasher"))
    assert observe(basher, 1) == observe(slasher, 1)
    assert observe(basher, 0) != observe(slasher, 0)


def test_I1_a_negated_card_was_seen() -> None:
    states = []
    for card in ("basher", "slasher"):
        day = Day("basher slasher", "cheater prodder").play(f"{card} cheater")
        states.append(day.state)
    assert observe(states[0], 1) != observe(states[1], 1)


def test_I1_nobody_knows_the_order_of_a_deck() -> None:
    day = Day("basher", "basher", decks=("basher basher slasher", ""))
    assert chance_outcomes(day.state) == [(0, 2), (1, 1)]
    assert observe(day.state, 0) == observe(
        Day("basher", "basher", decks=("slasher slasher veteran", "")).state, 0
    )


def test_I2_a_day_is_worth_what_the_rows_say_whatever_is_left_in_the_hands() -> None:
    rules = load_rules(overrides=["match.row_length=2"])
    compiled = kernel_rules(rules)
    results = set()
    for rest in ("veteran", "basher basher", "cheater deadeye stopper"):
        day = Day(f"basher stopper {rest}", f"slasher slasher {rest}", rules=rules)
        day.play("stopper slasher", "basher slasher")
        results.add((day.result, kernel.score(day.words, 0), kernel.score(day.words, 1)))
    assert len(results) == 1
    assert compiled.dtype == "int64"
