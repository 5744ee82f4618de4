"""Answers as tables for people: on a terminal (80 columns) and as Markdown."""

from __future__ import annotations

import io
import math
import os
import sys
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

import msgspec

from analysis.amounts import bound, chance, signed
from analysis.ragers.answers.report import (
    HandReport,
    ScenarioReport,
    SolveReport,
)
from analysis.ragers.wording import names, trust
from analysis.ragers.wording.names import answers, cheers_name, patron_name, trusted
from analysis.ragers.wording.trust import graded
from cli.grid import Section, in_format
from cli.options import Output
from cli.ragers.views import first_screen
from cli.ragers.views.first_screen import WIDTH
from cli.ragers.views.heads import under_rules
from engine.ragers.rules import TYPES

if TYPE_CHECKING:
    from rich.console import Console

_NAME_WIDTH = 15
_SHORT = [name[:3].capitalize() for name in TYPES]
_PREPARATIONS = {
    "none": "both keep their hands",
    "redraw": "each may exchange one card, unseen",
    "seen": "each may exchange one card, seen by both",
}
_LEGEND = (
    "Openings and cards in %. W/D/N: days won, drawn, lost by both. GP: own mean. NashConv: what the two"
    " players together could gain by playing otherwise, in GP; grade: its share of what a day pays, with ?"
    " where it is estimated, not proved."
)


def rendered(report: SolveReport, out: Output) -> str:
    """Return `report` in the format asked for; on a terminal with colours, and bars."""
    if out.form != "table":
        return in_format(report, out.form, csv_rows, sections, _all_notes)
    from rich.console import Console

    color = out.path is None and sys.stdout.isatty() and "NO_COLOR" not in os.environ
    stream = io.StringIO()
    console = Console(
        file=stream,
        width=WIDTH,
        force_terminal=color,
        color_system="standard" if color else None,
        highlight=False,
    )
    print_report(report, console, bars=color, details=out.details)
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines()) + "\n"


def print_report(report: SolveReport, console: object, *, bars: bool = True, details: bool = False) -> None:
    """Print `report` on a rich console."""
    from rich.console import Console
    from rich.text import Text

    assert isinstance(console, Console)
    for line in first_screen.lines(report, details=details, bars=bars):
        console.print(Text.assemble(*line))
    if details:
        console.print()
        _print_details(report, console)


def _print_details(report: SolveReport, console: Console) -> None:
    """Print cards by step, hands in numbers, and what the numbers rest on."""
    from rich.table import Table

    def table(head: Sequence[str], rows: Iterable[Sequence[str]], name_columns: int = 1) -> Table:
        grid = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style="bold", show_edge=False)
        for number, title in enumerate(head):
            if number < name_columns:
                grid.add_column(title, max_width=_NAME_WIDTH, no_wrap=True, overflow="ellipsis", style="cyan")
            else:
                grid.add_column(title, justify="right", no_wrap=True)
        for row in rows:
            grid.add_row(*row)
        return grid

    for _, group in groupby(report.scenarios, key=lambda scenario: scenario.patron):
        scenarios = [each for each in group if answers(each)]
        if not scenarios:
            continue
        console.print(f"[bold]{title(scenarios[0])}[/bold]\n")
        console.print(table(_HEAD, [_row(scenario) for scenario in scenarios]))
        console.print("\n[bold]Cards placed per 100 days, by step[/bold]\n")
        console.print(table(_USAGE_HEAD, _usage_rows(scenarios)))
        for scenario in scenarios:
            if scenario.hand is not msgspec.UNSET:
                console.print(f"\n[bold]{hand_title(scenario.hand, scenario)}[/bold]\n")
                console.print(table(_HAND_HEAD, _hand_rows(scenario.hand)))
        console.print()
    for note in notes(report):
        console.print(note, style="dim", markup=False)


def sections(report: SolveReport) -> list[Section]:
    """Return the tables of all patrons."""
    parts = []
    for _, group in groupby(report.scenarios, key=lambda scenario: scenario.patron):
        scenarios = list(group)
        parts.append(Section(title(scenarios[0]), _HEAD, [_row(each) for each in scenarios]))
        scenarios = [each for each in scenarios if answers(each)]
        if scenarios:
            usage = _usage_rows(scenarios, repeat=True)
            parts.append(Section("Cards placed per 100 days, by step", _USAGE_HEAD, usage, level=3))
        for scenario in scenarios:
            if scenario.hand is not msgspec.UNSET:
                rows = _hand_rows(scenario.hand)
                parts.append(Section(hand_title(scenario.hand, scenario), _HAND_HEAD, rows, level=3))
    return under_rules(report.rules.name, parts)


def _all_notes(report: SolveReport) -> list[str]:
    return [*trust.sentences(report), *notes(report)]


def title(scenario: ScenarioReport) -> str:
    """Return the heading of one patron's tables."""
    preparation = f"{_PREPARATIONS[scenario.preparation]} ({scenario.preparation})"
    return f"{patron_name(scenario)} · {scenario.player.capitalize()} · {preparation}"


def hand_title(hand: HandReport, scenario: ScenarioReport) -> str:
    """Return the heading of the table of one hand."""
    return (
        f"Hand {names.hand(hand.cards)}, {cheers_name(scenario)}: dealt {chance(hand.dealt)},"
        f" held at the first placement {chance(hand.reach)}"
    )


def notes(report: SolveReport) -> list[str]:
    """Return what a reader has to know about the numbers, a line each."""
    shown = [each for each in report.scenarios if answers(each)]
    lines = [_LEGEND] if shown else []
    certificates = list(dict.fromkeys(each.certificate for each in shown))
    for certificate in certificates:
        alike = _days(report, [each for each in shown if each.certificate == certificate])
        which = f" of {alike}" if len(certificates) > 1 else ""
        # Of older answers to days with equal decks: by symmetry, and of no use.
        lines.append(f"NashConv{which} by: {certificate.replace(' (mean off by 0)', '')}.")
    # Older answers do not say what they refined, which was nothing.
    merged = [each for each in shown if each.method == "merged"]
    for share in dict.fromkeys(each.told_apart or 0.0 for each in merged):
        alike = _days(report, [each for each in merged if (each.told_apart or 0.0) == share])
        lines.append(_merged_note(share, alike))
    sources: dict[str, list[ScenarioReport]] = {}
    for scenario in report.scenarios:
        text = scenario.source
        if scenario.relabelled_from is not None:
            text += f", as {_named_cheers(report, scenario.relabelled_from)} with the attacks renamed"
        sources.setdefault(text, []).append(scenario)
    for text, days in sources.items():
        which = "all rows" if len(sources) == 1 else _days(report, days)
        lines.append(f"Source of {which}: {text}.")
    if report.rules.assumed:
        lines.append(assumed_note(report))
    return lines


def _named_cheers(report: SolveReport, cheers: str) -> str:
    """Return the name of a cheers card that some scenario of the report has; elsewhere its id."""
    return next((cheers_name(each) for each in report.scenarios if each.cheers == cheers), cheers)


def _days(report: SolveReport, some: Sequence[ScenarioReport]) -> str:
    """Return days by name, under several patrons each with its patron."""
    if len({each.patron for each in report.scenarios}) == 1:
        return ", ".join(dict.fromkeys(map(cheers_name, some)))
    return "; ".join(
        f"{patron}: {', '.join(dict.fromkeys(map(cheers_name, days)))}"
        for patron, days in groupby(some, key=patron_name)
    )


def _merged_note(share: float, which: str) -> str:
    """Return the line that says what the merged strategies of some cheers cards do not look at."""
    line = f"Merged ({which}): ways of play that lead to the same rows share one strategy"
    if share:
        line += (
            f"; where {100 * share:.0f} % of play goes, only if the same cards are left, too, or not at all"
        )
    return f"{line}. More memory (--memory) refines more histories."


def assumed_note(report: SolveReport) -> str:
    """Return the line that names the assumed values these answers rest on."""
    patrons = {scenario.patron for scenario in report.scenarios}
    cheers = {scenario.cheers for scenario in report.scenarios}

    def matters(key: str) -> bool:
        table, _, rest = key.partition(".")
        entry = rest.partition(".")[0]
        return {"patrons": entry in patrons, "cheers": entry in cheers}.get(table, True)

    keys = [key for key in report.rules.assumed if matters(key)]
    if not keys:
        return "No value these answers rest on is assumed."
    shown = ", ".join(keys[:4]) + (f" and {len(keys) - 4} more" if len(keys) > 4 else "")
    return f"Rests on assumed values ({shown}); see: ragers rules show."


_HEAD = ["crowd wants", *_SHORT, "value", "W/D/N %", "GP", "NashConv", "grade"]
_USAGE_HEAD = ["crowd wants", "step", *_SHORT]
_HAND_HEAD = ["card", "open with %", "then worth GP", "discard %"]


def _row(scenario: ScenarioReport) -> list[str]:
    how_far, outcome = trusted(scenario), scenario.outcome
    if not how_far.answers:
        unknown = ["–"] * (len(TYPES) + 3)
        return [cheers_name(scenario), *unknown, bound(scenario.nash_conv_gp), how_far.grade]
    shares = "/".join(_percent(p) for p in (outcome.win, outcome.draw, outcome.two_losers))
    return [
        cheers_name(scenario),
        *(_percent(scenario.opening_mix[name], zero="·") for name in TYPES),
        signed(scenario.value_gp),
        shares,
        "–" if math.isnan(scenario.mean_gp[0]) else f"{scenario.mean_gp[0]:.1f}",
        bound(scenario.nash_conv_gp),
        graded(how_far, certified=scenario.certified),
    ]


def _usage_rows(scenarios: Sequence[ScenarioReport], *, repeat: bool = False) -> list[list[str]]:
    rows = []
    for scenario in scenarios:
        for step, usage in enumerate(scenario.usage):
            name = cheers_name(scenario) if step == 0 or repeat else ""
            rows.append([name, str(step + 1), *(_percent(amount, zero="·") for amount in usage)])
    return rows


def _hand_rows(hand: HandReport) -> list[list[str]]:
    rows_of = dict.fromkeys([*hand.cards, *hand.mix])
    discard = hand.discard or {}
    rows = []
    for name in [*rows_of, *(["keep"] if discard else [])]:
        rows.append(
            [
                "keep all" if name == "keep" else names.card(name),
                f"{100 * hand.mix[name]:.1f}" if name in hand.mix else "–",
                f"{hand.ev_gp[name]:+.3f}" if name in hand.ev_gp else "–",
                f"{100 * discard[name]:.1f}" if name in discard else "–",
            ]
        )
    return rows


def _percent(share: float, zero: str = "0") -> str:
    if math.isnan(share):
        return "–"
    rounded = round(100 * share)
    if rounded == 0 and share > 0.0005:
        return "<1"
    return zero if rounded == 0 else str(rounded)


def csv_rows(report: SolveReport) -> list[dict[str, object]]:
    """Return a row per scenario; columns about a hand start with ``hand_``."""
    rows = []
    for scenario in report.scenarios:
        row: dict[str, object] = {
            "patron": scenario.patron,
            "cheers": scenario.cheers,
            "preparation": scenario.preparation,
            "player": scenario.player,
            "value_gp": scenario.value_gp,
            "nash_conv_gp": scenario.nash_conv_gp,
            "certified": str(scenario.certified).lower(),
            "grade": trusted(scenario).grade,
            "method": scenario.method,
            "told_apart": scenario.told_apart,
        }
        row |= {f"opening_{name}": scenario.opening_mix[name] for name in TYPES}
        row["opening_nothing"] = scenario.opening_mix.get("nothing", 0.0)
        row |= msgspec.structs.asdict(scenario.outcome)
        row |= {"mean_gp": scenario.mean_gp[0], "opponent_mean_gp": scenario.mean_gp[1]}
        if scenario.hand is not msgspec.UNSET:
            hand = scenario.hand
            row |= {"hand_cards": " ".join(hand.cards), "hand_reach": hand.reach}
            for name in (*TYPES, "nothing"):
                row[f"hand_mix_{name}"] = hand.mix.get(name)
                row[f"hand_ev_gp_{name}"] = hand.ev_gp.get(name)
        row |= {
            "iterations": scenario.iterations,
            "seconds": scenario.seconds,
            "peak_memory_mb": scenario.peak_memory_mb,
            "seed": scenario.seed,
            "from_library": str(scenario.from_library).lower(),
            "rules_sha256": report.rules.sha256,
        }
        # What is not known is left empty.
        rows.append({key: None if each != each else each for key, each in row.items()})
    return rows
