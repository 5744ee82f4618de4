"""Whole matches: what is recorded of them, what leads and cards are worth, and what their decisions cost."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from analysis.ragers.match.figures import (
    CHEERS,
    DECKS,
    DEFENDERS,
    GP,
    LEAD,
    Ends,
    day_report,
    days_finished,
    deck_sizes,
    ends,
    lead_of,
    match_figures,
    reached,
    taken_of,
    with_lead,
)
from analysis.ragers.match.prices import regression_prices
from analysis.ragers.match.report import MatchRules, PlayerReport
from analysis.ragers.setup import Random
from engine.ragers import layout
from engine.ragers.reference import Phase
from engine.ragers.rules import NUM_TYPES, TYPES, load_rules

BOX = load_rules()
WORDS = 16


def stand(
    scores: tuple[int, int], *, day: int, decks: tuple[int, int] = (0, 0), taken: tuple[int, int] = (0, 0)
) -> list[int]:
    """Words of a match between two days; decks are packed counts."""
    words = [0] * WORDS
    for player in (0, 1):
        words[layout.DECK + player] = decks[player] | taken[player] << layout.TAKEN.offset
        words[layout.FLOW] |= scores[player] << layout.SCORE.offset + layout.SCORE.stride * player
    words[layout.TABLE] = day << layout.DAY.offset
    return words


def test_M3_what_decides_a_match() -> None:
    cases = [
        (stand((12, 1), taken=(0, 0), decks=(3, 3), day=1), True, LEAD),
        (stand((3, 4), taken=(2, 0), decks=(3, 3), day=3), False, GP),
        (stand((4, 4), taken=(2, 1), decks=(0, 3), day=3), True, CHEERS),
        (stand((4, 4), taken=(1, 1), decks=(0, 3), day=3), False, DECKS),
        (stand((4, 4), taken=(1, 1), decks=(3, 3), day=3), False, DEFENDERS),
    ]
    found = ends(np.array([words for words, _, _ in cases], np.int64), load_rules())
    assert found.won.tolist() == [won for _, won, _ in cases]
    assert found.reason.tolist() == [reason for _, _, reason in cases]


def test_leads_are_read_and_put_in() -> None:
    states = np.array(
        [
            stand((3, 7), day=1, taken=(2, 0), decks=(5, 0)),
            stand((12, 0), day=2, taken=(0, 1), decks=(0, 1 << layout.COUNT_STRIDE)),
            stand((0, 0), day=0),
        ],
        np.int64,
    )
    assert lead_of(states).tolist() == [-4, 12, 0]
    assert taken_of(states).tolist() == [2, -1, 0]
    assert days_finished(states).tolist() == [1, 2, 0]
    assert deck_sizes(states).tolist() == [[5, 0], [0, 1], [0, 0]]
    for lead in (-9, -1, 0, 1, 9):
        changed = with_lead(states, lead)
        assert lead_of(changed).tolist() == [lead] * 3
        assert np.array_equal(with_lead(changed, 0), with_lead(states, 0))
        kept = [word for word in range(WORDS) if word != layout.FLOW]
        assert np.array_equal(changed[:, kept], states[:, kept])
    assert lead_of(states).tolist() == [-4, 12, 0]


def test_what_stands_before_a_day_is_counted_among_matches_that_come_to_it() -> None:
    """Eight matches of two days: one ends early; of the others three are level, and four have a leader."""
    before = [(10, 0), (2, 0), (2, 0), (0, 2), (0, 25), (1, 1), (4, 4), (0, 0)]
    days = [1] * 8
    marks = np.array(
        [[stand(scores, day=day), stand(scores, day=2)] for scores, day in zip(before, days, strict=True)],
        np.int64,
    )
    marks[0, 0] = 0
    won = np.array([True, True, False, True, False, True, False, True])
    end = Ends(won, np.full(8, 2), np.full(8, GP))
    assert reached(marks, 2).tolist() == [False] + [True] * 7
    found = day_report(marks, end, 2, None)
    assert (found.day, found.matches) == (2, 7)
    # Behind and yet winning: one of two at a lead of 2 for the Accusers, and the one against the Defenders.
    assert found.trailing_wins.mean == pytest.approx(2 / 4)
    by_lead = {each.lead: (each.win.mean, each.win.observations) for each in found.win_by_lead}
    # Leads beyond 20 are not listed. At no lead it is the Accusers' share.
    assert by_lead == {0: (2 / 3, 3), 2: (1 / 3, 3)}
    assert found.gp_win.mean is None
    assert [each.card for each in found.cards] == list(TYPES)
    first = day_report(marks, end, 1, None)
    assert (first.day, first.matches, first.win_by_lead) == (1, 8, [])


def test_figures_of_matches_by_how_they_ended() -> None:
    """Four matches of three days, two of them won early."""
    full = 3
    rows = [
        [stand((11, 0), day=1), [0] * WORDS, stand((11, 0), day=1, decks=(full, full))],
        [stand((1, 0), day=1), stand((0, 12), day=2), stand((0, 12), day=2)],
        [stand((1, 0), day=1), stand((1, 2), day=2), stand((5, 4), day=3)],
        [stand((0, 3), day=1), stand((1, 4), day=2), stand((4, 4), day=3, decks=(1, 1))],
    ]
    rows[0][0] = [0] * WORDS
    rows[1][1] = [0] * WORDS
    marks = np.array(rows, np.int64)
    head = (MatchRules("box", "", []), PlayerReport("nobody", "", None, None))
    found = match_figures(marks, BOX, [], head)
    assert found.matches == 4
    assert [each.mean for each in found.ended_after_day] == [0.25, 0.25, 0.5]
    assert found.days_played.mean == pytest.approx(2.25)
    decided = found.decided_by
    assert (decided.lead.mean, decided.gp.mean, decided.defenders.mean) == (0.5, 0.25, 0.25)
    assert (decided.cheers.mean, decided.decks.mean) == (0.0, 0.0)
    assert found.accusers_win.mean == 0.5
    # Decks count for matches that were played to the last day only.
    assert (found.decks_empty.mean, found.decks_empty.observations) == (0.5, 2)
    assert [each.matches for each in found.days] == [4, 3, 2]
    assert ends(marks[:, -1], BOX).reason.tolist() == [LEAD, LEAD, GP, DEFENDERS]


def made_matches(seed: int, number: int = 4_000) -> tuple[Any, Any, Any, Any]:
    """Leads, cheers cards, cards and who won, where a Basher is worth 2 GP and a Slasher 1 less than none."""
    random = np.random.default_rng(seed)
    lead, taken = random.integers(-5, 6, number), random.integers(-1, 2, number)
    cards = random.integers(-1, 2, (number, NUM_TYPES))
    cards[:, 5] = 0
    odds = 0.1 + 0.3 * lead + 0.6 * cards[:, 0] - 0.3 * cards[:, 1] + 0.4 * taken
    return lead, taken, cards, random.random(number) < 1.0 / (1.0 + np.exp(-odds))


def test_prices_by_regression_are_ratios_to_a_point_of_lead() -> None:
    """Intervals are as wide as answers of other matches spread; a type that never differs has no price."""
    answers = [regression_prices(*made_matches(seed)) for seed in range(60)]
    known = [kind for kind in range(NUM_TYPES) if kind != 5]
    for kind, expected in ((0, 2.0), (1, -1.0), (2, 0.0)):
        means = np.array([found[kind].gp.mean for _, found in answers], float)
        assert means.mean() == pytest.approx(expected, abs=0.08)
        widths = np.array([found[kind].gp.width for _, found in answers]) / 1.96
        assert widths.mean() == pytest.approx(means.std(), rel=0.4)
        chances = np.array([found[kind].win.mean for _, found in answers], float)
        widths = np.array([found[kind].win.width for _, found in answers]) / 1.96
        assert widths.mean() == pytest.approx(chances.std(), rel=0.4)
    gp_win = np.array([point.mean for point, _ in answers], float)
    assert gp_win.mean() == pytest.approx(0.25 * 0.3, abs=0.004)
    assert np.mean([point.width for point, _ in answers]) / 1.96 == pytest.approx(gp_win.std(), rel=0.4)
    _, found = answers[0]
    assert found[5].gp.mean is None
    assert all(found[kind].gp.observations == 4_000 for kind in known)
    lead, taken, cards, won = made_matches(0)
    # On average over matches, a Basher more adds as much to the chance as the odds that made them say.
    odds = 0.1 + 0.3 * lead + 0.6 * cards[:, 0] - 0.3 * cards[:, 1] + 0.4 * taken
    more = (1.0 / (1.0 + np.exp(-odds - 0.006)) - 1.0 / (1.0 + np.exp(-odds))).mean() / 0.01
    assert found[0].win.mean == pytest.approx(more, abs=0.02)
    level = regression_prices(lead, 0 * taken, cards, won)[1]
    assert level[0].gp.mean == pytest.approx(2.0, abs=0.4)


@pytest.mark.kernels
@pytest.mark.parametrize("asked", [False, True], ids=["in kernels", "move by move"])
def test_marks_are_states_before_a_patron_and_ends_of_the_matches_begun(asked: bool) -> None:
    from analysis.ragers.match.players import AskedPlayer, player_of
    from analysis.ragers.match.self_play import record
    from engine.protocol import OVER
    from engine.ragers.codec import decode
    from engine.ragers.sampling import sampling_tables

    game = sampling_tables(BOX)
    anyone: Any = SimpleNamespace(choose=lambda words, seed: seed % 2)
    player = AskedPlayer("first ones", "", anyone) if asked else player_of(Random(), game)
    roots = np.stack([with_lead(game.root[None, :], lead)[0] for lead in (0, 8, -8)])
    work = np.zeros(game.work_words, np.int64)
    told: list[int] = []
    found = record(game, player, 3, num_matches=30, seed=4, roots=roots, progress=told.append).marks
    assert told == (list(range(1, 31)) if asked else [500])
    lengths = []
    for number, marks in enumerate(found):
        last = decode(marks[-1][: layout.NUM_WORDS])
        assert game.observe(game.tables, marks[-1].copy(), work) == OVER
        lengths.append(last.day)
        before = with_lead(game.root[None, :], (0, 8, -8)[number % 3])[0]
        for day, words in enumerate(marks[:-1], 1):
            assert words.any() == (day < last.day)
            if not words.any():
                continue
            state = decode(words[: layout.NUM_WORDS])
            assert (state.day, state.patron, state.phase, state.drawing) == (day, None, Phase.PATRON, ())
            assert abs(int(lead_of(words[None])[0])) < BOX.match.winning_lead
            grown = [decode(each[: layout.NUM_WORDS]).sides for each in (before, words)]
            assert all(new.score >= old.score for old, new in zip(*grown, strict=True))
            before = words
        assert (last.day == 3) or abs(int(lead_of(marks[-1:])[0])) >= BOX.match.winning_lead
    assert set(lengths) == {1, 2, 3}
    assert np.mean(lengths[::3]) > np.mean(lengths[1::3])
    again = record(game, player, 3, num_matches=30, seed=4, roots=roots).marks
    assert np.array_equal(again, found)
    assert not np.array_equal(record(game, player, 3, num_matches=30, seed=5, roots=roots).marks, found)
    assert np.array_equal(record(game, player, 3, num_matches=10, seed=4, roots=roots).marks, found[:10])
