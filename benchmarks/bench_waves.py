"""Waves of Ophidian Arena, proved, beside OpenSpiel's minimax on the same positions.

    python -m benchmarks.bench_waves [--positions 40] [--seed 1] [--most 300000] [--quick]

Two against two, points as objective. OpenSpiel's `alpha_beta_search` walks the plain-Python reference
through an adapter: it has no table, so positions that take it more than `--most` states are left out of its
row, and counted. Values have to be equal.
"""

from __future__ import annotations

import argparse
import statistics
import time
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from analysis.ophidian.proving import Fight, end_value
from analysis.ophidian.worth import Drawn, random_position
from benchmarks.side_by_side import heading, seconds, table
from engine.ophidian.reference import State, is_over, legal_moves, step
from engine.ophidian.rules import load_rules
from engine.ophidian.wave_codec import Objective

PACKAGES = ("numpy", "numba", "open-spiel")


class TooManyStates(Exception):
    """The peer has seen more states than it is given."""


@dataclass
class Counter:
    """States that the peer has made, and may make."""

    most: int
    made: int = 0


class PeerState:
    """A state as OpenSpiel's minimax asks for it."""

    def __init__(self, state: State, wave: int, counter: Counter) -> None:
        self.state, self.wave, self.counter = state, wave, counter

    def clone(self) -> PeerState:
        """Return a copy; states are immutable."""
        return PeerState(self.state, self.wave, self.counter)

    def current_player(self) -> int:
        """Who decides."""
        return self.state.turn

    def legal_actions(self) -> list[int]:
        """The numbers of the moves."""
        return list(range(len(legal_moves(self.state))))

    def apply_action(self, action: int) -> None:
        """Make a move."""
        self.counter.made += 1
        if self.counter.made > self.counter.most:
            raise TooManyStates
        self.state = step(self.state, legal_moves(self.state)[action])

    def is_terminal(self) -> bool:
        """Whether the wave, or the match, has ended."""
        return is_over(self.state) or self.state.wave != self.wave

    def player_return(self, player: int) -> int:
        """What the end is worth."""
        value = end_value(self.state, Objective.POINTS, self.wave)
        return value if player == 0 else -value


def peer_game() -> Any:
    """A game as OpenSpiel's minimax asks for it."""
    import pyspiel

    kinds = pyspiel.GameType
    return SimpleNamespace(
        num_players=lambda: 2,
        get_type=lambda: SimpleNamespace(
            chance_mode=kinds.ChanceMode.DETERMINISTIC,
            information=kinds.Information.PERFECT_INFORMATION,
            dynamics=kinds.Dynamics.SEQUENTIAL,
            utility=kinds.Utility.ZERO_SUM,
        ),
    )


def by_open_spiel(state: State, most: int) -> tuple[int, float] | None:
    """The value by OpenSpiel's minimax, and its time; None if it takes too many states."""
    from open_spiel.python.algorithms.minimax import alpha_beta_search

    begin = time.process_time()
    try:
        root = PeerState(state, state.wave, Counter(most))
        value, _ = alpha_beta_search(peer_game(), root, maximum_depth=1000, maximizing_player_id=0)
    except TooManyStates:
        return None
    return int(value), time.process_time() - begin


def by_us(state: State) -> tuple[int, float, int]:
    """The value, its time, and the positions opened; the table is new each time."""
    fight = Fight(state, Objective.POINTS, 1 << 20)
    begin = time.process_time()
    bounds = fight.value(state)
    assert bounds.exact
    return bounds.low, time.process_time() - begin, fight.search.num_nodes


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--positions", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, default=300_000)
    parser.add_argument("--quick", action="store_true", help="seconds, to see that it works")
    arguments = parser.parse_args()
    positions = min(arguments.positions, 4) if arguments.quick else arguments.positions
    most = min(arguments.most, 5_000) if arguments.quick else arguments.most
    heading("Waves of two against two, proved", PACKAGES)
    rules = load_rules()
    drawn = Drawn(rules, 2, rules.match.waves, arguments.seed)
    by_us(random_position(drawn, positions))  # compiles
    own, peer, both, opened = [], [], [], []
    for number in range(positions):
        state = random_position(drawn, number)
        value, took, nodes = by_us(state)
        own.append(took)
        opened.append(nodes)
        found = by_open_spiel(state, most)
        if found is not None:
            assert found[0] == value, (number, found[0], value)
            peer.append(found[1])
            both.append(took)
    rows = [["all positions", str(len(own)), seconds(statistics.median(own)), "-", "-"]]
    if peer:
        times = statistics.median(a / b for a, b in zip(peer, both, strict=True))
        rows.append(
            [
                "those the peer finishes",
                str(len(peer)),
                seconds(statistics.median(both)),
                seconds(statistics.median(peer)),
                f"{times:,.0f}",
            ]
        )
    print(table(["", "positions", "proved in", "OpenSpiel", "times as long"], rows))
    print(f"\nMedians; {statistics.median(opened):,.0f} positions opened. Seed {arguments.seed}.")


if __name__ == "__main__":
    main()
