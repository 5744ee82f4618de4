"""Gladiators and cards with and without them, and contests: with stand-ins for what proves and plays."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from analysis.front.entries import Usage
from analysis.front.question import Running
from analysis.interrupt import Interrupt
from analysis.ophidian import entries
from analysis.ophidian.setup import Decks, Greedy
from analysis.ophidian.worth import _Proved
from engine.ophidian import recording
from engine.ophidian.rules import load_rules
from engine.ophidian.rules_schema import MAX_CARDS, MAX_COST

RULES = load_rules()
NUMBERS = {each.id: number for number, each in enumerate(RULES.gladiators)}


def asked(deals: int, **setup: str) -> Any:
    return SimpleNamespace(
        deals=deals,
        player=[Greedy()],
        setup=Decks(**setup),
        work=SimpleNamespace(seed=4, jobs=1, scheduler=None),
        rules=SimpleNamespace(rules=(), set=()),
    )


def fought(number: int, own: tuple[str, str], others: tuple[str, str], worth: tuple[int, int]) -> _Proved:
    own_numbers, other_numbers = ((NUMBERS[one], NUMBERS[two]) for one, two in (own, others))
    return _Proved(number, (own_numbers, other_numbers), worth, {})


FOUGHT = [
    fought(2, ("runt", "scrap"), ("bastion", "thorn"), (-1, -3)),
    fought(0, ("bastion", "runt"), ("tempest", "whisper"), (1, 4)),
    fought(1, ("saw-hand", "scrap"), ("runt", "acolyte"), (0, 1)),
    fought(3, ("runt", "thorn"), ("runt", "scrap"), (1, 5)),
]


def test_gladiators_are_worth_what_fights_are_with_them_on_one_side_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    watched: list[Any] = []
    noted = np.zeros((3, 1, recording.NUM_USES), np.int64)
    noted[:, 0, recording.ACTED + NUMBERS["runt"]] = (2, 0, 3)

    def played(rules: Any, asked: Any, decks: Any, deals: int) -> Any:
        watched.append((decks, deals))
        return SimpleNamespace(noted=noted)

    monkeypatch.setattr(entries, "all_proved", lambda drawn, *_: iter(FOUGHT))
    monkeypatch.setattr(entries, "_played", played)
    found = entries.gladiators(RULES, asked(4), ["runt", "understudy", "pathogenesis", "scrap"], Running())
    runt = found["runt"]
    # By number: it won, the others did, and they won once more; where both have it nothing is said.
    assert (list(runt.with_it), list(runt.without)) == ([1.0, 0.5, 0.0], [0.0, 0.5, 1.0])
    assert [(fact.key, fact.value) for fact in runt.more] == [("points", (4 - 1 - 3) / 3)]
    used = {id_: each.usage() for id_, each in found.items() if callable(each.usage)}
    usage = used["runt"]
    assert usage is not None
    assert (usage.word, usage.plays, usage.in_plays) == ("active", 3, 2)
    assert usage.times == pytest.approx(5 / 3)
    assert list(found["scrap"].with_it) == [0.5, 0.0, 0.0]
    assert [fact.value for fact in found["scrap"].more] == [pytest.approx((1 - 3 - 5) / 3)]
    assert used["understudy"] is None
    assert (list(found["understudy"].with_it), list(found["understudy"].more)) == ([], [])
    assert "reinforcements" in found["understudy"].how
    # The first deck whose team has it, against the first other one.
    assert watched == [(("iron", "storm"), 4), (("brood", "iron"), 4), (("storm", "iron"), 4)]
    watched.clear()
    monkeypatch.setattr(entries, "all_proved", lambda drawn, *_: iter(FOUGHT * 60))
    many = entries.gladiators(RULES, asked(240), ["runt"], Running())["runt"]
    assert callable(many.usage)
    assert many.usage()
    assert watched == [(("iron", "storm"), 200)]
    assert entries.gladiators(RULES, asked(241), ["runt"], Running()) == {}


def test_cards_are_worth_what_a_deck_wins_more_with_them_than_with_blanks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    watched: list[Any] = []
    noted = np.zeros((2, 1, recording.NUM_USES), np.int64)
    cards = [each.id for each in RULES.cards]
    noted[:, 0, recording.USES + cards.index("mind-spike")] = (0, 4)
    noted[:, 0, recording.USES + MAX_CARDS + cards.index("mind-spike")] = 9

    def played(rules: Any, asked: Any, decks: Any, deals: int) -> Any:
        cost = rules.cards[rules.card("mind-spike")].cost
        watched.append((decks, deals, cost))
        payoffs = np.array([[1.0], [0.0 if cost < 9 else -1.0]])
        return SimpleNamespace(payoffs=payoffs, noted=noted if cost < MAX_COST else 0 * noted)

    monkeypatch.setattr(entries, "_played", played)
    told: list[tuple[str, int, int]] = []
    running = Running(note=lambda *each: told.append(each))
    found = entries.cards(RULES, asked(2), ["mind-spike", "hex", "second-wind"], running)
    spike = found["mind-spike"]
    assert (list(spike.with_it), list(spike.without)) == ([1.0, 0.5], [1.0, 0.0])
    assert isinstance(spike.usage, Usage)
    usage = spike.usage
    assert (usage.word, usage.plays, usage.in_plays, usage.times) == ("played", 2, 1, 2.0)
    assert [decks for decks, *_ in watched] == [("storm", "iron")] * 2 + [("iron", "brood")] * 2 + [
        ("iron", "storm")
    ] * 2
    usual = RULES.cards[RULES.card("mind-spike")].cost
    assert [cost for *_, cost in watched[:2]] == [usual, MAX_COST]
    assert "so both sides lose it" not in spike.how
    assert "so both sides lose it" in found["second-wind"].how
    assert told == [("cards", number, 3) for number in range(3)]
    stopped = Interrupt()
    stopped.requested = True
    assert entries.cards(RULES, asked(2), ["hex"], Running(interrupt=stopped)) == {}
    # The deck that was named comes first.
    watched.clear()
    entries.cards(RULES, asked(2, deck="patron", against="brood"), ["parasite", "toxin"], Running())
    assert [decks for decks, *_ in watched[::2]] == [("patron", "iron"), ("patron", "storm")]


def test_a_card_of_no_deck_cannot_be_taken_out() -> None:
    found = entries.cards(RULES, asked(2), ["mirror-ward"], Running())["mirror-ward"]
    assert (list(found.with_it), list(found.without), found.usage) == ([], [], None)
    assert "No deck holds mirror-ward" in found.how
    assert "mirror-ward" not in entries.in_decks(RULES)
    assert entries.in_fights(RULES) == {each.id for each in RULES.gladiators if not each.reinforcement}
