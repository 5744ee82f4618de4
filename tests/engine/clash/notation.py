"""Short notation for moves, and states somewhere in the middle of a game.

A move is its kind and its values, `move 0 14 3`; an outcome of chance is its number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.clash import reference
from engine.clash.reference import Move, Phase, Player, State, scenario, step
from engine.clash.reference_state import NONE, Counts
from engine.clash.rules import Rules
from engine.protocol import choices
from tests.engine.clash.plays import BOX

Units = Mapping[int, Counts]


def move_text(move: Move | int) -> str:
    if isinstance(move, int):
        return str(move)
    return " ".join((move.kind, *map(str, move.values)))


def move_of(text: str) -> Move | int:
    """The move, or the outcome, that `move_text` wrote."""
    kind, *values = text.split()
    return Move(kind, tuple(map(int, values))) if kind.isalpha() else int(kind)


def options(state: State) -> list[str]:
    """Every move, or outcome, of a state."""
    return list(map(move_text, choices(reference, state)))


def play(state: State, *texts: str) -> State:
    """The state after these moves and outcomes."""
    for text in texts:
        move = move_of(text)
        assert text in options(state), f"{text}: not among {options(state)}"
        state = step(state, move)
    return state


def table(
    clans: Sequence[str] = ("bohorg", "godleif"),
    *,
    rules: Rules = BOX,
    units: Sequence[Units] = (),
    elves: Units | None = None,
    bastions: Sequence[int] = (0, 8, 5, 3),
    sides: Sequence[Mapping[str, Any]] = (),
    difficulty: str | None = None,
    long_game: bool = False,
    **changes: Any,
) -> State:
    """A state in the middle of a game: by default the first action of player 0 in the second round.

    Parameters
    ----------
    units : figures of each player by place, -1 being its Bastion.
    elves : figures of the elves by territory; the bag holds all others.
    bastions : spots of the Bastions.
    sides : further attributes of each player.
    changes : further attributes of the state.
    """
    chosen = scenario(rules, clans, difficulty=difficulty, long_game=long_game)
    num_territories = 7 * len(chosen.tiles)
    players = []
    for index in range(len(clans)):
        own = [NONE] * (num_territories + 1)
        for place, counts in (units[index] if index < len(units) else {}).items():
            own[place] = counts
        side = dict(sides[index]) if index < len(sides) else {}
        discard = side.pop("discard", (0,))
        hand = tuple(card for card in range(7) if card not in discard)[: rules.match.hand_size]
        players.append(
            Player(
                tuple(own),
                **({"hand": hand, "discard": discard, "chosen": 0, "bastion": bastions[index]} | side),
            )
        )
    standing = [NONE] * num_territories
    for place, counts in (elves or {}).items():
        standing[place] = counts
    bag = [elf.tokens - sum(place[kind] for place in standing) for kind, elf in enumerate(rules.elves)]
    market = tuple(int(card < rules.match.market) for card in range(len(rules.equipment)))
    state = State(
        rules=rules,
        scenario=chosen,
        players=tuple(players),
        elves=tuple(standing),
        bag=(bag[0], bag[1], bag[2]),
        deck=tuple(card.copies - there for card, there in zip(rules.equipment, market, strict=True)),
        market=market,
        legendary=tuple(range(len(rules.equipment), len(rules.equipment) + len(rules.legendary))),
        phase=Phase.ACTION,
        round=2,
        order=tuple(range(len(clans))),
        action=1,
    )
    return replace(state, **changes)


def card(name: str, rules: Rules = BOX) -> int:
    """The number of an equipment or legendary card."""
    found = rules.card(name)
    cards: list[Any] = [*rules.equipment, *rules.legendary]
    return cards.index(found)


def figures(counts: Sequence[int]) -> str:
    return "".join(map(str, counts))


def standing(places: Sequence[Counts]) -> str:
    return " ".join(f"{place}:{figures(counts)}" for place, counts in enumerate(places) if any(counts))
