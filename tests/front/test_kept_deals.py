"""Deals that were played before are found again, by other rules too where nobody in them could tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from analysis.errors import RequestError
from analysis.front import store
from analysis.front.bundles import Kept, Work
from analysis.front.contest import Deals, play_deals
from analysis.front.game import Game
from analysis.front.question import Running
from arena_solver.folders import CACHE_VARIABLE
from tests.front.games import game


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep all deals, however quick they were."""
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    monkeypatch.setenv(store.ANSWERS_VARIABLE, "on")
    monkeypatch.setattr(store, "LEAST_S", 0.0)
    return tmp_path / "answers" / "deals"


def bidding() -> Game:
    """Return a game in which only the gold prize is said to count."""
    return replace(game("bidding"), rests_on=lambda rules, setup: {"prizes": {"gold"}})


def played(
    asked: Game, *overrides: str, deals: int = 120, fresh: bool = False, keep: Path | None = None
) -> tuple[Deals, int]:
    """Play deals; return them, and how many were there before any was played."""
    noted: list[int] = []
    running = Running(note=lambda phase, done, of: noted.append(done), fresh=fresh)
    players = [asked.usual[0], asked.usual[-1]]
    rules, setup = asked.read((), overrides), asked.setup()
    found = play_deals(asked, rules, setup, players, deals, Work(), Kept(keep=keep), running)
    return found, noted[0]


def test_values_that_deals_do_not_rest_on_leave_them_as_they_are(kept: Path) -> None:
    first, before = played(bidding())
    assert before == 0
    again, before = played(bidding(), "prizes.silver.worth=5", "name=Mine")
    assert before == 120
    assert again == first
    assert played(bidding(), "prizes.gold.worth=5")[1] == 0
    assert played(bidding(), "cards.two.value=5")[1] == 0
    assert len(list(kept.iterdir())) == 3


def test_games_that_say_nothing_keep_no_deals(kept: Path) -> None:
    played(game("bidding"))
    assert not kept.exists()


def test_more_deals_begin_after_those_that_are_there() -> None:
    played(bidding(), deals=100)
    longer, before = played(bidding(), deals=170)
    assert before == 100
    assert longer == played(bidding(), deals=170, fresh=True)[0]
    # What all of them came to cannot be taken apart.
    assert played(bidding(), deals=60)[1] == 0


def test_deals_are_played_anew_when_told_so_or_kept_in_a_file(kept: Path, tmp_path: Path) -> None:
    played(bidding())
    assert played(bidding(), fresh=True)[1] == 0
    assert played(bidding(), keep=tmp_path / "deals.jsonl")[1] == 0


@pytest.mark.parametrize("harm", [b"", b"0\n{}", b"cut"], ids=["empty", "wrong sum", "cut"])
def test_a_damaged_file_is_played_anew(kept: Path, harm: bytes) -> None:
    first, _ = played(bidding())
    (path,) = kept.iterdir()
    path.write_bytes(path.read_bytes()[:-9] if harm == b"cut" else harm)
    again, before = played(bidding())
    assert before == 0
    assert again == first
    assert played(bidding())[1] == 120


def unrelated(asked: Game, setup: Any) -> Sequence[str]:
    """Return changes by one of all numbers that deals with this setup are said not to rest on."""
    rules = asked.read()
    assert asked.rests_on is not None
    kept = asked.rests_on(rules, setup)
    found: list[str] = []
    for key, value in rules.values().items():
        section, name = key.split(".")[:2]
        if section not in kept or name in kept[section] or not isinstance(value, int):
            continue
        for other in () if isinstance(value, bool) else (value + 1, value - 1):
            try:
                asked.read((), [*found, f"{key}={other}"])
            except RequestError:
                continue
            found.append(f"{key}={other}")
            break
    return found


@pytest.mark.kernels
@pytest.mark.parametrize(
    ("name", "setup", "players", "deals"),
    [
        ("warage", {"deck": "orc-warrior", "against": "elf-mage"}, ("rules", "greedy"), 200),
        (
            "warage",
            {"deck": "angel-paladin", "against": "human-paladin"},
            ("search:iterations=2", "random"),
            1,
        ),
        ("ophidian", {"deck": "iron", "against": "storm"}, ("greedy", "random"), 32),
        ("ophidian", {"deck": "brood", "against": "patron"}, ("search:iterations=2", "greedy"), 2),
        ("clash", {"clan": ("bohorg", "tomb")}, ("rule", "random"), 2),
    ],
)
def test_nobody_in_deals_can_tell_what_they_do_not_rest_on(
    name: str, setup: dict[str, Any], players: Sequence[str], deals: int
) -> None:
    asked = game(name)
    changes = unrelated(asked, asked.setup(**setup))
    assert len(changes) >= 5
    both = []
    for overrides in ((), changes):
        question = asked.question("match")
        given = question.build(player=players, **setup)
        both.append(
            play_deals(
                *(asked, asked.read((), overrides), given.setup, given.player, deals),
                *(Work(seed=3), Kept(), Running(fresh=True)),
            )
        )
    assert len(both[0].won) == deals
    assert msgspec.json.encode(both[0]) == msgspec.json.encode(both[1])
