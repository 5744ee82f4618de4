"""Whole matches of one gladiator against another, proved from the first placement."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.front.question import Running
from analysis.ophidian.fights import telling
from analysis.ophidian.game import GAME
from analysis.ophidian.proving_matches import MatchFight
from analysis.ophidian.questions.duel import Duel, DuelAnswer, DuelOf
from analysis.ophidian.teams import chosen_gladiators
from engine.ophidian.reference import start, step

__all__ = ["answer"]

_TABLE_BYTES = 1 << 24


def answer(asked: Duel, running: Running) -> DuelAnswer:
    """Prove the match of every pair, and who begins it; those of a pair give those of the pair swapped."""
    rules = GAME.rules_of(asked.rules)
    gladiators = chosen_gladiators(rules, asked.gladiators)
    pairs = [(one, other) for place, one in enumerate(gladiators) for other in gladiators[place + 1 :]]
    found: dict[tuple[int, int], DuelOf] = {}
    nodes, complete = 0, True
    fights: list[MatchFight] = []

    def tell() -> None:
        if len(pairs) == 1:
            running.note("positions opened", nodes + sum(each.num_nodes for each in fights), 0)
        else:
            running.note("duels", len(found) // 2, len(pairs))

    stopped = telling(running, tell)
    for one, other in pairs:
        tell()
        bounds = []
        for starter in (0, 1):
            opening = step(start(rules, [[one], [other]]), starter)
            fights[:] = [MatchFight(opening, 2 * _TABLE_BYTES, stopped=stopped)]
            proved = fights[0].value(opening)
            bounds.append((proved.low, proved.high))
            nodes += fights.pop().num_nodes
        names = rules.gladiators[one].name, rules.gladiators[other].name
        found[one, other] = DuelOf(*names, [low for low, _ in bounds], [high for _, high in bounds])
        swapped = bounds[::-1]
        found[other, one] = DuelOf(*names[::-1], [-high for _, high in swapped], [-low for low, _ in swapped])
        if running.interrupt():
            complete = False
            break
    duels = [found[pair] for one in gladiators for other in gladiators if (pair := (one, other)) in found]
    chosen = [rules.gladiators[each] for each in gladiators]
    sure = all(each.low == each.high for each in duels)
    return DuelAnswer(
        exactness="exact" if sure else "bounded",
        complete=complete,
        waves=rules.match.waves,
        extra_waves=rules.match.extra_waves,
        gladiators=[rule.name for rule in chosen],
        points=[rule.points for rule in chosen],
        wins=[_count([each.low for each in duels if each.gladiator == rule.name], 1) for rule in chosen],
        losses=[_count([each.high for each in duels if each.gladiator == rule.name], -1) for rule in chosen],
        duels=duels,
        nodes=nodes,
    )


def _count(results: Sequence[Sequence[int]], wanted: int) -> int:
    return sum(result == wanted for pair in results for result in pair)
