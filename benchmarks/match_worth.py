"""How far what a match is worth is from last days that are solved: root mean square errors.

    python -m benchmarks.match_worth [--days 140] [--fit 40] [--cards 16] [--seconds 30] [--keep FILE]

Matches are played by the carried values up to the last day, patron and cheers card are drawn, and the day is
solved with fresh hands. Beside that stand: the curve of `ragers match`, which knows lead and cards, but not
who is revealed; the carried network and searches that it guides, over many deals of hands. Searches are
stretched, by what fits the first days best; errors are of the others. With `--cards` days are those with so
few cards left on both sides together: larger ones take minutes each. Those that take more than the memory
allowed, or whose interval is wider than five points either way after the time, are left out, and counted.
With `--keep` solved days lie in a file, and it can be gone on with.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from analysis.progress import Silent
from analysis.ragers.answers.solving import Effort
from analysis.ragers.last_day.reading import STRETCH, PositionReader, chance_of, log_odds
from analysis.ragers.last_day.solving import LastDayQuestion, as_chance, solve_last_day
from analysis.ragers.last_day.standings import Standing, parse_standing
from analysis.ragers.last_day.worth import Worth, read_worth
from analysis.ragers.match import networks
from analysis.ragers.match.figures import reached
from analysis.ragers.match.players import player_of
from analysis.ragers.match.prices import card_counts
from analysis.ragers.match.self_play import record
from analysis.ragers.setup import Values
from engine.ragers import layout
from engine.ragers.codec import decode
from engine.ragers.rules import Rules, load_rules
from engine.ragers.sampling import sampling_tables
from solver.hidden_hands import MemoryRefused

WIDEST = 0.05
MEMORY_BYTES = 600_000_000
MATCHES = 200_000
HANDS = 10


def questions(rules: Rules, seed: int, seconds: float, cards: int) -> list[LastDayQuestion]:
    """Last days of matches by the carried values, in a random order."""
    trained = networks.carried(rules)
    assert trained is not None
    game = sampling_tables(rules)
    player = player_of(Values(), game, trained)
    marks = record(game, player, rules.match.days, num_matches=MATCHES, seed=1_000_000 + seed).marks
    states = marks[reached(marks, rules.match.days), rules.match.days - 2]
    words = [layout.HAND, layout.HAND + 1, layout.DECK, layout.DECK + 1]
    left = np.stack([card_counts(states[:, word]).sum(axis=1) for word in words]).sum(axis=0)
    random = Random(seed)
    found = []
    for row in states[left <= cards]:
        state = decode(row[: layout.NUM_WORDS])
        patron = rules.patrons[random.choice(state.patrons_left)].id
        table = sorted({*state.cheers_table, random.choice(state.cheers_left)})
        first, second = (
            tuple(a + b for a, b in zip(side.hand, side.deck, strict=True)) for side in state.sides
        )
        standing = Standing(
            rules.match.days,
            (state.sides[0].score, state.sides[1].score),
            (state.sides[0].cheers_taken, state.sides[1].cheers_taken),
            (first, second),
        )
        found.append(asked(rules, patron, tuple(rules.cheers[each].id for each in table), standing, seconds))
    random.shuffle(found)
    return found


def asked(
    rules: Rules, patron: str, cheers: tuple[str, ...], standing: Standing, seconds: float
) -> LastDayQuestion:
    """A question from its parts."""
    effort = Effort(time_limit_s=seconds, threads=1, memory_bytes=MEMORY_BYTES)
    return LastDayQuestion(rules, patron, cheers, standing, 0, None, effort)


def solved(rules: Rules, given: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Solved days, those kept first; without `low` where one was refused."""
    kept: list[dict[str, Any]] = []
    if given.keep is not None and given.keep.exists():
        kept = [json.loads(line) for line in given.keep.read_text(encoding="utf-8").splitlines()]
    yield from kept
    for question in questions(rules, given.seed, given.seconds, given.cards)[len(kept) :]:
        day: dict[str, Any] = {
            "patron": question.patron,
            "cheers": question.cheers,
            "text": question.standing.text,
        }
        try:
            win = solve_last_day(question, Silent()).answers[0].win
            day |= {"low": win.low, "high": win.high}
        except MemoryRefused as refused:
            day["refused"] = refused.needed_bytes
        if given.keep is not None:
            with given.keep.open("a", encoding="utf-8") as file:
                file.write(json.dumps(day) + "\n")
        yield day


def curve(worth: Worth, question: LastDayQuestion) -> float:
    """What the curve says of a standing."""
    standing = question.standing
    lead = standing.score[0] - standing.score[1] + worth.lead_of_cards(standing.left)
    return as_chance(float(worth.value(np.array([float(lead)]))[0]))


def main() -> None:
    """Print the errors, and what they rest on."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--days", type=int, default=140)
    parser.add_argument("--fit", type=int, default=40)
    parser.add_argument("--cards", type=int, default=16)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    rules = load_rules()
    trained = networks.carried(rules)
    assert trained is not None
    worth = read_worth(None, rules, rules.match.days)
    rows: list[list[float]] = []
    widths: list[float] = []
    left_out = 0
    for day in solved(rules, given):
        if len(rows) == given.days:
            break
        if "low" not in day or (day["high"] - day["low"]) / 2.0 > WIDEST:
            left_out += 1
            continue
        standing = parse_standing(day["text"], rules)
        question = asked(rules, day["patron"], tuple(day["cheers"]), standing, given.seconds)
        reader = PositionReader(question, trained)
        states = reader.day_states(HANDS, Random(given.seed))
        readings = reader.by_network(states), reader.by_search(states, given.seed)
        widths.append((day["high"] - day["low"]) / 2.0)
        row = [(day["low"] + day["high"]) / 2.0, curve(worth, question)]
        rows.append([*row, *(as_chance(float(each.mean())) for each in readings)])
        print(f"{day['patron']}, {day['text']}:", " ".join(f"{each:.3f}" for each in rows[-1]), flush=True)
    show(np.array(rows), np.array(widths), given.fit, left_out)


def show(rows: Any, widths: Any, fit: int, left_out: int) -> None:
    """Print errors of the days after the first `fit`."""
    exact, searched = rows[:, 0], rows[:, 3]
    steps = np.arange(0.8, 1.8, 0.01)
    best = min(steps, key=lambda each: _error(chance_of(each * log_odds(searched[:fit])) - exact[:fit]))
    held = slice(fit, None)
    width = 100.0 * widths.mean()
    print(f"{len(rows)} days, solved within ±{width:.1f} points on average; {left_out} left out")
    print(f"root mean square errors in points, of the last {len(rows[held])} days:")
    named = {
        "one half for all": 0.5 + 0.0 * exact,
        "the curve of ragers match": rows[:, 1],
        "the network": rows[:, 2],
        "searches": searched,
        f"searches, stretched by {best:.2f}": chance_of(best * log_odds(searched)),
        f"searches, stretched by {STRETCH:.2f}": chance_of(STRETCH * log_odds(searched)),
    }
    for name, guess in named.items():
        print(f"  {name}: {_error(guess[held] - exact[held]):.1f}")


def _error(errors: Any) -> float:
    return 100.0 * math.sqrt(float((errors**2).mean())) if len(errors) else math.nan


if __name__ == "__main__":
    main()
