"""A duel with a person in it, as a session: moves, hints by playouts, and what decisions cost."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.front.hints import hint_lines, review_lines
from analysis.front.players import Player
from analysis.front.session import PlayedSession
from analysis.warage.game import Advice, Decks
from analysis.warage.narration import move_text, table_lines
from analysis.warage.played_game import PlayedGame
from analysis.warage.wording import class_text, explained, race_text
from engine.warage.reference import setup_of
from engine.warage.rules import Rules

__all__ = ["DuelSession", "begin"]


def begin(rules: Rules, setup: Decks, seat: int, opponent: Player, seed: int, advice: Advice) -> DuelSession:
    """Begin a duel; the person plays the first deck, in whatever seat."""
    decks = [setup.deck, setup.against] if seat == 0 else [setup.against, setup.deck]
    table = setup_of(rules, decks)
    judged = not advice.no_costs
    game = PlayedGame(table, seat, opponent, advice.playouts, seed, judged=judged)
    for who, name in (("You", setup.deck), ("They", setup.against)):
        deck = rules.deck(name)
        told = race_text(rules, rules.race(deck.race)), class_text(rules.hero_class(deck.hero_class))
        game.events.append(f"{who} play {deck.name}. {' '.join(told)}")
    return DuelSession(game)


class DuelSession(PlayedSession[PlayedGame]):
    """A duel with a person in it; see `analysis.front.session.Session`."""

    def options(self) -> list[str] | None:
        """Return the person's moves in words; None once the duel is over."""
        if self.game.over:
            return None
        return [move_text(self.game.state, move) for move in self.game.moves()]

    def board(self) -> Sequence[str]:
        """Return the table as the person sees it."""
        return table_lines(self.game.state, self.seat)

    def hints(self) -> Sequence[str]:
        """Return what the moves are worth by playouts."""
        hint = self.game.hint()
        if not hint.options:
            return ["  nothing but to pass, as players by rules see it"]
        return hint_lines(hint.options, alike=hint.alike, who="players by rules")

    def explain(self, name: str) -> str | None:
        """Return what a card does."""
        return explained(self.game.setup.rules, name)

    def ending(self) -> Sequence[str]:
        """Return who has won, and what decisions cost."""
        winners = self.game.state.winners
        lines = ["You lose." if self.seat not in winners else "You win." if len(winners) == 1 else "A draw."]
        result = (self.seat in winners) / max(1, len(winners))
        return [*lines, *review_lines(self.game.decisions, result)] if self.game.judged else lines

    def fingerprint(self) -> bytes:
        """Return what tells this state from others."""
        return self.game.words.tobytes()
