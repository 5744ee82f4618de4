"""Has something become slow? One figure of each kernel, as a ratio to a loop timed right beside it.

    python -m benchmarks.regression [--output now.json] [--before before.json] [--repetitions 3]

Everything runs on one thread, in processor time, and is compiled before a clock starts. A rate is divided by
the steps a second of a walk through a table, so a busy or slower machine changes the ratio far less than
the rate. With `--before`, a figure that has fallen below half of what it was, or is gone, ends with exit
code 3: machines differ by less than that, and what is smaller asks for the two versions side by side.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from benchmarks.loops import steps_a_second
from benchmarks.side_by_side import heading, table

PEERS = ("numpy", "numba")
LEAST = 0.5
"""Of what a figure was, what is no failure."""
EXIT_SLOWER = 3
SEED = 0
NUM_PLAYOUTS = 100_000
NUM_BATTLES = 60
NUM_DUELS = 1_000
NUM_WAVES = 300
NUM_ITERATIONS = 300


def playouts_of_ragers() -> float:
    """Transitions a second in random whole matches."""
    from benchmarks.ragers_playouts import playouts
    from engine.ragers.kernel_rules import kernel_rules
    from engine.ragers.rules import load_rules

    rules = kernel_rules(load_rules())
    begin = time.process_time()
    return float(playouts(rules, NUM_PLAYOUTS, SEED).transitions / (time.process_time() - begin))


def iterations_of_a_day() -> float:
    """Iterations a second of a Ragers day with rows of three, from the first one on."""
    from analysis.ragers.answers.solving import Effort, solve
    from analysis.ragers.scenarios import scenarios
    from engine.ragers.rules import load_rules
    from solver.hidden_hands import Progress

    rules = load_rules(overrides=("match.row_length=3",))
    seen: list[tuple[int, float]] = []

    def watch(progress: Progress) -> None:
        if progress.phase == "solve" and progress.iteration > 0:
            seen.append((progress.iteration, time.process_time()))

    effort = Effort(iterations=NUM_ITERATIONS, threads=1, seed=SEED)
    solve(scenarios(rules, ["solennos"], ["two-bashers"], "none")[0], effort, progress=watch)
    return (seen[-1][0] - seen[0][0]) / (seen[-1][1] - seen[0][1])


def battles_of_clash() -> float:
    """Battles a second, 2 to 4 figures a side, each with its forward pass."""
    from analysis.clash.armies import ELVES, Army
    from analysis.clash.scenario import Scenario
    from analysis.clash.solving import solved
    from engine.clash.rules import load_rules
    from solver.stochastic.forward import follow

    rules, rng = load_rules(), random.Random(SEED)
    clans = [clan.id for clan in rules.clans]

    def army(clan: str) -> Army:
        counts = [0, 0, 0]
        for _ in range(rng.randint(2, 4)):
            counts[rng.randrange(3)] += 1
        types = rules.elves if clan == ELVES else rules.clan(clan).units
        return Army(clan, types, (counts[0], counts[1], counts[2]))

    battles = [
        Scenario(rules, army(rng.choice(clans)), army(rng.choice([*clans, ELVES, ELVES])))
        for _ in range(NUM_BATTLES)
    ]
    begin = time.process_time()
    for battle in battles:
        result = solved(battle)
        follow(result.solution, result.root)
    return NUM_BATTLES / (time.process_time() - begin)


def duels_of_warage() -> float:
    """Duels a second, every deck of the set against itself, by rules."""
    from engine.warage.duels import matches
    from engine.warage.kernel_rules import kernel_rules
    from engine.warage.reference import setup_of
    from engine.warage.rules import load_rules
    from engine.warage.styles import RULE_BASED

    known = load_rules()
    compiled = [kernel_rules(known, setup_of(known, (deck.id, deck.id))) for deck in known.decks]
    begin = time.process_time()
    for each in compiled:
        matches(each, [RULE_BASED] * 2, NUM_DUELS, SEED)
    return NUM_DUELS * len(compiled) / (time.process_time() - begin)


def waves_of_ophidian() -> float:
    """Waves a second, two against two, each proved with a table of its own."""
    from analysis.ophidian.proving import Fight
    from analysis.ophidian.worth import Drawn, random_position
    from engine.ophidian.rules import load_rules
    from engine.ophidian.wave_codec import Objective

    drawn = Drawn(load_rules(), 2, 1, SEED)
    positions = [random_position(drawn, number) for number in range(NUM_WAVES)]
    begin = time.process_time()
    for position in positions:
        Fight(position, Objective.POINTS, 1 << 20).value(position)
    return NUM_WAVES / (time.process_time() - begin)


FIGURES: dict[str, Callable[[], float]] = {
    "ragers-playouts": playouts_of_ragers,
    "ragers-day": iterations_of_a_day,
    "clash-battles": battles_of_clash,
    "warage-duels": duels_of_warage,
    "ophidian-waves": waves_of_ophidian,
}


def measured(run: Callable[[], float], repetitions: int) -> tuple[float, float]:
    """Return the median of a rate, and that of its ratios to the loop; compiled before."""
    run()
    rates, ratios = [], []
    for _ in range(repetitions):
        before = steps_a_second()
        rates.append(run())
        ratios.append(rates[-1] / ((before + steps_a_second()) / 2))
    return statistics.median(rates), statistics.median(ratios)


def slower(before: Mapping[str, float], now: Mapping[str, float]) -> list[str]:
    """Return the names of figures that are gone, or below `LEAST` of what they were."""
    return [name for name, ratio in before.items() if now.get(name, 0.0) < LEAST * ratio]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--output", type=Path, help="where to write the ratios, as JSON")
    parser.add_argument("--before", type=Path, help="such a file of an earlier run, to compare with")
    parser.add_argument("--repetitions", type=int, default=3)
    asked = parser.parse_args()
    before = {} if asked.before is None else json.loads(asked.before.read_text(encoding="utf-8"))
    heading("Speed of the kernels", PEERS)
    ratios, rows = {}, []
    for name, run in FIGURES.items():
        rate, ratios[name] = measured(run, asked.repetitions)
        earlier = f"{ratios[name] / before[name]:.2f}" if name in before else ""
        rows.append((name, f"{rate:,.0f}", f"{ratios[name]:.3g}", earlier))
    print(table(("figure", "a second", "ratio to steps", "to before"), rows))
    if asked.output is not None:
        asked.output.write_text(json.dumps(ratios, indent=2) + "\n", encoding="utf-8")
    found = slower(before, ratios)
    if found:
        print(f"Less than {LEAST:.0%} of what it was: {', '.join(found)}.", file=sys.stderr)
        sys.exit(EXIT_SLOWER)


if __name__ == "__main__":
    main()
