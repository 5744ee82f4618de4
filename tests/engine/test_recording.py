"""What match play notes of plays is what plain counting on decoded states finds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from engine.ophidian import reference as ophidian
from engine.ophidian import sampling as ophidian_sampling
from engine.ophidian.reference_state import Kind, points
from engine.ophidian.rules import load_rules as ophidian_rules
from engine.raverun import layout as raverun_layout
from engine.raverun import sampling as raverun_sampling
from engine.raverun.rules import load_rules as raverun_rules
from engine.warage import sampling as warage_sampling
from engine.warage.reference import hero_of
from engine.warage.reference_state import Setup
from engine.warage.rules import load_rules as warage_rules

pytestmark = pytest.mark.kernels
See = Callable[[Any, int, int, Any], None]


def played(game: Any, num_noted: int, seed: int, see: See) -> Any:
    """Play at random; `see` gets the state before, the decider, the move, and the state after it."""
    state, work = game.root.copy(), np.zeros(game.work_words, np.int64)
    noted, chance = np.zeros(num_noted, np.int64), np.random.default_rng(seed)
    weights = np.zeros(game.max_moves)
    while (decider := int(game.observe(game.tables, state, work))) != -2:
        shares = np.ones(int(work[0]))
        if decider == -1 and game.chance_weights(game.tables, state, work, weights):
            shares = weights[: len(shares)].copy()
        move = int(chance.choice(len(shares), p=shares / shares.sum()))
        before = state.copy()
        game.record(game.tables, state, work, decider, move, noted)
        np.testing.assert_array_equal(state, before)
        game.apply(game.tables, state, work, move)
        see(before, decider, move, state)
    game.record(game.tables, state, work, -2, -1, noted)
    return noted


@pytest.mark.parametrize("seed", range(4))
def test_matches_of_ophidian(seed: int) -> None:
    from engine.ophidian import recording
    from engine.ophidian.codec import decode, decode_move

    rules = ophidian_rules(overrides=["match.winning_points=6"] if seed % 2 else [])
    decks = ("iron", "storm") if seed < 2 else ("brood", "patron")
    game = ophidian_sampling.sampling_tables(rules, [ophidian.seat_of(rules, deck) for deck in decks])
    cards: Counter[tuple[int, int]] = Counter()
    acted: Counter[tuple[int, int]] = Counter()
    leads: dict[int, int] = {}
    last: list[Any] = []

    def see(before: Any, decider: int, move: int, after: Any) -> None:
        words = [state[: ophidian_sampling.NUM_WORDS].copy() for state in (before, after)]
        one, two = (decode(each, rules) for each in words)
        if two.wave > one.wave > 0:
            leads[one.wave] = points(two, 0) - points(two, 1)
        last[:] = [two]
        if decider < 0:
            return
        made = decode_move(words[0], game.tables[: ophidian_sampling.WAITS_AT], move)
        if made.kind in (Kind.PLAY, Kind.REPLY):
            cards[decider, made.card] += 1
        elif made.kind in (Kind.ATTACK, Kind.ABILITY, Kind.REACT):
            fighter = one.teams[decider][made.who]
            if fighter.is_gladiator:
                acted[decider, fighter.gladiator] += 1

    noted = played(game, recording.NUM_USES, seed, see)
    assert sum(cards.values()) > 5
    assert sum(acted.values()) > 3
    for first, size, counted in (
        (recording.USES, recording.MAX_CARDS, cards),
        (recording.ACTED, recording.MAX_GLADIATORS, acted),
    ):
        found = noted[first : first + 2 * size].reshape(2, size)
        assert {(int(s), int(c)): int(found[s, c]) for s, c in np.argwhere(found)} == dict(counted)
    [end] = last
    assert noted[recording.WAVE] == end.wave
    assert {wave: int(noted[recording.LEADS + wave]) for wave in leads} == leads
    ending = recording.ENDINGS[noted[recording.ENDING] - 1]
    alive = [any(each.is_gladiator and not _out(each, end) for each in team) for team in end.teams]
    assert (ending == "beaten") == (not all(alive))
    if ending == "riot":
        assert max(end.cheer) >= rules.match.riot
    if ending == "points":
        assert max(points(end, 0), points(end, 1)) >= rules.match.winning_points
    if ending == "waves":
        assert end.wave >= rules.match.waves


def _out(fighter: Any, end: Any) -> bool:
    life = end.rules.gladiators[fighter.gladiator].life[max(fighter.level, 0)]
    return bool(fighter.wounds >= life)


@pytest.mark.parametrize(("number", "seed"), [(2, 1), (2, 2), (3, 3)])
def test_games_of_raverun(number: int, seed: int) -> None:
    from engine.raverun import recording
    from engine.raverun.codec import decode

    rules = raverun_rules()
    game = raverun_sampling.sampling_tables(rules, number, "view")
    rounds: list[int] = []
    hands: dict[int, int] = {}
    laid: Counter[tuple[int, int]] = Counter()
    used: Counter[tuple[int, int]] = Counter()

    def see(before: Any, decider: int, move: int, after: Any) -> None:
        one, two = (
            decode(state[: raverun_layout.NUM_WORDS].copy(), rules, number) for state in (before, after)
        )
        if decider < 0:
            return
        if one.phase.name == "BID":
            hands[decider] = sum(1 << card for card in one.players[decider].hand)
        elif one.phase.name == "ORDER":
            rounds.append(move)
        elif one.phase.name == "PLAY":
            [card] = set(one.players[decider].hand) - set(two.players[decider].hand)
            laid[decider, card] += 1
        elif one.phase.name in ("ROUND", "LAST") and not one.put:
            passed = two.players == one.players and two.deck == one.deck and two.put == one.put
            if not passed or two.draws or two.shuffler is not None:
                used[decider, one.offered] += 1

    noted = played(game, recording.NUM_USES, seed, see)
    assert noted[recording.ROUNDS] == len(rounds) > 2
    assert {seat: int(noted[recording.DEALT + seat]) for seat in range(number)} == hands
    for first, counted in ((recording.PLAYED, laid), (recording.USED, used)):
        found = noted[first : first + 3 * recording.MAX_CARDS].reshape(3, -1)
        assert {(int(s), int(c)): int(found[s, c]) for s, c in np.argwhere(found)} == dict(counted)


@pytest.mark.parametrize("seed", [1, 2])
def test_duels_of_warage(seed: int) -> None:
    from engine.warage import layout, recording
    from engine.warage.kernel_moves import MOVE_KINDS, MOVE_WORDS

    rules = warage_rules()
    setup = Setup(
        rules, tuple(hero_of(rules, rules.deck(each)) for each in ("orc-warrior", "elf-mage")), (0, 1)
    )
    game = warage_sampling.sampling_tables(rules, setup)
    gone: Counter[tuple[int, int]] = Counter()
    turns: list[int] = []

    def hand(state: Any, seat: int) -> Counter[int]:
        base = seat * layout.HERO_WORDS
        size = state[base + layout.HAND_SIZE]
        return Counter(state[base + layout.HAND : base + layout.HAND + size].tolist())

    def see(before: Any, decider: int, move: int, after: Any) -> None:
        turns.append(int(after[layout.TURN]))
        if decider >= 0 and before[warage_sampling.COUNT] > 0:
            # Who holds priority parts with a card of its hand by playing it only.
            kind, _, card, *_ = before[warage_sampling.MOVES + move * MOVE_WORDS :].tolist()
            if MOVE_KINDS[kind] in ("buy", "flash"):
                assert hand(before, decider)[card]
                gone[decider, card] += 1

    noted = played(game, recording.NUM_USES, seed, see)
    found = noted[recording.USES :].reshape(-1, 120)
    assert sum(gone.values()) > 5
    assert {(int(s), int(c)): int(found[s, c]) for s, c in np.argwhere(found)} == dict(gone)
    assert noted[recording.TURN] == turns[-1]
