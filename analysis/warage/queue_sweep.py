"""Whether hiding and mixing ever matter in the queue: the same attack for many HP of the defender."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import msgspec

from analysis.timing import Stopwatch
from analysis.warage.queues import QueueQuestion, queue_report
from analysis.warage.race import Note
from analysis.warage.reports import SCHEMA_NUMBER, CardSetReport, Method, card_set


class SweepRow(msgspec.Struct, frozen=True):
    """One position.

    Attributes
    ----------
    hp : of the defender.
    kill, taken : the chance that the attack beats the defender, and HP that it takes.
    value, hiding : of the end to the attacker, see `QueueReport`; how much of it hiding is worth.
    reached, mixed : decisions that play comes to, and those of them that are no single move.
    pure_loses : what the attacker, and the defender, may lose by always making the likelier move.
    """

    hp: int
    kill: float
    taken: float
    value: float
    hiding: float
    reached: int
    mixed: int
    pure_loses: list[float]
    nash_conv: float


class SweepReport(msgspec.Struct, frozen=True):
    """An attack with hidden replies for many HP of the defender.

    Attributes
    ----------
    most_hiding, most_lost : the largest that hiding is worth to either, and that a fixed plan may lose.
    """

    schema: int
    card_set: CardSetReport
    method: Method
    attacker: str
    defender: str
    pools: list[dict[str, int]]
    hidden: list[int]
    value_in: str
    rows: list[SweepRow]
    mixed_positions: int
    most_hiding: float
    most_lost: float
    complete: bool
    time_s: float
    compile_s: float | msgspec.UnsetType = msgspec.UNSET


def sweep_report(
    question: QueueQuestion,
    totals: range,
    *,
    stop: Callable[[], bool] | None = None,
    note: Note | None = None,
) -> SweepReport:
    """Solve an attack once for each of these HP of the defender."""
    watch = Stopwatch()
    rows: list[SweepRow] = []
    for hp in totals:
        if stop is not None and stop():
            break
        if note is not None:
            note("positions", len(rows), len(totals))
        table = replace(question.table, hp=(question.table.hp[0], hp))
        found = queue_report(replace(question, table=table))
        hiding = found.value - found.open_value
        figures = found.kill, found.taken, found.value, hiding, found.reached, found.mixed
        rows.append(SweepRow(hp, *figures, found.pure_loses, found.nash_conv))
    return SweepReport(
        schema=SCHEMA_NUMBER,
        card_set=card_set(question.table.rules),
        method="exact",
        attacker=question.table.heroes[0].text,
        defender=question.table.heroes[1].text,
        pools=[dict(pool) for pool in question.pools],
        hidden=list(question.hidden),
        value_in="hp" if question.rounds_left is None else "win",
        rows=rows,
        mixed_positions=sum(row.mixed > 0 for row in rows),
        most_hiding=max((abs(row.hiding) for row in rows), default=0.0),
        most_lost=max((max(row.pure_loses) for row in rows), default=0.0),
        complete=len(rows) == len(totals),
        time_s=watch.work_s,
        compile_s=watch.compile_s,
    )
