"""One army against two targets: products, or sums, of battles that one table per target holds.

The two battles share nothing once the units have moved (M5). Chances that multiply, and gains that add up,
are largest where each of them is: so both sides play each battle as if it were the only one, and every way
to split is valued exactly by two numbers that are looked up.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product

from analysis.clash.parts import Counts, SolvedParts, solved_parts
from analysis.clash.scenario import DEFAULT_MEMORY, Scenario, digest, switches_report
from analysis.clash.study_reports import SplitAnswer, SplitObjective, SplitOption
from analysis.errors import RequestError

MOST_LISTED = 20
TIE = 1e-12
"""Values no further apart are equal but for rounding."""
_WORTH: dict[SplitObjective, Callable[[float, float], float]] = {
    "both": lambda one, two: one * two,
    "either": lambda one, two: 1.0 - (1.0 - one) * (1.0 - two),
    "material": lambda one, two: one + two,
}
Split = tuple[Counts, Counts]


def split_answer(
    targets: Sequence[Scenario], objective: SplitObjective = "both", *, memory: int = DEFAULT_MEMORY
) -> SplitAnswer:
    """Find the best ways to split the attacker's army over two targets.

    Parameters
    ----------
    targets : sequence of Scenario
        Two with the same attacker; their objective and weights are replaced if this one is about winning.
    objective : what is to be as large as can be.
    memory : most bytes that the battles for one target may take.

    Raises
    ------
    RequestError, TooLargeError
        See `analysis.clash.solving.solved`.
    """
    if len(targets) != 2:
        raise RequestError(f"an army is split over two targets, not {len(targets)}; name both", "--defender")
    if objective == "material":
        scenarios = [replace(each, objective="material") for each in targets]
    else:
        scenarios = [replace(each, objective="win") for each in targets]
    one, two = (solved_parts(each, memory) for each in scenarios)
    attacker = one.scenario.attacker
    worth = _WORTH[objective]
    ranked = [(worth(one.values[sent[0]], two.values[sent[1]]), sent) for sent in splits_of(attacker.counts)]
    ranked.sort(key=lambda each: (-round(each[0] / TIE), _figures(each[1]), each[1]))

    def option(value: float, sent: Split) -> SplitOption:
        return SplitOption(
            sent=[list(each) for each in sent],
            home=[all_ - x - y for all_, x, y in zip(attacker.counts, *sent, strict=True)],
            value=value,
            values=[one.values[sent[0]], two.values[sent[1]]],
            wins=[one.win(sent[0]), two.win(sent[1])],
        )

    return SplitAnswer(
        switches=switches_report(one.scenario.rules),
        objective=objective,
        weights=dict(one.scenario.weight_tables[0].values) if objective == "material" else None,
        solo=any(each.defender.elves and each.chooser == 0 for each in scenarios),
        attacker=attacker.clan,
        units=[each.id for each in attacker.types],
        most=list(attacker.counts),
        targets=[each.defender.text() for each in scenarios],
        splits=len(ranked),
        best=[option(*each) for each in ranked[:MOST_LISTED]],
        front=[option(*each) for each in _front(ranked, one, two)],
        bracket=one.cut or two.cut,
        states=[one.solution.num_states, two.solution.num_states],
        sha256=digest([[each.dependencies() for each in scenarios], objective]),
    )


def splits_of(counts: Counts) -> list[Split]:
    """Return all ways to send parts of an army to two targets, and leave the rest at home."""
    ways = [
        [(first, second) for first in range(count + 1) for second in range(count - first + 1)]
        for count in counts
    ]
    return [
        ((one[0], two[0], three[0]), (one[1], two[1], three[1]))
        for one, two, three in product(*ways)
        if any((*one, *two, *three))
    ]


def _figures(sent: Split) -> int:
    return sum(sent[0]) + sum(sent[1])


def _front(
    ranked: Sequence[tuple[float, Split]], one: SolvedParts, two: SolvedParts
) -> list[tuple[float, Split]]:
    """The splits than which none is better for one target and no worse for the other."""

    def key(each: tuple[float, Split]) -> tuple[int, int, int]:
        sent = each[1]
        values = one.values[sent[0]], two.values[sent[1]]
        return -round(values[0] / TIE), -round(values[1] / TIE), _figures(sent)

    front = []
    most: int | None = None
    for each in sorted(ranked, key=key):
        second = -key(each)[1]
        if most is None or second > most:
            front.append(each)
            most = second
    return front
