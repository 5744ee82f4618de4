"""ragers match and ragers train: reports, tables, files, refusals."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from analysis.estimates import share
from analysis.ragers.match import networks
from analysis.ragers.match.figures import CHEERS, DECKS, DEFENDERS, GP, LEAD, ends
from analysis.ragers.match.prices import logistic
from analysis.ragers.match.report import MatchReport
from analysis.ragers.match.studying import PLAYERS, Question, study
from cli.ragers.main import ragers
from cli.ragers.views import match as view
from engine.ragers import layout
from engine.ragers.rules import TYPES, load_rules

#: Small enough to learn in no time.
TINY = ("match.days=2", "match.hand_size=2", "match.row_length=2")


def run(*words: str) -> Result:
    return CliRunner().invoke(ragers, list(words), catch_exceptions=False)


def final(scores: tuple[int, int], taken: tuple[int, int], decks: tuple[int, int], day: int) -> list[int]:
    """Words of an end: scores, cheers cards taken, cards left, days finished."""
    words = [0] * 13
    for player in (0, 1):
        words[layout.DECK + player] = decks[player] | taken[player] << layout.TAKEN.offset
        words[layout.FLOW] |= scores[player] << layout.SCORE.offset + layout.SCORE.stride * player
    words[layout.TABLE] = day << layout.DAY.offset
    return words


def test_M3_what_decides_a_match() -> None:
    cases = [
        (final((12, 1), (0, 0), (3, 3), 1), True, LEAD),
        (final((3, 4), (2, 0), (3, 3), 3), False, GP),
        (final((4, 4), (2, 1), (0, 3), 3), True, CHEERS),
        (final((4, 4), (1, 1), (0, 3), 3), False, DECKS),
        (final((4, 4), (1, 1), (3, 3), 3), False, DEFENDERS),
    ]
    found = ends(np.array([words for words, _, _ in cases], np.int64), load_rules())
    assert found.won.tolist() == [won for _, won, _ in cases]
    assert found.reason.tolist() == [reason for _, _, reason in cases]


def test_intervals_of_shares() -> None:
    """Newcombe 1998, table I: 81 of 263, and none of 20."""
    some, none = share(81, 263), share(0, 20)
    assert (some.low, some.high) == (pytest.approx(0.2553, abs=1e-4), pytest.approx(0.3662, abs=1e-4))
    assert (none.low, none.high) == (0.0, pytest.approx(0.1611, abs=1e-4))
    assert share(0, 0).mean is None


def test_logistic_regression_finds_what_made_the_data() -> None:
    rng = np.random.default_rng(0)
    design = np.stack([np.ones(40_000), *rng.normal(size=(2, 40_000))], axis=1)
    truth = np.array([0.2, 0.5, -1.0])
    won = rng.random(40_000) < 1 / (1 + np.exp(-design @ truth))
    found = logistic(design, won)
    assert found is not None
    weights, covariance = found
    assert np.all(np.abs(weights - truth) < 5 * np.sqrt(np.diag(covariance)))
    assert np.all(np.sqrt(np.diag(covariance)) < 0.02)
    assert logistic(design[:, [0, 1, 1]], won) is None


def test_questions_that_make_no_sense_are_refused() -> None:
    assert run("match", "--compare").exit_code == 2
    assert run("match", "--train", "5", "--values", str(Path(__file__))).exit_code == 2
    result = run("match", "--values", str(Path(__file__)))
    assert result.exit_code == 2
    assert "no file of values" in result.output


def test_the_carried_values_are_those_of_the_box() -> None:
    found = networks.carried(load_rules())
    assert found is not None
    assert found.provenance.rules_sha256 == load_rules().sha256
    assert networks.carried(load_rules(overrides=["cards.basher.gp=4"])) is None
    assert networks.carried_path().stat().st_size < 1_000_000


@pytest.fixture(scope="module")
def random_report() -> MatchReport:
    return study(Question((load_rules(),), "random", games=20_000))


@pytest.mark.kernels
def test_random_play_is_as_measured_before(random_report: MatchReport) -> None:
    """Shares of 300,000 matches of the playout kernel's own statistics; five standard errors."""
    [figures] = random_report.figures
    decided = figures.decided_by
    for estimate, expected in (
        (figures.accusers_win, 0.4973),
        (figures.ended_after_day[0], 0.074),
        (figures.ended_after_day[1], 0.212),
        (decided.cheers, 0.022),
        (decided.decks, 0.005),
        (decided.defenders, 0.008),
    ):
        assert estimate.mean == pytest.approx(expected, abs=0.001 + 5 * (expected / 20_000) ** 0.5)
    assert sum(each.mean or 0 for each in figures.ended_after_day) == pytest.approx(1.0)
    shares = [getattr(decided, name).mean for name in decided.__struct_fields__]
    assert sum(shares) == pytest.approx(1.0)
    assert decided.lead.mean == pytest.approx(sum(each.mean or 0 for each in figures.ended_after_day[:2]))
    by_lead = {each.lead: each.win.mean or 0 for each in figures.days[2].win_by_lead}
    assert max(by_lead) == 9
    assert by_lead[1] < by_lead[4] < by_lead[9]


@pytest.mark.kernels
def test_first_screen_and_csv(random_report: MatchReport) -> None:
    from cli import grid

    text = grid.to_text(view.sections(random_report, details=False), view.notes(random_report))
    lines = text.splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80
    rows = list(csv.DictReader(io.StringIO(grid.to_csv(view.csv_rows(random_report)))))
    assert {row["player"] for row in rows} == {"random"}
    assert {row["figure"] for row in rows} >= {"accusers_win", "win_by_lead", "price_gp", "given_win"}
    details = grid.to_text(view.sections(random_report, details=True), view.notes(random_report))
    assert max(map(len, details.splitlines())) <= 80
    for section in view.sections(random_report, details=True):
        assert "random" in section.title + " ".join(section.head)


@pytest.mark.kernels
def test_the_same_matches_in_any_number_of_threads() -> None:
    from analysis.ragers.match.players import make_player
    from analysis.ragers.match.self_play import record
    from engine.ragers.sampling import sampling_tables

    game = sampling_tables(load_rules())
    player = make_player("random", game)
    one, four = (
        record(game, player, 3, num_matches=1700, seed=5, threads=threads).marks for threads in (1, 4)
    )
    assert np.array_equal(one, four)
    assert len(one) == 1700


@pytest.mark.kernels
def test_a_card_given_is_one_more_and_helps_who_gets_a_good_one() -> None:
    from analysis.ragers.match.players import make_player
    from analysis.ragers.match.prices import card_counts, with_card
    from analysis.ragers.match.self_play import record
    from engine.ragers.sampling import sampling_tables

    game = sampling_tables(load_rules())
    marks = record(game, make_player("random", game), 3, num_matches=500, seed=5).marks
    going = marks[marks[:, 1, layout.TABLE] >> layout.DAY.offset & layout.DAY.mask == 2, 1]
    for side in (0, 1):
        given = with_card(going, side, 4, 5)
        for player in (0, 1):
            before, after = (
                card_counts(words[:, layout.HAND + player]) + card_counts(words[:, layout.DECK + player])
                for words in (going, given)
            )
            assert np.array_equal(after - before, np.eye(8, dtype=int)[[4] * len(going)] * (player == side))
        held = card_counts(given[:, layout.HAND + side]).sum(axis=1)
        drawn = card_counts(given[:, layout.DECK + side]).sum(axis=1)
        assert np.all((held == 5) | (drawn == 0))


@pytest.mark.kernels
@pytest.mark.parametrize("player", [name for name in PLAYERS if name != "random"])
def test_every_player_plays(player: str) -> None:
    report = study(Question((load_rules(),), player, games=6, iterations=20))
    [figures] = report.figures
    assert figures.player.name == player
    assert figures.accusers_win.observations == 6
    assert (figures.player.trained_plays is None) == (player not in ("values", "guided"))


@pytest.mark.kernels
@pytest.mark.parametrize("player", [name for name in PLAYERS if name != "rollouts"])
def test_a_player_against_itself_wins_half_by_design_and_seats_have_an_interval(player: str) -> None:
    deals = 4 if player == "guided" else 20
    question = Question((load_rules(),), player, games=deals, iterations=5, seed=5, against=(player,))
    report = study(question)
    [duel] = report.duels
    assert (duel.win.mean, duel.win.low, duel.win.high) == (0.5, None, None)
    accusers, defenders = duel.seats
    assert accusers.mean is not None
    assert accusers.mean + (defenders.mean or 0.0) == 1.0
    assert accusers.low is not None
    assert accusers.low < accusers.mean < (accusers.high or 0.0)
    [section] = view.sections(report, details=False)
    assert section.rows[0][2] == "50 by design"
    assert all("±" in cell for cell in section.rows[0][3:])
    assert section.title.startswith("Ragers: ")


@pytest.mark.kernels
def test_what_was_changed_and_how_long_matches_are_stands_in_the_answer() -> None:
    from cli import grid

    rules = load_rules(overrides=["match.winning_lead=7", "cards.basher.gp=4"])
    report = study(Question((load_rules(), rules), "random", games=4_000, give=False))
    assert report.figures[1].rules.changes == ["match.winning_lead 10 → 7", "cards.basher.gp 3 → 4"]
    parts = view.sections(report, details=False)
    text = grid.to_text(parts, view.notes(report))
    assert "match.winning_lead 10 → 7, cards.basher.gp 3 → 4" in " ".join(text.split())
    assert "…" not in text
    for table in ("% won, ahead", "1 more"):
        assert sum(table in " ".join(part.head) for part in parts) == 2
    for figures in report.figures:
        shares = [each.mean or 0.0 for each in figures.ended_after_day]
        assert figures.days_played.mean == pytest.approx(sum(day * s for day, s in enumerate(shares, 1)))
        assert sum(shares) == pytest.approx(1.0)
    assert text.count("days of a match, on average") == 2
    assert text.count("ends after day 1 / 2 / 3, of all") == 2
    assert "In brackets" in text
    assert "In brackets" not in grid.to_text(parts, view.notes(report, details=True))


@pytest.mark.slow
def test_duels() -> None:
    result = run("match", "--player", "rollouts", "--against", "greedy", "--games", "60", "-q")
    assert result.exit_code == 0, result.output
    assert "rollouts against greedy" in result.stdout
    words = ("--player", "values", "--against", "random", "--against", "values", "--games", "60", "-q")
    report = json.loads(run("match", *words, "--format", "json").stdout)
    random, itself = report["duels"]
    assert random["win"]["low"] > 0.7
    assert (itself["win"]["mean"], itself["win"]["low"]) == (0.5, None)
    assert report["figures"] == []
    assert "wins_against" in run("match", *words, "--format", "csv").stdout


@pytest.mark.kernels
def test_two_sets_of_rules_and_files_of_values(tmp_path: Path) -> None:
    values = tmp_path / "values.npz"
    changed = [word for each in TINY for word in ("--set", each)]
    again = tmp_path / "again.npz"
    for path in (values, again):
        assert run("train", str(path), *changed, "--plays", "300", "-q").exit_code == 0
    assert values.read_bytes() == again.read_bytes()
    assert run("train", str(values), *changed, "--plays", "300", "-q").exit_code == 2
    result = run("match", *changed, "--values", str(values), "--games", "3000", "-q", "--format", "json")
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    assert report["figures"][0]["player"]["trained_plays"] == 300
    assert len(report["figures"][0]["ended_after_day"]) == 2
    assert [card["card"] for card in report["figures"][0]["days"][0]["cards"]] == list(TYPES)
    result = run("match", "--values", str(values), "-q")
    assert result.exit_code == 2
    assert "other rules" in result.output
    words = [*changed, "--player", "random", "--compare", "--games", "4000", "-q"]
    text = run("match", *words).stdout
    assert "What differs" in text
    assert max(map(len, text.splitlines())) <= 80
    compared = json.loads(run("match", *words, "--format", "json").stdout)
    assert len(compared["figures"]) == 2
    early = next(each for each in compared["differences"] if each["figure"] == "ended_after_day_1")
    assert early["exceeds"] is True
