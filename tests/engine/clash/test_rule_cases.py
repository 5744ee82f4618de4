"""The rules of Clash of Rage by id: the cases of `rules.txt`, on the reference."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace as with_values

from engine.clash import reference, reference_battle
from engine.clash.fighters import Fighter, fighter
from engine.clash.reference_battle import Battle, injuries, slowness
from engine.clash.reference_march import reachable
from engine.clash.reference_state import Phase, State, controls, points, reserve
from engine.clash.rules import load_rules
from engine.protocol import CHANCE, OVER, IllegalMove
from tests.engine.clash.notation import card, move_of, move_text, options, play, table
from tests.engine.clash.plays import BOX
from tests.engine.rule_cases import Board, cases

PLAIN = Fighter(power=2, life=2)


def counts(text: str) -> Any:
    """Figures by place: `0:210 14:001`."""
    places = (each.split(":") for each in text.split())
    return {int(place): tuple(map(int, figures)) for place, figures in places}


def board(**given: Any) -> State:
    """A state in the middle of a game, as `notation.table` makes it."""
    for name in ("deck", "market"):
        if name in given:
            given[name] = (*given[name], *[0] * (20 - len(given[name])))
    for name in ("bag", "under", "order", "legendary", "elf_cards"):
        if name in given:
            given[name] = tuple(tuple(each) if isinstance(each, list) else each for each in given[name])
    given |= {"units": [counts(each) for each in given.get("units", "").split("|")]}
    given |= {"elves": counts(given["elves"])} if "elves" in given else {}
    given |= {"rules": load_rules(overrides=[given["rules"]])} if "rules" in given else {}
    given |= {"phase": Phase[given["phase"].upper()]} if "phase" in given else {}
    sides = given.pop("sides", [])
    given["sides"] = [
        {key: tuple(value) if isinstance(value, list) else value for key, value in side.items()}
        for side in sides
    ]
    return table(**given)


def choosing(**given: Any) -> State:
    """Two players choose tactic cards; in the first round their Bastions do not stand yet."""
    side = {"hand": [0, 1, 2], "discard": [], "chosen": None}
    side |= {"bastion": None} if given.get("round") == 1 else {}
    return board(phase="tactic", action=0, order=[], sides=[side, side], **given)


def improving(**given: Any) -> State:
    """The end of a round."""
    return play(board(action=2, **given), "pass", "pass")


def battle(
    own: str = "",
    other: str = "",
    counts: Any = "100 100",
    *,
    elves: bool = False,
    solo: bool = False,
    **more: Any,
) -> Battle:
    """A battle alone: fighters such as `power3 slow1`, or `bohorg` with a card, or `-`, for each type."""
    if "choose" in more:
        more["elves"] = more.pop("choose")
    armies = [
        tuple(
            fighter(unit, [] if name == "-" else [BOX.card(name)])
            for unit, name in zip(BOX.clan("bohorg").units, [*side.split()[1:], "-", "-", "-"], strict=False)
        )
        if side.startswith("bohorg")
        else (*(fighter_of(each) for each in side.split(",")), PLAIN, PLAIN)[:3]
        for side in (own, other)
    ]
    one, two = (tuple(map(int, each)) for each in counts.split())
    rule = with_values(BOX.battle, **more)
    return reference_battle.start(rule, armies, (one, two), elves=elves, solo=solo)  # type: ignore[arg-type]


def fighter_of(words: str) -> Fighter:
    return PLAIN._replace(**{name: int(number) for name, number in re.findall(r"([a-z]+)(\d)", words)})


def of(state: Any) -> Any:
    """The module that walks a state."""
    return reference_battle if isinstance(state, Battle) else reference


def choices_of(state: Any) -> list[str]:
    if isinstance(state, State):
        return options(state)
    moves = of(state).legal_moves(state) or [outcome for outcome, _ in of(state).chance_outcomes(state)]
    return list(map(move_text, moves))


def played(state: Any, text: str) -> Any:
    return play(state, text) if isinstance(state, State) else reference_battle.step(state, battle_move(text))


def battle_move(text: str) -> Any:
    move = move_of(text)
    return move if isinstance(move, int) else reference_battle.Move(move.kind, move.values)  # type: ignore[arg-type]


def reach(state: State, kind: str, place: str) -> list[int]:
    return reachable(play(state, "march") if state.phase == Phase.ACTION else state, int(kind), int(place))


BOARD = Board(
    begin={
        "table": board,
        "choosing": choosing,
        "improving": improving,
        "solo": partial(board, clans=["bohorg"], difficulty="medium"),
        "battle": battle,
    },
    play=played,
    look={
        "options": choices_of,
        "discards": lambda state: sum(each.startswith("discard") for each in options(state)),
        "decider": lambda state: {CHANCE: "chance", OVER: "over"}.get(
            of(state).decider(state), of(state).decider(state)
        ),
        "chance": lambda state: of(state).chance_outcomes(state),
        "payoffs": lambda state: of(state).payoffs(state),
        "points": lambda state, player: points(state, int(player)),
        "reserve": lambda state, player: reserve(state, int(player)),
        "controls": lambda state, player, place: controls(state, int(player), int(place)),
        "reach": reach,
        "injuries": injuries,
        "slowness": lambda state, side: slowness(state, int(side)),
    },
    named=card,
    refusal=(AssertionError, IllegalMove),
)


@pytest.mark.parametrize("lines", cases(Path(__file__).with_name("rules.txt")))
def test_rule(lines: list[str]) -> None:
    BOARD.check(lines)


def test_B12_without_a_limit_every_assault_changes_figures_or_rage() -> None:
    """Each step goes down in figures, or up in rage: no battle is endless."""
    state, seen = battle(other="slow1", counts="200 200"), set[Battle]()
    while state.winner is None:
        assert state not in seen
        assert len(seen) < 12
        seen.add(state)
        for move in ("roll", "0"):
            state = played(state, move)
        state = played(state, choices_of(state)[-1])
