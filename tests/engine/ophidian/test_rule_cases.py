"""The rules of Ophidian Arena by id: the cases of `rules.txt`, on the reference."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.ophidian.reference import (
    ACTION,
    CHANCE,
    OVER,
    SUPPORT,
    Fighter,
    Kind,
    Move,
    Phase,
    Seat,
    State,
    chance_outcomes,
    decider,
    is_alive,
    is_raging,
    legal_moves,
    number,
    payoffs,
    points,
    seat_of,
    start,
    start_match,
    start_wave,
    step,
    winner,
    wounds,
)
from engine.ophidian.reference_view import view
from engine.ophidian.rules import Rules, load_rules
from tests.engine.ophidian.tables import BOX, counts, fighter, table, titles
from tests.engine.rule_cases import Board, cases, frozen

FIELDS = {"S": SUPPORT, "A": ACTION}
_OF_CARDS = (Kind.PLAY, Kind.REPLY, Kind.DISCARD, Kind.UNDER)


def team(text: str, rules: Rules) -> list[Fighter]:
    """Who stands there: `runt w3 S set L1 +plate, drone`."""
    found = []
    for name, *words in (each.split() for each in text.split(",")):
        more: dict[str, Any] = {"pumps": " ".join(w.lstrip("+") for w in words if w[0] in "+~")}
        for word in words:
            more |= {"field": FIELDS[word]} if word in FIELDS else {}
            more |= {"is_set": True} if word == "set" else {}
            more |= {"level": int(word[1:])} if word[0] == "L" else {}
            more |= {"wounds": int(word[1:])} if word[0] == "w" else {}
        found.append(fighter(name, rules=rules, **more))
    return found


def read(given: dict[str, Any]) -> tuple[list[Fighter], list[Fighter], dict[str, Any]]:
    """Both teams, and what else is given of a position."""
    given = {key: frozen(value) for key, value in given.items()}
    rules = load_rules(overrides=given["rules"].split(" + ")) if "rules" in given else BOX
    own, other = (team(given.pop(name), rules) for name in ("own", "other"))
    return own, other, given | {"rules": rules}


def fight(**given: Any) -> State:
    """A wave without cards."""
    own, other, more = read(given)
    return start_wave(more.pop("rules"), (own, other), **more)


def board(**given: Any) -> State:
    """A position at an action, with cards."""
    own, other, more = read(given)
    for name in ("hands", "decks", "bottoms", "stacks"):
        if name in more:
            more[name] = more[name].split("|")
    return table(own, other, **more)


def breather(**given: Any) -> State:
    """Both pass, and nobody discards."""
    state = board(**given)
    for move in ("pass", "pass"):
        state = played(state, move)
    if state.phase == Phase.DIE:
        state = step(state, 0)
    for _ in range(2):
        if state.phase == Phase.DISCARD:
            state = played(state, "stop")
        state = played(state, "deal")
    return state


def begun(own: str, other: str) -> State:
    return start(BOX, [[BOX.gladiator(name) for name in each.split()] for each in (own, other)])


def match() -> State:
    return start_match(BOX, [seat_of(BOX, deck) for deck in ("iron", "storm")])


def move_text(rules: Rules, move: Move) -> str:
    """A move as cases write it."""
    words: list[object] = [move.kind.name.lower()]
    if move.kind in _OF_CARDS:
        words.append(rules.cards[move.card].id)
    if move.kind == Kind.REINFORCE:
        words.append(rules.gladiators[move.card].id)
    if move.who >= 0 and move.kind != Kind.PLAY:
        words.append(move.who)
    if move.kind == Kind.ABILITY and move.target >= 0:
        words.append(move.card)
    words += [each for each in (move.target, move.side) if each >= 0]
    fields = {value: key for key, value in FIELDS.items()}
    words += [fields[each] if move.kind == Kind.PLACE else each for each in move.many]
    words += ["by", move.who] if move.kind == Kind.PLAY and move.who >= 0 else []
    return " ".join(map(str, words))


def options(state: State) -> list[str]:
    """Every move, or outcome, of a state."""
    outcomes = [str(outcome) for outcome, _ in chance_outcomes(state)]
    return outcomes or [move_text(state.rules, move) for move in legal_moves(state)]


def played(state: State, text: str) -> State:
    """The state after a move; `draw` takes the first cards, `deal` also puts the first under the deck."""
    phases = {"draw": (Phase.DRAW,), "deal": (Phase.DRAW, Phase.UNDER)}
    if text in phases:
        while state.phase in phases[text]:
            state = played(state, options(state)[0])
        return state
    known = options(state)
    assert text in known, f"{text}: not among {known}"
    return step(state, int(text) if text.isdigit() else legal_moves(state)[known.index(text)])


def of_fighter(function: Any) -> Any:
    """What a function of rules and a fighter says of one of a team."""
    return lambda state, side, place: function(state.rules, state.teams[int(side)][int(place)])


BOARD = Board(
    begin={"fight": fight, "table": board, "breather": breather, "start": begun, "match": match},
    play=played,
    look={
        "options": options,
        "moves": lambda state: len(options(state)),
        "kinds": lambda state: [move.kind for move in legal_moves(state)],
        "plays": lambda state: titles(state, Kind.PLAY),
        "replies": lambda state: titles(state, Kind.REPLY),
        "decider": lambda state: {CHANCE: "chance", OVER: "over"}.get(decider(state), decider(state)),
        "chance": chance_outcomes,
        "payoffs": payoffs,
        "winner": winner,
        "points": lambda state, player: points(state, int(player)),
        "wounds": lambda state, player: wounds(state, int(player)),
        "raging": of_fighter(is_raging),
        "alive": of_fighter(is_alive),
        "field": of_fighter(lambda _, each: "S" if each.field == SUPPORT else "A"),
        "number": lambda state, side, place, stat: number(
            state, int(side), state.teams[int(side)][int(place)], stat
        ),
        "size": lambda state, side: len(state.teams[int(side)]),
        "deck": lambda state, side: sum(state.holdings[int(side)].deck),
        "hand": lambda state, side: len(state.holdings[int(side)].hand),
        "bottom": lambda state, side: len(state.holdings[int(side)].bottom),
    },
    named=lambda name: BOX.card_numbers[name],
)


@pytest.mark.parametrize("lines", cases(Path(__file__).with_name("rules.txt")))
def test_rule(lines: list[str]) -> None:
    BOARD.check(lines)


def test_T3_decks_are_large_enough() -> None:
    with pytest.raises(ValueError, match="a deck of 2 cards"):
        start_match(BOX, [Seat((0,), counts("hex hex")), seat_of(BOX, "storm")])


def test_a_player_does_not_see_the_others_cards() -> None:
    state = board(own="runt", other="scrap", hands="hex | veil toxin", bottoms="plate | imp")
    seen = view(state, 0)
    assert seen.holdings[0] == state.holdings[0]
    assert (seen.holdings[1].hand, seen.holdings[1].bottom) == ((-1, -1), (-1,))
    assert sum(seen.holdings[1].deck) == 20 + 3
    swapped = board(own="runt", other="scrap", hands="hex | imp toxin", bottoms="plate | veil")
    assert view(swapped, 0).holdings == seen.holdings
    assert view(swapped, 1).holdings != view(state, 1).holdings
