"""One battle: its value, how it ends, what is decided first and what every alternative costs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from analysis.clash.aftermath import rounds_report, won_report
from analysis.clash.armies import SIDES, Army
from analysis.clash.reports import (
    ArmyReport,
    BattleAnswer,
    DecisionReport,
    EndReport,
    Kind,
    Move,
    OptionReport,
    Result,
    SimpleReport,
    TypeReport,
)
from analysis.clash.scenario import (
    DEFAULT_MEMORY,
    Moment,
    Scenario,
    TooLargeError,
    digest,
    most_rows,
    switches_report,
)
from analysis.clash.stochastic import stochastic_game
from analysis.errors import RequestError
from engine.clash import battle_layout as at
from engine.clash.battle_objectives import at_the_beginning
from engine.clash.battle_tables import OPTIMAL, BattleTables, Habit
from engine.clash.fighters import Fighter
from solver.stochastic.decisions import Decision, decision
from solver.stochastic.forward import Distribution, follow
from solver.stochastic.game import CHANCE, FloatArray
from solver.stochastic.solving import Solution, solve

MOST_ENDS = 200
"""Ends that a report lists."""
MOST_FIGURES_OF_FRACTIONS = 8
NARROW = 1e-12
"""A bracket no wider than this is no wider than rounding."""

HABITS = ("strongest first", "weakest first", "most figures first", "never spares", "never flees")


@dataclass(frozen=True)
class Solved:
    """A battle and its solution."""

    scenario: Scenario
    tables: BattleTables
    solution: Solution
    root: int


def solved(
    scenario: Scenario, *, memory: int = DEFAULT_MEMORY, habits: tuple[Habit, Habit] | None = None
) -> Solved:
    """Solve a battle.

    Raises
    ------
    RequestError
        If it cannot be asked.
    TooLargeError
        If it takes more than `memory` bytes.
    """
    scenario.check()
    tables = scenario.tables(memory, habits)
    game = stochastic_game(tables, scenario.payoffs(tables))
    root = scenario.root(tables)
    try:
        solution = solve(game, [root], max_rows=most_rows(tables, memory, game.num_columns))
    except MemoryError as error:
        said = f"{error} fit into {memory >> 20} MiB (--memory); --bracket cuts deeper"
        raise TooLargeError(said) from None
    return Solved(scenario, tables, solution, root)


def battle_answer(
    scenario: Scenario,
    *,
    moment: Moment | None = None,
    simple: bool = False,
    fraction: bool = False,
    rounds: int | None = None,
    memory: int = DEFAULT_MEMORY,
) -> BattleAnswer:
    """Answer a question about a battle.

    Parameters
    ----------
    scenario : Scenario
    moment : where within the assault it stands; None for before it.
    simple : whether to price simple players as well, one more solve for each.
    fraction : whether to solve it in rational arithmetic as well: small battles only.
    rounds : after how many the report says how it stands.
    memory : most bytes to take.

    Raises
    ------
    RequestError, TooLargeError
        See `solved`.
    """
    within = moment is not None and (moment.injuries, moment.hits) != (None, None)
    if within and scenario.most_tokens is not None:
        raise RequestError("within an assault only battles that need no bracket are solved", "--bracket")
    if simple and (within or scenario.most_tokens is not None):
        raise RequestError("simple players are priced from the beginning of an assault, exactly", "--simple")
    by_rule = scenario.retreats != (None, None)
    if simple and by_rule:
        raise RequestError("simple players are priced against players who flee as well as can be", "--simple")
    result = solved(scenario, memory=memory)
    solution, tables, root = result.solution, result.tables, result.root
    node, asked = _asked(result, moment or Moment())
    spread = follow(solution, root, node=node)
    offsets = offsets_of(scenario)
    numbers = asked.value if node >= 0 else solution.value(root)
    value = float(numbers[0]) - offsets[0]
    if solution.best is not None and (node >= 0 or simple):
        raise RequestError(
            "with battle.rage_limit this battle is only bracketed;"
            " --injuries, --hits and --simple need an exact solution"
        )
    low, high = (value, value)
    if node < 0:
        low, high = (number - offsets[0] for number in solution.bracket(root))
    narrow = high - low <= NARROW
    kind: Kind = "exact" if solution.best is None else "bracket"
    ratio = None
    if fraction:
        ratio, kind = _fraction(scenario, moment), "fraction"
    weights = [dict(table.values) for table in scenario.weight_tables]
    outcomes = spread.outcomes.reshape((at.NUM_ENDS, *tables.num_armies))
    ends, left_out = _ends(tables, outcomes)
    priced = _simple(scenario, value, memory) if simple else []
    freely = None
    if by_rule and not within and solution.best is None:
        freely = exact_value(replace(scenario, retreats=(None, None)), memory=memory)
    return BattleAnswer(
        switches=switches_report(scenario.rules),
        objective=scenario.objective,
        weights=None if scenario.objective == "win" else weights[0],
        weights_of_defender=weights[1] if scenario.objective == "own" else None,
        solo=scenario.defender.elves and scenario.chooser == 0,
        starts=SIDES[scenario.starts],  # type: ignore[arg-type]
        kind=kind,
        value=None if kind == "bracket" and not narrow else value,
        low=low,
        high=high,
        fraction=ratio,
        value_to_defender=float(numbers[1]) - offsets[1] if scenario.objective == "own" else None,
        win=float(outcomes[at.DEFENDER_FLED].sum() + outcomes[at.DESTROYED, :, 0].sum()),
        beyond=spread.beyond,
        assaults=_assaults(spread, outcomes),
        attacker=_army(scenario, tables, outcomes, 0),
        defender=_army(scenario, tables, outcomes, 1),
        first=_decision(result, asked, offsets, node >= 0),
        simple=priced,
        ends=ends,
        ends_left_out=left_out,
        retreats=[None if each is None else each.text for each in scenario.retreats],
        value_without_retreats=freely,
        won=[won_report(tables, outcomes, side) for side in (0, 1)],
        after=None if rounds is None else rounds_report(tables, solution, root, rounds, node=node),
        states=solution.num_states,
        check=float(abs(spread.value(solution)[0] - numbers[0])),
        sha256=digest([scenario.dependencies(), None if moment is None else vars(moment)]),
    )


def offsets_of(scenario: Scenario) -> tuple[float, float]:
    """Payoffs count what is left; less this, gains and losses since now."""
    if scenario.objective == "win":
        return 0.0, 0.0
    counts = (np.array(scenario.attacker.counts), np.array(scenario.defender.counts))
    one, two = (at_the_beginning(counts, weights, side) for side, weights in enumerate(scenario.side_weights))
    return one, two if scenario.objective == "own" else -one


def exact_value(scenario: Scenario, *, memory: int = DEFAULT_MEMORY, widest: float = NARROW) -> float:
    """Return what a battle is worth to the attacker, and nothing else.

    Parameters
    ----------
    widest : how wide a bracket may be of which the lower end is the value.

    Raises
    ------
    RequestError
        If it cannot be asked, or is only bracketed.
    TooLargeError
        If it takes more than `memory` bytes.
    """
    result = solved(scenario, memory=memory)
    low, high = result.solution.bracket(result.root)
    if high - low > widest:
        raise RequestError(
            "battles are compared by exact values, and one of them is only bracketed; ask for smaller armies,"
            " without --bracket"
        )
    return low - offsets_of(scenario)[0]


# -- decisions ------------------------------------------------------------------------------------------


def _asked(result: Solved, moment: Moment) -> tuple[int, Decision]:
    """The local node that a question is about, -1 for the beginning of the assault, and its decision."""
    tables, root = result.tables, result.root
    counts = (result.scenario.attacker.counts, result.scenario.defender.counts)
    assault = tables.assault(counts, result.scenario.rage, result.scenario.starts)
    if moment.injuries is not None and moment.hits is not None:
        raise RequestError("say the injuries or the hits, not both", "--injuries")
    if moment.injuries is not None:
        option, wanted = "--injuries", moment.injuries
    elif moment.hits is not None:
        option, wanted = "--hits" if moment.rerolls <= assault.rerolls else "--rerolls", moment.hits
        if assault.forced and moment.rerolls:
            raise RequestError("elves have to roll blanks again (B5): say what then injures", "--rerolls")
    elif moment.rerolls:
        raise RequestError("say how many dice injure (--hits) with the rerolls left", "--rerolls")
    else:
        return -1, decision(result.solution, root)
    try:
        if moment.injuries is not None:
            node = tables.elimination_node(counts, assault, wanted)
        else:
            node = tables.reroll_node(counts, assault, wanted, moment.rerolls)
    except ValueError as error:
        who = f"it is the {SIDES[assault.side]}'s assault, with {assault.dice} dice"
        raise RequestError(f"{error}; {who}", option) from None
    return node, decision(result.solution, root, node)


def _decision(
    result: Solved, asked: Decision, offsets: tuple[float, float], within: bool
) -> DecisionReport | None:
    """The decision with its options, the best first; None where chance moves, or there is but one option."""
    if asked.decider == CHANCE:
        return None
    game, tables, root = result.solution.game, result.tables, result.root
    ranked = int(game.preference[asked.decider, 0])
    column, sign = abs(ranked) - 1, 1.0 if ranked > 0 else -1.0
    # What the report calls the value: to the attacker, or with `own` to whoever decides.
    shift = offsets[1] if column == 1 and result.scenario.objective == "own" else offsets[0]
    best = sign * float(asked.value[column])
    counts, _, side = tables.unpack(root)
    options = []
    for number, (target, values) in enumerate(zip(asked.targets, asked.option_values, strict=True)):
        move, eliminated = _move(tables, target, counts[1 - side], side)
        if move == "roll" and within:
            move = "reroll"
        worth = float(values[column])
        options.append(
            OptionReport(
                move=move,
                eliminated=eliminated,
                value=worth - shift,
                cost=max(0.0, best - sign * worth),
                chosen=number == asked.chosen,
            )
        )
    options.sort(key=lambda option: (not option.chosen, option.cost))
    return DecisionReport(SIDES[asked.decider], options)  # type: ignore[arg-type]


def _move(
    tables: BattleTables, target: int, counts: tuple[int, int, int], side: int
) -> tuple[Move, list[int] | None]:
    """What an option of the assault of a side does, from where it leads; `counts` are the other's figures."""
    if target < 0:
        return "roll", None
    if target < tables.num_positions:
        left = tables.unpack(target)[0][1 - side]
    else:
        kind, _ = divmod(target - tables.num_positions, tables.num_outcomes // at.NUM_ENDS)
        if kind != at.DESTROYED:
            return "flee", None
        left = (0, 0, 0)
    return "eliminate", [before - after for before, after in zip(counts, left, strict=True)]


# -- results --------------------------------------------------------------------------------------------


def _assaults(spread: Distribution, outcomes: FloatArray) -> float:
    fled = float(outcomes[at.ATTACKER_FLED].sum() + outcomes[at.DEFENDER_FLED].sum())
    return max(0.0, spread.visits - fled)


def _army(scenario: Scenario, tables: BattleTables, outcomes: FloatArray, side: int) -> ArmyReport:
    """A side, and what becomes of it."""
    army = scenario.armies[side]
    by_army = outcomes.sum(axis=(0, 2 - side))
    total = by_army.sum()
    lost = np.array(army.counts) - tables.figures(side)
    mean = by_army @ lost / total if total > 0 else np.zeros(3)
    square = by_army @ (lost - mean) ** 2 / total if total > 0 else np.zeros(3)
    types = [
        TypeReport(
            unit=army.types[kind].id,
            count=army.counts[kind],
            equipment=[card.id for card in army.cards[kind]],
            lost=float(mean[kind]),
            lost_deviation=float(np.sqrt(max(0.0, square[kind]))),
        )
        for kind in range(3)
        if army.counts[kind]
    ]
    gone = outcomes[at.DESTROYED, 0].sum() if side == 0 else outcomes[at.DESTROYED, :, 0].sum()
    return ArmyReport(
        clan=army.clan,
        slowness=army.slowness,
        rage=scenario.rage[side],
        types=types,
        levels=[kind for kind in range(3) if army.counts[kind]],
        flees=float(outcomes[at.ATTACKER_FLED + side].sum()),
        destroyed=float(gone),
    )


def _ends(tables: BattleTables, outcomes: FloatArray) -> tuple[list[EndReport], float]:
    """The likeliest ends, and the probability of those left out."""
    flat = outcomes.ravel()
    order = np.argsort(-flat, kind="stable")[:MOST_ENDS]
    words: tuple[Result, ...] = ("destroyed", "attacker-fled", "defender-fled")
    ends = []
    for number in order[flat[order] > 0].tolist():
        kind, own, other = np.unravel_index(number, outcomes.shape)
        left = list(tables.army(0, int(own))), list(tables.army(1, int(other)))
        ends.append(EndReport(float(flat[number]), words[int(kind)], *left))
    return ends, max(0.0, float(flat.sum() - sum(end.probability for end in ends)))


# -- other ways to answer -------------------------------------------------------------------------------


def simple_habits(armies: tuple[Army, Army], side: int) -> dict[str, Habit]:
    """Return simple players of a side, by name, as far as they may differ from optimal play."""

    def by(rank: Callable[[Fighter], tuple[int, int]]) -> Habit:
        orders = []
        for army in armies:
            one, two, three = sorted(range(3), key=lambda kind: rank(army.fighters[kind]))
            orders.append((one, two, three))
        return Habit(at.IN_ORDER, (orders[0], orders[1]))

    habits = {
        "strongest first": by(lambda each: (-each.power, -each.life)),
        "weakest first": by(lambda each: (each.power, each.life)),
        "most figures first": by(lambda each: (each.life, each.power)),
        "never spares": Habit(at.NEVER_SPARES),
    }
    if not armies[side].elves:
        habits["never flees"] = Habit(at.NEVER_FLEES)
    assert set(habits) <= set(HABITS)
    return habits


def _simple(scenario: Scenario, value: float, memory: int) -> list[SimpleReport]:
    """What simple players get; what the other side then does is optimal against them."""
    reports = []
    own = scenario.objective == "own"
    for side in (0, 1) if scenario.chooser or not scenario.defender.elves else (0,):
        offset = offsets_of(scenario)[side if own else 0]
        column = side if own else 0
        sign = 1.0 if side == 0 or own else -1.0
        base = value
        if own and side == 1:
            best = solved(scenario, memory=memory)
            base = float(best.solution.value(best.root)[1]) - offset
        for name, habit in simple_habits(scenario.armies, side).items():
            held = (habit, OPTIMAL) if side == 0 else (OPTIMAL, habit)
            result = solved(scenario, memory=memory, habits=held)
            got = float(result.solution.value(result.root)[column]) - offset
            reports.append(SimpleReport(SIDES[side], name, got, sign * (base - got)))  # type: ignore[arg-type]
    return reports


def _fraction(scenario: Scenario, moment: Moment | None) -> str:
    """The value in rational arithmetic."""
    from analysis.clash.rational import RationalBattle, everything, retreats_by, win
    from engine.clash.reference_battle import begin_assault, start

    if scenario.objective != "win" or scenario.rules.battle.rage_limit is not None or moment is not None:
        raise RequestError(
            "fractions are for --objective win at the beginning of an assault, without battle.rage_limit",
            "--fraction",
        )
    figures = sum(scenario.attacker.counts) + sum(scenario.defender.counts)
    if figures > MOST_FIGURES_OF_FRACTIONS:
        raise RequestError(
            f"{figures} figures are too many for rational arithmetic: at most {MOST_FIGURES_OF_FRACTIONS}",
            "--fraction",
        )
    battle = start(
        scenario.rules.battle,
        (scenario.attacker.fighters, scenario.defender.fighters),
        (scenario.attacker.counts, scenario.defender.counts),
        elves=scenario.defender.elves,
        solo=scenario.solo,
    )
    battle = begin_assault(replace(battle, rage=scenario.rage), scenario.starts)
    tables = scenario.tables(DEFAULT_MEMORY)
    one, two = (
        everything if each is None else retreats_by(each.holds, battle, side)
        for side, each in enumerate(scenario.retreats)
    )
    preference = [[1, 2, -3], [-1, 3, -2]]
    oracle = RationalBattle(win, preference, enough=tables.cuts, considers=(one, two))
    value: Fraction = oracle.value(battle)[0]
    return str(value)
