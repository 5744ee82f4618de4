"""How a search for rule values looks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from analysis.amounts import bound
from analysis.ragers.workbench.goals import EACH
from analysis.ragers.workbench.tuning import MET, AxisReport, TuneReport, VariantReport
from cli.grid import Brief, Section
from cli.ragers.views.heads import under_rules
from engine.ragers.rules import TYPES

_SHORT = [name[:3].capitalize() for name in TYPES]


def brief(report: TuneReport) -> Brief:
    """Return the first screen: the proposal as a rules file, what it misses, and how far to trust it."""
    if report.proposal is None:
        return Brief([], notes(report), "All that was tried")
    present, proposal = report.present, report.proposal
    days = "1 day" if len(report.scenarios) == 1 else f"{len(report.scenarios)} days"
    title = f"{report.player.capitalize()} · {days} · {report.num_tried} of {report.num_possible} tried"
    if report.toml is None:
        lines = ["No change does better than the present rules."]
    else:
        lines = ["# save as proposal.toml, and add --rules proposal.toml", *report.toml.splitlines()]
    here = [each for each in (present, proposal) if each is not None]
    names = ["present", "proposal"] if present is not None else ["proposal"]
    if report.toml is None:
        here, names = here[:1], names[:1]
    goals = [
        [text, *(_amount(each.goals[row].missed, each.goals[row].missed_bracket) for each in here)]
        for row, text in enumerate(report.goals)
    ]
    parts = [Section(title, lines=lines), Section("", ["goal missed by", *names], goals)]
    parts = under_rules(report.rules.name, parts)
    told = ["In brackets: whatever equilibria are played (always: met in all of them; ?: not known)."]
    if not report.complete:
        told.append("Stopped before the search had ended.")
    told += [text for text in notes(report) if text.startswith(("The proposal misses", "That the", "Robust"))]
    told.append(f"NashConv is at most {bound(proposal.nash_conv_gp)} GP in the proposal's days.")
    return Brief(parts, told, "Openings, the way there, the neighbours")


def sections(report: TuneReport) -> list[Section]:
    """Return the tables for people."""
    if report.proposal is None:
        return []
    keys = [axis.key for axis in report.axes]
    words = "1 scenario" if len(report.scenarios) == 1 else f"{len(report.scenarios)} scenarios"
    here = [each for each in (report.present, report.proposal) if each is not None]
    names = ["present", "proposal"] if report.present is not None else ["proposal"]
    changes = [
        [axis.key, str(axis.present), str(report.proposal.at[axis.key]), _range(axis)] for axis in report.axes
    ]
    goals = [
        [text, *(_amount(each.goals[row].missed, each.goals[row].missed_bracket) for each in here)]
        for row, text in enumerate(report.goals)
    ]
    openings = [
        [name, *(f"{100 * each.opening[name]:.1f}" for each in here)]
        for name in TYPES
        if any(each.opening[name] > 0 for each in here)
    ]
    head = [*keys, "distance", "missed by", *_SHORT, "NashConv"]
    lines = ["no change does better"] if report.toml is None else report.toml.splitlines()
    parts = [
        Section(
            f"Proposal · {report.player} · {words}",
            ["value", "present", "proposal", "tried from"],
            changes,
            lines=lines,
        ),
        Section("Goals, missed by", ["goal", *names], goals),
        Section("Openings in %, mean over the scenarios", ["card", *names], openings),
        Section(
            "Frontier: less missed, further from the present rules", head, _rows(report.frontier), left=0
        ),
    ]
    if report.neighbours:
        title = "One step from the proposal"
        parts.append(Section(title, head, _rows(report.neighbours), left=0))
    return under_rules(report.rules.name, parts)


def _range(axis: AxisReport) -> str:
    step = {b - a for a, b in zip(axis.values, axis.values[1:], strict=False)}
    if len(axis.values) > 2 and step != {1}:
        return ",".join(map(str, axis.values))
    return f"{axis.values[0]} to {axis.values[-1]}"


def _amount(amount: float, span: tuple[float, float] | None) -> str:
    text = "met" if amount <= MET else f"{amount:.1f}"
    if span is None:
        return f"{text} (?)"
    if span[1] <= MET:
        return f"{text} (always)"
    return f"{text} ({span[0]:.1f} to {span[1]:.1f})"


def _rows(variants: Sequence[VariantReport]) -> list[list[str]]:
    return [
        [
            *map(str, each.at.values()),
            str(each.distance),
            _amount(each.missed, each.missed_bracket),
            *(f"{100 * each.opening[name]:.0f}" for name in TYPES),
            bound(each.nash_conv_gp),
        ]
        for each in variants
    ]


def notes(report: TuneReport) -> list[str]:
    """Return what a reader has to know."""
    tried = (
        f"{report.num_tried} of {report.num_possible} combinations tried: {report.method}, seed {report.seed}"
    )
    lines = [f"{tried}." if report.complete else f"{tried}; stopped before its end."]
    if report.proposal is None:
        return [*lines, "Nothing was solved."]
    lines += [
        "missed by: points of per cent, or GP, by which numbers lie out of their range or too far apart; in"
        " brackets what it lies between in whatever equilibrium is played (always: met in all of them; ?: not"
        " known for these numbers). Narrower with --target or --time-limit.",
    ]
    if report.present is not None and report.proposal.at != report.present.at:
        lines.append(
            "The proposal misses less than the present rules whatever equilibria are played."
            if report.effect
            else "That the proposal misses less than the present rules holds for the plans found; the"
            " intervals meet, so it may be no effect."
        )
    possible = sum(
        (at > axis.values[0]) + (at < axis.values[-1])
        for axis, at in zip(report.axes, report.proposal.at.values(), strict=True)
    )
    if possible:
        met = sum(each.met for each in report.neighbours)
        near = len(report.neighbours)
        text = f"Robustness: {near} of {possible} neighbours tried, {met} of them meet all goals"
        if report.neighbours:
            text += f", the worst is missed by {max(each.missed for each in report.neighbours):.1f}"
        lines.append(f"{text}.")
    if any(goal.partition(".")[2].startswith(EACH) for goal in report.goals):
        lines.append(f"{EACH}: every type that the day allows.")
    lines += [
        f"Not solved: {', '.join(f'{key}={value}' for key, value in each.items())}"
        for each in report.unsolved[:10]
    ]
    if len(report.unsolved) > 10:
        lines.append(f"Not solved: {len(report.unsolved) - 10} more.")
    return lines


def csv_rows(report: TuneReport) -> list[dict[str, Any]]:
    """Return a row per variant tried."""
    front = {each.rules_sha256 for each in report.frontier}
    near = {each.rules_sha256 for each in report.neighbours}
    rows = []
    for each in report.variants:
        row: dict[str, Any] = {**each.at, "distance": each.distance, "missed": each.missed}
        row["missed_low"], row["missed_high"] = each.missed_bracket or (None, None)
        row |= {"met": str(each.met).lower(), "certain": str(each.certain).lower()}
        row |= {f"missed_{number}": goal.missed for number, goal in enumerate(each.goals, 1)}
        row |= {f"opening_{name}": share for name, share in each.opening.items()}
        row |= {"nash_conv_gp": each.nash_conv_gp, "proposal": str(each == report.proposal).lower()}
        row |= {"frontier": str(each.rules_sha256 in front).lower()}
        row |= {"neighbour": str(each.rules_sha256 in near).lower(), "rules_sha256": each.rules_sha256}
        rows.append(row)
    return rows
