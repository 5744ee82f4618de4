"""What a match makes of deals: shares by player and seat, lengths, groups, intervals over deals."""

from __future__ import annotations

import importlib
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import stdev
from typing import Any

import hypothesis
import msgspec
import pytest
from hypothesis import strategies as st

from analysis import estimates
from analysis.errors import RequestError
from analysis.estimates import Estimate
from analysis.front import contest
from analysis.front.asking import function_of
from analysis.front.bundles import Kept, Work
from analysis.front.contest import Deals, play_deals, play_setups
from analysis.front.question import Running, imported
from analysis.front.verbs.match import length_of, seated
from analysis.front.verbs.match_page import Lead, MatchAnswer, match_amounts, match_page
from analysis.front.verdicts import Best
from analysis.interrupt import Interrupt
from analysis.symmetry import plays_itself
from tests.front.games import game


class Known:
    """A contest whose deals are known beforehand."""

    deals_at_once = 2
    depends_on = ""

    def __init__(self, deals: Deals) -> None:
        self.deals = deals

    def play(self, first: int, count: int, seed: int, stop: Callable[[], bool] | None = None) -> Deals:
        """Return the deals of these numbers; what is counted comes with the first of them."""
        counted = self.deals if first == 0 else Deals()
        return Deals(
            won=self.deals.won[first : first + count],
            draws=counted.draws,
            lengths=counted.lengths,
            tallies=counted.tallies,
            leads=counted.leads,
            overtaken=counted.overtaken,
        )


@pytest.fixture
def answer(monkeypatch: pytest.MonkeyPatch) -> Callable[..., MatchAnswer]:
    """Return a function of deals that gives the answer to a match in which they were played."""

    def ask(deals: Deals, players: list[str], **changes: Any) -> MatchAnswer:
        monkeypatch.setattr(contest, "_contest", lambda task: Known(deals))
        asked = replace(game("bidding"), seats=(2, 3), **changes)
        question = asked.question("match")
        found: MatchAnswer = question.answer(question.build(player=players, deals=len(deals.won)))
        return found

    return ask


def test_shares_by_seat_are_those_of_the_rotations(answer: Callable[..., MatchAnswer]) -> None:
    # In rotation r player (seat + r) mod 3 sits in a seat: the first player sits in seats 1, 3, 2.
    deals = Deals(
        won=[
            [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            [[0.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.5, 0.5, 0.0]],
            [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]],
        ]
    )
    found = answer(deals, ["rank", "high", "random"])
    first, second, third = found.sides
    assert [each.mean for each in first.by_seat] == pytest.approx([2 / 3, 0.5, 0.0])
    assert [each.mean for each in second.by_seat] == pytest.approx([2 / 3, 1 / 3, 0.5 / 3])
    assert [each.mean for each in third.by_seat] == pytest.approx([1 / 3, 1 / 3, 0.0])
    assert first.won == estimates.share_of_deals([1 / 3, 0.5 / 3, 2 / 3])
    assert sum(side.won.mean or 0.0 for side in found.sides) == pytest.approx(1.0)
    # Whoever sits first: players 1, 2, 3 in the three rotations.
    assert found.first_seat == estimates.share_of_deals([1.0, 1 / 3, 1 / 3])
    assert (found.deals, found.plays, found.complete) == (3, 9, True)
    assert found.sides[1].player == "high"


def test_lengths_draws_and_groups_are_told(answer: Callable[..., MatchAnswer]) -> None:
    deals = Deals(
        won=[[[1.0, 0.0], [1.0, 0.0]], [[0.5, 0.5], [1.0, 0.0]]],
        draws=1,
        lengths={3: 1, 5: 2, 9: 1},
        tallies={"season": {"spring": (3, 2.5), "winter": (1, 1.0)}},
    )
    found = answer(deals, ["rank", "high"], length="bids", tallies={"season": "whoever starts"})
    assert found.draws == 0.25
    assert found.length is not None
    assert found.length.unit == "bids"
    length = found.length
    assert (length.mean, length.tenth, length.median, length.ninetieth) == (5.5, 3, 5, 9)
    spring, winter = found.groups
    assert (spring.name, spring.of, spring.plays, spring.won) == ("spring", "whoever starts", 3, 2.5 / 3)
    assert winter.won == 1.0
    amounts = {each.key: each.value for each in match_amounts(found)}
    assert amounts["won_1"] == found.sides[0].won
    mean = amounts["length"]
    assert isinstance(mean, Estimate)
    assert (amounts["draws"], mean.mean) == (0.25, 5.5)
    assert [amounts[f"length_{key}"] for key in ("tenth", "median", "ninetieth")] == [3, 5, 9]


def test_who_is_ahead_when_and_what_it_wins(answer: Callable[..., MatchAnswer]) -> None:
    deals = Deals(won=[[[1.0, 0.0], [0.0, 1.0]]] * 2, lengths={2: 4}, leads={})
    deals.led({1: (3, 1), 2: (1, 1), 3: (0, 2)}, (1.0, 0.0))
    deals.led({1: (0, 0)}, (0.0, 1.0))
    deals.led({1: (1, 2)}, (1.0, 0.0))
    deals.led({1: (5, 2), 2: (4, 1)}, (0.5, 0.5))
    deals.count(2, "all beaten", 1.0)
    more = Deals(leads={})
    more.led({1: (2, 1), 2: (1, 2), 3: (2, 1)}, (1.0, 0.0))
    more.count(2, "all beaten", 0.0)
    deals.add(more)
    assert deals.lengths == {2: 6}
    found = answer(deals, ["rank", "high"], length="bids")
    third = pytest.approx(1 / 3)
    assert found.leads == [
        Lead(1, 5, pytest.approx(0.2), [pytest.approx(0.6), pytest.approx(0.2)], 0.625),
        Lead(2, 3, third, [third, third], 0.25),
        Lead(3, 2, 0.0, [0.5, 0.5], 0.5),
    ]
    # Once in the first play, where both were level in between, and twice in the last one.
    assert found.overtaken == 3 / found.plays
    [ending] = found.groups
    assert (ending.group, ending.name, ending.plays, ending.won) == ("ending", "all beaten", 2, 0.5)


def test_leads_of_a_reference_are_those_of_its_plays() -> None:
    """Of two players who bid alike nobody is ahead more often than the other, and leads add up."""
    question = game("bidding").question("match")
    found = question.answer(question.build(player=["rank", "high"], deals=60))
    assert found.leads
    for each in found.leads:
        assert each.level + sum(each.ahead) == pytest.approx(1.0)
        assert each.plays == 120
    same = question.answer(question.build(player=["rank", "rank"], deals=60))
    assert all(each.ahead[0] == each.ahead[1] for each in same.leads)


def test_a_headline_claims_no_more_than_the_interval(answer: Callable[..., MatchAnswer]) -> None:
    def headline(deals: list[list[list[float]]], **changes: Any) -> str:
        found = answer(Deals(won=deals), ["rank", "high"])
        return match_page(msgspec.structs.replace(found, **changes)).headline

    won, even = [[1.0, 0.0], [1.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]]
    assert re.match(r"rank wins 100.0 % .* more than the other", headline([won] * 12))
    assert headline([[[0.0, 1.0], [0.0, 1.0]]] * 12).startswith("high wins 100.0 %")
    for undecided in ([even] * 12, [won, *([even] * 3)], [won]):
        assert "do not tell which" in headline(undecided)
        assert "more than" not in headline(undecided)
    # What is stopped is not judged.
    stopped = headline([won] * 12, complete=False, best=Best())
    assert stopped.startswith("Stopped early")
    assert "more than" not in stopped


def test_who_sits_where_if_too_few_or_too_many_are_named() -> None:
    asked = game("bidding")
    [rank, other] = seated(asked, (), None)
    assert (rank, other) == asked.usual
    assert seated(asked, [rank], None) == (rank, rank)
    with pytest.raises(RequestError, match="3 cannot play; 2 can") as caught:
        seated(asked, [rank] * 3, None)
    assert caught.value.option == "--player"
    with pytest.raises(RequestError, match="5 cannot play; 2 to 4 can"):
        seated(replace(asked, seats=(2, 3, 4)), [rank] * 5, None)
    # Where the setup says how many play, the last one named takes all seats that are left.
    sized = replace(asked, seats=(2, 3), size=lambda setup: 3)
    assert seated(sized, [rank, other], None) == (rank, other, other)
    assert seated(sized, [rank], None) == (rank, rank, rank)
    with pytest.raises(RequestError, match="4 cannot play; 3 do"):
        seated(sized, [rank] * 4, None)


def test_several_setups_are_played_like_each_alone_and_kept_together(tmp_path: Path) -> None:
    bidding = game("bidding")
    rules = bidding.read()
    setups = [bidding.question("match").build(prize=prize).setup for prize in ("gold", "copper")]
    players = bidding.question("match").build(player=["rank", "high"]).player

    def played(running: Running, kept: Kept = Kept()) -> list[Deals]:  # noqa: B008
        return list(play_setups(bidding, rules, setups, players, 60, Work(seed=3), kept, running))

    alone = [
        play_deals(bidding, rules, each, players, 60, Work(seed=3), Kept(), Running()) for each in setups
    ]
    assert played(Running()) == alone
    assert alone[0] != alone[1]
    kept = Kept(keep=tmp_path / "kept.jsonl")
    assert played(Running(), kept) == alone
    lines = (tmp_path / "kept.jsonl").read_text(encoding="utf-8").splitlines()
    assert played(Running(), kept) == alone
    assert (tmp_path / "kept.jsonl").read_text(encoding="utf-8").splitlines() == lines
    known: dict[str, Deals] = {}
    given = bidding, rules, setups[0], players
    assert play_deals(*given, 60, Work(seed=3), Kept(), Running(), known) == alone[0]
    assert set(known) == {"0/50", "50/10"}
    known["0/50"] = msgspec.structs.replace(known["0/50"], draws=1000)
    more = play_deals(*given, 100, Work(seed=3), Kept(), Running(), known)
    assert (more.won[:60], more.draws >= 1000) == (alone[0].won, True)
    interrupt = Interrupt()

    def stop(phase: str, done: int, total: int) -> None:
        assert total == 120
        interrupt.requested = done >= 50

    first, second = played(Running(note=stop, interrupt=interrupt))
    assert (len(first.won), len(second.won)) == (50, 0)
    assert first.won == alone[0].won[:50]


@pytest.mark.parametrize("width", [0.2, 0.05])
def test_a_match_goes_on_until_its_figures_are_known_well_enough(width: float) -> None:
    match = function_of(game("bidding").question("match"))
    players = ["rank", "random"]
    found = match(player=players, within=width, deals=100_000)
    assert max(side.won.width for side in found.sides) <= width
    assert found.complete
    # What was played are the first deals of a match without that option, and not many too many.
    assert found.sides == match(player=players, deals=found.deals).sides
    assert found.deals == 50 or match(player=players, deals=found.deals // 2).sides[0].won.width > width
    few = match(player=players, within=width / 100, deals=60)
    assert (few.deals, few.complete) == (60, True)


@hypothesis.given(st.lists(st.integers(1, 9), min_size=1, max_size=30))
def test_lengths_are_those_that_so_many_plays_did_not_exceed(plays: list[int]) -> None:
    found = length_of(Counter(plays), "turns")
    assert found is not None
    assert found.mean == pytest.approx(sum(plays) / len(plays))
    for share, length in ((0.1, found.tenth), (0.5, found.median), (0.9, found.ninetieth)):
        assert sum(each <= length for each in plays) >= share * len(plays) - 1e-9
        assert sum(each < length for each in plays) < share * len(plays) + 1e-9
    # Two plays of each deal that are alike say no more than one.
    twice = length_of(Counter(plays * 2), "turns", len(plays))
    assert twice is not None
    known = len(set(plays)) > 1
    assert twice.error == (pytest.approx(stdev(plays) / len(plays) ** 0.5) if known else None)


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (0.5, 0.75, None),
        (0.25, 0.5, None),
        (0.51, 0.75, "gains"),
        (0.25, 0.49, "loses"),
        (None, 0.4, None),
        (0.6, None, None),
    ],
)
def test_an_interval_that_holds_an_even_share_says_nothing_of_seats(
    answer: Callable[..., MatchAnswer], low: float | None, high: float | None, said: str | None
) -> None:
    found = answer(Deals(won=[[[1.0, 0.0], [0.0, 1.0]]] * 3), ["rank", "high"])
    # Shares are even at a half; payoffs that add up to nothing at 0.
    for measure, even in (("share", 0.5), ("signed", 0.0)):
        ends = [None if end is None else end - 0.5 + even for end in (low, high)]
        seats = msgspec.structs.replace(found, measure=measure, first_seat=Estimate(even, *ends, 9))
        told = [note for note in match_page(seats).notes if "sits first" in note]
        assert told == ([f"Whoever sits first {said} by it."] if said else [])


def test_what_each_deal_came_to_is_told_by_player(answer: Callable[..., MatchAnswer]) -> None:
    answer(Deals(won=[[[1.0, 0.0], [0.5, 0.5]], [[0.0, 1.0], [0.0, 1.0]]]), ["rank", "high"])
    question = game("bidding").question("match")
    found, seen = question.observe(question.build(player=["rank", "high"], deals=2), Running())
    assert seen == {"won_1": [0.75, 0.0], "won_2": [0.25, 1.0], "first_seat": [0.75, 0.5]}
    assert (found.draws, found.length) == (0.0, None)
    with pytest.raises(RequestError, match="4 cannot play; 2 to 3 can"):
        seated(replace(game("bidding"), seats=(2, 3)), game("bidding").usual * 2, None)


@pytest.mark.kernels
@pytest.mark.parametrize(
    ("name", "player", "deals"),
    [
        ("bidding", "random", 20),
        ("clash", "rule", 1),
        ("ophidian", "greedy", 12),
        ("ophidian", "search:iterations=3", 1),
        ("ragers", "greedy", 40),
        ("ragers", "rollouts", 2),
        ("raverun", "greedy", 20),
        ("raverun", "search:iterations=5", 1),
    ],
)
def test_who_plays_itself_need_not_play_a_deal_from_every_seat(
    name: str, player: str, deals: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once and counted for all seats, or in every rotation: the same plays."""
    of = game(name)
    asked = of.question("match").build(player=[player, player])
    place = importlib.import_module(imported(of.contest).__module__)
    found = []
    for function in (plays_itself, lambda players: False):
        for module in (place, contest):
            monkeypatch.setattr(module, "plays_itself", function, raising=False)
        found.append(imported(of.contest)(of.read(), asked.setup, asked.player).play(3, deals, 5))
    assert msgspec.json.encode(found[0]) == msgspec.json.encode(found[1])
