"""Parts of what solves the last day: worth between days, refusals, chances, where a day begins."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from analysis.errors import RequestError
from analysis.ragers.answers.solving import Effort
from analysis.ragers.last_day import solving
from analysis.ragers.last_day.followed import Followed, before_combat, day_of_state, followed
from analysis.ragers.last_day.solving import (
    LastDayQuestion,
    as_chance,
    chance,
)
from analysis.ragers.last_day.standings import (
    parse_standing,
)
from analysis.ragers.last_day.worth import Worth, carried_path, read_worth, worth_of
from analysis.ragers.match.report import KnownFigures, read_report
from analysis.ragers.play.opponents import Greedy, Uniform
from analysis.ragers.play.transcript import Game, Header, replay
from engine.ragers.reference import CHANCE, NOTHING, Phase, deciders, is_over, legal_actions
from engine.ragers.rules import TYPES, load_rules

BOX = load_rules()


def test_what_a_match_is_worth_grows_with_the_lead_and_with_cards_left() -> None:
    """At a slope of ln 3 for each GP a lead of one is odds of 3 to 1: three in four, worth a half."""
    worth = Worth(2, float(np.log(3.0)), (2.0, 0.5, *(0.0,) * 6), "nobody")
    values = worth.value(np.array([0.0, 1.0, -1.0, 2.0]))
    assert values == pytest.approx([0.0, 0.5, -0.5, 0.8])
    own, opp = (3, 1, *(0,) * 6), (1, 4, 7, *(0,) * 5)
    assert worth.lead_of_cards((own, opp)) == pytest.approx(2.0 * 2 - 3 * 0.5)
    assert worth.lead_of_cards((opp, own)) == pytest.approx(-2.5)
    assert worth.costs == (4, 1, *(0,) * 6)


def carried() -> KnownFigures:
    [figures] = read_report(carried_path(), "--worth").figures
    return figures


def test_carried_figures_tell_what_days_are_worth_and_only_for_their_rules(tmp_path: Path) -> None:
    figures = carried()
    for day in (2, 3):
        worth = read_worth(None, BOX, day)
        assert worth == worth_of(figures, day)
        before = figures.days[day - 1]
        assert before.gp_win.mean is not None
        # At no lead, a little lead moves the chance of winning as the figures say.
        near = (1.0 + worth.value(np.array([-1e-4, 1e-4]))) / 2.0
        assert (near[1] - near[0]) / 2e-4 == pytest.approx(before.gp_win.mean, rel=1e-3)
        assert worth.prices == tuple(card.gp.mean for card in before.cards)
        assert worth.day == day
    with pytest.raises(RequestError, match="nothing is known of what a lead is worth"):
        read_worth(None, load_rules(overrides=("match.winning_lead=7",)), 2)
    for day in (1, 4):
        with pytest.raises(RequestError, match=f"before day {day} is worth"):
            worth_of(figures, day)
    unknown = msgspec.structs.replace(
        figures.days[1],
        cards=[
            msgspec.structs.replace(card, gp=msgspec.structs.replace(card.gp, mean=None))
            for card in figures.days[1].cards
        ],
    )
    few = msgspec.structs.replace(figures, days=[unknown])
    assert worth_of(few, 2).prices == (0.0,) * len(TYPES)
    file = tmp_path / "few.json"
    other = msgspec.structs.replace(
        figures, rules=msgspec.structs.replace(figures.rules, sha256="other"), days=[]
    )
    file.write_bytes(msgspec.json.encode({"figures": [other, few]}))
    assert read_worth(file, BOX, 2) == worth_of(few, 2)


def question(text: str = "day 3, score 4:6, left B2S2P2:B1S1T1", **changes: Any) -> LastDayQuestion:
    standing = parse_standing(text, BOX)
    effort = Effort(iterations=1, threads=1)
    asked = LastDayQuestion(BOX, "solennos", ("two-bashers",), standing, 0, None, effort)
    return replace(asked, **changes)


def test_questions_of_a_day_of_a_match_are_checked() -> None:
    question().check()
    early = "day 2, score 4:6, left B2S2P2:B1S1T1"
    with pytest.raises(RequestError, match="is not the last one"):
        question(early).check()
    worth = Worth(3, 0.3, (0.0,) * len(TYPES), "nobody")
    question(early, worth=worth).check()
    assert (question().is_last, question(early).is_last) == (True, False)
    with pytest.raises(RequestError, match="is in GP"):
        question(effort=Effort(target_gp=0.1)).check()
    with pytest.raises(RequestError, match="un-merged"):
        question(effort=Effort(method="merged")).check()
    hand = (2, 2, 1, *(0,) * 5)
    question(hand=hand).check()
    question(hand=(1, 1, 0, 0, 0, 0, 1, 0), player=1).check()
    with pytest.raises(RequestError, match="3 × basher, but left are 2"):
        question(hand=(3, 1, 1, *(0,) * 5)).check()
    with pytest.raises(RequestError, match="but left are 0"):
        question(hand=(0, 0, 1, 0, 0, 0, 1, 1), player=1).check()


def test_cards_that_are_gone_cannot_be_held() -> None:
    """Of six cards a Basher is placed and a Slasher put away: four are left, all of them in hand."""
    placed, away = (1, *(0,) * 7), (0, 1, *(0,) * 6)
    question(hand=(1, 1, 2, *(0,) * 5)).check((placed, away))
    with pytest.raises(RequestError, match="a hand is 4 cards"):
        question(hand=(1, 1, 1, *(0,) * 5)).check((placed, away))
    with pytest.raises(RequestError, match="2 × basher, but 1 is left; you placed one"):
        question(hand=(2, 1, 1, *(0,) * 5)).check((placed, away))
    with pytest.raises(RequestError, match="2 × slasher, but 1 is left; you put one away"):
        question(hand=(1, 2, 1, *(0,) * 5)).check((placed, away))
    question(hand=(1, 2, 2, *(0,) * 5)).check((placed, ()))


def test_chances_of_both_players_are_the_same_interval_seen_from_both_sides() -> None:
    """Best responses of 0.2 and -0.1 bracket the value between 0.1 and 0.2: chances of 55 to 60 %."""
    first, second = (chance((0.2, -0.1), 0.1, player) for player in (0, 1))
    assert (first.low, first.mean, first.high) == pytest.approx((0.55, 0.575, 0.6))
    assert (second.low, second.mean, second.high) == pytest.approx((0.4, 0.425, 0.45))
    # What rounding adds to NashConv widens both ends alike.
    wide = chance((0.2, -0.1), 0.3, 0)
    assert (wide.low, wide.high) == pytest.approx((0.5, 0.65))
    # Best responses that are less than nothing together are rounding.
    crossed = chance((0.1, -0.12), 0.0, 0)
    assert (crossed.low, crossed.high) == pytest.approx((0.56, 0.55))
    sure = chance((1.2, -0.9), 0.4, 0)
    assert (sure.low, sure.high) == pytest.approx((0.925, 1.0))
    none = chance((-0.9, 1.3), 0.5, 0)
    assert (none.low, none.high) == pytest.approx((0.0, 0.075))
    assert [as_chance(value) for value in (-1.1, -1.0, 0.0, 0.5, 1.0, 1.1)] == [0.0, 0.0, 0.5, 0.75, 1.0, 1.0]


def test_means_over_hands_leave_out_those_nobody_holds() -> None:
    values, weights = np.array([0.5, -np.inf, -0.5]), np.array([3.0, 0.0, 1.0])
    assert solving._mean_chance(values, weights) == pytest.approx(0.625)
    assert solving._mean_chance(values, np.zeros(3)) is None


def match_of(seed: int, both: Any) -> list[Game]:
    """A match of one player with itself, as it stands at each decision, without chance; then its end."""
    game = Game.begin(Header(BOX, None, True, seed % 2, "test", seed))
    found = []
    while True:
        game.chance()
        found.append(replace(game, moves=list(game.moves), _played=list(game.steps())))
        if is_over(game.state):
            return found
        move = [NOTHING, NOTHING]
        for player in deciders(game.state):
            move[player] = both.choose(game.view(player), game.dice(str(player)))
        game.go((move[0], move[1]))


@pytest.mark.parametrize("seed", [1, 4])
def test_a_match_is_followed_to_the_combat_of_its_day(seed: int) -> None:
    stages = match_of(seed, Uniform())[:-1]
    assert {game.state.day for game in stages} >= {0, 1}
    for game in stages[:: 3 if len(stages) > 20 else 1]:
        state, steps = game.state, game.steps()
        match = Followed(replay(game.text()), before_combat(steps, state.day))
        assert match.state == state
        assert match.player == seed % 2
        assert match.is_last_day == (state.day == 2)
        assert match.day == day_of_state(state)
        assert match.discards_due == (state.phase == Phase.PREPARE)
        # Moves before combat end where cards of this day begin; all of them if there are none yet.
        first = next((number for number, each in enumerate(steps) if placed_on(each, state.day)), len(steps))
        assert len(match.before) == first
        assert match.has_begun == (first < len(steps))
        view = match.view()
        assert view.past == tuple(
            (each.state, each.move)
            for each in steps
            if each.state.day == state.day and not isinstance(each.move, int)
        )
        assert (view.player, match.buried) == (seed % 2, game.buried)


def placed_on(each: Any, day: int) -> bool:
    placing = each.state.phase in (Phase.PLACE, Phase.VETERAN, Phase.DEADEYE)
    return bool(each.state.day == day and placing and not isinstance(each.move, int))


def test_only_matches_that_stand_at_a_decision_are_followed(tmp_path: Path) -> None:
    file = tmp_path / "match.txt"
    stages = match_of(2, Greedy())
    file.write_text(stages[3].text(), encoding="utf-8")
    assert followed(file).state == stages[3].state
    file.write_text(stages[-1].text(), encoding="utf-8")
    with pytest.raises(RequestError, match="the match is over"):
        followed(file)
    begun = Game.begin(Header(BOX, None, True, 0, "test", 1))
    assert deciders(begun.state) == (CHANCE,)
    file.write_text(begun.text(), encoding="utf-8")
    with pytest.raises(RequestError, match="where chance has a move"):
        followed(file)
    day = Game.begin(Header(BOX, ("solennos", "two-bashers"), False, 0, "test", 1))
    day.chance()
    assert legal_actions(day.state, 0)
    file.write_text(day.text(), encoding="utf-8")
    with pytest.raises(RequestError, match="of a single day"):
        followed(file)
