"""What whole games stand on: battles ended or rolled at once, plans, players by rule of thumb."""

from __future__ import annotations

import random

import numpy as np
import pytest
from numpy.typing import NDArray

from analysis.clash.stochastic import stochastic_game
from engine.clash import battle_layout as at
from engine.clash import kernel, layout, plans
from engine.clash import kernel_fighters as kf
from engine.clash.battle_objectives import Weights, payoffs_of
from engine.clash.battle_tables import Habit, battle_tables
from engine.clash.fighters import Fighter, fighter
from engine.clash.habits import DEFAULT_HABITS
from engine.clash.kernel_battle import assaulter, field, fighting, nth_elimination, stage
from engine.clash.kernel_march import nth_march
from engine.clash.kernel_rules import KernelRules, army, kernel_rules
from engine.clash.kernel_state import phase
from engine.clash.playouts import random_outcome
from engine.clash.rule_based import play_on, resample, rule_move
from solver.stochastic.solving import solve
from tests.engine.clash.plays import BOX, random_scenario

pytestmark = pytest.mark.kernels

Words = NDArray[np.int64]
HABITS = np.array(list(DEFAULT_HABITS.values()))
FIGHT, MARCH = layout.FIGHT, layout.MARCH


class Table:
    """A game of the kernel with room for players by rule of thumb."""

    def __init__(self, seed: int, num_players: int = 0) -> None:
        scenario = random_scenario(BOX, random.Random(seed), num_players)
        self.rules: KernelRules = kernel_rules(BOX, scenario)
        self.num_players = len(scenario.clans)
        self.words = np.zeros(kernel.NUM_WORDS, np.int64)
        self.rng = np.array([seed], np.int64)
        self.weights = np.zeros(kernel.MAX_MOVES, np.int64)
        self.work = np.zeros(plans.NUM_WORK, np.int64)
        self.spare = np.zeros(kernel.NUM_WORDS, np.int64)
        self.found = np.zeros(1)
        kernel.start(self.words, self.rules)

    def chance(self) -> None:
        index = random_outcome(self.words, self.rules, self.rng, self.weights)
        kernel.transition(self.words, self.rules, index)

    def rule(self) -> int:
        return int(rule_move(self.words, self.rules, HABITS, self.work, self.spare, self.found))


def test_a_battle_ended_at_once_leaves_what_its_last_move_leaves() -> None:
    kinds = set()
    for seed in range(12):
        table, rng = Table(seed), random.Random(seed)
        began: Words | None = None
        while not kernel.is_over(table.words):
            if phase(table.words) == FIGHT and began is None:
                began = table.words.copy()
            if kernel.decider(table.words, table.rules) == kernel.CHANCE:
                table.chance()
                continue
            index = rng.randrange(int(kernel.num_outcomes(table.words, table.rules)))
            if phase(table.words) == MARCH and rng.random() < 0.5:
                index = int(kernel.num_outcomes(table.words, table.rules)) - 1
            before = table.words.copy()
            kernel.transition(table.words, table.rules, index)
            if began is None or not before[layout.BATTLE]:
                continue
            if phase(table.words) == FIGHT and field(table.words) == field(before):
                continue
            outcome = _outcome(before, table.rules, index)
            kinds.add(outcome & (kf.FLED | kf.ATTACKER_FLED))
            kf.finish_battle(began, table.rules, outcome)
            assert began.tolist() == table.words.tolist()
            began = table.words.copy() if phase(table.words) == FIGHT else None
    assert kinds == {0, kf.FLED, kf.FLED | kf.ATTACKER_FLED}


def _outcome(before: Words, rules: KernelRules, index: int) -> int:
    """What the last move of a battle came to."""
    side = int(assaulter(before))
    own, other = int(fighting(before, 0)), int(fighting(before, 1))
    if stage(before) == layout.ASSAULT:
        fled = kf.FLED | (kf.ATTACKER_FLED if side == 0 else 0)
        return own | other << layout.ARMY_BITS | fled
    dead = int(nth_elimination(before, rules, index))
    if side == 0:
        other -= dead
    else:
        own -= dead
    return own | other << layout.ARMY_BITS


def test_plans_are_lists_of_legal_moves() -> None:
    marched = 0
    for seed in range(8):
        table, rng = Table(seed), random.Random(seed)
        for _ in range(400):
            if kernel.is_over(table.words):
                break
            at_phase = phase(table.words)
            if kernel.decider(table.words, table.rules) == kernel.CHANCE:
                table.chance()
            elif at_phase == FIGHT:
                kf.describe_battle(table.words, table.rules, table.work[: kf.NUM_NUMBERS])
                outcome = kf.roll_battle(table.rules, table.work[: kf.NUM_NUMBERS], table.rng)
                kf.finish_battle(table.words, table.rules, outcome)
            elif at_phase == MARCH:
                code = rng.choice([plans.GREEDY, *range(14)]) | rng.choice([0, 1, 2]) << 5
                code = code | (plans.NOWHERE << 7 if code & 31 != plans.NOWHERE else 0)
                after = table.words.copy()
                plans.follow_plan(after, table.rules, HABITS, code, table.work, table.found)
                log = table.work[plans.LOG + 1 : plans.LOG + 1 + table.work[plans.LOG]].tolist()
                marched += len(log)
                for move in log:
                    number = int(nth_march(table.words, table.rules, -1))
                    legal = [int(nth_march(table.words, table.rules, index)) for index in range(number)]
                    kernel.transition(table.words, table.rules, legal.index(move))
                assert table.words.tolist() == after.tolist()
                kernel.transition(table.words, table.rules, int(nth_march(table.words, table.rules, -1)) - 1)
            else:
                index = table.rule()
                assert 0 <= index < kernel.num_outcomes(table.words, table.rules)
                kernel.transition(table.words, table.rules, index)
    assert marched > 50


def test_playouts_by_rule_of_thumb_end_and_repeat() -> None:
    for seed in range(12):
        one, two = Table(seed), Table(seed)
        for table in (one, two):
            rows = np.tile(HABITS, (table.num_players, 1))
            play_on(
                table.words,
                table.rules,
                rows,
                99,
                table.rng,
                table.weights,
                table.work,
                table.spare,
                table.found,
            )
            assert kernel.is_over(table.words)
        assert one.words.tolist() == two.words.tolist()


def test_N1_hidden_cards_are_dealt_anew_and_nothing_else_changes() -> None:
    changed = 0
    for seed in range(40):
        table = Table(seed, 2 + seed % 3)
        rng = random.Random(seed)
        for _ in range(rng.randrange(60, 200)):
            if kernel.is_over(table.words) or phase(table.words) == FIGHT:
                break
            if kernel.decider(table.words, table.rules) == kernel.CHANCE:
                table.chance()
            else:
                kernel.transition(table.words, table.rules, table.rule())
        player = max(0, int(kernel.decider(table.words, table.rules)))
        after = table.words.copy()
        resample(after, table.rules, player, table.rng)
        others = [other for other in range(table.num_players) if other != player]
        for other in others:
            before, now = (int(words[layout.PLAYER + other]) for words in (table.words, after))
            assert now >> 17 == before >> 17  # Bastion, gold, crystals
            assert now >> 7 & 127 == before >> 7 & 127  # the open discard pile
            assert (now & 127).bit_count() == (before & 127).bit_count()
            assert (now >> 14 & 7 == layout.NO_TACTIC) == (before >> 14 & 7 == layout.NO_TACTIC)
            if phase(table.words) != layout.TACTIC:
                assert now >> 14 & 7 == before >> 14 & 7
            changed += now != before
        for word in range(kernel.NUM_WORDS):
            if word not in [layout.PLAYER + other for other in others]:
                assert after[word] == table.words[word]
    assert changed > 10


@pytest.mark.parametrize("solo", [False, True])
def test_rolled_battles_are_those_of_simple_players(solo: bool) -> None:
    own = tuple(fighter(unit) for unit in BOX.clan("bohorg").units)
    elves = tuple(fighter(elf) for elf in BOX.elves)
    counts = ((2, 1, 1), (1, 1, 1))
    rules = kernel_rules(BOX, random_scenario(BOX, random.Random(1), 1 if solo else 2))
    numbers = np.zeros(kf.NUM_NUMBERS, np.int64)
    numbers[: kf.SIDE], numbers[kf.SIDE : 2 * kf.SIDE] = np.ravel(own), np.ravel(elves)
    kf.set_armies(rules, army(counts[0]), army(counts[1]), True, numbers)
    rng = np.array([3], np.int64)
    plays = 4000
    held = sum(
        int(kf.roll_battle(rules, numbers, rng)) >> layout.ARMY_BITS & layout.ARMY_MASK == 0
        for _ in range(plays)
    )
    # Strongest first, by power; of equal power the first type. Solo: the own weakest die first (X4).
    strongest = ((2, 1, 0), (2, 0, 1))
    weakest = (0, 1, 2)
    flags = at.IN_ORDER | at.NEVER_FLEES
    attacker = Habit(flags, (weakest if solo else strongest[0], strongest[1]))
    defender = Habit(flags, (strongest[0], strongest[1]))
    tables = battle_tables(
        BOX.battle,
        (_three(own), _three(elves)),
        counts,
        elves=True,
        chooser=0 if solo else 1,
        habits=(attacker, defender),
    )
    weights = Weights(1.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    solution = solve(
        stochastic_game(tables, payoffs_of(tables, "win", (weights, weights))),
        [root := tables.position(counts, (0, 0), int(numbers[kf.STARTS]))],
    )
    exact = float(solution.value(root)[0])
    assert abs(held / plays - exact) < 4 * (exact * (1 - exact) / plays) ** 0.5 + 1e-9


def _three(fighters: tuple[Fighter, ...]) -> tuple[Fighter, Fighter, Fighter]:
    one, two, three = fighters
    return one, two, three
