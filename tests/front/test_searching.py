"""The search for a goal: within its budget it finds what trying everything finds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.front.searching import Place, Search


def search_of(
    amount: Callable[[Place], float | None], sizes: tuple[int, ...], start: Place, budget: int
) -> Search:
    def evaluate(places: Sequence[Place]) -> tuple[list[float | None], bool]:
        return [amount(place) for place in places], True

    def distance(place: Place) -> float:
        return sum(abs(one - other) for one, other in zip(place, start, strict=True))

    return Search(sizes, start, distance, evaluate, budget)


def bowl(place: Place) -> float:
    return float(sum((at - goal) ** 2 for at, goal in zip(place, (7, 2, 5), strict=False)))


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_it_finds_what_trying_everything_finds(data: st.DataObject) -> None:
    """On grids with one valley, where some points have no answer: least missed, the nearest of equals."""
    sizes = tuple(data.draw(st.lists(st.integers(1, 5), min_size=1, max_size=3)))
    start = tuple(data.draw(st.integers(0, size - 1)) for size in sizes)
    goal = tuple(data.draw(st.integers(0, size - 1)) for size in sizes)
    wide = data.draw(st.integers(0, 2))

    def amount(place: Place) -> float | None:
        return float(sum(max(0, abs(one - other) - wide) for one, other in zip(place, goal, strict=True)))

    every = list(product(*map(range, sizes)))
    budget = data.draw(st.integers(1, len(every)))
    search = search_of(amount, sizes, start, budget)
    search.run(0)
    assert len(search.found) <= budget
    assert search.found == {place: amount(place) for place in search.found}
    if budget == len(every):
        best = min(every, key=lambda place: (amount(place) + 1e-3 * search.distance(place), place))  # type: ignore[operator]
        assert search.best() is not None
        assert amount(search.best()) == amount(best)  # type: ignore[arg-type]
        assert search.distance(search.best()) == search.distance(best)  # type: ignore[arg-type]


def test_large_spaces_end_with_all_neighbours_of_the_best() -> None:
    for seed in range(5):
        search = search_of(bowl, (12, 12, 12), (0, 0, 0), 90)
        search.run(seed)
        assert search.best() == (7, 2, 5)
        assert len(search.found) <= 90
        assert all(near in search.found for near in search.neighbours((7, 2, 5)))


def test_the_same_seed_tries_the_same() -> None:
    tried = []
    for seed in (3, 3, 4):
        search = search_of(bowl, (20, 20), (1, 1), 30)
        search.run(seed)
        tried.append(list(search.found))
    assert tried[0] == tried[1] != tried[2]


def test_what_has_no_answer_is_left_out() -> None:
    search = search_of(lambda place: None if place[0] > 4 else bowl(place), (12, 12, 12), (0, 0, 0), 120)
    search.run(1)
    assert search.best() == (4, 2, 5)
    nothing = search_of(lambda _: None, (3, 3), (0, 0), 20)
    nothing.run(0)
    assert nothing.best() is None


def test_a_stop_ends_it() -> None:
    search = search_of(bowl, (30, 30), (0, 0), 50)
    search.evaluate = lambda places: ([bowl(place) for place in places], False)
    search.run(0)
    assert list(search.found) == [(0, 0)]
