"""Who plays whole games of Clash of Rage: seats and luck, what is searched, tables of battles."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from analysis.clash import outcomes
from analysis.clash.contest import Games
from analysis.clash.maps import check_tiles, num_tiles, tiles_of_deal
from analysis.clash.outcomes import OutcomeTables
from analysis.clash.setup import RULE, Random, Rule, Setup
from analysis.errors import RequestError
from engine.clash import kernel_fighters as kf
from engine.clash import layout
from engine.clash.board import scenario
from engine.clash.fighters import fighter
from engine.clash.kernel_rules import army, kernel_rules
from engine.clash.rules import load_rules
from tests.analysis.battles import battle

RULES = load_rules()
SOON = load_rules((), ["match.max_rounds=4", "match.points=2"])
"""Somebody wins before long, or nobody."""

# -- what needs no game ---------------------------------------------------------------------------------


def test_as_many_different_tiles_as_players_and_two_at_least() -> None:
    assert [num_tiles(number) for number in (1, 2, 3, 4)] == [2, 2, 3, 4]
    for number in (1, 2, 3, 4):
        for deal in range(20):
            tiles = tiles_of_deal(RULES, None, number, 5, deal)
            check_tiles(tiles, number)
            assert len({tile[:-1] for tile in tiles}) == len(tiles) == max(2, number)
    assert {tile[-1] for deal in range(20) for tile in tiles_of_deal(RULES, None, 2, 5, deal)} == {"a", "b"}
    for tiles, number in ((("1a",), 1), (("1a", "2b", "3a"), 2), (("1a", "1b", "2a"), 3)):
        with pytest.raises(RequestError, match="different tiles, not 1a"):
            check_tiles(tiles, number)


# -- games ----------------------------------------------------------------------------------------------


def turned(won: list[list[float]]) -> list[list[float]]:
    """What players won by rotation if each sits down one seat further on."""
    size = len(won)
    return [
        [won[(rotation + 1) % size][(player + 1) % size] for player in range(size)]
        for rotation in range(size)
    ]


@pytest.mark.kernels
@pytest.mark.parametrize("seats", [(RULE, Random()), (RULE, Random(), Rule(city=0.0))])
def test_whoever_is_named_first_the_same_games_are_played(seats: tuple[Any, ...]) -> None:
    size, deals = len(seats), 5 - len(seats)
    found = Games(SOON, Setup(), seats).play(0, deals, 4)
    other = Games(SOON, Setup(), (*seats[1:], seats[0])).play(0, deals, 4)
    assert found is not None
    assert other is not None
    assert other.won == [turned(won) for won in found.won]
    assert any(won[0] != won[1] for won in found.won)
    assert other.lengths == found.lengths
    assert sum(found.lengths.values()) == deals * size
    assert other.draws == found.draws
    assert found.draws == sum(len(set(won)) == 1 for deal in found.won for won in deal)
    for group in ("clan", "tiles"):
        expected = {name: pytest.approx(both) for name, both in other.tallies[group].items()}
        assert found.tallies[group] == expected
    for deal in found.won:
        assert [sum(won) for won in deal] == pytest.approx([1.0] * size)
    assert sum(plays for plays, _ in found.tallies["clan"].values()) == deals * size * size
    assert sum(points for _, points in found.tallies["clan"].values()) == pytest.approx(deals * size)
    assert sum(plays for plays, _ in found.tallies["tiles"].values()) == deals * size
    # The first player sits first in the first rotation, the second one in the next.
    first = sum(deal[rotation][rotation] for deal in found.won for rotation in range(size))
    assert sum(points for _, points in found.tallies["tiles"].values()) == pytest.approx(first)
    own = sum(won[0] for deal in found.won for won in deal)
    assert sum(points for _, points in found.tallies["ending"].values()) == pytest.approx(own)
    assert set(found.leads) == set(range(1, max(found.lengths)))
    for time, numbers in found.leads.items():
        later = sum(number for length, number in found.lengths.items() if length > time)
        assert numbers[0] == later
        assert numbers[1] + sum(numbers[3:]) == later
        assert other.leads[time][:3] == pytest.approx(numbers[:3])
        assert other.leads[time][3:] == [*numbers[4:], numbers[3]]


# -- tables ---------------------------------------------------------------------------------------------


def numbers_of(
    own: tuple[int, int, int], other: tuple[int, int, int], rules: Any = RULES, *, elves: bool = False
) -> Any:
    """A battle of Bohorg against Tomb, or elves, as kernels describe it."""
    compiled = kernel_rules(rules, scenario(rules, ["bohorg", "tomb"]))
    numbers = np.zeros(kf.NUM_NUMBERS, np.int64)
    numbers[: kf.SIDE] = np.ravel([fighter(unit) for unit in rules.clan("bohorg").units])
    types = rules.elves if elves else rules.clan("tomb").units
    numbers[kf.SIDE : 2 * kf.SIDE] = np.ravel([fighter(unit) for unit in types])
    kf.set_armies(compiled, army(own), army(other), elves, numbers)
    kf.forget_absent(numbers)
    return numbers


@pytest.mark.kernels
@pytest.mark.parametrize("elves", [False, True])
def test_tables_hold_every_end_of_a_battle(elves: bool) -> None:
    own, other = (2, 0, 1), (1, 1, 0)
    sides = "1 Templar, 1 Elder" if elves else "1 I, 1 II"
    asked = battle("bohorg: 2 I, 1 III", f"{'elves' if elves else 'tomb'}: {sides}", objective="material")
    from analysis.clash.solving import battle_answer

    report = battle_answer(asked)
    table = OutcomeTables(RULES).table(numbers_of(own, other, elves=elves))
    found = dict(zip(table.outcomes.tolist(), np.diff(table.chances, prepend=0.0).tolist(), strict=True))
    expected = {}
    for end in report.ends:
        if end.probability > 1e-12:
            flags = 0 if end.result == "destroyed" else kf.FLED
            flags |= kf.ATTACKER_FLED if end.result == "attacker-fled" else 0
            left, left_other = (army(tuple(counts)) for counts in (end.attacker, end.defender))
            expected[int(left) | int(left_other) << layout.ARMY_BITS | flags] = end.probability
    assert found == pytest.approx(expected, abs=1e-9)
    assert table.chances[-1] == 1.0
    assert table.hold == pytest.approx(report.win, abs=1e-9)
    for side, army_ in enumerate((report.attacker, report.defender)):
        lives = [asked.armies[side].fighters[level].life for level in army_.levels]
        lost = sum(life * each.lost for life, each in zip(lives, army_.types, strict=True))
        assert table.losses[side] == pytest.approx(lost, abs=1e-9)
    assert table.beyond == pytest.approx(0.0, abs=1e-9)


@pytest.mark.kernels
def test_a_battle_that_is_too_large_is_cut_and_its_chances_are_scaled_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    numbers = numbers_of((3, 0, 0), (0, 2, 0))
    tables = OutcomeTables(RULES)
    whole = tables.battle(numbers)
    assert tables.size(numbers) == whole.num_positions
    monkeypatch.setattr(outcomes, "MOST_POSITIONS", whole.num_positions)
    assert tables.battle(numbers).num_positions == whole.num_positions
    monkeypatch.setattr(outcomes, "MOST_POSITIONS", whole.num_positions - 1)
    less = tables.battle(numbers)
    assert less.num_positions < whole.num_positions
    assert max(less.cuts) == max(whole.cuts) - 1
    monkeypatch.setattr(outcomes, "MOST_POSITIONS", 1)
    cut = tables.battle(numbers)
    assert max(cut.cuts) == 2
    assert tables.size(numbers) == whole.num_positions
    exact, table = OutcomeTables(RULES), tables.table(numbers)
    assert table.beyond > 0.0
    assert table.chances[-1] == 1.0
    monkeypatch.setattr(outcomes, "MOST_POSITIONS", whole.num_positions)
    assert exact.table(numbers).beyond == pytest.approx(0.0, abs=1e-9)
    assert table.hold == pytest.approx(exact.table(numbers).hold, abs=0.2)
