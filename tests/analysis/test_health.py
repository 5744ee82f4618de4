"""What balance says of a day, and what a hand is told, on answers to tiny days that are made up here."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np
import pytest

from analysis.ragers.answers import hand_table, health, report
from analysis.ragers.answers.answer import NOTHING, NUM_TYPES
from analysis.ragers.answers.answered import Answered
from analysis.ragers.naive import greedy_attack
from engine.ragers.rules import PLAYERS, TYPES, VETERAN
from tests.analysis.made_answers import Made, sampled

DECKS = [("BBSV", "BBSV"), ("BSPP", "BBSV"), ("BBSPXV", "BSPPT")]
CASES = [(*each, preparation) for each in DECKS for preparation in ("none", "redraw", "seen")]
UNEQUAL = [case for case in CASES if case[0] != case[1]]


def made(first: str, second: str, preparation: str, **numbers: Any) -> Made:
    """Return an answer with sampled days, in which the first player does better."""
    found = Made(first, second, preparation)
    later = [0.3, 0.2, 0.1] + [0.0] * (NUM_TYPES - 2)
    found.change(
        usage=[[*found.answer.usage[0], later], [*found.answer.usage[1], later[::-1]]],
        outcome=(0.5, 0.125, 0.25, 0.125),
        mean_gp=(5.0, 4.0),
        value_gp=1.0,
        profile=sampled(cheers=(0.3, 0.2, 0.1, 0.4)),
        **numbers,
    )
    return found


# ---- seats -------------------------------------------------------------------------------------------------


def line_of(answered: Answered, player: int) -> list[health.HandLine]:
    return [*hand_table.extremes(answered, player), *hand_table.likeliest(answered, player, 20)]


def hand_of(answered: Answered, player: int) -> report.HandReport:
    assert answered.strategy is not None
    row = int(np.argmax(answered.strategy.deal_probability[player]))
    return report.hand_report(answered, tuple(answered.strategy.hands[row].tolist()), player)


def without_names(value: Any) -> Any:
    """Return a report as plain values, without the seats' names and what depends on the rules' hash."""
    plain = msgspec.to_builtins(value)

    def cut(each: Any) -> Any:
        if isinstance(each, dict):
            names = {PLAYERS[0]: 0, PLAYERS[1]: 0}
            return {
                key: cut(one) for key, one in each.items() if key not in ("player", "rules_sha256", *names)
            }
        return [cut(one) for one in each] if isinstance(each, list) else each

    return cut(plain)


@pytest.mark.parametrize(("first", "second", "preparation"), UNEQUAL)
@pytest.mark.parametrize(
    "figure",
    [
        health.scenario_health,
        line_of,
        hand_of,
        report.scenario_report,
    ],
    ids=["health", "hands", "hand", "scenario"],
)
def test_what_one_seat_is_told_is_what_the_other_is_with_seats_swapped(
    figure: Callable[[Answered, int], Any], first: str, second: str, preparation: str
) -> None:
    found = made(first, second, preparation)
    for player in (0, 1):
        mine = without_names(figure(found.answered(), player))
        theirs = without_names(figure(found.swapped(), 1 - player))
        assert repr(mine).replace("-0.0", "0.0") == repr(theirs).replace("-0.0", "0.0")


# ---- health ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("first", "second", "preparation"), CASES)
def test_health_is_what_plain_counting_gives(first: str, second: str, preparation: str) -> None:
    made_up = made(first, second, preparation)
    strategy, answer = made_up.strategy, made_up.answer
    variances = []
    for player in (0, 1):
        deal = strategy.deal_probability[player]
        worth = [made_up.dealt_worth(player, row) for row in range(len(deal))]
        mean = sum(p * w for p, w in zip(deal, worth, strict=True))
        variances.append(sum(p * (w - mean) ** 2 for p, w in zip(deal, worth, strict=True)))
        found = health.scenario_health(made_up.answered(), player)
        assert (found.hand_luck_gp is None) == (preparation == "seen")
        if found.hand_luck_gp is not None:
            assert found.hand_luck_gp == pytest.approx(math.sqrt(variances[-1]))
        for t, name in enumerate(TYPES):
            card = found.cards[name]
            holds = strategy.hands[:, t] > 0
            assert card.held == pytest.approx(strategy.reach[player][holds].sum())
            assert card.opening == answer.opening_mix[player][t]
            assert card.opened_when_held == (
                pytest.approx(card.opening / card.held) if card.held > 0 else None
            )
            assert card.placed == [step[t] for step in answer.usage[player]]
            assert answer.profile is not None
            assert card.gp == answer.profile.card_gp[player][t]
            assert (card.verdict == "forbidden") == (t == VETERAN)
            chance = deal[holds].sum()
            if preparation == "seen" or chance == 0:
                assert card.with_it_gp is None
                continue
            there = sum(deal[row] * worth[row] for row in np.flatnonzero(holds)) / chance
            assert card.with_it_gp == pytest.approx(there - mean)
        costs = (found.plan_opening_gp, found.uniform_opening_gp, found.greedy_opening_gp)
        if preparation == "seen":
            assert costs == (None, None, None)
            continue
        lost = [0.0, 0.0]
        for row, reach in enumerate(strategy.reach[player]):
            ev = {
                action: float(x)
                for action, x in enumerate(strategy.opening_ev[player, row])
                if not math.isnan(x)
            }
            hand = strategy.hands[row].tolist()
            greedy = greedy_attack(
                hand, [action for action in ev if action != NOTHING], made_up.scenario.rules
            )
            for number, chosen in enumerate(([*ev], greedy or (NOTHING,))):
                lost[number] += reach * (
                    max(ev.values()) - sum(ev[action] for action in chosen) / len(chosen)
                )
        assert costs == pytest.approx((0.0, *lost), abs=1e-9)
    sampled_health = health.scenario_health(made_up.answered(), 1).sampled
    assert sampled_health is not None
    gp = made_up.scenario.cheers.gp
    assert sampled_health.cheers_swing_gp == pytest.approx(0.5 * gp)
    assert sampled_health.loss_gp == dict.fromkeys(sampled_health.loss_gp, -0.75)
    assert sampled_health.loss_error_gp == dict.fromkeys(sampled_health.loss_gp, 0.2)
    if preparation != "seen":
        assert sampled_health.deal_share == pytest.approx(sum(variances) / 9.0)
    still = made(first, second, preparation)
    still.change(profile=sampled(deviation_gp=0.0))
    nothing = health.scenario_health(still.answered(), 0).sampled
    assert nothing is not None
    assert nothing.deal_share is None


def test_where_each_card_has_a_price_the_worth_of_one_more_is_that() -> None:
    """A hand is worth what its best card is; hands are priced here so that this is the sum of all prices."""
    made_up = Made("BBSSPPXX", "BBSV", "none")
    price = np.array([0.5, 1.0, 1.25, 0.0, 3.0, 0.0, 0.0, 0.0])
    ev = made_up.strategy.opening_ev
    for row, hand in enumerate(made_up.strategy.hands):
        ev[0, row][~np.isnan(ev[0, row])] = hand @ price
    made_up.settle()
    found = health.scenario_health(made_up.answered(), 0)
    average = (0.5 + 1.0 + 1.25 + 3.0) / 4
    for name, t in (("basher", 0), ("slasher", 1), ("prodder", 2), ("cheater", 4)):
        assert found.cards[name].worth_gp == pytest.approx(price[t] - average)
    assert found.cards["stopper"].worth_gp is None
    assert found.explained == pytest.approx(1.0)
    # Hands that are all worth the same explain nothing, and are no luck.
    ev[0][~np.isnan(ev[0])] = 2.0
    made_up.settle()
    same = health.scenario_health(made_up.answered(), 0)
    assert same.hand_luck_gp == pytest.approx(0.0, abs=1e-12)


# ---- hands -------------------------------------------------------------------------------------------------


def test_the_best_hands_the_worst_and_the_likeliest() -> None:
    for first, count in (("BBSV", 2), ("BBSSPPCCXXV", 5)):
        found = Made(first, "BBSV", "redraw")
        deal = found.strategy.deal_probability[0]
        rows = [int(row) for row in np.flatnonzero(deal > 0)]
        letters = {row: hand_table.letters_of(found.strategy.hands[row].tolist()) for row in rows}
        worth = {row: found.dealt_worth(0, row) for row in rows}
        ranked = sorted(rows, key=lambda row: (-round(worth[row], 9), row))
        lines = hand_table.extremes(found.answered(), 0)
        assert len(lines) == 2 * count
        worths = [line.worth_gp for line in lines]
        assert worths == pytest.approx([worth[row] for row in (*ranked[:count], *ranked[-count:])])
        by_letters = {line.letters: line for line in hand_table.likeliest(found.answered(), 0, 99)}
        assert set(by_letters) == set(letters.values()), "none that cannot be dealt"
        for row in rows:
            line = by_letters[letters[row]]
            assert line.dealt == deal[row]
            assert line.worth_gp == pytest.approx(worth[row])
        top = hand_table.likeliest(found.answered(), 0, 3)
        assert [line.dealt for line in top] == sorted(deal, reverse=True)[:3]


# ---- a hand that is asked about ----------------------------------------------------------------------------


def test_what_a_hand_exchanges_and_opens_with_then() -> None:
    """Half of the time a Basher is put away; of the four cards left, two are Prodders."""
    found = Made("BBSSPP", "BBSV", "redraw")
    row = found.row(0, 1)
    exchange = found.strategy.preparation_mix
    assert exchange is not None
    exchange[0, row] = [0.5, 0.009, *[0.0] * 6, 0.491]
    found.strategy.opening[0, found.row(1, 2), :3] = 0.0, 1.0, 0.0
    told = report.hand_report(found.answered(), (1, 1, 0, 0, 0, 0, 0, 0), 0)
    assert told.cards == ["basher", "slasher"]
    assert told.discard == pytest.approx({"keep": 0.491, "basher": 0.5, "slasher": 0.009})
    assert told.dealt == pytest.approx(4 / 15)
    assert set(told.ev_gp) == set(told.mix) == {"basher", "slasher"}
    assert [(each.put_away, each.drawn, each.probability) for each in told.then] == [
        ("basher", "basher", 0.25),
        ("basher", "slasher", 0.25),
        ("basher", "prodder", 0.5),
        (None, None, 1.0),
    ]
    assert told.then[2].cards == ["slasher", "prodder"]
    assert told.then[2].mix == {"slasher": 1.0}
    with pytest.raises(ValueError, match="does not know the hand"):
        report.hand_report(found.answered(), (3, 0, 0, 0, 0, 0, 0, 0), 0)
    # In a deck that is all in hand nothing can be drawn.
    whole = Made("BS", "BBSV", "redraw")
    alone = report.hand_report(whole.answered(), (1, 1, 0, 0, 0, 0, 0, 0), 0)
    assert [(each.put_away, each.drawn) for each in alone.then] == [(None, None)]
    # Worths are not known of a solve that was left early; what is played is told all the same.
    whole.strategy.opening_ev[:] = np.nan
    early = report.hand_report(whole.answered(), (1, 1, 0, 0, 0, 0, 0, 0), 0)
    assert early.ev_gp == {}
    assert len(early.mix) == 1
