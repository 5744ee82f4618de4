"""How far a curve of the lead is from last days that are solved: a root mean square error.

    python -m benchmarks.match_worth [--days 100] [--seconds 60] [--patron solennos] [--seed 1]

Matches are played by the carried values up to the last day, by other luck than those that the curve was
fitted to. The curve knows lead and cards before the patron is revealed; the solve knows him and the cheers
cards, too, so part of the error is what they decide. Days that take more than 2 GiB, or whose interval is
wider than five points either way after the time, are left out, and counted.
"""

from __future__ import annotations

import argparse
import math
from random import Random

from analysis.progress import Silent
from analysis.ragers.answers.solving import Effort
from analysis.ragers.last_day.solving import LastDayQuestion, as_chance, solve_last_day
from analysis.ragers.last_day.standings import Standing
from analysis.ragers.last_day.worth import Worth, read_worth
from analysis.ragers.match import networks
from analysis.ragers.match.players import make_player
from analysis.ragers.match.self_play import record
from engine.ragers import layout
from engine.ragers.codec import decode
from engine.ragers.rules import Rules, load_rules
from engine.ragers.sampling import sampling_tables
from solver.hidden_hands import MemoryRefused

WIDEST = 0.05


def questions(rules: Rules, patron: str | None, seed: int, seconds: float) -> list[LastDayQuestion]:
    """Last days of matches by the carried values, in a random order."""
    trained = networks.carried(rules)
    assert trained is not None
    game = sampling_tables(rules)
    player = make_player("values", game, trained.network, trained.words)
    marks = record(game, player, rules.match.days, num_matches=2_000, seed=1_000_000 + seed).marks
    random = Random(seed)
    found = []
    for words in marks[:, rules.match.days - 2]:
        state = decode(words[: layout.NUM_WORDS])
        if state.day != rules.match.days - 1:
            continue
        chosen = rules.patrons[random.choice(state.patrons_left)].id
        card = random.choice(state.cheers_left)
        table = sorted({*state.cheers_table, card})
        if patron is not None and chosen != patron:
            continue
        first, second = state.sides
        left = tuple(
            tuple(a + b for a, b in zip(side.hand, side.deck, strict=True)) for side in (first, second)
        )
        standing = Standing(
            rules.match.days,
            (first.score, second.score),
            (first.cheers_taken, second.cheers_taken),
            (left[0], left[1]),
        )
        effort = Effort(time_limit_s=seconds, threads=1, memory_bytes=2 * 2**30)
        cheers = tuple(rules.cheers[each].id for each in table)
        found.append(LastDayQuestion(rules, chosen, cheers, standing, 0, None, effort))
    random.shuffle(found)
    return found


def guessed(worth: Worth, question: LastDayQuestion) -> float:
    """What the curve says of a standing."""
    import numpy as np

    standing = question.standing
    lead = standing.score[0] - standing.score[1] + worth.lead_of_cards(standing.left)
    return as_chance(float(worth.value(np.array([float(lead)]))[0]))


def main() -> None:
    """Print the error, and what it rests on."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--days", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--patron")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    rules = load_rules()
    worth = read_worth(None, rules, rules.match.days)
    errors: list[float] = []
    flat: list[float] = []
    left_out = 0
    for question in questions(rules, given.patron, given.seed, given.seconds):
        if len(errors) == given.days:
            break
        try:
            win = solve_last_day(question, Silent()).answers[0].win
        except MemoryRefused:
            left_out += 1
            continue
        if (win.high - win.low) / 2.0 > WIDEST:
            left_out += 1
            continue
        guess = guessed(worth, question)
        errors.append(guess - win.mean)
        flat.append(0.5 - win.mean)
        told = f"{question.patron}, {question.standing.text}"
        print(f"{told}: solved {win.mean:.3f}, curve {guess:.3f}", flush=True)
    print(f"{len(errors)} days, {left_out} left out")
    print(f"root mean square error {100 * _root_mean_square(errors):.1f} points")
    print(f"of one half for all: {100 * _root_mean_square(flat):.1f} points")


def _root_mean_square(errors: list[float]) -> float:
    return math.sqrt(sum(each * each for each in errors) / len(errors)) if errors else math.nan


if __name__ == "__main__":
    main()
