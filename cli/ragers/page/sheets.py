"""A solved scenario as the page shows it."""

from __future__ import annotations

from dataclasses import dataclass

from analysis.ragers.answers.answer import Answer
from analysis.ragers.answers.asking import Answered
from analysis.ragers.answers.brackets import value_bracket
from analysis.ragers.scenarios import Scenario
from analysis.ragers.workbench.hand_table import compact_table, dealt_worth, extremes
from analysis.ragers.workbench.health import HandLine, ScenarioHealth, scenario_health
from analysis.ragers.workbench.overview import day_id
from cli.page.charts import Chart
from cli.ragers.page.charts import charts


@dataclass(frozen=True)
class Sheet:
    """A solved scenario.

    Attributes
    ----------
    id
        Prefix of the ids of its parts.
    scenario, answer
        Question and numbers.
    source
        Where the answer comes from, in words.
    relabelled_from
        Cheers card whose solve this is under other names, or None.
    health
        Cards, outcome, luck, as `ragers balance` reports them.
    value_bracket_gp
        The value of the game lies in it.
    charts
        Drawn.
    best, worst
        Hands as dealt; empty where no worth is known, and on days that are shown as another one.
    hands_json, num_hands
        All hands, see :func:`analysis.ragers.workbench.hand_table.compact_table`, and how many there are.
    """

    id: str
    scenario: Scenario
    answer: Answer
    source: str
    relabelled_from: str | None
    health: ScenarioHealth
    value_bracket_gp: tuple[float, float]
    charts: list[Chart]
    best: list[HandLine]
    worst: list[HandLine]
    hands_json: str
    num_hands: int


def sheet(answered: Answered, player: int, word: str, *, shown: bool = True) -> Sheet:
    """Return the sheet of a certified answer with its strategy.

    Parameters
    ----------
    player
        Whose point of view.
    word
        Which rules these are, for ids.
    shown
        Whether it is shown by itself. A day that is another one with the attacks renamed needs no charts.
    """
    assert answered.strategy is not None
    health = scenario_health(answered, player)
    worth = dealt_worth(answered, player) if shown else None
    best, worst = ([], []) if worth is None else extremes(answered, player, worth)
    return Sheet(
        id=f"{day_id((health.patron, health.cheers))}-{word}",
        scenario=answered.scenario,
        answer=answered.answer,
        source=answered.source,
        relabelled_from=answered.relabelled_from,
        health=health,
        value_bracket_gp=value_bracket(answered.answer, answered.scenario.day, player),
        charts=charts(health) if shown else [],
        best=best,
        worst=worst,
        hands_json=compact_table(answered, player, worth) if shown else "",
        num_hands=len(answered.strategy.hands),
    )
