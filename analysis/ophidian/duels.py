"""Whole matches of one gladiator against another, or of two against two, proved from the first placement."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from analysis.ophidian.proving_matches import MatchFight
from analysis.ophidian.reports import DuelReport, DuelsReport, rules_report
from analysis.timing import Stopwatch
from analysis.version import __version__
from engine.ophidian.reference import start, step
from engine.ophidian.rules import Rules

__all__ = ["duels_report"]

_TABLE_BYTES = 1 << 24


def duels_report(
    rules: Rules,
    gladiators: Sequence[int],
    note: Callable[[str, int, int], object] = lambda phase, done, total: None,
    stopped: Callable[[], bool] = lambda: False,
) -> DuelsReport:
    """Prove the match of every pair, and who begins it; those of a pair give those of the pair swapped."""
    watch = Stopwatch()
    pairs = [(one, other) for place, one in enumerate(gladiators) for other in gladiators[place + 1 :]]
    found: dict[tuple[int, int], DuelReport] = {}
    nodes, complete = 0, True
    for number, (one, other) in enumerate(pairs):
        note("duels", number, len(pairs))
        bounds = []
        for starter in (0, 1):
            low, high, opened = _result(rules, [[one], [other]], starter, stopped)
            bounds.append((low, high))
            nodes += opened
        names = rules.gladiators[one].name, rules.gladiators[other].name
        found[one, other] = DuelReport(*names, [low for low, _ in bounds], [high for _, high in bounds])
        swapped = bounds[::-1]
        found[other, one] = DuelReport(
            *names[::-1], [-high for _, high in swapped], [-low for low, _ in swapped]
        )
        if stopped():
            complete = False
            break
    duels = [found[pair] for one in gladiators for other in gladiators if (pair := (one, other)) in found]
    chosen = [rules.gladiators[each] for each in gladiators]
    return DuelsReport(
        version=__version__,
        rules=rules_report(rules),
        waves=rules.match.waves,
        extra_waves=rules.match.extra_waves,
        gladiators=[rule.name for rule in chosen],
        points=[rule.points for rule in chosen],
        wins=[_count([each.low for each in duels if each.gladiator == rule.name], 1) for rule in chosen],
        losses=[_count([each.high for each in duels if each.gladiator == rule.name], -1) for rule in chosen],
        duels=duels,
        complete=complete,
        nodes=nodes,
        time_s=watch.work_s,
        compile_s=watch.compile_s,
    )


def _result(
    rules: Rules, teams: Sequence[Sequence[int]], starter: int, stopped: Callable[[], bool]
) -> tuple[int, int, int]:
    """The result for player 0 with dice against him and for him, and the positions opened."""
    fight = MatchFight(step(start(rules, teams), starter), 2 * _TABLE_BYTES, stopped=stopped)
    bounds = fight.value(step(start(rules, teams), starter))
    return bounds.low, bounds.high, fight.num_nodes


def _count(results: Sequence[Sequence[int]], wanted: int) -> int:
    return sum(result == wanted for pair in results for result in pair)
