"""What `ragers library list --verify` makes of stored answers in which something was changed."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

import results
from analysis.ragers.answers import library
from analysis.ragers.answers.answer import Answer, HandStrategy
from analysis.ragers.answers.brackets import Openings
from analysis.ragers.answers.library import Library
from analysis.ragers.scenarios import scenarios
from engine.ragers.isomorphism import day_game
from engine.ragers.rules import load_rules
from tests.oracles.games import decks

CARRIED = Path(results.__file__).parent / "ragers"
ENTRY = Path("solennos/basher-deadeye/redraw")
VETERAN = 7
Change = Callable[[Answer, HandStrategy], tuple[Answer, HandStrategy]]


def answered(**changes: Any) -> Change:
    return lambda answer, strategy: (msgspec.structs.replace(answer, **changes), strategy)


def played(change: Callable[[HandStrategy], None]) -> Change:
    """Change copies of all arrays in place; `change` is told which ones."""

    def apply(answer: Answer, strategy: HandStrategy) -> tuple[Answer, HandStrategy]:
        assert strategy.preparation_mix is not None
        copy = deepcopy(strategy)
        change(copy)
        return answer, copy

    return apply


def cooked_certificate(answer: Answer, strategy: HandStrategy) -> tuple[Answer, HandStrategy]:
    """Both best responses, and NashConv with them, a hundred times as good."""
    first, second = (gain / 100 for gain in answer.best_response_gp)
    changed = {"best_response_gp": (first, second), "nash_conv_gp": first + second + 1e-6}
    return msgspec.structs.replace(answer, **changed), strategy


def opens_with_what_is_not_held(strategy: HandStrategy) -> None:
    hand = int(np.flatnonzero(strategy.hands[:, 0] == 0)[0])
    strategy.opening[0, hand] = 0.0
    strategy.opening[0, hand, 0] = 1.0


def opens_with_what_is_forbidden(strategy: HandStrategy) -> None:
    hand = int(np.flatnonzero(strategy.hands[:, VETERAN])[0])
    strategy.opening[0, hand] = 0.0
    strategy.opening[0, hand, VETERAN] = 1.0


def swaps_openings(strategy: HandStrategy) -> None:
    """Of two hands that allow the same."""
    kinds = (strategy.hands > 0).tolist()
    one = next(i for i, kind in enumerate(kinds) if kinds.count(kind) > 1)
    other = kinds.index(kinds[one], one + 1)
    strategy.opening[:, [one, other]] = strategy.opening[:, [other, one]]


def scales_worths(strategy: HandStrategy) -> None:
    strategy.opening_ev[:] *= 0.5


def raises_one_worth(strategy: HandStrategy) -> None:
    best = np.nanargmax(strategy.opening_ev[1, 40])
    strategy.opening_ev[1, 40, best] += 0.05


def keeps_what_was_exchanged(strategy: HandStrategy) -> None:
    assert strategy.preparation_mix is not None
    hand = int(np.argmin(strategy.preparation_mix[0, :, -1]))
    strategy.preparation_mix[0, hand] = 0.0
    strategy.preparation_mix[0, hand, -1] = 1.0


def moves_reach(strategy: HandStrategy) -> None:
    moved = 0.1 * strategy.reach[0, 10]
    strategy.reach[0, [10, 20]] += (-moved, moved)


CHANGES: dict[str, tuple[Change, str]] = {
    "NashConv": (answered(nash_conv_gp=0.2), "NashConv is off"),
    "certificate": (cooked_certificate, "the best response of player 0"),
    "not held": (played(opens_with_what_is_not_held), "does not hold"),
    "forbidden": (played(opens_with_what_is_forbidden), "forbids"),
    "swapped openings": (played(swaps_openings), "opening mix"),
    "scaled worths": (played(scales_worths), "the best response of player 0"),
    "one worth": (played(raises_one_worth), "the best response of player 1"),
    "exchange": (played(keeps_what_was_exchanged), "do not come from those dealt"),
    "hands held": (played(moves_reach), "player 0"),
}


@pytest.fixture
def copied(carried_library: Library) -> Library:
    """One entry of the carried library, to be spoilt."""
    shutil.copytree(CARRIED / ENTRY, carried_library.root / ENTRY)
    return carried_library


def spoil(root: Path, change: Change) -> None:
    """Change the entry, hashes included: whoever does so by accident or on purpose leaves a whole one."""
    folder = root / ENTRY
    entry = library.read_entry(folder)
    assert entry is not None
    found = library.Found(entry, folder, "library")
    strategy = found.strategy()
    assert strategy is not None
    answer, strategy = change(entry.answer, strategy)
    data = strategy.to_bytes()
    (folder / entry.strategy).write_bytes(data)
    entry = msgspec.structs.replace(entry, answer=answer, strategy_sha256=hashlib.sha256(data).hexdigest())
    (folder / library.REPORT).write_bytes(msgspec.json.encode(entry))


@pytest.mark.parametrize("what", CHANGES)
def test_verify_finds_it(what: str, run: Any, copied: Library) -> None:
    change, words = CHANGES[what]
    spoil(copied.root, change)
    result = run("library", "list", "--verify")
    assert result.exit_code == 1, result.stdout
    assert words in " ".join(result.stdout.split())


def test_hands_of_decks_that_differ() -> None:
    """One side holds two cards, the other three: deals and exchanges are each counted for its own."""
    rules = load_rules(overrides=(*decks("BSPP", "BS"), "match.hand_size=3"))
    day = day_game(rules, "arianna", ["two-bashers"])
    hands = np.array([[1, 1, 0], [0, 1, 2], [1, 0, 2], [1, 1, 1]])
    hands = np.concatenate([hands, np.zeros((4, 5), int)], axis=1).astype(np.int8)
    deal = np.array([[0.0, 0.25, 0.25, 0.5], [1.0, 0.0, 0.0, 0.0]])
    opening = np.zeros((2, 4, 9), np.float32)
    strategy = HandStrategy(hands, deal, deal, opening, opening, opening)
    exchange = np.zeros((4, 9), np.float32)
    exchange[:, 2] = 1.0  # everybody puts aside a Prodder who can
    after = Openings(strategy, day, "redraw", 0).after_exchange(exchange)
    # S P P draws the Basher, B P P the Slasher, B S P the other Prodder.
    assert after == pytest.approx([0.0, 0.0, 0.0, 1.0])


def test_K9_the_switch_is_part_of_what_answers_are_found_by() -> None:
    plain, other = load_rules(), load_rules(overrides=["match.deadeye_card=at-once"])
    assert plain.sha256 != other.sha256
    days = [scenarios(rules, [], ["two-bashers"], "redraw") for rules in (plain, other)]
    differ = {one.patron.id for one, two in zip(*days, strict=True) if one.day.sha256 != two.day.sha256}
    # Solennos forbids Veterans, Gharan-zul Deadeyes.
    assert differ == {"arianna", "greybeard", "the-nameless"}
    assert replace(days[1][0].day, hides_at_once=False).sha256 == days[0][0].day.sha256
