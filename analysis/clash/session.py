"""A game with a person in it: choices, hints by playouts, and what decisions cost."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Any

from analysis.clash import setup as declared
from analysis.clash.contest import advisor, check_clans, scenario_of_deal, seated
from analysis.clash.explaining import explained
from analysis.clash.maps import check_tiles, read_tiles
from analysis.clash.narration import choice_text, fought_text, happened, state_of
from analysis.clash.outcomes import OutcomeTables
from analysis.clash.players import Player as Choosing
from analysis.clash.players import marching_plans
from analysis.clash.searching import Arm, SearchPlayer, Trials
from analysis.clash.table import table_lines
from analysis.clash.whole_game import Choice, Fought, WholeGame
from analysis.errors import RequestError
from analysis.front.at_table import AtTable, Judged, Raced
from analysis.front.players import Player
from analysis.reviewed import LEAST_COST
from engine.clash import layout
from engine.clash.board import Scenario
from engine.clash.rules import Rules
from solver.sampling.paired_playouts import PairedPlayouts, judge

__all__ = ["GameSession", "begin"]

_CARD = re.compile(r"card (\d{1,9})")
_PLANS_SHOWN = 12


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
    return GameSession(rules, where, players, adviser, advice.playouts, seed, judged=not advice.no_costs)


class GameSession(AtTable[Choice]):
    """A game with a person in it; see `analysis.front.session.Session`.

    Parameters
    ----------
    players : by seat; None where the person sits.
    advisor : a search whose choices hints and judgements try.
    playouts : that a hint, or a judgement of a decision, may take.
    """

    who, span, defeat = "players by rule of thumb", 1.0, 0.0

    def __init__(
        self,
        rules: Rules,
        scenario: Scenario,
        players: Sequence[Choosing | None],
        advisor: SearchPlayer,
        playouts: int,
        seed: int,
        *,
        judged: bool = True,
    ) -> None:
        super().__init__(players.index(None), judged=judged)
        self.game = WholeGame(rules, scenario, OutcomeTables(rules), seed, self._fought)
        self._players, self._advisor, self._budget = players, advisor, playouts
        self._habits = self._advisor.habits_in(self.game)
        self.events.append(f"You play {scenario.clans[self.seat]} on tiles {' '.join(scenario.tiles)}.")

    def _fought(self, fought: Fought) -> None:
        self.events.append(fought_text(self.game, fought))

    @property
    def over(self) -> bool:
        """See `AtTable.over`."""
        return self.game.over

    @property
    def asked(self) -> bool:
        """See `AtTable.asked`: and has a choice."""
        return self.game.decider == self.seat and self.game.num_moves > 1

    def go_on(self) -> None:
        """See `AtTable.go_on`."""
        decider = self.game.decider
        player = self._players[decider]
        choice = Choice(0) if player is None else player.choose(self.game)
        # Tactic cards are chosen unseen, and told once all are revealed (T1).
        text = "" if self.game.phase == layout.TACTIC else self.text(choice)
        if text and text != "done" and not text.startswith("nothing as "):
            name = "You" if player is None else self.game.scenario.clans[decider]
            self.events.append(f"{name}: {text}.")
        self.carry_out(choice)

    def carry_out(self, choice: Choice, number: int = 0) -> None:
        """See `AtTable.carry_out`."""
        before = state_of(self.game)
        self.game.make(choice)
        self.events += happened(before, state_of(self.game), self.seat)

    def choices(self) -> list[Choice]:
        """Return what can be done: moves, and at the beginning of an action whole marches."""
        game = self.game
        if game.phase != layout.ACTING:
            return [Choice(move) for move in range(game.num_moves)]
        plans = [plan.choice for plan in marching_plans(game, self._habits)[:_PLANS_SHOWN]]
        return [*(Choice(move) for move in range(game.num_moves)), *plans]

    def text(self, choice: Choice) -> str:
        """See `AtTable.text`."""
        return choice_text(self.game, choice)

    def hand(self) -> list[int]:
        """Return the orders on the person's tactic cards, line by line, where one of them is chosen now."""
        if self.game.phase != layout.TACTIC:
            return []
        state = state_of(self.game)
        tactics = state.clan(self.seat).tactics
        return [tactics[card].order for card in state.players[self.seat].hand]

    def named(self, typed: str) -> int | None:
        """Return the card of the hand that ``card 16`` names by the number on it."""
        found, hand = _CARD.fullmatch(typed.lower()), self.hand()
        return hand.index(int(found[1])) if found is not None and int(found[1]) in hand else None

    def mark(self) -> Any:
        """See `AtTable.mark`."""
        return self.game.words.copy(), self.game.stream.copy()

    def go_back(self, mark: Any) -> None:
        """See `AtTable.go_back`."""
        self.game.words[:], self.game.stream[:] = mark

    def _arms(self) -> list[Arm]:
        """The choices that playouts can try: not steps of an action that has been begun."""
        if self.game.phase in (layout.ATTACH, layout.BATTLES, layout.MARCH):
            return []
        return self._advisor.arms(self.game, Choice(0))

    def race(self) -> Raced | None:
        """See `AtTable.race`."""
        arms = self._arms()
        if len(arms) < 2:
            return None
        found = PairedPlayouts(Trials(self.game, arms, self._habits), len(arms), self.span)
        return Raced(found, found.race(self._budget), [self.text(arm.choice) for arm in arms])

    def judge(self, choice: Choice, number: int) -> Judged | None:
        """See `AtTable.judge`."""
        arms = self._arms()
        made = next((place for place, arm in enumerate(arms) if arm.choice == choice), -1)
        if made < 0 or len(arms) < 2:
            return None
        trials = Trials(self.game, arms, self._habits, len(self.decisions) << 20)
        found = judge(trials, len(arms), made, self._budget, LEAST_COST, self.span)
        better = self.text(arms[found.better].choice)
        return Judged(f"round {self.game.round}", self.text(choice), better, found)

    def board(self) -> Sequence[str]:
        """Return the table as the person sees it."""
        return table_lines(state_of(self.game), self.seat)

    def explain(self, name: str) -> str | None:
        """Return what a clan, unit, card, territory or word is."""
        return explained(self.game, name)

    def result(self) -> tuple[str, float]:
        """See `AtTable.result`."""
        won = self.game.winner
        if won == self.seat:
            return "You win.", 1.0
        nobody = "You lose." if self.game.num_players == 1 else "Nobody wins."
        return f"{self.game.scenario.clans[won]} wins." if won >= 0 else nobody, 0.0

    def fingerprint(self) -> bytes:
        """Return what tells this state from others."""
        return self.game.words.tobytes()
