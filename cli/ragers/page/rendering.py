"""The page itself: templates filled by Jinja, with style and script inside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from analysis.amounts import bound, clock, percent, signed, span
from analysis.front.render.tables import texts
from analysis.ragers.answers.asking import Answered
from analysis.ragers.answers.trust import NO_ANSWER
from analysis.ragers.hands import LETTERS
from analysis.ragers.naive import NAIVE
from analysis.ragers.questions import balance
from analysis.ragers.scenarios import Scenario
from analysis.ragers.wording import trust
from analysis.ragers.wording.names import card, day_name, listed
from analysis.ragers.workbench import comparing, overview
from analysis.ragers.workbench.hand_table import DEALT_UNIT, SHARE_UNIT, WORTH_UNIT_GP
from analysis.ragers.workbench.health import ScenarioHealth
from analysis.ragers.workbench.variants import Key, Variant, key_of
from analysis.version import __version__
from cli import grid
from cli.page.rendering import environment
from cli.progress import Reporter
from cli.ragers.page import sources, summary
from cli.ragers.page.charts import COLOURS
from cli.ragers.page.match_charts import MatchSection
from cli.ragers.page.sheets import Sheet, sheet
from engine.ragers.rules import PLAYERS, TYPES, diff_rules

#: So many first cards are named for a day that is folded up, of those that open so many days at least.
MOST_OPENINGS, LEAST_SHARE = 3, 0.02


@dataclass(frozen=True)
class Side:
    """A variant with the sheets of its answers, and its tables as `ragers balance` has them."""

    variant: Variant
    sheets: Mapping[Key, Sheet]
    tables: Sequence[grid.Section]

    @property
    def rows(self) -> list[list[Scenario]]:
        """The scenarios asked for, a list for each patron, all in the same order of cheers cards."""
        return [list(row) for _, row in groupby(self.variant.scenarios, key=lambda each: each.patron.id)]


@dataclass(frozen=True)
class Day:
    """A section of the page: a day, and those that are the same one with the attacks renamed."""

    key: Key
    scenario: Scenario
    renamed: list[Scenario]

    @property
    def keys(self) -> list[Key]:
        """The keys of all of them."""
        return [self.key, *map(key_of, self.renamed)]


@dataclass(frozen=True)
class Comparison:
    """What changes from the base to the variant, scenario by scenario where both are answered."""

    changes: list[tuple[str, str, str]]
    scenarios: Mapping[Key, comparing.Comparison]


def page(
    variants: Sequence[Variant],
    player: int,
    command: str,
    reporter: Reporter,
    match: MatchSection | None = None,
) -> str:
    """Return the page about one set of rules, or about two side by side.

    Parameters
    ----------
    variants
        The base, and a variant or none; one of them has an answer at least.
    player
        Whose point of view.
    command
        The command line that the page is made by.
    reporter
        Told what comes next.
    match
        What is said about whole matches, if anything.
    """
    days = _days(variants)
    shown = {day.key for day in days}
    number = 0
    sides = []
    for variant in variants:
        sheets = {}
        for key, answered in variant.answered.items():
            number += 1
            reporter.begin(answered.scenario.title, number, None)
            sheets[key] = sheet(answered, player, variant.word, shown=key in shown)
        sides.append(Side(variant, sheets, _tables(sheets)))
    health = {side.variant.word: {key: each.health for key, each in side.sheets.items()} for side in sides}
    maps = [_named(each) for each in overview.heat_maps(health)]
    text: str = (
        _environment()
        .get_template("page.html.j2")
        .render(
            sides=sides,
            player=PLAYERS[player],
            command=command,
            version=__version__,
            maps=maps,
            groups=[(name, list(group)) for name, group in groupby(maps, key=lambda each: each.metric.group)],
            maps_json=overview.script_data(maps),
            days=days,
            section_of={key: day.key for day in days for key in day.keys},
            findings={
                side.variant.word: summary.sentences(
                    [each for key, each in side.sheets.items() if key in shown], player
                )
                for side in sides
            },
            comparison=_comparison(variants, player) if len(variants) > 1 else None,
            numbers=sources.NUMBERS,
            match=match,
            num_missing=sum(len(variant.missing) for variant in variants),
        )
    )
    return text


def _days(variants: Sequence[Variant]) -> list[Day]:
    """Return the days that are shown: each once; beside a variant all, since it may tell them apart."""
    found: dict[Key, Day] = {}
    for variant in variants:
        for key, answered in variant.answered.items():
            same = (key[0], answered.relabelled_from or key[1]) if len(variants) == 1 else key
            if same in found and key != found[same].key:
                found[same].renamed.append(answered.scenario)
            elif same not in found:
                found[same] = Day(key, answered.scenario, [])
    order = [key_of(each) for variant in variants for each in variant.scenarios]
    return sorted(found.values(), key=lambda day: order.index(day.key))


def _named(heat_map: overview.HeatMap) -> overview.HeatMap:
    """Return a heat-map whose label begins as a sentence, and so with the card's name."""
    label = heat_map.metric.label
    return replace(heat_map, metric=replace(heat_map.metric, label=label[0].upper() + label[1:]))


def _opens_most(health: ScenarioHealth) -> str:
    """Return the cards that open most, with how often, in words."""
    shares = sorted(((each.opening, name) for name, each in health.cards.items()), reverse=True)
    told = [
        f"{card(name)} {percent(share)} %" for share, name in shares[:MOST_OPENINGS] if share >= LEAST_SHARE
    ]
    return ", ".join(told)


def _tables(sheets: Mapping[Key, Sheet]) -> list[grid.Section]:
    sections = []
    for table in balance.tables([each.health for each in sheets.values()]):
        heads, rows = texts(table)
        words = [column.kind == "word" for column in table.columns]
        sections.append(grid.Section(table.title, heads, rows, words.index(False)))
    return sections


def _comparison(variants: Sequence[Variant], player: int) -> Comparison:
    base, variant = variants
    changes = [
        (key, sources.value_text(one), sources.value_text(other))
        for key, one, other in diff_rules(base.rules, variant.rules)
    ]
    both: dict[Key, tuple[Answered, Answered]] = {
        key: (answered, variant.answered[key])
        for key, answered in base.answered.items()
        if key in variant.answered
    }
    return Comparison(changes, {key: comparing.compare(*pair, player) for key, pair in both.items()})


def _environment() -> Any:
    templates = environment("cli.ragers.page")
    templates.filters |= {
        "share_words": trust.share_words,
        "repeat_words": lambda how_far: trust.repeat_words([how_far], stored=True, how="ragers solve"),
        "off_by": trust.off_by,
        "percent": percent,
        "span": lambda bracket: span(*bracket),
        "gp": signed,
        "bound": bound,
        "clock": clock,
        "day_id": overview.day_id,
        "card_name": card,
        "day_name": lambda scenario: f"{scenario.patron.name} / {scenario.cheers.name}",
        "listed": listed,
        "named_day": day_name,
        "opens_most": _opens_most,
        "health_in": lambda key, sheets: sheets[key].health,
        "rounded_up": trust.rounded_up,
        "values": sources.values,
        "verdicts": overview.verdicts,
        "interval": lambda pair: signed(pair[0]) if pair[0] == pair[1] else " to ".join(map(signed, pair)),
    }
    templates.globals |= {
        "naive": NAIVE,
        "types": TYPES,
        "colours": COLOURS,
        "letters": {name: letter for letter, name in LETTERS.items()},
        "cell_id": overview.cell_id,
        "inks": overview.INKS,
        "no_answer": NO_ANSWER,
        "verdict_words": {
            "dead": "is dead",
            "must": "is a must",
            "never opens": "never opens",
            "late card": "is a late card",
            "forbidden": "is forbidden by the patron",
        },
        "units": {"dealt": DEALT_UNIT, "share": SHARE_UNIT, "worth": WORTH_UNIT_GP},
    }
    return templates
