"""Players of the whole game that decide at once: random, and by rule of thumb.

Only imported by commands that play: numba starts here.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import NamedTuple, Protocol
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from analysis.clash.whole_game import Choice, WholeGame, apply_marches, coming_battles
from engine.clash import layout
from engine.clash import plans as at
from engine.clash.habits import DEFAULT_HABITS, LOSS
from engine.clash.kernel_fighters import LIFE, NUM_PARTS, OWN, SIDE, forecast
from engine.clash.kernel_march import nobody_moved
from engine.clash.kernel_state import active, controls, go_to, of_type
from engine.clash.plans import FloatArray, follow_plan, is_target, look_around, worth
from engine.clash.rule_based import EQUIPS, MARCHES, PASSES, equip_gain, rule_move

Words = NDArray[np.int64]
CLOSE_LOOKS = 6
"""Plans that the player by rule of thumb values by exact tables: the best by its forecast."""
MOST_POSITIONS = 60_000
"""Of battles that players value by tables, and a search draws from them; larger ones are guessed."""


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


def seed_here(seed: int, game: WholeGame) -> int:
    """Return a seed for what is drawn at this decision: by the position alone, whatever was drawn before."""
    return seed + crc32(game.words.tobytes())


class RandomPlayer:
    """Picks each legal move with equal probability; battles are fought as well as can be all the same."""

    name = "random"

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed

    def choose(self, game: WholeGame) -> Choice:
        """Return a move."""
        return Choice(random.Random(seed_here(self._seed, game)).randrange(game.num_moves))


class RulePlayer:
    """Greedy for territories: takes the plan that gains most by its habits, battles valued exactly."""

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
        """Return what it weighs at the beginning of an action, the best first."""
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
