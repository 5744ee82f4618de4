"""Players of the whole game: random, by rule of thumb, and searching; each is a named policy.

Only imported by commands that play: numba starts here.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from analysis.clash.outcomes import OutcomeTable
from analysis.clash.whole_game import Choice, WholeGame, apply_marches, coming_battles
from engine.clash import layout
from engine.clash import plans as at
from engine.clash.habits import DEFAULT_HABITS, LOSS, SOLO_HABITS
from engine.clash.kernel_fighters import LIFE, NUM_PARTS, OWN, SIDE, forecast
from engine.clash.kernel_march import nobody_moved
from engine.clash.kernel_state import active, controls, go_to, of_type
from engine.clash.plans import FloatArray, follow_plan, is_target, look_around, worth
from engine.clash.rule_based import EQUIPS, MARCHES, PASSES, equip_gain, rule_move, simulate

Words = NDArray[np.int64]
CLOSE_LOOKS = 6
"""Plans that the player by rule of thumb values by exact tables: the best by his forecast."""
WIDTH = 16
"""Plans among which a search chooses, at most."""
ROUNDS_AHEAD = 3
"""Playouts are broken off so many rounds later, and what is there is judged by points."""
MOST_POSITIONS = 60_000
"""Of battles that players value by tables, and a search draws from them; larger ones are guessed."""
CAUTION = 0.5
"""By so many standard errors another choice has to do better than the one by rule of thumb to be made."""
_CHUNK = 4


class Player(Protocol):
    """Whoever plays."""

    name: str

    def choose(self, game: WholeGame) -> Choice:
        """Return what to do in a game where this player decides."""
        ...


class Option(NamedTuple):
    """A choice, and what it is worth: for a search the chance to win, else by the habits.

    Attributes
    ----------
    error : standard error of the worth; 0 if it is no estimate.
    """

    choice: Choice
    worth: float
    error: float = 0.0


def habits_of(changes: Mapping[str, float] | None = None) -> FloatArray:
    """Return habits as kernels take them; `changes` by their names."""
    return np.array(list((DEFAULT_HABITS | dict(changes or {})).values()), np.float64)


class RandomPlayer:
    """Picks each legal move with equal probability; battles are fought as well as can be all the same."""

    name = "random"

    def __init__(self, seed: int = 0) -> None:
        self._rng = np.random.default_rng(seed)

    def choose(self, game: WholeGame) -> Choice:
        """Return a move."""
        return Choice(int(self._rng.integers(game.num_moves)))


class RulePlayer:
    """Greedy for territories: takes the plan that gains most by his habits, battles valued exactly."""

    name = "rule"

    def __init__(self, habits: FloatArray | None = None) -> None:
        self.habits = habits_of() if habits is None else habits

    def choose(self, game: WholeGame) -> Choice:
        """Return what to do."""
        if game.phase == layout.ACTING:
            return self.options(game)[0].choice
        buffers = game.buffers
        move = rule_move(game.words, game.compiled, self.habits, buffers.work, buffers.spare, buffers.found)
        return Choice(int(move))

    def options(self, game: WholeGame) -> list[Option]:
        """Return what he weighs at the beginning of an action, the best first."""
        gained = float(equip_gain(game.words, game.compiled, self.habits, game.buffers.found))
        options = [Option(Choice(PASSES), 0.0)]
        if gained > 0.0:
            options.append(Option(Choice(EQUIPS), gained))
        for plan in marching_plans(game, self.habits)[:CLOSE_LOOKS]:
            options.append(Option(plan.choice, self._worth(game, plan)))
        return sorted(options, key=lambda option: -option.worth)

    def _worth(self, game: WholeGame, plan: MarchPlan) -> float:
        """Exactly what the battles gain, what is gained and given up without one, and the way made."""
        words, compiled, habits = game.words, game.compiled, self.habits
        player = int(active(words))
        total = plan.walked
        for place in range(int(compiled[layout.RULE_NUM_TERRITORIES])):
            change = int(controls(plan.words, player, place)) - int(controls(words, player, place))
            if change:
                total += change * float(worth(plan.words, compiled, habits, player, place))
        for place, numbers in plan.battles:
            hold, lost = _expected(game, numbers)
            total += hold * float(worth(plan.words, compiled, habits, player, place))
            total -= float(habits[LOSS]) * lost
        return total


def _expected(game: WholeGame, numbers: Words) -> tuple[float, float]:
    """The chance to hold a territory, and life points lost: exactly, unless the battle is large."""
    if game.tables.size(numbers) <= MOST_POSITIONS:
        table = game.tables.table(numbers)
        return table.hold, table.losses[0]
    chance = float(forecast(game.compiled, numbers))
    own, other = (
        float(
            sum(
                int(of_type(numbers[OWN + side], kind)) * int(numbers[side * SIDE + kind * NUM_PARTS + LIFE])
                for kind in range(layout.NUM_TYPES)
            )
        )
        for side in (0, 1)
    )
    return chance, (1.0 - chance) * own + chance * min(0.5 * other, 0.7 * own)


class MarchPlan(NamedTuple):
    """A march: what it is, what it leads to, the battles then, and by forecast and habits what it gains.

    Attributes
    ----------
    walked : the part of `gain` that is coming nearer to what may be taken later.
    """

    choice: Choice
    words: Words
    battles: list[tuple[int, Words]]
    gain: float
    walked: float


def marching_plans(game: WholeGame, habits: FloatArray) -> list[MarchPlan]:
    """Return marches worth a look, that with the largest forecast of gains first."""
    compiled, buffers = game.compiled, game.buffers
    before = game.words.copy()
    nobody_moved(before)
    go_to(before, layout.MARCH)
    player = int(active(before))
    look_around(before, compiled, buffers.work)
    targets = [
        place
        for place in range(int(compiled[layout.RULE_NUM_TERRITORIES]))
        if is_target(before, compiled, player, place)
        and at.available(before, compiled, habits, place, buffers.work)
    ]
    nowhere = at.NOWHERE << 7
    codes = [at.GREEDY, at.GREEDY | at.NO_MORE]
    for target in targets:
        codes += [target | level << 5 | nowhere | at.NO_MORE for level in range(at.NUM_LEVELS)]
        codes += [target | level << 5 | nowhere for level in range(2)]
        codes += [target | other << 7 | at.NO_MORE for other in targets if other != target]
    found: dict[bytes, MarchPlan] = {}
    for code in codes:
        words = before.copy()
        gained = float(follow_plan(words, compiled, habits, code, buffers.work, buffers.found))
        moves = buffers.work[at.LOG + 1 : at.LOG + 1 + int(buffers.work[at.LOG])]
        if not len(moves) or words.tobytes() in found:
            continue
        after = before.copy()
        apply_marches(after, compiled, tuple(moves.tolist()))
        found[words.tobytes()] = MarchPlan(
            Choice(MARCHES, tuple(moves.tolist())),
            after,
            coming_battles(after, compiled, buffers.numbers),
            gained,
            float(buffers.found[0]),
        )
    return sorted(found.values(), key=lambda plan: -plan.gain)


@dataclass(frozen=True)
class Budget:
    """What a search may spend on a decision: playouts, or seconds if they are given."""

    playouts: int = 2000
    seconds: float | None = None

    def __str__(self) -> str:
        """Return it in words."""
        return f"{self.playouts} playouts" if self.seconds is None else f"{self.seconds:g} s"


class _Arm(NamedTuple):
    """A choice that is tried: the state it is tried from, its first move or -1, and the battles there."""

    choice: Choice
    root: Words
    move: int
    tables: tuple[Words, FloatArray, Words]


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
        self._seed = np.array([seed], np.int64)
        self._placing: tuple[int, int, int, int] | None = None

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
        arms = self._arms(game, base)
        if len(arms) == 1:
            return [Option(arms[0].choice, float("nan"))]
        usual = next(index for index, arm in enumerate(arms) if arm.choice == base)
        habits = np.tile(self.habits_in(game), (game.num_players, 1))
        sums, plays = np.zeros(len(arms)), np.zeros(len(arms), np.int64)
        alive = list(range(len(arms)))
        stages = max(1, int(np.ceil(np.log2(len(arms)))))
        rng = np.zeros(1, np.int64)
        began = time.perf_counter()
        player, last_round = game.decider, game.round + ROUNDS_AHEAD
        for stage in range(stages):
            number = 0
            while True:
                # The same seed for all: they meet the same luck as far as that goes.
                self._seed += 1
                for index in alive:
                    rng[:] = self._seed * 7919
                    sums[index] += self._tried(game, arms[index], habits, player, last_round, rng)
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

    def _tried(
        self, game: WholeGame, arm: _Arm, habits: FloatArray, player: int, last_round: int, rng: Words
    ) -> float:
        buffers = game.buffers
        return float(
            simulate(
                arm.root,
                game.compiled,
                habits,
                player,
                arm.move,
                last_round,
                _CHUNK,
                *arm.tables,
                rng,
                buffers.words,
                buffers.weights,
                buffers.work,
                buffers.spare,
                buffers.found,
            )
        )

    def _arms(self, game: WholeGame, base: Choice) -> list[_Arm]:
        none = _tables_of(game, [])
        if game.phase != layout.ACTING:
            return [_Arm(Choice(move), game.words, move, none) for move in range(game.num_moves)]
        arms = [_Arm(Choice(move), game.words, move, none) for move in (EQUIPS, PASSES)]
        plans = marching_plans(game, self.habits_in(game))[: self.width - 2]
        if base.marches is not None and base not in [plan.choice for plan in plans]:
            plans += [plan for plan in marching_plans(game, self.habits) if plan.choice == base]
        for plan in plans:
            arms.append(_Arm(plan.choice, plan.words, -1, _tables_of(game, plan.battles)))
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
    """Return a player by his name, one of `matches.NAMES`."""
    if name == "search":
        return SearchPlayer(budget, habits, seed)
    return RulePlayer(habits) if name == "rule" else RandomPlayer(seed)
