"""What can be asked about Clash of Rage: one function for each question, for notebooks and programs.

Armies are written as on the command line; answers are frozen structs. Nothing is printed, and neither numba
nor numpy is imported before something is solved.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from analysis.clash.armies import SIDES, Army, bears, equipped, parse_army, parse_weights
from analysis.clash.retreats import parse_retreat
from analysis.clash.scenario import DEFAULT_MEMORY, Moment, Scenario
from analysis.errors import RequestError
from analysis.rules_reports import read
from engine.clash.rules import Rules, load_rules

if TYPE_CHECKING:
    from pathlib import Path

    from analysis.clash.balance_reports import BalanceReport
    from analysis.clash.purchases import Question
    from analysis.clash.reports import BattleReport, NeedReport, Objective, Side
    from analysis.clash.study_reports import EquipReport, SplitObjective, SplitReport

__all__ = [
    "against_each",
    "balance",
    "battle",
    "between",
    "equip",
    "need",
    "purchases_for",
    "rules",
    "solve",
    "split",
    "split_targets",
]


def rules(files: Sequence[Path] = (), overrides: Sequence[str] = ()) -> Rules:
    """Return the illustrative rules with changes.

    Parameters
    ----------
    files
        TOML files with the values that differ.
    overrides
        Single values, such as ``battle.sparing=false``.

    Raises
    ------
    RequestError
        If a file or an override is wrong.
    """
    return read(load_rules, files, overrides)


def battle(
    attacker: str,
    defender: str,
    *,
    rules: Rules | None = None,
    equip: Sequence[str] = (),
    equip_defender: Sequence[str] = (),
    objective: Objective = "win",
    weights: tuple[str | None, str | None] = (None, None),
    solo: bool = False,
    rage: tuple[int, int] = (0, 0),
    turn: str | None = None,
    most_tokens: int | None = None,
    retreat_when: tuple[str | None, str | None] = (None, None),
) -> Scenario:
    """Return a battle to ask about; parameters are the options of ``clash solve``.

    Parameters
    ----------
    weights
        Of both sides.
    turn
        Whose assault is next, ``attacker`` or ``defender``; None for whoever is less slow.
    most_tokens
        The option ``--bracket``.
    retreat_when
        Rules by which the sides flee, such as ``losses>=3``; None for as well as can be.

    Raises
    ------
    RequestError
        If something is wrong with it.

    Examples
    --------
    >>> fight = battle("bohorg: 1 Executioner", "elves: 2 Templar", equip=["Executioner: axe"])
    >>> fight.attacker.fighters[2].power
    8
    """
    known = rules or load_rules()
    armies = parse_army(known, attacker, "--attacker"), parse_army(known, defender, "--defender")
    tables = [
        None if text is None else parse_weights(known, text, option)
        for text, option in zip(weights, ("--weights", "--weights-defender"), strict=True)
    ]
    options = ("--retreat-when", "--retreat-when-defender")
    one, two = (
        None if text is None else parse_retreat(text, option)
        for text, option in zip(retreat_when, options, strict=True)
    )
    if turn is not None and turn not in SIDES:
        raise RequestError(f"{turn!r} is neither attacker nor defender", "--turn")
    return between(
        known,
        armies,
        equip,
        equip_defender,
        objective=objective,
        weights=tables[0],
        weights_of_defender=tables[1],
        solo=solo,
        rage=rage,
        turn=None if turn is None else SIDES.index(turn),
        most_tokens=most_tokens,
        retreats=(one, two),
    )


def between(
    rules: Rules,
    armies: tuple[Army, Army],
    equip: Sequence[str] = (),
    equip_defender: Sequence[str] = (),
    **settings: object,
) -> Scenario:
    """Return a battle between armies that need not be written down; `settings` are fields of `Scenario`."""
    for text in equip:
        armies = equipped(rules, armies, text, "--equip")
    for text in equip_defender:
        armies = equipped(rules, armies, text, "--equip-defender", only=1)
    scenario = Scenario(rules, *armies, **settings)  # type: ignore[arg-type]
    scenario.check()
    return scenario


def solve(
    scenario: Scenario,
    *,
    moment: Moment | None = None,
    simple: bool = False,
    fraction: bool = False,
    rounds: int | None = None,
    memory: int = DEFAULT_MEMORY,
) -> BattleReport:
    """Solve a battle.

    Parameters
    ----------
    moment
        Where within the assault it stands: dice have been rolled.
    simple
        Whether to price simple players as well.
    fraction
        Whether to solve it in rational arithmetic as well: small battles only.
    rounds
        After how many the report says how it stands.
    memory
        Most bytes to take.

    Raises
    ------
    RequestError
        If it cannot be asked.
    analysis.clash.scenario.TooLargeError
        If it takes more memory; the message says what would fit.

    Examples
    --------
    >>> round(solve(battle("bohorg: 1 Pummeler", "elves: 1 Templar")).value, 5)
    0.66342
    """
    from analysis.clash.solving import battle_report

    return battle_report(
        scenario, moment=moment, simple=simple, fraction=fraction, rounds=rounds, memory=memory
    )


def need(scenario: Scenario, chance: float = 0.9, *, memory: int = DEFAULT_MEMORY) -> NeedReport:
    """Find the smallest parts of the attacker's army that hold the territory with a chance.

    Parameters
    ----------
    scenario
        Its attacker has all units at hand.

    Raises
    ------
    RequestError, analysis.clash.scenario.TooLargeError
        As for :func:`solve`.

    Examples
    --------
    >>> needed = need(battle("bohorg: 3 I, 2 II, 1 III", "elves: 2 Templar"), 0.8).needed
    >>> min(army.figures for army in needed)
    2
    """
    from analysis.clash.smallest import need_report

    return need_report(scenario, chance, memory=memory)


def split_targets(
    attacker: str,
    defenders: Sequence[str],
    *,
    rules: Rules | None = None,
    equip: Sequence[str] = (),
    equip_defender: Sequence[str] = (),
    objective: SplitObjective = "both",
    weights: str | None = None,
    **settings: object,
) -> list[Scenario]:
    """Return the battles of one army for two targets, to ask :func:`split` about.

    `settings` are fields of `Scenario`.

    Raises
    ------
    RequestError
        If something is wrong with them.
    """
    known = rules or load_rules()
    if len(defenders) != 2:
        said = f"an army is split over two targets, not {len(defenders)}; name both"
        raise RequestError(said, "--defender")
    if weights is not None and objective != "material":
        raise RequestError("weights mean something with --objective material only", "--weights")
    army = parse_army(known, attacker, "--attacker")
    table = None if weights is None else parse_weights(known, weights, "--weights")
    return against_each(
        known,
        army,
        [parse_army(known, each, "--defender") for each in defenders],
        equip,
        equip_defender,
        objective="material" if objective == "material" else "win",
        weights=table,
        **settings,
    )


def against_each(
    rules: Rules,
    attacker: Army,
    defenders: Sequence[Army],
    equip: Sequence[str] = (),
    equip_defender: Sequence[str] = (),
    **settings: object,
) -> list[Scenario]:
    """Return the battles of one army with each of several; what a type carries it carries in all of them."""
    scenarios: list[Scenario] = []
    parts = [part for text in equip_defender for part in text.split(";") if part.strip()]
    for number, defender in enumerate(defenders):
        armies = attacker, defender
        for text in equip:
            armies = equipped(rules, armies, text, "--equip", only=0)
        for part in parts:
            bearers = [each for each, army in enumerate(defenders) if bears(army, part.partition(":")[0])]
            # Nobody there has such a type: the first one says so.
            if number in (bearers or [0]):
                armies = equipped(rules, armies, part, "--equip-defender", only=1)
        scenario = Scenario(rules, *armies, **settings)  # type: ignore[arg-type]
        scenario.check()
        scenarios.append(scenario)
    return scenarios


def split(
    targets: Sequence[Scenario], objective: SplitObjective = "both", *, memory: int = DEFAULT_MEMORY
) -> SplitReport:
    """Find the best ways to split an army over two targets.

    Raises
    ------
    RequestError, analysis.clash.scenario.TooLargeError
        As for :func:`solve`.

    Examples
    --------
    >>> targets = split_targets("bohorg: 3 I, 1 III", ["elves: 1 Templar", "elves: 1 Elder"])
    >>> split(targets).best[0].sent
    [[3, 0, 0], [0, 0, 1]]
    """
    from analysis.clash.splitting import split_report

    return split_report(targets, objective, memory=memory)


def purchases_for(
    attackers: Sequence[str],
    defenders: Sequence[str],
    market: str,
    gold: int,
    *,
    rules: Rules | None = None,
    buyer: Side = "attacker",
    shares: Sequence[float] = (),
    equip: Sequence[str] = (),
    equip_defender: Sequence[str] = (),
    objective: Literal["win", "material"] = "win",
    weights: str | None = None,
    solo: bool = False,
) -> Question:
    """Return what may be bought and for which battles, to ask :func:`equip`.

    Parameters
    ----------
    attackers, defenders
        One army of the buyer's side, one or more of the other.
    market
        ``axe 2, crossbow``: cards, and how many of each lie there.
    shares
        How much each battle counts; none for all the same.
    equip, equip_defender
        What is attached already. The buyer may move it or leave it off.

    Raises
    ------
    RequestError
        If something is wrong with it.
    """
    from analysis.clash.purchases import Question, parse_market

    known = rules or load_rules()
    side = SIDES.index(buyer)
    own, other = ((attackers, defenders), (defenders, attackers))[side]
    if len(own) != 1:
        raise RequestError(f"the buyer has one army, not {len(own)}", f"--{buyer}")
    if weights is not None and objective != "material":
        raise RequestError("weights mean something with --objective material only", "--weights")
    scenarios = []
    for enemy in other:
        attacker, defender = (own[0], enemy) if side == 0 else (enemy, own[0])
        armies = parse_army(known, attacker, "--attacker"), parse_army(known, defender, "--defender")
        (scenario,) = against_each(
            known,
            armies[0],
            [armies[1]],
            equip,
            equip_defender,
            objective=objective,
            weights=None if weights is None else parse_weights(known, weights, "--weights"),
            solo=solo,
        )
        scenarios.append(scenario)
    question = Question(
        tuple(scenarios),
        tuple(shares) or (1.0,) * len(scenarios),
        side,
        parse_market(known, market, "--market"),
        gold,
    )
    question.check()
    return question


def equip(question: Question, *, memory: int = DEFAULT_MEMORY) -> EquipReport:
    """Find what to buy: the best purchase for every amount of gold.

    Raises
    ------
    RequestError, analysis.clash.scenario.TooLargeError
        As for :func:`solve`.

    Examples
    --------
    >>> asked = purchases_for(["bohorg: 2 I"], ["elves: 1 Guard"], "axe 2, crossbow, plate-armor", 6)
    >>> [(each.gold, each.bought) for each in equip(asked).front]
    [(0, []), (5, ['axe'])]
    """
    from analysis.clash.purchases import equip_report

    return equip_report(question, memory=memory)


def balance(
    *,
    rules: Rules | None = None,
    clans: str | None = None,
    points: float = 6.0,
    weights: str | None = None,
    compare: Sequence[tuple[str, Rules]] = (),
    battles: int = 40,
    seed: int = 0,
    memory: int = DEFAULT_MEMORY,
) -> BalanceReport:
    """Let all armies that count the same fight each other, and measure what icons, cards and units are worth.

    Parameters
    ----------
    clans
        ``bohorg,tomb``; None for all.
    points, weights
        What every army counts, by weights of levels, ``I=1, II=2, III=3``.
    compare
        Other rules, each with a name: the same battles by them.
    battles, seed
        How many battles worths are measured in, and which.

    Raises
    ------
    RequestError, analysis.clash.scenario.TooLargeError
        As for :func:`solve`.

    Examples
    --------
    >>> report = balance(clans="bohorg,tomb", points=1, battles=0)
    >>> [(cell.attacker, round(cell.mean, 2)) for cell in report.cells]
    [('bohorg', 0.11), ('tomb', 0.0)]
    """
    from analysis.clash.balancing import balance_question, balance_report

    question = balance_question(
        rules or load_rules(),
        clans=clans,
        points=points,
        weights=weights,
        compared=compare,
        contested=battles,
        seed=seed,
    )
    return balance_report(question, memory=memory)
