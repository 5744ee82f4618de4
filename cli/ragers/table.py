"""A match or a day of Ragers at the terminal: what `cli.play` asks the person about."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from random import Random
from statistics import fmean

import click

from analysis.estimates import estimate
from analysis.files import is_stream
from analysis.ragers.hands import LETTERS, HandError, card_type
from analysis.ragers.last_day.for_the_match import ForTheMatch
from analysis.ragers.play.effects import explained
from analysis.ragers.play.equilibrium import DaySolver
from analysis.ragers.play.judging import judge_move, judgement_text
from analysis.ragers.play.opponents import (
    Opponent,
    Rollouts,
    opening_of,
    stored_exchange,
    stored_mix,
    stored_worth,
)
from analysis.ragers.play.scoring import DayScore, day_scores
from analysis.ragers.play.transcript import Game
from analysis.ragers.wording.names import card, listed
from cli.play import Table, say, styled, wrapped
from cli.ragers.views.days import ROWS_HELP, cheers_text, row_text, sides_of, why
from engine.ragers.reference import NOTHING, Phase, State, deciders, is_over, legal_actions, scores, winner
from engine.ragers.reference_row import Slot
from engine.ragers.rules import PLAYERS, TYPES

_LETTER_OF = {name: letter for letter, name in LETTERS.items()}
_LETTERS = ", ".join(f"{letter} {card(name)}" for letter, name in LETTERS.items())
_KEEP = ("keep", "-", "nothing")


class RagersTable(Table):
    """A game in play.

    Parameters
    ----------
    game
        The game, at its beginning or gone on with.
    foe
        Who plays the other side.
    adviser
        Gives hints where nothing is stored or solved.
    solver
        Solves on from decisions of the first day, for hints and for what decisions cost.
    transcript
        Where the game is kept after every move.
    left
        Where it is kept if the person leaves and there is no transcript.
    """

    moves_help = (
        f"{wrapped(f'a card      its letter ({_LETTERS}), its name, or the beginning of it', 2, 12)}\n"
        f"  keep        discard nothing, before the day\n"
    )
    explains = "what a card, a patron or a cheers card does"
    hints = "what equilibrium does where it is known, or else what playouts say"
    leaves = "stop here; the game is kept, and you can go on with it"

    def __init__(
        self,
        game: Game,
        foe: Opponent,
        adviser: Rollouts,
        solver: DaySolver | None,
        transcript: Path | None,
        left: Path,
    ) -> None:
        self.game, self.foe, self.adviser, self.solver = game, foe, adviser, solver
        self.transcript, self.left = transcript, left
        self.kept = True
        self.me = game.header.player
        self.sides = sides_of(self.me)
        self.days_told = game.state.day

    def greet(self) -> None:
        """Say what is played, and against whom."""
        header = self.game.header
        what = "A match" if header.day is None else "A day"
        you = PLAYERS[self.me].capitalize()
        say(f"{what} of {header.rules.name}; you are the {you}. Seed {header.seed}.")
        say(wrapped(f"Opponent {header.opponent}.", 0, 2))

    def advance(self) -> bool:
        """Play chance and what the other one decides alone."""
        game = self.game
        while True:
            game.chance()
            self._tell_day()
            who = deciders(game.state)
            if not who:
                self._save(last=True)
                return False
            if self.me in who:
                return True
            self._go(NOTHING)

    def take(self, typed: str) -> bool:
        """Play the card that was typed, or none."""
        legal = legal_actions(self.game.state, self.me)
        if typed.lower() in _KEEP:
            if NOTHING in legal:
                self._go(NOTHING)
                return True
            say("  a card has to be placed")
            return False
        try:
            action = card_type(typed.lower() if len(typed) > 1 else typed)
        except HandError as error:
            say(wrapped(f"{error}; ? helps"))
            return False
        if action in legal:
            self._go(action)
            return True
        self._refuse(action, legal)
        return False

    def take_any(self) -> None:
        """Play one of the cards that can be played."""
        self._go(self.game.dice("any").choice(legal_actions(self.game.state, self.me)))

    def _refuse(self, action: int, legal: Sequence[int]) -> None:
        state, name = self.game.state, card(TYPES[action])
        assert state.patron is not None
        patron = state.rules.patrons[state.patron]
        if not state.players[self.me].hand[action]:
            reason = f"you hold no {name}"
        else:
            reason = f"{patron.name} forbids the {name}"
        allowed = listed([card(TYPES[each]) for each in legal if each != NOTHING])
        say(wrapped(f"you cannot play {name} now, since {reason}; you can: {allowed}"))

    def _go(self, mine: int) -> None:
        """Make both players' choices of one node; the other one chooses without knowing `mine`."""
        game, state = self.game, self.game.state
        who = deciders(state)
        if self.me in who:
            game.mark()
        move = [NOTHING, NOTHING]
        move[self.me] = mine
        if 1 - self.me in who:
            move[1 - self.me] = self.foe.choose(game.view(1 - self.me), game.dice("opponent"))
            for line in self.foe.news() if isinstance(self.foe, ForTheMatch) else ():
                say(wrapped(f"opponent: {line}", 2, 4))
        both = (move[0], move[1])
        game.go(both)
        if 1 - self.me in who and state.phase != Phase.DEADEYE:
            verb = "discards" if state.phase == Phase.PREPARE else "places"
            foe = both[1 - self.me]
            say(f"  opponent {verb} {'nothing' if foe == NOTHING else card(TYPES[foe])}")
        self._tell_day()
        self._save()

    def _tell_day(self) -> None:
        """If a day has ended, say how, and why it scored so."""
        if self.days_told == self.game.state.day:
            return
        self.days_told = self.game.state.day
        score: DayScore = day_scores(self.game.steps(), self.game.state)[-1]
        say("")
        self._show_rows(score.rows)
        for line in why(self.game.header.rules, score, self.sides, self.me):
            say(wrapped(line, 2, 2))
        own, opp = self._own_first(score.result.gp)
        say(styled(f"  The day: {own} GP for you, {opp} for your opponent.", bold=True))
        if self.game.header.day is None:
            own, opp = self._own_first(scores(self.game.state))
            say(f"  The match so far: you {own}, opponent {opp}.")

    def _show_rows(self, rows: Sequence[Sequence[Slot]]) -> None:
        for name, player in (("opponent", 1 - self.me), ("you", self.me)):
            row = [slot for slot in rows[player] if slot]
            say(wrapped(f"{name:10}{row_text(row, is_own=player == self.me)}", 2, 10))

    def show(self) -> None:
        """Show patron, cheers cards, rows and hand."""
        state = self.game.state
        assert state.patron is not None
        rules, patron = state.rules, state.rules.patrons[state.patron]
        banned = f", no {listed([card(each) for each in patron.forbidden], 'or')}" if patron.forbidden else ""
        day = f"Day {state.day + 1} of {rules.match.days}"
        say(styled(f"\n{day} · {patron.name}: rows of {rules.row_length(patron)}{banned}", bold=True))
        cheers = [cheers_text(rules.cheers[index]) for index in state.cheers_table] or ["none"]
        for number, text in enumerate(cheers):
            say(wrapped(f"{'' if number else 'cheers':10}{text}", 2, 10))
        if self.game.header.day is None and state.day:
            own, opp = self._own_first(scores(state))
            say(wrapped(f"{'match':10}you {own} GP, opponent {opp}{self._taken()}", 2, 10))
        self._show_rows([(*own.row, own.slot) for own in state.players])
        for name, player in (("your opponent's", 1 - self.me), ("your", self.me)):
            if state.players[player].mark:
                say(f"            {name} next card is doubled, by the Stopper")
        say(wrapped(f"{'cards':10}{self._cards()}", 2, 10))
        say(f"  {'hand':10}{self._hand(state, patron.forbidden) or 'empty'}")

    def _cards(self) -> str:
        """Return what all see of both players' cards: held, to be drawn, discarded."""
        texts = []
        for name, player in (("opponent", 1 - self.me), ("you", self.me)):
            side = self.game.state.players[player]
            text = f"{name} {sum(side.hand)} in hand, {sum(side.deck)} to draw"
            if side.discard is not None:
                text += f", discarded {card(TYPES[side.discard])} today"
            texts.append(text)
        return "; ".join(texts)

    def _taken(self) -> str:
        """Return which cheers cards have been taken, by whom."""
        rules, texts = self.game.header.rules, []
        for name, player in (("you", self.me), ("your opponent", 1 - self.me)):
            taken = [rules.cheers[index].name for index in self.game.state.players[player].cheers]
            if taken:
                texts.append(f"{name} took {listed(taken)}")
        return "".join(f"; {text}" for text in texts)

    def _hand(self, state: State, forbidden: Sequence[str]) -> str:
        words = []
        for name, number in zip(TYPES, state.players[self.me].hand, strict=True):
            if number:
                text = card(name) if number == 1 else f"{number} {card(name)}s"
                bad = name in forbidden
                words.append(styled(f"{text} (forbidden)", dim=True) if bad else styled(text, fg="cyan"))
        return ", ".join(words)

    def question(self) -> str:
        """Ask for what is decided, with the letters of the cards that can be."""
        state = self.game.state
        allowed = " ".join(_LETTER_OF[TYPES[a]] for a in legal_actions(state, self.me) if a != NOTHING)
        what = {
            Phase.PREPARE: f"discard ({allowed}, or keep)",
            Phase.PLACE: f"place ({allowed})",
            Phase.VETERAN: f"on your Veteran ({allowed})",
            Phase.DEADEYE: f"hide beside your Deadeye ({allowed})",
        }[state.phase]
        return f"{what} >"

    def hint(self) -> None:
        """Tell what the stored solution, a solve on the spot, or playouts say."""
        state, view = self.game.state, self.game.view(self.me)
        legal = legal_actions(state, self.me)
        if len(legal) == 1:
            say(f"  {_action(legal[0])} is all you can do")
            return
        mix, worth = stored_mix(view), stored_worth(view) or stored_exchange(view)
        opening = opening_of(state)
        title = "" if opening is None else f"stored solution ({opening[0].preparation}), {opening[1]}"
        if mix is None and self.solver is not None:
            solved = self.solver.solve(view)
            if solved is not None:
                mix, worth = solved.mix, solved.worth_gp
                title = f"the rest of the day, solved (NashConv {solved.nash_conv_gp:.3f} GP)"
        if mix is not None:
            say(f"  {title}:")
            for action in legal:
                known = worth is not None and not math.isnan(worth[action])
                value = f", worth {worth[action]:+.3f} GP" if known and worth is not None else ""
                say(f"    {_action(action):9}{100 * max(0.0, mix[action]):4.0f} %{value}")
            return
        # Its own chance: asking changes nothing in the game.
        gains = self.adviser.gains(view, Random(f"{self.game.header.seed} {len(self.game.moves)} hint"))
        say(f"  mean GP on balance in {self.adviser.playouts} random playouts of the day (a rough guide):")
        ranked = sorted(gains, key=lambda action: -sum(gains[action]))
        for action in ranked:
            behind = behind_best(gains[ranked[0]], gains[action])
            say(f"    {_action(action):9}{fmean(gains[action]):+.2f}{behind}")

    def undo(self) -> bool:
        """Take back the last decision of the person's."""
        taken_back = self.game.undo()
        self.days_told = self.game.state.day
        return taken_back

    def explain(self, name: str) -> str | None:
        """Tell what a card, a patron or a cheers card does."""
        if name in ("row", "rows"):
            return ROWS_HELP
        return explained(self.game.header.rules, name)

    def words(self) -> Sequence[str]:
        """Return the cards, by name."""
        return [*TYPES, "keep"]

    def leave(self) -> str:
        """Keep the game and tell how to go on with it."""
        self._save(last=True)
        kept = self.transcript
        if kept is None or not self.kept or is_stream(kept):
            if kept is not None or not self.game.decided:
                return "Stopped; the game is not over."
            try:
                self.left.parent.mkdir(parents=True, exist_ok=True)
                self.game.save(self.left)
            except OSError as error:
                return f"Stopped; the game is not over, and cannot be kept: {error.strerror}."
            return "Stopped; the game is kept. Go on with it: ragers play --resume"
        return f"Stopped; the game is kept. Go on with it: ragers play --resume {kept}"

    def _save(self, *, last: bool = False) -> None:
        """Keep the game so far; into devices and pipes goes only its `last` state. No failure ends a game."""
        if self.transcript is None or (is_stream(self.transcript) and not last):
            return
        try:
            self.game.save(self.transcript)
        except OSError as error:
            if self.kept:
                click.echo(f"Error: cannot write {str(self.transcript)!r}: {error.strerror}.", err=True)
            self.kept = False
            if last:
                click.echo("The game as far as it was played:", err=True)
                say(self.game.text().rstrip())
        else:
            self.kept = True

    def close(self) -> None:
        """Say who won, and what decisions cost."""
        game, state = self.game, self.game.state
        assert is_over(state)
        if game.header.day is None:
            own, opp = self._own_first(scores(state))
            say(f"\nYou {'win' if winner(state) == self.me else 'lose'} the match, {own} to {opp}.")
        judged = [judge_move(played, self.me, self.solver) for played in game.steps()]
        sentences = [judgement_text(each, "you") for each in judged if each is not None]
        if sentences:
            say("\nWhat your decisions cost:")
        for sentence in sentences:
            say(wrapped(sentence, 2, 2))
        if self.transcript is not None and self.kept and not is_stream(self.transcript):
            say(f"Kept in {self.transcript}; look at it with: ragers review {self.transcript}")

    def _own_first(self, pair: tuple[int, int]) -> tuple[int, int]:
        return (pair[0], pair[1]) if self.me == 0 else (pair[1], pair[0])


def behind_best(best: Sequence[int], other: Sequence[int]) -> str:
    """Return how far playouts are behind the best ones of the same deals, if that is told apart."""
    behind = estimate([one - two for one, two in zip(best, other, strict=True)])
    if best is other or behind.mean is None:
        return ""
    if behind.low is None or behind.low <= 0.0:
        return f"   not told apart from the best by {len(best)} playouts"
    return f"   {behind.mean:.2f} ±{behind.width:.2f} behind"


def _action(action: int) -> str:
    return "keep" if action == NOTHING else card(TYPES[action])
