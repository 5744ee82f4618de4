"""How fair clans, cards and rulings are: all armies that count the same, every battle solved exactly."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from statistics import fmean, stdev
from typing import TYPE_CHECKING

from analysis.clash.armies import NUMERALS, Army, WeightTable, parse_weights
from analysis.clash.balance_reports import (
    BalanceAnswer,
    BalanceArmyReport,
    ClanCellReport,
    ComparedReport,
    WorthKind,
    WorthReport,
)
from analysis.clash.scenario import DEFAULT_MEMORY, Scenario, digest, switches_report
from analysis.errors import RequestError
from analysis.interrupt import Interrupt
from analysis.payoff_matrices import PayoffMatrix
from engine.clash.fighters import Card
from engine.clash.rules import Bonus, LegendaryRule, Rules
from engine.clash.rules_schema import BONUSES

if TYPE_CHECKING:
    from numpy.typing import NDArray

CONTESTED = (0.1, 0.9)
"""Worths are measured where the attacker's chance lies between these: elsewhere hardly anything counts."""
WIDEST = 1e-6
"""Brackets no wider than this count as values; figures are shown to a hundredth of a percent."""
MOST_BATTLES = 100_000
_TOLERANCE = 1e-9
_OUTSIDE_BATTLE = ("speed", "flight")

Note = Callable[[str, int, int], None]
Stop = Callable[[], bool]


@dataclass(frozen=True)
class Several:
    """Processes, or a Dask cluster; see `analysis.workers.on_workers`."""

    jobs: int
    scheduler: str | None
    interrupt: Interrupt


class _StoppedError(Exception):
    """Work was to stop."""


@dataclass(frozen=True)
class BalanceQuestion:
    """Which armies fight.

    Attributes
    ----------
    clans : their ids; no army fights its own clan.
    points : what every army counts by the weights of its levels.
    compared : what to compare, with the rules that it makes.
    contested : battles to measure worths in, at most.
    """

    rules: Rules
    clans: tuple[str, ...]
    points: float
    weights: WeightTable
    compared: tuple[tuple[str, Rules], ...] = ()
    contested: int = 40
    seed: int = 0

    def armies(self) -> list[Army]:
        """Return all armies of the clans, clan by clan; RequestError if there are none, or too many."""
        armies: list[Army] = []
        for id_ in self.clans:
            clan = self.rules.clan(id_)
            levels = self.weights.of(Army(id_, clan.units, (0, 0, 0)))
            totals = set()
            before = len(armies)
            for one, two, three in product(*(range(unit.max + 1) for unit in clan.units)):
                total = one * levels[0] + two * levels[1] + three * levels[2]
                totals.add(total)
                if one + two + three and abs(total - self.points) <= _TOLERANCE:
                    armies.append(Army(id_, clan.units, (one, two, three)))
            if len(armies) == before:
                near = min(totals - {0.0}, key=lambda total: abs(total - self.points), default=0.0)
                raise RequestError(
                    f"no army of {id_} counts {self.points:g}; the nearest is {near:g}", "--points"
                )
        number = len(self.pairs(armies))
        if number > MOST_BATTLES:
            raise RequestError(f"{number:,} battles are too many; ask for fewer points or clans", "--points")
        return armies

    @staticmethod
    def pairs(armies: Sequence[Army]) -> list[tuple[int, int]]:
        """Return who attacks whom."""
        both = product(range(len(armies)), repeat=2)
        return [(one, two) for one, two in both if armies[one].clan != armies[two].clan]


def balance_question(
    rules: Rules,
    *,
    clans: Sequence[str] = (),
    points: float = 6.0,
    weights: str | None = None,
    compared: Sequence[tuple[str, Rules]] = (),
    contested: int = 40,
    seed: int = 0,
) -> BalanceQuestion:
    """Return a question about clans, all if none are named; RequestError if something is wrong with it."""
    ids = list(clans) or [clan.id for clan in rules.clans]
    if len(set(ids)) < 2 or len(set(ids)) < len(ids):
        raise RequestError("name two clans or more, each once", "--clan")
    table = parse_weights(rules, weights, "--weights")
    if not all(table.values[level] > 0 for level in NUMERALS):
        raise RequestError("to count armies every level needs a weight above 0", "--weights")
    question = BalanceQuestion(rules, tuple(ids), points, table, tuple(compared), contested, seed)
    question.armies()
    return question


def _silent(_phase: str, _done: int, _total: int) -> None:
    pass


def balance_answer(
    question: BalanceQuestion,
    *,
    memory: int = DEFAULT_MEMORY,
    note: Note = _silent,
    stop: Stop = lambda: False,
    several: Several | None = None,
) -> BalanceAnswer:
    """Fight all battles, compare rules, and measure what icons, cards and units are worth.

    Parameters
    ----------
    note : told what is done, how much of it, and of how much.
    stop : asked before every battle; what is finished then is reported.
    several : processes or a cluster to solve battles with; None for this process.

    Raises
    ------
    RequestError, TooLargeError
        See `analysis.clash.solving.solved`.
    """
    armies = question.armies()
    work = _Work(memory, note, stop, several)
    pairs = question.pairs(armies)
    wins: dict[tuple[int, int], float] = {}
    compared: list[ComparedReport] = []
    worth: list[WorthReport] = []
    complete = True
    try:
        work.fight("battles", question.rules, armies, pairs, wins)
        for name, rules in question.compared:
            other: dict[tuple[int, int], float] = {}
            same = [replace(army, types=rules.clan(army.clan).units) for army in armies]
            work.fight(name, rules, same, pairs, other)
            compared.append(_compared(name, question, armies, wins, other))
        low, high = CONTESTED
        contested = [pair for pair in pairs if low <= wins[pair] <= high]
        chosen = random.Random(question.seed).sample(contested, min(question.contested, len(contested)))
        worth += work.worths(question, armies, chosen, wins)
    except _StoppedError:
        complete = False
        worth += work.partial
    return BalanceAnswer(
        switches=switches_report(question.rules),
        clans=list(question.clans),
        points=question.points,
        weights={level: question.weights.values[level] for level in NUMERALS},
        armies=[
            BalanceArmyReport(
                clan=army.clan,
                counts=list(army.counts),
                attacks=_mean([value for pair, value in wins.items() if pair[0] == number]),
                defends=_mean([1.0 - value for pair, value in wins.items() if pair[1] == number]),
            )
            for number, army in enumerate(armies)
        ],
        wins=[[wins.get((one, two)) for two in range(len(armies))] for one in range(len(armies))],
        cells=_cells(question, armies, wins),
        contested=list(CONTESTED),
        worth=worth,
        compared=compared,
        complete=complete,
        battles=len(pairs),
        solves=work.solves,
        sha256=digest(
            [
                question.rules.sha256,
                question.clans,
                question.points,
                question.weights.values,
                [rules.sha256 for _, rules in question.compared],
                question.contested,
                question.seed,
            ]
        ),
    )


def with_and_without(
    question: BalanceQuestion, id_: str, *, memory: int = DEFAULT_MEMORY, stop: Stop = lambda: False
) -> list[tuple[float, float]]:
    """Return the attacker's chance with one more card or figure, and without, in even battles.

    Battles are drawn by chance; those are returned that are finished when work is stopped.

    Raises
    ------
    RequestError, TooLargeError
        See `analysis.clash.solving.solved`.
    """
    armies, found = question.armies(), list[tuple[float, float]]()
    work = _Work(memory, _silent, stop, None)
    _, _, _, ways = next(each for each in _additions(question) if each[1].rpartition(": ")[2] == id_)
    pairs = [pair for pair in question.pairs(armies) if ways(armies[pair[0]])]
    random.Random(question.seed).shuffle(pairs)
    try:
        for attacker, defender in ((armies[one], armies[two]) for one, two in pairs):
            if len(found) == question.contested:
                break
            before = work.value(question.rules, attacker, defender)
            if CONTESTED[0] <= before <= CONTESTED[1]:
                best = work.best(question.rules, ways(attacker), defender)
                assert best is not None
                found.append((best, before))
    except _StoppedError:
        pass
    return found


def battle_matrix(report: BalanceAnswer, *, whole: bool = True) -> PayoffMatrix:
    """Return the attackers' chances; if not `whole`, of the first clan's armies against the second one's."""
    names = []
    for army in report.armies:
        figures = zip(army.counts, NUMERALS, strict=True)
        names.append(f"{army.clan}: " + ", ".join(f"{count} {level}" for count, level in figures if count))
    everybody = range(len(names))
    rows, columns = (
        [each for each in everybody if whole or report.armies[each].clan == clan] for clan in report.clans[:2]
    )
    return PayoffMatrix(
        f"Chance that the attacker holds the territory, armies of {report.points:g} points",
        ("attacker", "defender"),
        [names[each] for each in rows],
        [names[each] for each in columns],
        [[report.wins[one][two] for two in columns] for one in rows],
    )


def _mean(values: Sequence[float]) -> float | None:
    return fmean(values) if values else None


def _cells(
    question: BalanceQuestion, armies: Sequence[Army], wins: dict[tuple[int, int], float]
) -> list[ClanCellReport]:
    """Clans against clans: the mean, and what it is worth if both choose their armies as well as can be."""
    import numpy as np

    from solver.lp import solve_matrix_program

    cells = []
    for one, two in product(question.clans, repeat=2):
        if one == two:
            continue
        rows = [number for number, army in enumerate(armies) if army.clan == one]
        columns = [number for number, army in enumerate(armies) if army.clan == two]
        found = [wins[pair] for pair in product(rows, columns) if pair in wins]
        chosen = None
        if len(found) == len(rows) * len(columns):
            matrix: NDArray[np.float64] = np.array(found).reshape(len(rows), len(columns))
            chosen = solve_matrix_program(matrix).value
        cells.append(ClanCellReport(one, two, _mean(found), chosen))
    return cells


def _compared(
    name: str,
    question: BalanceQuestion,
    armies: Sequence[Army],
    wins: dict[tuple[int, int], float],
    other: dict[tuple[int, int], float],
) -> ComparedReport:
    changes = {pair: other[pair] - wins[pair] for pair in wins}
    pair = max(changes, key=lambda each: abs(changes[each]))
    return ComparedReport(
        change=name,
        cells=_cells(question, armies, other),
        mean=fmean(changes.values()),
        mean_size=fmean(map(abs, changes.values())),
        largest=changes[pair],
        largest_attacker=armies[pair[0]].text(),
        largest_defender=armies[pair[1]].text(),
    )


_MOST_KNOWN = 1_000_000
_known: dict[tuple[object, ...], float] = {}
"""Chances of attackers in battles that this process has solved, by other rules too, by what decides them."""


class _Work:
    """Battles one after the other, each of the same numbers once."""

    def __init__(self, memory: int, note: Note, stop: Stop, several: Several | None) -> None:
        self._memory, self._note, self._stop, self._several = memory, note, stop, several
        self._used: set[tuple[object, ...]] = set()
        if len(_known) > _MOST_KNOWN:
            _known.clear()
        self.partial: list[WorthReport] = []

    @property
    def solves(self) -> int:
        """How many different battles were needed so far."""
        return len(self._used)

    def _key(self, scenario: Scenario) -> tuple[object, ...]:
        """All that decides a battle, and whether it can be solved."""
        return (self._memory, scenario.rules.battle, scenario.starts, *map(_numbers, scenario.armies))

    def value(self, rules: Rules, attacker: Army, defender: Army) -> float:
        """Return the attacker's chance."""
        from analysis.clash.solving import exact_value

        scenario = Scenario(rules, attacker, defender)
        key = self._key(scenario)
        if key not in _known:
            if self._stop():
                raise _StoppedError
            _known[key] = exact_value(scenario, memory=self._memory, widest=WIDEST)
        self._used.add(key)
        return _known[key]

    def best(self, rules: Rules, ways: Sequence[Army], defender: Army) -> float | None:
        """Return the attacker's chance with the best of several armies; None if there is none."""
        return max((self.value(rules, way, defender) for way in ways), default=None)

    def prepare(self, phase: str, battles: Iterable[tuple[Rules, Army, Army]]) -> None:
        """Solve battles on several processes, if there are any, so that their values are known."""
        if self._several is None:
            return
        from analysis.clash.battle_work import values_on_workers

        missing = {}
        for battle in battles:
            scenario = Scenario(*battle)
            if (key := self._key(scenario)) not in _known:
                missing[key] = scenario
        keys, several = list(missing), self._several
        found = values_on_workers(
            list(missing.values()),
            memory=self._memory,
            widest=WIDEST,
            jobs=several.jobs,
            scheduler=several.scheduler,
            interrupt=several.interrupt,
        )
        for done, (place, value) in enumerate(found, 1):
            _known[keys[place]] = value
            self._used.add(keys[place])
            self._note(phase, done, len(keys))

    def fight(
        self,
        phase: str,
        rules: Rules,
        armies: Sequence[Army],
        pairs: Sequence[tuple[int, int]],
        wins: dict[tuple[int, int], float],
    ) -> None:
        """Fill in the chances of all pairs. Modified in place: `wins`."""
        self.prepare(phase, ((rules, armies[one], armies[two]) for one, two in pairs))
        for done, (one, two) in enumerate(pairs):
            self._note(phase, done, len(pairs))
            wins[one, two] = self.value(rules, armies[one], armies[two])

    def worths(
        self,
        question: BalanceQuestion,
        armies: Sequence[Army],
        pairs: Sequence[tuple[int, int]],
        wins: dict[tuple[int, int], float],
    ) -> list[WorthReport]:
        """Return what additions to the attacker gain, each where it gains the most."""
        self.partial = []
        tried = list(_additions(question))
        self.prepare(
            "worth",
            (
                (question.rules, way, armies[two])
                for *_, ways in tried
                for one, two in pairs
                for way in ways(armies[one])
            ),
        )
        for done, (kind, name, price, ways) in enumerate(tried):
            self._note("worth", done, len(tried))
            both = (
                (wins[one, two], self.best(question.rules, ways(armies[one]), armies[two]))
                for one, two in pairs
            )
            gains = [best - before for before, best in both if best is not None]
            if gains:
                mean = fmean(gains)
                self.partial.append(
                    WorthReport(
                        kind=kind,
                        name=name,
                        battles=len(gains),
                        gain=mean,
                        deviation=stdev(gains) if len(gains) > 1 else 0.0,
                        price=price,
                        gain_per_price=mean / price if price else None,
                    )
                )
        result, self.partial = self.partial, []
        return result


def _numbers(army: Army) -> tuple[object, ...]:
    """All that a battle depends on but who starts (B2)."""
    both = zip(army.fighters, army.counts, strict=True)
    return tuple((*fighter._replace(slow=0), count) for fighter, count in both if count)


_Ways = Callable[[Army], list[Army]]


def _additions(question: BalanceQuestion) -> Iterator[tuple[WorthKind, str, float | None, _Ways]]:
    """Yield what can be added to an army: its kind, name and price, and the ways to add it."""

    def attached(card: Card) -> _Ways:
        def ways(army: Army) -> list[Army]:
            found = []
            for kind in range(3):
                if army.counts[kind]:
                    cards = [*army.cards]
                    cards[kind] = (*cards[kind], card)
                    found.append(replace(army, cards=tuple(cards)))
            return found

        return ways

    for icon in BONUSES:
        if icon not in _OUTSIDE_BATTLE:
            bonus = Bonus(**{icon: 1})
            yield "icon", icon, None, attached(LegendaryRule(icon, icon, "weapon", bonus))
    for card in question.rules.equipment:
        yield "card", card.id, float(card.cost), attached(card)

    def one_more(clan: str, kind: int) -> _Ways:
        def ways(army: Army) -> list[Army]:
            counts = [count + (other == kind) for other, count in enumerate(army.counts)]
            if army.clan != clan or counts[kind] > army.most[kind]:
                return []
            return [replace(army, counts=(counts[0], counts[1], counts[2]))]

        return ways

    for id_ in question.clans:
        for kind, unit in enumerate(question.rules.clan(id_).units):
            price = question.weights.values[NUMERALS[kind]]
            yield "unit", f"{id_}: {unit.id}", price, one_more(id_, kind)
