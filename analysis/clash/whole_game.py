"""A whole game as players meet it: chance and battles happen by themselves, decisions are theirs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis.clash.outcomes import OutcomeTable, OutcomeTables
from engine.clash import layout
from engine.clash import plans as plan_kernels
from engine.clash.board import Scenario
from engine.clash.kernel import (
    CHANCE,
    MAX_MOVES,
    NUM_WORDS,
    advance,
    decider,
    is_over,
    num_outcomes,
    start,
    transition,
    winner,
)
from engine.clash.kernel_battle import field as field_of
from engine.clash.kernel_fighters import (
    NUM_NUMBERS,
    describe_battle,
    describe_field,
    finish_battle,
    forget_absent,
)
from engine.clash.kernel_march import battlefields, march
from engine.clash.kernel_rules import KernelRules, kernel_rules
from engine.clash.kernel_state import active, go_to, phase, points
from engine.clash.playouts import random_outcome
from engine.clash.rule_based import draw
from engine.clash.rules import Rules

Words = NDArray[np.int64]


class Choice(NamedTuple):
    """What a player does: a move by its number, and, if that is to march, how its units march.

    Attributes
    ----------
    marches : as `kernel_march.nth_march` writes them; None leaves them to decisions of their own.
    """

    move: int
    marches: tuple[int, ...] | None = None


@dataclass(eq=False)
class Buffers:
    """Room that kernels need."""

    weights: Words = field(default_factory=lambda: np.zeros(MAX_MOVES, np.int64))
    work: Words = field(default_factory=lambda: np.zeros(plan_kernels.NUM_WORK, np.int64))
    spare: Words = field(default_factory=lambda: np.zeros(NUM_WORDS, np.int64))
    words: Words = field(default_factory=lambda: np.zeros(NUM_WORDS, np.int64))
    found: NDArray[np.float64] = field(default_factory=lambda: np.zeros(1))
    numbers: Words = field(default_factory=lambda: np.zeros(NUM_NUMBERS, np.int64))


@dataclass(frozen=True)
class Fought:
    """A battle that was fought.

    Attributes
    ----------
    words : when it began.
    outcome : as `kernel_fighters.finish_battle` takes it.
    """

    words: Words
    outcome: int
    table: OutcomeTable


class WholeGame:
    """A game under way.

    Parameters
    ----------
    tables : of battles; games may share them.
    seed : of chance.
    watch : told of every battle that was fought.
    """

    def __init__(
        self,
        rules: Rules,
        scenario: Scenario,
        tables: OutcomeTables,
        seed: int,
        watch: Callable[[Fought], None] | None = None,
    ) -> None:
        self.rules, self.scenario, self.tables = rules, scenario, tables
        self.compiled: KernelRules = kernel_rules(rules, scenario)
        self.words: Words = np.zeros(NUM_WORDS, np.int64)
        self.buffers = Buffers()
        self.stream = np.array([seed], np.int64)
        self._watch = watch
        start(self.words, self.compiled)
        self._go_on()

    @property
    def num_players(self) -> int:
        """How many play."""
        return len(self.scenario.clans)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(is_over(self.words))

    @property
    def phase(self) -> int:
        """Where in the game it stands, one of `layout.TACTIC`, ..."""
        return int(phase(self.words))

    @property
    def decider(self) -> int:
        """Who decides."""
        return int(decider(self.words, self.compiled))

    @property
    def num_moves(self) -> int:
        """How many moves there are."""
        return int(num_outcomes(self.words, self.compiled))

    @property
    def winner(self) -> int:
        """Who has won, -1 for nobody."""
        return int(winner(self.words))

    @property
    def round(self) -> int:
        """The round."""
        return int(self.words[layout.FLOW] >> layout.ROUND.offset & layout.ROUND.mask)

    @property
    def points(self) -> list[int]:
        """Victory points now, by seat."""
        return [int(points(self.words, self.compiled, seat)) for seat in range(self.num_players)]

    def make(self, choice: Choice) -> None:
        """Carry out what the decider chose, and all that follows by itself."""
        transition(self.words, self.compiled, choice.move)
        if choice.marches is not None and self.phase == layout.MARCH:
            apply_marches(self.words, self.compiled, choice.marches)
        self._go_on()

    def _go_on(self) -> None:
        while not self.over:
            if self.phase == layout.FIGHT:
                self._fight()
            elif self.decider == CHANCE:
                outcome = random_outcome(self.words, self.compiled, self.stream, self.buffers.weights)
                transition(self.words, self.compiled, outcome)
            else:
                return

    def _fight(self) -> None:
        numbers = self.buffers.numbers
        describe_battle(self.words, self.compiled, numbers)
        table = self.tables.table(numbers)
        place = int(field_of(self.words))
        fields = np.zeros(layout.MAX_TERRITORIES + 1, np.int64)
        fields[place + 1 :] = len(table.outcomes)
        outcome = int(draw(fields, table.chances, table.outcomes, place, self.stream))
        before = self.words.copy() if self._watch is not None else self.words
        finish_battle(self.words, self.compiled, outcome)
        if self._watch is not None:
            self._watch(Fought(before, outcome, table))


def apply_marches(words: Words, compiled: KernelRules, marches: tuple[int, ...]) -> None:
    """Units march, and have halted. Modified in place."""
    for move in marches:
        march(words, compiled, move // 1024, move // 32 % 32, move % 32)
    go_to(words, layout.BATTLES)
    advance(words, compiled)


def coming_battles(words: Words, compiled: KernelRules, numbers: Words) -> list[tuple[int, Words]]:
    """Return the battles of the action under way: territories, and what decides each."""
    if phase(words) == layout.FIGHT:
        describe_battle(words, compiled, numbers)
        return [(int(field_of(words)), numbers.copy())]
    if phase(words) != layout.BATTLES:
        return []
    fields, player, found = int(battlefields(words, compiled)), int(active(words)), []
    for place in range(layout.MAX_TERRITORIES):
        if fields >> place & 1:
            describe_field(words, compiled, player, place, numbers)
            forget_absent(numbers)
            found.append((place, numbers.copy()))
    return found
