"""Raverun in words: moves, the table, what cards do, what happened, and what decisions cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from analysis.amounts import counted
from analysis.raverun.transcript import Header, Step, Transcript, ways_at, written
from engine.raverun.reference import PASS, Move, Phase, State, decider, legal_moves, payoffs, start, step
from engine.raverun.reference_view import view
from engine.raverun.rules import ACTIONS, Rules, UnknownNameError

if TYPE_CHECKING:
    from analysis.raverun.played_game import Decision

LEAST_COST = 0.005
"""Decisions that cost less are not spoken of, in units of payoff."""

_NAMES = ("Ada", "Ben", "Cleo")


class Names:
    """What the players are called by the one at the terminal, who sits in `seat`."""

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
        text = text.replace("your stack", "their stack") if action == "recall" else text
    with_card = "" if state.offered is None else f" with {state.rules.card_name(state.offered)}"
    return f"{names.subject(player)}{with_card}: {text}"


def table_lines(state: State, names: Names) -> list[str]:
    """Return the table as the one at the terminal sees it (V4)."""
    seen, card_name = view(state, names.seat), state.rules.card_name
    known = iter(seen.known)
    width = max(map(len, names.all))
    lines = []
    for player, name in enumerate(names.all):
        stack = " ".join("?" if card is None else card_name(card) for card in seen.stacks[player]) or "-"
        field = " ".join(map(card_name, seen.battlefields[player])) or "-"
        lines.append(f"{name:{width}}  stack, top last: {stack}   battlefield: {field}")
        if player != names.seat:
            cards = next(known)
            hand = counted(seen.hand_sizes[player], "card")
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


_EFFECTS = {
    "swap": "exchange a card of your hand with the top card of any stack",
    "exchange": "put any number of your cards under the deck, unseen, and draw as many",
    "draw": "draw a card",
    "deploy": "move a card from any battlefield onto the top of any stack",
    "capture": "move a card from another battlefield to yours",
    "bury": "put the top card of any stack under the deck",
    "recall": "move a card of the same letter from within your stack to its top",
    "shuffle": "shuffle any stack; all see the new top card",
}
_PLACES = {
    "stacks": "on top of your stack, after the clash of a round",
    "battlefields": "on your battlefield, in the last phase",
    "nowhere": "nowhere under these rules",
}


def explained(rules: Rules, name: str) -> str | None:
    """Return what a card (``4B``), a character (``4``) or an action (``deploy``) does; None if none is it."""
    if name.lower() in ACTIONS:
        cards = [card for card in range(rules.num_cards) if ACTIONS[rules.action(card)] == name.lower()]
    elif name.isdigit():
        cards = [card for card in range(rules.num_cards) if rules.card_name(card)[:-1] == name]
    else:
        try:
            cards = [rules.card(name)]
        except UnknownNameError:
            return None
    if not cards:
        return None
    names = ", ".join(map(rules.card_name, cards))
    action, place = ACTIONS[rules.action(cards[0])], _PLACES[rules.acts_on(cards[0])]
    return (
        f"{names}: {action}. You may {_EFFECTS[action]}. It acts {place}, the lowest"
        " card first, and only where there is something to do it to."
    )


def happening(state: State, done: Move | int, names: Names) -> str:
    """Return what happened at a state, hidden cards included."""
    if isinstance(done, int):
        card = state.rules.card_name(done)
        if state.shuffler is not None:
            return f"laid out: {card} on {names.stack(state.shuffler)}"
        return f"drawn by {names.all[state.drawer]}: {card}" if state.drawer is not None else f"drawn: {card}"
    player = decider(state)
    text = move_text(state, done, names)
    if player != names.seat and action_of(state) == "recall":
        text = text.replace("your stack", "their stack")
    with_card = "" if state.offered is None else f" with {state.rules.card_name(state.offered)}"
    return f"{names.subject(player)}{with_card}: {text}"


def transcript_text(header: Header, ways: Sequence[int]) -> str:
    """Return the transcript of a game, by the number of each thing that happened among all possible."""
    names, state, words = Names(header.num_players, header.seat), start(header.rules, header.num_players), []
    for way in ways:
        done = ways_at(state)[way]
        words.append(happening(state, done, names))
        state = step(state, done)
    return written(header, ways, words, state)


def wrong_words(transcript: Transcript) -> Step | None:
    """Return the first step whose words are not those of its number, None if there is none."""
    names = Names(transcript.header.num_players, transcript.header.seat)
    return next(
        (each for each in transcript.steps if each.words != happening(each.state, each.done, names)), None
    )


def cost_lines(decisions: Sequence[Decision], names: Names, most: int | None = None) -> list[str]:
    """Return a line for each of a person's decisions that cost something, the dearest first.

    Parameters
    ----------
    most : how many at most; None for all.
    """
    if not decisions:
        return []
    dear = sorted(decisions, key=lambda decision: -decision.cost)[:most]
    dear = [decision for decision in dear if decision.cost >= LEAST_COST]
    guessed = [decision for decision in decisions if not decision.exact]
    lines = ["What your decisions cost, in payoff:"] if dear else []
    if not dear:
        number = counted(len(decisions), "decision")
        by = ", by what judges" if guessed else ""
        lines.append(f"Of your {number} that could be judged none cost {LEAST_COST} or more{by}.")
    for decision in dear:
        moves = list(legal_moves(decision.state))
        did, best = (
            move_text(decision.state, moves[index], names) for index in (decision.index, decision.best)
        )
        lines.append(f"  {decision.cost:.2f}  {did}; better: {best} ({decision.how})")
    if guessed:
        how = guessed[0].how
        lines.append(f"  {len(guessed)} of {len(decisions)} are judged {how}: estimates, no proofs.")
    return lines


def unjudged_words(number: int, among: int, players: int) -> str:
    """Say how many of a person's decisions nothing judges, why, and what would."""
    why = f"no learned values come with the package for these rules and {players} players"
    how = "`raverun train` learns some for them, and --values judges by its file"
    return f"{number} of your {among} decisions are not judged: {why}. {how}."


def score_lines(state: State, seat: int) -> list[str]:
    """Return who has won, and what everybody is paid."""
    score = payoffs(state)
    own = score[seat]
    won = "You win." if own > 0 else "You lose." if own < 0 else "A draw."
    return [won, "Payoffs: " + " ".join(f"{value:+g}" for value in score)]
