"""How matches and solo play look."""

from __future__ import annotations

from analysis.amounts import chance
from analysis.clash.game_reports import GroupReport, MatchReport, Share, SoloReport
from analysis.clash.maps import MapReport, map_text
from analysis.symmetry import BY_DESIGN, WHY
from cli.clash.views.battle import first_notes
from cli.grid import Section, Shown


def share_text(share: Share) -> str:
    """Return a share of games with its interval."""
    if share.mean is None:
        return "-"
    if share.by_design:
        return f"{chance(share.mean, 1)} {BY_DESIGN}"
    if share.low is None or share.high is None:
        return chance(share.mean, 1)
    return f"{100 * share.mean:.1f} % ({100 * share.low:.1f} to {100 * share.high:.1f})"


def match_rows(report: MatchReport) -> list[dict[str, object]]:
    """Return a row for each player."""
    return [{"player": each.name, "seat": each.seat, **_numbers(each.won)} for each in report.players]


def _numbers(share: Share) -> dict[str, object]:
    return {"won": share.mean, "low": share.low, "high": share.high, "games": share.games}


def match_sections(report: MatchReport) -> list[Section]:
    """Return the tables of a match."""
    parts = [
        Section(
            "Games won",
            ("player", "won"),
            [[each.name, share_text(each.won)] for each in report.players],
        )
    ]
    tables = [("By clan, whoever played", "clan", report.by_clan)]
    if report.clans is None:
        tables.append(("By seat, whoever played", "seat", report.by_seat))
    else:
        # Where clans are named, they sit in that order: one table says both.
        tables = [("By clan, in the order of seats, whoever played", "clan", report.by_clan)]
    for title, head, groups in tables:
        if groups:
            parts.append(Section(title, (head, "won"), _group_rows(groups)))
    return parts


def _group_rows(groups: list[GroupReport]) -> list[list[str]]:
    return [[each.name, share_text(each.won)] for each in groups]


def match_notes(report: MatchReport) -> list[str]:
    """Return what has to be said beside them."""
    lines = first_notes(report.rules)
    if not report.complete:
        lines.append(
            f"Stopped: {report.players[0].won.deals} of {report.deals} deals were played to the end."
        )
    rounds = "" if report.rounds is None else f", {report.rounds:.1f} rounds on average"
    lines.append(
        f"{report.games} games{rounds}, {report.draws} draws, which count as shared. Every deal is played"
        f" once per seat; intervals of {report.confidence:.0%} over deals."
    )
    if any(each.won.by_design for each in report.players):
        lines.append(WHY)
    if report.budget != "-":
        lines.append(f"search: {report.budget} for each decision.")
    lines += _common(report.habits, report.map)
    lines.append(f"Seed {report.seed}, {report.time_s:.0f} s.")
    return lines


def _common(habits: dict[str, float], map_report: MapReport) -> list[str]:
    lines = [
        map_text(map_report),
        "Players are heuristics; battles are drawn from exact tables of outcomes. What is said of clans and"
        " seats holds for these players only.",
    ]
    if habits:
        changed = ", ".join(f"{name}={value:g}" for name, value in habits.items())
        lines.append(f"Habits: {changed}, others as usual.")
    return lines


def solo_rows(report: SoloReport) -> list[dict[str, object]]:
    """Return a row for each difficulty."""
    return [
        {"difficulty": each.difficulty, "threshold": each.threshold, **_numbers(each.won)}
        for each in report.difficulties
    ]


def solo_sections(report: SoloReport) -> list[Section]:
    """Return the tables of solo play."""
    rows = [
        [
            each.difficulty,
            str(each.threshold),
            share_text(each.won),
            "-" if each.rounds is None else f"{each.rounds:.1f}",
        ]
        for each in report.difficulties
    ]
    parts = [Section(f"Won by {report.policy}", ("difficulty", "points to lose", "won", "rounds"), rows)]
    if len(report.clans) > 1:
        clans = [
            [
                clan,
                *(
                    next((_short(group.won) for group in each.by_clan if group.name == clan), "-")
                    for each in report.difficulties
                ),
            ]
            for clan in report.clans
        ]
        head = ("clan", *(each.difficulty for each in report.difficulties))
        parts.append(Section("By clan", head, clans))
    if report.first:
        first = [
            [each.choice if len(each.choice) <= 55 else f"{each.choice[:52]}...", chance(each.chance, 0)]
            for each in report.first[:6]
        ]
        title = f"The first decision of game 1 ({report.difficulties[0].difficulty}), by playouts"
        parts.append(Section(title, ("choice", "chance to win"), first))
    return parts


def _short(share: Share) -> str:
    return chance(share.mean, 0)


def solo_notes(report: SoloReport) -> list[str]:
    """Return what has to be said beside them."""
    lines = first_notes(report.rules)
    if not report.complete:
        played = sum(each.won.games for each in report.difficulties)
        lines.append(
            f"Stopped: {played} of {report.games * len(report.difficulties)} games were played to the end."
        )
    lines.append(
        f"The same {report.games} set-ups at each difficulty; intervals of {report.confidence:.0%} (Wilson)."
        " A better player wins more: these are lower bounds."
    )
    if report.budget != "-":
        lines.append(f"search: {report.budget} for each decision.")
    elif report.first:
        habits = "" if report.policy == "rule" else ", and without habits"
        lines.append(
            f"The first decision is weighed by a search of {report.first_budget}; {report.policy} itself"
            f" plays without one{habits}."
        )
    lines += _common(report.habits, report.map)
    lines.append(f"Seed {report.seed}, {report.time_s:.0f} s.")
    return lines


MATCH = Shown(match_rows, match_sections, match_notes)
SOLO = Shown(solo_rows, solo_sections, solo_notes)
