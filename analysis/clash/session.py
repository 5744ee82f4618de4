"""A game with a person in it, as a session: choices, hints by playouts, and what decisions cost."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from analysis.clash import setup as declared
from analysis.clash.contest import advisor, check_clans, scenario_of_deal, seated
from analysis.clash.explaining import explained
from analysis.clash.maps import check_tiles, read_tiles
from analysis.clash.narration import choice_text, state_of
from analysis.clash.played_game import PlayedGame
from analysis.clash.table import table_lines
from analysis.errors import RequestError
from analysis.front.hints import hint_lines, review_lines
from analysis.front.players import Player
from analysis.front.session import PlayedSession
from engine.clash.rules import Rules

__all__ = ["GameSession", "begin"]

_CARD = re.compile(r"card (\d{1,9})")


def begin(
    rules: Rules,
    setup: declared.Setup,
    seat: int,
    opponents: Sequence[Player],
    seed: int,
    advice: declared.Advice,
) -> GameSession:
    """Begin a game; alone, or of as many players as there are opponents or clans."""
    usual = opponents == (declared.SEARCH,)
    if advice.solo is not None:
        if not usual:
            raise RequestError("alone against the elves (--solo) there are none", "--opponent")
        opponents, size = (), 1
    else:
        size = len(opponents) + 1 if len(opponents) > 1 else len(setup.clan) or 2
    if not 2 - (advice.solo is not None) <= size <= 4:
        option = "--clan" if len(opponents) == 1 else "--opponent"
        raise RequestError(f"two to four play, not {size}", option)
    opponents = tuple(opponents) * (size - 1) if len(opponents) == 1 else opponents
    check_clans(setup.clan, size)
    if seat >= size:
        raise RequestError(f"there is no seat {seat + 1} of {size}", "--seat")
    check_tiles(read_tiles(rules, setup.tiles), size)
    clans = setup.clan or random.Random(seed).sample([clan.id for clan in rules.clans], size)
    where = scenario_of_deal(rules, setup, clans, seed, 0, advice.solo)
    others = iter(opponents)
    players = [None if place == seat else seated(next(others), seed + place) for place in range(size)]
    adviser = advisor(opponents[0] if opponents else declared.SEARCH, seed)
    judged = not advice.no_costs
    return GameSession(PlayedGame(rules, where, players, adviser, advice.playouts, seed, judged=judged))


class GameSession(PlayedSession[PlayedGame]):
    """A game with a person in it; see `analysis.front.session.Session`."""

    def __init__(self, game: PlayedGame) -> None:
        super().__init__(game)
        where = game.game.scenario
        game.events.append(f"You play {where.clans[game.seat]} on tiles {' '.join(where.tiles)}.")

    def options(self) -> list[str] | None:
        """Return the person's choices in words; None once the game is over."""
        if self.game.game.over:
            return None
        return [choice_text(self.game.game, choice) for choice in self.game.choices()]

    def named(self, typed: str) -> int | None:
        """Return the card of the hand that ``card 16`` names by the number on it."""
        found, hand = _CARD.fullmatch(typed.lower()), self.game.hand()
        return hand.index(int(found[1])) if found is not None and int(found[1]) in hand else None

    def board(self) -> Sequence[str]:
        """Return the table as the person sees it."""
        return table_lines(state_of(self.game.game), self.seat)

    def hints(self) -> Sequence[str]:
        """Return what the choices are worth by playouts."""
        hint = self.game.hint()
        return hint_lines(hint.options, alike=hint.alike, who="players by rule of thumb")

    def explain(self, name: str) -> str | None:
        """Return what a clan, unit, card, territory or word is."""
        return explained(self.game.game, name)

    def ending(self) -> Sequence[str]:
        """Return who has won, and what decisions cost."""
        won, game = self.game.game.winner, self.game.game
        nobody = "You lose." if game.num_players == 1 else "Nobody wins."
        over = f"{game.scenario.clans[won]} wins." if won >= 0 else nobody
        lines = ["You win." if won == self.seat else over]
        result = float(won == self.seat)
        return [*lines, *review_lines(self.game.decisions, result)] if self.game.judged else lines

    def fingerprint(self) -> bytes:
        """Return what tells this state from others."""
        return self.game.game.words.tobytes()
