"""The last day of a match: exact answers against linear programs, standings as typed, beliefs by counting."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import permutations

import msgspec
import numpy as np
import pytest

from analysis.errors import RequestError
from analysis.progress import Silent
from analysis.ragers.answers.solving import Effort
from analysis.ragers.last_day import solving
from analysis.ragers.last_day.beliefs import UniformReader, follow_match
from analysis.ragers.last_day.solving import LastDayQuestion, LastDayReport, solve_last_day
from analysis.ragers.last_day.standings import (
    EXAMPLE,
    Standing,
    check_last_day,
    check_table,
    parse_standing,
)
from analysis.ragers.last_day.worth import Worth
from analysis.ragers.play.views import Played
from engine.ragers import reference
from engine.ragers.day_match import MatchStanding
from engine.ragers.reference import CHANCE, NOTHING, Phase
from engine.ragers.rules import TYPES, Rules, load_rules
from solver.extensive import build_game
from solver.sequence_form import solve_sequence_form
from tests.oracles.games import decks
from tests.oracles.tiny_last_day import TinyLastDay

BOX = load_rules()


def tiny(first: str, second: str) -> Rules:
    return load_rules(overrides=(*decks(first, second), "match.hand_size=2", "match.row_length=2"))


def asked(rules: Rules, lead: int, taken: int, player: int = 0, *, exchange: bool = False) -> LastDayQuestion:
    left = tuple(tuple(card.copies[side] for card in rules.cards) for side in (0, 1))
    standing = Standing(3, (max(0, lead), max(0, -lead)), (max(0, taken), max(0, -taken)), (left[0], left[1]))
    effort = Effort(iterations=150, threads=1)
    return LastDayQuestion(
        rules, "the-nameless", ("two-bashers",), standing, player, None, effort, exchange=exchange
    )


def exact_chance(question: LastDayQuestion) -> float:
    """What the linear program gives the Accusers."""
    standing = question.standing
    lead, taken = standing.score[0] - standing.score[1], standing.cheers[0] - standing.cheers[1]
    source = TinyLastDay(
        question.rules,
        question.patron,
        question.cheers,
        MatchStanding(lead, taken, standing.left),
        "seen" if question.exchange else "none",
    )
    return (1.0 + solve_sequence_form(build_game(source)).value) / 2.0


def solved(question: LastDayQuestion) -> LastDayReport:
    return solve_last_day(question, Silent())


@pytest.mark.kernels
@pytest.mark.parametrize("expand_bytes", [0, 2**30], ids=["collapsed", "expanded"])
@pytest.mark.parametrize(
    ("first", "second", "lead", "taken"),
    [("BBSP", "BSPT", 0, 0), ("BSPX", "BSSPD", -2, 1), ("BSVP", "BVSPS", 0, -1)],
    ids=["ties", "hidden", "veterans"],
)
def test_tiny_last_days_are_bracketed_by_the_linear_program(
    first: str, second: str, lead: int, taken: int, expand_bytes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ties on cheers cards, on cards left, and the Defenders' rule come up in all of them."""
    monkeypatch.setattr(solving, "EXPAND_BYTES", expand_bytes)
    question = asked(tiny(first, second), lead, taken)
    report, value = solved(question), exact_chance(question)
    (answer,) = report.answers
    assert report.tie_breaks == "exact"
    assert answer.win.low - 1e-6 <= value <= answer.win.high + 1e-6
    assert answer.nash_conv_win < 0.02
    assert sum(card.mix for card in answer.cards) == pytest.approx(1.0)


@pytest.mark.kernels
def test_longer_chains_that_empty_the_deck(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second Veteran may then be worth less, which a last placement in one piece does not allow for."""
    monkeypatch.setattr(solving, "EXPAND_BYTES", 0)
    overrides = (*decks("BBBSSSPPVV", "BBSSPPVV"), "match.hand_size=3", "match.row_length=3")
    question = replace(asked(load_rules(overrides=overrides), 3, 0), effort=Effort(iterations=2, threads=1))
    assert solved(question).tie_breaks == "no decks"


@pytest.mark.kernels
def test_days_before_the_last_are_solved_for_what_their_end_is_worth() -> None:
    """A lead of ten ends the match, whatever the curve says; one card each leaves no choice.

    What is placed is not kept: a price of it changes nothing.
    """
    rules = load_rules(overrides=(*decks("B", "S"), "match.hand_size=2", "match.row_length=2"))
    for lead, expected in ((0, np.tanh(0.6)), (8, 1.0), (-5, np.tanh(-0.4))):
        prices = (1.5, *(0.0,) * (len(TYPES) - 1)) if lead else (0.0,) * len(TYPES)
        worth = Worth(2, 0.4, prices, "nobody")
        standing = replace(asked(rules, lead, 0).standing, day=2)
        report = solved(replace(asked(rules, 0, 0), standing=standing, worth=worth))
        (answer,) = report.answers
        assert answer.win.mean == pytest.approx((1.0 + expected) / 2.0, abs=1e-3)
        assert (report.tie_breaks, report.worth) == ("later", "nobody")


@pytest.mark.kernels
def test_both_players_views_add_up_and_a_seen_discard_is_part_of_it() -> None:
    rules = tiny("BSSP", "BBSP")
    views = [solved(asked(rules, 0, 0, player)).answers[0].win for player in (0, 1)]
    assert views[0].mean + views[1].mean == pytest.approx(1.0, abs=1e-3)
    question = asked(rules, 3, 0, exchange=True)
    report = solved(question)
    assert (report.decision, report.tie_breaks) == ("exchange", "no decks")
    assert {card.card for card in report.answers[0].cards} == {"basher", "slasher", "prodder", "nothing"}


@pytest.mark.kernels
def test_late_days_are_not_learned_slowly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where hands are nearly known each has to mix at the last placement, too: hedging learns that slowly.

    Lazy updates leave alone most of the tree as long as strategies are wild.
    """
    standing = parse_standing("day 3, score 5:6, left B1S1P2C1T1:B2S1P1H1T1", BOX)
    effort = Effort(iterations=40, threads=1)
    question = LastDayQuestion(BOX, "solennos", ("two-bashers",), standing, 0, None, effort)
    gap = solved(question).answers[0].nash_conv_win
    monkeypatch.setattr(solving, "EXPAND_BYTES", 0)
    assert gap < solved(question).answers[0].nash_conv_win / 3.0


def test_standings_are_read_and_written() -> None:
    standing = parse_standing(EXAMPLE, BOX)
    assert (standing.day, standing.score, standing.cheers) == (3, (4, 6), (1, 0))
    assert standing.left[0] == (2, 3, 1, 1, 0, 0, 0, 2)
    assert parse_standing(standing.text, BOX) == standing
    assert parse_standing("left bb s:T2 , score 0:0, DAY 3", BOX).left[0][:2] == (2, 1)
    assert parse_standing("day 3, score 1:0, left B2:S2, hidden 1:0", BOX).hidden == (1, 0)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "begins with none of day, score"),
        ("day 3, score 4:6", "does not say left"),
        ("day 3, score 4:6, left B1:S1, day 2", "'day' twice"),
        ("day x, score 4:6, left B1:S1", "instead of a number"),
        ("day 4, score 4:6, left B1:S1", "no day 4"),
        ("day 3, score 4, left B1:S1", "with a colon between"),
        ("day 3, score 4:-1, left B1:S1", "'-1' is no number"),
        ("day 3, score 14:1, left B1:S1", "has won the match already"),
        ("day 3, score 4:1, cheers 2:1, left B1:S1", "3 cheers cards are taken"),
        ("day 3, score 4:1, left B1Q2:S1", "'Q2' is no card"),
        ("day 3, score 4:1, left B5:S1", "5 × basher left"),
        ("day 3, score 4:1, left :S1", "no card"),
        ("day 3, score 4:1, left -:-", "nobody has a card left"),
        ("day 3, score 4:1, left B1:S1, hidden 1:0", "none would be in hand"),
    ],
)
def test_standings_that_make_no_sense_are_refused(text: str, reason: str) -> None:
    with pytest.raises(RequestError, match=reason):
        parse_standing(text, BOX)


def test_only_the_last_day_is_solved() -> None:
    with pytest.raises(RequestError, match="is not the last one"):
        check_last_day(parse_standing("day 2, score 4:6, left B1:S1", BOX), BOX)
    with pytest.raises(RequestError, match="3 cheers cards lie on the table and 1 are taken"):
        check_table(parse_standing("day 3, score 4:6, cheers 1:0, left B1:S1", BOX), 3)


def random_match(rules: Rules, seed: int) -> list[Played]:
    """Moves of a match up to the discards of its second day."""
    state, rng, steps = reference.start_match(rules), random.Random(seed), []
    nothing = ((0,) * len(TYPES), (0,) * len(TYPES))
    while state.day == 0 or CHANCE in reference.deciders(state):
        outcomes = reference.chance_outcomes(state)
        if outcomes:
            state = reference.step(state, rng.choice(outcomes)[0])
            continue
        move = [NOTHING, NOTHING]
        for player in reference.deciders(state):
            move[player] = rng.choice(reference.legal_actions(state, player))
        steps.append(Played(state, (move[0], move[1]), nothing, ()))
        state = reference.step(state, (move[0], move[1]))
    return steps


def counted(steps: list[Played], rules: Rules, player: int) -> dict[tuple[int, ...], float]:
    """How likely each hand is for who plays any card he may, each as likely: by counting every deck."""
    found: dict[tuple[int, ...], float] = {}
    deck = [kind for kind, card in enumerate(rules.cards) for _ in range(card.copies[player])]
    for order in permutations(deck):
        _deal(list(order), [], 1.0, steps, player, rules.match.hand_size, found)
    total = sum(found.values())
    return {hand: weight / total for hand, weight in found.items()}


def _deal(
    order: list[int],
    held: list[int],
    weight: float,
    steps: list[Played],
    player: int,
    size: int,
    found: dict[tuple[int, ...], float],
) -> None:
    while len(held) < size and order:
        held.append(order.pop(0))
    while steps and player not in reference.deciders(steps[0].state):
        steps = steps[1:]
    if not steps:
        hand = tuple(held.count(kind) for kind in range(len(TYPES)))
        found[hand] = found.get(hand, 0.0) + weight
        return
    state, move = steps[0].state, steps[0].move
    assert not isinstance(move, int)
    kinds = sorted(set(held))
    if state.phase == Phase.PREPARE:
        if move[player] == NOTHING:
            _deal(order[:], held[:], weight / (len(kinds) + 1), steps[1:], player, size, found)
            return
        weight /= len(kinds) + 1
    else:
        weight /= len(kinds)
    for kind in kinds:
        if kind == move[player] or state.phase == Phase.DEADEYE:
            rest = held[:]
            rest.remove(kind)
            _deal(order[:], rest, weight, steps[1:], player, size, found)


@pytest.mark.parametrize("seed", range(4))
def test_beliefs_along_a_match_are_what_counting_every_deck_gives(seed: int) -> None:
    """Discards, hidden cards, decks that run dry. Whom the real cards belong to makes no difference."""
    rules = load_rules(
        overrides=(*decks("BSDDP", "BSVDT"), "match.days=2", "match.hand_size=3", "match.row_length=2")
    )
    free = next(each for each in rules.patrons if not each.forbidden)
    patrons = tuple(msgspec.structs.replace(free, id=name, row_length=None) for name in ("one", "other"))
    rules = msgspec.structs.replace(rules, patrons=patrons)
    steps = random_match(rules, seed)
    beliefs, pools, hidden = follow_match(steps, rules, UniformReader())
    for player in (0, 1):
        assert beliefs.hands[player] == pytest.approx(counted(steps, rules, player))
        held = sum(next(iter(beliefs.hands[player])))
        assert held == min(3, sum(pools[player]) - hidden[player])
