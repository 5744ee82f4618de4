"""Outcomes and points of both strategies: how near estimates are where a lone chain ends play."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.ragers.day import day_tables
from engine.ragers.rules import VETERAN
from solver.hidden_hands import Settings, solve
from solver.hidden_hands.jit import entry
from solver.hidden_hands.problem import Blueprint, blueprint, build_problem
from solver.hidden_hands.statistics import _count_lone, tally
from tests.oracles.games import ASYMMETRIC, LARGE, SYMMETRIC
from tests.solver.merged_days import certificate_of, statistics_of
from tests.solver.test_hidden_hands import CHAINS, tables, trained

pytestmark = pytest.mark.kernels

GAMES = [
    game
    for game in (*SYMMETRIC, *ASYMMETRIC, *LARGE)
    if game.num_nodes < 20_000 and sum(game.rules().cards[VETERAN].copies)
]


@entry
def count(
    q: Any,
    g: Any,
    joint: int,
    player: int,
    b: int,
    mass: float,
    worth: float,
    sums: Any,
) -> None:
    _count_lone(q, g, joint, player, b, mass, worth, sums)


def _ways(plan: Blueprint, joint: int, player: int, b: int, keys: NDArray[np.int64]) -> list[tuple[int, ...]]:
    """Every way to top a lone chain: what it pays its owner, both classes, by the automaton alone."""
    g, types = plan.rows, plan.actions.local_types
    nothing, chain = g.next_row.shape[2] - 1, int(types[plan.actions.num_plain])
    rows = int(keys[joint]) // g.face.size, int(keys[joint]) % g.face.size
    own, opp = rows[player], rows[1 - player]

    def placed(item: int, other: int) -> tuple[int, int]:
        return (
            int(g.next_row[own, g.face[opp], item, other]),
            int(g.next_row[opp, g.face[own], other, item]),
        )

    own, opp = placed(chain, int(types[b]))
    ways = []
    for _ in range(int(plan.game.copies[player, chain])):
        for item in types.tolist():
            after = placed(item, nothing) if item >= 0 and item != chain else (-1, -1)
            if min(after) >= 0 and plan.game.copies[player, item]:
                ends = [int(g.commit[row, 1 if g.hides[row] else 0]) for row in after]
                one, two = (int(g.terminal_class[row]) for row in ends)
                ways.append((int(g.payoff[one, two]), one, two))
        own, opp = placed(chain, nothing)
        if min(own, opp) < 0:
            break
    return ways


def test_estimates_are_as_near_as_they_say_whatever_hands_there_were() -> None:
    """Any mix of tops: the payoff is exact, outcomes and points are off by what is said at most."""
    game = tables(*CHAINS, "match.row_length=3", "patrons.arianna.row_length=3", patron="arianna")
    plan = blueprint(game, "none")
    problem = build_problem(plan)
    keys = problem.tables.rows
    rng = np.random.default_rng(5)
    checked = 0
    for joint in rng.permutation(keys.size)[:400]:
        for player in range(2):
            for b in np.flatnonzero(problem.tables.alone[joint, player]):
                ways = _ways(plan, int(joint), player, int(b), keys)
                mix = rng.dirichlet(np.full(len(ways), 0.3))
                worth = sum(p * pays for p, (pays, _, _) in zip(mix, ways, strict=True))
                sums = tally(game, 1, problem.types.size)
                points, outcome, ends, means, lone = (
                    sums.points,
                    sums.outcome,
                    sums.ends,
                    sums.means,
                    sums.lone,
                )
                count(problem, plan.rows, int(joint), player, int(b), 0.5, worth, sums)
                sign = 1 if player == 0 else -1
                assert means[0] - means[1] == pytest.approx(0.5 * sign * worth, abs=1e-9)
                assert (ends.sum(), means[2], lone[0]) == pytest.approx((0.5, 0.5, 0.5))
                true = np.zeros(4)
                gp = 0.0
                for p, (_, one, two) in zip(mix, ways, strict=True):
                    true[outcome[one, two] if player == 0 else outcome[two, one]] += 0.5 * p
                    gp += 0.5 * p * points[one, two]
                assert np.abs(ends - true).max() <= lone[1] + 1e-9
                assert abs(means[player] - gp) <= lone[2] + 1e-9
                checked += 1
    assert checked > 100


@pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
def test_what_both_plans_pay_is_what_best_responses_allow(game: Any) -> None:
    """Exactly counted, it needs no clamp; and it is what the answer calls its value."""
    day = day_tables(game.rules(), game.patron, game.cheers)
    trainer = trained(day, game.preparation, 20)
    stats, (mine, theirs) = statistics_of(trainer), certificate_of(trainer).best_response_values
    paid = stats.mean_points[0] - stats.mean_points[1]
    assert -theirs - 1e-4 <= paid <= mine + 1e-4
    solution = solve(day, Settings(preparation=game.preparation, method="exact", iterations=20, threads=1))
    mine, theirs = solution.best_response_values
    paid = solution.mean_gp[0] - solution.mean_gp[1]
    expected = 0.0 if trainer.symmetric else min(max(paid, -theirs), mine)
    assert solution.value == pytest.approx(expected, abs=1e-5)
    if trainer.plan.actions.num_chain:
        assert "shares off by" in solution.certificate
        assert "their difference by nothing" in solution.certificate
