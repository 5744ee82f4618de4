"""Battles of Clash of Rage, solved, beside what calculators of such games do: simulation of a fixed order.

    python -m benchmarks.bench_battles [--battles 160] [--plays 20000] [--seed 1] [--quick]

The simulation runs on the same kernels. It is first given the optimal policies, so that its
error is that of sampling alone; then, as calculators have it, both sides lose and eliminate in a fixed order
and nobody spares or flees, and what that is off by comes on top. Time of a solve is with its forward pass.
"""

from __future__ import annotations

import argparse
import importlib.util
import math
import random
import time
from dataclasses import replace

import numpy as np

from analysis.clash.armies import Army
from analysis.clash.scenario import Scenario
from analysis.clash.solving import Solved, simple_habits, solved
from benchmarks.peer_battles import by_dyce, by_icepool, can_be_said
from benchmarks.side_by_side import heading, ratio, seconds, table
from engine.clash import battle_layout as at
from engine.clash.battle_tables import Habit
from engine.clash.rules import Rules, load_rules
from solver.stochastic.forward import follow
from tests.oracles.sampled_plays import sample_outcomes

PACKAGES = ("numpy", "numba")
LARGE = {
    "7 v 7": (("bohorg", (3, 3, 1)), ("steamfield", (3, 2, 2))),
    "9 v 9": (("bohorg", (4, 3, 2)), ("steamfield", (4, 3, 2))),
    "15 v 9": (("bohorg", (7, 5, 3)), ("elves", (3, 3, 3))),
}


def army(rules: Rules, clan: str, counts: tuple[int, int, int]) -> Army:
    """Return an army."""
    return Army(clan, rules.elves if clan == "elves" else rules.clan(clan).units, counts)


def random_battle(rules: Rules, rng: random.Random, least: int, most: int, elves: bool) -> Scenario:
    """Return a battle of so many figures a side."""

    def chosen(clan: str) -> Army:
        limits = army(rules, clan, (0, 0, 0)).most
        counts = [0, 0, 0]
        for _ in range(rng.randint(least, most)):
            counts[rng.choice([kind for kind in range(3) if counts[kind] < limits[kind]])] += 1
        return army(rules, clan, (counts[0], counts[1], counts[2]))

    clans = [clan.id for clan in rules.clans]
    return Scenario(rules, chosen(rng.choice(clans)), chosen("elves" if elves else rng.choice(clans)))


def timed(scenario: Scenario) -> tuple[float, Solved]:
    """Solve with a forward pass; processor time."""
    begin = time.process_time()
    result = solved(scenario, memory=1 << 30)
    follow(result.solution, result.root)
    return time.process_time() - begin, result


def win(result: Solved, outcomes: np.ndarray) -> float:
    """Return the share in which the attacker holds the territory."""
    shares = outcomes.reshape((at.NUM_ENDS, *result.tables.num_armies))
    return float(shares[at.DEFENDER_FLED].sum() + shares[at.DESTROYED, :, 0].sum()) / float(outcomes.sum())


def in_fixed_order(scenario: Scenario) -> tuple[Habit, Habit]:
    """Both sides play as calculators do: the weakest first, nobody spares, nobody flees."""
    one, two = (
        replace(habit, flags=habit.flags | at.NEVER_FLEES)
        for habit in (simple_habits(scenario.armies, side)["weakest first"] for side in (0, 1))
    )
    return one, two


def row(name: str, battles: list[Scenario], plays: int, seed: int) -> list[str]:
    """Return what exact solves and simulations of some battles take, and by how much the latter are off."""
    exact_s, errors, biases = [], [], []
    for number, scenario in enumerate(battles):
        spent, result = timed(scenario)
        exact_s.append(spent)
        value = float(result.solution.value(result.root)[0])
        counts = sample_outcomes(result.solution, result.root, plays, seed + number)
        errors.append(abs(win(result, counts[:-1]) - value))
        fixed = solved(scenario, memory=1 << 30, habits=in_fixed_order(scenario))
        biases.append(abs(float(fixed.solution.value(fixed.root)[0]) - value))
    return [
        name,
        seconds(float(np.median(exact_s))),
        ratio(len(battles) / sum(exact_s)),
        f"{100 * math.sqrt(float(np.mean(np.square(errors)))):.2f}",
        f"{100 * float(np.mean(biases)):.1f}",
        f"{100 * max(biases):.1f}",
    ]


PEERS = {"icepool": by_icepool, "dyce": by_dyce}


def installed() -> list[str]:
    """Return the peers that are there."""
    return [name for name in PEERS if importlib.util.find_spec(name) is not None]


def peer_row(name: str, battles: list[Scenario], plays: int, seed: int) -> list[str]:
    """Return what battles without decisions take by exact dice libraries, and what these are off by."""
    spent: dict[str, list[float]] = {each: [] for each in ("exact", *PEERS)}
    errors: dict[str, list[float]] = {each: [] for each in ("simulated", *PEERS)}
    for number, scenario in enumerate(battles):
        begin = time.process_time()
        result = solved(scenario, memory=1 << 30, habits=in_fixed_order(scenario))
        spent["exact"].append(time.process_time() - begin)
        value = float(result.solution.value(result.root)[0])
        counts = sample_outcomes(result.solution, result.root, plays, seed + number)
        errors["simulated"].append(abs(win(result, counts[:-1]) - value))
        for peer in installed():
            begin = time.process_time()
            found = float(PEERS[peer](scenario))
            spent[peer].append(time.process_time() - begin)
            errors[peer].append(abs(found - value))
    cells = [name, str(len(battles))]
    cells += [seconds(float(np.median(each))) if each else "-" for each in spent.values()]
    cells += [f"{100 * max(each):.1e}" if each else "-" for each in errors.values()]
    return cells


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--battles", type=int, default=160)
    parser.add_argument("--plays", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="seconds, to see that it works")
    arguments = parser.parse_args()
    battles = min(arguments.battles, 6) if arguments.quick else arguments.battles
    plays = min(arguments.plays, 500) if arguments.quick else arguments.plays
    heading("Battles, solved and simulated", PACKAGES)
    rules = load_rules()
    rng = random.Random(arguments.seed)
    tiny = random_battle(rules, rng, 1, 1, True)
    row("compiles", [tiny], 10, 0)
    groups = {
        "2-4 v 2-4 elves": [random_battle(rules, rng, 2, 4, True) for _ in range(battles)],
        "2-4 v 2-4": [random_battle(rules, rng, 2, 4, False) for _ in range(battles)],
        "5-7 v 5-7": [random_battle(rules, rng, 5, 7, False) for _ in range(max(2, battles // 8))],
    }
    if not arguments.quick:
        for name, ((one, ones), (other, others)) in LARGE.items():
            groups[name] = [Scenario(rules, army(rules, one, ones), army(rules, other, others))]
    rows = [row(name, group, plays, arguments.seed) for name, group in groups.items()]
    head = ["figures", "exact", "exact/s", "error", "order off by", "at most"]
    print(table(head, rows))
    print(
        f"\n{plays} plays a simulation, seed {arguments.seed}. Exact: median time of a battle."
        "\nError: root mean square of what sampling alone is off by; then what the fixed order of losses is"
        "\noff by, on average and at most; in points of the attacker's chance. Exact values: rounding only."
    )

    said = {
        "1-2 v 1-2": [random_battle(rules, rng, 1, 2, number % 2 == 0) for number in range(4 * battles)],
        "2-4 v 2-4": [random_battle(rules, rng, 2, 4, number % 2 == 0) for number in range(2 * battles)],
    }
    peer_rows = [
        peer_row(
            name, [each for each in group if can_be_said(each)][: battles // 4 + 2], plays, arguments.seed
        )
        for name, group in said.items()
    ]
    head = ["figures", "battles", "exact", *PEERS]
    head += ["error: simulated", *PEERS]
    print(f"\nWithout decisions, as dice libraries can say it (here: {', '.join(installed()) or 'none'})\n")
    print(table(head, peer_rows))
    print(
        "\nBoth sides eliminate in a fixed order, nobody spares or flees, no optional rerolls. Median times"
        "\nof a battle; errors are the largest, in points, against the solver's value for the same players."
    )


if __name__ == "__main__":
    main()
