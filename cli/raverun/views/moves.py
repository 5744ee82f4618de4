"""Moves and the table in words, for who plays at the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from engine.raverun.reference import PASS, Move, Phase, State
from engine.raverun.reference_view import view
from engine.raverun.rules import ACTIONS

_NAMES = ("Ada", "Ben", "Cleo")


class Names:
    """What the players are called by the one at the terminal.

    Parameters
    ----------
    seat : his.
    """

    def __init__(self, num_players: int, seat: int) -> None:
        self.seat = seat
        self.all = ["you" if player == seat else _NAMES[player] for player in range(num_players)]

    def stack(self, player: int) -> str:
        """Return whose stack, in words."""
        return "your stack" if player == self.seat else f"{self.all[player]}'s stack"

    def subject(self, player: int) -> str:
        """Return the name at the beginning of a sentence."""
        return "You" if player == self.seat else self.all[player]


def action_of(state: State) -> str | None:
    """Return what the offered card does, None if none is offered."""
    return None if state.offered is None else ACTIONS[state.rules.action(state.offered)]


def move_text(state: State, move: Move, names: Names) -> str:
    """Return a move in words, as the one who makes it types it."""
    rules = state.rules
    if move.order:
        return "order: " + ", then ".join(names.all[player] for player in move.order)
    card = "" if move.card is None else rules.card_name(move.card)
    action = action_of(state)
    if action is None:
        return f"{'choose' if state.phase == Phase.BID else 'play'} {card}"
    if move == PASS:
        return "no more" if state.put else "pass"
    stack = "" if move.player is None else names.stack(move.player)
    top = ""
    if move.player is not None and state.players[move.player].stack:
        top = rules.card_name(state.players[move.player].stack[-1])
    return {
        "swap": f"swap {card} for {top}, the top of {stack}",
        "exchange": f"put {card} under the deck",
        "draw": "draw a card",
        "deploy": f"deploy {card} onto {stack}",
        "capture": f"capture {card}",
        "bury": f"bury {top}, the top of {stack}",
        "recall": f"recall {card} to the top of your stack",
        "shuffle": f"shuffle {stack}",
    }[action]


def told(state: State, player: int, move: Move, names: Names) -> str:
    """Return what a player does, as far as all see it."""
    action = action_of(state)
    text = move_text(state, move, names)
    if player != names.seat:
        if state.phase == Phase.BID:
            text = "choose a card, unseen"
        elif action == "exchange" and move != PASS:
            text = "put a card under the deck, unseen"
        text = text.replace("your stack", "his stack") if action == "recall" else text
    with_card = "" if state.offered is None else f" with {state.rules.card_name(state.offered)}"
    return f"{names.subject(player)}{with_card}: {text}"


def table_lines(state: State, names: Names) -> list[str]:
    """Return the table as the one at the terminal sees it (V4)."""
    seen, card_name = view(state, names.seat), state.rules.card_name
    known = iter(seen.known)
    width = max(map(len, names.all))
    lines = [""]
    for player, name in enumerate(names.all):
        stack = " ".join("?" if card is None else card_name(card) for card in seen.stacks[player]) or "-"
        field = " ".join(map(card_name, seen.battlefields[player])) or "-"
        lines.append(f"{name:{width}}  stack, top last: {stack}   battlefield: {field}")
        if player != names.seat:
            cards = next(known)
            hand = f"{seen.hand_sizes[player]} cards" if seen.hand_sizes[player] != 1 else "1 card"
            among = f", {_listed(list(map(card_name, cards)))} among them" if cards else ""
            lines.append(f"{'':{width}}  holds {hand}{among}")
    decked = [card_name(card) for _, card in known]
    deck = f"deck {seen.deck_size}" + (f" ({_listed(decked)} in it)" if decked else "")
    lines.append(f"{deck}   your hand: {' '.join(map(card_name, seen.hand)) or '-'}")
    exposed = sorted({card for cards in seen.exposed for card in cards})
    if exposed:
        lines.append(f"of your hand others know {_listed(list(map(card_name, exposed)))}")
    if state.offered is not None:
        lines.append(f"{card_name(state.offered)} may {action_of(state)}:")
    return lines


def _listed(words: Sequence[str]) -> str:
    return ", ".join(words)
