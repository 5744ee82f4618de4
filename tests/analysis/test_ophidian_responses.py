"""An attack into a hidden hand: values are plain averages where only one side holds cards."""

from __future__ import annotations

from math import comb

import pytest

from analysis.front.asking import function_of
from analysis.ophidian.fights import announced_attack, position
from analysis.ophidian.game import GAME
from analysis.ophidian.response_game import ATTACK, Hidden, ResponseQuestion, parse_pool
from analysis.ophidian.responses import solved
from engine.ophidian.rules import load_rules

pytestmark = pytest.mark.kernels


def test_an_attack_that_wins_the_match_is_no_amount() -> None:
    ask = function_of(GAME.question("solve"))
    fight = {"team": "Thorn, Runt", "against": "Tempest, Scrap", "attack": "Thorn>Tempest", "cheer": "14:0"}
    found = ask(**fight, hidden="dread 3, other 48", wave=2)
    page = found.page()
    assert page.headline == "Thorn attacks Tempest, wave 2: do it: the match is won."
    assert "+12" not in page.headline


@pytest.mark.parametrize(("unseen", "dares"), [(40, True), (30, False)])
def test_an_attack_that_gains_a_point_and_loses_one_if_answered(unseen: int, dares: bool) -> None:
    rules = load_rules()
    team, against = "Mirror Witch w3 L3, Scrap w4 L2", "Saw-Hand w4, G'frhtru@S w7 L3"
    state = position(team, against, wave=3, cheer="1:4")
    attack = announced_attack(state, "Mirror Witch > Saw-Hand", "--attack")
    pool = parse_pool(rules, f"sidestep 3, other {unseen - 3}", "--hidden")
    hidden = Hidden((("other", 1),), 0, 11), Hidden(pool, 7, 11)
    report = solved(ResponseQuestion(state, attack, hidden))
    held = 1 - comb(unseen - 3, 7) / comb(unseen, 7)
    (threshold,) = report.thresholds
    assert threshold.held == pytest.approx(held)
    assert threshold.wrong_from == pytest.approx(0.5)
    assert (held < 0.5) is dares
    assert (report.attack_value, report.otherwise) == (pytest.approx(1 - 2 * held), 0.0)
    assert report.value == pytest.approx(max(1 - 2 * held, 0.0))
    assert (report.decisions[0].mix.get(ATTACK, 0.0) > 0.5) is dares
    assert report.nash_conv <= 1e-6
