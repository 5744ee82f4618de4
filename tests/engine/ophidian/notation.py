"""Short notation for moves and tables in transcripts.

A move is its kind and its numbers, cards by name: `attack 0 1`, `play hex 1:0` (the target of player 1 at
place 0), `place as` (the first in the action field, the second in the support field). An outcome of chance is
its number.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.ophidian.reference import ACTION, SUPPORT, Fighter, Kind, Move, State, decider, is_alive, is_over
from engine.ophidian.reference_state import rule_of

_OF_CARDS = (Kind.PLAY, Kind.REPLY, Kind.DISCARD, Kind.UNDER)
_OF_ABILITIES = (Kind.ABILITY, Kind.REACT)


def move_text(state: State, move: Move | int) -> str:
    if isinstance(move, int):
        return str(move)
    words = [move.kind.name.lower()]
    if move.kind in _OF_CARDS:
        words.append(state.rules.cards[move.card].id)
    elif move.kind == Kind.REINFORCE:
        words.append(state.rules.gladiators[move.card].id)
    elif move.kind == Kind.PLACE:
        words.append("".join("sa"[field] for field in move.many) or "-")
    elif move.kind == Kind.PROMOTE:
        words += map(str, move.many)
    if move.who >= 0:
        words.append(f"by{move.who}" if move.kind in (*_OF_CARDS, *_OF_ABILITIES) else str(move.who))
    if move.kind in _OF_ABILITIES:
        words.append(f"no{move.card}")
    if move.side >= 0:
        words.append(f"{move.side}:{move.target}")
    elif move.target >= 0:
        words.append(str(move.target))
    return " ".join(words)


def move_of(state: State, text: str) -> Move | int:
    """The move, or the outcome, that `move_text` wrote."""
    if text.isdigit():
        return int(text)
    name, *words = text.split()
    kind = Kind[name.upper()]
    if kind == Kind.PLACE:
        return Move(kind, many=tuple(ACTION if each == "a" else SUPPORT for each in words[0].strip("-")))
    if kind == Kind.PROMOTE:
        return Move(kind, many=tuple(map(int, words)))
    if kind == Kind.REINFORCE:
        return Move(kind, card=state.rules.gladiator(words[0]))
    who = target = side = card = -1
    if kind in _OF_CARDS:
        card = state.rules.card_numbers[words.pop(0)]
    for word in words:
        if word.startswith("by"):
            who = int(word[2:])
        elif word.startswith("no"):
            card = int(word[2:])
        elif ":" in word:
            side, target = map(int, word.split(":"))
        elif who < 0:
            who = int(word)
        else:
            target = int(word)
    return Move(kind, who, target, (), card, side)


def state_move_text(state: State, move: Move | int) -> str:
    """A move with who makes it, `-1` being chance."""
    return f"{decider(state)} {move_text(state, move)}"


def state_move_of(state: State, text: str) -> Move | int:
    """The move that `state_move_text` wrote."""
    return move_of(state, text.partition(" ")[2])


def fighter_text(state: State, fighter: Fighter) -> str:
    """`runt w2 L3 a set +plate`; `x` for the destroyed."""
    rule = rule_of(state.rules, fighter)
    if not is_alive(state.rules, fighter):
        return f"{rule.id} x"
    words = [rule.id, f"w{fighter.wounds}" if fighter.wounds else ""]
    words += [
        f"L{fighter.level + 1}" if fighter.level else "",
        "sa"[fighter.field],
        "set" if fighter.is_set else "",
    ]
    words += [("+" if owner == 0 else "~") + state.rules.cards[card].id for owner, card in fighter.pumps]
    words += [f"[{place}:{value:+d}]" for place, value in enumerate(fighter.changes) if value]
    return " ".join(word for word in words if word)


def table_text(before: State, after: State) -> str:
    """Wave and phase, cheer, what has changed of each player; at the end, who has won."""
    parts = [f"{after.wave}.{after.momentum}.{after.passes} {after.phase.name.lower()}"]
    if after.cheer != before.cheer:
        parts.append(f"cheer {after.cheer[0]}:{after.cheer[1]}")
    for player in (0, 1):
        if after.teams[player] != before.teams[player]:
            shown: Sequence[str] = [fighter_text(after, each) for each in after.teams[player]]
            parts.append(f"{player}: {', '.join(shown)}")
        holding = after.holdings[player]
        if holding.resources != before.holdings[player].resources:
            parts.append(f"{player} has {holding.resources}")
    if after.action is not None and after.action != before.action:
        action = after.action
        sign = "variable" if action.variable else "+" if action.positive else "-"
        parts.append(f"announced {action.kind.name.lower()} {sign} hit {action.hit}")
    if is_over(after):
        parts.append(f"over {after.broke}")
    return " | ".join(parts)
