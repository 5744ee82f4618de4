"""Whole games: set-ups by chance, what is kept, solo play; players and exact tables of outcomes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from analysis.clash.contest import Games, Solo, contest
from analysis.clash.game import GAME
from analysis.clash.setup import RULE, SEARCH, Random, Setup, SoloSetup
from analysis.front import contest as contests
from analysis.front.asking import function_of
from analysis.front.contest import Deals
from engine.clash.rules import load_rules

SHORT = load_rules((), ["match.max_rounds=2"])
match: Any = function_of(GAME.question("match"))


def solo(**asked: Any) -> Any:
    return match(**{"solo": ["all"], "deals": 20} | asked)


class Known:
    """Solo games that need no time: the first player wins at all difficulties but the last."""

    deals_at_once = 1
    depends_on = ""

    def __init__(self) -> None:
        self.played: list[int] = []

    def play(self, first: int, count: int, seed: int, stop: object = None) -> Deals:
        self.played.append(first)
        return Deals(won=[[[1.0], [0.0]]], tallies={"rounds": {"easy": (1, 4.0), "difficult": (1, 5.0)}})


def test_solo_play_that_is_stopped_has_games_of_each_difficulty(monkeypatch: pytest.MonkeyPatch) -> None:
    from analysis.front.question import Running
    from analysis.interrupt import Interrupt

    known, interrupt = Known(), Interrupt()

    def noted(phase: str, done: int, total: int) -> None:
        interrupt.requested = done == 2

    monkeypatch.setattr(contests, "_contest", lambda task: known)
    asked = {
        "player": "rule",
        "clan": ["bohorg", "tomb"],
        "solo": ["easy", "difficult"],
        "no_first": True,
    }
    found = solo(**asked, deals=4, running=Running(note=noted, interrupt=interrupt))
    assert known.played == [0, 1]
    assert (found.complete, found.deals) == (False, 2)
    assert [each.won.mean for each in found.difficulties] == [1.0, 0.0]
    assert [each.rounds for each in found.difficulties] == [4.0, 5.0]
    assert [clan.name for clan in found.difficulties[0].by_clan] == ["bohorg", "tomb"]
    assert [clan.won.observations for clan in found.difficulties[0].by_clan] == [1, 1]
    assert any("2 of 4 deals are finished" in note for note in found.page().notes)


# -- real games -----------------------------------------------------------------------------------------


@pytest.mark.kernels
def test_what_was_played_before_in_this_process_changes_no_game() -> None:
    rules = load_rules()

    def played(game: Solo) -> list[Deals | None]:
        return [game.play(deal, 1, 5) for deal in range(4)]

    one = SoloSetup(clan=("tomb",), difficulties=("medium",))
    first = played(Solo(rules, one, (RULE,)))
    both = Solo(rules, one, (RULE,))
    easy = Solo(rules, SoloSetup(clan=("tomb",), difficulties=("easy",)), (RULE,))
    easy._tables = both._tables
    played(easy)
    assert played(both) == first


@pytest.mark.kernels
def test_a_deal_depends_on_its_number_and_the_seed_only() -> None:
    game = contest(SHORT, Setup(), (SEARCH.__class__(playouts=4), Random()))
    assert isinstance(game, Games)
    three = game.play(0, 3, 3)
    last = game.play(2, 1, 3)
    assert three is not None
    assert last is not None
    assert three.won[2:] == last.won
    assert game.play(0, 1, 3, lambda: True) is None


@pytest.mark.kernels
def test_B12_a_battle_without_end_is_left() -> None:
    from analysis.clash.outcomes import OutcomeTables
    from engine.clash import kernel_fighters as kf
    from engine.clash.board import scenario
    from engine.clash.kernel_rules import army, kernel_rules

    rules = load_rules((), ["battle.rage_limit=0", "battle.sparing=false"])
    compiled = kernel_rules(rules, scenario(rules, ["bohorg", "tomb"]))
    numbers = np.zeros(kf.NUM_NUMBERS, np.int64)
    for side in (0, 1):
        numbers[side * kf.SIDE : side * kf.SIDE + kf.NUM_PARTS] = (1, 9, 0, 0, 9, 0, side)
    kf.set_armies(compiled, army((1, 0, 0)), army((1, 0, 0)), True, numbers)
    kf.forget_absent(numbers)
    table = OutcomeTables(rules).table(numbers)
    assert table.outcomes.tolist() == [1 | 1 << 12 | kf.FLED | kf.ATTACKER_FLED]
    assert int(kf.roll_battle(compiled, numbers, np.array([1], np.int64))) == int(table.outcomes[0])
