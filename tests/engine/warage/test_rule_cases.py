"""The rules of Warage by id: the cases of `rules.txt`, on the reference."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.protocol import CHANCE, OVER
from engine.warage.reference import State, chance_outcomes, decider, payoffs, setup_of, start
from engine.warage.reference_effects import used_seasons
from engine.warage.reference_round import order_of, settled
from engine.warage.reference_state import Do, Task, added, attack_total, defence_total, number_of_dice
from engine.warage.rules import load_rules
from tests.engine.rule_cases import Board, cases, frozen
from tests.engine.warage.notation import BOX, options, play, table

SEASONS = [each.id for each in BOX.seasons]


def board(**given: Any) -> State:
    """A state at the beginning of a phase, as `notation.table` makes it; heroes are parted by `|`."""
    for name in ("hands", "plays", "lives", "left"):
        if name in given:
            given[name] = given[name].split("|")
    given |= {"decks": given["decks"].split()} if "decks" in given else {}
    given |= {"rules": load_rules(overrides=given["rules"].split(" + "))} if "rules" in given else {}
    return table(**{key: frozen(value) for key, value in given.items()})


def played(state: State, text: str) -> State:
    """The state after a move, or after several for `dice`, `next`, `round` and `deal`."""
    goes_on: dict[str, Callable[[State], bool]] = {
        "dice": lambda now: decider(now) != CHANCE,
        "next": lambda now: now.phase == state.phase,
        "round": lambda now: now.active == state.active,
        "deal": lambda now: decider(now) == CHANCE,
    }
    if text not in goes_on:
        return play(state, text)
    now = state
    while goes_on[text](now):
        now = play(now, options(now)[0] if decider(now) == CHANCE else "pass")
    return now


def six(**given: Any) -> State:
    """The end of a round in which a die showed a six."""
    return settled(replace(board(phase="closing", **given), six=True, agenda=(Task(Do.CLOSE),)))


BOARD = Board(
    begin={"table": board, "six": six, "start": lambda: start(setup_of(BOX, ("orc-warrior", "elf-mage")))},
    play=played,
    look={
        "options": options,
        "decider": lambda state: {CHANCE: "chance", OVER: "over"}.get(decider(state), decider(state)),
        "payoffs": payoffs,
        "hp": lambda state: [hero.hp for hero in state.heroes],
        "ready": lambda state, seat: [piece.ready for piece in state.heroes[int(seat)].play],
        "deck": lambda state, seat, card: state.heroes[int(seat)].deck[BOX.card_numbers[card]],
        "added": lambda state, seat, stat: added(state, int(seat), stat),
        "dice": lambda state, one, other: number_of_dice(state, int(one), int(other)),
        "attack": lambda state: attack_total(state, state.queue[0]),
        "defence": lambda state: defence_total(state, state.queue[0]),
        "order": order_of,
        "cards": lambda state, seat: len(state.heroes[int(seat)].hand),
        "chance": chance_outcomes,
        "do": lambda state: state.agenda[-1].do,
        "seasons": lambda state, which: sum(state.season_deck if which == "left" else used_seasons(state)),
    },
    named=lambda name: SEASONS.index(name) if name in SEASONS else BOX.card_numbers[name],
)


@pytest.mark.parametrize("lines", cases(Path(__file__).with_name("rules.txt")))
def test_rule(lines: list[str]) -> None:
    BOARD.check(lines)
