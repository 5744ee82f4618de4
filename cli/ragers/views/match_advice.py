"""How advice for a whole match looks."""

from __future__ import annotations

import textwrap

from analysis.ragers.last_day.advising import MatchAdvice
from analysis.ragers.wording.names import card, hand
from cli.grid import WIDTH, Section
from cli.ragers.views.heads import under_rules
from cli.ragers.views.last_day import day_title, percent, win

_DECISIONS = {
    "place": "place a card",
    "further": "place a further card on top",
    "hide": "hide a further card",
    "exchange": "discard a card",
}


def sections(report: MatchAdvice) -> list[Section]:
    """Return the decision, what the solve says of it, and what the search does."""
    title = (
        f"{day_title(report.names)} · day {report.day} · {report.player.capitalize()}:"
        f" {_DECISIONS[report.decision]}"
    )
    lines = [f"You hold {hand(report.hand)}."]
    if report.match:
        lines.append(f"The match: {report.match}.")
    if report.history:
        lines.append(f"So far, you/opponent: {'; '.join(report.history)}")
    parts = [Section(title, lines=[line for text in lines for line in textwrap.wrap(text, WIDTH)])]
    solved, search = report.solved, report.search
    if solved is not None:
        best = max(each.win for each in solved.actions)
        rows = [
            [card(each.action), percent(each.mix), percent(each.win), percent(best - each.win)]
            for each in sorted(solved.actions, key=lambda each: -each.win)
        ]
        parts.append(Section("Solved", ("action", "mix %", "then win %", "costs win-%"), rows))
    if search is not None:
        rows = [
            [card(each.action), percent(each.win)]
            for each in sorted(search.actions, key=lambda each: -(each.win or 0.0))
        ]
        parts.append(Section("Searched", ("action", "win %, about"), rows))
    return under_rules(report.rules.name, parts)


def notes(report: MatchAdvice) -> list[str]:
    """Return what a reader has to know."""
    lines = []
    solved, search = report.solved, report.search
    if solved is not None:
        began = f", read {solved.read_by}" if solved.read_by else ""
        lines.append(
            f"Solved: over all hands they may hold, the {report.player.capitalize()} win {win(solved.win)} %"
            f" from here on (NashConv {percent(solved.nash_conv_win, 2)} win-%,"
            f" {solved.iterations} iterations in {solved.seconds:.0f} s). The day began with {solved.beliefs}"
            f" beliefs{began}; placements of this day are read by the solve."
        )
        if solved.tie_breaks == "no decks":
            lines.append("Ties on GP and cheers cards go to the larger deck before the day.")
        for step in solved.surprises:
            lines.append(f"Surprise in step {step}: somebody did what the solve never does.")
    elif report.unsolved:
        lines.append(f"Not solved: {report.unsolved}.")
    if search is not None:
        lines.append(f"Searched: {search.player}, {search.iterations} iterations. Nothing is proved by it.")
    return lines


def csv_rows(report: MatchAdvice) -> list[dict[str, object]]:
    """Return a row for each action."""
    solved = {} if report.solved is None else {each.action: each for each in report.solved.actions}
    searched = {} if report.search is None else {each.action: each.win for each in report.search.actions}
    return [
        {
            "patron": report.patron,
            "cheers": " ".join(report.cheers),
            "day": report.day,
            "match": report.match,
            "player": report.player,
            "hand": " ".join(report.hand),
            "action": action,
            "mix": solved[action].mix if action in solved else None,
            "solved_win": solved[action].win if action in solved else None,
            "searched_win": searched.get(action),
        }
        for action in dict.fromkeys([*solved, *searched])
    ]
