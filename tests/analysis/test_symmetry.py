"""What is exact because a player plays itself."""

import pytest

from analysis.estimates import share
from analysis.symmetry import exact_by_symmetry, without_interval


@pytest.mark.parametrize(
    ("players", "measured", "expected", "same_luck", "exact"),
    [
        (("rule", "rule"), 0.5, 0.5, True, True),
        (("rule", "rule", "rule"), sum([1.0, 0.0, 0.0] * 3) / 9, 1 / 3, True, True),
        (("values", "values"), 0.0, 0.0, True, True),
        (("rule", "random"), 0.5, 0.5, True, False),
        (("search", "search"), 0.5, 0.5, False, False),
        (("rule", "rule"), 0.45, 0.5, True, False),
        (("rule", "rule"), None, 0.5, True, False),
    ],
)
def test_equal_shares_are_exact_only_where_one_player_plays_itself_with_the_same_luck(
    players: tuple[str, ...], measured: float | None, expected: float, same_luck: bool, exact: bool
) -> None:
    assert exact_by_symmetry(players, measured, expected, same_luck=same_luck) is exact


def test_what_is_exact_has_no_interval() -> None:
    found = without_interval(share(10, 20))
    assert (found.mean, found.low, found.high, found.observations) == (0.5, None, None, 20)
