"""A match with a person in it, as a session: moves, hints by a search, and the end."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.front.hints import review_lines
from analysis.front.players import Player
from analysis.front.session import PlayedSession
from analysis.ophidian import setup as declared
from analysis.ophidian.contest import budget_of
from analysis.ophidian.narration import explained, move_words, phase_words, table_lines
from analysis.ophidian.played_game import PlayedGame
from engine.ophidian.reference import winner
from engine.ophidian.rules import Rules

__all__ = ["MatchSession", "begin"]

HINTS = 8
"""Moves that a hint names."""
ESTIMATED = "Playouts end with the wave, and what that is worth is an estimate, except for the last one."


def begin(
    rules: Rules,
    setup: declared.Decks,
    seat: int,
    opponent: Player,
    seed: int,
    advice: declared.Advice,
) -> MatchSession:
    """Begin a match."""
    values = opponent.file if isinstance(opponent, declared.Values) else None
    name = str(opponent.__struct_config__.tag)
    decks = (setup.deck, setup.against)
    playouts = 0 if advice.no_costs else advice.playouts
    return MatchSession(PlayedGame(rules, decks, seat, name, budget_of(opponent), seed, values, playouts))


class MatchSession(PlayedSession[PlayedGame]):
    """A match with a person in it; see `analysis.front.session.Session`."""

    def options(self) -> list[str] | None:
        """Return the person's moves in words; None once the match is over."""
        if self.game.over:
            return None
        return [move_words(self.game.state, move) for move in self.game.choices()]

    def board(self) -> Sequence[str]:
        """Return the table as the person sees it."""
        return list(table_lines(self.game.state, self.seat, self.game.decks))

    def task(self) -> str:
        """Return what is to be decided."""
        return "" if self.game.over else phase_words(self.game.state).capitalize()

    def hints(self) -> Sequence[str]:
        """Return how a search likes the moves."""
        lines = ["how often a search tries them, and what comes of them (1 won, -1 lost; estimates):"]
        for option in self.game.options()[:HINTS]:
            worth = "   ?" if option.mean != option.mean else f"{option.mean:+.2f}"
            text = move_words(self.game.state, option.move)
            lines.append(f"  {100 * option.share:3.0f} %  {worth}  {text}")
        return lines

    def explain(self, name: str) -> str | None:
        """Return what a card or a gladiator is."""
        return explained(self.game.rules, name)

    def ending(self) -> Sequence[str]:
        """Return who has won, and what decisions cost."""
        best = winner(self.game.state)
        won = "Nobody wins." if best is None else "You win." if best == self.seat else "They win."
        result = 0.5 if best is None else float(best == self.seat)
        judged = [*review_lines(self.game.decisions, result), ESTIMATED] if self.game.judged else []
        return [won, *judged]

    def fingerprint(self) -> str:
        """Return what tells this state from others."""
        return repr(self.game.state)
