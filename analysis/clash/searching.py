"""The player that searches, and the playouts by which choices are tried.

Only imported by commands that play: numba starts here.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis.clash.outcomes import OutcomeTable
from analysis.clash.players import (
    MOST_POSITIONS,
    Option,
    Player,
    RandomPlayer,
    RulePlayer,
    habits_of,
    marching_plans,
    seed_here,
)
from analysis.clash.whole_game import Choice, WholeGame
from engine.clash import layout
from engine.clash.habits import SOLO_HABITS
from engine.clash.plans import FloatArray
from engine.clash.rule_based import EQUIPS, PASSES, simulate

Words = NDArray[np.int64]
WIDTH = 16
"""Plans among which a search chooses, at most."""
ROUNDS_AHEAD = 3
"""Playouts are broken off so many rounds later, and what is there is judged by points."""
CAUTION = 0.5
"""By so many standard errors another choice has to do better than the one by rule of thumb to be made."""
_CHUNK = 4


@dataclass(frozen=True)
class Budget:
    """What a search may spend on a decision: playouts, or seconds if they are given."""

    playouts: int = 2000
    seconds: float | None = None

    def __str__(self) -> str:
        """Return it in words."""
        return f"{self.playouts} playouts" if self.seconds is None else f"{self.seconds:g} s"


class Arm(NamedTuple):
    """A choice that is tried: the state it is tried from, its first move or -1, and the battles there."""

    choice: Choice
    root: Words
    move: int
    tables: tuple[Words, FloatArray, Words]


class Trials:
    """Choices, each played on by rule of thumb; calling it makes rounds of playouts, as `PlayRounds` says.

    Parameters
    ----------
    habits : by which everybody goes on.
    seed : all choices meet the same luck within a round, as far as that goes.
    """

    def __init__(self, game: WholeGame, arms: list[Arm], habits: FloatArray, seed: int = 0) -> None:
        self._game, self._arms, self._round = game, arms, seed
        self._habits = np.tile(habits, (game.num_players, 1))
        self._player, self._last_round = game.decider, game.round + ROUNDS_AHEAD
        self._rng = np.zeros(1, np.int64)

    def tried(self, index: int, number: int, rng: Words) -> float:
        """Return the sum of what so many playouts of a choice come to."""
        buffers, arm = self._game.buffers, self._arms[index]
        return float(
            simulate(
                arm.root,
                self._game.compiled,
                self._habits,
                self._player,
                arm.move,
                self._last_round,
                number,
                arm.tables,
                rng,
                (buffers.words, buffers.weights, buffers.work, buffers.spare, buffers.found),
            )
        )

    def __call__(self, moves: Words, rounds: int) -> FloatArray:
        """Play choices [k] on; returns what each came to, `[rounds, k]`."""
        results = np.zeros((rounds, len(moves)))
        for row in results:
            self._round += 1
            for place, index in enumerate(moves):
                self._rng[:] = self._round * 7919
                row[place] = self.tried(int(index), 1, self._rng)
        return results


class SearchPlayer:
    """Tries choices by playouts in which everybody goes on by rule of thumb, the promising ones more often.

    Sequential halving at the root: of the choices left, the worse half is dropped again and again. What the
    player by rule of thumb would do stays to the end, and is done unless something else is better by more
    than chance. Hidden cards are dealt anew for every playout. Battles of the action itself are drawn from
    exact tables, later ones are rolled.

    Parameters
    ----------
    habits : by which everybody goes on in playouts; None for the usual ones, in solo play for those that
        differ by `SOLO_HABITS`.
    seed : of the playouts.
    """

    name = "search"

    def __init__(
        self, budget: Budget, habits: FloatArray | None = None, seed: int = 0, width: int = WIDTH
    ) -> None:
        self.budget, self.width = budget, width
        self.habits = habits_of() if habits is None else habits
        self._solo = habits_of(SOLO_HABITS) if habits is None else habits
        self._seed = seed
        self._placing: tuple[int, int, int, int] | None = None

    def forget(self) -> None:
        """Forget where units were sent: the game was taken back."""
        self._placing = None

    def habits_in(self, game: WholeGame) -> FloatArray:
        """How everybody goes on in playouts, and which marches are worth a look."""
        return self._solo if game.num_players == 1 else self.habits

    def choose(self, game: WholeGame) -> Choice:
        """Return what to do."""
        if game.num_moves == 1:
            return Choice(0)
        placing = game.phase in (layout.REINFORCE, layout.STONES)
        if placing and (move := self._as_before(game)) is not None:
            return Choice(move)
        if game.phase in (layout.ATTACH, layout.BATTLES):
            return RulePlayer(self.habits_in(game)).choose(game)
        best = self.options(game)[0].choice
        if placing:
            self._placing = (game.round, game.phase, game.decider, self._place(game, best.move))
        return best

    def _as_before(self, game: WholeGame) -> int | None:
        """Units that arrive together go to one place, where the first one's was searched."""
        if self._placing is None or self._placing[:3] != (game.round, game.phase, game.decider):
            return None
        for move in range(game.num_moves):
            if self._place(game, move) == self._placing[3]:
                return move
        return None

    @staticmethod
    def _place(game: WholeGame, move: int) -> int:
        from engine.clash.kernel import options
        from engine.clash.kernel_state import nth

        return int(nth(options(game.words, game.compiled), move))

    def options(self, game: WholeGame) -> list[Option]:
        """Return the choices with their chances to win, the best first."""
        base = RulePlayer(self.habits).choose(game)
        arms = self.arms(game, base)
        if len(arms) == 1:
            return [Option(arms[0].choice, float("nan"))]
        usual = next(index for index, arm in enumerate(arms) if arm.choice == base)
        trials = Trials(game, arms, self.habits_in(game))
        sums, plays = np.zeros(len(arms)), np.zeros(len(arms), np.int64)
        alive = list(range(len(arms)))
        stages = max(1, int(np.ceil(np.log2(len(arms)))))
        rng, number_of_round = np.zeros(1, np.int64), np.array([seed_here(self._seed, game)], np.int64)
        began = time.perf_counter()
        for stage in range(stages):
            number = 0
            while True:
                # The same seed for all: they meet the same luck as far as that goes.
                number_of_round += 1
                for index in alive:
                    rng[:] = number_of_round * 7919
                    sums[index] += trials.tried(index, _CHUNK, rng)
                    plays[index] += _CHUNK
                number += _CHUNK * len(alive)
                if self.budget.seconds is None:
                    if number >= self.budget.playouts / stages:
                        break
                elif time.perf_counter() - began >= self.budget.seconds * (stage + 1) / stages:
                    break
            means = sums / np.maximum(plays, 1)
            alive.sort(key=lambda index: -means[index])
            alive = alive[: max(1, (len(alive) + 1) // 2)]
            if usual not in alive:
                alive.append(usual)
        means = sums / np.maximum(plays, 1)
        errors = np.sqrt(np.maximum(means * (1.0 - means), 0.25 / (plays + 4)) / np.maximum(plays, 1))
        best = alive[0]
        if means[best] - means[usual] <= CAUTION * float(np.hypot(errors[best], errors[usual])):
            best = usual
        order = sorted(range(len(arms)), key=lambda index: (index != best, -plays[index], -means[index]))
        return [Option(arms[index].choice, float(means[index]), float(errors[index])) for index in order]

    def arms(self, game: WholeGame, base: Choice) -> list[Arm]:
        """Return the choices that are tried, what the player by rule of thumb does among them."""
        none = _tables_of(game, [])
        if game.phase != layout.ACTING:
            return [Arm(Choice(move), game.words, move, none) for move in range(game.num_moves)]
        arms = [Arm(Choice(move), game.words, move, none) for move in (EQUIPS, PASSES)]
        plans = marching_plans(game, self.habits_in(game))[: self.width - 2]
        if base.marches is not None and base not in [plan.choice for plan in plans]:
            plans += [plan for plan in marching_plans(game, self.habits) if plan.choice == base]
        for plan in plans:
            arms.append(Arm(plan.choice, plan.words, -1, _tables_of(game, plan.battles)))
        return arms


def _tables_of(game: WholeGame, battles: list[tuple[int, Words]]) -> tuple[Words, FloatArray, Words]:
    """Return the tables of battles as `rule_based.draw` takes them; none of those that are too large."""
    found: dict[int, OutcomeTable] = {
        place: game.tables.table(numbers)
        for place, numbers in battles
        if game.tables.size(numbers) <= MOST_POSITIONS
    }
    fields = np.zeros(layout.MAX_TERRITORIES + 1, np.int64)
    for place in range(layout.MAX_TERRITORIES):
        fields[place + 1] = fields[place] + (len(found[place].outcomes) if place in found else 0)
    kept = [found[place] for place in sorted(found)]
    chances = np.concatenate([*(table.chances for table in kept), np.zeros(1)])
    outcomes = np.concatenate([*(table.outcomes for table in kept), np.zeros(1, np.int64)])
    return fields, chances, outcomes


def player_named(name: str, budget: Budget, seed: int, habits: FloatArray | None = None) -> Player:
    """Return a player by its name, one of `matches.NAMES`."""
    if name == "search":
        return SearchPlayer(budget, habits, seed)
    return RulePlayer(habits) if name == "rule" else RandomPlayer(seed)
