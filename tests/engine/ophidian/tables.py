"""Positions of a whole match for tests: gladiators and minions by name, hands as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.ophidian.reference import (
    SUPPORT,
    Fighter,
    Holding,
    Kind,
    Move,
    State,
    legal_moves,
    start_wave,
    step,
)
from engine.ophidian.rules import Rules, load_rules

BOX = load_rules()
PASS, TAKE, QUIET, DECLINE = (Move(each) for each in (Kind.PASS, Kind.TAKE, Kind.QUIET, Kind.DECLINE))


def cards(names: str, rules: Rules = BOX) -> tuple[int, ...]:
    """Cards by id, ascending."""
    return tuple(sorted(rules.card_numbers[name] for name in names.split()))


def counts(names: str, rules: Rules = BOX) -> tuple[int, ...]:
    """Copies by card."""
    known = cards(names, rules)
    return tuple(known.count(card) for card in range(len(rules.cards)))


def fighter(name: str, wounds: int = 0, rules: Rules = BOX, pumps: str = "", **more: Any) -> Fighter:
    """A gladiator, or a minion in the support field; pumps are player 0's, `~pump` player 1's."""
    put = tuple((int(word[0] == "~"), rules.card_numbers[word.lstrip("~")]) for word in pumps.split())
    if name in rules.card_numbers:
        more = {"field": SUPPORT, "card": rules.card_numbers[name]} | more
        return Fighter(-1, wounds=wounds, pumps=put, **more)
    return Fighter(rules.gladiator(name), wounds=wounds, pumps=put, **more)


def table(
    own: Sequence[Fighter],
    other: Sequence[Fighter],
    *,
    rules: Rules = BOX,
    hands: Sequence[str] = ("", ""),
    decks: Sequence[str] = ("fresh-tactics " * 20, "fresh-tactics " * 20),
    bottoms: Sequence[str] = ("", ""),
    stacks: Sequence[str] = ("", ""),
    resources: tuple[int, int] = (11, 11),
    **more: Any,
) -> State:
    """A position at an action, with cards."""
    holdings = tuple(
        Holding(
            cards(hands[player], rules),
            counts(decks[player], rules),
            tuple(rules.card_numbers[name] for name in bottoms[player].split()),
            tuple(sorted(rules.gladiator(name) for name in stacks[player].split())),
            resources[player],
        )
        for player in (0, 1)
    )
    return start_wave(rules, (own, other), holdings=holdings, **more)


def go(state: State, *moves: Move | int) -> State:
    for move in moves:
        state = step(state, move)
    return state


def options(state: State, kind: Kind) -> list[Move]:
    return [move for move in legal_moves(state) if move.kind == kind]


def titles(state: State, kind: Kind, rules: Rules = BOX) -> list[str]:
    """Titles of the cards that moves of a kind name."""
    return list(dict.fromkeys(rules.cards[move.card].id for move in options(state, kind)))
