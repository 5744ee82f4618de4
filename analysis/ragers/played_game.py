"""A day or a match with a person in it: what others do, what is told of it, hints, and what moves cost."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random
from statistics import fmean

from analysis.estimates import estimate
from analysis.ragers.last_day.for_the_match import ForTheMatch
from analysis.ragers.narration import action_words, row_lines, sides_of, why
from analysis.ragers.play.advice import not_told_apart
from analysis.ragers.play.equilibrium import DaySolver, StoredDays
from analysis.ragers.play.judging import judge_move, judgement_text
from analysis.ragers.play.opponents import (
    Opponent,
    Rollouts,
    opening_of,
    stored_mix,
    stored_nash_conv,
    stored_worth,
)
from analysis.ragers.play.scoring import day_scores
from analysis.ragers.play.transcript import Game
from analysis.ragers.wording.names import card
from engine.ragers.reference import NOTHING, Phase, deciders, is_over, legal_actions, scores, winner
from engine.ragers.rules import PLAYERS, TYPES

__all__ = ["PlayedGame", "behind_best"]


class PlayedGame:
    """A game in play.

    Parameters
    ----------
    adviser : gives hints where nothing is stored or solved.
    solver : solves on from decisions of the first day, for hints and for what decisions cost.
    """

    def __init__(self, game: Game, opponent: Opponent, adviser: Rollouts, solver: DaySolver | None) -> None:
        self.game, self.opponent, self.adviser = game, opponent, adviser
        self.solver: DaySolver | StoredDays = StoredDays() if solver is None else solver
        self.seat = game.header.player
        self.is_match = game.header.day is None
        you = PLAYERS[self.seat].capitalize()
        what = "A match" if self.is_match else "A day"
        self.events = [
            f"{what} of {game.header.rules.name}; you are the {you}.",
            f"Opponent {opponent.name}.",
        ]
        self._days_told = game.state.day
        game.chance()

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return is_over(self.game.state)

    def choices(self) -> tuple[int, ...]:
        """Return what the person can do."""
        return legal_actions(self.game.state, self.seat)

    def play_on(self) -> None:
        """Play chance and what the other player decides alone."""
        self.game.chance()
        self._tell_day()
        while not self.over and self.seat not in deciders(self.game.state):
            self._go(NOTHING)

    def make(self, number: int) -> None:
        """Make the person's choice of this number; the other player chooses without knowing it."""
        self._go(self.choices()[number])

    def _go(self, mine: int) -> None:
        game, state, me = self.game, self.game.state, self.seat
        who, news = deciders(state), []
        if me in who:
            game.mark()
        move = [NOTHING, NOTHING]
        move[me] = mine
        if 1 - me in who:
            move[1 - me] = self.opponent.choose(game.view(1 - me), game.dice("opponent"))
            news = self.opponent.news() if isinstance(self.opponent, ForTheMatch) else []
        game.go((move[0], move[1]))
        self.events += [f"Your opponent: {line}." for line in news]
        if 1 - me in who and state.phase != Phase.DEADEYE:
            other = move[1 - me]
            verb = "discards" if state.phase == Phase.PREPARE else "places"
            self.events.append(
                f"Your opponent {verb} {'nothing' if other == NOTHING else card(TYPES[other])}."
            )
        game.chance()
        self._tell_day()

    def _tell_day(self) -> None:
        """If a day has ended, say how, and why it scored so."""
        game, me = self.game, self.seat
        if self._days_told == game.state.day:
            return
        self._days_told = game.state.day
        score = day_scores(game.steps(), game.state)[-1]
        self.events += row_lines(score.rows, me)
        self.events += why(game.header.rules, score, sides_of(me), me)
        gp = score.result.gp
        self.events.append(f"The day: {gp[me]} GP for you, {gp[1 - me]} for your opponent.")
        if self.is_match:
            now = scores(game.state)
            self.events.append(f"The match so far: you {now[me]}, your opponent {now[1 - me]}.")

    def undo(self) -> bool:
        """Take back the last decision of the person's."""
        taken_back = self.game.undo()
        self._days_told = self.game.state.day
        self.events.clear()
        return taken_back

    def hint(self) -> list[str]:
        """Return what the stored solution, a solve on the spot, or playouts say."""
        state, view = self.game.state, self.game.view(self.seat)
        legal = self.choices()
        if len(legal) == 1:
            return [f"{action_words(state, legal[0])} is all you can do"]
        mix, worth = stored_mix(view), stored_worth(view)
        opening = opening_of(state)
        title = "" if opening is None else f"stored solution ({opening[0].preparation}), {opening[1]}"
        nash_conv_gp = stored_nash_conv(view)
        if mix is None:
            solved = self.solver.solve(view)
            if solved is not None:
                mix, worth, nash_conv_gp = solved.mix, solved.worth_gp, solved.nash_conv_gp
                how = "solved" if solved.on_the_spot else "stored"
                title = f"the rest of the day, {how} (NashConv {solved.nash_conv_gp:.3f} GP)"
        if mix is None:
            return self._playouts_say()
        lines = [f"{title}:"]
        unknown = "" if worth is None else not_told_apart([worth[a] for a in legal], nash_conv_gp or 0.0)
        if unknown:
            lines = [f"{title}, {unknown}:"]
        for action in legal:
            known = worth is not None and not math.isnan(worth[action])
            value = f", worth {worth[action]:+.3f} GP" if known and worth is not None else ""
            share = 100 * max(0.0, mix[action])
            lines.append(f"  {_short(action):9}{share:4.0f} %{value}")
        return lines

    def _playouts_say(self) -> list[str]:
        # Its own chance: asking changes nothing in the game.
        chance = Random(f"{self.game.header.seed} {len(self.game.moves)} hint")
        gains = self.adviser.gains(self.game.view(self.seat), chance)
        number = self.adviser.playouts
        lines = [f"mean GP on balance in {number} random playouts of the day (a rough guide):"]
        ranked = sorted(gains, key=lambda action: -sum(gains[action]))
        for action in ranked:
            behind = behind_best(gains[ranked[0]], gains[action])
            lines.append(f"  {_short(action):9}{fmean(gains[action]):+.2f}{behind}")
        return lines

    def ending(self) -> list[str]:
        """Return who won, and what decisions cost."""
        game, me, lines = self.game, self.seat, []
        now = scores(game.state)
        if self.is_match:
            won = "win" if winner(game.state) == me else "lose"
            lines.append(f"You {won} the match, {now[me]} to {now[1 - me]}.")
        else:
            lines.append(f"The day is over, {now[me]} to {now[1 - me]} GP.")
        choices = [each for each in game.steps() if len(legal_actions(each.state, me)) > 1]
        judged = [judge_move(played, me, self.solver) for played in choices]
        sentences = [judgement_text(each, "you") for each in judged if each is not None]
        if sentences:
            lines += ["What your decisions cost:", *(f"  {each}" for each in sentences)]
        if None in judged:
            how = (
                "ragers review --for-match judges those of a match"
                if self.is_match
                else "--think solves for them"
            )
            lines.append(f"Of your decisions {judged.count(None)} were not judged; {how}.")
        return lines


def _short(action: int) -> str:
    return "keep" if action == NOTHING else card(TYPES[action])


def behind_best(best: Sequence[int], other: Sequence[int]) -> str:
    """Return how far playouts are behind the best ones of the same deals, if that is told apart."""
    behind = estimate([one - two for one, two in zip(best, other, strict=True)])
    if best is other or behind.mean is None:
        return ""
    if behind.low is None or behind.low <= 0.0:
        return f"   not told apart from the best by {len(best)} playouts"
    return f"   {behind.mean:.2f} ±{behind.width:.2f} behind"
