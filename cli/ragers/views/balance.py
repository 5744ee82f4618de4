"""The health report as tables for people."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from statistics import fmean

import msgspec

from analysis.amounts import bound, percent
from analysis.ragers.answers.findings import DEAD_PLACED, LATE_PLACED, MUST, NEVER_OPENS
from analysis.ragers.naive import NAIVE
from analysis.ragers.workbench.health import BalanceReport, CardHealth, ScenarioHealth
from cli.grid import Section
from cli.ragers.views import trust
from cli.ragers.views.findings import never_met
from cli.ragers.views.names import card as card_name
from cli.ragers.views.names import cheers_name, day_name, patron_name, told_once, under_rules
from engine.ragers.rules import PLAYERS, TYPES

_SHORT = [name[:3].capitalize() for name in TYPES]
_MARKS = {"dead": "†", "never opens": "-", "late card": "›", "forbidden": "×", "must": "!", "": ""}
VERDICTS = {
    "must": "a must to open with",
    "dead": "dead",
    "never opens": "never opens",
    "late card": "a late card",
    "forbidden": "forbidden by the patron",
}


def sections(report: BalanceReport) -> list[Section]:
    """Return the tables: openings, usage, cards, patrons and cheers cards."""
    if not report.scenarios:
        return []
    first = report.scenarios[0]
    once, renamed = told_once(report.scenarios)
    openings = [*map(_opening_row, once)]
    report = msgspec.structs.replace(report, scenarios=[each for each in report.scenarios if each.answers])
    words = f"{first.player.capitalize()} · {first.preparation}"
    opening = Section(f"Openings in % · {words}", _OPENING_HEAD, openings, left=2, lines=renamed)
    if not report.scenarios:
        return under_rules(report.rules.name, [opening])
    parts = [
        opening,
        Section("Cards", _CARD_HEAD, [_card_row(name, report.scenarios) for name in TYPES]),
        Section(
            "Cards placed per 100 days, by step", ("patron", "step", *_SHORT), _usage_rows(report), left=1
        ),
        Section("Patrons (means over their cheers cards)", _PATRON_HEAD, _patron_rows(report)),
        Section("Skill and luck, in GP a day (means over cheers cards)", _SKILL_HEAD, _skill_rows(report)),
        Section("Cheers cards, against the mean of their patron", _CHEERS_HEAD, _cheers_rows(report), left=2),
        Section("Who meets the cheers card, % of days", _MET_HEAD, _met_rows(report), left=2),
    ]
    return under_rules(report.rules.name, parts)


def notes(report: BalanceReport, command: str) -> list[str]:
    """Return what a reader has to know, and what is missing; `command` solves what is."""
    lines = []
    if report.scenarios:
        lines = [
            f"!: a must to open with, opens over {100 * MUST:.0f} %. Opens under {100 * NEVER_OPENS:.0f} %:"
            f" ›: a late card, {100 * LATE_PLACED:.0f} or more in 100 days in a later step; †: dead, under"
            f" {100 * DEAD_PLACED:.0f} placed in 100 days; -: never opens, but comes later; ×: forbidden by"
            " the patron. Twice: in every equilibrium, not only in the plans found. W/D/N: days won, drawn,"
            " lost by both.",
            "worth: of one more such card in the hand as dealt, against the average card, in GP. with it:"
            " mean worth of hands that hold one, less that of all hands. Both by best play against the"
            " plans found.",
            "opening: what it costs to open as the plan found, with any card, or with the attack held most,"
            " and to play best afterwards; below NashConv such costs tell nothing apart. whole day: what is"
            " lost against the plan found by playing "
            + "; ".join(f"{name}: {words}" for name, words in NAIVE.items())
            + f". Of sampled days: {_errors(report)}",
            "luck: standard deviation of the worth of the hand as dealt. deal %: share of a day's variance"
            " that both hands as dealt explain, each by itself. GP by card, steps, cheers cards met and"
            " whole days come from days sampled when the answer was found; – where none were.",
        ]
        lines += [*trust.ruling_notes(report.rules), *_verdicts(report), *_never_met(report)]
        lines += trust.grades(
            (
                (day_name(each), each.nash_conv_gp, each.trust)
                for each in report.scenarios
                if each.trust is not msgspec.UNSET
            ),
            stored=True,
            how="ragers solve",
        )
    return [*lines, *missing(report, command)]


def missing(report: BalanceReport, command: str) -> list[str]:
    """Return which days are not stored, and the command that solves them."""
    if not report.missing:
        return []
    patrons: dict[str, list[str]] = {}
    for each in report.missing:
        patrons.setdefault(each.patron, []).append(each.cheers)
    total = len(report.missing) + len(report.scenarios)
    lines = [f"Missing {len(report.missing)} of {total} scenarios, not stored for these rules:"]
    most = max(map(len, patrons.values()))
    lines += [
        f"  {patron}: {'all ' + str(most) if len(cheers) == most > 3 else ', '.join(cheers)}"
        for patron, cheers in patrons.items()
    ]
    return [*lines, f"Solve them (answers are kept), and ask again: {command}"]


def _verdicts(report: BalanceReport) -> list[str]:
    """Return where each type is a must, dead and so on, a line each."""
    lines = []
    solved = [each for each in report.scenarios if each.answers]
    for name in TYPES:
        for verdict, words in VERDICTS.items():
            where = [each for each in solved if each.cards[name].verdict == verdict]
            if not where:
                continue
            certain = sum(each.cards[name].certain for each in where)
            titles = [day_name(each) for each in where]
            shown = ", ".join(titles[:4]) + (f" and {len(titles) - 4} more" if len(titles) > 4 else "")
            lines.append(f"{card_name(name)} {words} in {len(where)} ({certain} for certain): {shown}.")
    return lines


def _never_met(report: BalanceReport) -> list[str]:
    return [
        f"{never_met(cheers_name(each), patron_name(each), each.day.lacking)}."
        for each in report.scenarios
        if each.day is not msgspec.UNSET and each.day.lacking is not None
    ]


_OPENING_HEAD = ["patron", "cheers card", *_SHORT, "W/D/N %", "GP", "NashConv", "grade"]
_CARD_HEAD = ["card", "opens %", "least", "most", "held %", "if held %", "placed", "GP", "worth", "with it"]
_PATRON_HEAD = ["patron", "scenarios", "steps", "win %", "draw %", "both lose %", "GP"]
_SKILL_HEAD = [
    "patron",
    "luck",
    "deal %",
    "opening: plan",
    "any",
    "greedy",
    *(f"{'whole day: ' if name == next(iter(NAIVE)) else ''}{name}" for name in NAIVE),
]
_MET_HEAD = ["patron", "cheers card", "Accusers only", "Defenders only", "both", "nobody", "GP a day"]
_CHEERS_HEAD = ["patron", "cheers card", *_SHORT, "draw %", "GP"]


def _opening_row(each: ScenarioHealth) -> list[str]:
    outcome = each.outcome
    grade = "" if each.trust is msgspec.UNSET else each.trust.grade
    if not each.answers:
        return [
            patron_name(each),
            cheers_name(each),
            *["–"] * (len(TYPES) + 2),
            bound(each.nash_conv_gp),
            grade,
        ]
    return [
        patron_name(each),
        cheers_name(each),
        *(_marked(each.cards[name]) for name in TYPES),
        "/".join(percent(share) for share in (outcome.win, outcome.draw, outcome.two_losers)),
        f"{each.mean_gp[0]:.1f}",
        bound(each.nash_conv_gp),
        grade,
    ]


def _marked(card: CardHealth) -> str:
    return percent(card.opening) + _MARKS[card.verdict] * (2 if card.certain else 1)


def _card_row(name: str, scenarios: Sequence[ScenarioHealth]) -> list[str]:
    cards = [each.cards[name] for each in scenarios]
    shares = [card.opening for card in cards]
    return [
        card_name(name),
        percent(fmean(shares)),
        percent(min(shares)),
        percent(max(shares)),
        percent(fmean(card.held for card in cards)),
        mean_of([card.opened_when_held for card in cards], lambda share: percent(share)),
        f"{fmean(sum(card.placed) for card in cards):.2f}",
        mean_of([card.gp for card in cards], _amount),
        mean_of([card.worth_gp for card in cards], _gp),
        mean_of([card.with_it_gp for card in cards], _gp),
    ]


def _usage_rows(report: BalanceReport) -> list[list[str]]:
    rows = []
    for patron, group in groupby(report.scenarios, key=patron_name):
        scenarios = list(group)
        steps = max(len(each.cards[TYPES[0]].placed) for each in scenarios)
        for step in range(steps):
            cells = []
            for name in TYPES:
                placed = [each.cards[name].placed for each in scenarios]
                cells.append(percent(fmean(row[step] if step < len(row) else 0.0 for row in placed)))
            rows.append([patron if step == 0 else "", str(step + 1), *cells])
    return rows


def _by_patron(report: BalanceReport) -> list[tuple[str, list[ScenarioHealth]]]:
    return [(patron, list(group)) for patron, group in groupby(report.scenarios, key=patron_name)]


def _patron_rows(report: BalanceReport) -> list[list[str]]:
    return [
        [
            patron,
            str(len(scenarios)),
            mean_of([each.sampled.steps for each in scenarios if each.sampled], _amount),
            *(
                percent(fmean(share))
                for share in (
                    [each.outcome.win for each in scenarios],
                    [each.outcome.draw for each in scenarios],
                    [each.outcome.two_losers for each in scenarios],
                )
            ),
            f"{fmean(each.mean_gp[0] for each in scenarios):.2f}",
        ]
        for patron, scenarios in _by_patron(report)
    ]


def _skill_rows(report: BalanceReport) -> list[list[str]]:
    rows = []
    for patron, scenarios in _by_patron(report):
        sampled = [each.sampled for each in scenarios if each.sampled is not None]
        rows.append(
            [
                patron,
                mean_of([each.hand_luck_gp for each in scenarios], _amount),
                mean_of([each.deal_share for each in sampled], percent),
                mean_of([each.plan_opening_gp for each in scenarios], _amount),
                mean_of([each.uniform_opening_gp for each in scenarios], _amount),
                mean_of([each.greedy_opening_gp for each in scenarios], _amount),
                *(mean_of([each.loss_gp[name] for each in sampled], _amount) for name in NAIVE),
            ]
        )
    return rows


def _met_rows(report: BalanceReport) -> list[list[str]]:
    rows = []
    for each in told_once(report.scenarios)[0]:
        found, own = each.sampled, each.player == PLAYERS[0]
        cells = ["–"] * 5
        if found is not None:
            alone = (found.cheers_own, found.cheers_other)
            shares = (*(alone if own else alone[::-1]), found.cheers_both, found.cheers_nobody)
            cells = [*map(percent, shares), _amount(found.cheers_swing_gp)]
        rows.append([patron_name(each), cheers_name(each), *cells])
    return rows


def _errors(report: BalanceReport) -> str:
    """Return how exact whole days are, in words."""
    sampled = [each.sampled for each in report.scenarios if each.sampled is not None]
    if not sampled:
        return "none."
    error = max(max(each.loss_error_gp.values()) for each in sampled)
    exact = max(each.nash_conv_gp for each in sampled)
    return f"standard errors up to {error:.2f} GP, plans with a NashConv up to {bound(exact)} GP."


def _cheers_rows(report: BalanceReport) -> list[list[str]]:
    rows = []
    for patron, group in groupby(report.scenarios, key=patron_name):
        scenarios = list(group)
        for each in scenarios:
            shifts = [
                each.cards[name].opening - fmean(other.cards[name].opening for other in scenarios)
                for name in TYPES
            ]
            draw = each.outcome.draw - fmean(other.outcome.draw for other in scenarios)
            gp = each.mean_gp[0] - fmean(other.mean_gp[0] for other in scenarios)
            if each in told_once(scenarios)[0]:
                rows.append([patron, cheers_name(each), *map(_shift, shifts), f"{100 * draw:+.1f}", _gp(gp)])
    return rows


def _shift(share: float) -> str:
    text = f"{100 * share:+.0f}"
    return "·" if text in ("+0", "-0") else text


def _gp(amount: float) -> str:
    return f"{amount:+.2f}"


def _amount(amount: float) -> str:
    return f"{amount:.2f}"


def mean_of(numbers: Sequence[float | None], show: Callable[[float], str]) -> str:
    known = [number for number in numbers if number is not None]
    return show(fmean(known)) if known else "–"
